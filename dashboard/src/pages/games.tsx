/** Games, searched by any column: as a list, or by the number of the move. */

import { go } from "../address";
import { searchGames, sumGames } from "../api";
import { allGames, gameFiles, gamesTable, MOST_GAMES } from "../export/games";
import { count } from "../format";
import { keepOpen, useFrame, useHere, useTitle } from "../frame";
import { readSearch, searchQuery, writeSearch, type SearchView } from "../game-search";
import { useFetched } from "../live";
import { ByMove } from "../parts/by-move";
import { Switch, Words } from "../parts/elements";
import { Exports } from "../parts/exports";
import { GameFilters } from "../parts/game-filters";
import { GamesTable } from "../parts/games-table";
import { InPlay } from "../parts/in-play";
import { LiveGame } from "../parts/live-game";
import { Trouble } from "../parts/loaded";

const SHOWS = [
  ["list", "List"],
  ["moves", "By move number"],
] as const;

export function GamesPage() {
  const address = useHere();
  const live = address.searchParams.get("live");
  return live === null ? <Search /> : <LiveGame lease={live} />;
}

function Search() {
  useTitle("Games");
  const address = useHere();
  const { overview } = useFrame();
  const view = readSearch(address);
  const ask = (next: SearchView, typed: boolean) => go(keepOpen(writeSearch(next), address), !typed);
  return (
    <>
      <div class="tools">
        <h1>Games</h1>
        <Switch label="Show" options={SHOWS} value={view.show} choose={(show) => ask({ fields: view.fields, show }, false)} />
      </div>
      <GameFilters view={view} overview={overview} ask={ask} />
      {view.show === "list" ? <List view={view} /> : <Sums view={view} />}
    </>
  );
}

/** Why a search gave nothing, and what to do. */
function Refused({ words }: { words: string }) {
  return (
    <p class="card warn" role="alert" data-testid="trouble">
      This search cannot be done: <Words of={words} />.
    </p>
  );
}

function List({ view }: { view: SearchView }) {
  const found = useFetched(searchGames, searchQuery(view));
  const { data, trouble, unknown } = found;
  if (data === undefined) return trouble === undefined ? <Searching /> : <Refused words={trouble} />;
  const { games, next, looked_at: looked } = data;
  const first = view.after === undefined;
  return (
    <>
      {first && Object.keys(view.fields).length === 0 && <InPlay />}
      {unknown && trouble !== undefined ? <Refused words={trouble} /> : <Trouble of={found} what="list of games" />}
      {games.length === 0 ? (
        <p class="lead" data-testid="no-games">
          {next !== undefined
            ? `None among the ${count(looked)} games looked at so far.`
            : first && Object.keys(view.fields).length === 0
              ? "No game has arrived yet. The first ones appear here as soon as a worker has finished them."
              : first
                ? "No game fits this search."
                : "No further game fits this search."}
        </p>
      ) : (
        <>
          <GamesTable games={games} />
          <Exports name="games" table={async () => gamesTable(await allGames(searchQuery(view)))} sgf={() => gameFiles(games)} />
          <p class="meaning">
            Tables have all games of the search, but not more than {count(MOST_GAMES)}; the SGF file has those of this page. Without a limit:{" "}
            <code>gauntlet game list --all</code> and <code>gauntlet game sgf --all</code>.
          </p>
        </>
      )}
      <nav class="pages" aria-label="Pages of games">
        {!first && <a href={writeSearch({ fields: view.fields, show: "list" })}>First page</a>}
        {next !== undefined && <a href={writeSearch({ ...view, after: next })}>{games.length === 0 ? "Search on" : "Next page"}</a>}
      </nav>
    </>
  );
}

function Sums({ view }: { view: SearchView }) {
  const sums = useFetched(sumGames, searchQuery({ fields: view.fields, show: view.show }));
  const { data, trouble } = sums;
  if (data === undefined) return trouble === undefined ? <Searching /> : <Refused words={trouble} />;
  return (
    <>
      <Trouble of={sums} what="sums" />
      <ByMove sums={data} />
    </>
  );
}

function Searching() {
  return (
    <p class="lead" aria-busy="true">Searching…</p>
  );
}
