/** Numbers as files: CSV for programs, JSON for others, LaTeX for papers. */

import { escapeLatex } from "./latex";

export type Field = string | number | null;

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly Field[])[];
}

/** What makes a spreadsheet compute a text; behind an apostrophe it does not. `protocol/src/table.rs` does the same. */
const COMPUTED = /^'*[=+\-@\t\r]/;

/** A table as CSV, by RFC 4180. */
export function csv({ columns, rows }: Table): string {
  const field = (value: Field) => {
    const plain = value === null ? "" : String(value);
    const text = typeof value === "string" && COMPUTED.test(plain) && Number.isNaN(Number(plain)) ? `'${plain}` : plain;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

/** A field, in quotes or without, and what ends it. */
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** The rows of a CSV file by RFC 4180, with the heading; empty lines are left out. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const file = text.replace(/^\ufeff/, "");
  FIELD.lastIndex = 0;
  for (let end = ","; end !== ""; ) {
    const field = FIELD.exec(file);
    if (field === null) throw new Error(`row ${rows.length + 1}, field ${row.length + 1}: a quotation mark has no partner`);
    const [, quoted, plain = ""] = field;
    end = field[3]!;
    const text = quoted?.replaceAll('""', '"') ?? plain;
    row.push(text.startsWith("'") && COMPUTED.test(text) ? text.slice(1) : text);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows.filter((fields) => fields.length > 1 || fields[0] !== "");
}

/** A table as a JSON array with an object for each row. */
export function json({ columns, rows }: Table): string {
  const objects = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}

/** A text as a LaTeX comment. */
const comment = (text: string) => `% ${text.replace(/[\r\n]+/g, " ")}\n`;

/** A table as a LaTeX tabular. It needs the package booktabs. */
export function latexTable({ columns, rows }: Table, caption: string): string {
  const line = (row: readonly Field[]) => {
    const cells = row.map((value) => (typeof value === "number" ? String(+value.toFixed(4)) : escapeLatex(value ?? "")));
    return `    ${cells.join(" & ")} \\\\\n`;
  };
  const kinds = columns.map((_, i) => (rows.some((row) => typeof row[i] === "number") ? "r" : "l")).join("");
  return (
    comment(caption) +
    `% \\usepackage[T1]{fontenc} \\usepackage{booktabs}\n\\begin{table}\n  \\centering\n  \\begin{tabular}{${kinds}}\n    \\toprule\n${line(columns)}    \\midrule\n` +
    `${rows.map(line).join("")}    \\bottomrule\n  \\end{tabular}\n  \\caption{${escapeLatex(caption)}}\n\\end{table}\n`
  );
}

/** Rows as a table: a column is a property of its name, or a name with what stands there. */
export function tableOf<T extends object>(rows: readonly T[], columns: readonly (keyof T & string | readonly [name: string, field: (row: T) => Field | undefined])[]): Table {
  const fields = columns.map((column) => (typeof column === "string" ? ([column, (row: T) => row[column] as Field | undefined] as const) : column));
  return { columns: fields.map(([name]) => name), rows: rows.map((row) => fields.map(([, field]) => field(row) ?? null)) };
}

/** A time in milliseconds since 1970 as files have it. */
export const isoTime = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms).toISOString());
