/** The strip on top: where to go, whether the numbers are live, and how much is being played. */

import type { ControlReport, Overview } from "../api";
import { clock, counted, perMinute } from "../format";
import type { Frame } from "../frame";
import { UNANSWERED } from "../live";
import { pathOf, type PageName, type Route } from "../routes";
import { Ago, Facts, Words } from "./elements";
import { SessionBadge } from "./session";

/** The pages that are about everything, and the pages below them. */
const PLACES: [PageName, string, Route["page"][]][] = [
  ["home", "Overview", ["experiment", "cell"]],
  ["games", "Games", ["game"]],
  ["workers", "Workers", ["worker"]],
  ["compare", "Compare", []],
  ["control", "Control", []],
  ["access", "Access", []],
];

interface HeaderProps {
  frame: Frame;
  /** Whether results are not for this browser. */
  locked: boolean;
  page: Route["page"];
}

export function Header({ frame, locked, page }: HeaderProps) {
  const { overview, session } = frame;
  return (
    <header class="top">
      <a class="brand" href={pathOf("home")}>
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M16 2 28.1 9v14L16 30 3.9 23V9Z" fill="var(--accent)" />
          <path d="m9 20 5-6 4 3 5-7" fill="none" stroke="var(--page)" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
        Gauntlet
      </a>
      <nav class="places" aria-label="Pages">
        {PLACES.map(([place, name, below]) => (
          <a key={place} href={pathOf(place)} aria-current={page === place ? "page" : below.includes(page) ? "true" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {/* The first page has the same numbers larger. */}
      {overview !== undefined && page !== "home" && <Fleet overview={overview} />}
      {overview?.control !== undefined && page !== "home" && <Control control={overview.control} />}
      <Link frame={frame} locked={locked} />
      <SessionBadge session={session} isAsked={locked || page === "access"} />
    </header>
  );
}

function Fleet({ overview }: { overview: Overview }) {
  const { alive, slots } = overview.fleet;
  return <Facts of={[<a href={pathOf("workers")}>{counted(alive, "worker")}</a>, counted(slots, "slot"), `${perMinute(overview.games_per_minute)} games/min`]} />;
}

/** Whether players score 50 % against themselves. The word says what the colour says. */
export function Control({ control }: { control: ControlReport }) {
  const { light, words } = control;
  return (
    <p class="control" data-light={light} data-testid="control" title={words}>
      <a href={pathOf("control")}>Control {light}</a>
      {light !== "green" && light !== "grey" && (
        <span>
          : <Words of={words} />
        </span>
      )}
    </p>
  );
}

function Link({ frame: { overview, at, trouble }, locked }: Pick<HeaderProps, "frame" | "locked">) {
  if (trouble === undefined || locked) {
    return (
      <p class="link" data-link={overview === undefined ? "waiting" : "live"} role="status">
        {locked ? "Locked" : overview === undefined ? "Connecting" : "Live"}
      </p>
    );
  }
  // The age stays out of the status region: a screen reader should announce the loss once, not every second.
  return (
    <div class="link lost" data-link="lost">
      <span role="status">{trouble === UNANSWERED ? "Coordinator unreachable" : `The coordinator says: ${trouble}`}, trying again.</span>
      {overview !== undefined && (
        <span>
          {" "}
          Shown: {clock(at)}, <Ago since={at} />
        </span>
      )}
    </div>
  );
}
