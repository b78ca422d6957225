import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { LengthResults } from "../src/api";
import { Lengths, LENGTHS_HEIGHT } from "../src/charts/lengths";
import { Paper } from "../src/charts/paper";
import { PAPER } from "../src/charts/palette";
import { Running } from "../src/charts/running";
import { layoutRunning, settledDomain } from "../src/charts/running-layout";
import type { RunningInput } from "../src/charts/running-layout";
import { shortPercent } from "../src/format";

const MARKS = [1, 11, 21, 31, 36].map((pairs, i) => {
  const value = 0.5 + 0.02 * i;
  const reach = 0.4 / (i + 1);
  return { pairs, value, bands: [[value - reach, value + reach], [value - reach / 2, value + reach / 2]] as const };
});

const INPUT: RunningInput = {
  width: 560,
  height: 300,
  marks: MARKS,
  last: 36,
  domain: settledDomain(MARKS, [0.45, 0.55]),
  write: shortPercent,
  levels: [{ value: 0.5, text: "50" }],
};

async function isCommitted(drawing: Parameters<typeof renderToString>[0], file: string) {
  await expect(`${renderToString(drawing).replaceAll("><", ">\n<")}\n`).toMatchFileSnapshot(`data/${file}`);
}

test("the estimate with both bands, the 50 % line and a decision: the committed picture", async () => {
  const layout = layoutRunning({ ...INPUT, width: 960, decided: { pairs: 21, text: "decided after 21" }, changes: [5, 6, 28] });
  await isCommitted(
    <Paper title="rave_k=500 against <uct>" height={300}>
      <Running layout={layout} theme={PAPER} axis="Win rate in %" cursor={31} />
    </Paper>,
    "running.svg",
  );
});

test("lengths are bars of lost, drawn and won games: the committed picture", async () => {
  const lengths: LengthResults[] = [
    { plies: 11, wins: 1, draws: 0, losses: 2 },
    { plies: 12, wins: 5, draws: 1, losses: 0 },
    { plies: 15, wins: 0, draws: 0, losses: 4 },
  ];
  await isCommitted(
    <svg xmlns="http://www.w3.org/2000/svg" width="420" height={LENGTHS_HEIGHT}>
      <Lengths lengths={lengths} width={420} theme={PAPER} />
    </svg>,
    "lengths.svg",
  );
});

test("the axis fits the settled estimates: what reaches farther at first runs along the edge", () => {
  const [low, high] = INPUT.domain;
  // The bands of the first quarter of the marks do not count.
  expect([low < MARKS[1]!.bands[0]![0], high > MARKS[1]!.bands[0]![1], low > MARKS[0]!.bands[0]![0]]).toEqual([true, true, true]);
  const { bands, top, bottom, end, levels } = layoutRunning(INPUT);
  const ys = bands[0]!.match(/ [\d.]+/g)!.map(Number);
  expect(ys.every((y) => y >= top && y <= bottom)).toBe(true);
  expect(end!.x).toBeCloseTo(layoutRunning(INPUT).xOf(36));
  expect(levels.map(({ text }) => text)).toEqual(["50"]);
});

test("the decision stands at its pairs, on the curve", () => {
  const { decided, xOf, path } = layoutRunning({ ...INPUT, decided: { pairs: 31, text: "decided" } });
  expect(decided!.x).toBe(xOf(31));
  expect(path).toContain(`${decided!.x.toFixed(1)} ${decided!.y.toFixed(1)}`);
});

test("changes have lines with their numbers, and those close to each other share one", () => {
  const { changes, xOf } = layoutRunning({ ...INPUT, width: 960, changes: [5, 5, 6, 28] });
  expect(changes).toEqual([
    { x: xOf(5), text: "1–3", label: { x: xOf(5) + 3, anchor: "start" } },
    { x: xOf(28), text: "4", label: { x: xOf(28) + 3, anchor: "start" } },
  ]);
});

test("numbers of changes stay inside the picture and off each other", () => {
  const { changes, right } = layoutRunning({ ...INPUT, changes: [0, 34, 34, 34, 36, 36, 36] });
  expect(changes.map(({ text }) => text)).toEqual(["1", "2–4", "5–7"]);
  expect(changes[2]!.label).toEqual({ x: right - 3, anchor: "end" });
  expect(changes[1]!.label).toBeUndefined();
  expect(changes[0]!.label).toEqual({ x: changes[0]!.x + 3, anchor: "start" });
});

test("a place in the picture names the nearest mark, and a picture without marks has places, too", () => {
  const { markAt, xOf } = layoutRunning(INPUT);
  for (const mark of MARKS) expect(markAt(xOf(mark.pairs) + 3)).toBe(mark);
  expect([markAt(-50), markAt(5000)]).toEqual([MARKS[0], MARKS.at(-1)]);
  const empty = layoutRunning({ ...INPUT, marks: [], last: 0, domain: settledDomain([], [0, 1]) });
  expect([empty.path, empty.end, empty.markAt(100)]).toEqual(["", undefined, undefined]);
  expect(empty.ticks.every(({ y }) => Number.isFinite(y))).toBe(true);
});

test("a single pair has a mark and no band", () => {
  const one = layoutRunning({ ...INPUT, marks: MARKS.slice(0, 1), last: 1 });
  expect(one.bands).toEqual(["", ""]);
  expect(one.end).toBeDefined();
});

test("a value that holds until the next mark is drawn as stairs", () => {
  const marks = [[0, 0], [10, 5], [20, 5], [30, 9]].map(([pairs, value]) => ({ pairs: pairs!, value: value!, bands: [] }));
  const input = { ...INPUT, marks, last: 30, domain: [0, 10] as const, levels: [] };
  const places = (path: string) => [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const stairs = places(layoutRunning({ ...input, isStepped: true }).path);
  expect(stairs).toHaveLength(7);
  // Each piece is level or upright.
  for (const [i, [x, y]] of stairs.slice(1).entries()) expect(x === stairs[i]![0] || y === stairs[i]![1]).toBe(true);
  expect(places(layoutRunning(input).path)).toEqual([stairs[0], stairs[2], stairs[4], stairs[6]]);
});
