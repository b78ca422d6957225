import { expect, test } from "vitest";
import type { ComparedSeries } from "../src/api";
import { differencesPicture } from "../src/charts/differences";
import { onPage } from "./drawn";

const cell = "00000000-0000-8000-8000-000000000004";
const gap = (value: number, reach: number) => ({ value, low: value - reach, high: value + reach });
const point = { size: 4, left_cell: cell, right_cell: cell, left: gap(0.6, 0.05), right: gap(0.5, 0.05), left_pairs: 200, right_pairs: 200, difference: gap(0.1, 0.07) };
const series: ComparedSeries = {
  left: "rave_k=50",
  right: "<b>",
  against: "uct",
  budget: "1000 sims",
  points: [
    { ...point, verdict: "differs" },
    { ...point, size: 5, difference: gap(-0.02, 0.22), verdict: "too_few_games" },
    { ...point, size: 6, difference: null, verdict: "not_played" },
  ],
  mean: gap(0.08, 0.06),
  p_value: 0.01,
};

const drawn = (own: ComparedSeries) => onPage(differencesPicture("Differences", [own], () => ({ columns: [], rows: [] })), { width: 640 });

test("differences stand around the line of none, each with its interval: the committed picture", async () => {
  const text = drawn(series);
  expect(text).not.toContain("<b>");
  expect(text).toContain("board size 6: not played");
  await expect(text).toMatchFileSnapshot("data/differences.svg");
});

test("a row without a difference says why it has none", () => {
  const none = { ...point, difference: null };
  const rows = { ...series, points: [{ ...none, verdict: "same_cell" as const }, { ...none, size: 5, verdict: "not_played" as const }] };
  const words = [...drawn(rows).matchAll(/aria-label="[^"]*board size \d: ([^"]*)/g)].map(([, own]) => own);
  expect(words).toEqual(["the same games", "not played"]);
});
