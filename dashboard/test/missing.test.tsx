import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { arrange } from "../src/charts/panels";
import { RatesTable } from "../src/parts/rates-table";
import { InFrame } from "./in-frame";
import { point, report, series } from "./report";

const WORDS = "5 pairs are begun and not finished (2 set aside): with them the rate is between 47 and 53 %, however they end";

test("missing pairs stand in the table with what they could hide, in the coordinator's words", () => {
  const missing = { pairs: 5, games: [0, 0, 0] as [number, number, number], low: 0.475, high: 0.525, words: WORDS };
  const points = [{ ...point(4, 95, 190, 7), missing }, point(6, 95, 190, 7)];
  const [panel] = arrange(report([series("rave_k=50", points)])).panels;
  const table = render(
    <InFrame>
      <RatesTable panel={panel!} title="the test" sizes={[4, 6]} detail="rates" analysed={undefined} />
    </InFrame>,
  );
  expect(table.split(`title="${WORDS}"`)).toHaveLength(2);
  expect(table).toContain("5 pairs not finished");
});
