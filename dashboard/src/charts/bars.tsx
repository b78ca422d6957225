/** Bars that stand on the horizontal axis, each of one or more parts. */

import { Axes, boxOf, placesIn, px, spaced, textOf, textRoom, type Tick } from "./axis";
import type { Canvas } from "./picture";

export interface Bar {
  /** Where the column begins and ends. */
  from: number;
  to: number;
  words: string;
  /** From below: heights, and places in the palette. */
  parts: readonly { height: number; look: number }[];
}

export interface Bars {
  height: number;
  bars: readonly Bar[];
  x: { title: string; ticks: readonly Tick[] };
  y: { title?: string; ticks: readonly Tick[] };
  /** What is recommended. */
  recommended?: number | undefined;
}

const MARGIN = { top: 10, right: 18, bottom: 46, left: 62 };
/** The part of a column that its bar takes. */
const THICKNESS = 0.84;

export function BarsChart({ bars: { height, bars, x, y, recommended }, canvas: { width, theme } }: { bars: Bars; canvas: Canvas }) {
  const box = boxOf(width, height, MARGIN);
  const { xOf, yOf } = placesIn(box);
  return (
    <g {...textOf(theme)}>
      <Axes box={box} theme={theme} grid="y" x={{ title: x.title, ticks: spaced(x.ticks, box.right - box.left, textRoom) }} y={y} />
      {bars.map(({ from, to, words, parts }) => {
        let below = 0;
        const column = xOf(to) - xOf(from);
        return (
          <g key={from} class="bar" role="img" aria-label={words}>
            <title>{words}</title>
            {parts.map(({ height: own, look }) => {
              below += own;
              const place = { x: px(xOf(from) + ((1 - THICKNESS) / 2) * column), width: px(THICKNESS * column), y: px(yOf(below)), height: px(yOf(below - own) - yOf(below)) };
              return own > 0 && <rect key={look} {...place} fill={theme.series[look]} fill-opacity="0.8" />;
            })}
          </g>
        );
      })}
      {recommended !== undefined && (
        <path d={`M${px(xOf(recommended))} ${box.top}V${box.bottom}`} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" data-recommended />
      )}
    </g>
  );
}
