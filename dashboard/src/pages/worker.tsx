/** One machine: what it does and why, how fast it is, what it played, and what it says of itself. */

import type { ComponentChildren } from "preact";
import { fetchMachine } from "../api";
import type { MachineReport } from "../api";
import { Speeds } from "../charts/speeds";
import { PAPER, SCREEN } from "../charts/palette";
import { Paper, PAPER_WIDTH } from "../charts/paper";
import { ago, budget, clock, count, counted, moment, inPercent, ratio } from "../format";
import { useFrame, useTitle } from "../frame";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { Ago } from "../parts/ago";
import { DataTable } from "../parts/data-table";
import { Exports } from "../parts/exports";
import { FirstExperiment } from "../parts/first-experiment";
import { Loaded } from "../parts/loaded";
import { doing, heardAt, MachineWords, SpeedTable } from "../parts/machine";
import { MachineActions } from "../parts/machine-actions";
import { allows } from "../parts/session";
import { ShortId } from "../parts/short-id";
import { useWidth } from "../parts/use-width";
import { Words } from "../parts/words";
import { pathOf } from "../routes";

export function WorkerPage({ id }: { id: string }) {
  const fetched = useFetched(fetchMachine, id);
  useTitle(fetched.data === undefined ? "Worker" : `Worker ${fetched.data.worker.name}`);
  return (
    <Loaded of={fetched} what="worker">
      {(report, { at }) => <Machine report={report} at={at} />}
    </Loaded>
  );
}

function Machine({ report, at }: { report: MachineReport; at: number }) {
  const { session } = useFrame();
  const { worker, token, reasons } = report;
  const state = doing(worker);
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          <a href={pathOf("workers")}>Workers</a>
        </p>
        <h1 class="long">
          {worker.name} <ShortId id={worker.id} />
        </h1>
        <p class="facts">
          <span data-testid="state">
            <b>{state}</b>
          </span>
          <span>
            heard <Ago since={heardAt(worker, at)} />
          </span>
          <span>version {worker.version}</span>
          {worker.labels.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </p>
        <MachineWords worker={worker} />
        {allows(session, "admin") ? (
          <MachineActions machines={{ named: worker.id }} name={worker.name} worker={worker} token={token} />
        ) : (
          <p class="actions-hint">
            To pause, drain or quarantine it, sign in with a token of the scope <code>admin</code>, or use <code>gauntlet fleet</code>.
          </p>
        )}
      </header>
      <Facts report={report} />
      <section aria-labelledby="why">
        <h2 id="why">Why it stands so</h2>
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>
              <Words of={reason} />
            </li>
          ))}
        </ul>
      </section>
      <SpeedOverTime report={report} />
      <InPlay report={report} />
      <Cells report={report} />
      <Log report={report} at={at} />
    </>
  );
}

function Fact({ name, meaning, children }: { name: string; meaning: string; children: ComponentChildren }) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd class="value">{children}</dd>
      <dd class="note">{meaning}</dd>
    </div>
  );
}

/** A difference of clocks in words. */
function clockWords(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  return seconds < 0.5 ? "0 s" : `${ms < 0 ? "−" : "+"}${seconds < 60 ? seconds.toFixed(1) : count(seconds)} s`;
}

function Facts({ report }: { report: MachineReport }) {
  const { worker, told, share, memory_mib: memory, token, self_test: selfTest } = report;
  return (
    <dl class="fleet-numbers" data-testid="facts">
      <Fact name="Slots" meaning={memory === undefined ? "games at once" : `games at once, ${count(memory)} MiB each for trees`}>
        {count(worker.slots)}
      </Fact>
      <Fact name="Pairs held" meaning="leases: being played, or waiting for a slot">
        {count(worker.pairs_held)}
      </Fact>
      <Fact name="Games" meaning={`counted; ${inPercent(share)} of those of all machines`}>
        <a href={writeSearch({ fields: { worker: worker.id }, show: "list" })}>{count(worker.games)}</a>
      </Fact>
      <Fact name="Spool" meaning="finished games on its disk, not delivered yet">
        {told === undefined ? "–" : count(told.spooled)}
      </Fact>
      <Fact name="Clock" meaning="beside the coordinator's, way of the call included; no deadline depends on this">
        {told === undefined ? "–" : clockWords(told.clock_ms)}
      </Fact>
      <Fact name="Self-test" meaning="passed: its build plays every game as this one does">
        <code class="id">{selfTest.slice(0, 12)}</code>
      </Fact>
      <Fact name="Token" meaning={token === undefined ? "it runs in the coordinator's process" : "who may speak for this machine"}>
        {token === undefined ? "none" : <code class="id">{token}</code>}
      </Fact>
    </dl>
  );
}

