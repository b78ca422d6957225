import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { placesIn } from "../src/charts/axis";
import { shorten } from "../src/charts/names";
import { PAPER } from "../src/charts/palette";
import { arrange } from "../src/charts/panels";
import { paleSentence, select } from "../src/charts/selection";
import { ELO, fittedDomain, RATE } from "../src/charts/unit";
import { WinRate } from "../src/charts/winrate";
import { bySize, layoutColumns, nearestPoint, neighbour, type Columns, type Frame } from "../src/charts/winrate-layout";
import { DEFAULT_VIEW } from "../src/url";
import { point, report, series, SWEEP } from "./report";

const lines = arrange(SWEEP).panels[0]!.lines;
const POINTS = lines.flatMap((line) => line.series.points);
const shows = (of: typeof lines, sizes: number[]): Columns => ({ axis: "Board size", columns: sizes.map(String), rows: bySize(of, sizes) });
const layout = (more: Partial<Columns & Frame> = {}) =>
  layoutColumns({ ...shows(lines, SWEEP.sizes), ...more }, { unit: RATE, width: 800, height: 400, domain: [0, 1], hasEndLabels: true, ...more });
const SMALL: Frame = { unit: RATE, width: 360, height: 300, domain: [0, 1], hasEndLabels: false };
const placed = (label: string, size: number, more?: Partial<Columns & Frame>) =>
  layout(more)
    .lines.find(({ case: { name } }) => name === label)!
    .points.find((other) => other.point.size === size)!;

test("heights are proportional to rates, with 50 % on its line", () => {
  const { box, half } = layout();
  const { top, bottom } = box;
  expect(half.at).toBeCloseTo(0.5, 9);
  expect(placed("rave_k=1000", 4).y).toBeCloseTo(placesIn(box).yOf(half.at), 9);
  expect(placed("rave_k=500", 8).y).toBeCloseTo(top, 9);
  expect(placed("rave_k=50", 4).y).toBeCloseTo(bottom - 0.4 * (bottom - top), 9);
  expect(placed("rave_k=50", 4).yLow - placed("rave_k=50", 4).yHigh).toBeCloseTo(0.14 * (bottom - top), 9);
});

test("series stand beside each other within a size and keep their order", () => {
  const xs = ["rave_k=50", "rave_k=500", "rave_k=1000"].map((label) => placed(label, 6).x);
  expect(xs[1]! - xs[0]!).toBeGreaterThanOrEqual(9);
  expect(xs[2]! - xs[1]!).toBeCloseTo(xs[1]! - xs[0]!, 9);
  expect(xs[1]).toBeCloseTo(placesIn(layout().box).xOf(layout().columns[1]!.at), 9);
});

test("a cell without a finished pair has no point", () => {
  expect(placed("rave_k=1000", 8)).toBeUndefined();
  expect(layout().lines[2]!.points).toHaveLength(2);
});

test("sizes stand evenly whatever is missing between them", () => {
  const [a, b, c] = layout().columns.map(({ at }) => at);
  expect(b! - a!).toBeCloseTo(c! - b!, 9);
});

test("no series reaches into its neighbour's size, however many there are", () => {
  const many = Array.from({ length: 30 }, (_, i) => series(`k=${i}`, [point(4, 100, 200, 5), point(5, 100, 200, 5)]));
  const crowded = layoutColumns(shows(arrange(report(many, [4, 5])).panels[0]!.lines, [4, 5]), SMALL);
  const xs = (size: number) => crowded.lines.flatMap(({ points }) => points.filter((p) => p.point.size === size).map(({ x }) => x));
  expect(Math.max(...xs(4))).toBeLessThan(Math.min(...xs(5)));
});

test("50 % is always on the axis, and marks never crowd it", () => {
  for (const height of [200, 300, 350, 420]) {
    const drawn = renderToString(h(WinRate, { layout: layout({ height }), theme: PAPER }));
    const marks = [...drawn.matchAll(/y="([\d.]+)" dy="0.34em" text-anchor="end"[^>]*>(\d+)</g)].map(([, y, text]) => [Number(text), Number(y)] as const);
    const [, half] = marks.find(([value]) => value === 50)!;
    for (const [value, y] of marks) expect(value === 50 || Math.abs(y - half) >= 14).toBe(true);
    expect(marks.map(([value]) => value)).toEqual(expect.arrayContaining([0, 50, 100]));
  }
});

test("the light bar surrounds the dark one, and is missing where a report has none", () => {
  const [first] = layout({}).lines;
  for (const { y, yLow, yHigh, ySequence } of first!.points) {
    expect(ySequence!.low).toBeGreaterThan(yLow);
    expect(yLow).toBeGreaterThan(y);
    expect(ySequence!.high).toBeLessThanOrEqual(yHigh);
  }
  const { cs_low: _, cs_high: __, ...bar } = point(4, 100, 200, 5);
  const bare = report([series("k", [bar])], [4]);
  const without = layoutColumns(shows(arrange(bare).panels[0]!.lines, [4]), SMALL);
  expect(without.lines[0]!.points[0]!.ySequence).toBeUndefined();
});

