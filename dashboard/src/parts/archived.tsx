/** Experiments in the archive, which other lists leave out. */

import { fetchExperiments } from "../api";
import type { ExperimentSummary } from "../api";
import { count, moment, percent } from "../format";
import { useAll } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";

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
      {archived.map(({ id, name, question, games_done: done, games_planned: planned, created_ms: created }) => (
        <tr key={id}>
          <th scope="row">
            <a href={pathOf("experiment", id)}>{name}</a>
          </th>
          <td>{question}</td>
          <td>{count(done)}</td>
          <td>{percent(done / Math.max(1, planned))} %</td>
          <td>{moment(created)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function tableOf(archived: readonly ExperimentSummary[]) {
  return {
    columns: ["id", "name", "question", "games_done", "games_planned", "created"],
    rows: archived.map(({ id, name, question, games_done, games_planned, created_ms }) => [id, name, question, games_done, games_planned, new Date(created_ms).toISOString()]),
  };
}
