import { expect, test } from "vitest";
import { select } from "../src/charts/selection";
import { partWords } from "../src/parts/moved-most";
import { DEFAULT_VIEW } from "../src/url";
import { point, report, series } from "./report";

const words = (budgets: number, cells: number) => {
  const own = report(Array.from({ length: budgets }, (_, i) => series("k=1", [point(4, 80, 200, 7), point(6, 80, 200, 7)], { budget: { sims: 100 * (i + 1) } })));
  return partWords(select(own, DEFAULT_VIEW), { ...own.summary, cells });
};

test("pictures of a part of an experiment say how large a part", () => {
  expect(words(1, 2)).toBe("");
  expect(words(2, 300)).toBe(" The best lines alone are drawn, 6 in each of at most 4 pictures: 4 of 300 cells.");
  expect(words(5, 10)).toContain("8 of 10 cells");
});