test("a fitted axis holds every interval and 50 %", () => {
  expect(fittedDomain(POINTS, RATE)).toEqual([0.2, 1]);
  expect(fittedDomain([], RATE)).toEqual([0.4, 0.6]);
});

test("Elo differences are the coordinator's, and what is infinite runs to the edge", () => {
  const numbers = { elo: 35, elo_low: -12, elo_high: 80, cs_elo_low: -40, cs_elo_high: 121 };
  const all = { elo_low: 300, cs_elo_low: 250 };
  const two = report([series("k", [{ ...point(4, 110, 200, 5), ...numbers }, { ...point(6, 200, 200, 5), ...all }])], [4, 6]);
  const [line] = arrange(two).panels[0]!.lines;
  const domain = fittedDomain(line!.series.points, ELO);
  expect(domain).toEqual([-60, 320]);
  const { lines: [drawn], half, box: { top, bottom } } = layoutColumns(shows([line!], [4, 6]), { ...SMALL, unit: ELO, domain });
  expect(half.text).toBe("0");
  expect(half.at).toBeCloseTo(60 / 380, 9);
  const [first, last] = drawn!.points;
  expect(first!.y).toBeCloseTo(bottom - (95 / 380) * (bottom - top), 9);
  expect([last!.y, last!.yHigh]).toEqual([top, top]);
  expect(ELO.words(last!.point)).toEqual(["+∞ Elo", "+300 to +∞"]);
  expect(ELO.words(first!.point)).toEqual(["+35 Elo", "−12 to +80"]);
});

test("the point nearest to the pointer answers, out of reach none does", () => {
  const target = placed("rave_k=500", 4);
  expect(nearestPoint(layout(), target.x + 3, target.y - 3, 28)?.case.name).toBe("rave_k=500");
  expect(nearestPoint(layout(), target.x, target.y - 60, 28)).toBeUndefined();
});

test("arrow keys walk along a series and up and down within a size", () => {
  const whole = layout();
  const from = placed("rave_k=1000", 4);
  expect(neighbour(whole, from, "ArrowRight")?.point.size).toBe(6);
  expect(neighbour(whole, from, "ArrowLeft")).toBeUndefined();
  expect(neighbour(whole, from, "ArrowUp")?.case.name).toBe("rave_k=500");
  expect(neighbour(whole, from, "ArrowDown")?.case.name).toBe("rave_k=50");
  expect(neighbour(whole, from, "End")?.point.size).toBe(6);
  expect(neighbour(whole, from, "x")).toBeUndefined();
});

test("references stand at their series' place", () => {
  const { references } = layout({ references: [{ label: "rave_k=500", size: 6, rate: 0.8 }] });
  const own = placed("rave_k=500", 6);
  expect(references).toHaveLength(1);
  expect(references[0]!.x).toBeCloseTo(own.x, 9);
  expect(references[0]!.y).toBeCloseTo(own.y, 9);
});

test("long names keep both ends", () => {
  expect(shorten("rave_k=500", 22)).toBe("rave_k=500");
  expect(shorten("local_reply=1, ringsize=6, rave_k=500", 21)).toBe("local_repl…rave_k=500");
});

test("names that differ stay different when they are short", () => {
  const names = ["exploration=0.2 rave_k=100", "exploration=0.2 rave_k=1000", "exploration=0.4 rave_k=100", "exploration=0.4 rave_k=1000"];
  const grid = report(names.map((name) => series(name, [point(4, 100, 200, 5)])), [4]);
  const { labels } = layoutColumns(shows(arrange(grid).panels[0]!.lines, [4]), { ...SMALL, width: 600, hasEndLabels: true });
  expect(new Set(labels.map(({ text }) => text)).size).toBe(4);
  for (const { text } of labels) expect(text.length).toBeLessThanOrEqual(22);
  // All of them end at the same rate, and none covers another.
  const ys = labels.map(({ y }) => y).sort((a, b) => a - b);
  ys.slice(1).forEach((y, i) => expect(y - ys[i]!).toBeGreaterThanOrEqual(16 - 1e-9));
});

test("points of fewer than ten pairs stand apart from the line", () => {
  const few = report([series("rave_k=50", [point(4, 80, 200, 7), point(6, 9, 18, 20), point(8, 10, 20, 20)])]);
  const shown: Columns = { axis: "Board size", columns: ["4", "6", "8"], rows: bySize(arrange(few).panels[0]!.lines, few.sizes) };
  const [line] = layoutColumns(shown, { width: 900, height: 400, unit: RATE, domain: [0, 1], hasEndLabels: false }).lines;
  expect(line!.points).toHaveLength(3);
  expect(line!.path.match(/[ML]/g)).toEqual(["M", "L"]);
  const says = (of: typeof few, chart: "size" | "cases") => paleSentence(select(of, DEFAULT_VIEW), chart);
  expect(says(few, "size")).toMatch(/Pale points/);
  expect([says(few, "cases"), says(SWEEP, "size")]).toEqual(["", ""]);
});
