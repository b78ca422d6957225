/** The board of a game at one of its moves, and the keys and buttons that step through it. */

import { useEffect, useMemo } from "preact/hooks";
import type { GameInPlay, GameView, ViewedMove } from "../api";
import { Board, BOARD_ON_SCREEN } from "../charts/board";
import { cellName, layoutBoard } from "../charts/board-layout";
import type { Numbering } from "../charts/board-layout";
import { counted, percent } from "../format";
import type { ViewerState } from "../viewer-state";
import { Switch } from "./switch";

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

/** A finished game. */
export function viewedOf({ game, opening, moves, winning }: GameView): Viewed {
  const how = game.result === "draw" ? "drew" : game.result === "win" ? "won" : "lost";
  return {
    size: game.size,
    case: game.case,
    baseline: game.baseline,
    caseSide: game.case_side,
    opening,
    searched: moves,
    moves: [...opening, ...(moves ?? []).map(({ cell }) => cell)],
    winning,
    end: moves === undefined ? "" : ` The game is over: the case ${how}${game.kind === undefined ? "" : ` (${game.kind})`}.`,
  };
}

/** A game under way. */
export function viewedInPlay({ pair, opening, case_side: caseSide, moves }: GameInPlay): Viewed {
  return {
    size: pair.size,
    case: pair.case,
    baseline: pair.baseline,
    caseSide,
    opening,
    searched: moves,
    moves: [...opening, ...moves.map(({ cell }) => cell)],
    winning: [],
    end: "",
  };
}

interface ViewerProps {
  view: Viewed;
  state: ViewerState;
  show: (state: ViewerState) => void;
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
  const known: Record<string, string> = {
    none: "",
    white: "White wins",
    black: "Black wins",
    draw: "drawn",
    white_or_draw: "White does not lose",
    black_or_draw: "Black does not lose",
  };
  return known[claim] ?? claim;
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
    `Move ${move} of ${moves.length}: ${side} (${name}) on ${place}, expects ${percent(searched.value)} % ` +
    `after ${counted(searched.sims, "simulation")}${proven === "" ? "" : `; proven: ${proven}`}.${end}`
  );
}

/** The move that a key leads to. */
export function moveAfterKey(key: string, move: number, last: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, move - 1);
    case "ArrowRight":
      return Math.min(last, move + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

export function Viewer({ view, state, show }: ViewerProps) {
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
      const next = moveAfterKey(event.key, shown, last);
      if (next === undefined) return;
      event.preventDefault();
      show({ ...state, move: next });
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
  });
  const words = moveWords(view, shown, numbering);
  const to = (next: number, name: string, sign: string) => (
    <button type="button" aria-label={name} title={name} disabled={next === shown} onClick={() => show({ ...state, move: next })}>
      {sign}
    </button>
  );
  return (
    <section class="viewer" aria-label="Board">
      <svg class="board" viewBox={`0 0 ${layout.width.toFixed(0)} ${layout.height.toFixed(0)}`} role="img" aria-label={`Position after move ${shown} of ${last}`} data-move={shown}>
        <Board
          layout={layout}
          theme={BOARD_ON_SCREEN}
          moves={moves.slice(0, shown)}
          winning={shown === last ? view.winning : []}
          opening={view.opening.length}
          numbers={numbers}
        />
      </svg>
      <p role="status" class="move-words">
        {words}
      </p>
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
          onInput={(event) => show({ ...state, move: Number(event.currentTarget.value) })}
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
