/** One experiment: its question, its picture, its numbers. */

import { useMemo } from "preact/hooks";
import { fetchAnalysis } from "../api";
import type { ExperimentReport } from "../api";
import { panelTitle } from "../charts/panels";
import { chosenChart } from "../charts/pictures";
import { select } from "../charts/selection";
import { Analysed, standingIn } from "../charts/standing";
import type { Standing } from "../charts/standing";
import { useFrame } from "../frame";
import { useFetched } from "../live";
import { Actions } from "../parts/actions";
import { Allocation } from "../parts/allocation";
import { Aside } from "../parts/aside";
import { Effects } from "../parts/effects";
import { Ended, sharedRule } from "../parts/ended";
import { ProgressBar, ProgressWords, Stalled, StateBadge } from "../parts/experiments";
import { History } from "../parts/history";
import { Trouble } from "../parts/loaded";
import { Numbers } from "../parts/numbers";
import { Pictures } from "../parts/pictures";
import { Ratings } from "../parts/ratings";
import { Ranking } from "../parts/ranking";
import { allows } from "../parts/session";
import { Warnings } from "../parts/warnings";
import { Words } from "../parts/words";
import { pathOf } from "../routes";
import type { View } from "../url";

interface ExperimentPageProps {
  report: ExperimentReport;
  view: View;
  /** Shows another view; `typed` while somebody types, which is no step to come back from. */
  go: (view: View, typed?: boolean) => void;
}

/** No case has a place yet. */
const UNRANKED: Standing = new Map();

export function ExperimentPage({ report, view: address, go }: ExperimentPageProps) {
  // From the first change on the address names the experiment too: a shared link must not follow the newest one.
  const view = useMemo(() => ({ ...address, experiment: address.experiment ?? report.summary.id }), [address, report.summary.id]);
  const { summary, sizes } = report;
  const { overview, session } = useFrame();
  const fetched = useFetched(fetchAnalysis, summary.id, summary.revision);
  const { data: analysis, trouble } = fetched;
  const analysed = useMemo(() => analysis && new Analysed(report, analysis), [report, analysis]);
  const unranked = trouble === undefined ? "The coordinator ranks the cases…" : `The cases are not ranked: ${trouble}.`;
  const standing = useMemo(
    () => standingIn(report, analysed, address.panel) ?? UNRANKED,
    [report, analysed, address.panel],
  );
  const selection = useMemo(() => select(report, address, standing), [report, address, standing]);
  const { panels, shown, drawn } = selection;
  const chart = chosenChart(shown, address.chart, report.earlier);
  const rule = sharedRule(report);
  const played = [panels.length === 1 && `Played ${panelTitle(panels[0]!, panels)}`, rule].filter(Boolean);
  const mayChange = allows(session, "experiment");
  // Each beat makes the page anew with its overview. These parts do not depend on it, and are large.
  const large = useMemo(
    () => (
      <>
        <Pictures report={report} analysed={analysed} unranked={unranked} selection={selection} standing={standing} view={view} chart={chart} go={go} />
        {analysed !== undefined && <Ranking report={report} analysed={analysed} panels={panels} shown={shown} drawn={drawn} mayChange={mayChange} />}
        {/* Of a pair for each point, and few links between them, Elo numbers say nothing. */}
        {analysed !== undefined && !summary.is_tune && <Ratings summary={summary} analysed={analysed} />}
        {analysed !== undefined && <Effects summary={summary} analysed={analysed} panels={panels} shown={shown} />}
        <Numbers report={report} analysed={analysed} unranked={unranked} selection={selection} sizes={sizes} view={view} chart={chart} go={go} />
      </>
    ),
    [report, analysed, unranked, selection, standing, view, chart, go, mayChange],
  );
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {summary.name} <StateBadge summary={summary} />
          {summary.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </p>
        <h1>
          <Words of={summary.question || summary.name} />
        </h1>
        {summary.is_tune && (
          <p class="lead">
            This experiment is a tune, and its cases are the points that were tried, most of them with few games. They are on a page of their own.{" "}
            <a href={pathOf("tune", summary.id)}>The tune: what is recommended, the fitted response, the points</a>
          </p>
        )}
        {played.length > 0 && <p class="against">{played.join("; ")}</p>}
        <div class="overall">
          <ProgressBar summary={summary} label="Games of this experiment" />
          <ProgressWords summary={summary} />
        </div>
        <Allocation summary={summary} />
        <Actions summary={summary} others={overview?.experiments ?? []} session={session} />
      </header>

      <Stalled summary={summary} />
      <Ended report={report} />
      <Warnings report={report} />
      <Aside report={report} />

      <Trouble of={fetched} what="analysis" />
      {large}
      <History report={report} />
    </>
  );
}
