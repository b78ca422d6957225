/** Differences of win rates by series and board size, each with its interval, around the line of no difference. */

import type { ComparedPoint, ComparedSeries } from "../api";
import type { Table } from "../export/table";
import { signed } from "../format";
import { linearAxis } from "./axis";
import type { Picture } from "./picture";
import { RowsChart, rowsHeight, type RowMark } from "./rows";

/** A pair of series in words. */
export function seriesWords({ left, right, against, budget }: ComparedSeries): string {
  return `${left === right ? left : `${left} − ${right}`} against ${against}, ${budget}`;
}

/** The axis as far as the intervals reach, in steps of 10 points, the same on both sides. */
function reachOf(series: readonly ComparedSeries[]): number {
  const ends = series.flatMap(({ points }) => points.flatMap(({ difference }) => (difference === null ? [] : [Math.abs(difference.low), Math.abs(difference.high)])));
  return Math.ceil(10 * Math.max(0.1, ...ends)) / 10;
}

function rowOf(name: string, { size, difference, verdict }: ComparedPoint): RowMark {
  const none = verdict === "same_cell" ? "the same games" : "not played";
  const words = difference === null ? none : `${signed(difference.value)} points, interval ${signed(difference.low)} to ${signed(difference.high)}`;
  const isDifferent = verdict === "differs";
  return {
    key: `${name} ${size}`,
    name: String(size),
    words: `${name}, board size ${size}: ${words}`,
    ends: difference ?? undefined,
    note: difference === null ? none : undefined,
    // The colour says no more than the filled marker.
    colour: isDifferent ? 1 : 0,
    isHollow: !isDifferent,
  };
}

/** The picture of some series; the table has all. */
export function differencesPicture(title: string, series: readonly ComparedSeries[], table: () => Table): Picture {
  const reach = reachOf(series);
  const groups = series.map((own) => ({ heading: seriesWords(own), rows: own.points.map((point) => rowOf(seriesWords(own), point)) }));
  const rows = { axis: linearAxis("Difference in points", [-reach, reach], { write: signed }), equal: 0, write: signed, groups };
  return { title, height: () => rowsHeight(rows), draw: (canvas) => <RowsChart rows={rows} canvas={canvas} />, table };
}
