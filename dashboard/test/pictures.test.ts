import { expect, test } from "vitest";
import { figureSvg } from "../src/charts/figure-svg";
import { fitsOf } from "../src/charts/fits";
import type { CasePicture } from "../src/charts/kind";
import { forestsOf } from "../src/charts/kinds/cases";
import { arrange } from "../src/charts/panels";
import { bestChart, chartsOf, chosenChart, picturesOf } from "../src/charts/pictures";
import { responsesOf } from "../src/charts/responses";
import { select } from "../src/charts/selection";
import { Analysed } from "../src/charts/standing";
import { placeBetween, sweepsOf } from "../src/charts/sweeps";
import { DEFAULT_VIEW } from "../src/url";
import { analysis, curve, point, report, series, SWEEP } from "./report";

/** Two cases of different groups, against two baselines, with two budgets. */
const WIDE = report(
  ["uct", "rave"].flatMap((baseline_label) =>
    [10_000, 1000].flatMap((sims) =>
      ["a", "b"].map((label, i) =>
        series(label, [point(4, 90 + 20 * i + sims / 1000, 200, 5), point(5, 120, 200, 5)], { group: `group ${label}`, baseline_label, budget: { sims } }),
      ),
    ),
  ),
  [4, 5],
);

const THREE = report(
  [0, 1].flatMap((fpu) =>
    [10, 100, 1000].flatMap((rave_k) =>
      ["on", "off"].map((ties, i) =>
        series(`${fpu} ${rave_k} ${ties}`, [point(4, 40 + 50 * fpu + rave_k / 20 + 20 * i, 200, 5)], { swept: { fpu, rave_k, ties }, logarithmic: ["rave_k"] }),
      ),
    ),
  ),
  [4],
);

const ONE = report(
  [1000, 10, 100].map((rave_k, i) => series(`rave_k=${rave_k}`, [point(4, 100 + 10 * i, 200, 5), point(6, 120, 200, 5)], { swept: { rave_k }, logarithmic: ["rave_k"] })),
  [4, 6],
);

const titles = (chart: "size" | "budget" | "baseline", groups: "together" | "apart" = "together") =>
  picturesOf(select(WIDE, { ...DEFAULT_VIEW, groups }), [4, 5], { chart }).map(({ title }) => title);

test("an experiment with several baselines, budgets and parameters is shown by each of them", () => {
  expect(chartsOf(arrange(WIDE).panels)).toEqual(["size", "cases", "budget", "baseline"]);
  expect(chartsOf(arrange(THREE).panels)).toEqual(["size", "cases", "response", "heat", "parallel"]);
});

test("every picture says what tells it from the others", () => {
  expect(titles("budget")).toEqual(["against uct, size 4", "against uct, size 5", "against rave, size 4", "against rave, size 5"]);
  expect(titles("baseline")).toHaveLength(4);
  expect(titles("size", "apart").slice(0, 2)).toEqual([
    "against uct, 10\u202f000 simulations a move, group a",
    "against uct, 10\u202f000 simulations a move, group b",
  ]);
});

test("budgets stand in ascending order, with the points of each case", () => {
  const [first] = picturesOf(select(WIDE, DEFAULT_VIEW), [4, 5], { chart: "budget" });
  const layout = first!.lines!.layout({ width: 900, isPaper: false });
  expect(layout.columns.map(({ text }) => text)).toEqual(["1\u202f000 simulations a move", "10\u202f000 simulations a move"]);
  expect(layout.lines.map(({ points }) => points.map(({ point: { wins } }) => wins))).toEqual([
    [91, 100],
    [111, 120],
  ]);
});

test("an experiment whose engine changed is shown by engine version", async () => {
  const versions = { ...SWEEP, earlier: [4, 5].map((semantics) => ({ ...SWEEP.series[0]!, semantics, points: [point(4, 60 + semantics, 200, 7)] })) };
  expect(chartsOf(arrange(versions).panels, versions.earlier)).toContain("version");
  const [first] = picturesOf(select(versions, DEFAULT_VIEW), [4, 6], { chart: "version" }, { earlier: versions.earlier });
  const layout = first!.lines!.layout({ width: 900, isPaper: false });
  expect(layout.columns.map(({ text }) => text)).toEqual(["semantics 4", "semantics 5", "semantics 6"]);
  expect(layout.lines.map(({ points }) => points.map(({ point: { wins } }) => wins))).toEqual([[64, 65, 80], [150], [100]]);
  await expect(figureSvg(versions, { view: { chart: "version" } })).toMatchFileSnapshot("data/versions.svg");
});

test("cases stand below each other, the best first, with their shrunken rates", () => {
  const [panel] = select(SWEEP, DEFAULT_VIEW).visible;
  const [forest] = forestsOf(panel!, [4], new Analysed(SWEEP, analysis(SWEEP)));
  expect(forest!.rows.map(({ case: { name } }) => name)).toEqual(["rave_k=500", "rave_k=1000", "rave_k=50"]);
  expect(forest!.rows[0]!.shrunken).toBeCloseTo(0.725, 9);
});

