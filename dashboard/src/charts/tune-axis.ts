/** The axis of a tuned parameter: where its values stand, and which of them are written. */

import type { TunedParameter, TunedValue } from "../api";
import { brief, valueText } from "../format";
import { niceStep } from "./moves-layout";

/** A value for every parameter, by name. */
export type TunedPoint = Record<string, TunedValue>;

export interface Axis {
  title: string;
  /** Marks with their places, from 0 to 1. */
  ticks: readonly { at: number; text: string }[];
}

export interface ParameterAxis extends Axis {
  name: string;
  /** Whether the values have no order. */
  isChoice: boolean;
  /** Where a value stands, from 0 to 1. */
  place: (value: TunedValue) => number;
  /** Whether a point uses the parameter; where its condition does not hold, the value means nothing. */
  isUsed: (point: TunedPoint) => boolean;
}

/** Marks of an axis at most. */
const MOST_TICKS = 6;

/** Round numbers between two ends. */
function roundNumbers(low: number, high: number, isWhole: boolean): number[] {
  const step = Math.max(isWhole ? 1 : 0, niceStep(high - low, MOST_TICKS - 1));
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Powers of ten between two ends, with 2 and 5 times these where there is room. */
function roundPowers(low: number, high: number): number[] {
  const digits = high / low > 1000 ? [1] : [1, 2, 5];
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  return powers.flatMap((power) => digits.map((digit) => Number((digit * power).toPrecision(12)))).filter((value) => value >= low && value <= high);
}

/** Whether the condition of a parameter holds at a point, and the conditions of those that it depends on. */
function isUsed(parameters: readonly TunedParameter[], { only_if: condition }: TunedParameter, point: TunedPoint): boolean {
  if (condition === undefined) return true;
  const other = parameters.find(({ name }) => name === condition.parameter);
  return other !== undefined && condition.values.includes(point[other.name]!) && isUsed(parameters, other, point);
}

/** The axes of the parameters of a tune. */
export function axesOf(parameters: readonly TunedParameter[]): ParameterAxis[] {
  return parameters.map((parameter) => ({ ...axisOf(parameter), isUsed: (point) => isUsed(parameters, parameter, point) }));
}

function axisOf(parameter: TunedParameter): Omit<ParameterAxis, "isUsed"> {
  const { name } = parameter;
  if (parameter.kind === "flag" || parameter.kind === "word") {
    const values: TunedValue[] = parameter.kind === "flag" ? [false, true] : parameter.values;
    const place = (value: TunedValue) => (values.indexOf(value) + 0.5) / values.length;
    return { name, title: name, isChoice: true, place, ticks: values.map((value) => ({ at: place(value), text: valueText(value) })) };
  }
  const { low, high, scale } = parameter;
  const isLog = scale === "log";
  const at = isLog ? Math.log : Number;
  const place = (value: TunedValue) => Math.min(1, Math.max(0, (at(value as number) - at(low)) / (at(high) - at(low))));
  const round = isLog ? roundPowers(low, high) : roundNumbers(low, high, parameter.kind === "whole");
  const values = round.length > 1 ? round : [low, high];
  return { name, title: isLog ? `${name} (logarithmic)` : name, isChoice: false, place, ticks: values.map((value) => ({ at: place(value), text: brief(value) })) };
}

/** An axis of win rates as far as these reach, in round steps. */
export function rateAxis(rates: readonly number[]): Axis & { place: (rate: number) => number } {
  const [least, most] = [Math.min(0.5, ...rates), Math.max(0.5, ...rates)];
  const step = niceStep(Math.max(0.05, most - least), MOST_TICKS - 1);
  const [low, high] = [Math.max(0, Math.floor(least / step + 1e-9) * step), Math.min(1, Math.ceil(most / step - 1e-9) * step)];
  const span = high > low ? high - low : 1;
  const place = (rate: number) => Math.min(1, Math.max(0, (rate - low) / span));
  const rounds = Math.round((high - low) / step);
  const ticks = Array.from({ length: rounds + 1 }, (_, i) => low + i * step).map((rate) => ({ at: place(rate), text: String(Number((100 * rate).toFixed(1))) }));
  return { title: "Win rate in %", place, ticks };
}

/** An axis of numbers of games from 0 on. */
export function gamesAxis(last: number): Axis & { place: (games: number) => number } {
  const end = Math.max(1, last);
  return { title: "Games", place: (games) => games / end, ticks: roundNumbers(0, end, true).map((games) => ({ at: games / end, text: brief(games) })) };
}
