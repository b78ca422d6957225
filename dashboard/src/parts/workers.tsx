/** Every worker: how fast it is, what it holds, and why it idles. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, direct, fetchWorkers, release } from "../api";
import type { Directive, Fleet, Machines, Speed, WorkerReport } from "../api";
import { ago, counted, kilo, ratio } from "../format";
import { ShortId } from "./short-id";
import { Join } from "./join";
import { SizeTable } from "./size-table";

/** Drift past this is worth a look: the machine is busy with something else, or throttles. */
const NOTABLE_DRIFT = 0.1;

interface WorkersProps {
  /** Whether whoever looks may tell machines what to do. */
  admin: boolean;
  /** The first of them; the others are fetched page by page. */
  first: WorkerReport[];
  fleet: Fleet;
  /** When these were fetched, in ms since 1970. */
  at: number;
  /** Seconds since the data were fetched. */
  age: number;
}

/** Workers on a page. */
const PAGE = 50;

/** The workers after as many as `offset`, fetched anew whenever the first ones were. */
function usePage(first: WorkerReport[], offset: number, at: number): WorkerReport[] {
  const [page, setPage] = useState({ offset: 0, workers: first });
  useEffect(() => {
    if (offset === 0) return;
    let wanted = true;
    // Without an answer the page stays as it is; that the coordinator does not answer is said on top.
    fetchWorkers(offset, PAGE).then(
      (workers) => wanted && setPage({ offset, workers }),
      () => undefined,
    );
    return () => void (wanted = false);
  }, [offset, at]);
  return offset > 0 && page.offset === offset ? page.workers : first;
}

export function Workers({ first, fleet, at, age, admin }: WorkersProps) {
  const [offset, setOffset] = useState(0);
  const workers = usePage(first, offset, at);
  const { labels } = fleet;
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      {workers.length === 0 ? (
        <div class="card">
          <p>No worker has reported yet.</p>
          <Join admin={admin} />
        </div>
      ) : (
        <>
          {admin && (
            <div class="card">
              <Orders machines="all" name="All machines" />
              {labels.map((label) => (
                <Orders key={label} machines={{ label }} name={label} />
              ))}
              <Join admin />
            </div>
          )}
          {fleet.workers > first.length && (
            <nav class="card fleet-controls" aria-label="Pages of workers">
              {offset + 1} to {Math.min(offset + PAGE, fleet.workers)} of {fleet.workers}
              {fleet.quarantined > 0 && `, ${fleet.quarantined} in quarantine`}
              <button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
                Previous
              </button>
              <button disabled={offset + PAGE >= fleet.workers} onClick={() => setOffset(offset + PAGE)}>
                Next
              </button>
            </nav>
          )}
          <ul class="workers">
            {workers.map((worker) => (
              <li key={worker.id} class={worker.alive ? "card" : "card gone"} data-worker={worker.name}>
                <Worker worker={worker} age={age} />
                {admin && worker.quarantine !== undefined && <Release worker={worker} />}
                {admin && <Orders machines={{ named: worker.id }} name={worker.name} directive={worker.directive} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const ORDERS: [Directive, string][] = [
  ["pause", "Pause"],
  ["work", "Resume"],
  ["drain", "Drain"],
];

const MEANINGS: Record<Directive, string> = {
  pause: "Finish the games in hand and wait",
  work: "Go on",
  drain: "Finish the games in hand and leave",
};

/** Tells machines what to do; they hear it at their next call. */
function Orders({ machines, name, directive }: { machines: Machines; name: string; directive?: Directive }) {
  const [trouble, setTrouble] = useState<string>();
  const tell = async (order: Directive) => {
    try {
      await direct(machines, order);
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error instanceof ApiError ? error.message : "The coordinator does not answer.");
    }
  };
  return (
    <p class="fleet-controls">
      {directive === undefined && `${name}: `}
      {ORDERS.map(([order, word]) => (
        <button
          key={order}
          title={MEANINGS[order]}
          aria-label={`${word} ${name}`}
          disabled={order === (directive ?? "")}
          onClick={() => void tell(order)}
        >
          {word}
        </button>
      ))}
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </p>
  );
}

/** Ends a machine's quarantine. */
function Release({ worker }: { worker: WorkerReport }) {
  const [trouble, setTrouble] = useState<string>();
  const end = async () => {
    try {
      await release({ named: worker.id });
      setTrouble(undefined);
    } catch (error) {
      setTrouble(error instanceof ApiError ? error.message : "The coordinator does not answer.");
    }
  };
  return (
    <p class="fleet-controls">
      <button
        title="End its quarantine: what it sent meanwhile counts where nobody else played it"
        aria-label={`Release ${worker.name}`}
        onClick={() => void end()}
      >
        Release
      </button>
      {trouble !== undefined && <span role="alert">{trouble}</span>}
    </p>
  );
}

function Worker({ worker, age }: { worker: WorkerReport; age: number }) {
  const rests = worker.pairs_held === 0 && (worker.no_work !== null || worker.resting !== null);
  const doing = !worker.alive ? "gone" : rests ? "idle" : "playing";
  const why = worker.quarantine === undefined ? (worker.resting ?? worker.no_work) : null;
  return (
    <>
      <h3>
        <span class={`dot ${doing}`} aria-hidden="true" />
        {worker.name} <ShortId id={worker.id} />
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
      {worker.labels.length > 0 && <p class="labels">{worker.labels.join(", ")}</p>}
      {worker.quarantine !== undefined && (
        <p class="why" data-quarantine>
          <strong>In quarantine:</strong> {worker.quarantine}. It gets no work, and what it sends is kept apart. Of its
          counted games, those that nobody played again are to be doubted.
        </p>
      )}
      {worker.suspicion !== undefined && (
        <p class="why" data-suspicion>
          <strong>In doubt:</strong> {worker.suspicion}.
        </p>
      )}
      {worker.biased !== undefined && (
        <p class="why" data-biased>
          <strong>Biased:</strong> {worker.biased}.
        </p>
      )}
      {why !== null && worker.alive && <p class="why">{why}</p>}
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
    <SizeTable kind="speeds" label={`Speed of ${name}`} corner="Size" sizes={speeds.map(({ size }) => size)}>
      {row("Sims/s", "Simulations a CPU second of one slot: plain UCT, empty board", (speed) => kilo(speed.sims_per_s))}
      {row("Factor", "CPU seconds given for one reference second", (speed) => ratio(speed.factor))}
      {row("Drift", "Speed of recent moves relative to the first ones: 1.00 when nothing changed", (speed) => (
        <span class={Math.abs(speed.drift - 1) > NOTABLE_DRIFT ? "warn" : undefined}>{speed.drift.toFixed(2)}</span>
      ))}
    </SizeTable>
  );
}
