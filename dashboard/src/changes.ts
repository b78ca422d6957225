/** Puts a report together from an earlier one and what has changed since. */

import type { ExperimentReport } from "./api-types";

/** A report with these changes. Series without a change stay the same objects. */
export function changed(known: ExperimentReport, news: ExperimentReport): ExperimentReport {
  const points = new Map(news.series.flatMap((series) => series.points.map((point) => [point.cell, point])));
  const series = known.series.map((old) =>
    old.points.some(({ cell }) => points.has(cell)) ? { ...old, points: old.points.map((point) => points.get(point.cell) ?? point) } : old,
  );
  return { ...news, series };
}
