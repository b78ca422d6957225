/** What machines play at the moment, as far as they have said. */

import { fetchPairsInPlay } from "../api";
import { ago, counted } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { FirstExperiment } from "./first-experiment";
import { Fold } from "./fold";

export function InPlay() {
  const { data } = useFetched(fetchPairsInPlay);
  if (data === undefined || data.pairs.length === 0) return null;
  const { pairs, total, now_ms: now } = data;
  return (
    <Fold name="in play" kind="in-play" summary={<>{counted(total, "pair")} in play{pairs.length < total && `, ${pairs.length} of them listed`}</>}>
      <DataTable kind="games" label="Pairs in play" columns={["Watch", "Worker", "Case", "Baseline", "Size", "Moves so far", "Moved on", "Lent", "Experiment"]} files={{
        name: "pairs in play",
        table: () => ({
          columns: ["lease", "worker", "case", "baseline", "size", "plies", "progress_ms", "granted_ms"],
          rows: pairs.map((pair) => [pair.lease, pair.worker_name, pair.case, pair.baseline, pair.size, pair.plies, pair.progress_ms, pair.granted_ms]),
        }),
      }}>
        {pairs.map((pair) => (
          <tr key={pair.lease}>
            <th scope="row">
              <a href={`${pathOf("games")}?live=${pair.lease}`}>{pair.lease.slice(0, 8)}</a>
            </th>
            <td class="name">
              <a href={pathOf("worker", pair.worker)}>{pair.worker_name}</a>
            </td>
            <td class="name">{pair.case}</td>
            <td class="name">{pair.baseline}</td>
            <td class="number">{pair.size}</td>
            <td class="number">{pair.plies}</td>
            <td>{ago((now - pair.progress_ms) / 1000)}</td>
            <td>{ago((now - pair.granted_ms) / 1000)}</td>
            <td class="name">
              <FirstExperiment of={pair.experiments} />
            </td>
          </tr>
        ))}
      </DataTable>
      <p class="meaning">Both games of a pair together, as its worker said with its last call. The games appear below when they are over.</p>
    </Fold>
  );
}
