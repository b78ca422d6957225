/** Facts with their names, and the same as files. */

import type { ComponentChildren } from "preact";
import type { Table } from "../export/table";
import { DataTable } from "./data-table";

interface FactsTableProps {
  label: string;
  /** The name of the files. */
  name: string;
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  table: () => Table;
}

export function FactsTable({ label, name, columns, rows, table }: FactsTableProps) {
  return (
    <DataTable kind="list" label={label} columns={columns} files={{ name, table }} captioned>
      {rows.map(([head, ...cells], i) => (
        <tr key={i}>
          <th scope="row">{head}</th>
          {cells.map((cell, j) => (
            <td key={j}>{cell}</td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
