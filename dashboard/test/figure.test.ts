import { expect, test } from "vitest";
import { figureSvg } from "../src/charts/figure-svg";
import { wrap } from "../src/charts/paper";
import { point, report, series, SWEEP } from "./report";

const CSV = [
  "figure,series,size,winrate,commented_out",
  "fig:rave,50,4,36.54,0",
  "fig:rave,500,4,85.10,0",
  "fig:rave,500,6,86.83,1",
  "fig:rave,7,4,1.00,0",
  "fig:other,50,4,50.00,0",
].join("\n");

test("the figure of a sweep is the committed one", async () => {
  const svg = figureSvg(SWEEP, { reference: { csv: CSV, figure: "fig:rave", name: "published values" } });
  await expect(svg).toMatchFileSnapshot("data/winrate.svg");
});

test("the figure needs nothing that only a browser's page can give", () => {
  expect(figureSvg(SWEEP)).not.toMatch(/var\(|light-dark|href|class="[^"]*active/);
});

test("budgets stand in one figure, one below the other", () => {
  const two = report(
    [1000, 10_000].map((sims) => series("rave_k=50", [point(4, 80, 200, 7)], { budget: { sims } })),
    [4],
  );
  const svg = figureSvg(two);
  expect(svg).toContain("1\u202f000 simulations a move");
  expect(svg).toContain("10\u202f000 simulations a move");
});

test("names from a file cannot break out of the picture", () => {
  const svg = figureSvg(report([series("<script>&", [point(4, 80, 200, 7)])], [4]));
  expect(svg).not.toContain("<script>");
  expect(svg).toContain("&lt;script");
});

test("words wrap at the width given and none is lost", () => {
  expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(wrap("unbreakable", 3)).toEqual(["unbreakable"]);
});

test("in Elo a marker that only stands at the edge is hollow, and said to be beyond the axis", () => {
  const finite = { ...point(4, 150, 200, 6), elo: 190, elo_low: 150, elo_high: 240 };
  const svg = (points: (typeof finite)[], chart: "size" | "cases") => figureSvg(report([series("one", points)], [4, 6]), { view: { chart, unit: "elo" } });
  const hollow = (text: string) => text.match(/transform="translate[^>]* fill="none"/g)?.length ?? 0;
  for (const chart of ["size", "cases"] as const) {
    const both = svg([finite, point(6, 200, 200, 0) as typeof finite], chart);
    expect([hollow(both), both.match(/\+∞ Elo, beyond the axis/g)?.length]).toEqual([1, chart === "size" ? 1 : 2]);
    expect(both.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).toContain("Hollow markers at the edge are beyond the axis.");
    const inside = svg([finite], chart);
    expect(hollow(inside)).toBe(0);
    expect(inside).not.toMatch(/beyond the/);
  }
});
