/** The first page: how everything goes, readable in five seconds. */

import { useEffect, useRef } from "preact/hooks";
import { go } from "../address";
import { fetchNews, type ExperimentNews, type News, type Overview } from "../api";
import { mattersOf, movedMost } from "../attention";
import { useFrame, useHere, useTitle } from "../frame";
import { useFetched } from "../live";
import { Archived } from "../parts/archived";
import { Attention } from "../parts/attention";
import { DecidedSince } from "../parts/decided";
import { Experiments } from "../parts/experiments";
import { FleetNumbers } from "../parts/fleet";
import { Join } from "../parts/join";
import { EmptyPage, Trouble, WaitingPage } from "../parts/loaded";
import { MovedMost } from "../parts/moved-most";
import { allows } from "../parts/session";
import { Studies } from "../parts/studies";
import { DEFAULT_VIEW, readView, writeView } from "../url";

/** Addresses of older versions show an experiment's view without naming the experiment: it was the newest active one. */
function useOldLinks() {
  const address = useHere();
  const { overview } = useFrame();
  useEffect(() => {
    const view = readView(address);
    if (overview === undefined || writeView(view) === writeView(DEFAULT_VIEW)) return;
    const own = overview.experiments.filter(({ is_control }) => !is_control);
    const shown = own.find(({ state }) => state === "active") ?? own[0];
    if (shown !== undefined) go(writeView({ ...view, experiment: shown.id }));
  }, [address, overview]);
}

const NO_NEWS: readonly ExperimentNews[] = [];

export function HomePage() {
  const { overview, trouble, session } = useFrame();
  const news = useFetched(fetchNews);
  useOldLinks();
  useTitle("Overview");
  if (overview === undefined) return <WaitingPage trouble={trouble} />;
  return (
    <>
      <Trouble of={news} what="news" />
      {overview.experiments.length === 0 ? <EmptyPage /> : <Board overview={overview} news={news.data} />}
      {overview.fleet.workers === 0 && (
        <section class="notice" aria-labelledby="join">
          <h2 id="join">No worker has reported yet</h2>
          <Join admin={allows(session, "admin")} />
        </section>
      )}
      <Studies />
      <Archived />
    </>
  );
}

function Board({ overview, news }: { overview: Overview; news: News | undefined }) {
  const { at } = useFrame();
  const matters = mattersOf(overview);
  const shown = useRef<string>(undefined);
  const moved = movedMost(overview.experiments, news?.experiments ?? NO_NEWS, shown.current);
  useEffect(() => void (shown.current = moved?.id), [moved]);
  return (
    <>
      <h1 class="visually-hidden">Overview</h1>
      <FleetNumbers overview={overview} at={at} matters={matters.length} />
      <div class="board">
        {moved !== undefined && <MovedMost key={moved.id} summary={moved} />}
        <div class="beside">
          <Attention matters={matters} />
          {news === undefined ? <div class="awaited" /> : <DecidedSince news={news} experiments={overview.experiments} />}
        </div>
      </div>
      <Experiments experiments={overview.experiments} news={news?.experiments ?? NO_NEWS} at={at} />
    </>
  );
}
