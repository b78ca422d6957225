/** What a revision of an experiment's file has otherwise than an earlier one, in words and by case. */

import { range as numbersIn } from "d3-array";
import { fetchRevisionChanges, type CaseDifference, type CellChange, type RevisionChanges as Changes } from "../api";
import { count, counted } from "../format";
import { useParameter } from "../frame";
import { revisionsPath } from "../sides";
import { DataTable } from "./data-table";
import { options, Select, Words } from "./elements";
import { Fold } from "./fold";
import { Fetch } from "./loaded";

const VERBS: Record<CellChange, string> = { added: "adds", reopened: "reopens", changed: "changes", closed: "closes", kept: "keeps" };

/** Changes that are shown with their cases; what is kept is only counted, and what is closed is folded. */
const LISTED = ["added", "reopened", "changed"] as const;

/** What a revision does, such as `Revision 3 adds 7 cells and keeps 40 cells.` */
export function changeWords({ number, since, cells }: Changes): string {
  const parts = (Object.keys(VERBS) as CellChange[])
    .filter((change) => cells[change] > 0)
    .map((change) => `${VERBS[change]} ${counted(cells[change], "cell")}`);
  const all = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "has no cells");
  return `${since === 0 ? `Revision ${number}` : `Compared with revision ${since}, revision ${number}`} ${all}.`;
}

export function RevisionChanges({ id, newest }: { id: string; newest: number }) {
  const [chosen, choose] = useParameter("revision");
  const [since, setSince] = useParameter("since");
  const number = revisionOf(chosen, newest) ?? newest;
  const from = revisionOf(since, number - 1) ?? number - 1;
  return (
    // A link to a revision has it open.
    <Fold name="revisions" atFirst={chosen !== undefined} summary="What a revision changed">
      {() => (
        <>
          <p class="tools">
            <Select label="Revision" value={number} options={options(numbersIn(1, newest + 1))} choose={(next) => choose(String(next))} />
            <Select label="compared with" value={from} options={numbersIn(0, number).map((own) => [own, own === 0 ? "nothing" : String(own)] as const)} choose={(next) => setSince(String(next))} />
            {from > 0 && <a href={revisionsPath(id, from, number)}>Their results side by side</a>}
          </p>
          <Fetch load={fetchRevisionChanges} args={[id, number, from]} what="revision">
            {(changes) => <ChangesShown changes={changes} />}
          </Fetch>
        </>
      )}
    </Fold>
  );
}

/** The number of a revision that an address names, if there is one. */
function revisionOf(text: string | undefined, most: number): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

export function ChangesShown({ changes }: { changes: Changes }) {
  const of = (wanted: readonly CellChange[]) => changes.cases.filter(({ change }) => wanted.includes(change));
  const closed = of(["closed"]);
  return (
    <>
      <p>{changeWords(changes)}</p>
      {changes.settings.length > 0 && (
        <ul>
          {changes.settings.map((words) => (
            <li key={words}>
              <Words of={words} />
            </li>
          ))}
        </ul>
      )}
      <Cases label="Cases that the revision adds or changes" cases={of(LISTED)} />
      {closed.length > 0 && (
        <Fold name="closed" summary={<>Closed: {counted(closed.length, "case")}</>}>
          <Cases label="Closed cases" cases={closed} />
          <p class="meaning">The games of closed cells stay stored, and count again when a revision brings the cell back.</p>
        </Fold>
      )}
      {changes.file !== undefined && (
        <Fold name="file" summary={<>The file of revision {changes.number}</>}>
          <pre tabIndex={0} aria-label={`The file of revision ${changes.number}`}>
            {changes.file}
          </pre>
        </Fold>
      )}
    </>
  );
}

function Cases({ label, cases }: { label: string; cases: readonly CaseDifference[] }) {
  if (cases.length === 0) return null;
  return (
    <DataTable
      kind="list"
      label={label}
      rows={cases}
      columns={[
        ["Case", ({ group, case: name }) => <span title={group}>{name}</span>, "name"],
        ["Baseline", ({ baseline }) => baseline, "name"],
        ["Change", ({ change }) => change],
        ["Cells", ({ cells }) => count(cells)],
        ["Games planned", ({ games_planned }) => count(games_planned)],
        ["Games played", ({ games_played }) => count(games_played)],
      ]}
      tall
    />
  );
}
