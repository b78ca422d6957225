/** Seconds or milliseconds, whichever reads better at an axis. */

import type { MoveLine } from "./moves-layout";

export interface TimeUnit {
  name: "s" | "ms";
  /** Lines of seconds in this unit. */
  scaled: (lines: readonly MoveLine[]) => readonly MoveLine[];
}

/** Times that are all shorter read better in milliseconds. */
const LEAST_SECONDS = 0.5;

export function timeUnit(lines: readonly MoveLine[]): TimeUnit {
  const longest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  if (longest >= LEAST_SECONDS) return { name: "s", scaled: (same) => same };
  const inMs = (line: MoveLine): MoveLine => ({
    ...line,
    points: line.points.map(({ move, value, low, high }) => ({
      move,
      value: 1000 * value,
      ...(low !== undefined && { low: 1000 * low }),
      ...(high !== undefined && { high: 1000 * high }),
    })),
  });
  return { name: "ms", scaled: (all) => all.map(inMs) };
}
