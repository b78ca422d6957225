/** The numbers of an experiment's pictures, short or long. */

import type { VNode } from "preact";
import type { ExperimentReport } from "../api";
import { panelTitle } from "../charts/panels";
import type { Panel } from "../charts/panels";
import { telling } from "../charts/selection";
import type { Selection } from "../charts/selection";
import type { Analysed } from "../charts/standing";
import { longTable, shortTable } from "../export/rates";
import { counted } from "../format";
import type { Chart, View } from "../url";
import { Downloads } from "./downloads";
import { Exports } from "./exports";
import { Fold } from "./fold";
import { LongTable } from "./long-table";
import { useMore } from "./more";
import { RatesTable } from "./rates-table";
import { Switch } from "./switch";

/** Up to so many cases a table has all of them, whichever the picture draws. */
const FEW = 16;

/** Tables of one case at the beginning. */
const FIRST = 12;

interface NumbersProps {
  report: ExperimentReport;
  analysed: Analysed | undefined;
  /** What is said of cases that are not ranked yet. */
  unranked: string;
  selection: Selection;
  sizes: readonly number[];
  view: View;
  /** The kind of the pictures. */
  chart: Chart;
  go: (view: View) => void;
}

export function Numbers({ report, analysed, unranked, selection, sizes, view, chart, go }: NumbersProps) {
  const { cases, panels, shown, visible } = selection;
  // Few cases: a series switched off leaves the picture, not its numbers.
  const tables = cases.length > FEW ? visible : shown;
  // The best cases are known when the coordinator has ranked them.
  const [main, others] = telling<Panel>(tables, ({ lines }) => lines.length, report.summary.is_tune);
  const isRanking = analysed === undefined && tables.every(({ lines }) => lines.length === 0);
  const numbers = (panel: Panel, i: number) => {
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
  };
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
      {!isRanking && report.summary.games_done === 0 && <p class="nothing">No game has arrived yet.</p>}
      {!isRanking && report.summary.games_done > 0 && main.map(numbers)}
      {!isRanking && others.length > 0 && (
        <Fold name="small tables" summary={`${counted(others.length, "more table")}, of ${report.summary.is_tune ? "one case or none" : "no case"}`}>
          {() => <Tables panels={others} numbers={numbers} />}
        </Fold>
      )}
      <Downloads report={report} analysed={analysed} view={{ ...view, chart }} />
    </section>
  );
}

/** Tables below each other, the first of many. */
function Tables({ panels, numbers }: { panels: readonly Panel[]; numbers: (panel: Panel, i: number) => VNode }) {
  const [first, more] = useMore(panels.length, FIRST, "tables", "tables");
  return (
    <>
      {panels.slice(0, first).map(numbers)}
      {more}
    </>
  );
}
