/** The strip on top: whether the numbers are live, and how much is being played. */

import type { Snapshot } from "../live";
import { SessionBadge } from "./session";
import type { Session } from "../api";
import type { ControlReport } from "../api-types";
import { ago, clock, counted, perMinute } from "../format";

interface HeaderProps {
  snapshot: Snapshot | undefined;
  trouble: string | undefined;
  session: Session | undefined;
  now: number;
}

export function Header({ snapshot, trouble, session, now }: HeaderProps) {
  return (
    <header class="top">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M16 2 28.1 9v14L16 30 3.9 23V9Z" fill="var(--accent)" />
          <path d="m9 20 5-6 4 3 5-7" fill="none" stroke="var(--page)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
        Gauntlet
      </a>
      {snapshot !== undefined && <Fleet snapshot={snapshot} />}
      {snapshot?.overview.control !== undefined && <Control control={snapshot.overview.control} />}
      <Link snapshot={snapshot} trouble={trouble} now={now} />
      <SessionBadge session={session} />
    </header>
  );
}

function Fleet({ snapshot: { overview } }: { snapshot: Snapshot }) {
  const { alive, slots } = overview.fleet;
  const speed = overview.experiments.reduce((sum, { games_per_minute }) => sum + games_per_minute, 0);
  return (
    <p class="fleet">
      <span>{counted(alive, "worker")}</span>
      <span>{counted(slots, "slot")}</span>
      <span>{perMinute(speed)} games/min</span>
    </p>
  );
}

/** Whether players score 50 % against themselves. The word says what the colour says. */
export function Control({ control: { light, words } }: { control: ControlReport }) {
  return (
    <p class="control" data-light={light} data-testid="control" title={words}>
      Control {light}
      {light !== "green" && <span>: {words}</span>}
    </p>
  );
}

function Link({ snapshot, trouble, now }: Omit<HeaderProps, "session">) {
  if (trouble === undefined) {
    return (
      <p class="link" data-link={snapshot === undefined ? "waiting" : "live"} role="status">
        {snapshot === undefined ? "Connecting" : "Live"}
      </p>
    );
  }
  // The age stays out of the status region: a screen reader should hear of the loss once, not of every second.
  return (
    <div class="link lost" data-link="lost">
      <span role="status">Coordinator unreachable, trying again.</span>
      {snapshot !== undefined && (
        <span>
          {" "}
          Shown: {clock(snapshot.at)}, {ago((now - snapshot.at) / 1000)}
        </span>
      )}
    </div>
  );
}
