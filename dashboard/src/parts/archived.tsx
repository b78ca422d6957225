/** Experiments in the archive, which other lists leave out. */

import { fetchExperiments } from "../api";
import { isoTime, tableOf } from "../export/table";
import { count, moment } from "../format";
import { useAll } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Words } from "./elements";
import { doneWords } from "./ended";

export function Archived() {
  const [open, setOpen] = useAll("archive");
  return (
    <section class="archived" aria-labelledby="archive">
      <h2 id="archive" class="visually-hidden">Archive</h2>
      <button type="button" class="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Without the archive" : "Archived experiments"}
      </button>
      {open && <ArchivedTable />}
    </section>
  );
}

function ArchivedTable() {
  const { data, trouble } = useFetched(fetchExperiments);
  if (data === undefined) return <p class="nothing">{trouble === undefined ? "…" : `They could not be loaded: ${trouble}.`}</p>;
  const archived = data.filter(({ state }) => state === "archived");
  if (archived.length === 0) return <p class="nothing">No experiment is in the archive.</p>;
  const table = () => tableOf(archived, ["id", "name", "question", "games_done", "games_planned", "games_not_needed", ["created", ({ created_ms }) => isoTime(created_ms)]]);
  return (
    <DataTable
      kind="list"
      label="Archived experiments"
      rows={archived}
      columns={[
        ["Experiment", ({ id, name }) => <a href={pathOf("experiment", id)}>{name}</a>],
        ["Question", ({ question }) => <Words of={question} />],
        ["Games", ({ games_done }) => count(games_done)],
        ["Done", doneWords],
        ["Applied", ({ created_ms }) => moment(created_ms)],
      ]}
      files={{ name: "archive", table }}
      captioned
    />
  );
}
