import { expect, test } from "vitest";
import { choosing, drawn, found, picked, pickOf, TOP } from "../src/charts/choice";
import { arrange } from "../src/charts/panels";
import { select, splitSparse } from "../src/charts/selection";
import { Analysed } from "../src/charts/standing";
import { DEFAULT_VIEW, writeView, type View } from "../src/url";
import { analysis, point, report, series } from "./report";

/** A hundred cases in two groups; the higher the number, the better. Cases 1 to 3 are worse than the baseline. */
const MANY = report(
  Array.from({ length: 100 }, (_, i) => {
    const own = point(4, 50 + i, 200, 5);
    return series(`k=${i}`, [i >= 1 && i <= 3 ? { ...own, verdict: "worse" } : own], { group: i % 2 === 0 ? "even" : "odd" });
  }),
  [4],
);
const { cases, panels } = arrange(MANY);
const standing = new Analysed(MANY, analysis(MANY)).standing(panels);
const names = (view: Partial<View>) => [...drawn(cases, panels, standing, { ...DEFAULT_VIEW, ...view }).values()].map(({ name }) => name);

test("a large sweep is drawn by its best cases, each with a look of its own, and the others are grey lines", () => {
  expect(pickOf(DEFAULT_VIEW, cases.length)).toBe("top");
  const { visible } = select(MANY, DEFAULT_VIEW, standing);
  expect(visible[0]!.lines.map(({ case: { name } }) => name)).toEqual(["k=92", "k=93", "k=94", "k=95", "k=96", "k=97", "k=98", "k=99"]);
  expect(new Set(visible[0]!.lines.map(({ case: { look } }) => look.marker)).size).toBe(TOP);
  expect(visible[0]!.others).toHaveLength(92);
});

test("a small one is drawn whole", () => {
  expect(pickOf(DEFAULT_VIEW, TOP)).toBe("all");
  expect(pickOf(DEFAULT_VIEW, TOP + 1)).toBe("top");
  expect(pickOf({ pick: "top" }, 3)).toBe("top");
});

test("cases are chosen by hand, by their words and by whether they differ from 50 %", () => {
  expect(names({ only: ["even/k=4", "odd/k=7"] })).toEqual(["k=4", "k=7"]);
  expect(names({ find: "ODD k=9", pick: "all" })).toEqual(["k=9", "k=91", "k=93", "k=95", "k=97", "k=99"]);
  expect(names({ pick: "differs" })).toEqual(["k=1", "k=2", "k=3"]);
  expect(names({ pick: "all", hidden: ["even/k=0"] })).toHaveLength(99);
});

test("one of 400 switched off is one word of the address, and one switched on another", () => {
  const many = report(Array.from({ length: 400 }, (_, i) => series(`k=${i}`, [point(4, 50, 200, 5)])), [4]);
  const arranged = arrange(many);
  const order = new Analysed(many, analysis(many)).standing(arranged.panels);
  const all: View = { ...DEFAULT_VIEW, pick: "all" };
  const keys = (view: View) => [...drawn(arranged.cases, arranged.panels, order, view).keys()];
  const pick = picked(arranged.cases, arranged.panels, order, all);
  const wanted = new Set(keys(all));
  wanted.delete("rave/k=7");
  const without = choosing(all, pick, wanted);
  expect([without.hidden, without.only]).toEqual([["rave/k=7"], []]);
  expect(keys(without)).toHaveLength(399);
  const few = choosing(all, pick, new Set(["rave/k=1", "rave/k=2"]));
  expect([few.hidden, few.only]).toEqual([[], ["rave/k=1", "rave/k=2"]]);
  expect(writeView(without).length).toBeLessThan(100);
});

test("the best eight less one are seven, and more are drawn when asked for", () => {
  expect(names({ hidden: ["odd/k=99"] })).toHaveLength(7);
  expect(names({ top: 16 })).toHaveLength(16);
});

test("lists of cases stand in the order wanted", () => {
  const first = (sort: View["sort"]) => found(cases, standing, { find: "", sort })[0]!.name;
  expect([first("file"), first("rate"), first("name")]).toEqual(["k=0", "k=99", "k=0"]);
  const byName = found(cases, standing, { find: "odd", sort: "name" }).map(({ name }) => name);
  expect(byName.slice(0, 6)).toEqual(["k=1", "k=3", "k=5", "k=7", "k=9", "k=11"]);
});

test("until the coordinator has ranked the cases none is called one of the best", () => {
  expect(select(MANY, DEFAULT_VIEW, new Map()).visible[0]!.lines).toEqual([]);
});

test("an analysis of another revision names no series of this one", () => {
  const other = report(MANY.series.slice(1), [4]);
  expect(new Analysed(other, analysis(MANY)).ranking(arrange(other).panels[0]!)).toEqual([]);
});

test("what shows nothing stands apart, and in a tune what shows one case only", () => {
  const counts = [3, 1, 0, 1];
  const own = (count: number) => count;
  expect(splitSparse(counts, own, false)).toEqual([[3, 1, 1], [0]]);
  expect(splitSparse(counts, own, true)).toEqual([[3], [1, 0, 1]]);
  expect(splitSparse([1, 0], own, true)).toEqual([[1], [0]]);
  expect(splitSparse([0, 0], own, false)).toEqual([[0, 0], []]);
});
