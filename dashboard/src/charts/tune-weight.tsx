/** Where the weight of a tune's model is along a parameter, as SVG: a bar for each value or part of the range. */

import type { TuneShares } from "../api";
import { inPercent, valueText } from "../format";
import type { Theme } from "./palette";
import type { ParameterAxis } from "./tune-axis";
import { shorten } from "./names";

export const WEIGHT_HEIGHT = 130;
const MARGIN = { top: 10, right: 18, bottom: 40, left: 62 };
const LETTER = 7;

export function WeightChart({ shares, axis, at, width, theme }: { shares: TuneShares; axis: ParameterAxis; at: number | undefined; width: number; theme: Theme }) {
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right);
  const bottom = WEIGHT_HEIGHT - MARGIN.bottom;
  const { parts } = shares;
  const column = (right - MARGIN.left) / parts.length;
  const most = Math.max(1e-9, ...parts.map(({ share }) => share));
  // The bars of single values stand around them.
  const isSingle = parts.every(({ from, to }) => from === to) && !axis.isChoice;
  const xOf = (part: number) => (isSingle ? MARGIN.left + column / 2 + part * (right - MARGIN.left - column) : MARGIN.left + part * (right - MARGIN.left));
  let last = -Infinity;
  const ticks = axis.ticks.flatMap(({ at: part, text }) => {
    const half = (LETTER * text.length + 8) / 2;
    if (xOf(part) - half < last) return [];
    last = xOf(part) + half;
    return [{ x: xOf(part), text }];
  });
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {parts.map(({ from, to, share }, i) => {
        const height = (share / most) * (bottom - MARGIN.top);
        const left = isSingle ? xOf(axis.place(from)) - column / 2 : MARGIN.left + column * i;
        const words = `${axis.name} ${from === to ? valueText(from) : `${valueText(from)} to ${valueText(to)}`}: ${inPercent(share)} of the weight`;
        return (
          <g key={i} role="img" aria-label={words}>
            <title>{words}</title>
            <rect x={(left + 0.08 * column).toFixed(1)} y={(bottom - height).toFixed(1)} width={(0.84 * column).toFixed(1)} height={height.toFixed(1)} fill={theme.series[2]} fill-opacity="0.7" />
          </g>
        );
      })}
      <g aria-hidden="true">
        <path d={`M${MARGIN.left} ${bottom}H${right.toFixed(1)}`} stroke={theme.half} />
        <text x={MARGIN.left - 8} y={MARGIN.top + 6} dy="0.34em" text-anchor="end">
          {inPercent(most)}
        </text>
        {at !== undefined && (
          <path d={`M${xOf(at).toFixed(1)} ${MARGIN.top}V${bottom}`} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" data-recommended />
        )}
        {ticks.map((tick) => (
          <text key={tick.text} x={tick.x.toFixed(1)} y={bottom + 16} text-anchor="middle">
            {shorten(tick.text, 12)}
          </text>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 34} text-anchor="middle">
          {axis.title}
        </text>
      </g>
    </g>
  );
}
