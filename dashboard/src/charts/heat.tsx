/** Win rates by the values of two parameters: a grid of fields, blue above 50 %, orange below. */

import { valueText } from "../format";
import type { Point } from "../api";
import { CellMark } from "./cell-mark";
import type { Theme } from "./palette";
import { isTold } from "./panels";
import type { Line } from "./panels";
import { axesOf, MOST_VALUES, othersOf, place, shortly } from "./sweeps";
import type { Parameter, Sweep, Value } from "./sweeps";
import type { Unit } from "./unit";
import { shorten } from "./names";

/** A grid or a plane: the parameter across, the one upwards, and the point of each case. */
export interface HeatMap {
  title: string;
  across: Parameter;
  upwards: Parameter;
  fields: Place[];
  /** Whether every case is a mark at its own place, because there are too many values for a grid. */
  scattered: boolean;
  /** What the picture leaves out, in words. */
  cut?: string;
}

interface Place {
  x: Value;
  y: Value;
  point: Point;
}

/** Maps of one sweep at most. */
const MOST_MAPS = 24;
/** Cases that are marks of their own at most. */
const MOST_MARKS = 1_000;

/**
 * The heat maps of a sweep by two parameters, those that a view wants or those with most values: one for each size and for each
 * combination of the values of further parameters. In a tune, whose points are everywhere, one plane for each size.
 */
export function heatMapsOf(sweep: Sweep, sizes: readonly number[], wanted: readonly (string | undefined)[] = [undefined, undefined]): HeatMap[] {
  const [across, upwards] = axesOf(sweep, wanted);
  if (across === undefined || upwards === undefined) return [];
  const names = [across.name, upwards.name];
  const scattered = across.values.length > MOST_VALUES || upwards.values.length > MOST_VALUES;
  const combinations = new Map<string, Line[]>();
  for (const line of sweep.lines) {
    const others = scattered ? "" : othersOf(line, sweep, names);
    const known = combinations.get(others);
    if (known === undefined) combinations.set(others, [line]);
    else known.push(line);
  }
  const maps = sizes.flatMap((size) => [...combinations].map(([others, lines]) => ({ size, others, lines })));
  return maps.slice(0, MOST_MAPS).map(({ size, others, lines }, i) => {
    const all = lines.flatMap((line): Place[] => {
      const point = line.series.points.find((candidate) => candidate.size === size);
      const [x, y] = [line.series.swept[across.name], line.series.swept[upwards.name]];
      return point !== undefined && x !== undefined && y !== undefined ? [{ x, y, point }] : [];
    });
    const most = scattered && all.length > MOST_MARKS ? all.sort((a, b) => b.point.games - a.point.games).slice(0, MOST_MARKS) : all;
    const cut = [
      scattered ? "Every mark is a case, the larger the more games it has." : "",
      most.length < all.length ? `The ${most.length} cases with most games of ${all.length} are drawn.` : "",
      i === MOST_MAPS - 1 && maps.length > MOST_MAPS ? `${maps.length - MOST_MAPS} more pictures of this sweep are left out. Choose other parameters for the axes.` : "",
    ].filter((words) => words !== "");
    return {
      title: `${sweep.group}: size ${size}${others === "" ? "" : `, ${others}`}`,
      across,
      upwards,
      fields: most,
      scattered,
      ...(cut.length > 0 && { cut: cut.join(" ") }),
    };
  });
}

const MARGIN = { top: 8, right: 12, bottom: 46, left: 74 };
/** The tallest field, in pixels. */
const TALLEST = 44;
/** The height of a plane. */
const PLANE = 380;
/** Radius of the smallest mark, and of the largest. */
const RADII = [3.5, 9] as const;
/** Smallest distance of two values that are both written at an axis of a plane. */
const TICK_GAP = 44;
/** A field from this width on has its number written in it. */
const NUMBER_FROM = 36;
/** Opacity of 0 % and 100 %: the numbers stay readable on it. */
const STRONGEST = 0.6;

/** The height of a heat map. */
export function heatHeight(map: HeatMap): number {
  return MARGIN.top + MARGIN.bottom + (map.scattered ? PLANE : TALLEST * map.upwards.values.length);
}

interface HeatProps {
  map: HeatMap;
  width: number;
  theme: Theme;
  /** What the numbers in the fields measure. */
  unit: Unit;
  /** The address of a field's cell; on paper there is none. */
  linkTo?: ((point: Point) => string) | undefined;
}

/** The colour of a rate: blue above 50 %, orange below, the stronger the farther. */
function fillOf({ rate }: Point, theme: Theme) {
  return {
    fill: rate === null ? "none" : theme.series[rate >= 0.5 ? 0 : 1],
    "fill-opacity": rate === null ? 0 : (0.04 + STRONGEST * Math.abs(2 * rate - 1)).toFixed(3),
  };
}

/** A field in words. */
function wordsOf({ across, upwards }: HeatMap, { x, y, point }: Place, unit: Unit): string {
  const [value, range] = unit.words(point);
  return `${across.name}=${valueText(x)}, ${upwards.name}=${valueText(y)}, board size ${point.size}: ${value}, interval ${range}${unit.key === "rate" ? " %" : ""}`;
}

export function Heat(props: HeatProps) {
  return props.map.scattered ? <Plane {...props} /> : <Grid {...props} />;
}

