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

interface DataTableProps {
  /** What the table shows, for screen readers. */
  label: string;
  /** The class of the table. */
  kind?: string;
  /** The headings. */
  columns: readonly ComponentChildren[];
  /** Whether it is a long table, which has a height of its own. */
  tall?: boolean;
  /** Whether the label is the caption of the table, too. */
  captioned?: boolean;
  /** The table as files. */
  files?: Files | undefined;
  /** The rows. */
  children: ComponentChildren;
}

export function DataTable({ label, kind, columns, tall = false, captioned = false, files, children }: DataTableProps) {
  const region = (
    <div class={tall ? "scroll tall" : "scroll"} role="region" aria-label={label} tabIndex={0}>
      <table class={kind}>
        {captioned && <caption class="visually-hidden">{label}</caption>}
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={i} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
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
