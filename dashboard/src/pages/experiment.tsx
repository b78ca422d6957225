/** One experiment: its question, its picture, its numbers. */

import { useMemo } from "preact/hooks";
import { fetchAnalysis, type ExperimentReport, type ExperimentSummary } from "../api";
import { panelTitle } from "../charts/panels";
import { chosenChart } from "../charts/pictures";
import { select } from "../charts/selection";
import { Analysed, standingIn, type Standing } from "../charts/standing";
import { isoTime, tableOf } from "../export/table";
import { count, counted, duration, inPercent, moment, number } from "../format";
import { useFrame } from "../frame";
import { useFetched } from "../live";
import { Actions } from "../parts/actions";
import { DataTable } from "../parts/data-table";
import { Effects } from "../parts/effects";
import { Facts, Section, Words } from "../parts/elements";
import { Ended, sharedRule } from "../parts/ended";
import type { ExperimentView } from "../parts/experiment-view";
import { ProgressBar, ProgressWords, Stalled, StateBadge } from "../parts/experiments";
import { History } from "../parts/history";
import { Trouble } from "../parts/loaded";
import { Numbers } from "../parts/numbers";
import { Pictures } from "../parts/pictures";
import { Ranking } from "../parts/ranking";
import { Ratings } from "../parts/ratings";
import { allows } from "../parts/session";
import { pathOf } from "../routes";

/** No case has a place yet. */
const UNRANKED: Standing = new Map();

export function ExperimentPage({ report, view: address, go }: Pick<ExperimentView, "report" | "view" | "go">) {
  // From the first change on the address names the experiment too: a shared link must not follow the newest one.
  const view = useMemo(() => ({ ...address, experiment: address.experiment ?? report.summary.id }), [address, report.summary.id]);
  const { summary } = report;
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
  const { panels, shown } = selection;
  const chart = chosenChart(shown, address.chart, report.earlier);
  const rule = sharedRule(report);
  const played = [panels.length === 1 && `Played ${panelTitle(panels[0]!, panels)}`, rule].filter(Boolean);
  const mayChange = allows(session, "experiment");
  // With each beat the page is rendered with another overview. These parts do not depend on it, and are large.
  const large = useMemo(() => {
    const shown: ExperimentView = { report, analysed, unranked, selection, standing, view, chart, mayChange, go };
    const ranked = analysed && { ...shown, analysed };
    return (
      <>
        <Pictures {...shown} />
        {ranked && <Ranking {...ranked} />}
        {/* Of a pair for each point, and few links between them, Elo numbers say nothing. */}
        {ranked && !summary.is_tune && <Ratings {...ranked} />}
        {ranked && <Effects {...ranked} />}
        <Numbers {...shown} />
      </>
    );
  }, [report, analysed, unranked, selection, standing, view, chart, go, mayChange]);
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {summary.name} <StateBadge summary={summary} />
          {summary.tags.map((tag) => (
            <span key={tag} class="tag">{tag}</span>
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

function Allocation({ summary: { weight, share, core_seconds, cells, revision, created_ms, pairs_in_flight } }: { summary: ExperimentSummary }) {
  return (
    <Facts
      kind="facts allocation"
      of={[
        share === undefined ? "No pair to hand out now" : `${inPercent(share)} of the workers' core time`,
        `weight ${number(weight)}`,
        `${counted(pairs_in_flight, "pair")} in play`,
        <span title="Core time that was charged for its leases, with estimates for those in play">{duration(core_seconds)} of core time</span>,
        counted(cells, "cell"),
        `revision ${revision}`,
        `since ${moment(created_ms)}`,
      ]}
    />
  );
}

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

export function Aside({ report: { summary, aside } }: { report: ExperimentReport }) {
  if (summary.pairs_aside === 0) return null;
  const unlisted = summary.pairs_aside - aside.length;
  const table = () => tableOf(aside, ["cell", "what", "pair", "failures", ["since", ({ since_ms }) => isoTime(since_ms)], "why"]);
  return (
    <Section id="aside" kind="aside" title={`${counted(summary.pairs_aside, "pair")} set aside`}>
      <p>
        They failed again and again and are not handed out any more, so that they hold up nothing. When the cause is gone,
        put them back: <code>gauntlet retry {summary.id}</code>
      </p>
      <DataTable
        kind="games"
        label="Pairs set aside"
        rows={aside}
        columns={[
          ["Cell", ({ cell, what }) => <a href={pathOf("cell", cell)}>{what}</a>],
          ["Pair", ({ pair }) => pair],
          ["Failed", ({ failures }) => `${count(failures)}×`],
          ["Since", ({ since_ms }) => moment(since_ms)],
          ["The last time", ({ why }) => <Words of={why} />, "name"],
        ]}
        files={{ name: `${summary.name}, pairs set aside`, table }}
      />
      {unlisted > 0 && <p>And {counted(unlisted, "more pair")}.</p>}
    </Section>
  );
}
