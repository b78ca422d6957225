/** A table that scrolls in a region of its own, which the keyboard reaches, and the same as files. */

import type { ComponentChildren } from "preact";
import type { Table } from "../export/table";
import { Exports } from "./exports";

/** A table as files. */
export interface Files {
  /** The name of the files, and the caption in LaTeX. */
  name: string;
  table: () => Table | Promise<Table>;
}

/** A column: its heading, what stands in a row, and the class of its cells. */
export type Column<T> = readonly [
  heading: ComponentChildren,
  cell: (row: T, i: number) => ComponentChildren,
  kind?: string | undefined | ((row: T) => string | undefined),
];

type RowProps = { key?: string; class?: string | undefined; "aria-current"?: "step" | undefined } & Record<`data-${string}`, string | undefined>;

interface DataTableProps<T> {
  /** What the table shows, for screen readers. */
  label: string;
  /** The class of the table. */
  kind?: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** The attributes of a row. */
  rowProps?: (row: T) => RowProps;
  /** The number of the column whose cells name their rows; none if undefined is given. */
  named?: number | undefined;
  /** Whether it is a long table, which has a height of its own. */
  tall?: boolean;
  /** Whether the label is the caption of the table, too. */
  captioned?: boolean;
  /** The table as files. */
  files?: Files | undefined;
  /** Rows in place of, or after, those of the columns. */
  children?: ComponentChildren;
}

export function DataTable<T>({ label, kind, columns, rows, rowProps, tall = false, captioned = false, files, children, ...rest }: DataTableProps<T>) {
  const named = "named" in rest ? rest.named : 0;
  const cell = (row: T, i: number, [, of, kindOf]: Column<T>, place: number) => {
    const props = { key: place, class: typeof kindOf === "function" ? kindOf(row) : kindOf };
    return place === named ? <th scope="row" {...props}>{of(row, i)}</th> : <td {...props}>{of(row, i)}</td>;
  };
  const region = (
    <div class={tall ? "scroll tall" : "scroll"} role="region" aria-label={label} tabIndex={0}>
      <table class={kind}>
        {captioned && <caption class="visually-hidden">{label}</caption>}
        <thead>
          <tr>
            {columns.map(([heading], i) => (
              <th key={i} scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => {
            const { key = i, ...props } = rowProps?.(row) ?? {};
            return (
              <tr key={key} {...props}>
                {columns.map((column, place) => cell(row, i, column, place))}
              </tr>
            );
          })}
          {children}
        </tbody>
      </table>
    </div>
  );
  if (files === undefined) return region;
  return (
    <div class="with-files">
      {region}
      <Exports {...files} />
    </div>
  );
}
