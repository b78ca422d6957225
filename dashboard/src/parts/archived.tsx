/** Experiments in the archive, which other lists leave out. */

import { fetchExperiments } from "../api";
import type { ExperimentSummary } from "../api";
import { count, moment } from "../format";
import { useAll } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { doneWords } from "./ended";
import { Words } from "./words";

export function Archived() {
  const [open, setOpen] = useAll("archive");
  return (
    <section class="archived" aria-labelledby="archive">
      <h2 id="archive" class="visually-hidden">
        Archive
      </h2>
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Without the archive" : "Archived experiments"}
      </button>
      {open && <Found />}
    </section>
  );
}

function Found() {
  const { data, trouble } = useFetched(fetchExperiments);
  if (data === undefined) return <p class="nothing">{trouble === undefined ? "…" : `They could not be loaded: ${trouble}.`}</p>;
  const archived = data.filter(({ state }) => state === "archived");
  if (archived.length === 0) return <p class="nothing">No experiment is in the archive.</p>;
  return (
    <DataTable kind="list" label="Archived experiments" columns={["Experiment", "Question", "Games", "Done", "Applied"]} files={{ name: "archive", table: () => tableOf(archived) }} captioned>
      {archived.map((summary) => (
        <tr key={summary.id}>
          <th scope="row">
            <a href={pathOf("experiment", summary.id)}>{summary.name}</a>
          </th>
          <td>
            <Words of={summary.question} />
          </td>
          <td>{count(summary.games_done)}</td>
          <td>{doneWords(summary)}</td>
          <td>{moment(summary.created_ms)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function tableOf(archived: readonly ExperimentSummary[]) {
  return {
    columns: ["id", "name", "question", "games_done", "games_planned", "games_not_needed", "created"],
    rows: archived.map(({ id, name, question, games_done, games_planned, games_not_needed, created_ms }) => [id, name, question, games_done, games_planned, games_not_needed, new Date(created_ms).toISOString()]),
  };
}
