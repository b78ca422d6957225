/** The curves of a parameter-response picture: win rate by the value of one parameter. */

import type { Point } from "../api";
import { lookOf } from "./palette";
import type { Case } from "./panels";
import { othersOf } from "./sweeps";
import type { Parameter, Sweep } from "./sweeps";

/** One line of the picture: the points of the cases that differ in the one parameter only. */
export interface Curve {
  case: Case;
  points: { value: Parameter["values"][number]; point: Point }[];
}

/** A parameter, and the curves by its values. */
export interface Response {
  title: string;
  parameter: Parameter;
  curves: Curve[];
  /** Whether it is the only parameter of its sweep. */
  single: boolean;
}

/** Curves that one picture can keep apart. */
const MOST_CURVES = 8;
/**
 * The pictures of a sweep. A sweep of one parameter has one, with a curve for each board size. A sweep of several has one for each
 * size, by the parameter with most values, with a curve for each combination of the others.
 */
export function responsesOf(sweep: Sweep, sizes: readonly number[]): Response[] {
  const parameter = [...sweep.parameters].sort((a, b) => b.values.length - a.values.length)[0]!;
  const pointsOf = (size: number, others: string) =>
    parameter.values.flatMap((value) => {
      const line = sweep.lines.find(
        (candidate) => candidate.series.swept[parameter.name] === value && othersOf(candidate, sweep, [parameter.name]) === others,
      );
      const point = line?.series.points.find((candidate) => candidate.size === size);
      return point === undefined ? [] : [{ value, point }];
    });
  const curve = (name: string, index: number, points: Curve["points"]): Curve => ({
    case: { key: name, name, group: sweep.group, look: lookOf(index) },
    points,
  });
  if (sweep.parameters.length === 1) {
    const curves = sizes.map((size, i) => curve(`size ${size}`, i, pointsOf(size, "")));
    return [{ title: `${sweep.group}: by ${parameter.name}`, parameter, curves, single: true }];
  }
  const others = [...new Set(sweep.lines.map((line) => othersOf(line, sweep, [parameter.name])))].slice(0, MOST_CURVES);
  return sizes.map((size) => ({
    title: `${sweep.group}: by ${parameter.name}, size ${size}`,
    parameter,
    curves: others.map((name, i) => curve(name, i, pointsOf(size, name))),
    single: false,
  }));
}
