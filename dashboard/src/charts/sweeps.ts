/** What the cases of a group vary: the parameters of its sweep and their values. */

import type { Line } from "./panels";

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

/** A span of values of which the largest is so many times the smallest is drawn on a logarithmic axis. */
const LOGARITHMIC = 20;

const compare = (a: Value, b: Value) =>
  typeof a === "number" && typeof b === "number" ? a - b : typeof a === "number" ? -1 : typeof b === "number" ? 1 : String(a).localeCompare(String(b));

function scaleOf(values: readonly Value[]): Parameter["scale"] {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length) return "even";
  const low = numbers[0]!;
  const high = numbers.at(-1)!;
  // A value of 0 beside large ones has no place on a logarithmic axis, and crowds the others on a linear one.
  const second = numbers.find((value) => value > 0) ?? high;
  if (high < LOGARITHMIC * second) return "linear";
  return low > 0 ? "log" : "even";
}

/** The groups that vary a parameter, in the order of the file. */
export function sweepsOf(lines: readonly Line[]): Sweep[] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const members = groups.get(line.series.group) ?? [];
    members.push(line);
    groups.set(line.series.group, members);
  }
  return [...groups].flatMap(([group, members]) => {
    const names = [...new Set(members.flatMap(({ series }) => Object.keys(series.swept)))];
    const parameters = names.flatMap((name) => {
      const values = [...new Set(members.flatMap(({ series }) => series.swept[name] ?? []))].sort(compare);
      return values.length > 1 ? [{ name, values, scale: scaleOf(values) }] : [];
    });
    return parameters.length === 0 ? [] : [{ group, parameters, lines: members }];
  });
}

/** The values of the other parameters in words: `exploration=0.3`; nothing if there is no other. */
export function othersOf(line: Line, sweep: Sweep, names: readonly string[]): string {
  const others = sweep.parameters.filter(({ name }) => !names.includes(name));
  return others.map(({ name }) => `${name}=${String(line.series.swept[name])}`).join(", ");
}

/** Where the values of a parameter stand, from 0 to 1. */
export function place({ values, scale }: Parameter, value: Value): number {
  const last = values.length - 1;
  if (scale === "even") return values.indexOf(value) / Math.max(1, last);
  const at = (number: Value) => (scale === "log" ? Math.log(number as number) : (number as number));
  return (at(value) - at(values[0]!)) / (at(values[last]!) - at(values[0]!));
}

/** Where a number stands that need not be one of the values, from 0 to 1. */
export function placeBetween(parameter: Parameter, number: number): number {
  const { values, scale } = parameter;
  if (scale !== "even") return place(parameter, number);
  const numbers = values.filter((value) => typeof value === "number");
  const next = numbers.findIndex((value) => value >= number);
  if (next <= 0) return place(parameter, numbers[next === 0 ? 0 : numbers.length - 1]!);
  const [low, high] = [numbers[next - 1]!, numbers[next]!];
  const part = (number - low) / (high - low);
  return (1 - part) * place(parameter, low) + part * place(parameter, high);
}
