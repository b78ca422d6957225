import { expect, test } from "vitest";
import type { LengthResults } from "../src/api";
import { lengthsPicture } from "../src/charts/lengths";
import { labelChanges } from "../src/charts/plot";
import { runningPicture, settledDomain, type Running } from "../src/charts/running";
import { shortPercent } from "../src/format";
import { onPage, onPaper } from "./drawn";

const MARKS = [1, 11, 21, 31, 36].map((pairs, i) => {
  const value = 0.5 + 0.02 * i;
  const reach = 0.4 / (i + 1);
  return { pairs, value, bands: [[value - reach, value + reach], [value - reach / 2, value + reach / 2]] as const };
});

const INPUT: Running = {
  title: "Win rate",
  axis: "Win rate in %",
  marks: MARKS,
  last: 36,
  domain: settledDomain(MARKS, [0.45, 0.55]),
  write: shortPercent,
  levels: [0.5],
  say: ({ pairs }) => `after ${pairs}`,
  table: () => ({ columns: [], rows: [] }),
};

/** The places of a line. */
const placesOf = (svg: string) => [.../<path d="([^"]*)" data-line/.exec(svg)![1]!.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

test("the estimate with both bands, the 50 % line and a decision: the committed picture", async () => {
  const picture = runningPicture({ ...INPUT, decided: { pairs: 21, text: "decided after 21" }, changes: [5, 6, 28] });
  await expect(onPaper(picture, "rave_k=500 against <uct>", 960)).toMatchFileSnapshot("data/running.svg");
});

test("lengths are bars of lost, drawn and won games: the committed picture", async () => {
  const lengths: LengthResults[] = [
    { plies: 11, wins: 1, draws: 0, losses: 2 },
    { plies: 12, wins: 5, draws: 1, losses: 0 },
    { plies: 15, wins: 0, draws: 0, losses: 4 },
  ];
  await expect(onPage(lengthsPicture(lengths), { width: 420 })).toMatchFileSnapshot("data/lengths.svg");
});

test("the axis fits the settled estimates: what reaches farther at first runs along the edge", () => {
  const [low, high] = INPUT.domain;
  // The bands of the first quarter of the marks do not count.
  expect([low < MARKS[1]!.bands[0]![0], high > MARKS[1]!.bands[0]![1], low > MARKS[0]!.bands[0]![0]]).toEqual([true, true, true]);
  const [, band] = /<path d="([^"]*)"[^>]*data-band="0"/.exec(onPage(runningPicture(INPUT)))!;
  const ys = [...band!.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y));
  expect([Math.min(...ys) >= 12, Math.max(...ys) <= 300 - 46]).toEqual([true, true]);
});

test("the decision stands at its pairs, on the curve", () => {
  const svg = onPage(runningPicture({ ...INPUT, decided: { pairs: 31, text: "decided" } }));
  const [, x, y] = /data-decided[\s\S]*?<circle cx="([\d.]+)" cy="([\d.]+)"/.exec(svg)!.map(Number);
  expect(placesOf(svg)[3]).toEqual([x, y]);
});

test("changes have lines with their numbers, and those close to each other share one", () => {
  expect(labelChanges([100, 100, 120, 500], 800)).toEqual([
    { x: 100, text: "1–3", label: { x: 103, anchor: "start" } },
    { x: 500, text: "4", label: { x: 503, anchor: "start" } },
  ]);
});

test("numbers of changes stay inside the picture and off each other", () => {
  const changes = labelChanges([56, 510, 510, 510, 544, 544, 544], 544);
  expect(changes.map(({ text }) => text)).toEqual(["1", "2–4", "5–7"]);
  expect(changes.map(({ label }) => label)).toEqual([{ x: 59, anchor: "start" }, undefined, { x: 541, anchor: "end" }]);
});

test("each mark has a reading in its place, and a picture without marks has places, too", () => {
  const readings = runningPicture(INPUT).readings!(560);
  expect(readings.map(({ key, words }) => [key, words])).toEqual(MARKS.map(({ pairs }) => [pairs, `after ${pairs}`]));
  expect(readings.map(({ x }) => x)).toEqual(placesOf(onPage(runningPicture(INPUT))).map(([x]) => expect.closeTo(x, 0)));
  const empty = runningPicture({ ...INPUT, marks: [], last: 0, domain: settledDomain([], [0, 1]) });
  expect(onPage(empty)).not.toMatch(/NaN|Infinity/);
});

test("a single pair has a mark and no band", () => {
  const svg = onPage(runningPicture({ ...INPUT, marks: MARKS.slice(0, 1), last: 1 }));
  expect([svg.includes("data-band"), svg.match(/<circle/g)?.length]).toEqual([false, 1]);
});

test("a value that holds until the next mark is drawn as stairs", () => {
  const marks = [[0, 0], [10, 5], [20, 5], [30, 9]].map(([pairs, value]) => ({ pairs: pairs!, value: value!, bands: [] }));
  const input = { ...INPUT, marks, last: 30, domain: [0, 10] as const, levels: [] };
  const stairs = placesOf(onPage(runningPicture({ ...input, isStepped: true })));
  expect(stairs).toHaveLength(7);
  // Each piece is level or upright.
  for (const [i, [x, y]] of stairs.slice(1).entries()) expect(x === stairs[i]![0] || y === stairs[i]![1]).toBe(true);
  expect(placesOf(onPage(runningPicture(input)))).toEqual([stairs[0], stairs[2], stairs[4], stairs[6]]);
});
