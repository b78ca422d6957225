/** The machines that played a cell, each beside the others, and the cell's last games. */

import { searchGames } from "../api";
import type { CellMachine, CellReport } from "../api";
import type { Field } from "../export/table";
import { count, counted, percent, probability, signed } from "../format";
import { useAll } from "../frame";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { pathOf } from "../routes";
import { Exports } from "./exports";
import { FactsTable } from "./facts-table";
import { GamesTable } from "./games-table";
import { Trouble } from "./loaded";

/** Rows in sight before somebody asks for all. */
const FIRST = 12;

const LAST_GAMES = 12;

export function CellMachines({ report: { machines, id }, name }: { report: CellReport; name: string }) {
  const [all, setAll] = useAll("machines");
  if (machines.length === 0) return null;
  const row = (machine: CellMachine) => [
    <a href={pathOf("worker", machine.worker)}>{machine.name}</a>,
    <a href={writeSearch({ fields: { cell: id, worker: machine.worker }, show: "list" })}>{count(machine.games)}</a>,
    `+${count(machine.wins)} =${count(machine.draws)} −${count(machine.losses)}`,
    percent(machine.rate),
    machine.beside === undefined ? "–" : percent(machine.beside.rate),
    machine.beside === undefined ? "–" : signed(machine.beside.difference),
    machine.beside?.p_value == null ? "–" : probability(machine.beside.p_value),
  ];
  return (
    <section class="cell-machines" aria-labelledby="machines">
      <h2 id="machines">Machines</h2>
      <FactsTable
        label="Games by machine"
        name={`${name}, machines`}
        columns={["Machine", "Games", "Case", "Score in %", "Others in %", "Residual in points", "p"]}
        rows={(all ? machines : machines.slice(0, FIRST)).map(row)}
        table={() => ({
          columns: ["machine", "id", "games", "wins", "draws", "losses", "rate", "rate_of_others", "residual", "p_value"],
          rows: machines.map(({ name: own, worker, games, wins, draws, losses, rate, beside }): Field[] => [
            own,
            worker,
            games,
            wins,
            draws,
            losses,
            rate,
            beside?.rate ?? null,
            beside?.difference ?? null,
            beside?.p_value ?? null,
          ]),
        })}
      />
      {machines.length > FIRST && (
        <button type="button" class="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `The first ${FIRST}` : `All ${counted(machines.length, "machine")}`}
        </button>
      )}
      <p class="meaning">
        The residual is the score in the machine's games minus that in the games of all other machines with the same colours. p is the
        chance that honest machines differ as much, for one look at one machine: with many machines, some small values are expected.
      </p>
    </section>
  );
}

export function LastGames({ report: { id, point }, name }: { report: CellReport; name: string }) {
  const found = useFetched(searchGames, `cell=${id}&limit=${LAST_GAMES}`);
  const { data, trouble } = found;
  return (
    <section class="cell-machines" aria-labelledby="games">
      <h2 id="games">Last games</h2>
      <Trouble of={found} what="list" />
      {data === undefined || data.games.length === 0 ? (
        <p class="nothing">{data !== undefined ? "No game has arrived yet." : trouble === undefined && "…"}</p>
      ) : (
        <>
          <GamesTable games={data.games} />
          <Exports
            name={`${name}, last games`}
            table={() => ({
              columns: ["game", "pair", "case_side", "result", "kind", "plies", "status", "machine", "received_ms"],
              rows: data.games.map((game): Field[] => [
                game.id,
                game.pair,
                game.case_side,
                game.result,
                game.kind ?? null,
                game.plies,
                game.status,
                game.worker_name,
                game.received_ms,
              ]),
            })}
          />
        </>
      )}
      <p class="facts">
        <span>
          <a href={writeSearch({ fields: { cell: id }, show: "list" })}>All games of the cell</a>
        </span>
        <span>
          <a href={writeSearch({ fields: { cell: id }, show: "moves" })}>Plots by move number</a>
        </span>
        {point.void_games > 0 && (
          <span>
            <a href={writeSearch({ fields: { cell: id, status: "excluded" }, show: "list" })}>Excluded games</a>
          </span>
        )}
      </p>
    </section>
  );
}
