/** What the cases of a group vary: the parameters of its sweep and their values. */

import { group } from "d3-array";
import { scaleLinear, scaleLog, scalePoint } from "d3-scale";
import { number, valueText } from "../format";
import type { Line, Panel } from "./panels";

export type Value = number | string | boolean;

export interface Parameter {
  name: string;
  /** Numbers ascending, then words. */
  values: Value[];
  /** How far apart the values stand on an axis: as the numbers, as their logarithms, or evenly. */
  scale: "linear" | "log" | "even";
}

/** A group of cases that differ in some parameters. */
export interface Sweep {
  group: string;
  parameters: Parameter[];
  lines: Line[];
}

const compare = (a: Value, b: Value) =>
  typeof a === "number" && typeof b === "number" ? a - b : typeof a === "number" ? -1 : typeof b === "number" ? 1 : String(a).localeCompare(String(b));

/** The scale of values that grow by equal factors, as the coordinator says, or by equal steps. */
function scaleOf(values: readonly Value[], isLogarithmic: boolean): Parameter["scale"] {
  if (values.some((value) => typeof value !== "number")) return "even";
  // A value of 0 has no place on a logarithmic axis, and would crowd the others on a linear one.
  return !isLogarithmic ? "linear" : (values[0] as number) > 0 ? "log" : "even";
}

/** The groups that vary a parameter, in the order of the file. */
export function sweepsOf(lines: readonly Line[]): Sweep[] {
  return [...group(lines, ({ series }) => series.group)].flatMap(([name, members]) => {
    const keys = [...new Set(members.flatMap(({ series }) => Object.keys(series.swept)))];
    const parameters = keys.flatMap((key) => {
      const values = [...new Set(members.flatMap(({ series }) => series.swept[key] ?? []))].sort(compare);
      const isLogarithmic = members.some(({ series }) => series.logarithmic.includes(key));
      return values.length > 1 ? [{ name: key, values, scale: scaleOf(values, isLogarithmic) }] : [];
    });
    return parameters.length === 0 ? [] : [{ group: name, parameters, lines: members }];
  });
}

/** The most parameters that a sweep of these panels has. */
export function mostParameters(panels: readonly Panel[]): number {
  return Math.max(0, ...panels.flatMap(({ lines }) => sweepsOf(lines)).map(({ parameters }) => parameters.length));
}

/** Values of a parameter that a grid or a picture with lines can keep apart. With more, as in a tune, every case is a mark of its own. */
export const MOST_VALUES = 24;

/** The parameters of the axes that a view wants, or those with most values. */
export function axesOf({ parameters }: Sweep, wanted: readonly (string | undefined)[]): Parameter[] {
  const ordered = [...parameters].sort((a, b) => b.values.length - a.values.length);
  const axes: Parameter[] = [];
  for (const name of wanted) {
    const free = ordered.filter((candidate) => !axes.includes(candidate) && (candidate.name === name || !wanted.includes(candidate.name)));
    const axis = free.find((candidate) => candidate.name === name) ?? free[0];
    if (axis !== undefined) axes.push(axis);
  }
  return axes;
}

/** Digits that tell all values of a file apart, and leave out the errors of sums of decimals. */
const TOLD_APART = 12;

/** The values of the other parameters in words: `exploration=0.3`; nothing if there is no other. */
export function othersOf(line: Line, sweep: Sweep, names: readonly string[]): string {
  const others = sweep.parameters.filter(({ name }) => !names.includes(name));
  return others.map(({ name }) => `${name}=${valueText(line.series.swept[name], TOLD_APART)}`).join(", ");
}

/** A value in few digits, for an axis on which it is one of many. */
export const shortly = (value: Value) => (typeof value === "number" ? number(value, 3) : valueText(value));

/** The scales of parameters: a picture asks for thousands of places. */
const SCALES = new WeakMap<Parameter, (value: Value) => number>();

function scaleFor(parameter: Parameter): (value: Value) => number {
  const { values, scale } = parameter;
  const ends = [values[0] as number, values.at(-1) as number];
  const numeric = (scale === "log" ? scaleLog() : scaleLinear()).domain(ends).range([0, 1]);
  const even = scalePoint().domain(values.map(String)).range([0, 1]);
  const place = scale === "even" ? (value: Value) => even(String(value)) ?? 0 : (value: Value) => numeric(value as number);
  SCALES.set(parameter, place);
  return place;
}

/** Where the values of a parameter stand, from 0 to 1. */
export const place = (parameter: Parameter, value: Value): number => (SCALES.get(parameter) ?? scaleFor(parameter))(value);

/** Where a number stands that need not be one of the values, from 0 to 1. */
export function placeBetween(parameter: Parameter, number: number): number {
  if (parameter.scale !== "even") return place(parameter, number);
  const numbers = parameter.values.filter((value) => typeof value === "number");
  return scaleLinear().domain(numbers).range(numbers.map((value) => place(parameter, value))).clamp(true)(number);
}
