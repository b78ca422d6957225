/** What people changed while the experiment ran: the latest changes first. */

import type { AuditEntry } from "../api";
import { counted, moment } from "../format";
import { DataTable } from "./data-table";
import { Fold } from "./fold";
import { Words } from "./words";

/** So many successive changes of weights are one line. */
const RUN = 3;

/** Changes in their order, in which successive changes of weights are together if there are enough of them. */
export function together(changes: readonly AuditEntry[]): AuditEntry[][] {
  const runs: AuditEntry[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (change.action === "weight" && last?.[0]!.action === "weight") last.push(change);
    else runs.push([change]);
  }
  return runs.flatMap((run) => (run.length < RUN ? run.map((change) => [change]) : [run]));
}

/** Changes of weights in few words, from the first weight of the experiment to the last one. The latest change comes first. */
export function weightWords(changes: readonly AuditEntry[]): string {
  const own = changes.flatMap(({ detail }) => {
    const [, before, after] = /^(\S+) to (\S+)$/.exec(detail) ?? [];
    return before === undefined || after === undefined ? [] : [{ before, after }];
  });
  const [first, last] = [own.at(-1), own[0]];
  return `${counted(changes.length, "change")} of weights${first === undefined || last === undefined ? "" : `, ${first.before} to ${last.after}`}`;
}

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
      <DataTable kind="timeline stacked" label="List of changes" columns={["When", "Who", "What", "Details"]} files={files}>
        {together(changes).map((run) => {
          const { at_ms, action, detail } = run[0]!;
          const first = run.at(-1)!;
          return (
            <tr key={first.seq}>
              <td>
                <Time ms={at_ms} />
              </td>
              <td>{[...new Set(run.map((change) => change.who))].join(", ")}</td>
              <td>{action}</td>
              <td>
                {run.length === 1 ? (
                  <Words of={detail} />
                ) : (
                  <Fold name={`weights ${first.seq}`} kind="changes" summary={weightWords(run)}>
                    {() => (
                      <ul>
                        {run.map((change) => (
                          <li key={change.seq}>
                            <Time ms={change.at_ms} />, {change.who}: {change.detail}
                          </li>
                        ))}
                      </ul>
                    )}
                  </Fold>
                )}
              </td>
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}

function Time({ ms }: { ms: number }) {
  return <time dateTime={new Date(ms).toISOString()}>{moment(ms)}</time>;
}
