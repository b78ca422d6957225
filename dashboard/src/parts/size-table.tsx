/** A table with a column for every board size. */

import type { ComponentChildren } from "preact";
import { DataTable } from "./data-table";
import type { Files } from "./data-table";

interface SizeTableProps {
  /** The class of the table. */
  kind: string;
  /** What the table shows, for screen readers. */
  label: string;
  /** The heading of the first column. */
  corner: string;
  sizes: readonly number[];
  /** The heading of a column after the sizes, if there is one. */
  last?: string | undefined;
  /** The table as files. */
  files?: Files | undefined;
  /** The rows. */
  children: ComponentChildren;
}

export function SizeTable({ kind, label, corner, sizes, last, files, children }: SizeTableProps) {
  return (
    <DataTable kind={kind} label={label} columns={[corner, ...sizes, ...(last === undefined ? [] : [last])]} files={files} captioned>
      {children}
    </DataTable>
  );
}
