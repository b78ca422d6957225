/** Where everything of a picture by move number stands. Pure: the same input gives the same picture. */

import { pathOf } from "./winrate-layout";

/** A value at a move, with the interval of a mean if there is one. */
export interface MovePoint {
  move: number;
  value: number;
  low?: number;
  high?: number;
}

export interface MoveLine {
  name: string;
  /** Place in the palette. */
  look: number;
  /** Whether it is the line of the colour that moves second: dashed, with hollow markers. */
  isSecond?: boolean;
  points: readonly MovePoint[];
}

export interface MovesInput {
  width: number;
  height: number;
  lines: readonly MoveLine[];
  /** The largest move number of the axis. */
  last: number;
  /** The values of the axis, or up to which it has to reach. */
  domain?: readonly [low: number, high: number];
  /** How values are written at the axis. */
  write: (value: number) => string;
}

export interface MovesLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  ticks: { y: number; text: string }[];
  columns: { x: number; text: string }[];
  lines: { line: MoveLine; path: string; band: string; dots: { x: number; y: number }[] }[];
  /** The place of a move. */
  xOf: (move: number) => number;
  /** The move nearest to a place. */
  moveAt: (x: number) => number;
}

const MARGIN = { top: 10, right: 14, bottom: 46, left: 52 };
/** Lines with more points have no dots. */
const MOST_DOTS = 90;

/** Steps of 1, 2 or 5 tenths, ones, tens… that divide a length into about so many parts. */
export function niceStep(length: number, parts: number): number {
  const rough = length / parts;
  if (!(rough > 0) || !Number.isFinite(rough)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

export function layoutMoves({ width, height, lines, last, domain, write }: MovesInput): MovesLayout {
  const { left, top } = MARGIN;
  const right = Math.max(left + 40, width - MARGIN.right);
  const bottom = height - MARGIN.bottom;
  const values = lines.flatMap(({ points }) => points.flatMap(({ value, high }) => [value, high ?? value]));
  const largest = Math.max(0, ...values.filter(Number.isFinite));
  const step = niceStep(domain === undefined ? largest : domain[1] - domain[0], Math.max(2, Math.floor((bottom - top) / 44)));
  const low = domain?.[0] ?? 0;
  const high = domain?.[1] ?? Math.max(step, Math.ceil(largest / step - 1e-9) * step);
  const yOf = (value: number) => bottom - ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (bottom - top);
  const span = Math.max(1, last - 1);
  const xOf = (move: number) => left + ((move - 1) / span) * (right - left);
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  const columnStep = Math.max(1, niceStep(span, Math.max(2, Math.floor((right - left) / 56))));
  const columns = Array.from({ length: Math.floor(last / columnStep) + 1 }, (_, i) => Math.max(1, Math.round(i * columnStep)));
  return {
    left,
    right,
    top,
    bottom,
    ticks: ticks.map((value) => ({ y: yOf(value), text: write(value) })),
    columns: [...new Set(columns)].filter((move) => move <= last).map((move) => ({ x: xOf(move), text: String(move) })),
    lines: lines.map((line) => {
      const places = line.points.map(({ move, value }) => ({ x: xOf(move), y: yOf(value) }));
      const banded = line.points.filter(({ low: from, high: to }) => from !== undefined && to !== undefined);
      const upper = banded.map(({ move, high: to }) => ({ x: xOf(move), y: yOf(to!) }));
      const lower = banded.map(({ move, low: from }) => ({ x: xOf(move), y: yOf(from!) })).reverse();
      const band = banded.length < 2 ? "" : `${pathOf([...upper, ...lower])}Z`;
      return { line, path: pathOf(places), band, dots: places.length > MOST_DOTS ? [] : places };
    }),
    xOf,
    moveAt: (x) => Math.min(last, Math.max(1, Math.round(1 + ((x - left) / (right - left)) * span))),
  };
}
