/** What was decided when somebody last looked, kept in this browser. */

import type { News } from "./api";

const KEY = "gauntlet:seen";

export interface Seen {
  /** Milliseconds since 1970. */
  at: number;
  /** Decisions, as `keyOf` names them. */
  decisions: string[];
}

/** A decision in few characters: the first digits of a cell's id, and the verdict. */
export function keyOf(cell: string, verdict: string): string {
  return cell.replaceAll("-", "").slice(0, 16) + verdict[0];
}

/** Every decision of the news. */
export function decisionsOf(news: News): string[] {
  return news.experiments.flatMap(({ decided }) => decided.flatMap(({ verdict, cells }) => cells.map(({ cell }) => keyOf(cell, verdict))));
}

/** Undefined in a browser that never looked, or that keeps nothing. */
export function readSeen(): Seen | undefined {
  try {
    const seen = JSON.parse(localStorage.getItem(KEY) ?? "null") as Seen | null;
    return seen !== null && Array.isArray(seen.decisions) && typeof seen.at === "number" ? seen : undefined;
  } catch {
    return undefined;
  }
}

export function writeSeen(seen: Seen): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(seen));
  } catch {
    // A browser that keeps nothing shows everything each time.
  }
}
