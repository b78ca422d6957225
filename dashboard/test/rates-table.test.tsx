import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { Stopping } from "../src/api";
import { arrange } from "../src/charts/panels";
import { RatesTable } from "../src/parts/rates-table";
import { InFrame } from "./in-frame";
import { point, report, series } from "./report";

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
  const stopping = { outcome: "better", pairs: 40, rate: 0.581, low: 0.55, high: 0.612, is_corrected: true } as unknown as Stopping;
  const ended = (own: Stopping) => tableOf([{ ...point(4, 50, 80, 7), stopping: own }], "rates");
  expect(ended(stopping)).toContain("corrected 58.1 (55.0–61.2)");
  expect(ended({ ...stopping, is_corrected: false })).not.toContain("corrected");
  expect(ended({ ...stopping, rate: null })).not.toContain("corrected");
});
