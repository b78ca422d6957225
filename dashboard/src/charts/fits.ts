/** The curves that the coordinator fits to the win rates of a sweep, in words and in their place on a picture. */

import type { Curve, ParameterCurve } from "../api";
import { inPercent } from "../format";
import type { Case, Line } from "./panels";
import type { Response } from "./responses";

export interface Fit {
  /** The curve of the picture that it was fitted to; none if it is the average of all. */
  case: Case | undefined;
  curve: Curve;
  /** The optimum in words. */
  words: string;
}

const VALUE = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, useGrouping: false });

/** What the games say about the best value of a parameter. */
function optimumWords({ parameter, size, curve: { optimum, misfit, from, to } }: ParameterCurve, isPooled: boolean): string {
  const on = isPooled ? (size === null ? "Over all groups and sizes" : `Over all groups, size ${size}`) : size === null ? "Over all sizes" : `Size ${size}`;
  const { kind, at, low, high, rate } = optimum;
  const height = `${inPercent(rate)} by the curve`;
  const range = `${VALUE.format(low)} to ${VALUE.format(high)}`;
  const atEnd = (end: string, beyond: string) =>
    low <= from && high >= to
      ? `the ${end} ${parameter} tried looks best, ${height}, but the other end is not excluded: try ${beyond} ones`
      : `the ${end} ${parameter} tried looks best, ${height}; if there is one peak, it is from ${range} or beyond that end: try ${beyond} ones`;
  const found = {
    inside: `best ${parameter} ≈ ${VALUE.format(at)} with ${height}; if there is one peak, it is from ${range}`,
    open: `best ${parameter} ≈ ${VALUE.format(at)} with ${height}; if there is one peak, it is from ${range}, up to an end of the sweep`,
    lower_end: atEnd("smallest", "smaller"),
    upper_end: atEnd("largest", "larger"),
    flat: `the games show no effect of ${parameter}`,
  }[kind];
  // At the same level as the coordinator's own test.
  const doubt = misfit !== null && misfit.p_value < 0.05 ? "; the curve does not fit well" : "";
  return `${on}: ${found}${doubt}.`;
}

/** Whether the coordinator's curves of a parameter are fitted to more than one group of these lines: a curve has no group. */
export function isPooled(parameter: string, lines: readonly Line[]): boolean {
  return new Set(lines.flatMap(({ case: { group }, series: { swept } }) => (parameter in swept ? [group] : []))).size > 1;
}

/**
 * The fits that belong to a picture: one for each size of a sweep of one parameter, or the average of the others' values. Pooled fits are
 * of all groups.
 */
export function fitsOf(response: Response, curves: readonly ParameterCurve[], pooled = false): Fit[] {
  const own = curves.filter(({ parameter }) => parameter === response.parameter.name);
  const sizes = new Set(response.curves.flatMap(({ points }) => points.map(({ point }) => point.size)));
  const ofSize = (size: number) => own.find((curve) => curve.size === size) ?? (sizes.size === 1 ? own.find((curve) => curve.size === null) : undefined);
  if (response.single) {
    return response.curves.flatMap(({ case: owner, points }) => {
      const size = points[0]?.point.size;
      const found = size === undefined ? undefined : ofSize(size);
      return found === undefined ? [] : [{ case: owner, curve: found.curve, words: optimumWords(found, pooled) }];
    });
  }
  return [...sizes].flatMap((size) => {
    const found = ofSize(size);
    return found === undefined ? [] : [{ case: undefined, curve: found.curve, words: optimumWords(found, pooled) }];
  });
}
