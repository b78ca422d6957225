/** Cases below each other on one board size, each with both bars: readable for many cases, and for long names. */

import type { Point } from "../api";
import { CellMark } from "./cell-mark";
import { MarkerShape } from "./marker";
import type { Theme } from "./palette";
import type { Case, Line } from "./panels";
import type { Analysed } from "./standing";
import type { ShownPanel } from "./selection";
import { BEYOND, isBeyond } from "./unit";
import type { Unit } from "./unit";
import { shortenAll } from "./names";

export interface Forest {
  size: number;
  /** The best on this size first, where that is known. `shrunken` is the rate, shrunken towards the mean of all cases; absent until the planned games are complete. */
  rows: { case: Case; point: Point; shrunken: number | undefined }[];
  /** Cases after the last row. */
  left_out: number;
}

/** A picture with more rows is taller than anybody reads, and than some programs draw. */
const MOST_ROWS = 200;

/** A forest for each size with points: its cases in the order of their shrunken rates on this size. With `best`, so many of all cases. */
export function forestsOf(panel: ShownPanel, sizes: readonly number[], analysed: Analysed | undefined, best?: number): Forest[] {
  const cells = analysed?.field(panel)?.cells ?? [];
  // The coordinator lists the best cell of a size first.
  const ranked = new Map(cells.map((cell, place) => [`${cell.size} ${cell.case}`, { place, shrunken: cell.shrunken ?? undefined }]));
  // The best on a size need not be among the best over all sizes. Before there is an analysis nobody is the best.
  const lines: readonly Line[] = best === undefined ? panel.lines : analysed === undefined ? [] : [...panel.lines, ...panel.others];
  const most = Math.min(MOST_ROWS, best ?? MOST_ROWS);
  return sizes.flatMap((size) => {
    const rows = lines.flatMap((line) => {
      const point = line.series.points.find((candidate) => candidate.size === size);
      const own = ranked.get(`${size} ${analysed?.name(line)}`);
      return point === undefined ? [] : [{ case: line.case, point, shrunken: own?.shrunken, place: own?.place ?? Infinity }];
    });
    if (analysed !== undefined) rows.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place));
    const first = rows.slice(0, most).map(({ case: owner, point, shrunken }) => ({ case: owner, point, shrunken }));
    return rows.length === 0 ? [] : [{ size, rows: first, left_out: Math.max(0, rows.length - most) }];
  });
}

const ROW = 22;
const MARGIN = { top: 8, right: 16, bottom: 44 };

export function forestHeight({ rows }: Forest): number {
  return MARGIN.top + ROW * rows.length + MARGIN.bottom;
}

interface ForestProps {
  forest: Forest;
  width: number;
  theme: Theme;
  unit: Unit;
  domain: readonly [number, number];
  emphasis?: string | undefined;
  /** The address of a row's cell; on paper there is none. */
  linkTo?: ((point: Point) => string) | undefined;
}

export function ForestChart({ forest, width, theme, unit, domain, emphasis, linkTo }: ForestProps) {
  const { rows, size } = forest;
  const letters = Math.floor((0.38 * width) / 7);
  const names = shortenAll(
    rows.map((row) => row.case.short),
    letters,
  );
  const left = 30 + 7 * Math.min(letters, Math.max(...rows.map((row) => row.case.short.length)));
  const right = Math.max(left + 60, width - MARGIN.right);
  const bottom = MARGIN.top + ROW * rows.length;
  const within = (value: number) => Math.min(domain[1], Math.max(domain[0], value));
  const xOf = (value: number) => left + ((within(value) - domain[0]) / (domain[1] - domain[0])) * (right - left);
  const step = unit.steps.find((candidate) => (candidate / (domain[1] - domain[0])) * (right - left) >= 44) ?? domain[1] - domain[0];
  const first = Math.ceil(domain[0] / step - 1e-9);
  const marks = Array.from({ length: Math.floor(domain[1] / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted}>
      <g aria-hidden="true">
        {marks.map((mark) => (
          <g key={mark}>
            <path d={`M${xOf(mark).toFixed(1)} ${MARGIN.top}V${bottom}`} stroke={theme.grid} />
            <text x={xOf(mark).toFixed(1)} y={bottom + 18} text-anchor="middle">
              {unit.mark(mark)}
            </text>
          </g>
        ))}
        <path d={`M${xOf(unit.equal).toFixed(1)} ${MARGIN.top}V${bottom}`} stroke={theme.half} stroke-width="1.4" />
        <text x={((left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
          {unit.axis}
        </text>
      </g>
      {rows.map(({ case: owner, point, shrunken }, i) => {
        const y = MARGIN.top + ROW * (i + 0.5);
        const colour = theme.series[owner.look.colour % theme.series.length]!;
        const ends = unit.of(point);
        const [value, range] = unit.words(point);
        const beyond = isBeyond(ends, domain);
        const words = `${owner.name}, board size ${size}: ${value}${beyond ? BEYOND : ""}, interval ${range}${point.words === null ? "" : `. ${point.words}`}`;
        return (
          <CellMark key={owner.key} words={words} link={linkTo?.(point)} opacity={emphasis === undefined || emphasis === owner.key ? undefined : 0.25}>
            <title>{words}</title>
            {linkTo !== undefined && <rect width={right} height={ROW} y={y - ROW / 2} fill="none" pointer-events="all" />}
            <text x={left - 14} y={y} dy="0.34em" text-anchor="end" fill={theme.ink}>
              {names[i]}
            </text>
            {ends?.sequence !== undefined && (
              <path d={`M${xOf(ends.sequence.low).toFixed(1)} ${y}H${xOf(ends.sequence.high).toFixed(1)}`} stroke={colour} stroke-width="6" stroke-opacity="0.22" />
            )}
            {ends !== undefined && (
              <>
                <path
                  d={`M${xOf(ends.low).toFixed(1)} ${y}H${xOf(ends.high).toFixed(1)}M${xOf(ends.low).toFixed(1)} ${y - 3}v6M${xOf(ends.high).toFixed(1)} ${y - 3}v6`}
                  stroke={colour}
                  stroke-width="1.4"
                  fill="none"
                />
                {shrunken !== undefined && unit.key === "rate" && (
                  <path d={`M${xOf(shrunken).toFixed(1)} ${y - 8}v16`} stroke={theme.ink} stroke-width="1.6" class="shrunken" />
                )}
                <MarkerShape marker={owner.look.marker} colour={colour} surface={theme.surface} x={xOf(ends.value)} y={y} hollow={beyond} />
              </>
            )}
          </CellMark>
        );
      })}
    </g>
  );
}
