/** What was decided since somebody last looked, in words. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Decided, ExperimentSummary, News, Verdict } from "../api";
import { ago, budget, counted } from "../format";
import { pathOf } from "../routes";
import { decisionsOf, keyOf, readSeen, writeSeen } from "../seen";
import type { Seen } from "../seen";

/** Sentences shown at most. */
const SHOWN = 8;

/** Somebody has looked when the list was in view for so long. */
const LOOK_MS = 2_000;

const WORDS: Record<Verdict, string> = {
  better: "beats",
  worse: "loses to",
  not_better: "is not better than",
  not_worse: "is not worse than",
  open: "is not told apart from",
};

interface Sentence extends Decided {
  experiment: ExperimentSummary;
}

/** The decisions that are not among those seen, by case. */
export function sentencesOf(news: News, experiments: readonly ExperimentSummary[], seen: Seen | undefined): Sentence[] {
  const known = new Set(seen?.decisions);
  return experiments.flatMap((experiment) =>
    (news.experiments.find(({ id }) => id === experiment.id)?.decided ?? []).flatMap((decided) => {
      const cells = decided.cells.filter(({ cell }) => !known.has(keyOf(cell, decided.verdict)));
      return cells.length === 0 ? [] : [{ ...decided, cells, experiment }];
    }),
  );
}

export function DecidedSince({ news, experiments, now }: { news: News; experiments: readonly ExperimentSummary[]; now: number }) {
  const [seen, setSeen] = useState(readSeen);
  const look = useLook(news, setSeen);
  const sentences = sentencesOf(news, experiments, seen);
  const all = news.experiments.reduce((sum, { cells_decided }) => sum + cells_decided, 0);
  return (
    <section class="decided" aria-labelledby="decided">
      <div class="tools">
        <h2 id="decided">{seen === undefined ? "Decided so far" : "Decided since you last looked"}</h2>
        {seen !== undefined && <span class="when">{ago(Math.max(0, now - seen.at) / 1000)}</span>}
        {sentences.length > 0 && (
          <button type="button" onClick={look}>
            Seen
          </button>
        )}
      </div>
      {sentences.length === 0 ? (
        <p class="nothing">
          {seen === undefined ? "Nothing yet" : "Nothing new"}
          {all > 0 && `; ${counted(all, "cell")} decided in all`}.
        </p>
      ) : (
        <ul>
          {sentences.slice(0, SHOWN).map((sentence) => (
            <li key={`${sentence.cells[0]!.cell} ${sentence.verdict}`} class={sentence.verdict}>
              <SentenceWords sentence={sentence} />
            </li>
          ))}
        </ul>
      )}
      {sentences.length > SHOWN && <p class="nothing">And {counted(sentences.length - SHOWN, "more case")}, on the pages of the experiments.</p>}
    </section>
  );
}

function SentenceWords({ sentence: { experiment, case: name, against, verdict, cells, budget: spent } }: { sentence: Sentence }) {
  return (
    <>
      <b>{name}</b> {WORDS[verdict]} <b>{against}</b> on size{cells.length > 1 && "s"}{" "}
      {cells.map(({ cell, size }, i) => (
        <span key={cell}>
          {i > 0 && (i === cells.length - 1 ? " and " : ", ")}
          <a href={pathOf("cell", cell)}>{size}</a>
        </span>
      ))}{" "}
      <small>
        with {budget(spent)}, in <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a>
      </small>
    </>
  );
}

/** Remembers what was in view when the page goes out of view. The answer does it now. */
function useLook(news: News, show: (seen: Seen) => void): () => void {
  const latest = useRef(news);
  latest.current = news;
  const since = useRef(Date.now());
  const remember = () => {
    const seen = { at: Date.now(), decisions: decisionsOf(latest.current) };
    writeSeen(seen);
    return seen;
  };
  useEffect(() => {
    const leave = () => Date.now() - since.current >= LOOK_MS && remember();
    const turn = () => {
      if (document.visibilityState === "hidden") {
        leave();
        return;
      }
      since.current = Date.now();
      const seen = readSeen();
      if (seen !== undefined) show(seen);
    };
    document.addEventListener("visibilitychange", turn);
    addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return () => show(remember());
}
