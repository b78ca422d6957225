/** Every experiment with its progress; each is a link to its page. */

import type { ExperimentState, ExperimentSummary } from "../api";
import { count, counted, duration, moment, perMinute } from "../format";
import { DEFAULT_VIEW, writeView } from "../url";
import { ShortId } from "./short-id";
import type { View } from "../url";

const STATES: Record<ExperimentState, string> = {
  active: "Active",
  finished: "Finished",
  stuck: "Stuck",
  paused: "Paused",
  archived: "Archived",
  superseded: "Superseded",
};

const MEANINGS: Partial<Record<ExperimentState, string>> = {
  stuck: "All that is left was set aside, because it failed again and again",
  paused: "Nothing of it is handed out until somebody resumes it",
  archived: "Nothing of it is handed out, and lists leave it out",
  superseded: "A later file of the same name took its place, in an older version of the program",
};

export function StateBadge({ summary: { state, stalled } }: { summary: ExperimentSummary }) {
  const isStalled = stalled !== undefined && state === "active";
  return (
    <span class={`badge ${isStalled ? "stuck" : state}`} title={stalled ?? MEANINGS[state]}>
      {isStalled ? "Stalled" : STATES[state]}
    </span>
  );
}

/** That nothing is played, and why, for whoever waits for it. */
export function Stalled({ summary: { state, stalled } }: { summary: ExperimentSummary }) {
  return stalled === undefined ? null : (
    <p class="card warn" role="status" data-testid="stalled">
      {state === "active" ? "Stalled" : STATES[state]}: {stalled}
    </p>
  );
}

export function ProgressBar({ summary, label }: { summary: ExperimentSummary; label: string }) {
  return (
    <progress class={summary.state} aria-label={label} max={Math.max(1, summary.games_planned)} value={summary.games_done} />
  );
}

/** How far, how fast and how long still, in words. */
export function ProgressWords({ summary }: { summary: ExperimentSummary }) {
  const { state, games_done: done, games_planned: planned, games_per_minute: speed, seconds_left: left, stalled } = summary;
  return (
    <span class="facts">
      <span>
        <b>{count(done)}</b> of {count(planned)} games
      </span>
      {summary.pairs_aside > 0 && <span class="warn">{counted(summary.pairs_aside, "pair")} set aside</span>}
      {state === "active" && <span>{perMinute(speed)} games/min</span>}
      {state === "active" && <span>{timeLeft(left, speed, stalled)}</span>}
    </span>
  );
}

function timeLeft(left: number | null, speed: number, stalled: string | undefined): string {
  if (stalled !== undefined) return "stalled";
  if (left !== null) return `${duration(left)} left`;
  return speed > 0 ? "time left unknown" : "nobody is playing";
}

interface ExperimentsProps {
  experiments: ExperimentSummary[];
  shown: string | undefined;
  go: (view: View, push?: boolean) => void;
}

export function Experiments({ experiments, shown, go }: ExperimentsProps) {
  // Older programs stored every revision of a file as an experiment of its own: then the time tells them apart.
  const repeated = (name: string) => experiments.filter((other) => other.name === name).length > 1;
  return (
    <section aria-labelledby="experiments">
      <h2 id="experiments">Experiments</h2>
      <ul class="experiments">
        {experiments.map((summary) => {
          const view = { ...DEFAULT_VIEW, experiment: summary.id };
          const follow = (event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
            event.preventDefault();
            go(view, true);
          };
          return (
            <li key={summary.id} class={summary.state}>
              <a href={writeView(view)} onClick={follow} aria-current={summary.id === shown ? "page" : undefined}>
                <span class="name">
                  {summary.name} <ShortId id={summary.id} />
                </span>
                <StateBadge summary={summary} />
                <ProgressBar summary={summary} label={`Games of ${summary.name}`} />
                <ProgressWords summary={summary} />
                {repeated(summary.name) && <span class="applied">Applied {moment(summary.created_ms)}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
