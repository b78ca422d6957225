/** What speaks against the results: games that count though somebody doubts them. */

import type { ExperimentReport } from "../api";
import { Words } from "./words";

export function Warnings({ report: { warnings } }: { report: ExperimentReport }) {
  if (warnings.length === 0) return null;
  return (
    <section class="warnings" role="status" aria-label="Warnings">
      {warnings.map((warning) => (
        <p key={warning}>
          <Words of={warning} />.
        </p>
      ))}
    </section>
  );
}
