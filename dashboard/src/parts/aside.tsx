/** Pairs that failed again and again: which, why, and how to hand them out again. */

import type { ExperimentReport } from "../api";
import { count, counted, moment } from "../format";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Words } from "./words";

export function Aside({ report: { summary, aside } }: { report: ExperimentReport }) {
  if (summary.pairs_aside === 0) return null;
  const unlisted = summary.pairs_aside - aside.length;
  return (
    <section class="aside" aria-labelledby="aside">
      <h2 id="aside">{counted(summary.pairs_aside, "pair")} set aside</h2>
      <p>
        They failed again and again and are not handed out any more, so that they hold up nothing. When the cause is gone,
        put them back: <code>gauntlet retry {summary.id}</code>
      </p>
      <DataTable label="Pairs set aside" columns={["Cell", "Pair", "Failed", "Since", "The last time"]} files={{
        name: `${summary.name}, pairs set aside`,
        table: () => ({
          columns: ["cell", "what", "pair", "failures", "since", "why"],
          rows: aside.map((pair) => [pair.cell, pair.what, pair.pair, pair.failures, new Date(pair.since_ms).toISOString(), pair.why]),
        }),
      }}>
        {aside.map((pair) => (
          <tr key={`${pair.cell}/${pair.pair}`}>
            <td>
              <a href={pathOf("cell", pair.cell)}>{pair.what}</a>
            </td>
            <td>{pair.pair}</td>
            <td>{count(pair.failures)}×</td>
            <td>{moment(pair.since_ms)}</td>
            <td class="why">
              <Words of={pair.why} />
            </td>
          </tr>
        ))}
      </DataTable>
      {unlisted > 0 && <p>And {counted(unlisted, "more pair")}.</p>}
    </section>
  );
}
