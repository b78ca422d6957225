/** Published values to draw beside an experiment's own. */

import type { Reference } from "./winrate-layout";

const COLUMNS = ["figure", "series", "size", "winrate"] as const;

/** The lines of a table of published values, by the names of their columns. */
function readTable(csv: string) {
  const [head, ...rows] = csv.trim().split(/\r?\n/).map((line) => line.split(","));
  const place = new Map((head ?? []).map((name, i) => [name.trim(), i]));
  const missing = COLUMNS.filter((name) => !place.has(name));
  if (missing.length > 0) throw new Error(`the reference file has no column ${missing.join(", ")}`);
  return { rows, cell: (row: string[], name: string) => row[place.get(name) ?? -1]?.trim() ?? "" };
}

/** The figures of such a file, in its order. */
export function figuresOf(csv: string): string[] {
  const { rows, cell } = readTable(csv);
  return [...new Set(rows.map((row) => cell(row, "figure")))];
}

/**
 * The values of one figure in a CSV file with the columns `figure, series, size, winrate` (in per cent). A series
 * belongs to the label that it equals, or whose value it is: `500` belongs to `rave_k=500`. Rows that the source
 * itself had commented out (column `commented_out`) are left out.
 */
export function readReferences(csv: string, figure: string, labels: readonly string[]): Reference[] {
  const { rows, cell } = readTable(csv);
  const own = rows.filter((row) => cell(row, "figure") === figure);
  if (own.length === 0) {
    const known = figuresOf(csv).join(", ");
    throw new Error(`the reference file has no figure ${figure}; it has ${known}`);
  }
  return own.flatMap((row): Reference[] => {
    const series = cell(row, "series");
    const label = labels.find((candidate) => candidate === series || candidate.endsWith(`=${series}`));
    if (label === undefined || cell(row, "commented_out") === "1") return [];
    return [{ label, size: Number(cell(row, "size")), rate: Number(cell(row, "winrate")) / 100 }];
  });
}
