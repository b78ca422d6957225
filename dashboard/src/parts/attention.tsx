/** What needs attention, worst first. */

import type { Matter } from "../attention";
import { ago, counted } from "../format";
import { useNow } from "../live";
import { Words } from "./elements";

export function Attention({ matters }: { matters: readonly Matter[] }) {
  const now = useNow();
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {/* Words and ages change with the time: a screen reader should hear of each matter once, and read the list on demand. */}
      <p class="visually-hidden" role="status">
        {matters.length > 0 && `${counted(matters.length, "alarm")}: ${matters.map(({ subject }) => subject).join(", ")}`}
      </p>
      {matters.length === 0 ? (
        <p class="nothing">Nothing.</p>
      ) : (
        <ul>
          {matters.map(({ severity, subject, href, words, since }) => (
            <li key={`${subject} ${words}`} class={severity}>
              <b>{href === undefined ? subject : <a href={href}>{subject}</a>}</b> <Words of={words} />
              {since !== undefined && <small> for {ago(Math.max(0, now - since) / 1000).replace(/ ago$/, "")}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
