/** What was decided since the reader last looked, in words. */

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Decided, ExperimentSummary, News, Verdict } from "../api";
import { budget, counted } from "../format";
import { pathOf } from "../routes";
import { keyOf, readSeen, seenAfter, writeSeen, type Seen } from "../seen";
import { Ago } from "./elements";
import { Fold, useMore } from "./fold";

/** Sentences at the beginning. */
const SHOWN = 8;

/** The list counts as seen when so much of it was in view for so long. */
const LOOK_PART = 0.5;
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

/** Decisions in the order in which people want them: cases that win, those that hold their own, and the losers apart. */
export function byOutcome<T extends Pick<Decided, "verdict">>(sentences: readonly T[]): { winners: T[]; losers: T[] } {
  const of = (...verdicts: Verdict[]) => sentences.filter(({ verdict }) => verdicts.includes(verdict));
  return { winners: [...of("better"), ...of("not_worse"), ...of("open")], losers: of("worse", "not_better") };
}

export function DecidedSince({ news, experiments }: { news: News; experiments: readonly ExperimentSummary[] }) {
  const [seen, setSeen] = useState(readSeen);
  const sentences = sentencesOf(news, experiments, seen);
  const { winners, losers } = byOutcome(sentences);
  const [first, more] = useMore(winners.length, SHOWN, "cases", "decisions");
  const shown = winners.slice(0, first);
  // The line of the losers tells of all of them.
  const listed = [...shown, ...losers];
  const [section, look] = useLook(news, listed, setSeen);
  const all = news.experiments.reduce((sum, { cells_decided }) => sum + cells_decided, 0);
  const unlisted = news.experiments.reduce((sum, { cases_decided, decided }) => sum + cases_decided - decided.length, 0);
  return (
    <section class="decided" aria-labelledby="decided" ref={section}>
      <div class="tools">
        <h2 id="decided">{seen === undefined ? "Decided so far" : "Decided since you last looked"}</h2>
        {seen !== undefined && (
          <span class="when">
            <Ago since={seen.at} />
          </span>
        )}
        {sentences.length > 0 && (
          <button type="button" onClick={look}>Seen</button>
        )}
      </div>
      {sentences.length === 0 ? (
        <p class="nothing">
          {seen === undefined ? "Nothing yet" : "Nothing new"}
          {all > 0 && `; ${counted(all, "cell")} decided in all`}.
        </p>
      ) : (
        <Sentences of={shown} />
      )}
      {more}
      {losers.length > 0 && (
        <Fold name="losers" kind="losers" summary={losersWords(losers)}>
          <Sentences of={losers} />
        </Fold>
      )}
      {unlisted > 0 && <p class="nothing">Not listed here: {counted(unlisted, "decided case")} of long experiments, whose pages have them.</p>}
    </section>
  );
}

function Sentences({ of }: { of: readonly Sentence[] }) {
  return of.length === 0 ? null : (
    <ul>
      {of.map((sentence) => (
        <li key={`${sentence.cells[0]!.cell} ${sentence.verdict}`} class={sentence.verdict}>
          <SentenceWords sentence={sentence} />
        </li>
      ))}
    </ul>
  );
}

/** All losers in a line. */
function losersWords(losers: readonly Sentence[]): string {
  const worse = losers.filter(({ verdict }) => verdict === "worse").length;
  const rest = losers.length - worse;
  const parts = [
    worse > 0 && `${counted(worse, "case")} ${worse === 1 ? "loses" : "lose"}`,
    rest > 0 && `${counted(rest, "case")} ${rest === 1 ? "is" : "are"} not better`,
  ];
  return parts.filter(Boolean).join(", ");
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

/** Remembers what is listed once it was in view for a while and goes out of view. The answer has what is watched, and does it now. */
function useLook(news: News, listed: readonly Sentence[], show: (seen: Seen) => void): [RefObject<HTMLElement | null>, () => void] {
  const latest = useRef({ news, listed });
  latest.current = { news, listed };
  const section = useRef<HTMLElement>(null);
  const remember = () => {
    const seen = seenAfter(readSeen(), latest.current.listed, latest.current.news, Date.now());
    writeSeen(seen);
    return seen;
  };
  useEffect(() => {
    let isInView = false;
    // Since when the list is seen.
    let since: number | undefined;
    const begin = () => (since = isInView && document.visibilityState === "visible" ? Date.now() : undefined);
    const leave = () => {
      if (since !== undefined && Date.now() - since >= LOOK_MS) remember();
      since = undefined;
    };
    const turn = () => {
      leave();
      if (document.visibilityState === "hidden") return;
      begin();
      const seen = readSeen();
      if (seen !== undefined) show(seen);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        leave();
        isInView = entries.at(-1)!.isIntersecting;
        begin();
      },
      { threshold: LOOK_PART },
    );
    observer.observe(section.current!);
    document.addEventListener("visibilitychange", turn);
    addEventListener("pagehide", leave);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", turn);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return [section, () => show(remember())];
}
