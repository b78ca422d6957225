/** What of a game a board shows, and the address that says so. */

import type { Numbering } from "./charts/board-layout";

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
