/** All machines that play. */

import { count, counted } from "../format";
import { useFrame, useTitle } from "../frame";
import { allows } from "../parts/session";
import { Workers } from "../parts/workers";
import { WaitingPage } from "./notices";

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
