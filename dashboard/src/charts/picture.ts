/** What every chart implements. What is around a picture stands in `parts/picture.tsx`, for all of them. */

import type { VNode } from "preact";
import type { Table } from "../export/table";
import type { Theme } from "./palette";
import type { WinRateLayout } from "./winrate-layout";

/** What a picture is drawn on: the page, or paper. */
export interface Canvas {
  width: number;
  theme: Theme;
  /** On paper no mark is a link. */
  isPaper: boolean;
  /** The case that stands out. */
  emphasis?: string | undefined;
  /** The number of the reading that is marked. */
  reading?: number | undefined;
}

/** What a picture says at a place along its horizontal axis. */
export interface Reading {
  /** In pixels. */
  x: number;
  /** Names it in the picture: a number of pairs, or of a move. */
  key: number;
  /** What the page says of it, if anything. */
  words: string | undefined;
}

/** A name in the legend, with its place in the palette. */
export interface LegendEntry {
  name: string;
  look: number;
  isHollow?: boolean | undefined;
}

export interface Picture {
  title: string;
  height: (canvas: Pick<Canvas, "width" | "isPaper">) => number;
  draw: (canvas: Canvas) => VNode;
  /** The numbers of the picture: as a table on the page, as CSV and as JSON. */
  table: () => Table;
  /** The picture in LaTeX; without it, its table is printed. */
  latex?: ((caption: string) => string) | undefined;
  legend?: readonly LegendEntry[] | undefined;
  /** Whether none of its cases has a result. */
  isUnplayed?: boolean | undefined;
  /** The readings from left to right. */
  readings?: ((width: number) => readonly Reading[]) | undefined;
  /** The reading that is marked while none is pointed at. */
  chosen?: number | undefined;
  /** What a click on a reading does. */
  choose?: ((reading: number) => void) | undefined;
  /** Lines with a tooltip at each point, instead of readings. */
  lines?: { count: number; layout: (canvas: Pick<Canvas, "width" | "isPaper">, hasEndLabels?: boolean) => WinRateLayout } | undefined;
}
