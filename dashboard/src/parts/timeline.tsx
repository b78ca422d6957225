/** What people changed while the experiment ran: the latest changes first. */

import type { AuditEntry } from "../api";
import { isoTime, tableOf } from "../export/table";
import { counted } from "../format";
import { DataTable } from "./data-table";
import { Section, Time, Words } from "./elements";
import { Fold } from "./fold";

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
  return (
    <Section id="timeline" title="Changes while it ran">
      <DataTable
        kind="timeline stacked"
        label="List of changes"
        rows={together(changes)}
        rowProps={(run) => ({ key: String(run.at(-1)!.seq) })}
        named={undefined}
        columns={[
          ["When", (run) => <Time ms={run[0]!.at_ms} />],
          ["Who", (run) => [...new Set(run.map(({ who }) => who))].join(", ")],
          ["What", (run) => run[0]!.action],
          ["Details", (run) => (run.length === 1 ? <Words of={run[0]!.detail} /> : <Weights run={run} />)],
        ]}
        files={{ name: `${name}, changes`, table: () => tableOf(changes, [["at", ({ at_ms }) => isoTime(at_ms)], "who", "action", "detail"]) }}
      />
    </Section>
  );
}

function Weights({ run }: { run: readonly AuditEntry[] }) {
  return (
    <Fold name={`weights ${run.at(-1)!.seq}`} kind="changes" summary={weightWords(run)}>
      {() => (
        <ul>
          {run.map(({ seq, at_ms, who, detail }) => (
            <li key={seq}>
              <Time ms={at_ms} />, {who}: {detail}
            </li>
          ))}
        </ul>
      )}
    </Fold>
  );
}
