/** The fitted win rate over two parameters as SVG: fields, blue above 50 %, orange below, with a mark at what is recommended. */

import type { TuneSurface } from "../api";
import { inPercent, interval, valueText } from "../format";
import type { Theme } from "./palette";
import type { ParameterAxis } from "./tune-axis";
import { shorten } from "./names";

export const SURFACE_HEIGHT = 400;
const MARGIN = { top: 10, right: 16, bottom: 46, left: 74 };
/** A field from this width on has its number written in it. */
const NUMBER_FROM = 34;
const STRONGEST = 0.7;
/** The least difference from 50 % that has the strongest colour: small differences are seen, too. */
const LEAST_SPAN = 0.05;
/** Room for a letter below the axis, in pixels. */
const LETTER = 7;

interface SurfaceProps {
  surface: TuneSurface;
  x: ParameterAxis;
  y: ParameterAxis;
  width: number;
  theme: Theme;
}

export function SurfaceChart({ surface, x, y, width, theme }: SurfaceProps) {
  const { xs, ys, rates, at } = surface;
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const bottom = SURFACE_HEIGHT - MARGIN.bottom;
  const column = (right - MARGIN.left) / xs.length;
  const row = (bottom - MARGIN.top) / ys.length;
  const span = Math.max(LEAST_SPAN, ...rates.flat().map(({ rate }) => Math.abs(rate - 0.5)));
  // Fields stand around their values: the ends of a range are half a field inside.
  const xOf = (part: number) => (x.isChoice ? MARGIN.left + part * (right - MARGIN.left) : MARGIN.left + column / 2 + part * (right - MARGIN.left - column));
  const yOf = (part: number) => (y.isChoice ? bottom - part * (bottom - MARGIN.top) : bottom - row / 2 - part * (bottom - MARGIN.top - row));
  let last = -Infinity;
  const ticks = x.ticks.flatMap(({ at: part, text }) => {
    const half = (LETTER * text.length + 8) / 2;
    if (xOf(part) - half < last) return [];
    last = xOf(part) + half;
    return [{ x: xOf(part), text }];
  });
  const [markX, markY] = [xOf(x.place(at[0])), yOf(y.place(at[1]))];
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {rates.flatMap((line, j) =>
        line.map(({ rate, low, high }, i) => {
          const words = `${x.name}=${valueText(xs[i])}, ${y.name}=${valueText(ys[j])}: ${inPercent(rate)}, interval ${interval(low, high)} %`;
          return (
            <g key={`${i} ${j}`} class="field" role="img" aria-label={words}>
              <title>{words}</title>
              <rect
                x={(MARGIN.left + column * i).toFixed(1)}
                y={(bottom - row * (j + 1)).toFixed(1)}
                width={column.toFixed(1)}
                height={row.toFixed(1)}
                fill={theme.series[rate >= 0.5 ? 0 : 1]}
                fill-opacity={(0.04 + STRONGEST * (Math.abs(rate - 0.5) / span)).toFixed(3)}
                stroke={theme.surface}
                stroke-width="0.5"
              />
              {column >= NUMBER_FROM && row >= 16 && (
                <text x={(MARGIN.left + column * (i + 0.5)).toFixed(1)} y={(bottom - row * (j + 0.5)).toFixed(1)} dy="0.34em" text-anchor="middle" fill={theme.ink}>
                  {(100 * rate).toFixed(0)}
                </text>
              )}
            </g>
          );
        }),
      )}
      <g aria-hidden="true">
        <path d={`M${markX.toFixed(1)} ${MARGIN.top}V${bottom}M${MARGIN.left} ${markY.toFixed(1)}H${right.toFixed(1)}`} stroke={theme.ink} stroke-dasharray="5 3" stroke-opacity="0.7" />
        <circle cx={markX.toFixed(1)} cy={markY.toFixed(1)} r="6" fill="none" stroke={theme.ink} stroke-width="2" data-recommended />
        {ticks.map((tick) => (
          <text key={tick.text} x={tick.x.toFixed(1)} y={bottom + 18} text-anchor="middle">
            {shorten(tick.text, 12)}
          </text>
        ))}
        {y.ticks.map(({ at: part, text }) => (
          <text key={text} x={MARGIN.left - 8} y={yOf(part).toFixed(1)} dy="0.34em" text-anchor="end">
            {shorten(text, 8)}
          </text>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          {x.title}
        </text>
        <text transform={`translate(14 ${((MARGIN.top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle">
          {y.title}
        </text>
      </g>
    </g>
  );
}
