/** How an experiment came to be what it is: its revisions, and what people changed while it ran. */

import { fetchHistory, revisionPath } from "../api";
import type { ExperimentReport, ExperimentState, Revision } from "../api";
import { moment } from "../format";
import { useFetched } from "../live";
import { Activity } from "./activity";
import { DataTable } from "./data-table";
import { Trouble } from "./loaded";
import { RevisionChanges } from "./revision-changes";
import { ShortId } from "./short-id";
import { Timeline } from "./timeline";

/** States from which games may still come. */
const ONGOING: readonly ExperimentState[] = ["active", "paused", "stuck"];

export function History({ report }: { report: ExperimentReport }) {
  const { id, name, state } = report.summary;
  const fetched = useFetched(fetchHistory, id);
  const history = fetched.data;
  const changes = history?.changes ?? report.timeline;
  const isOver = !ONGOING.includes(state);
  return (
    <>
      <Trouble of={fetched} what="history" />
      {history !== undefined && <Activity name={name} games={history.games} changes={history.changes} now={isOver ? undefined : fetched.at} />}
      <Timeline changes={changes} name={name} />
      {history !== undefined && <Revisions id={id} name={name} revisions={history.revisions} />}
    </>
  );
}

function Revisions({ id, name, revisions }: { id: string; name: string; revisions: readonly Revision[] }) {
  return (
    <section aria-labelledby="revisions">
      <h2 id="revisions">Revisions of the file</h2>
      <DataTable kind="timeline" label="Revisions" columns={["Revision", "Applied", "Who", "Content", "Plan"]} files={{
        name: `${name}, revisions`,
        table: () => ({
          columns: ["revision", "applied", "who", "content"],
          rows: revisions.map(({ number, applied_ms, who, content }) => [number, new Date(applied_ms).toISOString(), who ?? null, content]),
        }),
      }}>
        {revisions.map(({ number, applied_ms, who, content }) => (
          <tr key={number}>
            <td>{number}</td>
            <td>
              <time dateTime={new Date(applied_ms).toISOString()}>{moment(applied_ms)}</time>
            </td>
            <td>{who ?? "–"}</td>
            <td>
              <ShortId id={content} />
            </td>
            <td>
              <a href={revisionPath(id, number)} download={`${name}-${number}.json`}>
                As applied
              </a>
            </td>
          </tr>
        ))}
      </DataTable>
      {revisions[0] !== undefined && <RevisionChanges key={revisions[0].number} id={id} newest={revisions[0].number} />}
    </section>
  );
}
