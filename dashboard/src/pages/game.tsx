/** One game: its board, what both searches thought, and how to play it again. */

import { useMemo } from "preact/hooks";
import { go } from "../address";
import { fetchGameView, gameFilePath, gameJsonPath } from "../api";
import type { GameView } from "../api";
import { budget, counted, duration, moment, ratio } from "../format";
import { useHere, useTitle } from "../frame";
import { writeSearch } from "../game-search";
import { useFetched } from "../live";
import { Command } from "../parts/command";
import { DataTable } from "../parts/data-table";
import { GamePlots } from "../parts/game-plots";
import { gamePath, resultWords, STATUSES } from "../parts/games-table";
import { Loaded } from "../parts/loaded";
import { Viewer, viewedOf } from "../parts/viewer";
import { readState, writeState } from "../viewer-state";
import type { ViewerState } from "../viewer-state";
import { coordinatorUrl, pathOf } from "../routes";
import { option } from "../shell";

export function GamePage({ id }: { id: string }) {
  useTitle(`Game ${id.slice(0, 8)}`);
  const address = useHere();
  const lease = address.searchParams.get("lease") ?? undefined;
  const fetched = useFetched(fetchGameView, id, lease);
  return (
    <Loaded of={fetched} what="game">
      {(view) => <Game view={view} address={address} />}
    </Loaded>
  );
}

function Game({ view, address }: { view: GameView; address: URL }) {
  const { game } = view;
  const viewed = useMemo(() => viewedOf(view), [view]);
  const last = viewed.moves.length;
  const state = readState(address, last);
  const show = (next: ViewerState, isStep?: boolean) => go(writeState(address, next, last), isStep !== true);
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          <a href={pathOf("games")}>Games</a>
          {game.experiments.map(({ id, name }) => (
            <a key={id} href={pathOf("experiment", id)}>
              {name}
            </a>
          ))}
        </p>
        <h1 class="long">
          {game.case} against {game.baseline}
        </h1>
        <p class="facts">
          <span>
            <b>
              The case {resultWords(game)} as {game.case_side === "white" ? "White" : "Black"}
            </b>
          </span>
          <span>size {game.size}</span>
          <span>{budget(game.budget)}</span>
          <span>{counted(game.plies, "move")}</span>
          <span>pair {game.pair}</span>
        </p>
        {game.status !== "counted" && (
          <p class="card warn" role="note" data-status={game.status}>
            This play does not count: it is {STATUSES[game.status]}
            {game.reason !== undefined && `, because: ${game.reason}`}.
          </p>
        )}
      </header>
      <div class="game">
        {view.moves === undefined ? (
          <section class="notice" data-testid="dropped">
            <p class="lead">The moves of this game were deleted to make room. Its result is kept, and the opening below.</p>
            <Viewer view={viewed} state={state} show={show} />
          </section>
        ) : (
          <Viewer view={viewed} state={state} show={show} />
        )}
        {view.moves !== undefined && (
          <GamePlots view={viewed} moves={view.moves} move={state.move} numbering={state.numbering} onMove={(move) => show({ ...state, move })} />
        )}
      </div>
      <div class="game">
        <Players view={view} />
        <Again view={view} />
      </div>
    </>
  );
}

/** Who played, with what, and where. */
function Players({ view }: { view: GameView }) {
  const { game, parameters, speed } = view;
  return (
    <section aria-labelledby="players">
      <h2 id="players">Players</h2>
      {parameters.length === 0 ? (
        <p>The case is the baseline: both players are the same.</p>
      ) : (
        <DataTable kind="games" label="Parameters in which the players differ" columns={["Parameter", "Case", "Baseline"]}>
          {parameters.map(({ name, case: of, baseline }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{of}</td>
              <td>{baseline}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <p class="facts">
        <span>
          <a href={pathOf("cell", game.cell)}>Its cell</a>, and <a href={writeSearch({ fields: { cell: game.cell }, show: "list" })}>the cell's games</a>
        </span>
        <span>
          played by <a href={pathOf("worker", game.worker)}>{game.worker_name}</a>
        </span>
        <span>arrived {moment(game.received_ms)}</span>
        {view.wall_ms !== undefined && <span>took {duration(view.wall_ms / 1000)}</span>}
        {speed !== undefined && <span title="CPU seconds of the machine for one reference second">factor {ratio(speed.factor)}</span>}
      </p>
      {view.other_plays.length > 0 && (
        <p>
          Other plays of this game:{" "}
          {view.other_plays.map(({ lease, status, worker_name: worker }, i) => (
            <span key={lease}>
              {i > 0 && ", "}
              <a href={gamePath({ id: game.id, lease, status })}>
                {worker} ({STATUSES[status]})
              </a>
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

/** The game for other programs. */
function Again({ view }: { view: GameView }) {
  const { game, is_repeatable: repeatable, semantics } = view;
  return (
    <section aria-labelledby="again" class="again">
      <h2 id="again">Play it again</h2>
      {view.moves === undefined ? (
        <p>Without its moves there is nothing to compare with.</p>
      ) : (
        <>
          <p>
            {repeatable
              ? "Every move comes out again with the same value and tree, on any machine:"
              : `Engine semantics ${semantics} played it; this version has others and plays other moves.`}
          </p>
          <Command text={`gauntlet game replay ${game.id} ${option("--coordinator", coordinatorUrl())}`} />
          <div class="downloads" role="group" aria-label="Download">
            <a href={gameFilePath(game.id, game.lease)} download={`${game.id.slice(0, 8)}.sgf`}>
              SGF
            </a>
            <a href={gameJsonPath(game.id, game.lease)} download={`${game.id.slice(0, 8)}.json`}>
              JSON
            </a>
          </div>
        </>
      )}
    </section>
  );
}
