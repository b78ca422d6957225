/** Every experiment with its progress; each is a link to its page. */

import type { ExperimentState, ExperimentSummary } from "../api";
import { count, counted, duration, moment, perMinute } from "../format";
import { DEFAULT_VIEW, writeView } from "../url";
import type { View } from "../url";

const STATES: Record<ExperimentState, string> = { active: "Active", finished: "Finished", stuck: "Stuck", superseded: "Superseded" };

const MEANINGS: Partial<Record<ExperimentState, string>> = {
  stuck: "All that is left was set aside, because it failed again and again",
  superseded: "A later revision of the file took its place",
};

export function StateBadge({ state }: { state: ExperimentState }) {
  return (
    <span class={`badge ${state}`} title={MEANINGS[state]}>
      {STATES[state]}
    </span>
  );
}

export function ProgressBar({ summary, label }: { summary: ExperimentSummary; label: string }) {
  return (
    <progress class={summary.state} aria-label={label} max={Math.max(1, summary.games_planned)} value={summary.games_done} />
  );
}

/** How far, how fast and how long still, in words. */
export function ProgressWords({ summary }: { summary: ExperimentSummary }) {
  const { state, games_done: done, games_planned: planned, games_per_minute: speed, seconds_left: left } = summary;
  return (
    <span class="facts">
      <span>
        <b>{count(done)}</b> of {count(planned)} games
      </span>
      {summary.pairs_aside > 0 && <span class="warn">{counted(summary.pairs_aside, "pair")} set aside</span>}
      {state === "active" && <span>{perMinute(speed)} games/min</span>}
      {state === "active" && (
        <span>{left !== null ? `${duration(left)} left` : speed > 0 ? "time left unknown" : "nobody is playing"}</span>
      )}
    </span>
  );
}

interface ExperimentsProps {
  experiments: ExperimentSummary[];
  shown: string | undefined;
  go: (view: View, push?: boolean) => void;
}

export function Experiments({ experiments, shown, go }: ExperimentsProps) {
  // Revisions of a file share its name: then the time tells them apart.
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
                <span class="name">{summary.name}</span>
                <StateBadge state={summary.state} />
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
