/** Win rates over two axes: fields of a grid, or marks on a plane, blue above 50 %, orange below. */

import { Axes, boxOf, placesIn, px, spaced, textOf, textRoom, type Tick } from "./axis";
import { CellMark } from "./cell-mark";
import type { Canvas } from "./picture";

export interface FieldMark {
  /** Its middle. */
  x: number;
  y: number;
  /** How far the rate is from 50 %, as a part of what has the strongest colour; below 0 on the other side. Absent without a rate. */
  strength: number | undefined;
  /** Its number, where there is room. */
  text: string;
  isBold?: boolean | undefined;
  words: string;
  cell?: string | undefined;
  /** The radius of a mark on a plane, in pixels. */
  radius?: number | undefined;
}

export interface Fields {
  height: number;
  fields: readonly FieldMark[];
  x: { title: string; ticks: readonly Tick[] };
  y: { title: string; ticks: readonly Tick[] };
  /** The columns and rows of a grid. */
  columns: number;
  rows: number;
  /** What is recommended. */
  recommended?: { x: number; y: number } | undefined;
}

export const FIELD_MARGIN = { top: 10, right: 16, bottom: 46, left: 74 };
/** A field from this width on has its number written in it, and from this height on. */
const NUMBER_FROM = { width: 34, height: 16 };
/** Opacity of the strongest colour: the numbers stay readable on it. */
const STRONGEST = 0.6;

export function FieldsChart({ fields: { height, fields, x, y, columns, rows, recommended }, canvas: { width, theme, isPaper } }: { fields: Fields; canvas: Canvas }) {
  const box = boxOf(width, height, FIELD_MARGIN);
  const { xOf, yOf } = placesIn(box);
  const [column, row] = [(box.right - box.left) / columns, (box.bottom - box.top) / rows];
  const isNumbered = column >= NUMBER_FROM.width && row >= NUMBER_FROM.height;
  return (
    <g {...textOf(theme)}>
      {fields.map(({ x: across, y: upwards, strength, text, isBold, words, cell, radius }) => {
        const [cx, cy] = [xOf(across), yOf(upwards)];
        const fill = {
          fill: strength === undefined ? "none" : theme.series[strength >= 0 ? 0 : 1],
          "fill-opacity": (0.04 + STRONGEST * Math.min(1, Math.abs(strength ?? 0))).toFixed(3),
        };
        return (
          <CellMark key={`${across} ${upwards} ${cell}`} words={words} cell={cell} isPaper={isPaper} class="field">
            <title>{words}</title>
            {radius !== undefined ? (
              <circle cx={px(cx)} cy={px(cy)} r={px(radius)} {...fill} stroke={theme.half} stroke-width="0.8" />
            ) : (
              <rect x={px(cx - column / 2 + 0.5)} y={px(cy - row / 2 + 0.5)} width={px(Math.max(1, column - 1))} height={px(row - 1)} rx="2" {...fill} stroke={theme.grid} />
            )}
            {radius === undefined && isNumbered && (
              <text x={px(cx)} y={px(cy)} dy="0.34em" text-anchor="middle" fill={theme.ink} font-weight={isBold ? 700 : undefined}>
                {text}
              </text>
            )}
          </CellMark>
        );
      })}
      {recommended !== undefined && (
        <g aria-hidden="true" stroke={theme.ink} fill="none">
          <path d={`M${px(xOf(recommended.x))} ${box.top}V${box.bottom}M${box.left} ${px(yOf(recommended.y))}H${px(box.right)}`} stroke-dasharray="5 3" stroke-opacity="0.7" />
          <circle cx={px(xOf(recommended.x))} cy={px(yOf(recommended.y))} r="6" stroke-width="2" data-recommended />
        </g>
      )}
      <Axes box={box} theme={theme} x={{ title: x.title, ticks: spaced(x.ticks, box.right - box.left, textRoom) }} y={y} letters={8} />
    </g>
  );
}

/** The places of so many columns or rows, and of a part of an axis among them: the ends of a range are half a field inside. */
export const inFields = (fields: number, part: number) => (0.5 + part * (fields - 1)) / fields;
