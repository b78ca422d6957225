/** The numbers of an experiment's pictures, short or long. */

import type { ExperimentReport } from "../api";
import { FEW } from "../charts/choice";
import { panelTitle } from "../charts/panels";
import type { Selection } from "../charts/selection";
import type { Analysed } from "../charts/standing";
import { longTable, shortTable } from "../export/rates";
import type { View } from "../url";
import { Downloads } from "./downloads";
import { Exports } from "./exports";
import { LongTable } from "./long-table";
import { RatesTable } from "./rates-table";
import { Switch } from "./switch";

interface NumbersProps {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  /** What is said of cases that are not ranked yet. */
  unranked: string;
  selection: Selection;
  sizes: readonly number[];
  view: View;
  go: (view: View) => void;
}

export function Numbers({ report, analysed, unranked, selection, sizes, view, go }: NumbersProps) {
  const { cases, panels, shown, visible } = selection;
  // Few cases: a series switched off leaves the picture, not its numbers.
  const tables = cases.length > FEW ? visible : shown;
  // The best cases are known when the coordinator has ranked them.
  const isRanking = analysed === undefined && tables.every(({ lines }) => lines.length === 0);
  return (
    <section aria-labelledby="numbers">
      <div class="tools">
        <h2 id="numbers">The same in numbers</h2>
        <Switch
          label="Detail"
          value={view.detail}
          options={[
            ["short", "Short"],
            ["rates", "Rates"],
            ["games", "Wins, draws, losses"],
            ["long", "Long"],
          ]}
          choose={(detail) => go({ ...view, detail })}
        />
      </div>
      {isRanking && <p class="meaning">{unranked}</p>}
      {(isRanking ? [] : tables).map((panel, i) => {
        const title = panelTitle(panel, panels);
        return (
          <div key={i} data-panel={panel.key}>
            {tables.length > 1 && <h3>{title}</h3>}
            {view.detail === "long" ? (
              <LongTable panel={panel} title={title} />
            ) : (
              <RatesTable panel={panel} title={title} sizes={sizes} detail={view.detail} analysed={analysed} />
            )}
            <Exports
              name={`${report.summary.name}, ${title}`}
              table={() => (view.detail === "long" || view.detail === "games" ? longTable(panel) : shortTable(panel, sizes, analysed))}
            />
          </div>
        );
      })}
      <Downloads report={report} analysed={analysed} view={view} />
    </section>
  );
}
