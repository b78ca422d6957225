/** What people changed while the experiment ran: the latest changes first. */

import type { ExperimentReport } from "../api";
import { moment } from "../format";

export function Timeline({ report: { timeline } }: { report: ExperimentReport }) {
  if (timeline.length === 0) return null;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Changes while it ran</h2>
      <div class="scroll" role="region" aria-label="List of changes" tabIndex={0}>
        <table class="timeline">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Details</th>
            </tr>
          </thead>
          <tbody>
            {timeline.map(({ seq, at_ms, who, action, detail }) => (
              <tr key={seq}>
                <td>
                  <time dateTime={new Date(at_ms).toISOString()}>{moment(at_ms)}</time>
                </td>
                <td>{who}</td>
                <td>{action}</td>
                <td>{detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
