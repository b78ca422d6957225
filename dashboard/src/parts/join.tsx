/** How machines join: the line to type there, with a fresh code for those who may make one. */

import { useState } from "preact/hooks";
import { makeJoinCode, type JoinCode } from "../api";
import { counted, moment } from "../format";
import { coordinatorUrl, ROOT } from "../routes";
import { option } from "../shell";
import { Command } from "./command";
import { useAttempt } from "./dialog";
import { Alert } from "./elements";

/** A code is worth something for an hour. */
const CODE_MS = 3_600_000;

/** The place after the `@`: a bare host and port mean plain HTTP. Without a port they would mean the coordinator's own. */
function place(): string {
  const isBare = location.protocol === "http:" && location.port !== "" && ROOT === "/";
  return isBare ? location.host : coordinatorUrl();
}

/** What the machine needs to know the coordinator by, when no authority vouches for it. */
function pin(made: JoinCode): string {
  const digest = made.certificate_sha256;
  return digest !== undefined && location.protocol === "https:" ? `#sha256=${digest}` : "";
}

export function Join({ admin }: { admin: boolean }) {
  const [made, setMade] = useState<JoinCode>();
  const { busy, trouble, attempt } = useAttempt();
  if (!admin) {
    return (
      <div class="join">
        <p>A machine joins with a code. Where the coordinator runs, this makes one:</p>
        <Command text="gauntlet token join" />
        <p>and there, with this program, it is all that is needed:</p>
        <Command text={`gauntlet work ${option("--join", `CODE@${place()}`)}`} />
      </div>
    );
  }
  const make = (machines: number) => attempt(async () => setMade(await makeJoinCode(machines, CODE_MS)));
  return (
    <div class="join">
      <p class="fleet-controls">
        Add{" "}
        {[1, 10, 100].map((machines) => (
          <button key={machines} disabled={busy} onClick={() => void make(machines)}>
            {counted(machines, "machine")}
          </button>
        ))}
      </p>
      {made !== undefined && (
        <>
          <p role="status">
            On {made.machines === 1 ? "the machine" : `up to ${made.machines} machines`}, until {moment(made.expires_ms)}:
          </p>
          <Command text={`gauntlet work ${option("--join", `${made.code}@${place()}${pin(made)}`)}`} data-join />
        </>
      )}
      <Alert words={trouble} />
    </div>
  );
}
