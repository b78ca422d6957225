/** A machine in short: what it does, why it idles, and how fast it is. */

import type { ComponentChildren } from "preact";
import type { Speed, WorkerReport } from "../api";
import { tableOf } from "../export/table";
import { counted, kilo, ratio } from "../format";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Ago, Facts, ShortId, Words } from "./elements";

/** Drift past this is worth a look: the machine is busy with something else, or throttles. */
const NOTABLE_DRIFT = 0.1;

/** Whether a machine never called: its games were imported, or a person settled disputes by hand. */
export const neverCalled = ({ slots }: WorkerReport): boolean => slots === 0;

/** What a machine does, in a word. */
export function doing(worker: WorkerReport): "gone" | "idle" | "playing" {
  return !worker.alive ? "gone" : worker.pairs_held === 0 ? "idle" : "playing";
}

/** What is wrong with a machine, or why it idles. */
export function MachineWords({ worker }: { worker: WorkerReport }) {
  const { quarantine, suspicion, biased, directive, alive } = worker;
  const why = quarantine === undefined ? (worker.resting ?? worker.no_work) : null;
  return (
    <>
      <Why head="In quarantine:" words={quarantine} data-quarantine>
        . It gets no work, and what it sends is kept apart. Of its counted games, those that no other machine played again are to be doubted.
      </Why>
      <Why head="In doubt:" words={suspicion} data-suspicion>
        .
      </Why>
      <Why head="Biased:" words={biased} data-biased>
        .
      </Why>
      {directive !== "work" && alive && <Why words={directive === "pause" ? "Told to pause." : "Told to finish and leave."} />}
      {why !== null && alive && <Why words={why} />}
    </>
  );
}

/** Why a machine stands as it does, if `words` say so. */
function Why({ head, words, children, ...data }: { head?: string; words: string | undefined; children?: ComponentChildren } & Record<`data-${string}`, boolean>) {
  return words === undefined ? null : (
    <p class="why" {...data}>
      {head !== undefined && <strong>{head}</strong>} <Words of={words} />
      {children}
    </p>
  );
}

/** When a machine called last, in milliseconds since 1970, if that was fetched at this time. */
export const calledAt = ({ seconds_since_seen: seconds }: WorkerReport, at: number): number => at - 1000 * seconds;

/** `at` is when it was fetched, in milliseconds since 1970. */
export function MachineCard({ worker, at }: { worker: WorkerReport; at: number }) {
  const state = doing(worker);
  const isForeign = neverCalled(worker);
  return (
    <>
      <h2>
        {!isForeign && <span class={`dot ${state}`} aria-hidden="true" />}
        <a href={pathOf("worker", worker.id)}>{worker.name}</a> <ShortId id={worker.id} />
        <small>
          {isForeign ? (
            worker.resting
          ) : (
            <>
              {state}, seen <Ago since={calledAt(worker, at)} />
            </>
          )}
        </small>
      </h2>
      <Facts
        of={[
          !isForeign && counted(worker.slots, "slot"),
          !isForeign && `${counted(worker.pairs_held, "pair")} held`,
          counted(worker.games, "game"),
          !isForeign && `v${worker.version}`,
        ]}
      />
      {worker.labels.length > 0 && <p class="labels">{worker.labels.join(", ")}</p>}
      <MachineWords worker={worker} />
      {worker.speeds.length > 0 && <SpeedTable speeds={worker.speeds} name={worker.name} />}
    </>
  );
}

interface SpeedTableProps {
  speeds: readonly Speed[];
  name: string;
  /** Whether it is offered as files. */
  hasFiles?: boolean;
}

/** The rows of the table of speeds: what they are, what that means, and the cell of a size. */
const SPEEDS: readonly (readonly [label: string, meaning: string, cell: (speed: Speed) => ComponentChildren])[] = [
  ["Speed", "Relative to the reference machine, with the drift: 2.00 is twice as fast", ({ factor }) => ratio(1 / factor)],
  ["Sims/s", "Simulations a CPU second of one slot: plain UCT, empty board", ({ sims_per_s }) => kilo(sims_per_s)],
  ["Factor", "CPU seconds given for one reference second", ({ factor }) => ratio(factor)],
  [
    "Drift",
    "Speed of recent moves relative to the first ones: 1.00 when nothing changed",
    ({ drift }) => <span class={Math.abs(drift - 1) > NOTABLE_DRIFT ? "warn" : undefined}>{drift.toFixed(2)}</span>,
  ],
];

export function SpeedTable({ speeds, name, hasFiles = false }: SpeedTableProps) {
  const files = { name: `${name}, speeds`, table: () => tableOf(speeds, ["size", "factor", "sims_per_s", "drift"]) };
  return (
    <DataTable
      kind="speeds"
      label={`Speed of ${name}`}
      rows={SPEEDS}
      columns={[["Size", ([label, meaning]) => <span title={meaning}>{label}</span>], ...speeds.map((speed) => [speed.size, ([, , cell]: (typeof SPEEDS)[number]) => cell(speed)] as const)]}
      files={hasFiles ? files : undefined}
      captioned
    />
  );
}
