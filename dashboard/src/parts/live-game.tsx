/** A game while it is played. Its worker tells the moves as long as this is shown. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { go } from "../address";
import { fetchGameInPlay, type GameInPlay } from "../api";
import { ago, budget } from "../format";
import { useHere, useTitle } from "../frame";
import { Beat, useFetched, type Fetched } from "../live";
import { pathOf } from "../routes";
import { Facts } from "./elements";
import { GamePlots } from "./game-plots";
import { GameHead } from "./games-table";
import { Trouble, WaitingPage } from "./loaded";
import { readState, viewedInPlay, Viewer, writeState } from "./viewer";

/** Between two calls: a worker whose game is watched calls every two seconds. */
const CALL_MS = 2_000;

/** Asks more often than other pages do, while the page is in view. */
export function LiveGame({ lease }: { lease: string }) {
  const [beat, setBeat] = useState(1);
  useTitle("A game in play");
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && setBeat((last) => last + 1), CALL_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Beat.Provider value={beat}>
      <FetchedGame lease={lease} />
    </Beat.Provider>
  );
}

const FetchedGame = ({ lease }: { lease: string }) => <Looked look={useFetched(fetchGameInPlay, lease)} />;

/** A game as it was told last; it is unknown when it is no longer played under the lease. */
export function Looked({ look }: { look: Fetched<GameInPlay> }) {
  const { data, unknown, trouble } = look;
  if (data === undefined) {
    return unknown ? (
      <section class="notice">
        <h1>This pair is over</h1>
        <p class="lead">
          It is not played any more. <a href={pathOf("games")}>To the games</a>
        </p>
      </section>
    ) : (
      <WaitingPage trouble={trouble} />
    );
  }
  return (
    <>
      {!unknown && <Trouble of={look} what="game" />}
      <Game data={data} over={unknown} />
    </>
  );
}

function Game({ data, over }: { data: GameInPlay; over: boolean }) {
  const address = useHere();
  const { pair, games, game, heard_ms: told, now_ms: now } = data;
  const finished = over ? games : games.slice(0, Math.max(0, games.indexOf(game ?? "")));
  const viewed = useMemo(() => viewedInPlay(data), [data]);
  const last = viewed.moves.length;
  // Without a move in the address the newest one is shown, also when another follows.
  const state = readState(address, last);
  return (
    <>
      <GameHead of={pair}>
        <Facts
          of={[
            <b>{over ? "Over" : "In play"}</b>,
            `size ${pair.size}`,
            budget(pair.budget),
            <>
              on <a href={pathOf("worker", pair.worker)}>{pair.worker_name}</a>
            </>,
            told !== undefined && `told ${ago((now - told) / 1000)}`,
          ]}
        />
      </GameHead>
      {finished.length > 0 && (
        <p class="card" role="status" data-testid={over ? "over" : "first-over"}>
          {over ? "This pair is not played any more, and the moves below are those that were told last. To " : "This is the second game of the pair. To "}
          {finished.map((id, i) => (
            <span key={id}>
              {i > 0 && " and "}
              <a href={pathOf("game", id)}>{`the ${i === 0 ? "first" : "second"} game`}</a>
            </span>
          ))}
        </p>
      )}
      {!over && game === undefined && (
        <p class="lead" aria-busy="true" data-testid="not-told">The worker tells the moves with its next call.</p>
      )}
      <div class="game">
        <Viewer view={viewed} state={state} show={(next) => go(writeState(address, next, last))} />
        {game !== undefined && (
          <GamePlots view={viewed} moves={data.moves} move={state.move} numbering={state.numbering} onMove={(move) => go(writeState(address, { ...state, move }, last))} />
        )}
      </div>
    </>
  );
}
