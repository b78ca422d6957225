/** A game while it is played. Its worker tells the moves as long as this is shown. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { go } from "../address";
import { ApiError, fetchGameInPlay } from "../api";
import type { GameInPlay } from "../api";
import { ago, budget } from "../format";
import { useHere, useTitle } from "../frame";
import { troubleOf } from "../live";
import type { Fetched } from "../live";
import { WaitingPage } from "../pages/notices";
import { pathOf } from "../routes";
import { readState, writeState } from "../viewer-state";
import { GamePlots } from "./game-plots";
import { Trouble } from "./loaded";
import { Viewer, viewedInPlay } from "./viewer";

/** Between two looks: a worker whose game is watched calls every two seconds. */
const LOOK_MS = 2_000;

/** A game as it was told last; it is unknown when nobody plays under the lease any more. */
type Look = Fetched<GameInPlay>;

/** Looks again and again while the page is in view. */
function useLooks(lease: string): Look {
  const [look, setLook] = useState<Look>({ data: undefined, unknown: false, trouble: undefined, at: 0 });
  useEffect(() => {
    let wanted = true;
    let asking = false;
    const ask = async () => {
      if (asking || document.visibilityState === "hidden") return;
      asking = true;
      try {
        const data = await fetchGameInPlay(lease);
        if (wanted) setLook({ data, unknown: false, trouble: undefined, at: Date.now() });
      } catch (error) {
        const unknown = error instanceof ApiError && error.status === 404;
        if (unknown) clearInterval(timer);
        if (wanted) setLook((last) => ({ ...last, unknown, trouble: troubleOf(error) }));
      } finally {
        asking = false;
      }
    };
    const timer = setInterval(() => void ask(), LOOK_MS);
    void ask();
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [lease]);
  return look;
}

export function LiveGame({ lease }: { lease: string }) {
  useTitle("A game in play");
  return <Looked look={useLooks(lease)} />;
}

export function Looked({ look }: { look: Look }) {
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
  const { pair, games, game, heard_ms: heard, now_ms: now } = data;
  const finished = over ? games : games.slice(0, Math.max(0, games.indexOf(game ?? "")));
  const viewed = useMemo(() => viewedInPlay(data), [data]);
  const last = viewed.moves.length;
  // Without a move in the address the newest one is shown, also when another follows.
  const state = readState(address, last);
  return (
    <>
      <header class="question">
        <p class="eyebrow">
          <a href={pathOf("games")}>Games</a>
          {pair.experiments.map(({ id, name }) => (
            <a key={id} href={pathOf("experiment", id)}>
              {name}
            </a>
          ))}
        </p>
        <h1 class="long">
          {pair.case} against {pair.baseline}
        </h1>
        <p class="facts">
          <span>
            <b>{over ? "Over" : "In play"}</b>
          </span>
          <span>size {pair.size}</span>
          <span>{budget(pair.budget)}</span>
          <span>
            on <a href={pathOf("worker", pair.worker)}>{pair.worker_name}</a>
          </span>
          {heard !== undefined && <span>heard {ago((now - heard) / 1000)}</span>}
        </p>
      </header>
      {finished.length > 0 && (
        <p class="card" role="status" data-testid={over ? "over" : "first-over"}>
          {over ? "This pair is not played any more, and the moves below are those that were told last. To " : "This is the second game of the pair. To "}
          {finished.map((id, i) => (
            <>
              {i > 0 && " and "}
              <a key={id} href={pathOf("game", id)}>
                {`the ${i === 0 ? "first" : "second"} game`}
              </a>
            </>
          ))}
        </p>
      )}
      {!over && (
        game === undefined && (
          <p class="lead" aria-busy="true" data-testid="not-told">
            The worker tells the moves with its next call.
          </p>
        )
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
