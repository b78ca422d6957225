/** Every experiment with its progress; each is a link to its page. */

import { useMemo, useRef } from "preact/hooks";
import { fetchOnlyRule } from "../api";
import type { ExperimentNews, ExperimentState, ExperimentSummary, Leader, Stopping } from "../api";
import { byNeed } from "../attention";
import { Sparkline } from "../charts/sparkline";
import { count, counted, duration, inPercent, interval, moment, number, perMinute, plain } from "../format";
import { useAll } from "../frame";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { endedBy, hasEnded, needed, standWords } from "./ended";
import { ending, TIME_UNKNOWN } from "./fleet";
import { ShortId } from "./short-id";
import { Words } from "./words";

export const STATES: Record<ExperimentState, string> = {
  active: "Active",
  finished: "Finished",
  stuck: "Stuck",
  paused: "Paused",
  stopped: "Stopped",
  archived: "Archived",
  superseded: "Superseded",
};

const MEANINGS: Partial<Record<ExperimentState, string>> = {
  stuck: "All that is left was set aside, because it failed again and again",
  paused: "Nothing of it is handed out until somebody resumes it",
  stopped: "Somebody stopped it for good: nothing more of it is handed out",
  archived: "Nothing of it is handed out, and lists leave it out",
  superseded: "A later file of the same name took its place, in an older version of the program",
};

export function StateBadge({ summary: { state, stalled } }: { summary: ExperimentSummary }) {
  const isStalled = stalled !== undefined && state === "active";
  return (
    <span class={`badge ${isStalled ? "stuck" : state}`} title={stalled === undefined ? MEANINGS[state] : plain(stalled)}>
      {isStalled ? "Stalled" : STATES[state]}
    </span>
  );
}

/** That nothing is played, and why, for whoever waits for it. */
export function Stalled({ summary: { state, stalled } }: { summary: ExperimentSummary }) {
  return stalled === undefined ? null : (
    <p class="card warn" role="status" data-testid="stalled">
      {state === "active" ? "Stalled" : STATES[state]}: <Words of={stalled} />
    </p>
  );
}

export function ProgressBar({ summary, label }: { summary: ExperimentSummary; label: string }) {
  // The coordinator's own control has no end.
  return summary.is_control ? null : (
    <progress class={summary.state} aria-label={label} max={needed(summary)} value={summary.games_done} />
  );
}

/** How far, how fast and how long still, in words. */
export function ProgressWords({ summary }: { summary: ExperimentSummary }) {
  const { state, games_done: done, games_planned: planned, games_per_minute: speed } = summary;
  return (
    <span class="facts">
      <span>
        <b>{count(done)}</b> {summary.is_control ? "games, without an end" : `of ${count(planned)} games`}
      </span>
      {summary.games_not_needed > 0 && <span>{count(summary.games_not_needed)} not needed</span>}
      {endedBy(summary) !== undefined && <span>{endedBy(summary)}</span>}
      {summary.pairs_aside > 0 && <span class="warn">{counted(summary.pairs_aside, "pair")} set aside</span>}
      {state === "active" && <span>{perMinute(speed)} games/min</span>}
      {state === "active" && !summary.is_control && <span>{timeLeft(summary)}</span>}
    </span>
  );
}

function timeLeft({ seconds_left: left, games_per_minute: speed, pairs_in_flight: inPlay, stalled }: ExperimentSummary): string {
  if (stalled !== undefined) return "stalled";
  if (left !== null) return `${duration(left)} left`;
  // The speed is that of the last minutes, in which no long game need have ended.
  return inPlay > 0 || speed > 0 ? TIME_UNKNOWN : "nothing is played";
}

/** Experiments listed before somebody asks for all. */
const FEW = 24;

interface ExperimentsProps {
  experiments: readonly ExperimentSummary[];
  news: readonly ExperimentNews[];
  /** When they were fetched, in milliseconds since 1970. */
  at: number;
}

