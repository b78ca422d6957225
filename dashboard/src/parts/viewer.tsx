/** The board of a game at one of its moves, and the keys and buttons that step through it. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { GameInPlay, GameView, ViewedMove } from "../api";
import { Board, BOARD_ON_PAPER, BOARD_ON_SCREEN, type BoardTheme } from "../charts/board";
import { cellName, layoutBoard, type Numbering } from "../charts/board-layout";
import type { Table } from "../export/table";
import { capital, counted, inPercent } from "../format";
import { Switch } from "./elements";
import { Exports } from "./exports";
import { resultWords } from "./games-table";

/** A game as far as a board shows it: finished or under way. */
export interface Viewed {
  size: number;
  case: string;
  baseline: string;
  caseSide: "white" | "black";
  opening: readonly string[];
  /** The players' moves; absent when they were deleted. */
  searched: readonly ViewedMove[] | undefined;
  /** All moves, those of the opening first, by their names in the API. */
  moves: readonly string[];
  winning: readonly string[];
  /** How it ended, in words; empty while it goes on, and without its moves. */
  end: string;
}

/** What both kinds of games have in common. */
function viewedFrom({ size, case: of, baseline }: Pick<Viewed, "size" | "case" | "baseline">, caseSide: Viewed["caseSide"], opening: readonly string[], searched: Viewed["searched"]) {
  return { size, case: of, baseline, caseSide, opening, searched, moves: [...opening, ...(searched ?? []).map(({ cell }) => cell)] };
}

/** A finished game. */
export function viewedOf({ game, opening, moves, winning }: GameView): Viewed {
  return { ...viewedFrom(game, game.case_side, opening, moves), winning, end: moves === undefined ? "" : ` The game is over: the case ${resultWords(game)}.` };
}

/** A game under way. */
export function viewedInPlay({ pair, opening, case_side: side, moves }: GameInPlay): Viewed {
  return { ...viewedFrom(pair, side, opening, moves), winning: [], end: "" };
}

interface ViewerProps {
  view: Viewed;
  state: ViewerState;
  /** Shows another state; `isStep` for a step through the game, which is nothing to come back from. */
  show: (state: ViewerState, isStep?: boolean) => void;
}

const NUMBERINGS = [
  ["grid", "Numbered by row"],
  ["gui", "Numbered by column"],
] as const;

/** Who makes a move, counted from 1. */
export function moverOf(view: Viewed, move: number): { side: "White" | "Black"; isCase: boolean; name: string } {
  const white = move % 2 === 1;
  const isCase = (view.caseSide === "white") === white;
  return { side: white ? "White" : "Black", isCase, name: isCase ? view.case : view.baseline };
}

/** What a search proved, in words. */
export function claimWords(claim: string): string {
  const [who, ...or] = claim.split("_");
  if (claim === "none" || claim === "draw") return claim === "none" ? "" : "drawn";
  return who === "white" || who === "black" ? `${capital(who)} ${or.length > 0 ? "does not lose" : "wins"}` : claim;
}

/** A move in words. */
export function moveWords(view: Viewed, move: number, numbering: Numbering): string {
  const { moves } = view;
  if (move === 0) return "The empty board.";
  const { side, name } = moverOf(view, move);
  const place = cellName(view.size, moves[move - 1]!, numbering);
  const searched = view.searched?.[move - 1 - view.opening.length];
  if (searched === undefined) return `Move ${move} of ${moves.length}, opening: ${side} on ${place}.`;
  const proven = claimWords(searched.claim);
  const end = move === moves.length ? view.end : "";
  return (
    `Move ${move} of ${moves.length}: ${side} (${name}) on ${place}, expects ${inPercent(searched.value)} ` +
    `after ${counted(searched.sims, "simulation")}${proven === "" ? "" : `; proven: ${proven}`}.${end}`
  );
}

/** The move that a key leads to. */
export function moveAfterKey(key: string, move: number, last: number): number | undefined {
  const moves: Record<string, number> = { ArrowLeft: Math.max(0, move - 1), ArrowRight: Math.min(last, move + 1), Home: 0, End: last };
  return moves[key];
}

/** All moves with what the searches said of them. */
export function movesTable(view: Viewed, numbering: Numbering): Table {
  return {
    columns: ["move", "side", "player", "cell", "value", "claim", "sims", "nodes", "cpu_us"],
    rows: view.moves.map((cell, i) => {
      const { side, name } = moverOf(view, i + 1);
      const played = view.searched?.[i - view.opening.length];
      const own = played === undefined ? [null, null, null, null, null] : [played.value, played.claim, played.sims, played.nodes, played.cpu_us];
      return [i + 1, side, played === undefined ? "opening" : name, cellName(view.size, cell, numbering), ...own];
    }),
  };
}

