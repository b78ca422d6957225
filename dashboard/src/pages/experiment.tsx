/** One experiment: its question, its picture, its numbers. */

import { useMemo, useState } from "preact/hooks";
import type { ExperimentReport } from "../api";
import { panelTitle } from "../charts/panels";
import { intervalMethod, intervalSentence, select } from "../charts/selection";
import { Aside } from "../parts/aside";
import { Chart } from "../parts/chart";
import { Downloads } from "../parts/downloads";
import { ProgressBar, ProgressWords, Stalled, StateBadge } from "../parts/experiments";
import { Legend } from "../parts/legend";
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

export function ExperimentPage({ report, view: address, go }: ExperimentPageProps) {
  // From the first change on the address names the experiment too: a shared link must not follow the newest one.
  const view = { ...address, experiment: address.experiment ?? report.summary.id };
  const [pointed, setPointed] = useState<string>();
  const { summary, sizes } = report;
  const selection = useMemo(() => select(report, address), [report, address]);
  const { cases, panels, shown, visible, domain } = selection;
  const title = (index: number) => panelTitle(shown[index]!, panels);
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
          <h2 id="picture">Win rate by board size</h2>
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
        <Legend
          cases={cases}
          hidden={view.hidden}
          toggle={(key) => go(toggleSeries(view, key))}
          showAll={() => go({ ...view, hidden: [] })}
          point={setPointed}
        />
        <div class={visible.length > 1 ? "panels many" : "panels"}>
          {visible.map((panel, i) => (
            <div class="panel" key={panel.key} data-panel={panel.key}>
              {visible.length > 1 && <h3>{title(i)}</h3>}
              <Chart panel={panel} title={title(i)} sizes={sizes} domain={domain} emphasis={pointed} />
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
        {shown.map((panel, i) => (
          <div key={panel.key} data-panel={panel.key}>
            {shown.length > 1 && <h3>{title(i)}</h3>}
            <RatesTable panel={panel} title={title(i)} sizes={sizes} detail={view.detail} />
          </div>
        ))}
        <Downloads report={report} view={view} />
      </section>

      <Timeline report={report} />
    </>
  );
}
