/** What the vertical axis measures: win rates, or the differences in Elo points that the coordinator computes from them. */

import type { Point } from "../api";
import { elo, eloInterval, inPercent, interval, percent, shortPercent } from "../format";

/** A measure with the ends of both bars. What no number bounds is infinite. */
export interface Ends {
  value: number;
  low: number;
  high: number;
  /** The ends of the confidence sequence. */
  sequence: { low: number; high: number } | undefined;
}

export interface Unit {
  /** The axis in words. */
  axis: string;
  /** The same in an address or a file name. */
  key: "rate" | "elo";
  /** The value of equal players. */
  equal: number;
  /** The whole axis, or where it begins if it fits the values. */
  full: readonly [low: number, high: number];
  least: readonly [low: number, high: number];
  /** Steps between the ends of a fitted axis. */
  rounding: number;
  mark: (value: number) => string;
  /** The measure of a point that has a rate. */
  of: (point: Point) => Ends | undefined;
  /** The measure of a point as a number alone. */
  brief: (point: Point) => string;
  /** The measure of a point in words, with the interval. */
  words: (point: Point) => [value: string, interval: string];
}

export const RATE: Unit = {
  axis: "Win rate in %",
  key: "rate",
  equal: 0.5,
  full: [0, 1],
  least: [0.5, 0.5],
  rounding: 0.1,
  mark: shortPercent,
  of: ({ rate, low, high, cs_low, cs_high }) =>
    rate === undefined
      ? undefined
      : {
          value: rate,
          low: low ?? rate,
          high: high ?? rate,
          sequence: cs_low === undefined || cs_high === undefined ? undefined : { low: cs_low, high: cs_high },
        },
  brief: ({ rate }) => percent(rate),
  words: ({ rate, low, high }) => [inPercent(rate), interval(low, high)],
};

/** Elo differences past this are drawn at the edge of a picture. */
const FARTHEST = 1000;

export const ELO: Unit = {
  axis: "Elo difference",
  key: "elo",
  equal: 0,
  full: [-600, 600],
  least: [-20, 20],
  rounding: 20,
  mark: elo,
  // The coordinator leaves out what is infinite: a rate of 1 or 0, or an end of an interval there.
  of: ({ rate, elo: value, elo_low, elo_high, cs_elo_low, cs_elo_high }) =>
    rate === undefined
      ? undefined
      : {
          value: value ?? (rate > 0.5 ? Infinity : -Infinity),
          low: elo_low ?? -Infinity,
          high: elo_high ?? Infinity,
          sequence: { low: cs_elo_low ?? -Infinity, high: cs_elo_high ?? Infinity },
        },
  brief: ({ rate, elo: value }) => (rate !== undefined && value === undefined ? (rate > 0.5 ? "+∞" : "−∞") : elo(value)),
  words: (point) => (point.rate === undefined ? [elo(null), elo(null)] : [`${ELO.brief(point)} Elo`, eloInterval(point.elo_low, point.elo_high)]),
};

/** Whether a value has no place on an axis: its marker stands at the edge. */
export function isBeyond(ends: Ends | undefined, [low, high]: readonly [number, number]): boolean {
  return ends !== undefined && (ends.value < low || ends.value > high);
}

/** What is said of such a value. */
export const BEYOND = ", beyond the axis";

export const UNITS = { rate: RATE, elo: ELO } as const;

/** An axis as far as the bars of these points reach, in round steps, with the value of equal players on it. */
export function fittedDomain(points: readonly Point[], unit: Unit): [number, number] {
  let [low, high] = unit.least;
  const far = unit === ELO ? FARTHEST : 1;
  for (const point of points) {
    const ends = unit.of(point);
    if (ends === undefined) continue;
    // An end at infinity makes no room; its bar runs to the edge.
    for (const value of [ends.value, ends.low, ends.high, ends.sequence?.low, ends.sequence?.high]) {
      if (value === undefined || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const down = Math.floor(low / unit.rounding - 1e-9) * unit.rounding;
  const up = Math.ceil(high / unit.rounding + 1e-9) * unit.rounding;
  return unit === ELO ? [Math.max(-far, down), Math.min(far, up)] : [Math.max(0, Math.round(10 * down) / 10), Math.min(1, Math.round(10 * up) / 10)];
}
