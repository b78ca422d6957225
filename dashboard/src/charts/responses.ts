/** The curves of a parameter-response picture: win rate by the value of one parameter. */

import { group } from "d3-array";
import type { Point } from "../api";
import { lookOf } from "./palette";
import type { Case, Line } from "./panels";
import { axesOf, MOST_VALUES, othersOf, type Parameter, type Sweep } from "./sweeps";

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
  /** Whether every case is a mark of its own, because too many values of the other parameters leave no lines. */
  scattered: boolean;
  /** What the picture leaves out, in words. */
  cut: string | undefined;
}

/** Curves that one picture can keep apart. */
const MOST_CURVES = 8;
/** Cases that are marks of their own. */
const MOST_MARKS = 500;

const pointOn = (line: Line, size: number) => line.series.points.find((candidate) => candidate.size === size);

/**
 * The pictures of a sweep, by the parameter that the view wants or that with most values. A sweep of one parameter has one picture, with
 * a curve for each board size. A sweep of several has one for each size, with a curve for each combination of the others; where these are
 * too many, the first ones, and in a tune, whose points are everywhere, a mark for each case.
 */
export function responsesOf(sweep: Sweep, sizes: readonly number[], across?: string): Response[] {
  const parameter = axesOf(sweep, [across])[0]!;
  const swept = sweep.lines.filter(({ series }) => series.swept[parameter.name] !== undefined);
  const members = group(swept, (line) => othersOf(line, sweep, [parameter.name]));
  const place = new Map(parameter.values.map((value, i) => [value, i]));
  const pointsOf = (size: number, lines: readonly Line[]): Curve["points"] => {
    const points = lines.flatMap((line) => {
      const point = pointOn(line, size);
      return point === undefined ? [] : [{ value: line.series.swept[parameter.name]!, point }];
    });
    return points.sort((a, b) => place.get(a.value)! - place.get(b.value)!);
  };
  const curve = (name: string, index: number, points: Curve["points"]): Curve => ({
    case: { key: name, name, short: name, group: sweep.group, look: lookOf(index) },
    points,
  });
  const common = { parameter, scattered: false, cut: undefined };
  if (sweep.parameters.length === 1) {
    const curves = sizes.map((size, i) => curve(`size ${size}`, i, pointsOf(size, sweep.lines)));
    return [{ ...common, title: `${sweep.group}: by ${parameter.name}`, curves, single: true }];
  }
  const several = sizes.map((size) => ({ size, title: `${sweep.group}: by ${parameter.name}, size ${size}`, single: false }));
  if (members.size > MOST_VALUES && parameter.values.length > MOST_VALUES) {
    return several.map(({ size, ...own }) => {
      const all = sweep.lines.flatMap((line) => ((pointOn(line, size)?.games ?? 0) > 0 ? [line] : []));
      const most = all.sort((a, b) => pointOn(b, size)!.games - pointOn(a, size)!.games).slice(0, MOST_MARKS);
      const curves = most.map((line) => ({ case: { ...line.case, look: lookOf(0) }, points: pointsOf(size, [line]) }));
      const left = all.length > most.length ? ` The ${most.length} cases with most games of ${all.length} are drawn.` : "";
      return { ...common, ...own, curves, scattered: true, cut: `Every mark is a case; the other parameters differ as well.${left}` };
    });
  }
  const shown = [...members].slice(0, MOST_CURVES);
  const cut = members.size > shown.length ? `The first ${shown.length} of ${members.size} curves are drawn. Choose another parameter for the axis, or look at two parameters at once.` : undefined;
  return several.map(({ size, ...own }) => ({
    ...common,
    ...own,
    curves: shown.map(([name, lines], i) => curve(name, i, pointsOf(size, lines))),
    cut,
  }));
}
