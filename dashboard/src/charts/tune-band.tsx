/** A value with its band along an axis, as SVG: the fitted response of a parameter, or the course of a recommendation. */

import type { Theme } from "./palette";
import type { Axis } from "./tune-axis";
import { shorten } from "./names";
import { pathOf } from "./winrate-layout";

/** A value and the ends of its band, with their places from 0 to 1. */
export interface BandMark {
  x: number;
  y: number;
  low: number;
  high: number;
  /** What the mark says. */
  words: string;
}

export interface Band {
  x: Axis;
  y: Axis;
  marks: readonly BandMark[];
  /** Whether the marks stand for themselves, without a line. */
  isApart: boolean;
  /** The place of what is recommended, along the horizontal axis. */
  at?: number | undefined;
  /** The place of a line across, with its name. */
  level?: number | undefined;
}

export const BAND_HEIGHT = 240;
const MARGIN = { top: 12, right: 18, bottom: 46, left: 62 };
/** Room for a letter of a mark below the axis, in pixels. */
const LETTER = 7;

export function BandChart({ band, width, theme, look = 0 }: { band: Band; width: number; theme: Theme; look?: number }) {
  const { x, y, marks, isApart, at, level } = band;
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right);
  const bottom = BAND_HEIGHT - MARGIN.bottom;
  const colour = theme.series[look]!;
  const xOf = (part: number) => MARGIN.left + part * (right - MARGIN.left);
  const yOf = (part: number) => bottom - part * (bottom - MARGIN.top);
  const places = marks.map((mark) => ({ x: xOf(mark.x), y: yOf(mark.y) }));
  const outline = [...marks.map((mark) => ({ x: xOf(mark.x), y: yOf(mark.high) })), ...marks.toReversed().map((mark) => ({ x: xOf(mark.x), y: yOf(mark.low) }))];
  let last = -Infinity;
  const ticks = x.ticks.flatMap(({ at: part, text }) => {
    const half = (LETTER * text.length + 8) / 2;
    const written = shorten(text, isApart ? Math.max(4, Math.floor((right - MARGIN.left) / x.ticks.length / LETTER)) : 12);
    if (!isApart && xOf(part) - half < last) return [];
    last = xOf(part) + half;
    return [{ x: xOf(part), text: written }];
  });
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <g aria-hidden="true">
        {y.ticks.map(({ at: part, text }) => (
          <g key={text}>
            <path d={`M${MARGIN.left} ${yOf(part).toFixed(1)}H${right.toFixed(1)}`} stroke={theme.grid} />
            <text x={MARGIN.left - 8} y={yOf(part).toFixed(1)} dy="0.34em" text-anchor="end">
              {shorten(text, 7)}
            </text>
          </g>
        ))}
        {ticks.map((tick) => (
          <text key={tick.text} x={tick.x.toFixed(1)} y={bottom + 18} text-anchor="middle">
            {tick.text}
          </text>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          {x.title}
        </text>
        <text transform={`translate(14 ${((MARGIN.top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle">
          {shorten(y.title, 28)}
        </text>
        {level !== undefined && <path d={`M${MARGIN.left} ${yOf(level).toFixed(1)}H${right.toFixed(1)}`} stroke={theme.half} stroke-width="1.4" />}
        {at !== undefined && <path d={`M${xOf(at).toFixed(1)} ${MARGIN.top}V${bottom}`} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" data-recommended />}
        {!isApart && marks.length > 1 && (
          <>
            <path d={`${pathOf(outline)}Z`} fill={colour} fill-opacity="0.2" data-band />
            <path d={pathOf(places)} fill="none" stroke={colour} stroke-width="1.8" stroke-linejoin="round" data-line />
          </>
        )}
      </g>
      {marks.map((mark, i) => (
        <g key={i} class="mark" role="img" aria-label={mark.words}>
          <title>{mark.words}</title>
          {(isApart || marks.length === 1) && (
            <path d={`M${places[i]!.x.toFixed(1)} ${yOf(mark.low).toFixed(1)}V${yOf(mark.high).toFixed(1)}`} stroke={colour} stroke-width="6" stroke-opacity="0.3" />
          )}
          <circle cx={places[i]!.x.toFixed(1)} cy={places[i]!.y.toFixed(1)} r={isApart || marks.length < 40 ? 3 : 2} fill={colour} />
        </g>
      ))}
    </g>
  );
}
