/** Lines across an axis for each parameter that end at a win rate: sweeps and studies of several parameters. */

import { line } from "d3-shape";
import { px, textOf, type Tick } from "./axis";
import { CellMark } from "./cell-mark";
import { shorten } from "./names";
import type { Canvas } from "./picture";

export interface StrandAxis {
  name: string;
  ticks: readonly Tick[];
}

/** A place on each axis; none where the parameter is not used. */
export type StrandPlaces = readonly (number | undefined)[];

export interface Strand {
  key: string;
  places: StrandPlaces;
  /** Where it ends on the last axis. */
  end: number;
  rate: number;
  words: string;
  isStrong?: boolean | undefined;
  cell?: string | undefined;
}

export interface Strands {
  axes: readonly StrandAxis[];
  strands: readonly Strand[];
  /** The last axis. */
  end: StrandAxis;
  recommended?: StrandPlaces | undefined;
}

export const STRANDS_HEIGHT = 380;
const MARGIN = { top: 34, right: 54, bottom: 16, left: 54 };
/** Room below the axes for strands that do not use a parameter. */
const UNUSED = 26;
/** Smallest distance of two values that are both written, in pixels. */
const TICK_GAP = 14;
/** Below this distance of two axes, the names of neighbours stand at two heights. */
const CLOSE = 96;
/** So many strands, the farthest from 50 %, are marks of their own with words. The others are drawn in bundles. */
const SINGLY = 300;
/** Degrees of opacity of the bundles on each side of 50 %. */
const DEGREES = 4;

const distance = ({ rate }: Strand) => Math.abs(2 * rate - 1);
const dashes = (rate: number) => (rate >= 0.5 ? undefined : "6 3");

/** Strands of about the same rate as one path each: a browser draws thousands of lines of one path in an instant. */
function bundles(strands: readonly Strand[], draw: (strand: Strand) => string) {
  const paths = new Map<string, { d: string; look: number; opacity: string }>();
  for (const strand of strands) {
    const degree = Math.min(DEGREES - 1, Math.floor(DEGREES * distance(strand)));
    const look = strand.rate >= 0.5 ? 0 : 1;
    const bundle = paths.get(`${look} ${degree}`) ?? { d: "", look, opacity: (0.15 + (0.5 * degree) / DEGREES).toFixed(3) };
    bundle.d += draw(strand);
    paths.set(`${look} ${degree}`, bundle);
  }
  return [...paths.values()];
}

export function StrandsChart({ strands: { axes, strands, end, recommended }, canvas: { width, theme, emphasis, isPaper } }: { strands: Strands; canvas: Canvas }) {
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const isUnused = (axis: number) => [...strands.map(({ places }) => places), recommended ?? []].some((places) => axis in places && places[axis] === undefined);
  const hasUnused = axes.some((_, i) => isUnused(i));
  const [top, bottom] = [MARGIN.top, STRANDS_HEIGHT - MARGIN.bottom - (hasUnused ? UNUSED : 0)];
  const gap = (right - MARGIN.left) / axes.length;
  const xOf = (axis: number) => MARGIN.left + gap * axis;
  const yOf = (part: number | undefined) => (part === undefined ? bottom + UNUSED : bottom - part * (bottom - top));
  const path = line<number | undefined>().x((_, axis) => xOf(axis)).y(yOf).digits(1);
  const pathOf = ({ places, end: last }: Strand) => path([...places, last])!;
  // The strongest lines are on top.
  const ordered = strands.toSorted((a, b) => distance(a) - distance(b));
  return (
    <g {...textOf(theme)}>
      {bundles(ordered.slice(0, Math.max(0, ordered.length - SINGLY)), pathOf).map(({ d, look, opacity }) => (
        <path key={d} class="bundle" d={d} fill="none" stroke={theme.series[look]} stroke-opacity={emphasis === undefined ? opacity : 0.05} aria-hidden="true" />
      ))}
      {ordered.slice(-SINGLY).map((strand) => (
        <CellMark key={strand.key} words={strand.words} cell={strand.cell} isPaper={isPaper} class="strand">
          <title>{strand.words}</title>
          <path
            d={pathOf(strand)}
            fill="none"
            stroke={theme.series[strand.rate >= 0.5 ? 0 : 1]}
            stroke-dasharray={dashes(strand.rate)}
            stroke-width={strand.isStrong ? 2.2 : 1.2}
            stroke-opacity={emphasis !== undefined && emphasis !== strand.key ? 0.05 : (0.25 + 0.7 * distance(strand)).toFixed(3)}
          />
        </CellMark>
      ))}
      {recommended !== undefined && <path d={path(recommended)!} fill="none" stroke={theme.ink} stroke-width="2.4" stroke-linejoin="round" data-recommended />}
      <g aria-hidden="true" stroke={theme.surface} stroke-width="3" paint-order="stroke" stroke-linejoin="round">
        {[...axes, end].map(({ name, ticks }, i) => {
          const isLast = i === axes.length;
          const text = isLast ? { x: right + 7 } : { x: px(xOf(i) - 6), "text-anchor": "end" as const };
          let last = Infinity;
          const shown = ticks.filter(({ at }) => isLast || (last - yOf(at) >= TICK_GAP && ((last = yOf(at)), true)));
          return (
            <g key={name}>
              <path d={`M${px(xOf(i))} ${top}V${bottom}`} stroke={theme.half} stroke-width="1" />
              <text {...nameOf(name, i, gap, isLast ? width - 36 : Infinity)} fill={theme.ink} font-weight="600" />
              {!isLast && isUnused(i) && (
                <text {...text} y={bottom + UNUSED} dy="0.34em">unused</text>
              )}
              {shown.map(({ at, text: own }) => (
                <text key={own} {...text} y={px(yOf(at))} dy="0.34em">
                  {isLast ? own : shorten(own, valueLetters(i, gap))}
                </text>
              ))}
            </g>
          );
        })}
      </g>
    </g>
  );
}

/** The name above an axis, as far as there is room, and its place. */
function nameOf(name: string, axis: number, gap: number, most: number) {
  const isFirst = axis === 0;
  const place = { x: isFirst ? 8 : px(Math.min(most, MARGIN.left + gap * axis)), "text-anchor": isFirst ? ("start" as const) : ("middle" as const) };
  if (gap >= CLOSE) return { ...place, y: 16, children: shorten(name, Math.floor(gap / 7)) };
  return { ...place, y: axis % 2 === 0 ? 12 : 26, children: shorten(name, Math.max(5, Math.floor((2 * gap) / 7.6) - 1)) };
}

/** Letters of a value beside an axis: up to the axis before it, or to the edge. */
function valueLetters(axis: number, gap: number): number {
  return axis === 0 ? 7 : Math.max(5, Math.min(7, Math.floor((gap - 8) / 6.5)));
}
