/** An experiment's win rates as tables: short with a column for each size, long with a row for each cell. */

import type { Point } from "../api";
import type { Panel } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import { tableOf, type Table } from "./table";

/** A row for each case with its rate on each size, and the average over sizes by the coordinator. */
export function shortTable(panel: Panel, sizes: readonly number[], analysed: Analysed | undefined): Table {
  const averages = new Map(analysed?.ranking(panel).map(({ line, result }) => [line.case.key, result.rate]));
  return {
    columns: ["case", ...sizes.map((size) => `size ${size}`), "average"],
    rows: panel.lines.map(({ case: { key, name }, series }) => [
      name,
      ...sizes.map((size) => series.points.find((point) => point.size === size)?.rate ?? null),
      averages.get(key) ?? null,
    ]),
  };
}

const COUNTED = ["size", "rate", "low", "high", "cs_low", "cs_high", "elo", "elo_low", "elo_high", "wins", "draws", "losses", "games", "games_planned", "pairs", "verdict"] as const;

/** The results of a stopping rule, by the names of their columns. */
const STOPPING = { stop_outcome: "outcome", stop_pairs: "pairs", llr: "llr", llr_lower: "lower", llr_upper: "upper" } as const;

/** A row for each case and size with everything that was counted. */
export const longTable = (panel: Panel): Table =>
  tableOf(
    panel.lines.flatMap(({ case: { name }, series }) => series.points.map((point) => ({ ...point, name }))),
    [["case", ({ name }) => name], ...COUNTED, ...Object.entries(STOPPING).map(([name, own]) => [name, ({ stopping }: Point) => stopping?.[own]] as const)],
  );
