/** What an experiment gets of the workers, and what it has used. */

import type { ExperimentSummary } from "../api";
import { counted, duration, inPercent, moment, number } from "../format";

export function Allocation({ summary: { weight, share, core_seconds, cells, revision, created_ms, pairs_in_flight } }: { summary: ExperimentSummary }) {
  return (
    <p class="facts allocation">
      <span>{share === undefined ? "No pair to hand out now" : `${inPercent(share)} of the workers' core time`}</span>
      <span>weight {number(weight)}</span>
      <span>{counted(pairs_in_flight, "pair")} in play</span>
      <span title="Core time that was charged for its leases, with estimates for those in play">{duration(core_seconds)} of core time</span>
      <span>{counted(cells, "cell")}</span>
      <span>revision {revision}</span>
      <span>since {moment(created_ms)}</span>
    </p>
  );
}
