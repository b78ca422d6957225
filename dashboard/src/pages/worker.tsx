/** One machine: what it does and why, how fast it is, what it played, and what it says of itself. */

import { fetchMachine, type MachineCell, type MachineReport } from "../api";
import { speedsPicture } from "../charts/speeds";
import { tableOf } from "../export/table";
import { budget, count, counted, inPercent, ratio } from "../format";
import { useFrame } from "../frame";
import { writeSearch } from "../game-search";
import { Reasons } from "../parts/cell-state";
import { DataTable } from "../parts/data-table";
import { Ago, Facts, Section, ShortId } from "../parts/elements";
import { Tile } from "../parts/fleet";
import { PairsTable } from "../parts/in-play";
import { Fetch } from "../parts/loaded";
import { calledAt, doing, MachineWords, SpeedTable } from "../parts/machine";
import { MachineActions } from "../parts/machine-actions";
import { PictureFrame } from "../parts/picture";
import { allows } from "../parts/session";
import { pathOf } from "../routes";

export const WorkerPage = ({ id }: { id: string }) => (
  <Fetch load={fetchMachine} args={[id]} what="worker" title={(report) => (report === undefined ? "Worker" : `Worker ${report.worker.name}`)}>
    {(report, { at }) => <Machine report={report} at={at} />}
  </Fetch>
);

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
        <Facts
          of={[
            <span data-testid="state">
              <b>{state}</b>
            </span>,
            <>
              called <Ago since={calledAt(worker, at)} />
            </>,
            `version ${worker.version}`,
            ...worker.labels,
          ]}
        />
        <MachineWords worker={worker} />
        {allows(session, "admin") ? (
          <MachineActions machines={{ named: worker.id }} name={worker.name} worker={worker} token={token} />
        ) : (
          <p class="actions-hint">
            To pause, drain or quarantine it, sign in with a token of the scope <code>admin</code>, or use <code>gauntlet fleet</code>.
          </p>
        )}
      </header>
      <MachineFacts report={report} />
      <Section id="why" title="Why it stands so">
        <Reasons of={reasons} />
      </Section>
      <SpeedOverTime report={report} />
      <InPlay report={report} />
      <Cells report={report} />
      <Log report={report} at={at} />
    </>
  );
}

/** A difference of clocks in words. */
function clockWords(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  return seconds < 0.5 ? "0 s" : `${ms < 0 ? "−" : "+"}${seconds < 60 ? seconds.toFixed(1) : count(seconds)} s`;
}

function MachineFacts({ report }: { report: MachineReport }) {
  const { worker, told, share, memory_mib: memory, token, self_test: selfTest } = report;
  return (
    <dl class="fleet-numbers" data-testid="facts">
      <Tile name="Slots" note={memory === undefined ? "games at once" : `games at once, ${count(memory)} MiB each for trees`} value={count(worker.slots)} />
      <Tile name="Pairs held" note="leases: being played, or waiting for a slot" value={count(worker.pairs_held)} />
      <Tile
        name="Games"
        note={`counted; ${inPercent(share)} of those of all machines`}
        value={<a href={writeSearch({ fields: { worker: worker.id }, show: "list" })}>{count(worker.games)}</a>}
      />
      <Tile name="Spool" note="finished games on its disk, not delivered yet" value={told === undefined ? "–" : count(told.spooled)} />
      <Tile
        name="Clock"
        note="beside the coordinator's, way of the call included; no deadline depends on this"
        value={told === undefined ? "–" : clockWords(told.clock_ms)}
      />
      <Tile name="Self-test" note="passed: its build plays every game as this one does" value={<code class="id">{selfTest.slice(0, 12)}</code>} />
      <Tile
        name="Token"
        note={token === undefined ? "it runs in the coordinator's process" : "who may speak for this machine"}
        value={token === undefined ? "none" : <code class="id">{token}</code>}
      />
    </dl>
  );
}

