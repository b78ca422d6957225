/** What may be done to machines. Each action first says what follows from it. */

import { useState } from "preact/hooks";
import { direct, quarantine, revokeToken, type Machines, type WorkerReport } from "../api";
import { counted } from "../format";
import { ActionButtons, Dialog } from "./dialog";

export type MachineAction = "pause" | "resume" | "drain" | "quarantine" | "release" | "revoke";

const NAMES: Record<MachineAction, string> = {
  pause: "Pause",
  resume: "Resume",
  drain: "Drain",
  quarantine: "Quarantine",
  release: "Lift quarantine",
  revoke: "Revoke token",
};

/** One machine with the id of its token, or several. */
export interface Addressed {
  machines: Machines;
  name: string;
  worker?: WorkerReport;
  token?: string | undefined;
}

/** The actions that are possible as things stand. */
export function machineActions({ worker, token }: Addressed): MachineAction[] {
  if (worker === undefined) return ["pause", "resume", "drain"];
  const orders: Record<WorkerReport["directive"], MachineAction[]> = { work: ["pause", "drain"], pause: ["resume", "drain"], drain: ["resume"] };
  return [...orders[worker.directive], worker.quarantine === undefined ? "quarantine" : "release", ...(token === undefined ? [] : (["revoke"] as const))];
}

/** What follows from an action, in words. */
export function machineConsequence(action: MachineAction, { name, worker }: Addressed): string {
  const held = worker?.pairs_held;
  const pairs = held === undefined ? "Pairs" : counted(held, "pair");
  const hand = held === 0 ? "It holds no pair." : `${pairs} that it holds ${held === 1 ? "is" : "are"} played to the end and count.`;
  const words: Record<MachineAction, string> = {
    pause: `${name} takes no more work until it is resumed, also after a restart. ${hand}`,
    resume: `${name} takes work again with its next call.`,
    drain: `${name} takes no more work, and its program ends. ${hand} A worker that is started there later works again.`,
    quarantine: `${name} and all machines with its token get no more work. What they send is kept apart and does not count until the quarantine is lifted. Pairs that it holds are given to others. Games that count already stay: \`gauntlet game exclude --worker\` takes them out.`,
    release: `${name} and all machines with its token get work again. What they sent meanwhile counts, except games that others have played since.`,
    revoke: `Every machine with the token of ${name} is locked out at once and cannot deliver its games. Their pairs are played by others when the leases lapse. Counted games stay. There is no way back: the machine must join again with a new code.`,
  };
  return words[action];
}

function perform(action: MachineAction, { machines, token }: Addressed, why: string): Promise<unknown> {
  if (action === "revoke") return revokeToken(token!);
  if (action === "quarantine" || action === "release") return quarantine(machines, action === "quarantine" ? why : undefined);
  return direct(machines, action === "resume" ? "work" : action);
}

export function MachineActions(addressed: Addressed) {
  const ask = (action: MachineAction, close: () => void) => <Confirm action={action} addressed={addressed} close={close} />;
  return <ActionButtons on={addressed.name} actions={machineActions(addressed)} names={NAMES} ask={ask} />;
}

function Confirm({ action, addressed, close }: { action: MachineAction; addressed: Addressed; close: () => void }) {
  const [why, setWhy] = useState("");
  const asks = action === "quarantine";
  return (
    <Dialog
      title={`${NAMES[action]}: ${addressed.name}`}
      answer={NAMES[action]}
      isReady={!asks || why.trim() !== ""}
      perform={() => perform(action, addressed, why.trim())}
      close={close}
    >
      {asks && (
        <label>
          Reason, for people who read the results later <input required value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
        </label>
      )}
      <p class="consequence">{machineConsequence(action, addressed)}</p>
    </Dialog>
  );
}
