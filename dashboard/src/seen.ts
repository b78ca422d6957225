/** What was decided when the reader last looked, kept in this browser. */

import type { Decided, News } from "./api";
import { ROOT } from "./routes";

/** Coordinators behind one host have a mark each. */
const KEY = `gauntlet:seen:${ROOT}`;

export interface Seen {
  /** Milliseconds since 1970. */
  at: number;
  /** Decisions, as `keyOf` names them. */
  decisions: string[];
}

/** A decision in few characters: the first digits of a cell's id, and the verdict. */
export const keyOf = (cell: string, verdict: string): string => cell.replaceAll("-", "").slice(0, 16) + verdict[0];

/** Every decision of these sentences. */
export function decisionsOf(decided: readonly Decided[]): string[] {
  return decided.flatMap(({ verdict, cells }) => cells.map(({ cell }) => keyOf(cell, verdict)));
}

/** What is seen after a look at the listed sentences: these, and of what was seen before that which is still in the news. */
export function seenAfter(before: Seen | undefined, listed: readonly Decided[], news: News, at: number): Seen {
  const current = new Set(decisionsOf(news.experiments.flatMap(({ decided }) => decided)));
  const kept = before?.decisions.filter((decision) => current.has(decision)) ?? [];
  return { at, decisions: [...new Set([...kept, ...decisionsOf(listed)])] };
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
