/** One cell: a case against its baseline on one board with one budget. */

import { fetchCell, fetchRunningCell, type CellReport } from "../api";
import { budget, capital, counted, inPercent, progress } from "../format";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { CellMachines, LastGames } from "../parts/cell-machines";
import { CellNumbers } from "../parts/cell-numbers";
import { CellRunning } from "../parts/cell-running";
import { CellBadge, CellCommands, CellPlayers, CellState } from "../parts/cell-state";
import { Facts, Words } from "../parts/elements";
import { Fetch, Trouble } from "../parts/loaded";
import { pathOf } from "../routes";

const titleOf = (report: CellReport | undefined) => (report === undefined ? "Cell" : `${inPercent(report.point.rate)} ${report.case}, size ${report.size}`);

export const CellPage = ({ id }: { id: string }) => (
  <Fetch load={fetchCell} args={[id]} what="cell" title={titleOf}>
    {(report) => <Cell report={report} />}
  </Fetch>
);

/** The cell in a few words, for files. */
function nameOf({ case: own, baseline, size, budget: spent }: CellReport): string {
  return `${own} against ${baseline}, size ${size}, ${budget(spent)}`;
}

const LINKS: readonly (readonly [words: string, hrefOf: (cell: string) => string])[] = [
  ["Games of the cell", (cell) => writeSearch({ fields: { cell }, show: "list" })],
  ["By move number", (cell) => writeSearch({ fields: { cell }, show: "moves" })],
  ["Lost against expectation", (cell) => writeSearch({ fields: { cell, sort: "surprising" }, show: "list" })],
  ["State", () => "#state"],
  ["Players", () => "#players"],
  ["Commands", () => "#commands"],
];

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
              <a href={pathOf("experiment", experiment.id)}>{experiment.name}</a> <CellBadge state={state} />
            </span>
          ))}
        </p>
        <h1 class="long">{report.case} against {report.baseline}</h1>
        <Facts
          of={[
            <b>board size {report.size}</b>,
            budget(report.budget),
            <>
              begins with <Words of={report.opening} />
            </>,
            `${progress(point.games, point.games_planned)} games`,
            point.pairs_in_flight > 0 && `${counted(point.pairs_in_flight, "pair")} in play`,
          ]}
        />
        <p class={`finding ${point.verdict}`} data-verdict={point.verdict}>
          <Words of={report.finding} />
        </p>
        {stopping !== undefined && stopping.outcome !== "open" && (
          <p class="against">
            <Words of={capital(stopping.words)} />.
          </p>
        )}
        <Facts of={LINKS.map(([words, hrefOf]) => <a href={hrefOf(id)}>{words}</a>)} />
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
