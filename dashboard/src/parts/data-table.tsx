/** A table that scrolls in a region of its own, which the keyboard reaches. */

import type { ComponentChildren } from "preact";

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
  /** The rows. */
  children: ComponentChildren;
}

export function DataTable({ label, kind, columns, tall = false, captioned = false, children }: DataTableProps) {
  return (
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
}
