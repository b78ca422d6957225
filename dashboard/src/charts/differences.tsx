/** Differences of win rates by series and board size, each with its interval, around the line of no difference. */

import type { ComparedSeries } from "../api";
import { signed } from "../format";
import type { Theme } from "./palette";
import { shorten } from "./names";

const ROW = 22;
const HEAD = 24;
const MARGIN = { top: 8, right: 18, bottom: 44, left: 52 };

export function differencesHeight(series: readonly ComparedSeries[]): number {
  return MARGIN.top + MARGIN.bottom + series.reduce((sum, { points }) => sum + HEAD + ROW * points.length, 0);
}

/** A pair of series in words. */
export function seriesWords({ left, right, against, budget }: ComparedSeries): string {
  return `${left === right ? left : `${left} − ${right}`} against ${against}, ${budget}`;
}

/** The axis as far as the intervals reach, in steps of 10 points, the same on both sides. */
function reachOf(series: readonly ComparedSeries[]): number {
  const ends = series.flatMap(({ points }) => points.flatMap(({ difference }) => (difference === null ? [] : [Math.abs(difference.low), Math.abs(difference.high)])));
  return Math.ceil(10 * Math.max(0.1, ...ends)) / 10;
}

export function Differences({ series, width, theme }: { series: readonly ComparedSeries[]; width: number; theme: Theme }) {
  const reach = reachOf(series);
  const right = Math.max(MARGIN.left + 80, width - MARGIN.right);
  const xOf = (difference: number) => MARGIN.left + ((difference + reach) / (2 * reach)) * (right - MARGIN.left);
  const bottom = differencesHeight(series) - MARGIN.bottom;
  const marks = [-1, -0.5, 0, 0.5, 1].map((part) => part * reach);
  let y = MARGIN.top;
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <g aria-hidden="true">
        {marks.map((mark) => (
          <g key={mark}>
            <path d={`M${xOf(mark).toFixed(1)} ${MARGIN.top}V${bottom}`} stroke={mark === 0 ? theme.half : theme.grid} />
            <text x={xOf(mark).toFixed(1)} y={bottom + 18} text-anchor="middle">
              {signed(mark)}
            </text>
          </g>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          Difference in points
        </text>
      </g>
      {series.map((own) => {
        const name = seriesWords(own);
        y += HEAD;
        const top = y;
        y += ROW * own.points.length;
        return (
          <g key={name}>
            <text x="12" y={top - 7} fill={theme.ink} font-weight="600">
              {shorten(name, Math.max(20, Math.floor((width - 24) / 7)))}
            </text>
            {own.points.map(({ size, difference, verdict }, i) => {
              const none = verdict === "same_cell" ? "the same games" : "not played";
              const at = top + ROW * (i + 0.5);
              // The colour says no more than the filled marker.
              const colour = verdict === "differs" ? theme.series[1] : theme.series[0];
              const words = difference === null ? none : `${signed(difference.value)} points, interval ${signed(difference.low)} to ${signed(difference.high)}`;
              return (
                <g key={size} role="img" aria-label={`${name}, board size ${size}: ${words}`}>
                  <text x={MARGIN.left - 10} y={at} dy="0.34em" text-anchor="end">
                    {size}
                  </text>
                  {difference === null ? (
                    <text x={(xOf(0) + 8).toFixed(1)} y={at} dy="0.34em">
                      {none}
                    </text>
                  ) : (
                    <>
                      <path
                        d={`M${xOf(difference.low).toFixed(1)} ${at}H${xOf(difference.high).toFixed(1)}M${xOf(difference.low).toFixed(1)} ${at - 4}v8M${xOf(difference.high).toFixed(1)} ${at - 4}v8`}
                        stroke={colour}
                        stroke-width="1.6"
                        fill="none"
                      />
                      <circle cx={xOf(difference.value).toFixed(1)} cy={at} r="4" stroke={colour} stroke-width="1.6" fill={verdict === "differs" ? colour : theme.surface} />
                    </>
                  )}
                </g>
              );
            })}
          </g>
        );
      })}
    </g>
  );
}
