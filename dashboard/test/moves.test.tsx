import { expect, test } from "vitest";
import { inTimeUnit, movesPicture } from "../src/charts/moves";
import { brief } from "../src/format";
import { onPage, onPaper } from "./drawn";

const LINES = [
  { name: "case", look: 0, points: [3, 5, 7].map((move, i) => ({ move, value: 1000 * (i + 1), low: 900 * (i + 1), high: 1100 * (i + 1) })) },
  { name: "baseline", look: 1, points: [4, 6].map((move) => ({ move, value: 500 })) },
];

test("lines, bands, the opening and the cursor are the committed ones", async () => {
  const picture = movesPicture({ title: "Simulations", lines: LINES, last: 7, opening: 2, cursor: 5, onMove: () => undefined });
  await expect(onPage(picture, { width: 420, reading: picture.chosen })).toMatchFileSnapshot("data/moves.svg");
});

test("a picture for a file has a title, a legend and colours for paper", async () => {
  const svg = onPaper(movesPicture({ title: "Simulations <of> a move", lines: LINES, last: 7, opening: 2 }), undefined, 640);
  expect(svg).toContain("Simulations &lt;of> a move");
  await expect(svg).toMatchFileSnapshot("data/moves-figure.svg");
});

test("the axis begins at 0 and reaches over the largest value and its interval", () => {
  const svg = onPage(movesPicture({ title: "", lines: LINES, last: 7 }));
  expect([...svg.matchAll(/text-anchor="end">([^<]*)</g)].map(([, text]) => text)).toEqual(["0", "1k", "2k", "3k"]);
  const [, band] = /<path d="([^"]*)"[^>]*data-band/.exec(svg)!;
  // The interval reaches to 3300: an axis that ended there would cut nothing off, but run along the edge.
  expect(Math.min(...[...band!.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y)))).toBeGreaterThan(13);
});

test("a place in the picture names the nearest move", () => {
  let chosen = 0;
  const { readings, choose } = movesPicture({ title: "", lines: LINES, last: 40, onMove: (move) => void (chosen = move) });
  const all = readings!(420);
  expect(all.map(({ key }) => key)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  expect(all.every(({ x }, i) => i === 0 || x > all[i - 1]!.x)).toBe(true);
  choose!(7);
  expect(chosen).toBe(8);
});

test("games of one move and pictures without values have places, too", () => {
  for (const last of [0, 1]) expect(onPage(movesPicture({ title: "", lines: [], last }), { width: 0 })).not.toMatch(/NaN|Infinity/);
});

test("times that are all short are in milliseconds", () => {
  const seconds = (value: number) => [{ name: "case", look: 0, points: [{ move: 1, value, low: value / 2 }] }];
  expect(inTimeUnit(seconds(0.25))).toEqual({ unit: "ms", lines: [{ name: "case", look: 0, points: [{ move: 1, value: 250, low: 125 }] }] });
  expect(inTimeUnit(seconds(2)).unit).toBe("s");
});

test("numbers at an axis are brief", () => {
  expect([0, 0.04, 1.25, 12, 3400, 120_000, 1_200_000].map(brief)).toEqual(["0", "0.04", "1.3", "12", "3.4k", "120k", "1.2M"]);
});