const CHART_HEIGHT = 170;
const PAPER_CHART_HEIGHT = 300;
const DAY_MS = 86_400_000;
const writeTime = (at: number, span: number) => (span < DAY_MS ? clock(at).replace(/(\d\d:\d\d):\d\d/, "$1") : moment(at));

function SpeedOverTime({ report }: { report: MachineReport }) {
  const { worker, fleet, history } = report;
  if (worker.speeds.length === 0) {
    return (
      <section aria-labelledby="speed">
        <h2 id="speed">Speed</h2>
        <p>It has not measured its speed yet. It does so when games of a size are to be played.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="speed">
      <h2 id="speed">Speed</h2>
      <p class="meaning">
        Relative to the reference machine: at 2, one CPU second does the work of two reference seconds. The line is this machine over the last two
        weeks; the dashes are the median of the machines that are present.
      </p>
      <div class="speed-charts">
        {worker.speeds.map(({ size, factor }) => {
          const of = fleet.find((one) => one.size === size);
          const points = history.filter((point) => point.size === size);
          const words = `Size ${size}: ${ratio(1 / factor)} now${of === undefined ? "" : `, ${ratio(of.relative)} for the median of ${counted(of.machines, "machine")}`}`;
          return <SpeedChart key={size} name={`${worker.name}, speed on size ${size}`} words={words} points={points} now={report.now_ms} fleet={of?.relative} />;
        })}
      </div>
      <SpeedTable speeds={worker.speeds} name={worker.name} hasFiles />
    </section>
  );
}

function SpeedChart({ name, words, points, now, fleet }: { name: string; words: string; points: MachineReport["history"]; now: number; fleet: number | undefined }) {
  const [attach, width] = useWidth();
  return (
    <figure class="panel">
      <figcaption>{words}</figcaption>
      <div class="chart" ref={attach}>
        {width > 0 && (
          <svg width={width} height={CHART_HEIGHT} viewBox={`0 0 ${width} ${CHART_HEIGHT}`} role="img" aria-label={`${words}. Over time: ${counted(points.length, "change")} noted`}>
            <Speeds width={width} height={CHART_HEIGHT} theme={SCREEN} points={points} now_ms={now} fleet={fleet} write={writeTime} />
          </svg>
        )}
      </div>
      <Exports
        name={name}
        table={() => ({ columns: ["at", "relative"], rows: points.map(({ at_ms, relative }) => [new Date(at_ms).toISOString(), relative]) })}
        drawing={() => (
          <Paper title={`${name}. ${words}`} height={PAPER_CHART_HEIGHT}>
            <Speeds width={PAPER_WIDTH} height={PAPER_CHART_HEIGHT} theme={PAPER} points={points} now_ms={now} fleet={fleet} write={writeTime} />
          </Paper>
        )}
      />
    </figure>
  );
}

function InPlay({ report: { in_play: pairs, now_ms: now, worker } }: { report: MachineReport }) {
  return (
    <section aria-labelledby="hand">
      <h2 id="hand">Leases</h2>
      {pairs.length === 0 ? (
        <p>It holds no pair.</p>
      ) : (
        <DataTable kind="games" label={`Pairs that ${worker.name} holds`} columns={["Watch", "Case", "Baseline", "Size", "Moves so far", "Moved on", "Lent", "Experiment"]} files={{
          name: `${worker.name}, leases`,
          table: () => ({
            columns: ["lease", "case", "baseline", "size", "plies", "progress_ms", "granted_ms", "experiment"],
            rows: pairs.map((pair) => [pair.lease, pair.case, pair.baseline, pair.size, pair.plies, pair.progress_ms, pair.granted_ms, pair.experiments[0]?.name ?? null]),
          }),
        }}>
          {pairs.map((pair) => (
            <tr key={pair.lease}>
              <th scope="row">{pair.plies === 0 ? pair.lease.slice(0, 8) : <a href={`${pathOf("games")}?live=${pair.lease}`}>{pair.lease.slice(0, 8)}</a>}</th>
              <td class="name">
                <a href={pathOf("cell", pair.cell)}>{pair.case}</a>
              </td>
              <td class="name">{pair.baseline}</td>
              <td class="number">{pair.size}</td>
              <td class="number">{pair.plies === 0 ? "waiting" : pair.plies}</td>
              <td>{pair.plies === 0 ? "" : ago((now - pair.progress_ms) / 1000)}</td>
              <td>{ago((now - pair.granted_ms) / 1000)}</td>
              <td class="name">
                <FirstExperiment of={pair.experiments} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** Deviations past this are seldom chance, for one look at one cell. */
const NOTABLE_DEVIATIONS = 3;

function Cells({ report: { cells, cells_played: played, worker } }: { report: MachineReport }) {
  if (cells.length === 0) return null;
  return (
    <section aria-labelledby="results">
      <h2 id="results">Its results beside those of others</h2>
      <p class="meaning">
        Games are drawn without regard to who plays them, so a machine's results are a random sample. The residual says how far they are from the
        mean of such samples, in standard deviations. Of a hundred honest cells about five are past 2. {played > cells.length && `The ${count(cells.length)} cells with most games of ${count(played)}.`}
      </p>
      <DataTable kind="games" label={`Cells that ${worker.name} played`} columns={["Case", "Baseline", "Size", "Budget", "Games", "Score of the case", "Games of others", "Their score", "Residual"]} tall={cells.length > 15} files={{
        name: `${worker.name}, results`,
        table: () => ({
          columns: ["cell", "case", "baseline", "size", "budget", "games", "rate", "others_games", "others_rate", "deviations"],
          rows: cells.map((cell) => [cell.cell, cell.case, cell.baseline, cell.size, budget(cell.budget), cell.games, cell.rate, cell.others_games, cell.others_rate ?? null, cell.deviations ?? null]),
        }),
      }}>
        {cells.map((cell) => (
          <tr key={cell.cell}>
            <th scope="row" class="name">
              <a href={pathOf("cell", cell.cell)}>{cell.case}</a>
            </th>
            <td class="name">{cell.baseline}</td>
            <td class="number">{cell.size}</td>
            <td>{budget(cell.budget)}</td>
            <td class="number">
              <a href={writeSearch({ fields: { cell: cell.cell, worker: worker.id }, show: "list" })}>{count(cell.games)}</a>
            </td>
            <td class="number">{inPercent(cell.rate)}</td>
            <td class="number">{count(cell.others_games)}</td>
            <td class="number">{inPercent(cell.others_rate)}</td>
            <td class={cell.deviations !== undefined && Math.abs(cell.deviations) > NOTABLE_DEVIATIONS ? "number warn" : "number"}>
              {cell.deviations === undefined ? "no other machine" : `${cell.deviations < 0 ? "−" : "+"}${Math.abs(cell.deviations).toFixed(1)} σ`}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function Log({ report: { told, worker }, at }: { report: MachineReport; at: number }) {
  return (
    <section aria-labelledby="log">
      <h2 id="log">Log</h2>
      {told === undefined ? (
        <p>{worker.alive ? "It tells its last lines with its next call, because this page asks for them." : "It is not there to tell its last lines."}</p>
      ) : (
        <>
          <p class="meaning">
            Its last lines of level info and above, told <Ago since={heardAt(worker, at)} />. It tells them only while
            somebody looks, and nothing of them is stored here.
          </p>
          {told.log.length === 0 ? (
            <p>It has said nothing.</p>
          ) : (
            <div class="log" role="region" aria-label={`Log of ${worker.name}`} tabIndex={0}>
              {told.log.map((line, i) => (
                <div key={i}>{line}</div>
              ))}
            </div>
          )}
        </>
      )}
    </section>
  );
}
