/** A table with a column for every board size. */

import type { ComponentChildren } from "preact";

interface SizeTableProps {
  /** The class of the table. */
  kind: string;
  /** What the table shows, for screen readers. */
  label: string;
  /** The heading of the first column. */
  corner: string;
  sizes: readonly number[];
  /** The rows. */
  children: ComponentChildren;
}

export function SizeTable({ kind, label, corner, sizes, children }: SizeTableProps) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={kind}>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {sizes.map((size) => (
              <th key={size} scope="col">
                {size}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
