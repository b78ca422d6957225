/** Where everything of the win-rate picture stands. Pure: the same input gives the same picture. */

import type { Point } from "../api";
import { percent } from "../format";
import type { Case, Line } from "./panels";
import { spread } from "./spread";

/** A value published elsewhere, drawn beside a series as a hollow marker. */
export interface Reference {
  /** The series' label. */
  label: string;
  size: number;
  /** A fraction from 0 to 1. */
  rate: number;
}

/** The room of a picture. */
export interface Frame {
  width: number;
  height: number;
  /** The vertical axis in fractions. */
  domain: readonly [low: number, high: number];
  /** Room for names at the line ends. */
  endLabels: boolean;
}

export interface WinRateInput extends Frame {
  lines: readonly Line[];
  /** Lines without points, names and bars, for comparison. */
  others?: readonly Line[];
  sizes: readonly number[];
  references?: readonly Reference[];
}

export interface PlacedPoint {
  case: Case;
  point: Point;
  /** Tells the point from the others of its line. */
  column: number;
  /** The point in words. */
  name: string;
  x: number;
  y: number;
  /** The interval for a number of games that was fixed beforehand. */
  yLow: number;
  yHigh: number;
  /** The confidence sequence, which holds at every look. A report of an older coordinator has none. */
  ySequence: { low: number; high: number } | undefined;
}

export interface WinRateLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  ticks: { y: number; text: string }[];
  /** The line at 50 %. */
  half: { y: number; text: string };
  /** What the horizontal axis shows. */
  axis: string;
  columns: { x: number; text: string }[];
  lines: { case: Case; path: string; points: PlacedPoint[] }[];
  /** The paths of the other lines. */
  others: string[];
  labels: { case: Case; text: string; x: number; y: number; fromX: number; fromY: number }[];
  references: { case: Case; x: number; y: number }[];
}

const MARGIN = { top: 12, right: 12, bottom: 46, left: 52 };
/** Farthest that neighbouring series stand apart within a size, in pixels. */
const DODGE = 11;
const LABEL_GAP = 16;
const LABEL_MAX = 22;
/** Smallest distance of two marks on the vertical axis, in pixels. */
const TICK_GAP = 28;
const TICK_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

/** A text shortened in its middle, where names of a sweep are the same. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.ceil((max - 1) / 2);
  return `${text.slice(0, max - 1 - tail)}…${text.slice(-tail)}`;
}

/** The rates that a fitted axis has to show, in steps of 10 %, with 50 % among them. */
export function fittedDomain(lines: readonly Line[]): [number, number] {
  let low = 0.5;
  let high = 0.5;
  for (const { series } of lines) {
    for (const point of series.points) {
      low = Math.min(low, point.cs_low ?? 0.5, point.low ?? point.rate ?? 0.5);
      high = Math.max(high, point.cs_high ?? 0.5, point.high ?? point.rate ?? 0.5);
    }
  }
  return [Math.max(0, Math.floor(low * 10 - 1e-9) / 10), Math.min(1, Math.ceil(high * 10 + 1e-9) / 10)];
}

/** Where the axis is marked, besides 50 %, which always is. */
function ticksOf([low, high]: readonly [number, number], room: number): number[] {
  const apart = (rates: number) => (room * rates) / (high - low);
  const step = TICK_STEPS.find((candidate) => apart(candidate) >= TICK_GAP) ?? 0.5;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const rates = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return rates.filter((rate) => apart(Math.abs(rate - 0.5)) >= TICK_GAP / 2);
}

/** Width of a text at 12 pixels, a little generously: nothing here can measure fonts. */
function textWidth(text: string): number {
  return 6.9 * text.length;
}

