/** One game: its board, what both searches thought, and how to play it again. */

import { useMemo } from "preact/hooks";
import { go } from "../address";
import { fetchGameView, gameFilePath, gameJsonPath, type GameView } from "../api";
import { budget, counted, duration, moment, ratio } from "../format";
import { useHere } from "../frame";
import { writeSearch } from "../game-search";
import { ParameterTable } from "../parts/cell-state";
import { Command } from "../parts/command";
import { Facts, Section } from "../parts/elements";
import { GamePlots } from "../parts/game-plots";
import { GameHead, gamePath, resultWords, STATUSES } from "../parts/games-table";
import { Fetch } from "../parts/loaded";
import { readState, viewedOf, Viewer, writeState, type ViewerState } from "../parts/viewer";
import { coordinatorUrl, pathOf } from "../routes";
import { option } from "../shell";

export function GamePage({ id }: { id: string }) {
  const address = useHere();
  return (
    <Fetch load={fetchGameView} args={[id, address.searchParams.get("lease") ?? undefined]} what="game" title={() => `Game ${id.slice(0, 8)}`}>
      {(view) => <Game view={view} address={address} />}
    </Fetch>
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
      <GameHead of={game}>
        <Facts
          of={[
            <b>{`The case ${resultWords(game)} as ${game.case_side === "white" ? "White" : "Black"}`}</b>,
            `size ${game.size}`,
            budget(game.budget),
            counted(game.plies, "move"),
            `pair ${game.pair}`,
          ]}
        />
        {game.status !== "counted" && (
          <p class="card warn" role="note" data-status={game.status}>
            This play does not count: it is {STATUSES[game.status]}
            {game.reason !== undefined && `, because: ${game.reason}`}.
          </p>
        )}
      </GameHead>
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
    <Section id="players" title="Players">
      <ParameterTable parameters={parameters} names={["Case", "Baseline"]} />
      <Facts
        of={[
          <>
            <a href={pathOf("cell", game.cell)}>Its cell</a>, and <a href={writeSearch({ fields: { cell: game.cell }, show: "list" })}>the cell's games</a>
          </>,
          <>
            played by <a href={pathOf("worker", game.worker)}>{game.worker_name}</a>
          </>,
          `arrived ${moment(game.received_ms)}`,
          view.wall_ms !== undefined && `took ${duration(view.wall_ms / 1000)}`,
          speed !== undefined && <span title="CPU seconds of the machine for one reference second">factor {ratio(speed.factor)}</span>,
        ]}
      />
      {view.other_plays.length > 0 && (
        <p>
          Other plays of this game:{" "}
          {view.other_plays.map(({ lease, status, worker_name: worker }, i) => (
            <span key={lease}>
              {i > 0 && ", "}
              <a href={gamePath({ id: game.id, lease, status })}>{worker} ({STATUSES[status]})</a>
            </span>
          ))}
        </p>
      )}
    </Section>
  );
}

/** The game for other programs. */
function Again({ view }: { view: GameView }) {
  const { game, is_repeatable: repeatable, semantics } = view;
  return (
    <Section id="again" title="Play it again">
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
            <a href={gameFilePath(game.id, game.lease)} download={`${game.id.slice(0, 8)}.sgf`}>SGF</a>
            <a href={gameJsonPath(game.id, game.lease)} download={`${game.id.slice(0, 8)}.json`}>JSON</a>
          </div>
        </>
      )}
    </Section>
  );
}
