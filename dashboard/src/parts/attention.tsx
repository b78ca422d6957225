/** What needs attention, worst first. */

import type { Matter } from "../attention";
import { useNow } from "../clock";
import { ago } from "../format";

export function Attention({ matters }: { matters: readonly Matter[] }) {
  const now = useNow();
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {matters.length === 0 ? (
        <p class="nothing">Nothing.</p>
      ) : (
        <div role="status">
          <ul>
            {matters.map(({ severity, subject, href, words, since }) => (
              <li key={`${subject} ${words}`} class={severity}>
                <b>{href === undefined ? subject : <a href={href}>{subject}</a>}</b> {words}
                {since !== undefined && <small> for {ago(Math.max(0, now - since) / 1000).replace(/ ago$/, "")}</small>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
