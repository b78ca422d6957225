/** Pairs that failed again and again: which, why, and how to hand them out again. */

import type { ExperimentReport } from "../api";
import { count, counted, moment } from "../format";

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
      <div class="scroll" role="region" aria-label="Pairs set aside" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Cell</th>
              <th scope="col">Pair</th>
              <th scope="col">Failed</th>
              <th scope="col">Since</th>
              <th scope="col">The last time</th>
            </tr>
          </thead>
          <tbody>
            {aside.map((pair) => (
              <tr key={`${pair.cell}/${pair.pair}`}>
                <td>{pair.what}</td>
                <td>{pair.pair}</td>
                <td>{count(pair.failures)}×</td>
                <td>{moment(pair.since_ms)}</td>
                <td class="why">{pair.why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unlisted > 0 && <p>And {counted(unlisted, "more pair")}.</p>}
    </section>
  );
}
