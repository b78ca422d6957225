/** An experiment's win rates as tables: short with a column for each size, long with a row for each cell. */

import type { Panel } from "../charts/panels";
import type { Analysed } from "../charts/standing";
import type { Table } from "./table";

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

/** A row for each case and size with everything that was counted. */
export function longTable(panel: Panel): Table {
  return {
    columns: ["case", "size", "rate", "low", "high", "cs_low", "cs_high", "elo", "elo_low", "elo_high", "wins", "draws", "losses", "games", "games_planned", "pairs", "verdict", "stop_outcome", "stop_pairs", "llr", "llr_lower", "llr_upper"],
    rows: panel.lines.flatMap(({ case: { name }, series }) =>
      series.points.map((point) => [
        name,
        point.size,
        point.rate,
        point.low,
        point.high,
        point.cs_low,
        point.cs_high,
        point.elo,
        point.elo_low,
        point.elo_high,
        point.wins,
        point.draws,
        point.losses,
        point.games,
        point.games_planned,
        point.pairs,
        point.verdict,
        point.stopping?.outcome ?? null,
        point.stopping?.pairs ?? null,
        point.stopping?.llr ?? null,
        point.stopping?.lower ?? null,
        point.stopping?.upper ?? null,
      ]),
    ),
  };
}
