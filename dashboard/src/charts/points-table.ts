/** The numbers of points as a table: one row for each mark of a picture. */

import type { Point } from "../api";
import type { Field, Table } from "../export/table";

const NUMBERS = [
  "size", "games", "wins", "draws", "losses", "pairs", "rate", "low", "high", "cs_low", "cs_high", "verdict", "elo", "elo_low", "elo_high", "cs_elo_low", "cs_elo_high",
] as const satisfies readonly (keyof Point)[];

/** The numbers of a table in a paper; the others are in the CSV file. */
const ON_PAPER: readonly string[] = ["rate", "low", "high", "games"];

export const fieldOf = (value: string | number | boolean): Field => (typeof value === "boolean" ? String(value) : value);

export function pointsTable(names: readonly string[], rows: readonly (readonly [own: readonly Field[], point: Point])[]): Table {
  return { columns: [...names, ...NUMBERS], rows: rows.map(([own, point]) => [...own, ...NUMBERS.map((name) => point[name] ?? null)]) };
}

/** The same with fewer numbers. */
export function paperTable({ columns, rows }: Table): Table {
  const kept = columns.flatMap((name, i) => (i < columns.indexOf(NUMBERS[0]) || ON_PAPER.includes(name) ? [i] : []));
  return { columns: kept.map((i) => columns[i]!), rows: rows.map((row) => kept.map((i) => row[i]!)) };
}