/** A line through these places. */
export function pathOf(places: readonly { x: number; y: number }[]): string {
  return places.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/** The edges of a picture and its vertical axis, with room for these names at the line ends. */
export function frame({ width, height, domain, endLabels: named }: Frame, names: readonly string[]) {
  const texts = names.map((name) => shorten(name, LABEL_MAX));
  const labelRoom = named && texts.length > 0 ? Math.max(...texts.map(textWidth)) + 22 : 0;
  const left = MARGIN.left;
  const right = Math.max(left + 40, width - MARGIN.right - labelRoom);
  const top = MARGIN.top;
  const bottom = height - MARGIN.bottom;
  const yOf = (rate: number) => bottom - ((rate - domain[0]) / (domain[1] - domain[0])) * (bottom - top);
  const ticks = ticksOf(domain, bottom - top).map((rate) => ({ y: yOf(rate), text: percent(rate).replace(/\.0$/, "") }));
  return { left, right, top, bottom, yOf, ticks, half: { y: yOf(0.5), text: "50" } };
}

/** A point in its place, if it has a rate. */
export function placePoint(
  owner: Case,
  point: Point,
  { x, yOf, column, name }: { x: number; yOf: (rate: number) => number; column: number; name: string },
): PlacedPoint[] {
  if (point.rate === null) return [];
  const y = yOf(point.rate);
  const ySequence =
    typeof point.cs_low === "number" && typeof point.cs_high === "number"
      ? { low: yOf(point.cs_low), high: yOf(point.cs_high) }
      : undefined;
  const yLow = point.low === null ? y : yOf(point.low);
  const yHigh = point.high === null ? y : yOf(point.high);
  return [{ case: owner, point, column, name, x, y, yLow, yHigh, ySequence }];
}

/** The names at the line ends; none without texts. */
export function endLabels(
  lines: WinRateLayout["lines"],
  texts: readonly string[] | undefined,
  { right, top, bottom }: { right: number; top: number; bottom: number },
): WinRateLayout["labels"] {
  const ends = lines.flatMap((line, i) => {
    const end = line.points.at(-1);
    return end === undefined || texts === undefined ? [] : [{ end, text: shorten(texts[i]!, LABEL_MAX) }];
  });
  const wanted = ends.map(({ end }) => end.y);
  const ys = spread(wanted, LABEL_GAP, top, bottom);
  return ends.map(({ end, text }, i) => ({ case: end.case, text, x: right + 18, y: ys[i]!, fromX: end.x, fromY: end.y }));
}

export function layoutWinRates(input: WinRateInput): WinRateLayout {
  const { lines, sizes, domain } = input;
  const texts = lines.map(({ case: { name } }) => name);
  const { left, right, top, bottom, yOf, ...axes } = frame(input, texts);
  const band = (right - left) / Math.max(1, sizes.length);
  const xOf = (size: number) => left + band * (sizes.indexOf(size) + 0.5);
  const dodge = lines.length > 1 ? Math.min(DODGE, (band * 0.72) / (lines.length - 1)) : 0;
  const offset = (index: number) => (index - (lines.length - 1) / 2) * dodge;

  const placed = lines.map(({ case: owner, series }, index) => {
    const points = series.points.flatMap((point) => {
      if (!sizes.includes(point.size)) return [];
      const name = `${owner.name}, board size ${point.size}`;
      return placePoint(owner, point, { x: xOf(point.size) + offset(index), yOf, column: point.size, name });
    });
    return { case: owner, path: pathOf(points), points };
  });
  const within = (rate: number) => Math.min(domain[1], Math.max(domain[0], rate));
  const others = (input.others ?? []).map(({ series }) =>
    pathOf(
      series.points.flatMap(({ size, rate }) =>
        rate === null || !sizes.includes(size) ? [] : [{ x: xOf(size), y: yOf(within(rate)) }],
      ),
    ),
  );

  return {
    left,
    right,
    top,
    bottom,
    ...axes,
    axis: "Board size",
    columns: sizes.map((size) => ({ x: xOf(size), text: String(size) })),
    lines: placed,
    others,
    labels: endLabels(placed, input.endLabels ? texts : undefined, { right, top, bottom }),
    references: (input.references ?? []).flatMap(({ label, size, rate }) => {
      const index = lines.findIndex(({ series }) => series.label === label);
      if (index < 0 || !sizes.includes(size)) return [];
      return [{ case: lines[index]!.case, x: xOf(size) + offset(index), y: yOf(rate) }];
    }),
  };
}

/** The point nearest to a place in the picture, if one is within reach. */
export function nearestPoint(layout: WinRateLayout, x: number, y: number, reach: number): PlacedPoint | undefined {
  let best: PlacedPoint | undefined;
  let bestDistance = reach * reach;
  for (const { points } of layout.lines) {
    for (const point of points) {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < bestDistance) [best, bestDistance] = [point, distance];
    }
  }
  return best;
}

/** The point that an arrow key leads to: along the line, or to the next line in the same column. */
export function neighbour(layout: WinRateLayout, from: PlacedPoint, key: string): PlacedPoint | undefined {
  const row = layout.lines.findIndex((line) => line.case.key === from.case.key);
  const line = layout.lines[row];
  if (line === undefined) return undefined;
  const place = line.points.findIndex(({ column }) => column === from.column);
  switch (key) {
    case "ArrowLeft":
      return line.points[place - 1];
    case "ArrowRight":
      return line.points[place + 1];
    case "Home":
      return line.points[0];
    case "End":
      return line.points.at(-1);
    case "ArrowUp":
    case "ArrowDown": {
      const same = layout.lines
        .flatMap(({ points }) => points.filter(({ column }) => column === from.column))
        .sort((a, b) => b.y - a.y);
      const rank = same.findIndex((other) => other.case.key === from.case.key);
      return same[rank + (key === "ArrowUp" ? 1 : -1)];
    }
    default:
      return undefined;
  }
}