export function Experiments({ experiments, news, at }: ExperimentsProps) {
  const [all, setAll] = useAll("experiments");
  const told = useMemo(() => new Map(news.map((one) => [one.id, one])), [news]);
  const ordered = byNeed(experiments);
  // Older programs stored every revision of a file as an experiment of its own: then the time tells them apart.
  const repeated = (name: string) => experiments.filter((other) => other.name === name).length > 1;
  return (
    <section aria-labelledby="experiments">
      <h2 id="experiments">Experiments</h2>
      <ul class="experiments">
        {(all ? ordered : ordered.slice(0, FEW)).map((summary) => (
          <li key={summary.id} class={summary.state}>
            <a href={pathOf(summary.is_tune ? "tune" : "experiment", summary.id)}>
              <ExperimentCard summary={summary} news={told.get(summary.id)} at={at} />
              {repeated(summary.name) && <span class="applied">Applied {moment(summary.created_ms)}</span>}
            </a>
          </li>
        ))}
      </ul>
      {!all && ordered.length > FEW && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          Show all {count(ordered.length)}
        </button>
      )}
    </section>
  );
}

/** That no case leads, if none does: several may be the best, or the first one is not told apart from its baseline. */
export function noneLeads({ leads, rate, low }: Leader, ended: boolean): string {
  const none = ended ? "No case leads" : "No case leads yet";
  if (!leads) return `${none}: several may be the best. `;
  return rate >= 0.5 && low <= 0.5 ? `${none}. ` : "";
}

/** Where the first of the cases stands among them and, if it does not win, beside its baseline. */
export function standingOf({ leads, rate, low, high }: Leader): string {
  if (leads && rate >= 0.5 && low <= 0.5) return "is not told apart from the baseline";
  // The coordinator ranks by shrunken rates: another case may have a higher one from few games.
  if (rate >= 0.5) return leads ? "leads" : "is ranked first";
  return `${leads ? "is the best of its cases" : "is ranked first"} and is ${high < 0.5 ? "still behind" : "not ahead of"} the baseline`;
}

/** How the test of the only cell stands. */
function OnlyTest({ summary: { id, revision, state, games_done: done } }: { summary: ExperimentSummary }) {
  const { data } = useFetched(fetchOnlyRule, id, `${revision} ${state} ${done}`);
  // What was known before stands until the next answer is there.
  const last = useRef<Stopping>(undefined);
  last.current = data ?? last.current;
  if (last.current === undefined) return null;
  return (
    <span class="facts">
      <span>{standWords(last.current)}</span>
    </span>
  );
}

function ExperimentCard({ summary, news, at }: { summary: ExperimentSummary; news: ExperimentNews | undefined; at: number }) {
  const { name, id, seconds_left: left, is_control: isControl, games_done: done, share, weight } = summary;
  const leader = news?.leader;
  return (
    <>
      <span class="name">
        {name} <ShortId id={id} />
      </span>
      <StateBadge summary={summary} />
      {isControl ? (
        <span class="facts">
          <span>{counted(done, "game")} of players against themselves, kept by the coordinator</span>
        </span>
      ) : (
        <>
          <ProgressBar summary={summary} label={`Games of ${name}`} />
          <ProgressWords summary={summary} />
          {summary.cells === 1 && !summary.is_tune && <OnlyTest summary={summary} />}
        </>
      )}
      <span class="leader">
        {leader !== undefined && (
          <>
            {noneLeads(leader, hasEnded(summary))}
            <b>{leader.case}</b> {standingOf(leader)}: {inPercent(leader.rate)} ({interval(leader.low, leader.high)}) against {leader.against}
          </>
        )}
        {share !== undefined && share < 1 && (
          <span class="ends" title={`Of the workers' core time, with a weight of ${number(weight)}`}>
            {inPercent(share)} of the core time
          </span>
        )}
        {left !== null && !isControl && <span class="ends">Ends {ending(left, at)}</span>}
      </span>
      {news !== undefined && <Sparkline games={news.games} label={`Games of ${name} in the last hour`} />}
    </>
  );
}
