/** Win rates by the values of two parameters: a grid of fields, blue above 50 %, orange below. */

import type { Point } from "../api";
import { interval, percent } from "../format";
import { CellMark } from "./cell-mark";
import type { Theme } from "./palette";
import { othersOf } from "./sweeps";
import type { Parameter, Sweep, Value } from "./sweeps";
import { shorten } from "./winrate-layout";

/** A grid: the parameter across, the one upwards, and the point of each pair of values. */
export interface HeatMap {
  title: string;
  across: Parameter;
  upwards: Parameter;
  fields: { x: Value; y: Value; point: Point }[];
}

/** The heat maps of a sweep: one for each size and for each combination of the values of further parameters. */
export function heatMapsOf(sweep: Sweep, sizes: readonly number[]): HeatMap[] {
  const [across, upwards] = [...sweep.parameters].sort((a, b) => b.values.length - a.values.length);
  if (across === undefined || upwards === undefined) return [];
  const names = [across.name, upwards.name];
  const further = [...new Set(sweep.lines.map((line) => othersOf(line, sweep, names)))];
  return sizes.flatMap((size) =>
    further.map((others) => ({
      title: `${sweep.group}: size ${size}${others === "" ? "" : `, ${others}`}`,
      across,
      upwards,
      fields: sweep.lines.flatMap((line) => {
        const point = line.series.points.find((candidate) => candidate.size === size);
        const [x, y] = [line.series.swept[across.name], line.series.swept[upwards.name]];
        const isHere = othersOf(line, sweep, names) === others;
        return isHere && point !== undefined && x !== undefined && y !== undefined ? [{ x, y, point }] : [];
      }),
    })),
  );
}

const MARGIN = { top: 8, right: 12, bottom: 46, left: 74 };
/** The tallest field, in pixels. */
const TALLEST = 44;
/** A field from this width on has its number written in it. */
const NUMBER_FROM = 36;
/** Opacity of 0 % and 100 %: the numbers stay readable on it. */
const STRONGEST = 0.6;

/** The height of a heat map. */
export function heatHeight(map: HeatMap): number {
  return MARGIN.top + MARGIN.bottom + TALLEST * map.upwards.values.length;
}

interface HeatProps {
  map: HeatMap;
  width: number;
  theme: Theme;
  /** The address of a field's cell; on paper there is none. */
  linkTo?: ((point: Point) => string) | undefined;
}

export function Heat({ map, width, theme, linkTo }: HeatProps) {
  const { across, upwards, fields } = map;
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const column = (right - MARGIN.left) / across.values.length;
  const bottom = heatHeight(map) - MARGIN.bottom;
  const xOf = (value: Value) => MARGIN.left + column * across.values.indexOf(value);
  const yOf = (value: Value) => bottom - TALLEST * (upwards.values.indexOf(value) + 1);
  const every = Math.ceil(NUMBER_FROM / column);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {fields.map(({ x, y, point }) => (
        <CellMark
          key={`${String(x)} ${String(y)}`}
          link={linkTo?.(point)}
          words={`${across.name}=${String(x)}, ${upwards.name}=${String(y)}, board size ${point.size}: ${percent(point.rate)} %, interval ${interval(point.low, point.high)} %`}
          class="field"
        >
          <title>{`${across.name}=${String(x)}, ${upwards.name}=${String(y)}: ${percent(point.rate)} %, ${point.words ?? "no finished pair"}`}</title>
          <rect
            x={(xOf(x) + 1).toFixed(1)}
            y={yOf(y) + 1}
            width={Math.max(1, column - 2).toFixed(1)}
            height={TALLEST - 2}
            rx="3"
            fill={point.rate === null ? "none" : theme.series[point.rate >= 0.5 ? 0 : 1]}
            fill-opacity={point.rate === null ? 0 : (0.04 + STRONGEST * Math.abs(2 * point.rate - 1)).toFixed(3)}
            stroke={theme.grid}
          />
          {column >= NUMBER_FROM && (
            <text
              x={(xOf(x) + column / 2).toFixed(1)}
              y={yOf(y) + TALLEST / 2}
              dy="0.34em"
              text-anchor="middle"
              fill={theme.ink}
              font-weight={point.verdict === "open" ? undefined : "700"}
            >
              {point.rate === null ? "–" : percent(point.rate)}
            </text>
          )}
        </CellMark>
      ))}
      <g aria-hidden="true">
        {across.values.map((value, i) =>
          i % every === 0 ? (
            <text key={i} x={(xOf(value) + column / 2).toFixed(1)} y={bottom + 18} text-anchor="middle">
              {String(value)}
            </text>
          ) : null,
        )}
        {upwards.values.map((value, i) => (
          <text key={i} x={MARGIN.left - 8} y={yOf(value) + TALLEST / 2} dy="0.34em" text-anchor="end">
            {shorten(String(value), 8)}
          </text>
        ))}
        <text x={((MARGIN.left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          {across.name}
        </text>
        <text transform={`translate(14 ${((MARGIN.top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle">
          {upwards.name}
        </text>
      </g>
    </g>
  );
}
