/** Why an experiment ended before its games were played. */

import type { ExperimentReport, ExperimentSummary, StopOutcome, Stopping } from "../api";
import { count, counted, hundredths, interval, inPercent, percent } from "../format";
import { Words } from "./words";

/** What a stopping rule found, in a word or two. */
export const OUTCOMES: Record<StopOutcome, string> = {
  open: "open",
  inconclusive: "inconclusive",
  stopped: "stopped",
  accept_h1: "upper hypothesis",
  accept_h0: "lower hypothesis",
  precise: "precise enough",
  better: "better",
  worse: "worse",
};

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

/** Whether it ended though games of its plan were not played. */
function isEarly({ state, games_done: done, games_planned: planned }: ExperimentSummary): boolean {
  return (state === "finished" || state === "stopped") && done < planned;
}

/** Why it ended early, in few words. */
export function endedBy(summary: ExperimentSummary): string | undefined {
  const { state, confirms } = summary;
  if (!isEarly(summary)) return undefined;
  if (state === "stopped") return "stopped by somebody";
  return confirms === undefined ? "ended by its stopping rule" : `decided: ${confirms.verdict}`;
}

/** Why it ended early: what its rules decided, what that says of a confirmation, and who stopped the rest. */
export function endingWords({ summary, series }: Pick<ExperimentReport, "summary" | "series">): string | undefined {
  if (!isEarly(summary)) return undefined;
  const cells = series.flatMap(({ points }) => points).filter(({ games, games_planned: planned }) => games < planned);
  const decided = cells.flatMap(({ stopping }) => (stopping === undefined || stopping.outcome === "open" || stopping.outcome === "stopped" ? [] : [stopping]));
  const outcomes = [...new Set(decided.map(({ outcome }) => outcome))].map((outcome) => `${count(decided.filter((own) => own.outcome === outcome).length)} ${OUTCOMES[outcome]}`);
  const rules = [...new Set(decided.map(({ rule }) => rule))].join("; ");
  const rest = cells.length - decided.length;
  const sentences = [`Ended after ${count(summary.games_done)} of ${counted(summary.games_planned, "game")}.`];
  if (decided.length > 0) sentences.push(`A stopping rule ended ${counted(decided.length, "cell")} before all games were played (${outcomes.join(", ")}): ${rules}.`);
  if (summary.confirms !== undefined) sentences.push(`The confirmation of ${summary.confirms.case} is decided: ${summary.confirms.verdict}.`);
  if (summary.state === "stopped") sentences.push(`Somebody stopped the experiment${decided.length > 0 ? `, and with it ${counted(rest, "cell")}` : ""}.`);
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
