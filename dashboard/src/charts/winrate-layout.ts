/** Where everything of the win-rate picture stands. Pure: the same input gives the same picture. */

import { line } from "d3-shape";
import type { Point } from "../api";
import { boxOf, linearAxis, placesIn, type Box, type Tick } from "./axis";
import { shortenAll } from "./names";
import { isPale, type Case, type Line } from "./panels";
import { isBeyond, type Unit } from "./unit";

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
  /** What the vertical axis measures, and from where to where. */
  unit: Unit;
  domain: readonly [low: number, high: number];
  /** Whether there is room for names at the line ends. */
  hasEndLabels: boolean;
}

/** The points of a case: one for each column that it has. */
export interface Row {
  case: Case;
  /** The label in the file. */
  label: string;
  points: readonly { column: number; point: Point }[];
}

/** What a picture with columns shows. */
export interface Columns {
  /** What the horizontal axis shows, and the marks on it. */
  axis: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** Rows without points, names and bars, for comparison. */
  others?: readonly Row[];
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
  /** Whether it stands at the edge, because its value has no place on the axis. */
  isBeyond: boolean;
  /** The interval for a number of games that was fixed beforehand. */
  yLow: number;
  yHigh: number;
  /** The confidence sequence, which holds at every look. */
  ySequence: { low: number; high: number } | undefined;
}

export interface WinRateLayout {
  height: number;
  box: Box;
  unit: Unit;
  ticks: readonly Tick[];
  /** The line of equal players. */
  half: Tick;
  /** What the horizontal axis shows. */
  axis: string;
  columns: readonly Tick[];
  /** All columns in full, where not every one is written. */
  marks?: readonly string[];
  /** Pixels between neighbouring points, where they are close. */
  room?: number;
  lines: { case: Case; path: string; points: PlacedPoint[] }[];
  /** The paths of the other lines. */
  others: string[];
  labels: { case: Case; text: string; x: number; y: number; fromX: number; fromY: number }[];
  references: { case: Case; x: number; y: number }[];
  /** Fitted curves with their highest points, of one case or of all together. */
  fits: { case: Case | undefined; path: string; optimum: { x: number; xLow: number; xHigh: number; y: number } | undefined }[];
}

const MARGIN = { top: 12, right: 12, bottom: 46, left: 52 };
/** Marks of Elo differences, such as `+200`, are wider than those of rates. */
const ELO_ROOM = 12;
/** Farthest that neighbouring series stand apart within a size, in pixels. */
const DODGE = 11;
const LABEL_GAP = 16;
/** Letters of a name at a line end: so many at least, and more in a wide picture, which gives a letter for so many pixels. */
const LABEL_LETTERS = 22;
const LABEL_SHARE = 40;
/** Room of a mark on the vertical axis, in pixels. */
const TICK_ROOM = 36;

const labelLetters = (width: number) => Math.max(LABEL_LETTERS, Math.floor(width / LABEL_SHARE));

/** Width of a text at 12 pixels, a little generously: nothing here can measure fonts. */
const textWidth = (text: string): number => 6.9 * text.length;

/** A line through these places. */
export function pathOf(places: readonly { x: number; y: number }[]): string {
  return line<{ x: number; y: number }>().x(({ x }) => x).y(({ y }) => y).digits(1)(places) ?? "";
}

/** The line through the points of a case; pale ones are not joined. */
export const lineOf = (points: readonly PlacedPoint[]): string => pathOf(points.filter(({ point }) => !isPale(point)));

/** The edges of a picture and its vertical axis, with room for these names at the line ends. */
export function frame({ width, height, domain, unit, hasEndLabels }: Frame, names: readonly string[]) {
  const texts = shortenAll(names, labelLetters(width));
  const labelRoom = hasEndLabels && texts.length > 0 ? Math.max(...texts.map(textWidth)) + 22 : 0;
  const left = MARGIN.left + (unit.key === "elo" ? ELO_ROOM : 0);
  const box = boxOf(width, height, { ...MARGIN, left, right: MARGIN.right + labelRoom });
  // What lies outside, as an infinite Elo difference does, stands at the edge.
  const axis = linearAxis(unit.axis, domain, { write: unit.mark });
  const { xOf, yOf } = placesIn(box);
  const ticks = axis.ticks(Math.floor((box.bottom - box.top) / TICK_ROOM));
  return { height, box, unit, domain, xOf, yOf: (value: number) => yOf(axis.place(value)), ticks, half: { at: axis.place(unit.equal), text: unit.mark(unit.equal) } };
}

/** A point in its place, if it has a rate. */
export function placePoint(
  owner: Case,
  point: Point,
  { x, yOf, unit, domain, column, name }: Pick<Frame, "unit" | "domain"> & { x: number; yOf: (value: number) => number; column: number; name: string },
): PlacedPoint[] {
  const ends = unit.of(point);
  if (ends === undefined) return [];
  const { value, low, high, sequence } = ends;
  const ySequence = sequence && { low: yOf(sequence.low), high: yOf(sequence.high) };
  return [{ case: owner, point, column, name, x, y: yOf(value), isBeyond: isBeyond(ends, domain), yLow: yOf(low), yHigh: yOf(high), ySequence }];
}

/** The names at the line ends; none without texts. */
export function endLabels(
  lines: WinRateLayout["lines"],
  texts: readonly string[] | undefined,
  { right, top, bottom }: Box,
  width: number,
): WinRateLayout["labels"] {
  const short = shortenAll(texts ?? [], labelLetters(width));
  const ends = lines.flatMap((line, i) => {
    const end = line.points.at(-1);
    return end === undefined || short[i] === undefined ? [] : [{ end, text: short[i] }];
  });
  const wanted = ends.map(({ end }) => end.y);
  const ys = spread(wanted, LABEL_GAP, top, bottom);
  return ends.map(({ end, text }, i) => ({ case: end.case, text, x: right + 18, y: ys[i]!, fromX: end.x, fromY: end.y }));
}

