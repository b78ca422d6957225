/** Games that a search finds, as the rows of a file. */

import { fetchGameFile, fetchGames, type Budget, type FoundGame } from "../api";
import { tableOf, type Table } from "./table";

/** Games of a file at most. */
export const MOST_GAMES = 10_000;

/** Games asked for at once: the most that the coordinator gives. */
const PAGE = 1_000;

/** All games of a search, from its beginning. */
export async function allGames(query: string): Promise<FoundGame[]> {
  const search = new URLSearchParams(query);
  search.set("limit", String(PAGE));
  search.delete("after");
  const all: FoundGame[] = [];
  while (all.length < MOST_GAMES) {
    const { games, next } = await fetchGames(search.toString());
    all.push(...games);
    if (next === undefined) break;
    search.set("after", next);
  }
  return all.slice(0, MOST_GAMES);
}

const budget = (value: Budget) => ("sims" in value ? `${value.sims} sims` : `${value.reference_seconds} s`);

const SCORES = { win: 1, draw: 0.5, loss: 0 } as const;

/** The columns of `gauntlet game list --format csv`. */
export const gamesTable = (games: readonly FoundGame[]): Table =>
  tableOf(games, [
    ["game", ({ id }: FoundGame) => id],
    ...(["lease", "cell", "pair"] as const),
    ["experiment", ({ experiments }: FoundGame) => experiments[0]?.name],
    ...(["case", "baseline"] as const),
    ["budget", (game: FoundGame) => budget(game.budget)],
    ...(["size", "case_side"] as const),
    ["score", ({ result }: FoundGame) => SCORES[result]],
    ...(["kind", "plies", "status", "reason", "worker", "worker_name", "received_ms"] as const),
  ]);

/** Game files of plays, one after the other. */
export async function gameFiles(games: readonly FoundGame[]): Promise<string> {
  let text = "";
  for (const { id, lease } of games) text += await fetchGameFile(id, lease);
  return text;
}
