/** Axes: where values stand, as a part of the axis from 0 to 1, and which of them are written. */

import { scaleBand, scaleLinear, scaleLog } from "d3-scale";
import type { TunedParameter, TunedValue } from "../api";
import { brief, shortPercent, valueText } from "../format";
import { shorten } from "./names";
import type { Theme } from "./palette";

export interface Tick {
  at: number;
  text: string;
}

export interface Axis<T = number> {
  title: string;
  /** Round values of the axis, about so many. */
  ticks: (count: number) => readonly Tick[];
  /** Where a value stands; what is beyond an end stands at that end. */
  place: (value: T) => number;
}

interface LinearOptions {
  write?: ((value: number) => string) | undefined;
  /** Whether the values between whole numbers mean nothing. */
  isWhole?: boolean | undefined;
  /** Whether the axis ends at round values. */
  isNice?: boolean | undefined;
}

/** About so many marks a nice axis has. */
const NICE_TICKS = 5;

export function linearAxis(title: string, domain: readonly [low: number, high: number], { write = brief, isWhole = false, isNice = false }: LinearOptions = {}): Axis {
  const scale = scaleLinear().domain(domain).range([0, 1]).clamp(true);
  if (isNice) scale.nice(NICE_TICKS);
  const ticks = (count: number) => scale.ticks(count).filter((value) => !isWhole || Number.isInteger(value));
  return { title, place: scale, ticks: (count) => ticks(count).map((value) => ({ at: scale(value), text: write(value) })) };
}

/** An axis of win rates as far as these reach, with 50 % on it. */
export function rateAxis(rates: readonly number[]): Axis {
  const [low, high] = [Math.min(0.5, ...rates), Math.max(0.5, ...rates)];
  return linearAxis("Win rate in %", [low, Math.max(high, low + 0.05)], { write: shortPercent, isNice: true });
}

/** An axis of numbers of games from 0 on. */
export const gamesAxis = (last: number) => linearAxis("Games", [0, Math.max(1, last)], { isWhole: true });

/** A value for every parameter, by name. */
export type TunedPoint = Record<string, TunedValue>;

export interface ParameterAxis extends Axis<TunedValue> {
  name: string;
  /** Whether the values have no order. */
  isChoice: boolean;
  /** Whether a point uses the parameter; where its condition does not hold, the value means nothing. */
  isUsed: (point: TunedPoint) => boolean;
}

/** Whether the condition of a parameter holds at a point, and the conditions of those that it depends on. */
function isUsed(parameters: readonly TunedParameter[], { only_if: condition }: TunedParameter, point: TunedPoint): boolean {
  if (condition === undefined) return true;
  const other = parameters.find(({ name }) => name === condition.parameter);
  return other !== undefined && condition.values.includes(point[other.name]!) && isUsed(parameters, other, point);
}

/** The axes of the parameters of a study. */
export function axesOf(parameters: readonly TunedParameter[]): ParameterAxis[] {
  return parameters.map((parameter) => ({
    ...axisOf(parameter),
    name: parameter.name,
    isChoice: parameter.kind === "flag" || parameter.kind === "word",
    isUsed: (point) => isUsed(parameters, parameter, point),
  }));
}

function axisOf(parameter: TunedParameter): Axis<TunedValue> {
  const { name } = parameter;
  if (parameter.kind === "flag" || parameter.kind === "word") {
    const values: TunedValue[] = parameter.kind === "flag" ? [false, true] : parameter.values;
    const band = scaleBand().domain(values.map(String)).range([0, 1]);
    const place = (value: TunedValue) => (band(String(value)) ?? 0) + band.bandwidth() / 2;
    const ticks = values.map((value) => ({ at: place(value), text: valueText(value) }));
    return { title: name, place, ticks: () => ticks };
  }
  const { low, high, scale } = parameter;
  if (scale !== "log") return linearAxis(name, [low, high], { isWhole: parameter.kind === "whole" }) as Axis<TunedValue>;
  const log = scaleLog().domain([low, high]).range([0, 1]).clamp(true);
  const round = roundPowers(low, high);
  const ticks = (round.length > 1 ? round : [low, high]).map((value) => ({ at: log(value), text: brief(value) }));
  return { title: `${name} (logarithmic)`, place: (value) => log(value as number), ticks: () => ticks };
}

