/** Where everything of a picture by the number of pairs stands. Pure: the same input gives the same picture. */

import { number } from "../format";
import { niceStep } from "./moves-layout";
import { pathOf } from "./winrate-layout";

/** A value after some pairs, with the ends of its bands, the widest first. */
export interface RunningMark {
  pairs: number;
  value: number;
  bands: readonly (readonly [low: number, high: number])[];
}

/** A horizontal line with a name. */
export interface LevelLine {
  value: number;
  text: string;
}

export interface RunningInput {
  width: number;
  height: number;
  marks: readonly RunningMark[];
  /** The pairs at the end of the axis. */
  last: number;
  /** The values of the axis. */
  domain: readonly [low: number, high: number];
  /** How values are written at the axis. */
  write: (value: number) => string;
  levels: readonly LevelLine[];
  /** The pairs at a decision, and its words. */
  decided?: { pairs: number; text: string } | undefined;
  /** How marks of the horizontal axis are written; whole numbers if absent. */
  writeColumn?: ((pairs: number) => string) | undefined;
  /** The pairs at changes that people made. */
  changes?: readonly number[];
  /** Whether the horizontal axis has whole numbers alone, as that of pairs. */
  isWhole?: boolean;
  /** Whether a value holds until the next mark, rather than moving there evenly. */
  isStepped?: boolean;
}

/** The line of some changes. */
export interface ChangeLine {
  x: number;
  /** Their numbers. */
  text: string;
  /** Where the numbers are written, if there is room for them. */
  label: { x: number; anchor: "start" | "end" } | undefined;
}

export interface RunningLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  ticks: { y: number; text: string }[];
  columns: { x: number; text: string }[];
  levels: { y: number; text: string }[];
  path: string;
  /** The outlines of the bands, the widest first. */
  bands: string[];
  /** The last mark, or the only one. */
  end: { x: number; y: number } | undefined;
  decided: { x: number; y: number; text: string } | undefined;
  /** Places of changes with their numbers; changes close to each other share a place. */
  changes: ChangeLine[];
  /** The mark nearest to a place. */
  markAt: (x: number) => RunningMark | undefined;
  xOf: (pairs: number) => number;
}

const MARGIN = { top: 12, right: 16, bottom: 46, left: 56 };
/** Marks of the axis that are nearer to a level line than this are not written, in pixels. */
const CLEAR = 11;
/** Changes that are nearer to each other than this share a line, in pixels. */
const APART = 26;
/** Pixels between the line of a change and its numbers. */
const LABEL_GAP = 3;
/** Width of a letter at 11 pixels, a little generously: nothing here can measure fonts. */
const LETTER = 6.6;

/** An axis as far as the bands reach in the later three quarters of the marks, where estimates have settled. */
export function settledDomain(marks: readonly RunningMark[], least: readonly number[]): [low: number, high: number] {
  const settled = marks.slice(Math.floor(marks.length / 4));
  const ends = [...least, ...settled.flatMap(({ value, bands }) => [value, ...bands.flat()])].filter(Number.isFinite);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = 0.06 * (high - low) || 1;
  return [low - room, high + room];
}

/** Places with another before each, at its `x` and the height of the one before. */
function stepped(places: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  return places.flatMap((place, i) => (i === 0 ? [place] : [{ x: place.x, y: places[i - 1]!.y }, place]));
}

/** Places with their numbers from 1: those within some pixels become one, such as `2–4`. */
function together(xs: readonly number[]): { x: number; text: string }[] {
  const groups: { x: number; first: number; last: number }[] = [];
  xs.forEach((x, i) => {
    const group = groups.at(-1);
    if (group !== undefined && x - group.x < APART) group.last = i + 1;
    else groups.push({ x, first: i + 1, last: i + 1 });
  });
  return groups.map(({ x, first, last }) => ({ x, text: first === last ? String(first) : `${first}–${last}` }));
}

/** The lines with their numbers beside them, on the left at the right edge. Of numbers that would overlap the later ones are written. */
function labelled(lines: readonly { x: number; text: string }[], right: number): ChangeLine[] {
  let free = Infinity;
  return lines
    .toReversed()
    .map(({ x, text }): ChangeLine => {
      const room = LABEL_GAP + LETTER * text.length;
      const isAtEnd = x + room > right;
      const [from, to] = isAtEnd ? [x - room, x] : [x, x + room];
      if (to > free) return { x, text, label: undefined };
      free = from;
      return { x, text, label: isAtEnd ? { x: x - LABEL_GAP, anchor: "end" } : { x: x + LABEL_GAP, anchor: "start" } };
    })
    .reverse();
}

export function layoutRunning({ width, height, marks, last, domain, write, levels, decided, writeColumn = (pairs) => number(pairs), changes = [], isStepped = false, isWhole = true }: RunningInput): RunningLayout {
  const { left, top } = MARGIN;
  const right = Math.max(left + 40, width - MARGIN.right);
  const bottom = height - MARGIN.bottom;
  const [low, high] = domain;
  const yOf = (value: number) => bottom - ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (bottom - top);
  const end = last > 0 ? last : 1;
  const xOf = (pairs: number) => left + (pairs / end) * (right - left);
  const step = niceStep(high - low, Math.max(2, Math.floor((bottom - top) / 40)));
  const first = Math.ceil(low / step - 1e-9);
  const values = Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, i) => (first + i) * step);
  const lines = levels.filter(({ value }) => value >= low && value <= high).map(({ value, text }) => ({ y: yOf(value), text }));
  const columnStep = Math.max(isWhole ? 1 : 0, niceStep(end, Math.max(2, Math.floor((right - left) / 72))));
  const places = marks.map(({ pairs, value }) => ({ x: xOf(pairs), y: yOf(value) }));
  const bands = (marks[0]?.bands ?? []).map((_, i) => {
    const upper = marks.map(({ pairs, bands: own }) => ({ x: xOf(pairs), y: yOf(own[i]![1]) }));
    const lower = marks.map(({ pairs, bands: own }) => ({ x: xOf(pairs), y: yOf(own[i]![0]) })).reverse();
    return marks.length < 2 ? "" : `${pathOf([...upper, ...lower])}Z`;
  });
  const at = decided && marks.findLast(({ pairs }) => pairs <= decided.pairs);
  return {
    left,
    right,
    top,
    bottom,
    ticks: values.map((value) => ({ y: yOf(value), text: write(value) })).filter(({ y }) => lines.every((line) => Math.abs(line.y - y) >= CLEAR)),
    columns: Array.from({ length: Math.floor(end / columnStep) + 1 }, (_, i) => i * columnStep).map((pairs) => ({ x: xOf(pairs), text: writeColumn(pairs) })),
    levels: lines,
    path: pathOf(isStepped ? stepped(places) : places),
    bands,
    end: places.at(-1),
    decided: decided && at && { x: xOf(decided.pairs), y: yOf(at.value), text: decided.text },
    changes: labelled(together(changes.map(xOf)), right),
    markAt: (x) => {
      const pairs = ((x - left) / (right - left)) * end;
      return marks.reduce<RunningMark | undefined>((best, mark) => (best === undefined || Math.abs(mark.pairs - pairs) < Math.abs(best.pairs - pairs) ? mark : best), undefined);
    },
    xOf,
  };
}
