/** What machines play at the moment, as far as they have said. */

import { fetchPairsInPlay, type PairInPlay } from "../api";
import { tableOf } from "../export/table";
import { ago, counted } from "../format";
import { useFetched } from "../live";
import { pathOf, withQuery } from "../routes";
import { DataTable, type Column } from "./data-table";
import { FirstExperiment } from "./elements";
import { Fold } from "./fold";

interface PairsTableProps {
  label: string;
  /** The name of its files. */
  name: string;
  pairs: readonly PairInPlay[];
  now: number;
  /** Whether the machine of each pair is named. */
  hasWorkers: boolean;
}

/** Pairs that machines hold. One without a move waits for a slot. */
export function PairsTable({ label, name, pairs, now, hasWorkers }: PairsTableProps) {
  const worker: Column<PairInPlay> = ["Worker", (pair) => <a href={pathOf("worker", pair.worker)}>{pair.worker_name}</a>, "name"];
  return (
    <DataTable
      kind="games"
      label={label}
      rows={pairs}
      rowProps={({ lease }) => ({ key: lease })}
      columns={[
        ["Watch", ({ lease, plies }) => (plies === 0 ? lease.slice(0, 8) : <a href={withQuery(pathOf("games"), { live: lease })}>{lease.slice(0, 8)}</a>)],
        ...(hasWorkers ? [worker] : []),
        ["Case", (pair) => <a href={pathOf("cell", pair.cell)}>{pair.case}</a>, "name"],
        ["Baseline", ({ baseline }) => baseline, "name"],
        ["Size", ({ size }) => size, "number"],
        ["Moves so far", ({ plies }) => (plies === 0 ? "waiting" : plies), "number"],
        ["Moved on", ({ plies, progress_ms }) => plies > 0 && ago((now - progress_ms) / 1000)],
        ["Lent", ({ granted_ms }) => ago((now - granted_ms) / 1000)],
        ["Experiment", ({ experiments }) => <FirstExperiment of={experiments} />, "name"],
      ]}
      files={{
        name,
        table: () => tableOf(pairs, ["lease", ["worker", (pair) => pair.worker_name], "case", "baseline", "size", "plies", "progress_ms", "granted_ms", ["experiment", ({ experiments }) => experiments[0]?.name]]),
      }}
    />
  );
}

export function InPlay() {
  const { data } = useFetched(fetchPairsInPlay);
  if (data === undefined || data.pairs.length === 0) return null;
  const { pairs, total, now_ms: now } = data;
  return (
    <Fold name="in play" kind="in-play" summary={<>{counted(total, "pair")} in play{pairs.length < total && `, ${pairs.length} of them listed`}</>}>
      <PairsTable label="Pairs in play" name="pairs in play" pairs={pairs} now={now} hasWorkers />
      <p class="meaning">Both games of a pair together, as its worker said with its last call. The games appear below when they are over.</p>
    </Fold>
  );
}
