/** One cell: a case against its baseline on one board with one budget. */

import { fetchCell, fetchRunningCell } from "../api";
import type { CellReport } from "../api";
import { budget, capital, counted, inPercent, progress } from "../format";
import { useTitle } from "../frame";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { CellMachines, LastGames } from "../parts/cell-machines";
import { CellNumbers } from "../parts/cell-numbers";
import { CellRunning } from "../parts/cell-running";
import { CellCommands, CellPlayers, CellState, LOOKS, STATES } from "../parts/cell-state";
import { Loaded, Trouble } from "../parts/loaded";
import { Words } from "../parts/words";
import { pathOf } from "../routes";

export function CellPage({ id }: { id: string }) {
  const fetched = useFetched(fetchCell, id);
  const report = fetched.data;
  useTitle(report === undefined ? "Cell" : `${inPercent(report.point.rate)} ${report.case}, size ${report.size}`);
  return (
    <Loaded of={fetched} what="cell">
      {(data) => <Cell report={data} />}
    </Loaded>
  );
}

/** The cell in a few words, for files. */
function nameOf({ case: own, baseline, size, budget: spent }: CellReport): string {
  return `${own} against ${baseline}, size ${size}, ${budget(spent)}`;
}

function Cell({ report }: { report: CellReport }) {
  const { id, point, plans } = report;
  const running = useFetched(fetchRunningCell, id);
  const name = nameOf(report);
  const stopping = point.stopping;
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          {plans.map(({ experiment, state }) => (
            <span key={experiment.id}>
              <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a> <span class={`badge ${LOOKS[state]}`}>{STATES[state]}</span>
            </span>
          ))}
        </p>
        <h1 class="long">
          {report.case} against {report.baseline}
        </h1>
        <p class="facts">
          <span>
            <b>board size {report.size}</b>
          </span>
          <span>{budget(report.budget)}</span>
          <span>
            begins with <Words of={report.opening} />
          </span>
          <span>{progress(point.games, point.games_planned)} games</span>
          {point.pairs_in_flight > 0 && <span>{counted(point.pairs_in_flight, "pair")} in play</span>}
        </p>
        <p class={`finding ${point.verdict}`} data-verdict={point.verdict}>
          <Words of={report.finding} />
        </p>
        {stopping !== undefined && stopping.outcome !== "open" && (
          <p class="against">
            <Words of={capital(stopping.words)} />.
          </p>
        )}
        <p class="facts">
          {([
            [writeSearch({ fields: { cell: id }, show: "list" }), "Games of the cell"],
            [writeSearch({ fields: { cell: id }, show: "moves" }), "By move number"],
            [writeSearch({ fields: { cell: id, sort: "surprising" }, show: "list" }), "Lost against expectation"],
            ["#state", "State"],
            ["#players", "Players"],
            ["#commands", "Commands"],
          ] as const).map(([href, words]) => (
            <span key={href}>
              <a href={href}>{words}</a>
            </span>
          ))}
        </p>
      </header>
      <Trouble of={running} what="course of the result" />
      {running.data !== undefined && <CellRunning report={report} running={running.data} name={name} />}
      <CellNumbers report={report} name={name} />
      <CellMachines report={report} name={name} />
      <LastGames report={report} name={name} />
      <CellState report={report} />
      <CellPlayers report={report} />
      <CellCommands report={report} />
    </>
  );
}
