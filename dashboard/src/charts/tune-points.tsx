/** The points that a tune played as SVG: a line for each across an axis for each parameter, ending at its score. */

import type { PlayedPoint } from "../api";
import { counted, inPercent, valueText } from "../format";
import { axisName, valueLetters } from "./axis-name";
import { CellMark } from "./cell-mark";
import type { Theme } from "./palette";
import type { ParameterAxis, TunedPoint } from "./tune-axis";
import { shorten } from "./names";
import { pathOf } from "./winrate-layout";

export const POINTS_HEIGHT = 380;
const MARGIN = { top: 34, right: 54, bottom: 16, left: 54 };
/** Room below the axes for points that do not use a parameter. */
const UNUSED = 26;
/** Smallest distance of two values that are both written, in pixels. */
const TICK_GAP = 14;

interface PointsProps {
  axes: readonly ParameterAxis[];
  points: readonly PlayedPoint[];
  /** What is recommended. */
  recommended: TunedPoint;
  width: number;
  theme: Theme;
  /** The address of a point's cell; on paper there is none. */
  linkTo?: ((point: PlayedPoint) => string | undefined) | undefined;
}

/** A point in words, with the parameters that it uses. */
export function pointWords({ point, opponent, size, outcome, rate }: PlayedPoint, axes: readonly ParameterAxis[]): string {
  const of = (values: TunedPoint) => axes.flatMap((axis) => (axis.isUsed(values) ? [`${axis.name}=${valueText(values[axis.name])}`] : [])).join(", ");
  const games = outcome.wins + outcome.draws + outcome.losses;
  return `${of(point)} against ${opponent === undefined ? "the baseline" : of(opponent)}, size ${size}: ${inPercent(rate)} of ${counted(games, "game")}`;
}

export function PointsChart({ axes, points, recommended, width, theme, linkTo }: PointsProps) {
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const hasUnused = [...points.map(({ point }) => point), recommended].some((point) => axes.some((axis) => !axis.isUsed(point)));
  const [top, bottom] = [MARGIN.top, POINTS_HEIGHT - MARGIN.bottom - (hasUnused ? UNUSED : 0)];
  const gap = (right - MARGIN.left) / axes.length;
  const xOf = (axis: number) => MARGIN.left + gap * axis;
  const yOf = (part: number) => bottom - part * (bottom - top);
  const across = (values: TunedPoint) => axes.map((axis, i) => ({ x: xOf(i), y: axis.isUsed(values) ? yOf(axis.place(values[axis.name]!)) : bottom + UNUSED }));
  // The farther from 50 %, the stronger; the strongest lines on top.
  const ordered = points.toSorted((a, b) => Math.abs(a.rate - 0.5) - Math.abs(b.rate - 0.5));
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {ordered.map((played) => (
        <CellMark key={`${played.number}/${played.size}`} link={linkTo?.(played)} words={pointWords(played, axes)} class="strand">
          <title>{pointWords(played, axes)}</title>
          <path
            d={pathOf([...across(played.point), { x: xOf(axes.length), y: yOf(played.rate) }])}
            fill="none"
            stroke={theme.series[played.rate >= 0.5 ? 0 : 1]}
            stroke-dasharray={played.rate >= 0.5 ? undefined : "6 3"}
            stroke-width="1.2"
            stroke-opacity={(0.25 + 0.5 * Math.abs(2 * played.rate - 1)).toFixed(3)}
          />
        </CellMark>
      ))}
      <path d={pathOf(across(recommended))} fill="none" stroke={theme.ink} stroke-width="2.4" stroke-linejoin="round" data-recommended />
      <g aria-hidden="true" stroke={theme.surface} stroke-width="3" paint-order="stroke" stroke-linejoin="round">
        {axes.map((axis, i) => {
          let last = Infinity;
          return (
            <g key={axis.name}>
              <path d={`M${xOf(i).toFixed(1)} ${top}V${bottom}`} stroke={theme.half} stroke-width="1" />
              <text x={i === 0 ? 8 : xOf(i).toFixed(1)} y={axisName(axis.name, i, gap).y} text-anchor={i === 0 ? "start" : "middle"} fill={theme.ink} font-weight="600">
                {axisName(axis.name, i, gap).text}
              </text>
              {hasUnused && points.some(({ point }) => !axis.isUsed(point)) && (
                <text x={(xOf(i) - 6).toFixed(1)} y={bottom + UNUSED} dy="0.34em" text-anchor="end">
                  unused
                </text>
              )}
              {axis.ticks.map(({ at, text }) => {
                const y = yOf(at);
                if (last - y < TICK_GAP) return null;
                last = y;
                return (
                  <text key={text} x={(xOf(i) - 6).toFixed(1)} y={y.toFixed(1)} dy="0.34em" text-anchor="end">
                    {shorten(text, valueLetters(i, gap))}
                  </text>
                );
              })}
            </g>
          );
        })}
        <path d={`M${right.toFixed(1)} ${top}V${bottom}`} stroke={theme.half} stroke-width="1" />
        <text x={Math.min(right, width - 30).toFixed(1)} y={axisName("", axes.length, gap).y} text-anchor="middle" fill={theme.ink} font-weight="600">
          Score
        </text>
        {[0, 0.25, 0.5, 0.75, 1].map((rate) => (
          <text key={rate} x={right + 7} y={yOf(rate).toFixed(1)} dy="0.34em">
            {100 * rate}&nbsp;%
          </text>
        ))}
      </g>
    </g>
  );
}
