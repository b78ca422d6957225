/** All machines that play. */

import { fetchWorkers, type Fleet, type WorkerReport } from "../api";
import { count, counted } from "../format";
import { useFrame, useParameter, useTitle } from "../frame";
import { Exports } from "../parts/exports";
import { Fold } from "../parts/fold";
import { Join } from "../parts/join";
import { Fetch, WaitingPage } from "../parts/loaded";
import { MachineCard, neverCalled } from "../parts/machine";
import { MachineActions } from "../parts/machine-actions";
import { allows } from "../parts/session";

export function WorkersPage() {
  const { overview, at, trouble, session } = useFrame();
  useTitle("Workers");
  if (overview === undefined) return <WaitingPage trouble={trouble} />;
  const { fleet } = overview;
  return (
    <>
      <header class="question">
        <h1>Workers</h1>
        {fleet.workers > 0 && (
          <p class="facts">
            <span>
              <b>{count(fleet.alive)}</b> present of {counted(fleet.workers, "machine")} that ever called
            </span>
            <span>{counted(fleet.slots, "slot")}</span>
            <span title="The speed of all slots together. 1 is a core of the reference machine, that of the thesis: a Core 2 Duo of 2.4 GHz, which makes 45,455 simulations a second on size 4">{fleet.reference_cores.toFixed(1)} reference cores</span>
            {fleet.quarantined > 0 && <span>{count(fleet.quarantined)} in quarantine</span>}
          </p>
        )}
      </header>
      <Workers first={overview.workers} fleet={fleet} at={at} admin={allows(session, "admin")} />
    </>
  );
}

interface WorkersProps {
  /** Whether the reader may tell machines what to do. */
  admin: boolean;
  /** The first of them; the others are fetched page by page. */
  first: WorkerReport[];
  fleet: Fleet;
  /** When these were fetched, in ms since 1970. */
  at: number;
}

/** Workers on a page. */
const PAGE = 50;

export function Workers({ first, fleet, at, admin }: WorkersProps) {
  const [from, setFrom] = useParameter("from");
  const all = fleet.workers + fleet.others;
  const offset = /^\d{1,7}$/.test(from ?? "") ? Math.min(Number(from), Math.max(0, all - 1)) : 0;
  const setOffset = (next: number) => setFrom(next === 0 ? undefined : String(next));
  if (first.length === 0) {
    return (
      <div class="card">
        <p>No worker has reported yet.</p>
        <Join admin={admin} />
      </div>
    );
  }
  return (
    <>
      {all > first.length && (
        <nav class="card fleet-controls" aria-label="Pages of workers">
          {count(offset + 1)} to {count(Math.min(offset + PAGE, all))} of {count(all)}
          {fleet.quarantined > 0 && `, ${count(fleet.quarantined)} in quarantine`}
          <button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>Previous</button>
          <button disabled={offset + PAGE >= all} onClick={() => setOffset(offset + PAGE)}>Next</button>
        </nav>
      )}
      {fleet.alive === 0 && <p class="card warn">None of the machines is there: nothing is played.</p>}
      {offset === 0 ? <Page workers={first} at={at} /> : (
        <Fetch load={fetchWorkers} args={[offset, PAGE]} what="page of workers">
          {(workers, fetched) => <Page workers={workers} at={fetched.at} />}
        </Fetch>
      )}
      {admin ? (
        <section aria-labelledby="several">
          <h2 id="several">Several machines</h2>
          <div class="card">
            <Several name="All machines" machines="all" />
            {fleet.labels.map((label) => (
              <Several key={label} name={label} machines={{ label }} />
            ))}
          </div>
        </section>
      ) : null}
      <section aria-labelledby="more">
        <h2 id="more">Add machines</h2>
        <div class="card">
          <Join admin={admin} />
        </div>
      </section>
    </>
  );
}

function Page({ workers, at }: { workers: WorkerReport[]; at: number }) {
  // A machine in quarantine is worth a look wherever it is.
  const isPresent = ({ alive, quarantine }: WorkerReport) => alive || quarantine !== undefined;
  const present = workers.filter(isPresent);
  const absent = workers.filter((worker) => !isPresent(worker));
  const gone = absent.filter((worker) => !neverCalled(worker));
  const others = absent.filter(neverCalled);
  return (
    <>
      {present.length > 0 && <List workers={present} at={at} label="Machines" />}
      {gone.length > 0 && (
        <Fold name="left" kind="gone-workers" atFirst={present.length === 0} summary={<>{counted(gone.length, "machine")} left</>}>
          <List workers={gone} at={at} label="Machines that left" />
        </Fold>
      )}
      {others.length > 0 && (
        <Fold name="others" kind="gone-workers" summary={<>{counted(others.length, "machine")} that never called here</>}>
          <List workers={others} at={at} label="Machines that never called" />
        </Fold>
      )}
      <Exports
        name="workers"
        table={() => ({
          columns: ["id", "name", "version", "alive", "slots", "pairs_held", "games", "directive", "labels", "size", "factor", "sims_per_s", "drift"],
          rows: workers.flatMap((worker) => {
            const own = [worker.id, worker.name, worker.version, String(worker.alive), worker.slots, worker.pairs_held, worker.games, worker.directive, worker.labels.join(" ")];
            const speeds = worker.speeds.map(({ size, factor, sims_per_s, drift }) => [...own, size, factor, sims_per_s, drift]);
            return speeds.length > 0 ? speeds : [[...own, null, null, null, null]];
          }),
        })}
      />
    </>
  );
}

function List({ workers, at, label }: { workers: WorkerReport[]; at: number; label: string }) {
  return (
    <ul class="workers" aria-label={label}>
      {workers.map((worker) => (
        <li key={worker.id} class={worker.alive ? "card" : "card gone"} data-worker={worker.name}>
          <MachineCard worker={worker} at={at} />
        </li>
      ))}
    </ul>
  );
}

function Several({ name, machines }: { name: string; machines: "all" | { label: string } }) {
  return (
    <div class="several">
      <span class="labels">{name}</span>
      <MachineActions name={name} machines={machines} />
    </div>
  );
}