/** Values of an axis that have room, from 0 to 1 with their places. */
function ticksOf(parameter: Parameter, length: number): { at: number; text: string }[] {
  let last = -Infinity;
  return parameter.values.flatMap((value) => {
    const at = place(parameter, value);
    if (at * length - last < TICK_GAP) return [];
    last = at * length;
    return [{ at, text: shorten(shortly(value), 8) }];
  });
}

/** Every case at its place. */
function Plane({ map, width, theme, unit, linkTo }: HeatProps) {
  const { across, upwards, fields } = map;
  const [left, top] = [MARGIN.left + RADII[1], MARGIN.top + RADII[1]];
  const right = Math.max(left + 60, width - MARGIN.right - RADII[1]);
  const bottom = heatHeight(map) - MARGIN.bottom - RADII[1];
  const most = Math.max(1, ...fields.map(({ point }) => point.games));
  const [acrossPlace, upwardsPlace] = [placesOf(across), placesOf(upwards)];
  const xOf = (at: number) => left + at * (right - left);
  const yOf = (at: number) => bottom - at * (bottom - top);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <rect x={MARGIN.left} y={MARGIN.top} width={right + RADII[1] - MARGIN.left} height={bottom + RADII[1] - MARGIN.top} fill="none" stroke={theme.grid} />
      {fields.map((field, i) => (
        <CellMark key={i} link={linkTo?.(field.point)} words={wordsOf(map, field, unit)} class="field">
          <title>{wordsOf(map, field, unit)}</title>
          <circle
            cx={xOf(acrossPlace.get(field.x)!).toFixed(1)}
            cy={yOf(upwardsPlace.get(field.y)!).toFixed(1)}
            r={(RADII[0] + (RADII[1] - RADII[0]) * Math.sqrt(field.point.games / most)).toFixed(1)}
            {...fillOf(field.point, theme)}
            stroke={theme.half}
            stroke-width="0.8"
          />
        </CellMark>
      ))}
      <g aria-hidden="true">
        {ticksOf(across, right - left).map(({ at, text }) => (
          <text key={at} x={xOf(at).toFixed(1)} y={bottom + RADII[1] + 18} text-anchor="middle">
            {text}
          </text>
        ))}
        {ticksOf(upwards, bottom - top).map(({ at, text }) => (
          <text key={at} x={MARGIN.left - 8} y={yOf(at).toFixed(1)} dy="0.34em" text-anchor="end">
            {text}
          </text>
        ))}
        <AxisNames map={map} middle={(MARGIN.left + right) / 2} height={(MARGIN.top + bottom) / 2} bottom={bottom + RADII[1]} />
      </g>
    </g>
  );
}

/** The places of all values. */
const placesOf = (parameter: Parameter) => new Map(parameter.values.map((value) => [value, place(parameter, value)]));

function AxisNames({ map, middle, height, bottom }: { map: HeatMap; middle: number; height: number; bottom: number }) {
  const name = ({ name: own, scale }: Parameter) => (map.scattered && scale === "log" ? `${own} (logarithmic)` : own);
  return (
    <>
      <text x={middle.toFixed(1)} y={bottom + 38} text-anchor="middle">
        {name(map.across)}
      </text>
      <text transform={`translate(14 ${height.toFixed(1)}) rotate(-90)`} text-anchor="middle">
        {name(map.upwards)}
      </text>
    </>
  );
}

/** A field for each pair of values. */
function Grid({ map, width, theme, unit, linkTo }: HeatProps) {
  const { across, upwards, fields } = map;
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const column = (right - MARGIN.left) / across.values.length;
  const bottom = heatHeight(map) - MARGIN.bottom;
  const xOf = (value: Value) => MARGIN.left + column * across.values.indexOf(value);
  const yOf = (value: Value) => bottom - TALLEST * (upwards.values.indexOf(value) + 1);
  const every = Math.ceil(NUMBER_FROM / column);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {fields.map(({ x, y, point }, i) => (
        <CellMark key={i} link={linkTo?.(point)} words={wordsOf(map, { x, y, point }, unit)} class="field">
          <title>{`${across.name}=${valueText(x)}, ${upwards.name}=${valueText(y)}: ${unit.words(point)[0]}, ${point.words ?? "no finished pair"}`}</title>
          <rect
            x={(xOf(x) + 1).toFixed(1)}
            y={yOf(y) + 1}
            width={Math.max(1, column - 2).toFixed(1)}
            height={TALLEST - 2}
            rx="3"
            {...fillOf(point, theme)}
            stroke={theme.grid}
          />
          {column >= NUMBER_FROM && (
            <text
              x={(xOf(x) + column / 2).toFixed(1)}
              y={yOf(y) + TALLEST / 2}
              dy="0.34em"
              text-anchor="middle"
              fill={theme.ink}
              font-weight={isTold(point.verdict) ? "700" : undefined}
            >
              {unit.brief(point)}
            </text>
          )}
        </CellMark>
      ))}
      <g aria-hidden="true">
        {across.values.map((value, i) =>
          i % every === 0 ? (
            <text key={i} x={(xOf(value) + column / 2).toFixed(1)} y={bottom + 18} text-anchor="middle">
              {valueText(value)}
            </text>
          ) : null,
        )}
        {upwards.values.map((value, i) => (
          <text key={i} x={MARGIN.left - 8} y={yOf(value) + TALLEST / 2} dy="0.34em" text-anchor="end">
            {shorten(valueText(value), 8)}
          </text>
        ))}
        <AxisNames map={map} middle={(MARGIN.left + right) / 2} height={(MARGIN.top + bottom) / 2} bottom={bottom} />
      </g>
    </g>
  );
}
