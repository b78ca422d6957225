/** The frame around every page: where we are, what is live, and what is shown. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { go, useAddress } from "./address";
import { fetchExperiment, type ExperimentSummary } from "./api";
import { FrameContext, Here, useHere, useTitle, type Frame } from "./frame";
import { Beat, Clock, useFeed, useFetched } from "./live";
import { AccessPage } from "./pages/access";
import { CellPage } from "./pages/cell";
import { ComparePage } from "./pages/compare";
import { ControlPage } from "./pages/control";
import { ExperimentPage } from "./pages/experiment";
import { GamePage } from "./pages/game";
import { GamesPage } from "./pages/games";
import { HomePage } from "./pages/home";
import { StudyPage, TunePage } from "./pages/study";
import { WorkerPage } from "./pages/worker";
import { WorkersPage } from "./pages/workers";
import { needed } from "./parts/ended";
import { Header } from "./parts/header";
import { Loaded, UnknownPage } from "./parts/loaded";
import { LockedPage, useSession } from "./parts/session";
import { pathOf, readRoute, type Route } from "./routes";
import { readView, writeView, type View } from "./url";

export function App() {
  const address = useAddress();
  const { snapshot, trouble, locked, beat } = useFeed();
  const session = useSession();
  const route = useMemo(() => readRoute(address.pathname), [address.pathname]);
  const main = useRef<HTMLElement>(null);
  // A screen reader goes on at the new page, not at the link that has gone.
  const shown = useRef(address.pathname);
  useEffect(() => {
    if (shown.current !== address.pathname) main.current?.focus({ preventScroll: true });
    shown.current = address.pathname;
  }, [address.pathname]);

  const frame: Frame = { overview: snapshot?.overview, at: snapshot?.at ?? 0, trouble, session };
  // The fragment of the address may be a large view, and stays.
  const skip = (event: Event) => {
    event.preventDefault();
    main.current!.focus();
  };
  return (
    <Beat.Provider value={beat}>
      <Clock>
        <a class="skip" href="#main" onClick={skip}>To the content</a>
        <Header frame={frame} locked={locked} page={route.page} />
        <main class="page" id="main" ref={main} tabIndex={-1}>
          {locked ? (
            <LockedPage />
          ) : (
            <FrameContext.Provider value={frame}>
              <Here.Provider value={address}>
                <Page key={`${route.page}/${route.id}`} route={route} />
              </Here.Provider>
            </FrameContext.Provider>
          )}
        </main>
      </Clock>
    </Beat.Provider>
  );
}

const PAGES: Record<Route["page"], (props: { id: string }) => ComponentChildren> = {
  home: HomePage,
  experiment: ExperimentAt,
  tune: TunePage,
  study: StudyPage,
  cell: CellPage,
  games: GamesPage,
  game: GamePage,
  workers: WorkersPage,
  worker: WorkerPage,
  control: ControlPage,
  access: AccessPage,
  compare: ComparePage,
  unknown: UnknownPage,
};

function Page({ route: { page, id } }: { route: Route }) {
  const Shown = PAGES[page];
  return <Shown id={id} />;
}

const goToView = (view: View, typed?: boolean) => go(writeView(view, new URL(location.href)), typed !== true);

/** The name of an experiment, after how much of it is played; the coordinator's own control has no end. */
export function titleOf(summary: ExperimentSummary): string {
  return summary.is_control ? summary.name : `${Math.floor((100 * summary.games_done) / needed(summary))} % ${summary.name}`;
}

function ExperimentAt({ id }: { id: string }) {
  const address = useHere();
  const report = useFetched(fetchExperiment, id);
  useTitle(report.data === undefined ? "Experiment" : titleOf(report.data.summary));
  const data = report.data;
  // A tune opens on its own page. What shows its points as cases says how in the query.
  const isElsewhere = data?.summary.is_tune === true && address.search === "" && address.hash === "";
  useEffect(() => {
    if (isElsewhere) go(pathOf("tune", id));
  }, [isElsewhere, id]);
  // The same object until the address changes: what a large experiment shows is rendered again only when it is another.
  const view = useMemo(() => readView(address), [address]);
  return (
    <Loaded of={report} what="experiment">
      {(data) => isElsewhere ? null : <ExperimentPage report={data} view={view} go={goToView} />}
    </Loaded>
  );
}
