/** The names above axes that stand side by side. */

import { shorten } from "./names";

/** Below this distance of two axes, the names of neighbours stand at two heights. */
const CLOSE = 96;

/** The name of the axis with this number, as far as there is room, and its height. */
export function axisName(name: string, axis: number, gap: number): { text: string; y: number } {
  if (gap >= CLOSE) return { text: shorten(name, Math.floor(gap / 7)), y: 16 };
  return { text: shorten(name, Math.max(5, Math.floor((2 * gap) / 7.6) - 1)), y: axis % 2 === 0 ? 12 : 26 };
}

/** Letters of a value beside an axis: up to the axis before it, or to the edge. */
export function valueLetters(axis: number, gap: number): number {
  return axis === 0 ? 7 : Math.max(5, Math.min(7, Math.floor((gap - 8) / 6.5)));
}
