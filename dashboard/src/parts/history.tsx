/** How an experiment came to be what it is: its revisions, and what people changed while it ran. */

import { fetchHistory, revisionPath, type ExperimentReport, type ExperimentState, type Revision } from "../api";
import { isoTime, tableOf } from "../export/table";
import { useFetched } from "../live";
import { Activity } from "./activity";
import { DataTable } from "./data-table";
import { Section, ShortId, Time } from "./elements";
import { Trouble } from "./loaded";
import { RevisionChanges } from "./revision-changes";
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
  const table = () => tableOf(revisions, [["revision", ({ number }) => number], ["applied", ({ applied_ms }) => isoTime(applied_ms)], "who", "content"]);
  return (
    <Section id="revisions" title="Revisions of the file">
      <DataTable
        kind="timeline"
        label="Revisions"
        rows={revisions}
        named={undefined}
        columns={[
          ["Revision", ({ number }) => number],
          ["Applied", ({ applied_ms }) => <Time ms={applied_ms} />],
          ["Who", ({ who }) => who ?? "–"],
          ["Content", ({ content }) => <ShortId id={content} />],
          ["Plan", ({ number }) => <a href={revisionPath(id, number)} download={`${name}-${number}.json`}>As applied</a>],
        ]}
        files={{ name: `${name}, revisions`, table }}
      />
      {revisions[0] !== undefined && <RevisionChanges key={revisions[0].number} id={id} newest={revisions[0].number} />}
    </Section>
  );
}
