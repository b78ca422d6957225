/** What needs attention, in the order in which it matters. */

import type { ExperimentNews, ExperimentSummary, Overview } from "./api";
import { count, counted } from "./format";
import { pathOf } from "./routes";

export interface Matter {
  severity: "red" | "amber";
  subject: string;
  /** Where to go on; what concerns the coordinator itself has no page. */
  href?: string;
  words: string;
  /** Since when, in milliseconds since 1970, if that is known. */
  since?: number;
}

export function mattersOf(overview: Overview): Matter[] {
  const { trouble, alarms, experiments, fleet, workers, version } = overview;
  const matters: Matter[] = [];
  if (trouble !== undefined) matters.push({ severity: "red", subject: "Storage", words: trouble });
  for (const { severity, subject, worker, since_ms, words } of alarms) {
    matters.push({
      severity,
      subject: worker === undefined ? "Control" : subject,
      href: worker === undefined ? pathOf("control") : pathOf("worker", worker),
      words,
      since: since_ms,
    });
  }
  matters.push(...ofStalled(experiments));
  for (const summary of experiments) matters.push(...ofExperiment(summary));
  if (fleet.quarantined > 0) {
    matters.push({ severity: "amber", subject: counted(fleet.quarantined, "worker"), href: pathOf("workers"), words: "in quarantine: no work goes there" });
  }
  if (fleet.outdated > 0) {
    // The overview has the first workers only.
    const known = workers.filter((worker) => worker.alive && worker.version !== version).map((worker) => `${worker.name} ${worker.version}`);
    const names = [...known, ...(known.length < fleet.outdated ? [`${count(fleet.outdated - known.length)} more`] : [])].join(", ");
    matters.push({
      severity: "amber",
      subject: counted(fleet.outdated, "worker"),
      href: pathOf("workers"),
      words: `another version of the program than the coordinator's ${version}: ${names}`,
    });
  }
  return matters.sort((a, b) => Number(b.severity === "red") - Number(a.severity === "red"));
}

/** Experiments that are not played. Those that wait for the same reason are one matter. */
function ofStalled(experiments: readonly ExperimentSummary[]): Matter[] {
  const reasons = new Map<string, ExperimentSummary[]>();
  for (const summary of experiments) {
    const { state, stalled, is_control } = summary;
    // The control waits for the same reasons as everything else.
    if (state !== "active" || stalled === undefined || is_control) continue;
    reasons.set(stalled, [...(reasons.get(stalled) ?? []), summary]);
  }
  return [...reasons].map(([stalled, [first, ...others]]) => ({
    severity: "red",
    words: `stalled: ${stalled}`,
    ...(others.length === 0
      ? { subject: first!.name, href: pathOf("experiment", first!.id) }
      : { subject: counted(1 + others.length, "experiment"), href: "#experiments" }),
  }));
}

function ofExperiment({ id, name, state, stalled, pairs_aside, is_control }: ExperimentSummary): Matter[] {
  if (is_control || (state === "active" && stalled !== undefined)) return [];
  const matter = { severity: "amber" as const, subject: name, href: pathOf("experiment", id) };
  if (state === "stuck") return [{ ...matter, severity: "red", words: `stuck: all that is left, ${counted(pairs_aside, "pair")}, was set aside` }];
  if (pairs_aside > 0) return [{ ...matter, words: `${counted(pairs_aside, "pair")} set aside after failing again and again` }];
  return [];
}

const STATES: readonly ExperimentSummary["state"][] = ["stuck", "active", "paused", "finished", "stopped", "archived"];

/** Experiments in the order in which people need them: what is stuck, what is played, what waits, what is over; each by its share of the core time. */
export function byNeed(experiments: readonly ExperimentSummary[]): ExperimentSummary[] {
  const need = ({ state, stalled }: ExperimentSummary) => (state === "active" && stalled !== undefined ? -1 : STATES.indexOf(state));
  return experiments.slice().sort((a, b) => need(a) - need(b) || (b.share ?? 0) - (a.share ?? 0) || b.games_per_minute - a.games_per_minute || b.created_ms - a.created_ms);
}

/** An experiment must be faster than the one that is shown by this factor to take its place. */
const FASTER = 1.5;

/** The experiment that moved most: by its games of the last minutes, then by those of the last hour, then the newest. */
export function movedMost(
  experiments: readonly ExperimentSummary[],
  news: readonly ExperimentNews[],
  shown: string | undefined,
): ExperimentSummary | undefined {
  const hour = new Map(news.map(({ id, games }) => [id, games.reduce((sum, games) => sum + games, 0)]));
  const own = experiments.filter(({ is_control, games_done }) => !is_control && games_done > 0);
  const [first] = (own.length > 0 ? own : experiments)
    .slice()
    .sort((a, b) => b.games_per_minute - a.games_per_minute || (hour.get(b.id) ?? 0) - (hour.get(a.id) ?? 0) || b.created_ms - a.created_ms);
  const current = experiments.find(({ id }) => id === shown);
  const isFaster = first !== undefined && (current === undefined || first.games_per_minute > FASTER * current.games_per_minute);
  return isFaster ? first : current;
}
