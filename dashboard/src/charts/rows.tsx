/** Values below each other, each with its bars: readable for many of them, and for long names. */

import { Axes, boxOf, placesIn, px, textOf, type Axis } from "./axis";
import { CellMark } from "./cell-mark";
import { shorten, shortenAll } from "./names";
import { MarkerShape, type Marker } from "./palette";
import type { Canvas } from "./picture";

export interface RowMark {
  key: string;
  name: string;
  words: string;
  /** The value with its bars. Without one, `words` are all that is known. */
  ends: { value: number; low: number; high: number; sequence?: { low: number; high: number } | undefined } | undefined;
  /** What stands in place of the bars. */
  note?: string | undefined;
  /** The place in the palette. */
  colour: number;
  /** Without one, a circle, which is filled or not. */
  marker?: Marker | undefined;
  isHollow: boolean;
  /** A value that is marked across the bars. */
  across?: number | undefined;
  cell?: string | undefined;
}

export interface RowGroup {
  heading?: string | undefined;
  rows: readonly RowMark[];
}

export interface Rows {
  axis: Axis;
  /** The value of equal players. */
  equal: number;
  /** How values are written. */
  write: (value: number) => string;
  groups: readonly RowGroup[];
}

const ROW = 22;
const HEADING = 26;
const MARGIN = { top: 8, right: 18, bottom: 46 };
const LETTER = 7;
/** Room for names, as a part of the width. */
const NAMES = 0.38;

export function rowsHeight({ groups }: Pick<Rows, "groups">): number {
  const rows = groups.reduce((sum, { heading, rows: own }) => sum + ROW * own.length + (heading === undefined ? 0 : HEADING), 0);
  return MARGIN.top + rows + MARGIN.bottom;
}

export function RowsChart({ rows: { axis, equal, write, groups }, canvas: { width, theme, emphasis, isPaper } }: { rows: Rows; canvas: Canvas }) {
  const letters = Math.floor((NAMES * width) / LETTER);
  const own = groups.flatMap(({ rows }) => rows.map(({ name }) => name));
  const names = shortenAll(own, letters);
  const left = 30 + LETTER * Math.min(letters, Math.max(3, ...own.map((name) => name.length)));
  const box = boxOf(width, rowsHeight({ groups }), { ...MARGIN, left });
  const { xOf } = placesIn(box);
  const at = (value: number) => px(xOf(axis.place(value)));
  const ticks = axis.ticks(Math.max(2, Math.floor((box.right - left) / 52)));
  let y = MARGIN.top;
  let number = -1;
  return (
    <g {...textOf(theme)}>
      <Axes box={box} theme={theme} grid="x" x={{ title: axis.title, ticks }} levels={[{ at: axis.place(equal), text: write(equal) }]} />
      {groups.map(({ heading, rows }) => {
        if (heading !== undefined) y += HEADING;
        const head = heading !== undefined && (
          <text key={heading} x="12" y={y - 8} fill={theme.ink} font-weight="600">
            {shorten(heading, Math.max(20, Math.floor((width - 24) / LETTER)))}
          </text>
        );
        const drawn = rows.map((row) => {
          number += 1;
          const middle = y + ROW / 2;
          y += ROW;
          return (
            <CellMark key={row.key} words={row.words} cell={row.cell} isPaper={isPaper} opacity={emphasis === undefined || emphasis === row.key ? undefined : 0.25} class="field">
              <title>{row.words}</title>
              {row.cell !== undefined && !isPaper && <rect width={box.right} height={ROW} y={middle - ROW / 2} fill="none" pointer-events="all" />}
              <text x={left - 12} y={middle} dy="0.34em" text-anchor="end" fill={theme.ink}>{names[number]}</text>
              {row.note !== undefined && (
                <text x={px(xOf(axis.place(equal)) + 8)} y={middle} dy="0.34em">{row.note}</text>
              )}
              <Bars row={row} y={middle} at={at} theme={theme} />
            </CellMark>
          );
        });
        return [head, ...drawn];
      })}
    </g>
  );
}

/** The light and the dark bar of a row, with its marker. */
function Bars({ row: { ends, colour: look, marker, isHollow, across }, y, at, theme }: { row: RowMark; y: number; at: (value: number) => string } & Pick<Canvas, "theme">) {
  if (ends === undefined) return null;
  const { value, low, high, sequence } = ends;
  const colour = theme.series[look % theme.series.length]!;
  return (
    <>
      {sequence !== undefined && <path d={`M${at(sequence.low)} ${y}H${at(sequence.high)}`} stroke={colour} stroke-width="6" stroke-opacity="0.22" />}
      <path d={`M${at(low)} ${y}H${at(high)}M${at(low)} ${y - 3}v6M${at(high)} ${y - 3}v6`} stroke={colour} stroke-width="1.4" fill="none" />
      {across !== undefined && <path d={`M${at(across)} ${y - 8}v16`} stroke={theme.ink} stroke-width="1.6" class="shrunken" />}
      {marker === undefined ? (
        <circle cx={at(value)} cy={y} r="4" stroke={colour} stroke-width="1.6" fill={isHollow ? theme.surface : colour} />
      ) : (
        <MarkerShape marker={marker} colour={colour} surface={theme.surface} x={Number(at(value))} y={y} hollow={isHollow} />
      )}
    </>
  );
}
