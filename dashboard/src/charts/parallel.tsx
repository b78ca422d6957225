/** A sweep of several parameters: a line for each case across an axis for each parameter, ending at its win rate. */

import { valueText } from "../format";
import type { Point } from "../api";
import { axisName, valueLetters } from "./axis-name";
import { CellMark } from "./cell-mark";
import type { Theme } from "./palette";
import { isTold } from "./panels";
import type { Case } from "./panels";
import { place, shortly } from "./sweeps";
import type { Parameter, Sweep, Value } from "./sweeps";
import { RATE } from "./unit";
import type { Unit } from "./unit";
import { shorten } from "./names";
import { pathOf } from "./winrate-layout";

/** A case across the axes. */
interface Strand {
  case: Case;
  values: readonly Value[];
  point: Point;
}

export interface Parallel {
  title: string;
  parameters: readonly Parameter[];
  lines: Strand[];
}

/** A picture for each size on which a sweep has results. */
export function parallelsOf({ group, parameters, lines }: Sweep, sizes: readonly number[]): Parallel[] {
  if (parameters.length < 2) return [];
  return sizes.flatMap((size) => {
    const placed = lines.flatMap(({ case: owner, series }) => {
      const point = series.points.find((candidate) => candidate.size === size);
      const values = parameters.flatMap(({ name }) => series.swept[name] ?? []);
      return point === undefined || point.rate === null || values.length < parameters.length ? [] : [{ case: owner, values, point }];
    });
    return placed.length === 0 ? [] : [{ title: `${group}: size ${size}`, parameters, lines: placed }];
  });
}

export const PARALLEL_HEIGHT = 380;
const MARGIN = { top: 34, right: 54, bottom: 16, left: 54 };
/** Smallest distance of two values that are both written, in pixels. */
const TICK_GAP = 14;

/** So many cases, the farthest from 50 %, are marks of their own with words. The others are drawn in bundles. */
const SINGLY = 300;
/** Degrees of opacity of the bundles on each side of 50 %. */
const DEGREES = 4;

/** Strands of about the same rate as one path each: a browser draws thousands of lines of one path in an instant. */
function bundles(strands: readonly Strand[], draw: (strand: Strand) => string) {
  const paths = new Map<string, { d: string; isBetter: boolean; opacity: string }>();
  for (const strand of strands) {
    const rate = strand.point.rate!;
    const degree = Math.min(DEGREES - 1, Math.floor(DEGREES * Math.abs(2 * rate - 1)));
    const isBetter = rate >= 0.5;
    const bundle = paths.get(`${isBetter} ${degree}`) ?? { d: "", isBetter, opacity: (0.15 + (0.5 * degree) / DEGREES).toFixed(3) };
    bundle.d += draw(strand);
    paths.set(`${isBetter} ${degree}`, bundle);
  }
  return [...paths.values()];
}

interface ParallelProps {
  parallel: Parallel;
  width: number;
  theme: Theme;
  /** What the last axis measures, and from where to where. */
  unit: Unit;
  domain: readonly [low: number, high: number];
  emphasis?: string | undefined;
  /** The address of the cell of a line; on paper there is none. */
  linkTo?: ((point: Point) => string) | undefined;
}

/** Marks on the last axis, as parts of its length. */
const TICKS = [0, 0.25, 0.5, 0.75, 1];

export function ParallelChart({ parallel, width, theme, unit, domain: [low, high], emphasis, linkTo }: ParallelProps) {
  const { parameters, lines } = parallel;
  const right = Math.max(MARGIN.left + 60, width - MARGIN.right);
  const [top, bottom] = [MARGIN.top, PARALLEL_HEIGHT - MARGIN.bottom];
  const gap = (right - MARGIN.left) / parameters.length;
  const xOf = (axis: number) => MARGIN.left + gap * axis;
  const yOf = (part: number) => bottom - part * (bottom - top);
  const within = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const pathOfStrand = ({ values, point }: Strand) => {
    const places = values.map((value, i) => ({ x: xOf(i), y: yOf(place(parameters[i]!, value)) }));
    return pathOf([...places, { x: xOf(parameters.length), y: yOf(within(unit.of(point)!.value)) }]);
  };
  // The farther from 50 %, the stronger; the strongest lines on top.
  const ordered = lines.slice().sort((a, b) => Math.abs(a.point.rate! - 0.5) - Math.abs(b.point.rate! - 0.5));
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      {bundles(ordered.slice(0, Math.max(0, ordered.length - SINGLY)), pathOfStrand).map(({ d, isBetter, opacity }) => (
        <path
          key={`${isBetter} ${opacity}`}
          class="bundle"
          d={d}
          fill="none"
          stroke={theme.series[isBetter ? 0 : 1]}
          stroke-width="1"
          stroke-opacity={emphasis === undefined ? opacity : 0.05}
          aria-hidden="true"
        />
      ))}
      {ordered.slice(-SINGLY).map((strand) => {
        const { case: owner, values, point } = strand;
        const rate = point.rate!;
        const [value, range] = unit.words(point);
        const words = `${parameters.map(({ name }, i) => `${name}=${valueText(values[i])}`).join(", ")}: ${value}, interval ${range}${unit === RATE ? " %" : ""}`;
        const isFaded = emphasis !== undefined && emphasis !== owner.key;
        return (
          <CellMark key={owner.key} words={words} link={linkTo?.(point)} class="strand">
          <path
            d={pathOfStrand(strand)}
            fill="none"
            stroke={theme.series[rate >= 0.5 ? 0 : 1]}
            stroke-dasharray={rate >= 0.5 ? undefined : "6 3"}
            stroke-width={isTold(point.verdict) ? 2.2 : 1.2}
            stroke-opacity={isFaded ? 0.05 : (0.25 + 0.7 * Math.min(1, Math.abs(2 * rate - 1))).toFixed(3)}
          >
            <title>{words}</title>
          </path>
          </CellMark>
        );
      })}
      <g aria-hidden="true" stroke={theme.surface} stroke-width="3" paint-order="stroke" stroke-linejoin="round">
        {parameters.map((parameter, i) => {
          let last = Infinity;
          return (
            <g key={parameter.name}>
              <path d={`M${xOf(i).toFixed(1)} ${top}V${bottom}`} stroke={theme.half} stroke-width="1" />
              <text x={i === 0 ? 8 : xOf(i).toFixed(1)} y={axisName(parameter.name, i, gap).y} text-anchor={i === 0 ? "start" : "middle"} fill={theme.ink} font-weight="600">
                {axisName(parameter.name, i, gap).text}
              </text>
              {parameter.values.map((value) => {
                const y = yOf(place(parameter, value));
                if (last - y < TICK_GAP) return null;
                last = y;
                return (
                  <text key={String(value)} x={(xOf(i) - 6).toFixed(1)} y={y.toFixed(1)} dy="0.34em" text-anchor="end">
                    {shorten(shortly(value), valueLetters(i, gap))}
                  </text>
                );
              })}
            </g>
          );
        })}
        <path d={`M${right.toFixed(1)} ${top}V${bottom}`} stroke={theme.half} stroke-width="1" />
        <text x={Math.min(right, width - 36).toFixed(1)} y={axisName("", parameters.length, gap).y} text-anchor="middle" fill={theme.ink} font-weight="600">
          {unit === RATE ? "Win rate" : "Elo"}
        </text>
        {TICKS.map((part) => (
          <text key={part} x={right + 7} y={yOf(part).toFixed(1)} dy="0.34em">
            {`${unit.mark(low + part * (high - low))}${unit === RATE ? " %" : ""}`}
          </text>
        ))}
      </g>
    </g>
  );
}
