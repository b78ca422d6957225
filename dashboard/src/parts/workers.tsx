/** Every worker: how fast it is, what it holds, and why it idles. */

import type { ComponentChildren } from "preact";
import type { Speed, WorkerReport } from "../api";
import { ago, counted, kilo, ratio } from "../format";

/** Drift past this is worth a look: the machine is busy with something else, or throttles. */
const NOTABLE_DRIFT = 0.1;

interface WorkersProps {
  workers: WorkerReport[];
  /** Seconds since the data were fetched. */
  age: number;
}

export function Workers({ workers, age }: WorkersProps) {
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {workers.length === 0 ? (
        <div class="card">
          <p>No worker has reported yet. Make a token for one where the coordinator runs, and start it on any machine:</p>
          <pre>{`gauntlet token add NAME\ngauntlet work --coordinator ${location.origin} --token TOKEN`}</pre>
        </div>
      ) : (
        <ul class="workers">
          {workers.map((worker) => (
            <li key={worker.id} class={worker.alive ? "card" : "card gone"} data-worker={worker.name}>
              <Worker worker={worker} age={age} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Worker({ worker, age }: { worker: WorkerReport; age: number }) {
  const doing = !worker.alive ? "gone" : worker.no_work !== null ? "idle" : "playing";
  return (
    <>
      <h3>
        <span class={`dot ${doing}`} aria-hidden="true" />
        {worker.name}
        <small>
          {doing}, seen {ago(worker.seconds_since_seen + age)}
        </small>
      </h3>
      <p class="facts">
        <span>{counted(worker.slots, "slot")}</span>
        <span>{counted(worker.pairs_held, "pair")} held</span>
        <span>{counted(worker.games, "game")}</span>
        <span>v{worker.version}</span>
      </p>
      {worker.no_work !== null && worker.alive && <p class="why">{worker.no_work}</p>}
      {worker.speeds.length > 0 && <Speeds speeds={worker.speeds} name={worker.name} />}
    </>
  );
}

function Speeds({ speeds, name }: { speeds: Speed[]; name: string }) {
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
    <div class="scroll" role="region" aria-label={`Speed of ${name}`} tabIndex={0}>
      <table class="speeds">
        <thead>
          <tr>
            <th scope="col">Size</th>
            {speeds.map(({ size }) => (
              <th key={size} scope="col">
                {size}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row("Sims/s", "Simulations a CPU second of one slot: plain UCT, empty board", (speed) => kilo(speed.sims_per_s))}
          {row("Factor", "CPU seconds given for one reference second", (speed) => ratio(speed.factor))}
          {row("Drift", "Speed of recent moves relative to the first ones: 1.00 when nothing changed", (speed) => (
            <span class={Math.abs(speed.drift - 1) > NOTABLE_DRIFT ? "warn" : undefined}>{speed.drift.toFixed(2)}</span>
          ))}
        </tbody>
      </table>
    </div>
  );
}