export function Viewer({ view, state, show: showNext }: ViewerProps) {
  // Keys may come faster than pages are made: each goes on from the state that the one before asked for.
  const latest = useRef(state);
  latest.current = state;
  const show: ViewerProps["show"] = (next, isStep) => {
    latest.current = next;
    showNext(next, isStep);
  };
  const { moves } = view;
  const { move, numbering, numbers } = state;
  const last = moves.length;
  const layout = useMemo(() => layoutBoard(view.size, numbering), [view.size, numbering]);
  const shown = Math.min(move, last);
  useEffect(() => {
    const step = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      // Fields, and regions that scroll, have these keys for themselves; so has the slider, which does the same.
      if ((event.target as Element).closest("input, select, textarea, .scroll") !== null) return;
      const next = moveAfterKey(event.key, Math.min(latest.current.move, last), last);
      if (next === undefined) return;
      event.preventDefault();
      show({ ...latest.current, move: next }, true);
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
  });
  const words = moveWords(view, shown, numbering);
  const board = (theme: BoardTheme) => (
    <Board
      layout={layout}
      theme={theme}
      moves={moves.slice(0, shown)}
      winning={shown === last ? view.winning : []}
      opening={view.opening.length}
      numbers={numbers}
    />
  );
  const to = (next: number, name: string, sign: string) => (
    <button type="button" aria-label={name} title={name} disabled={next === shown} onClick={() => show({ ...state, move: next }, true)}>
      {sign}
    </button>
  );
  return (
    <section class="viewer" aria-label="Board">
      <svg class="board" viewBox={`0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`} role="img" aria-label={`Position after move ${shown} of ${last}`} data-move={shown}>
        {board(BOARD_ON_SCREEN)}
      </svg>
      <Exports
        name={`${view.case} against ${view.baseline}, size ${view.size}, move ${shown}`}
        table={() => movesTable(view, numbering)}
        drawing={() => (
          <svg xmlns="http://www.w3.org/2000/svg" width={layout.width.toFixed(0)} height={layout.height.toFixed(0)} viewBox={`0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`}>
            <rect width={layout.width.toFixed(0)} height={layout.height.toFixed(0)} fill="#ffffff" />
            {board(BOARD_ON_PAPER)}
          </svg>
        )}
      />
      <p role="status" class="move-words">{words}</p>
      <div class="steps">
        {to(0, "First position", "«")}
        {to(Math.max(0, shown - 1), "Move back", "‹")}
        <input
          type="range"
          aria-label="Move"
          aria-valuetext={words}
          min={0}
          max={last}
          value={shown}
          onInput={(event) => show({ ...state, move: Number(event.currentTarget.value) }, true)}
        />
        {to(Math.min(last, shown + 1), "Move on", "›")}
        {to(last, "Last position", "»")}
      </div>
      <div class="tools">
        <Switch label="Numbering of cells" options={NUMBERINGS} value={numbering} choose={(next) => show({ ...state, numbering: next })} />
        <label class="check">
          <input type="checkbox" checked={numbers} onChange={(event) => show({ ...state, numbers: event.currentTarget.checked })} /> Move numbers
        </label>
      </div>
    </section>
  );
}

export interface ViewerState {
  /** Moves made on the board shown. */
  move: number;
  numbering: Numbering;
  /** Whether stones bear the numbers of their moves. */
  numbers: boolean;
}

/** The state that an address names. */
export function readState(address: URL, last: number): ViewerState {
  const query = address.searchParams;
  const text = query.get("move") ?? "";
  return {
    move: /^\d{1,4}$/.test(text) ? Math.min(last, Number(text)) : last,
    numbering: query.get("numbering") === "gui" ? "gui" : "grid",
    numbers: query.get("numbers") === "yes",
  };
}

/** The same address with another state. */
export function writeState(address: URL, { move, numbering, numbers }: ViewerState, last: number): string {
  const next = new URL(address);
  const put = (name: string, value: string | undefined) =>
    value === undefined ? next.searchParams.delete(name) : next.searchParams.set(name, value);
  put("move", move === last ? undefined : String(move));
  put("numbering", numbering === "gui" ? "gui" : undefined);
  put("numbers", numbers ? "yes" : undefined);
  return next.pathname + next.search;
}
