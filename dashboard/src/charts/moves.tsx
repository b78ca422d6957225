/** A picture by move number as SVG: what `layoutMoves` placed, in the colours of a theme. */

import type { MovesLayout } from "./moves-layout";
import { MarkerShape } from "./marker";
import { lookOf } from "./palette";
import type { Theme } from "./palette";

interface MovesProps {
  layout: MovesLayout;
  theme: Theme;
  /** Moves of the opening, which nobody searched. */
  opening?: number;
  /** The move that is shown elsewhere. */
  cursor?: number;
}

export function Moves({ layout, theme, opening = 0, cursor }: MovesProps) {
  const { left, right, top, bottom, ticks, columns, lines, xOf } = layout;
  const begun = opening > 0 ? xOf(opening + 0.5) : left;
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted} aria-hidden="true">
      {begun > left && (
        <>
          <rect x={left} y={top} width={(begun - left).toFixed(1)} height={bottom - top} fill={theme.grid} data-opening />
          <text transform={`translate(${(left + (begun - left) / 2).toFixed(1)} ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle" dy="0.34em" font-size="10.5">
            opening
          </text>
        </>
      )}
      {ticks.map(({ y, text }) => (
        <g key={text}>
          <path d={`M${left} ${y.toFixed(1)}H${right.toFixed(1)}`} stroke={theme.grid} />
          <text x={left - 7} y={y.toFixed(1)} dy="0.34em" text-anchor="end">
            {text}
          </text>
        </g>
      ))}
      {columns.map(({ x, text }) => (
        <text key={text} x={x.toFixed(1)} y={bottom + 18} text-anchor="middle">
          {text}
        </text>
      ))}
      <text x={((left + right) / 2).toFixed(1)} y={bottom + 38} text-anchor="middle">
        Move
      </text>
      {lines.map(({ line: { name, look }, band }) => band !== "" && <path key={name} d={band} fill={theme.series[look]} fill-opacity="0.16" />)}
      {cursor !== undefined && cursor > 0 && (
        <path d={`M${xOf(cursor).toFixed(1)} ${top}V${bottom}`} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="4 3" data-cursor={cursor} />
      )}
      {lines.map(({ line: { name, look, isSecond = false }, path, dots }) => (
        <g key={name} data-line={name}>
          <path d={path} fill="none" stroke={theme.series[look]} stroke-width="1.6" stroke-linejoin="round" stroke-dasharray={isSecond ? SECOND : dots.length === 0 ? DASHES[look % DASHES.length] : undefined} />
          {dots.map(({ x, y }) => (
            <MarkerShape key={x} marker={lookOf(look).marker} colour={theme.series[look]!} surface={theme.surface} x={x} y={y} scale={0.7} hollow={isSecond} />
          ))}
        </g>
      ))}
    </g>
  );
}

/** The dashes of the colour that moves second. */
const SECOND = "4 3";

/** Lines without markers are told apart by their dashes. */
const DASHES = [undefined, "6 3", "2 3"];
