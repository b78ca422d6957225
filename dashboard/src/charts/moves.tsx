/** Values by the number of the move, with a line for each player. */

import { brief } from "../format";
import { linearAxis } from "./axis";
import type { Picture } from "./picture";
import { plotPicture } from "./plot";

/** A value at a move, with the interval of a mean if there is one. */
export interface MovePoint {
  move: number;
  value: number;
  low?: number;
  high?: number;
}

export interface MoveLine {
  name: string;
  /** Its place in the palette. */
  look: number;
  /** Whether it is the line of the colour that moves second: dashed, with hollow markers. */
  isSecond?: boolean;
  points: readonly MovePoint[];
}

interface Moves {
  title: string;
  lines: readonly MoveLine[];
  /** The largest move number of the axis. */
  last: number;
  /** The values of the axis, or up to which it has to reach. */
  domain?: readonly [low: number, high: number];
  write?: (value: number) => string;
  /** Moves of the opening, which no player searched. */
  opening?: number;
  /** The move that is shown elsewhere, and what shows another. */
  cursor?: number;
  onMove?: (move: number) => void;
}

const HEIGHTS = [220, 300] as const;

export function movesPicture({ title, lines, last, domain, write = brief, opening = 0, cursor, onMove }: Moves): Picture {
  const largest = Math.max(0, ...lines.flatMap(({ points }) => points.flatMap(({ value, high }) => [value, high ?? value])).filter(Number.isFinite));
  const x = linearAxis("Move", [1, Math.max(2, last)], { write: String, isWhole: true });
  const y = linearAxis("", domain ?? [0, largest || 1], { write, isNice: domain === undefined });
  const moves = Array.from({ length: last }, (_, i) => ({ at: x.place(i + 1), key: i + 1 }));
  return plotPicture({
    title,
    heights: HEIGHTS,
    legend: lines.map(({ name, look, isSecond }) => ({ name, look, isHollow: isSecond })),
    table: () => ({
      columns: ["line", "move", "value", "low", "high"],
      rows: lines.flatMap(({ name, points }) => points.map(({ move, value, low, high }) => [name, move, value, low ?? null, high ?? null])),
    }),
    ...(onMove && { readings: moves, choose: (reading) => onMove(reading + 1) }),
    chosen: cursor === undefined ? undefined : cursor - 1,
    plot: {
      x,
      y: { ...y, title: "" },
      shaded: opening > 0 ? { to: x.place(opening + 0.5), text: "opening" } : undefined,
      lines: lines.map(({ name, look, isSecond, points }) => ({
        name,
        look,
        dots: "marker",
        isHollow: isSecond,
        marks: points.map(({ move, value, low, high }) => ({
          x: x.place(move),
          y: y.place(value),
          bands: low === undefined || high === undefined ? [] : [[y.place(low), y.place(high)] as const],
        })),
      })),
    },
  });
}

/** Times that are all shorter read better in milliseconds. */
const LEAST_SECONDS = 0.5;

/** Lines of seconds in the unit that reads better at an axis. */
export function inTimeUnit(lines: readonly MoveLine[]): { unit: "s" | "ms"; lines: readonly MoveLine[] } {
  const longest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  if (longest >= LEAST_SECONDS) return { unit: "s", lines };
  const inMs = ({ move, ...values }: MovePoint) => ({ move, ...Object.fromEntries(Object.entries(values).map(([name, seconds]) => [name, 1000 * seconds])) }) as MovePoint;
  return { unit: "ms", lines: lines.map((line) => ({ ...line, points: line.points.map(inMs) })) };
}
