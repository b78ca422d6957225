/** The machines that played a cell, each beside the others, and the cell's last games. */

import { searchGames, type CellReport } from "../api";
import { tableOf } from "../export/table";
import { count, percent, probability, signed } from "../format";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { Facts, Section } from "./elements";
import { Exports } from "./exports";
import { useMore } from "./fold";
import { GamesTable } from "./games-table";
import { Trouble } from "./loaded";

/** Rows at the beginning. */
const FIRST = 12;

const LAST_GAMES = 12;

export function CellMachines({ report: { machines, id }, name }: { report: CellReport; name: string }) {
  const [first, more] = useMore(machines.length, FIRST, "machines", "machines");
  if (machines.length === 0) return null;
  return (
    <Section id="machines" kind="cell-machines" title="Machines">
      <DataTable
        kind="list"
        label="Games by machine"
        rows={machines.slice(0, first)}
        columns={[
          ["Machine", ({ worker, name: own }) => <a href={pathOf("worker", worker)}>{own}</a>],
          ["Games", ({ worker, games }) => <a href={writeSearch({ fields: { cell: id, worker }, show: "list" })}>{count(games)}</a>],
          ["Case", ({ wins, draws, losses }) => `+${count(wins)} =${count(draws)} −${count(losses)}`],
          ["Score in %", ({ rate }) => percent(rate)],
          ["Others in %", ({ beside }) => (beside === undefined ? "–" : percent(beside.rate))],
          ["Residual in points", ({ beside }) => (beside === undefined ? "–" : signed(beside.difference))],
          ["p", ({ beside }) => (beside?.p_value == null ? "–" : probability(beside.p_value))],
        ]}
        files={{
          name: `${name}, machines`,
          table: () =>
            tableOf(machines, [
              ["machine", (own) => own.name],
              ["id", ({ worker }) => worker],
              "games",
              "wins",
              "draws",
              "losses",
              "rate",
              ["rate_of_others", ({ beside }) => beside?.rate],
              ["residual", ({ beside }) => beside?.difference],
              ["p_value", ({ beside }) => beside?.p_value],
            ]),
        }}
        captioned
      />
      {more}
      <p class="meaning">
        The residual is the score in the machine's games minus that in the games of all other machines with the same colours. p is the
        chance that honest machines differ as much, for one look at one machine: with many machines, some small values are expected.
      </p>
    </Section>
  );
}

export function LastGames({ report: { id, point }, name }: { report: CellReport; name: string }) {
  const found = useFetched(searchGames, `cell=${id}&limit=${LAST_GAMES}`);
  const { data, trouble } = found;
  const table = () => tableOf(data?.games ?? [], [["game", (game) => game.id], "pair", "case_side", "result", "kind", "plies", "status", ["machine", (game) => game.worker_name], "received_ms"]);
  return (
    <Section id="games" kind="cell-machines" title="Last games">
      <Trouble of={found} what="list" />
      {data === undefined || data.games.length === 0 ? (
        <p class="nothing">{data !== undefined ? "No game has arrived yet." : trouble === undefined && "…"}</p>
      ) : (
        <>
          <GamesTable games={data.games} />
          <Exports name={`${name}, last games`} table={table} />
        </>
      )}
      <Facts
        of={[
          <a href={writeSearch({ fields: { cell: id }, show: "list" })}>All games of the cell</a>,
          <a href={writeSearch({ fields: { cell: id }, show: "moves" })}>Plots by move number</a>,
          point.void_games > 0 && <a href={writeSearch({ fields: { cell: id, status: "excluded" }, show: "list" })}>Excluded games</a>,
        ]}
      />
    </Section>
  );
}