/** Powers of ten between two ends, with 2 and 5 times these where there is room: d3 has every digit. */
function roundPowers(low: number, high: number): number[] {
  const digits = high / low > 1000 ? /^1e/ : /^[125]e/;
  return scaleLog().domain([low, high]).ticks().filter((value) => digits.test(value.toExponential(12).replace(/\.0+e/, "e")));
}

/** The marks that have room along an axis of so many pixels, from its beginning on. */
export function spaced(ticks: readonly Tick[], length: number, room: (text: string) => number): Tick[] {
  let last = -Infinity;
  return ticks.filter(({ at, text }) => {
    const half = room(text) / 2;
    if (at * length - half < last) return false;
    last = at * length + half;
    return true;
  });
}

/** The room of a text at 12 pixels, with a gap. */
export const textRoom = (text: string) => 7 * text.length + 8;

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The least width of what is between the edges. */
const LEAST_WIDTH = 60;

export function boxOf(width: number, height: number, { left, right, top, bottom }: Box): Box {
  return { left, top, right: Math.max(left + LEAST_WIDTH, width - right), bottom: height - bottom };
}

/** A number of pixels in a path or an attribute. */
export const px = (value: number) => value.toFixed(1);

/** The places of parts of both axes in a box; the vertical axis begins below. */
export function placesIn({ left, right, top, bottom }: Box) {
  return { xOf: (part: number) => left + part * (right - left), yOf: (part: number) => bottom - part * (bottom - top) };
}

interface AxisText {
  title?: string | undefined;
  ticks: readonly Tick[];
}

interface AxesProps {
  box: Box;
  theme: Theme;
  x: AxisText;
  y?: AxisText;
  /** The axis whose marks have a line each. */
  grid?: "x" | "y";
  /** Strong lines with names on that axis. Marks that touch them are left out. */
  levels?: readonly Tick[];
  /** Letters of a mark of the vertical axis. */
  letters?: number;
}

/** Marks that are nearer to a strong line than this, in pixels, are left out. */
const CLEAR = 14;

export function Axes({ box, theme, x, y = { ticks: [] }, grid, levels = [], letters = 9 }: AxesProps) {
  const { left, right, top, bottom } = box;
  const { xOf, yOf } = placesIn(box);
  const line = (at: number) => (grid === "x" ? `M${px(xOf(at))} ${top}V${bottom}` : `M${left} ${px(yOf(at))}H${px(right)}`);
  const length = grid === "x" ? right - left : bottom - top;
  const isClear = ({ at }: Tick) => levels.every((level) => Math.abs(level.at - at) * length >= CLEAR);
  const clear = { x: grid === "x" ? x.ticks.filter(isClear) : x.ticks, y: grid === "y" ? y.ticks.filter(isClear) : y.ticks };
  const text = (isX: boolean, { at, text: own }: Tick, more = {}) =>
    isX ? (
      <text key={at} x={px(xOf(at))} y={bottom + 18} text-anchor="middle" {...more}>{own}</text>
    ) : (
      <text key={at} x={left - 8} y={px(yOf(at))} dy="0.34em" text-anchor="end" {...more}>{shorten(own, letters)}</text>
    );
  return (
    <g aria-hidden="true">
      {grid !== undefined && clear[grid].map(({ at }) => <path key={at} d={line(at)} stroke={theme.grid} />)}
      {clear.x.map((tick) => text(true, tick))}
      {clear.y.map((tick) => text(false, tick))}
      {levels.map((level) => (
        <g key={level.at}>
          <path d={line(level.at)} stroke={theme.half} stroke-width="1.4" data-level={level.text} />
          {text(grid === "x", level, { fill: theme.ink, "font-weight": 600 })}
        </g>
      ))}
      {x.title !== undefined && (
        <text x={px((left + right) / 2)} y={bottom + 38} text-anchor="middle">{x.title}</text>
      )}
      {y.title !== undefined && (
        <text transform={`translate(14 ${px((top + bottom) / 2)}) rotate(-90)`} text-anchor="middle">
          {shorten(y.title, Math.max(12, Math.floor((bottom - top) / 6.5)))}
        </text>
      )}
    </g>
  );
}

/** The text of all of a picture: its font, size and colour. */
export const textOf = ({ font, muted }: Theme) => ({ "font-family": font, "font-size": 12, fill: muted });