function SpeedOverTime({ report }: { report: MachineReport }) {
  const { worker, fleet, history, now_ms: now } = report;
  if (worker.speeds.length === 0) {
    return (
      <Section id="speed" title="Speed">
        <p>It has not measured its speed yet. It does so when games of a size are to be played.</p>
      </Section>
    );
  }
  const charts = worker.speeds.map(({ size, factor }) => {
    const of = fleet.find((one) => one.size === size);
    const points = history.filter((point) => point.size === size);
    const title = `Size ${size}: ${ratio(1 / factor)} now${of === undefined ? "" : `, ${ratio(of.relative)} for the median of ${counted(of.machines, "machine")}`}`;
    return { size, words: `${title}. Over time: ${counted(points.length, "change")} noted`, picture: speedsPicture({ title, points, now, fleet: of?.relative }) };
  });
  return (
    <Section id="speed" title="Speed">
      <p class="meaning">
        Relative to the reference machine: at 2, one CPU second does the work of two reference seconds. The line is this machine over the last two
        weeks; the strong line across is the median of the machines that are present.
      </p>
      <div class="speed-charts">
        {charts.map(({ size, words, picture }) => (
          <PictureFrame key={size} picture={picture} name={`${worker.name}, speed on size ${size}`} title={words} />
        ))}
      </div>
      <SpeedTable speeds={worker.speeds} name={worker.name} hasFiles />
    </Section>
  );
}

function InPlay({ report: { in_play: pairs, now_ms: now, worker } }: { report: MachineReport }) {
  return (
    <Section id="leases" title="Leases">
      {pairs.length === 0 ? (
        <p>It holds no pair.</p>
      ) : (
        <PairsTable label={`Pairs that ${worker.name} holds`} name={`${worker.name}, leases`} pairs={pairs} now={now} hasWorkers={false} />
      )}
    </Section>
  );
}

/** Deviations past this are seldom chance, for one look at one cell. */
const NOTABLE_DEVIATIONS = 3;

function Cells({ report: { cells, cells_played: played, worker } }: { report: MachineReport }) {
  if (cells.length === 0) return null;
  return (
    <Section id="results" title="Its results beside those of others">
      <p class="meaning">
        Games are drawn without regard to who plays them, so a machine's results are a random sample. The residual says how far they are from the
        mean of such samples, in standard deviations. Of a hundred honest cells about five are past 2. {played > cells.length && `The ${count(cells.length)} cells with most games of ${count(played)}.`}
      </p>
      <DataTable
        kind="games"
        label={`Cells that ${worker.name} played`}
        rows={cells}
        columns={[
          ["Case", (own) => <a href={pathOf("cell", own.cell)}>{own.case}</a>, "name"],
          ["Baseline", ({ baseline }) => baseline, "name"],
          ["Size", ({ size }) => size, "number"],
          ["Budget", (own) => budget(own.budget)],
          ["Games", ({ cell, games }) => <a href={writeSearch({ fields: { cell, worker: worker.id }, show: "list" })}>{count(games)}</a>, "number"],
          ["Score of the case", ({ rate }) => inPercent(rate), "number"],
          ["Games of others", ({ others_games }) => count(others_games), "number"],
          ["Their score", ({ others_rate }) => inPercent(others_rate), "number"],
          ["Residual", residual, ({ deviations = 0 }) => (Math.abs(deviations) > NOTABLE_DEVIATIONS ? "number warn" : "number")],
        ]}
        tall={cells.length > 15}
        files={{
          name: `${worker.name}, results`,
          table: () => tableOf(cells, ["cell", "case", "baseline", "size", ["budget", (own) => budget(own.budget)], "games", "rate", "others_games", "others_rate", "deviations"]),
        }}
      />
    </Section>
  );
}

const residual = ({ deviations }: MachineCell) =>
  deviations === undefined ? "no other machine" : `${deviations < 0 ? "−" : "+"}${Math.abs(deviations).toFixed(1)} σ`;

function Log({ report: { told, worker }, at }: { report: MachineReport; at: number }) {
  return (
    <Section id="log" title="Log">
      {told === undefined ? (
        <p>{worker.alive ? "It tells its last lines with its next call, because this page asks for them." : "It is not there to tell its last lines."}</p>
      ) : (
        <>
          <p class="meaning">
            Its last lines of level info and above, told <Ago since={calledAt(worker, at)} />. It tells them only while
            this page is open, and nothing of them is stored here.
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
    </Section>
  );
}
