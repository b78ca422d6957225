/** The numbers of an experiment's pictures, short or long. */

import type { VNode } from "preact";
import { panelTitle, type Panel } from "../charts/panels";
import { splitSparse } from "../charts/selection";
import { longTable, shortTable } from "../export/rates";
import { counted } from "../format";
import { Downloads } from "./downloads";
import { Section, Switch } from "./elements";
import type { ExperimentView } from "./experiment-view";
import { Exports } from "./exports";
import { Fold, useMore } from "./fold";
import { LongTable } from "./long-table";
import { RatesTable } from "./rates-table";

/** Up to so many cases a table has all of them, whichever the picture draws. */
const FEW = 16;

const DETAILS = [["short", "Short"], ["rates", "Rates"], ["games", "Wins, draws, losses"], ["long", "Long"]] as const;

/** Tables of one case at the beginning. */
const FIRST = 12;

export function Numbers({ report, analysed, unranked, selection, view, chart, go }: ExperimentView) {
  const { cases, panels, shown, visible } = selection;
  const { sizes } = report;
  // Few cases: a series switched off leaves the picture, not its numbers.
  const tables = cases.length > FEW ? visible : shown;
  // The best cases are known when the coordinator has ranked them.
  const [main, others] = splitSparse<Panel>(tables, ({ lines }) => lines.length, report.summary.is_tune);
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
    <Section id="numbers" title="The same in numbers" tools={<Switch label="Detail" value={view.detail} options={DETAILS} choose={(detail) => go({ ...view, detail })} />}>
      {isRanking && <p class="meaning">{unranked}</p>}
      {!isRanking && report.summary.games_done === 0 && <p class="nothing">No game has arrived yet.</p>}
      {!isRanking && report.summary.games_done > 0 && main.map(numbers)}
      {!isRanking && others.length > 0 && (
        <Fold name="small tables" summary={`${counted(others.length, "more table")}, of ${report.summary.is_tune ? "one case or none" : "no case"}`}>
          {() => <Tables panels={others} numbers={numbers} />}
        </Fold>
      )}
      <Downloads report={report} analysed={analysed} view={view} chart={chart} />
    </Section>
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
