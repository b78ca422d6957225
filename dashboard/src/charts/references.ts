/** Published values to draw beside an experiment's own. */

import type { ExperimentReport } from "../api";
import { readCsv } from "../export/table";
import { arrange } from "./panels";
import type { Reference } from "./winrate-layout";

const COLUMNS = ["figure", "series", "size", "winrate"] as const;

/** A point of a published figure. */
export interface Published {
  figure: string;
  series: string;
  size: number;
  rate: number;
}

/**
 * The points of a CSV file with the columns `figure, series, size, winrate` (in per cent). Rows that the source itself
 * had commented out (column `commented_out`) are left out.
 */
export function readPublished(csv: string): Published[] {
  const [head = [], ...rows] = readCsv(csv);
  const place = new Map(head.map((name, i) => [name.trim().toLowerCase(), i]));
  const missing = COLUMNS.filter((name) => !place.has(name));
  if (missing.length > 0) throw new Error(`the reference file has no column ${missing.join(", ")}`);
  const cell = (row: readonly string[], name: string) => row[place.get(name) ?? -1]?.trim() ?? "";
  return rows.flatMap((row, i): Published[] => {
    if (cell(row, "commented_out") === "1") return [];
    const read = <T>(name: (typeof COLUMNS)[number], of: (text: string) => T | undefined, wanted: string): T => {
      const value = of(cell(row, name));
      // The heading is the first row.
      if (value === undefined) throw new Error(`row ${i + 2}, column ${name}: ${wanted} is wanted, not "${cell(row, name)}"`);
      return value;
    };
    const word = (text: string) => (text === "" ? undefined : text);
    return [
      {
        figure: read("figure", word, "a name"),
        series: read("series", word, "a name"),
        size: read("size", sizeOf, "a board size"),
        rate: read("winrate", rateOf, "a percentage from 0 to 100"),
      },
    ];
  });
}

const sizeOf = (text: string) => (/^\d{1,2}$/.test(text) ? Number(text) : undefined);

function rateOf(text: string): number | undefined {
  const number = text.replace(/\s*%$/, "");
  const rate = Number(number) / 100;
  return number !== "" && rate >= 0 && rate <= 1 ? rate : undefined;
}

/** The figures of these points, in the order of the file. */
export const figuresOf = (points: readonly Published[]): string[] => [...new Set(points.map(({ figure }) => figure))];

/** The points of one figure. A series belongs to the label that it equals, or whose value it is: `500` belongs to `rave_k=500`. */
export function referencesOf(points: readonly Published[], figure: string, labels: readonly string[]): Reference[] {
  const own = points.filter((point) => point.figure === figure);
  if (own.length === 0) throw new Error(`the reference file has no figure ${figure}; it has ${figuresOf(points).join(", ")}`);
  return own.flatMap(({ series, size, rate }): Reference[] => {
    const label = labels.find((candidate) => candidate === series || candidate.endsWith(`=${series}`));
    return label === undefined ? [] : [{ label, size, rate }];
  });
}

/** The keys of the cases that none of these points belongs to. */
export function casesWithout(references: readonly Reference[], report: ExperimentReport): string[] {
  const owned = new Set(references.map(({ label }) => label));
  const lines = arrange(report).panels.flatMap((panel) => panel.lines);
  return [...new Set(lines.flatMap(({ case: { key }, series: { label } }) => (owned.has(label) ? [] : [key])))];
}
