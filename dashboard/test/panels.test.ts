import { expect, test } from "vitest";
import { arrange, panelTitle } from "../src/charts/panels";
import { intervalMethod, intervalSentence, select } from "../src/charts/selection";
import { DEFAULT_VIEW } from "../src/url";
import { point, report, series, SWEEP } from "./report";

const cell = [point(4, 80, 200, 7)];
const small = { sims: 1000 };
const large = { sims: 10_000 };

test("a case looks the same against every baseline and with every budget", () => {
  const { cases, panels } = arrange(
    report([
      series("k=1", cell, { budget: small }),
      series("k=1", cell, { budget: large }),
      series("k=2", cell, { budget: small }),
      series("k=2", cell, { budget: large }),
    ]),
  );
  expect(cases.map(({ name }) => name)).toEqual(["k=1", "k=2"]);
  expect(panels).toHaveLength(2);
  for (const { lines } of panels) expect(lines.map((line) => line.case)).toEqual(cases);
});

test("panels are named by what tells them apart", () => {
  const titles = (all: ReturnType<typeof series>[]) => {
    const { panels } = arrange(report(all));
    return panels.map((panel) => panelTitle(panel, panels));
  };
  expect(titles([series("k", cell)])).toEqual(["against uct, 1\u202f000 simulations a move"]);
  expect(titles([series("k", cell), series("k", cell, { budget: { reference_seconds: 2.5 } })])).toEqual([
    "1\u202f000 simulations a move",
    "2.5 reference s a move",
  ]);
  expect(titles([series("k", cell), series("k", cell, { baseline_label: "rave" })])).toEqual(["against uct", "against rave"]);
});

test("cases are called as the coordinator calls them, and keep their links", () => {
  const more = { name: "rave k=1" };
  const { cases } = arrange(
    report([
      series("k=1", cell, more),
      series("k=1", cell, { group: "mix", name: "mix k=1 (fpu=1)" }),
      series("k=1", cell, { group: "mix", name: "mix k=1 (fpu=2)" }),
      series("k=2", cell),
    ]),
  );
  expect(cases.map(({ name }) => name)).toEqual(["rave k=1", "mix k=1 (fpu=1)", "mix k=1 (fpu=2)", "k=2"]);
  expect(cases.map(({ key }) => key)).toEqual(["rave/k=1", "mix/mix k=1 (fpu=1)", "mix/mix k=1 (fpu=2)", "rave/k=2"]);
});

test("series switched off leave the picture, a panel chosen stands alone, an unknown one is ignored", () => {
  const two = report([series("k=1", cell), series("k=2", cell), series("k=1", cell, { budget: large })]);
  const all = select(two, { ...DEFAULT_VIEW, hidden: ["rave/k=1"], axis: "full" });
  expect(all.visible.map(({ lines }) => lines.length)).toEqual([1, 0]);
  expect(all.shown.map(({ lines }) => lines.length)).toEqual([2, 1]);
  expect(select(two, { ...DEFAULT_VIEW, hidden: [], axis: "full", panel: "uct/sims-10000" }).shown.map(({ key }) => key)).toEqual(["uct/sims-10000"]);
  expect(select(two, { ...DEFAULT_VIEW, hidden: [], axis: "full", panel: "gone" }).shown).toHaveLength(2);
});

test("the sentence under the picture says what each bar guarantees, and when a case is better", () => {
  const sentence = intervalSentence(SWEEP);
  expect(sentence).toContain("95\u00a0% interval");
  expect(sentence).toContain("the chance that this is wrong is at most 5\u00a0%.");
  expect(sentence).toContain("only where the light bar leaves the 50\u00a0% line");
  expect(intervalMethod(SWEEP)).toBe("Method: Wilson, over pairs; confidence sequence.");
});