export function layoutColumns(shown: Columns, input: Frame): WinRateLayout {
  const { rows, columns, axis } = shown;
  const texts = rows.map(({ case: { short } }) => short);
  const { box, xOf, yOf, domain, ...axes } = frame(input, texts);
  const { unit } = input;
  const place = (column: number) => (column + 0.5) / Math.max(1, columns.length);
  const band = xOf(place(1)) - xOf(place(0));
  const dodge = rows.length > 1 ? Math.min(DODGE, (band * 0.72) / (rows.length - 1)) : 0;
  const offset = (index: number) => (index - (rows.length - 1) / 2) * dodge;
  const xAt = (column: number, index: number) => xOf(place(column)) + offset(index);

  const placed = rows.map(({ case: owner, points: own }, index) => {
    const points = own.flatMap(({ column, point }) => {
      const name = `${owner.name}, ${axis.toLowerCase()} ${columns[column]}`;
      return placePoint(owner, point, { x: xAt(column, index), yOf, unit, domain, column, name });
    });
    return { case: owner, path: lineOf(points), points };
  });
  const others = (shown.others ?? []).map(({ points }) =>
    pathOf(points.flatMap(({ column, point }) => (point.rate === undefined || isPale(point) ? [] : [{ x: xOf(place(column)), y: yOf(unit.of(point)!.value) }]))),
  );
  // Names of baselines and budgets may be longer than their columns.
  const marks = shortenAll(columns, Math.max(4, Math.floor(band / 7)));

  return {
    box,
    ...axes,
    axis,
    columns: marks.map((text, column) => ({ at: place(column), text })),
    marks: columns,
    lines: placed,
    others,
    labels: endLabels(placed, input.hasEndLabels ? texts : undefined, box, input.width),
    references: (unit.key === "rate" ? (shown.references ?? []) : []).flatMap(({ label, size, rate }) => {
      const index = rows.findIndex((row) => row.label === label);
      const column = columns.indexOf(String(size));
      if (index < 0 || column < 0) return [];
      return [{ case: rows[index]!.case, x: xAt(column, index), y: yOf(rate) }];
    }),
    fits: [],
  };
}

/** Lines as rows with a column for each size. */
export function bySize(lines: readonly Line[], sizes: readonly number[]): Row[] {
  return lines.map(({ case: owner, series }) => ({
    case: owner,
    label: series.label,
    points: series.points.flatMap((point) => {
      const column = sizes.indexOf(point.size);
      return column < 0 ? [] : [{ column, point }];
    }),
  }));
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

/** The next point to the left or the right, in pictures without lines: there every point is alone. */
function alone(layout: WinRateLayout, from: PlacedPoint, step: 1 | -1): PlacedPoint | undefined {
  if (layout.lines.some(({ points }) => points.length > 1)) return undefined;
  const points = layout.lines.flatMap((line) => line.points).sort((a, b) => a.x - b.x);
  return points[points.findIndex(({ case: owner }) => owner.key === from.case.key) + step];
}

/** The point that an arrow key leads to: along the line, or to the next line in the same column. */
export function neighbour(layout: WinRateLayout, from: PlacedPoint, key: string): PlacedPoint | undefined {
  const row = layout.lines.findIndex((line) => line.case.key === from.case.key);
  const line = layout.lines[row];
  if (line === undefined) return undefined;
  const place = line.points.findIndex(({ column }) => column === from.column);
  const along: Record<string, PlacedPoint | undefined> = {
    ArrowLeft: line.points[place - 1] ?? alone(layout, from, -1),
    ArrowRight: line.points[place + 1] ?? alone(layout, from, 1),
    Home: line.points[0],
    End: line.points.at(-1),
  };
  if (key !== "ArrowUp" && key !== "ArrowDown") return along[key];
  const same = layout.lines.flatMap(({ points }) => points.filter(({ column }) => column === from.column)).sort((a, b) => b.y - a.y);
  const rank = same.findIndex((other) => other.case.key === from.case.key);
  return same[rank + (key === "ArrowUp" ? 1 : -1)];
}

/**
 * Moves labels apart so that neighbours are at least `gap` away from each other, inside `low` to `high`, each as near
 * to where it wants to be as its crowd allows. The order is kept. Labels for which there is no room stand closer.
 */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const step = Math.min(gap, order.length > 1 ? (high - low) / (order.length - 1) : gap);
  // Crowds of labels that touch: each stands centred on the mean of what its members want.
  const crowds: { first: number; sum: number; size: number }[] = [];
  const topOf = (crowd: { sum: number; size: number }) => {
    const reach = step * (crowd.size - 1);
    return Math.min(Math.max(crowd.sum / crowd.size - reach / 2, low), high - reach);
  };
  order.forEach((label, position) => {
    let crowd = { first: position, sum: wanted[label]!, size: 1 };
    for (let before = crowds.at(-1); before !== undefined; before = crowds.at(-1)) {
      if (topOf(before) + step * before.size <= topOf(crowd)) break;
      crowds.pop();
      crowd = { first: before.first, sum: before.sum + crowd.sum, size: before.size + crowd.size };
    }
    crowds.push(crowd);
  });
  const placed = wanted.map(() => 0);
  for (const crowd of crowds) {
    for (let i = 0; i < crowd.size; i++) placed[order[crowd.first + i]!] = topOf(crowd) + step * i;
  }
  return placed;
}
