/** What people changed while the experiment ran: the latest changes first. */

import type { AuditEntry } from "../api";
import { moment } from "../format";
import { DataTable } from "./data-table";

export function Timeline({ changes, name }: { changes: readonly AuditEntry[]; name: string }) {
  if (changes.length === 0) return null;
  const files = {
    name: `${name}, changes`,
    table: () => ({
      columns: ["at", "who", "action", "detail"],
      rows: changes.map(({ at_ms, who, action, detail }) => [new Date(at_ms).toISOString(), who, action, detail]),
    }),
  };
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Changes while it ran</h2>
      <DataTable kind="timeline" label="List of changes" columns={["When", "Who", "What", "Details"]} files={files}>
        {changes.map(({ seq, at_ms, who, action, detail }) => (
          <tr key={seq}>
            <td>
              <time dateTime={new Date(at_ms).toISOString()}>{moment(at_ms)}</time>
            </td>
            <td>{who}</td>
            <td>{action}</td>
            <td>{detail}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