test("an optimum is said in words, with what is known of it", () => {
  const [response] = responsesOf(sweepsOf(arrange(ONE).panels[0]!.lines)[0]!, [4, 6]);
  const words = (of: ReturnType<typeof curve>[]) => fitsOf(response!, of).map((fit) => fit.words);
  expect(words([curve(null), curve(4)])).toEqual(["Size 4: best rave_k ≈ 100 with 60.0\u00a0% by the curve; if there is one peak, it is from 40 to 260."]);
  const flat = curve(6);
  flat.curve.optimum.kind = "flat";
  flat.curve.misfit = { statistic: 20, degrees: 3, p_value: 0.001 };
  expect(words([flat])).toEqual(["Size 6: the games show no effect of rave_k; the curve does not fit well."]);
});

test("a curve of several groups is told once, and drawn in the picture of none", () => {
  const pictures = (groups: string[]) => {
    const swept = (group: string) => [10, 100, 1000].map((rave_k) => series(`${group} ${rave_k}`, [point(4, 100, 200, 7)], { group, swept: { rave_k } }));
    const sweep = report(groups.flatMap(swept), [4]);
    return picturesOf(select(sweep, DEFAULT_VIEW), [4], { chart: "response" }, { analysed: new Analysed(sweep, analysis(sweep, { curves: [curve(4)] })) });
  };
  const drawn = ({ lines }: CasePicture) => lines!.layout({ width: 900, isPaper: false }).fits.length;
  const [first, second] = pictures(["rave", "rave-2011"]);
  expect(first!.notes).toEqual(["Over all groups, size 4: best rave_k ≈ 100 with 60.0\u00a0% by the curve; if there is one peak, it is from 40 to 260."]);
  expect([second!.notes, drawn(first!), drawn(second!)]).toEqual([[], 0, 0]);
  const [alone] = pictures(["rave"]);
  expect([alone!.notes!.length, drawn(alone!)]).toEqual([1, 1]);
});

test("a number between two values has a place between theirs", () => {
  expect(placeBetween({ name: "k", values: [0, 10, 1000], scale: "even" }, 505)).toBeCloseTo(0.75, 9);
  expect(placeBetween({ name: "k", values: [0, 10, 1000], scale: "even" }, 2000)).toBe(1);
  expect(placeBetween({ name: "k", values: [10, 1000], scale: "log" }, 100)).toBeCloseTo(0.5, 9);
});

test("the pictures are the committed ones", async () => {
  const fitted = analysis(ONE, { curves: [curve(null), curve(4)] });
  await expect(figureSvg(ONE, { analysis: fitted, view: { chart: "response" } })).toMatchFileSnapshot("data/fitted.svg");
  await expect(figureSvg(SWEEP, { analysis: analysis(SWEEP), view: { chart: "cases" } })).toMatchFileSnapshot("data/cases.svg");
  await expect(figureSvg(THREE, { view: { chart: "parallel" } })).toMatchFileSnapshot("data/parallel.svg");
  await expect(figureSvg(WIDE, { view: { chart: "budget" } })).toMatchFileSnapshot("data/budgets.svg");
});

test("an experiment opens on the picture that suits its cases", () => {
  const opens = (...all: ReturnType<typeof series>[]) => bestChart(arrange(report(all, [4])).panels);
  const swept = (label: string, values: Record<string, number | boolean>, group = "rave") => series(label, [point(4, 80, 200, 7)], { swept: values, group });
  expect(bestChart(arrange(ONE).panels), "one number").toBe("response");
  expect(opens(swept("a", { k: 1, fpu: 0 }), swept("b", { k: 2, fpu: 0 }), swept("c", { k: 1, fpu: 1 })), "two numbers").toBe("heat");
  expect(opens(swept("a", { k: 1, ties: true }), swept("b", { k: 2, ties: false })), "a number and a flag").toBe("response");
  expect(opens(swept("a", { a: 1, b: 1, c: 1 }), swept("b", { a: 2, b: 2, c: 2 })), "three numbers").toBe("cases");
  expect(opens(swept("a", { ties: true }), swept("b", { ties: false })), "no number").toBe("size");
  expect(bestChart(arrange(SWEEP).panels), "cases").toBe("size");
  expect(opens(swept("a", { k: 1 }), swept("b", { k: 2 }), series("alone", [point(4, 80, 200, 7)], { group: "other" })), "a sweep and a case").toBe("size");
  expect(chosenChart(arrange(ONE).panels, "size"), "what the address asks for").toBe("size");
  expect(chosenChart(arrange(ONE).panels, "heat"), "what there is not").toBe("size");
});

test("cases stand in the order of their own size, and the best of a size are the best there", () => {
  // The higher the number, the better on size 4, and the worse on size 6.
  const many = report(Array.from({ length: 12 }, (_, i) => series(`k=${i}`, [point(4, 60 + 10 * i, 200, 5), point(6, 180 - 10 * i, 200, 5)])), [4, 6]);
  const analysed = new Analysed(many, analysis(many, { cells: many.series.flatMap((own) => own.points.map(({ size, rate }) => ({ ...analysis(many).sweep.fields[0]!.cells[0]!, case: own.name, size, shrunken: rate!, rate: rate! }))).sort((a, b) => a.size - b.size || b.rate - a.rate) }));
  const { visible } = select(many, DEFAULT_VIEW, analysed.standing(arrange(many).panels));
  const [four, six] = forestsOf(visible[0]!, [4, 6], analysed, visible[0]!.best);
  const names = (of: typeof four) => of!.rows.map((row) => row.case.name);
  expect(names(four)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((i) => `k=${i}`));
  expect(names(six)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((i) => `k=${i}`));
  expect(four!.left_out).toBe(4);
});
