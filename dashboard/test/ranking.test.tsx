import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { select } from "../src/charts/selection";
import { Analysed } from "../src/charts/standing";
import { Ranking } from "../src/parts/ranking";
import { DEFAULT_VIEW } from "../src/url";
import { InFrame } from "./in-frame";
import { analysis, SWEEP } from "./report";

const SELECTION = select(SWEEP, DEFAULT_VIEW);

const ranking = (games_done: number) => {
  return render(
    <InFrame>
      <Ranking report={{ ...SWEEP, summary: { ...SWEEP.summary, games_done } }} analysed={new Analysed(SWEEP, { ...analysis(SWEEP), has_ended: false })} selection={SELECTION} mayChange={false} />
    </InFrame>,
  );
};

test("a ranking that is behind the games says of how many it is", () => {
  expect(ranking(1800)).not.toContain("of the first");
  expect(ranking(2000)).toContain("It is that of the first 1\u202f800 of 2\u202f000 games");
});

const many = (may: boolean[], basis: "complete" | "any_look" = "complete") => {
  const found = analysis(SWEEP);
  const cases = found.sweep.fields[0]!.cases.map((own, i) => ({ ...own, may_be_best: may[i]!, ...(basis === "any_look" && { low: null, high: null, shrunken: null, adjusted_p_value: null }) }));
  const all = { ...found, is_complete: basis === "complete", sweep: { ...found.sweep, basis, fields: [{ ...found.sweep.fields[0]!, cases, ...(basis === "any_look" && { mean: null, spread: null, luck_of_the_best: null }) }] } };
  return render(
    <InFrame>
      <Ranking report={SWEEP} analysed={new Analysed(SWEEP, all)} selection={SELECTION} mayChange={false} />
    </InFrame>,
  );
};

test("a ranking says which case to take, as far as the games show", () => {
  expect(many([true, false, false])).toContain("500 leads: every other case is shown to be worse.");
  expect(many([true, true, false])).toContain("No case leads: 2 of 3 cases may be the best one. ");
  expect(many([true, true, true])).toContain("No case leads: any of the cases may be the best one. ");
});

test("numbers of a fixed plan wait for its last game", () => {
  const [complete, live] = [many([true, false, false]), many([true, false, false], "any_look")];
  for (const column of ["Interval", "Shrunken"]) {
    expect(complete).toContain(`data-name="${column}"`);
    expect(live).not.toContain(`data-name="${column}"`);
  }
  expect(live).toContain('data-name="At any look"');
  expect(live).toContain("however often you look");
});
