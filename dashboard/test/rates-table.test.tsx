import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { Stopping } from "../src/api";
import { arrange } from "../src/charts/panels";
import { LongTable } from "../src/parts/long-table";
import { RatesTable } from "../src/parts/rates-table";
import { InFrame } from "./in-frame";
import { point, report, series } from "./report";

const NO_TEST = { llr: null, lower: null, upper: null };

const tableOf = (points: ReturnType<typeof point>[], detail: "short" | "rates") => {
  const [panel] = arrange(report([series("rave_k=50", points)])).panels;
  return render(
    <InFrame>
      <RatesTable panel={panel!} title="the test" sizes={[4, 6, 8]} detail={detail} analysed={undefined} />
    </InFrame>,
  );
};

test("rates of fewer than ten pairs are pale, and the table says so", () => {
  const few = tableOf([point(4, 9, 18, 7), point(6, 10, 20, 7), point(8, 0, 0, 0)], "short");
  expect(few.match(/class="rate pale"/g)).toHaveLength(1);
  expect(few).toContain("Pale rates are of fewer than ten pairs.");
  expect(tableOf([point(6, 10, 20, 7)], "short")).not.toMatch(/pale/i);
});

test("a cell that a rule ended shows the corrected rate", () => {
  const stopping = { ...NO_TEST, outcome: "better", found: "better than 50 %", pairs: 40, rate: 0.581, low: 0.55, high: 0.612, is_corrected: true } as unknown as Stopping;
  const ended = (own: Stopping) => tableOf([{ ...point(4, 50, 80, 7), stopping: own }], "rates");
  expect(ended(stopping)).toContain("corrected 58.1 (55.0–61.2)");
  expect(ended({ ...stopping, is_corrected: false })).not.toContain("corrected");
  expect(ended({ ...stopping, rate: null })).not.toContain("corrected");
  // A pair that was missing held the test up until all games were played.
  const late = { ...stopping, outcome: "accept_h0", found: "H0 (0 Elo) accepted" } as const;
  const played = tableOf([{ ...point(4, 50, 200, 7), stopping: late }], "rates");
  expect(played).toContain("ended: H0 (0 Elo) accepted");
  expect(played).toContain("corrected 58.1");
});

test("a sequential test shows its ratio between its bounds, in both tables", () => {
  const stopping = { outcome: "open", found: "open", pairs: 40, is_corrected: false, llr: 1.234, lower: -2.944, upper: 2.944 } as unknown as Stopping;
  const points = [{ ...point(4, 50, 80, 7), stopping }];
  const [panel] = arrange(report([series("rave_k=50", points)])).panels;
  const long = render(
    <InFrame>
      <LongTable panel={panel!} title="the test" />
    </InFrame>,
  );
  expect(long).toContain("open after 40 pairs, LLR 1.23 [−2.94, 2.94]");
  expect(tableOf(points, "rates")).toContain("LLR 1.23 [−2.94, 2.94]");
  expect(tableOf([{ ...points[0]!, stopping: { ...stopping, ...NO_TEST } }], "rates")).not.toContain("LLR");
});

test("the long table has the Elo difference with its interval, and says what is infinite", () => {
  const finite = { ...point(4, 150, 200, 6), elo: 190.8, elo_low: 150, elo_high: 240 };
  const [panel] = arrange(report([series("rave_k=50", [finite, point(6, 200, 200, 0), point(8, 0, 0, 0)])])).panels;
  const long = render(
    <InFrame>
      <LongTable panel={panel!} title="the test" />
    </InFrame>,
  );
  for (const cells of ["<td>+191</td><td>+150 to +240</td>", "<td>+∞</td><td>−∞ to +∞</td>", "<td>–</td><td>–</td>"]) expect(long).toContain(cells);
});
