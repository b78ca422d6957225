/** Stored games as a table: each leads to its board. */

import type { ComponentChildren } from "preact";
import type { CaseResult, FoundGame, GameStatus } from "../api";
import { budget, count, inPercent, moment } from "../format";
import { pathOf } from "../routes";
import { DataTable, type Column } from "./data-table";
import { FirstExperiment } from "./elements";

const RESULTS: Record<CaseResult, string> = { win: "won", draw: "drew", loss: "lost" };

export const STATUSES: Record<GameStatus, string> = { counted: "counts", superseded: "superseded", excluded: "excluded" };

/** How a game ended for the case, in words. */
export const resultWords = ({ result, kind }: FoundGame): string => `${RESULTS[result]}${kind === undefined ? "" : ` (${kind})`}`;

/** The address of a play. */
export function gamePath({ id, lease, status }: Pick<FoundGame, "id" | "lease" | "status">): string {
  return `${pathOf("game", id)}${status === "counted" ? "" : `?lease=${lease}`}`;
}

const COLUMNS: readonly Column<FoundGame>[] = [
  [
    "Game",
    (game) => (
      <>
        <a href={gamePath(game)}>{game.id.slice(0, 8)}</a>
        {game.status !== "counted" && (
          <small class="warn" title={game.reason}>{STATUSES[game.status]}</small>
        )}
      </>
    ),
  ],
  ["Result", resultWords, ({ result }) => `result ${result}`],
  ["Case", (game) => <a href={pathOf("cell", game.cell)}>{game.case}</a>, "name"],
  ["Baseline", ({ baseline }) => baseline, "name"],
  ["Size", ({ size }) => size, "number"],
  ["Budget", (game) => budget(game.budget)],
  ["Case as", ({ case_side }) => (case_side === "white" ? "White" : "Black")],
  ["Moves", ({ plies }) => count(plies), "number"],
  ["Loser expected", ({ loser_expected }) => loser_expected !== undefined && inPercent(loser_expected), "number"],
  ["Worker", ({ worker, worker_name }) => <a href={pathOf("worker", worker)}>{worker_name}</a>, "name"],
  ["Arrived", ({ received_ms }) => moment(received_ms), "when"],
  [
    "Experiment",
    ({ experiments }) => (
      <>
        <FirstExperiment of={experiments} />
        {experiments.length > 1 && <small> and {experiments.length - 1} more</small>}
      </>
    ),
    "name",
  ],
];

export function GamesTable({ games }: { games: FoundGame[] }) {
  const rowProps = ({ id, lease, status }: FoundGame) => ({ key: `${id} ${lease}`, "data-game": id, class: status === "counted" ? undefined : "off" });
  return <DataTable kind="games" label="List of games" rows={games} rowProps={rowProps} columns={COLUMNS} />;
}

interface GameHeadProps {
  of: { case: string; baseline: string; experiments: readonly { id: string; name: string }[] };
  children: ComponentChildren;
}

export function GameHead({ of, children }: GameHeadProps) {
  return (
    <header class="question">
      <p class="eyebrow">
        <a href={pathOf("games")}>Games</a>
        {of.experiments.map(({ id, name }) => (
          <a key={id} href={pathOf("experiment", id)}>{name}</a>
        ))}
      </p>
      <h1>{of.case} against {of.baseline}</h1>
      {children}
    </header>
  );
}
