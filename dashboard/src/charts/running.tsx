/** A value by the number of pairs, or over time, with its bands, the lines at which a rule decides, and changes that people made. */

import type { Table } from "../export/table";
import { number } from "../format";
import { linearAxis } from "./axis";
import type { Picture } from "./picture";
import { plotPicture } from "./plot";

/** A value after some pairs, with the ends of its bands, the widest first. */
export interface RunningMark {
  pairs: number;
  value: number;
  bands: readonly (readonly [low: number, high: number])[];
}

export interface Running {
  title: string;
  /** The axes in words. */
  axis: string;
  along?: string;
  marks: readonly RunningMark[];
  /** The pairs at the end of the axis. */
  last: number;
  /** The values of the axis, and how they are written. */
  domain: readonly [low: number, high: number];
  write: (value: number) => string;
  /** Horizontal lines. */
  levels?: readonly number[];
  /** The pairs at a decision, and its words. */
  decided?: { pairs: number; text: string } | undefined;
  /** The pairs at changes that people made. */
  changes?: readonly number[];
  /** Whether the horizontal axis has whole numbers alone, as that of pairs. */
  isWhole?: boolean;
  /** Whether a value holds until the next mark. */
  isStepped?: boolean;
  look?: number;
  /** A mark in words. */
  say: (mark: RunningMark) => string;
  table: () => Table;
}

const HEIGHTS = [300, 400] as const;

/** An axis as far as the bands reach in the later three quarters of the marks, where estimates have settled. */
export function settledDomain(marks: readonly RunningMark[], least: readonly number[]): [low: number, high: number] {
  const settled = marks.slice(Math.floor(marks.length / 4));
  const ends = [...least, ...settled.flatMap(({ value, bands }) => [value, ...bands.flat()])].filter(Number.isFinite);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = 0.06 * (high - low) || 1;
  return [low - room, high + room];
}

export function runningPicture(own: Running): Picture {
  const { title, axis, along = "Complete pairs", marks, last, domain, write, levels = [], decided, changes = [], isWhole = true, isStepped = false, look = 0, say, table } = own;
  const x = linearAxis(along, [0, last > 0 ? last : 1], { write: number, isWhole });
  const y = linearAxis(axis, domain, { write });
  const at = decided && marks.findLast(({ pairs }) => pairs <= decided.pairs);
  return plotPicture({
    title,
    table,
    heights: HEIGHTS,
    readings: marks.map((mark) => ({ at: x.place(mark.pairs), key: mark.pairs, words: say(mark) })),
    plot: {
      x,
      y,
      levels: levels.filter((value) => value >= domain[0] && value <= domain[1]).map((value) => ({ at: y.place(value), text: write(value) })),
      lines: [
        {
          name: title,
          look,
          dots: "last",
          isStepped,
          marks: marks.map(({ pairs, value, bands }) => ({ x: x.place(pairs), y: y.place(value), bands: bands.map(([low, high]) => [y.place(low), y.place(high)] as const) })),
        },
      ],
      decided: decided && at && { x: x.place(decided.pairs), y: y.place(at.value), text: decided.text },
      changes: changes.map(x.place),
    },
  });
}
