/** One experiment: its question, its picture, its numbers. */

import { useMemo, useState } from "preact/hooks";
import type { ExperimentReport } from "../api";
import { FEW } from "../charts/choice";
import { panelTitle } from "../charts/panels";
import { chartsOf, picturesOf } from "../charts/pictures";
import { intervalMethod, intervalSentence, select } from "../charts/selection";
import { Aside } from "../parts/aside";
import { Chart } from "../parts/chart";
import { Downloads } from "../parts/downloads";
import { ProgressBar, ProgressWords, Stalled, StateBadge } from "../parts/experiments";
import { Finder } from "../parts/finder";
import { CurveNames, Legend } from "../parts/legend";
import { RatesTable } from "../parts/rates-table";
import { Switch } from "../parts/switch";
import { Timeline } from "../parts/timeline";
import { Warnings } from "../parts/warnings";
import { toggleSeries } from "../url";
import type { View } from "../url";

interface ExperimentPageProps {
  report: ExperimentReport;
  view: View;
  go: (view: View, push?: boolean) => void;
}

const ALL = "";

/** The kinds of pictures, on their switch and in the heading. */
const CHARTS = { size: "Board size", response: "Parameter", heat: "Two parameters" } as const;
const WORDS = { size: "board size", response: "parameter", heat: "two parameters" } as const;

export function ExperimentPage({ report, view: address, go }: ExperimentPageProps) {
  // From the first change on the address names the experiment too: a shared link must not follow the newest one.
  const view = { ...address, experiment: address.experiment ?? report.summary.id };
  const [pointed, setPointed] = useState<string>();
  const { summary, sizes } = report;
  const selection = useMemo(() => select(report, address), [report, address]);
  const { cases, panels, shown, visible, drawn, domain } = selection;
  const charts = useMemo(() => chartsOf(shown), [shown]);
  const chart = charts.includes(view.chart) ? view.chart : "size";
  const title = (index: number) => panelTitle(shown[index]!, panels);
  const pictures = useMemo(
    () =>
      visible.flatMap((panel) => {
        const name = panelTitle(panel, panels);
        return picturesOf(panel, sizes, chart).map((picture) => {
          const heading = [visible.length > 1 ? name : "", picture.title].filter((words) => words !== "").join(", ");
          return { panel: panel.key, heading, words: [name, picture.title].join(" ").trim(), picture };
        });
      }),
    [visible, panels, sizes, chart],
  );
  // Few cases: a series switched off leaves the picture, not its numbers.
  const tables = cases.length > FEW ? visible : shown;
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {summary.name} <StateBadge summary={summary} />
        </p>
        <h1>{summary.question || summary.name}</h1>
        {panels.length === 1 && <p class="against">Played {title(0)}</p>}
        <div class="overall">
          <ProgressBar summary={summary} label="Games of this experiment" />
          <ProgressWords summary={summary} />
        </div>
      </header>

      <Stalled summary={summary} />
      <Warnings report={report} />
      <Aside report={report} />

      <section class="picture" aria-labelledby="picture">
        <div class="tools">
          <h2 id="picture">Win rate by {WORDS[chart]}</h2>
          {charts.length > 1 && (
            <Switch
              label="Win rate by"
              value={chart}
              options={charts.map((kind) => [kind, CHARTS[kind]] as const)}
              choose={(kind) => go({ ...view, chart: kind }, true)}
            />
          )}
          {panels.length > 1 && (
            <label>
              <span class="visually-hidden">Baseline and budget</span>
              <select
                value={panels.some(({ key }) => key === view.panel) ? view.panel : ALL}
                onChange={(event) => {
                  const { panel: _, ...rest } = view;
                  const chosen = event.currentTarget.value;
                  go(chosen === ALL ? rest : { ...rest, panel: chosen });
                }}
              >
                <option value={ALL}>All side by side</option>
                {panels.map((panel) => (
                  <option key={panel.key} value={panel.key}>
                    {panelTitle(panel, panels)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <Switch
            label="Vertical axis"
            value={view.axis}
            options={[
              ["full", "0–100 %"],
              ["fit", "Fit"],
            ]}
            choose={(axis) => go({ ...view, axis })}
          />
        </div>
        {cases.length > FEW ? (
          // The other pictures show whole sweeps.
          chart === "size" && <Finder cases={cases} drawn={drawn} panels={shown} view={view} go={go} point={setPointed} />
        ) : (
          <Legend
            cases={cases}
            hidden={cases.flatMap(({ key }) => (drawn.has(key) ? [] : [key]))}
            toggle={(key) => go(toggleSeries(view, key))}
            only={(key) => go({ ...view, only: [], hidden: cases.flatMap((other) => (other.key === key ? [] : [other.key])) })}
            showAll={() => go({ ...view, hidden: [], only: [] })}
            point={setPointed}
          />
        )}
        <div class={pictures.length > 1 ? "panels many" : "panels"}>
          {pictures.map(({ panel, heading, words, picture }) => (
            <div class="panel" key={`${panel} ${picture.key}`} data-panel={panel}>
              {heading !== "" && <h3>{heading}</h3>}
              {"curves" in picture.shows && <CurveNames curves={picture.shows.curves} />}
              <Chart picture={picture} title={words} domain={domain} emphasis={pointed} />
            </div>
          ))}
        </div>
        <p class="meaning">
          {intervalSentence(report)} <span class="method">{intervalMethod(report)}</span>
        </p>
      </section>

      <section aria-labelledby="numbers">
        <div class="tools">
          <h2 id="numbers">The same in numbers</h2>
          <Switch
            label="Detail"
            value={view.detail}
            options={[
              ["rates", "Rates"],
              ["games", "Wins, draws, losses"],
            ]}
            choose={(detail) => go({ ...view, detail })}
          />
        </div>
        {tables.map((panel, i) => (
          <div key={panel.key} data-panel={panel.key}>
            {tables.length > 1 && <h3>{title(i)}</h3>}
            <RatesTable panel={panel} title={title(i)} sizes={sizes} detail={view.detail} />
          </div>
        ))}
        <Downloads report={report} view={view} />
      </section>

      <Timeline report={report} />
    </>
  );
}
