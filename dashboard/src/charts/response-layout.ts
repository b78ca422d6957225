/** Where everything of a parameter-response picture stands: win rate by the value of one parameter. */

import type { Point } from "../api";
import { lookOf } from "./palette";
import type { Case } from "./panels";
import { othersOf, place } from "./sweeps";
import type { Parameter, Sweep } from "./sweeps";
import { endLabels, frame, pathOf, placePoint } from "./winrate-layout";
import type { Frame, PlacedPoint, WinRateLayout } from "./winrate-layout";

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
}

/** Curves that one picture can keep apart. */
const MOST_CURVES = 8;
/** Farthest that neighbouring curves stand apart at a value, in pixels. */
const DODGE = 5;
/** Smallest distance of two values that are both written, in pixels. */
const TICK_GAP = 34;

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
    return [{ title: `${sweep.group}: by ${parameter.name}`, parameter, curves }];
  }
  const others = [...new Set(sweep.lines.map((line) => othersOf(line, sweep, [parameter.name])))].slice(0, MOST_CURVES);
  return sizes.map((size) => ({
    title: `${sweep.group}: by ${parameter.name}, size ${size}`,
    parameter,
    curves: others.map((name, i) => curve(name, i, pointsOf(size, name))),
  }));
}

export function layoutResponse({ parameter, curves }: Response, input: Frame): WinRateLayout {
  const texts = curves.map((curve) => curve.case.name);
  const { left, right, top, bottom, yOf, ...axes } = frame(input, texts);
  const pad = Math.min(28, (right - left) / 8);
  const xOf = (value: Curve["points"][number]["value"]) => left + pad + place(parameter, value) * (right - left - 2 * pad);
  const lines = curves.map(({ case: owner, points }, index) => {
    const offset = (index - (curves.length - 1) / 2) * DODGE;
    const placed = points.flatMap(({ value, point }): PlacedPoint[] => {
      const name = `${parameter.name}=${String(value)}, ${owner.name.startsWith("size") ? "" : `${owner.name}, `}board size ${point.size}`;
      return placePoint(owner, point, { x: xOf(value) + offset, yOf, column: parameter.values.indexOf(value), name });
    });
    return { case: owner, path: pathOf(placed), points: placed };
  });
  let last = -Infinity;
  const columns = parameter.values.flatMap((value) => {
    const x = xOf(value);
    if (x - last < TICK_GAP) return [];
    last = x;
    return [{ x, text: String(value) }];
  });
  return {
    left,
    right,
    top,
    bottom,
    ...axes,
    axis: parameter.scale === "log" ? `${parameter.name} (logarithmic)` : parameter.name,
    columns,
    lines,
    others: [],
    labels: endLabels(lines, input.endLabels ? texts : undefined, { right, top, bottom }),
    references: [],
  };
}
