/** The frame around every page: where we are, what is live, and what is shown. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ExperimentPage } from "./pages/experiment";
import { EmptyPage, UnknownPage, WaitingPage } from "./pages/notices";
import { Experiments } from "./parts/experiments";
import { Header } from "./parts/header";
import { LockedPage, allows, useSession } from "./parts/session";
import { Workers } from "./parts/workers";
import { Feed } from "./live";
import type { Live } from "./live";
import { readView, writeView } from "./url";
import type { View } from "./url";

/** The view in the address, and how to change it: `push` makes a step to come back from. */
function useView(): [View, (view: View, push?: boolean) => void] {
  const [view, setView] = useState(() => readView(new URL(location.href)));
  useEffect(() => {
    const follow = () => setView(readView(new URL(location.href)));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = useCallback((next: View, push = false) => {
    history[push ? "pushState" : "replaceState"](null, "", writeView(next));
    setView(next);
  }, []);
  return [view, go];
}

function useLive(experiment: string | undefined): Live {
  const [live, setLive] = useState<Live>({ snapshot: undefined, trouble: undefined, locked: false });
  const feed = useRef<Feed>(undefined);
  feed.current ??= new Feed(setLive);
  useEffect(() => feed.current!.start(), []);
  useEffect(() => feed.current!.choose(experiment), [experiment]);
  return live;
}

/** This machine's clock in ms since 1970, once a second while the page is in view. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && setNow(Date.now());
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function App() {
  const [view, go] = useView();
  const { snapshot, trouble, locked } = useLive(view.experiment);
  const session = useSession();
  const now = useNow();
  const report = snapshot?.report;

  useEffect(() => {
    const summary = report?.summary;
    if (summary === undefined) document.title = "Gauntlet";
    else document.title = `${Math.floor((100 * summary.games_done) / Math.max(1, summary.games_planned))} % ${summary.name} · Gauntlet`;
  }, [report]);

  if (snapshot === undefined || locked) {
    return (
      <>
        <Header snapshot={undefined} trouble={locked ? undefined : trouble} session={session} now={now} />
        <main class="page">{locked ? <LockedPage /> : <WaitingPage trouble={trouble} />}</main>
      </>
    );
  }
  const { overview, at } = snapshot;
  const age = Math.max(0, (now - at) / 1000);
  return (
    <>
      <Header snapshot={snapshot} trouble={trouble} session={session} now={now} />
      <div class="columns">
        <main class="page">
          {report !== undefined ? (
            <ExperimentPage report={report} view={view} go={go} />
          ) : snapshot.unknown ? (
            <UnknownPage />
          ) : (
            <EmptyPage />
          )}
        </main>
        <aside class="side" aria-label="Experiments and workers">
          {(overview.experiments.length > 1 || report === undefined) && overview.experiments.length > 0 && (
            <Experiments experiments={overview.experiments} shown={report?.summary.id} go={go} />
          )}
          <Workers first={overview.workers} fleet={overview.fleet} at={at} age={age} admin={allows(session, "admin")} />
        </aside>
      </div>
    </>
  );
}
