/** Every experiment with its progress; each is a link to its page. */

import { useMemo, useRef } from "preact/hooks";
import { fetchOnlyRule, type ExperimentNews, type ExperimentState, type ExperimentSummary, type Leader, type Stopping } from "../api";
import { byNeed } from "../attention";
import { Sparkline } from "../charts/sparkline";
import { count, counted, duration, inPercent, interval, number, perMinute, plain } from "../format";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { Facts, Section, ShortId, Words } from "./elements";
import { endedBy, hasEnded, needed, standWords } from "./ended";
import { ending, TIME_UNKNOWN } from "./fleet";
import { useMore } from "./fold";

export const STATES: Record<ExperimentState, string> = {
  active: "Active",
  finished: "Finished",
  stuck: "Stuck",
  paused: "Paused",
  stopped: "Stopped",
  archived: "Archived",
};

const MEANINGS: Partial<Record<ExperimentState, string>> = {
  stuck: "All that is left was set aside, because it failed again and again",
  paused: "Nothing of it is handed out until it is resumed",
  stopped: "A person stopped it for good: nothing more of it is handed out",
  archived: "Nothing of it is handed out, and lists leave it out",
};

export function StateBadge({ summary: { state, stalled } }: { summary: ExperimentSummary }) {
  const isStalled = stalled !== undefined && state === "active";
  return (
    <span class={`badge ${isStalled ? "stuck" : state}`} title={stalled === undefined ? MEANINGS[state] : plain(stalled)}>
      {isStalled ? "Stalled" : STATES[state]}
    </span>
  );
}

/** That nothing is played, and why. */
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
  const { state, games_done: done, games_planned: planned, games_not_needed: spared, games_per_minute: speed, pairs_aside: aside, is_control: isEndless } = summary;
  return (
    <Facts
      of={[
        <>
          <b>{count(done)}</b> {isEndless ? "games, without an end" : `of ${count(planned)} games`}
        </>,
        spared > 0 && `${count(spared)} not needed`,
        endedBy(summary),
        aside > 0 && <span class="warn">{counted(aside, "pair")} set aside</span>,
        state === "active" && `${perMinute(speed)} games/min`,
        state === "active" && !isEndless && timeLeft(summary),
      ]}
    />
  );
}

function timeLeft({ seconds_left: left, games_per_minute: speed, pairs_in_flight: inPlay, stalled }: ExperimentSummary): string {
  if (stalled !== undefined) return "stalled";
  if (left !== null) return `${duration(left)} left`;
  // The speed is that of the last minutes, in which no long game need have ended.
  return inPlay > 0 || speed > 0 ? TIME_UNKNOWN : "nothing is played";
}

/** Experiments at the beginning. */
const FEW = 24;

interface ExperimentsProps {
  experiments: readonly ExperimentSummary[];
  news: readonly ExperimentNews[];
  /** When they were fetched, in milliseconds since 1970. */
  at: number;
}

export function Experiments({ experiments, news, at }: ExperimentsProps) {
  const [first, more] = useMore(experiments.length, FEW, "experiments", "experiments");
  const told = useMemo(() => new Map(news.map((one) => [one.id, one])), [news]);
  const ordered = byNeed(experiments);
  return (
    <Section id="experiments" title="Experiments">
      <ul class="experiments">
        {ordered.slice(0, first).map((summary) => (
          <li key={summary.id} class={summary.state}>
            <a href={pathOf(summary.is_tune ? "tune" : "experiment", summary.id)}>
              <ExperimentCard summary={summary} news={told.get(summary.id)} at={at} />
            </a>
          </li>
        ))}
      </ul>
      {more}
    </Section>
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
  return last.current === undefined ? null : <Facts of={[standWords(last.current)]} />;
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
        <Facts of={[`${counted(done, "game")} of players against themselves, kept by the coordinator`]} />
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
