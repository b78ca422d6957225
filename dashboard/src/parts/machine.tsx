/** A machine in short: what it does, why it idles, and how fast it is. */

import type { ComponentChildren } from "preact";
import type { Speed, WorkerReport } from "../api";
import { counted, kilo, ratio } from "../format";
import { pathOf } from "../routes";
import { Ago } from "./ago";
import { ShortId } from "./short-id";
import { SizeTable } from "./size-table";
import { Words } from "./words";

/** Drift past this is worth a look: the machine is busy with something else, or throttles. */
const NOTABLE_DRIFT = 0.1;

/** Whether a machine never called: its games were imported, or somebody settled disputes by hand. */
export function neverCalled({ slots }: WorkerReport): boolean {
  return slots === 0;
}

/** What a machine does, in a word. */
export function doing(worker: WorkerReport): "gone" | "idle" | "playing" {
  return !worker.alive ? "gone" : worker.pairs_held === 0 ? "idle" : "playing";
}

/** What is wrong with a machine, or why it idles. */
export function MachineWords({ worker }: { worker: WorkerReport }) {
  const why = worker.quarantine === undefined ? (worker.resting ?? worker.no_work) : null;
  return (
    <>
      {worker.quarantine !== undefined && (
        <p class="why" data-quarantine>
          <strong>In quarantine:</strong> <Words of={worker.quarantine} />. It gets no work, and what it sends is kept apart. Of its
          counted games, those that no other machine played again are to be doubted.
        </p>
      )}
      {worker.suspicion !== undefined && (
        <p class="why" data-suspicion>
          <strong>In doubt:</strong> <Words of={worker.suspicion} />.
        </p>
      )}
      {worker.biased !== undefined && (
        <p class="why" data-biased>
          <strong>Biased:</strong> <Words of={worker.biased} />.
        </p>
      )}
      {worker.directive !== "work" && worker.alive && <p class="why">{worker.directive === "pause" ? "Told to pause." : "Told to finish and leave."}</p>}
      {why !== null && worker.alive && (
        <p class="why">
          <Words of={why} />
        </p>
      )}
    </>
  );
}

/** When a machine was heard of, in milliseconds since 1970, if that was fetched at this time. */
export function heardAt({ seconds_since_seen: seconds }: WorkerReport, at: number): number {
  return at - 1000 * seconds;
}

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
              {state}, seen <Ago since={heardAt(worker, at)} />
            </>
          )}
        </small>
      </h2>
      <p class="facts">
        {!isForeign && (
          <>
            <span>{counted(worker.slots, "slot")}</span>
            <span>{counted(worker.pairs_held, "pair")} held</span>
          </>
        )}
        <span>{counted(worker.games, "game")}</span>
        {!isForeign && <span>v{worker.version}</span>}
      </p>
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

export function SpeedTable({ speeds, name, hasFiles = false }: SpeedTableProps) {
  const files = {
    name: `${name}, speeds`,
    table: () => ({
      columns: ["size", "factor", "sims_per_s", "drift"],
      rows: speeds.map(({ size, factor, sims_per_s, drift }) => [size, factor, sims_per_s, drift]),
    }),
  };
  const row = (label: string, title: string, cell: (speed: Speed) => ComponentChildren) => (
    <tr>
      <th scope="row" title={title}>
        {label}
      </th>
      {speeds.map((speed) => (
        <td key={speed.size}>{cell(speed)}</td>
      ))}
    </tr>
  );
  return (
    <SizeTable kind="speeds" label={`Speed of ${name}`} corner="Size" sizes={speeds.map(({ size }) => size)} files={hasFiles ? files : undefined}>
      {row("Speed", "Relative to the reference machine, with the drift: 2.00 is twice as fast", (speed) => ratio(1 / speed.factor))}
      {row("Sims/s", "Simulations a CPU second of one slot: plain UCT, empty board", (speed) => kilo(speed.sims_per_s))}
      {row("Factor", "CPU seconds given for one reference second", (speed) => ratio(speed.factor))}
      {row("Drift", "Speed of recent moves relative to the first ones: 1.00 when nothing changed", (speed) => (
        <span class={Math.abs(speed.drift - 1) > NOTABLE_DRIFT ? "warn" : undefined}>{speed.drift.toFixed(2)}</span>
      ))}
    </SizeTable>
  );
}
