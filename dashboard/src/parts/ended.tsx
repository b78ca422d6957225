/** How an experiment ended: what its stopping rules found, and which of its games were not played. */

import type { ExperimentReport, ExperimentSummary, Stopping } from "../api";
import { count, counted, hundredths, inPercent, interval, percent } from "../format";
import { Words } from "./elements";

/** The rule of all cells that have one, if it is the same. */
export function sharedRule({ series }: Pick<ExperimentReport, "series">): string | undefined {
  const rules = new Set(series.flatMap(({ points }) => points.flatMap(({ stopping }) => (stopping === undefined ? [] : [stopping.rule]))));
  return rules.size === 1 ? [...rules][0] : undefined;
}

/** How the only rule of an experiment stands, for a card: what it found, and how far it is. */
export function standWords(stopping: Stopping): string {
  const found = stopping.outcome === "open" ? undefined : stopping.found;
  return [`${stopping.rule}:`, [found, llrWords(stopping)].filter((words) => words !== undefined).join(", ") || "open"].join(" ");
}

/** Whether a rule came to its end, though not all games need have been played, or more of them were. */
const hasRuled = ({ outcome }: Stopping): boolean => outcome !== "open" && outcome !== "stopped";

/** The games that the plan needs: those of cells that a rule ended early are not needed. */
export function needed({ games_planned: planned, games_not_needed: not }: ExperimentSummary): number {
  return Math.max(1, planned - not);
}

/** How much of what is needed is played. The coordinator's own control has no end. */
export function doneWords(summary: ExperimentSummary): string {
  return summary.is_control ? "–" : inPercent(summary.games_done / needed(summary));
}

/** The rate with the effect of the stop taken out, if there is one. */
export function correctedWords({ is_corrected, rate, low, high }: Stopping): string | undefined {
  return is_corrected && rate !== null ? `corrected ${percent(rate)} (${interval(low, high)})` : undefined;
}

/** The log-likelihood ratio of a sequential test with the bounds at which it decides, if the rule is one. */
export function llrWords({ llr, lower, upper }: Stopping): string | undefined {
  return llr === null || lower === null || upper === null ? undefined : `LLR ${hundredths(llr)} [${hundredths(lower)}, ${hundredths(upper)}]`;
}

export const hasEnded = ({ state }: ExperimentSummary): boolean => state === "finished" || state === "stopped";

/** Why it ended early, in few words. */
export function endedBy(summary: ExperimentSummary): string | undefined {
  const { state, confirms } = summary;
  if (!hasEnded(summary) || summary.games_done >= summary.games_planned) return undefined;
  if (state === "stopped") return "stopped by a person";
  return confirms === undefined ? "ended by its stopping rule" : `decided: ${confirms.verdict}`;
}

/** How it ended, if it ended early or by a rule: what its rules found, what that says of a confirmation, and who stopped the rest. */
export function endingWords({ summary, series }: Pick<ExperimentReport, "summary" | "series">): string | undefined {
  if (!hasEnded(summary)) return undefined;
  const points = series.flatMap((own) => own.points);
  // A rule may decide after all games were played, or be read only then: a pair that is missing holds it up.
  const ruled = points.flatMap(({ stopping }) => (stopping !== undefined && hasRuled(stopping) ? [stopping] : []));
  const isEarly = summary.games_done < summary.games_planned;
  if (!isEarly && ruled.length === 0) return undefined;
  const outcomes = ruled.map(({ found }) => found);
  const found =
    ruled.length === 1
      ? `${outcomes[0]} after ${counted(ruled[0]!.pairs, "pair")}`
      : [...new Set(outcomes)].map((words) => `${count(outcomes.filter((own) => own === words).length)} ${words}`).join(", ");
  const rules = [...new Set(ruled.map(({ rule }) => rule))].join("; ");
  const rest = points.filter(({ games, games_planned: planned, stopping }) => games < planned && !(stopping !== undefined && hasRuled(stopping))).length;
  const sentences = [isEarly ? `Ended after ${count(summary.games_done)} of ${counted(summary.games_planned, "game")}.` : `Ended after all ${counted(summary.games_planned, "game")}.`];
  if (ruled.length > 0) sentences.push(`Outcome of the stopping rule in ${counted(ruled.length, "cell")}: ${found}. The rule: ${rules}.`);
  if (summary.confirms !== undefined) sentences.push(`The confirmation of ${summary.confirms.case} is decided: ${summary.confirms.verdict}.`);
  if (summary.state === "stopped") sentences.push(`A person stopped the experiment${ruled.length > 0 ? `, and with it ${counted(rest, "cell")}` : ""}.`);
  else if (rest > 0) sentences.push(`${counted(rest, "more cell")} ended with ${summary.confirms === undefined ? "games missing" : "that decision"}.`);
  return sentences.join(" ");
}

export function Ended({ report }: { report: ExperimentReport }) {
  const words = endingWords(report);
  return words === undefined ? null : (
    <p class="card" role="status" data-testid="ended">
      <Words of={words} />
    </p>
  );
}
