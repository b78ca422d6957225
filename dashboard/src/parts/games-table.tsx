/** Stored games as a table: each leads to its board. */

import type { CaseResult, FoundGame, GameStatus } from "../api";
import { budget, count, moment, inPercent } from "../format";
import { pathOf } from "../routes";
import { DataTable } from "./data-table";
import { FirstExperiment } from "./first-experiment";

const RESULTS: Record<CaseResult, string> = { win: "won", draw: "drew", loss: "lost" };

export const STATUSES: Record<GameStatus, string> = { counted: "counts", superseded: "superseded", excluded: "excluded" };

/** How a game ended for the case, in words. */
export function resultWords({ result, kind }: FoundGame): string {
  return `${RESULTS[result]}${kind === undefined ? "" : ` (${kind})`}`;
}

/** The address of a play. */
export function gamePath({ id, lease, status }: Pick<FoundGame, "id" | "lease" | "status">): string {
  return `${pathOf("game", id)}${status === "counted" ? "" : `?lease=${lease}`}`;
}

const COLUMNS = ["Game", "Result", "Case", "Baseline", "Size", "Budget", "Case as", "Moves", "Loser expected", "Worker", "Arrived", "Experiment"];

export function GamesTable({ games }: { games: FoundGame[] }) {
  return (
    <DataTable kind="games" label="List of games" columns={COLUMNS}>
      {games.map((game) => (
        <tr key={`${game.id} ${game.lease}`} data-game={game.id} class={game.status === "counted" ? undefined : "off"}>
          <th scope="row">
            <a href={gamePath(game)}>{game.id.slice(0, 8)}</a>
            {game.status !== "counted" && (
              <small class="warn" title={game.reason}>
                {STATUSES[game.status]}
              </small>
            )}
          </th>
          <td class={`result ${game.result}`}>{resultWords(game)}</td>
          <td class="name">
            <a href={pathOf("cell", game.cell)}>{game.case}</a>
          </td>
          <td class="name">{game.baseline}</td>
          <td class="number">{game.size}</td>
          <td>{budget(game.budget)}</td>
          <td>{game.case_side === "white" ? "White" : "Black"}</td>
          <td class="number">{count(game.plies)}</td>
          <td class="number">{game.loser_expected === undefined ? "" : inPercent(game.loser_expected)}</td>
          <td class="name">
            <a href={pathOf("worker", game.worker)}>{game.worker_name}</a>
          </td>
          <td class="when">{moment(game.received_ms)}</td>
          <td class="name">
            <FirstExperiment of={game.experiments} />
            {game.experiments.length > 1 && <small> and {game.experiments.length - 1} more</small>}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
