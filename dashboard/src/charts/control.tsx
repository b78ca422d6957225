/** Control cells below each other, by board size: their win rates with both bars around the line at 50 %. */

import type { ControlCell } from "../api";
import { budget, count, inPercent, interval, number } from "../format";
import { CellMark } from "./cell-mark";
import type { Theme } from "./palette";
import { fittedDomain, RATE } from "./unit";
import { shortenAll } from "./names";

const ROW = 24;
/** The height of the line above the cells of a size. */
const HEADING = 26;
const MARGIN = { top: 10, right: 18, bottom: 44 };
/** Room for names, as a part of the width and in pixels at most. */
const NAMES = { part: 0.34, most: 320 };
/** Parts of the axis with a mark. */
const MARKS = [0, 0.25, 0.5, 0.75, 1];

/** The cells by size, the smallest first. */
export function bySize(cells: readonly ControlCell[]): { size: number; cells: ControlCell[] }[] {
  const sizes = [...new Set(cells.map(({ point }) => point.size))].sort((a, b) => a - b);
  return sizes.map((size) => ({ size, cells: cells.filter(({ point }) => point.size === size) }));
}

export function controlHeight(cells: readonly ControlCell[]): number {
  return MARGIN.top + MARGIN.bottom + ROW * cells.length + HEADING * bySize(cells).length;
}

interface ControlChartProps {
  /** In order; all have a rate. */
  cells: readonly ControlCell[];
  width: number;
  theme: Theme;
  /** The address of a cell; on paper there is none. */
  linkTo?: ((cell: ControlCell) => string) | undefined;
}

/** An axis as far as the bars reach, the same on both sides of 50 %. */
function domainOf(cells: readonly ControlCell[]): [low: number, high: number] {
  const [low, high] = fittedDomain(cells.map(({ point }) => point), RATE);
  const reach = Math.max(0.05, 0.5 - low, high - 0.5);
  return [0.5 - reach, 0.5 + reach];
}

/** The experiments of a cell in few words. */
export function experimentsOf({ experiments: [first, ...others] }: ControlCell): string {
  return first === undefined ? "" : `${first.name}${others.length > 0 ? ` and ${count(others.length)} more` : ""}`;
}

/** The names of cells of a size: the player with its experiment, and the budget where it alone tells cells apart. */
function namesOf(cells: readonly ControlCell[]): string[] {
  const names = cells.map((cell) => [cell.label, experimentsOf(cell)].filter((part) => part !== "").join(" in "));
  const spent = ({ budget: own }: ControlCell) => ("sims" in own ? `${count(own.sims)} sims` : `${number(own.reference_seconds)} s`);
  return names.map((name, i) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}, ${spent(cells[i]!)}`));
}

export function ControlChart({ cells, width, theme, linkTo }: ControlChartProps) {
  const left = Math.min(NAMES.most, Math.round(width * NAMES.part));
  const right = Math.max(left + 80, width - MARGIN.right);
  const groups = bySize(cells);
  const names = shortenAll(groups.flatMap((group) => namesOf(group.cells)), Math.max(8, Math.floor((left - 16) / 6.6)));
  const rows = groups.flatMap((group, above) => group.cells.map((cell) => ({ cell, above: above + 1 })));
  const heads = groups.map(({ size }, i) => ({ size, y: MARGIN.top + HEADING * (i + 0.6) + ROW * rows.filter(({ above }) => above <= i).length }));
  const [low, high] = domainOf(cells);
  const bottom = controlHeight(cells) - MARGIN.bottom;
  const xOf = (rate: number) => (left + ((Math.min(high, Math.max(low, rate)) - low) / (high - low)) * (right - left)).toFixed(1);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <g aria-hidden="true">
        {MARKS.map((part) => (
          <g key={part}>
            <path d={`M${xOf(low + part * (high - low))} ${MARGIN.top}V${bottom}`} stroke={part === 0.5 ? theme.half : theme.grid} />
            <text x={xOf(low + part * (high - low))} y={bottom + 18} text-anchor="middle">
              {RATE.mark(low + part * (high - low))}
            </text>
          </g>
        ))}
        <text x={((left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          {RATE.axis}
        </text>
      </g>
      {heads.map(({ size, y }) => (
        <text key={size} x="4" y={y.toFixed(1)} dy="0.34em" fill={theme.ink} font-weight="600">
          {`Size ${size}`}
        </text>
      ))}
      {rows.map(({ cell, above }, i) => {
        const { label, point } = cell;
        const ends = RATE.of(point)!;
        const y = MARGIN.top + HEADING * above + ROW * (i + 0.5);
        const of = experimentsOf(cell);
        const words = `${label}${of === "" ? "" : ` in ${of}`}, board size ${point.size}, ${budget(cell.budget)}: ${inPercent(point.rate)}, interval ${interval(point.low, point.high)} %`;
        // Outside 50 % at any look: the colour says no more than the filled marker.
        const colour = theme.series[point.verdict === "open" ? 0 : 1];
        return (
          <CellMark key={point.cell} words={words} link={linkTo?.(cell)} class="field">
            <title>{words}</title>
            <rect x="0" y={y - ROW / 2} width={right} height={ROW} fill="transparent" />
            <text x={left - 10} y={y} dy="0.34em" text-anchor="end" fill={theme.ink}>
              {names[i]}
            </text>
            {ends.sequence !== undefined && <path d={`M${xOf(ends.sequence.low)} ${y}H${xOf(ends.sequence.high)}`} stroke={colour} stroke-width="6" stroke-opacity="0.22" />}
            <path d={`M${xOf(ends.low)} ${y}H${xOf(ends.high)}M${xOf(ends.low)} ${y - 4}v8M${xOf(ends.high)} ${y - 4}v8`} stroke={colour} stroke-width="1.4" fill="none" />
            <circle cx={xOf(ends.value)} cy={y} r="4" stroke={colour} stroke-width="1.6" fill={point.verdict === "open" ? theme.surface : colour} />
          </CellMark>
        );
      })}
    </g>
  );
}
