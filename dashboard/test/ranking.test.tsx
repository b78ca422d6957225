import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { arrange } from "../src/charts/panels";
import { Analysed } from "../src/charts/standing";
import { Ranking } from "../src/parts/ranking";
import { InFrame } from "./in-frame";
import { analysis, SWEEP } from "./report";

const ranking = (games_done: number) => {
  const { panels } = arrange(SWEEP);
  return render(
    <InFrame>
      <Ranking report={{ ...SWEEP, summary: { ...SWEEP.summary, games_done } }} analysed={new Analysed(SWEEP, { ...analysis(SWEEP), has_ended: false })} panels={panels} shown={panels} drawn={new Map()} mayChange={false} />
    </InFrame>,
  );
};

test("a ranking that is behind the games says of how many it is", () => {
  expect(ranking(1800)).not.toContain("of the first");
  expect(ranking(2000)).toContain("It is that of the first 1\u202f800 of 2\u202f000 games");
});
