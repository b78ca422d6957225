/** A value by the number of pairs as SVG: what `layoutRunning` placed, in the colours of a theme. */

import type { Theme } from "./palette";
import type { RunningLayout } from "./running-layout";

interface RunningProps {
  layout: RunningLayout;
  theme: Theme;
  /** The axes in words. */
  axis: string;
  along?: string | undefined;
  /** The place in the palette. */
  look?: number;
  /** The pairs pointed at. */
  cursor?: number | undefined;
}

/** Opacities of the bands, the widest first. */
const BANDS = [0.16, 0.3];

export function Running({ layout, theme, axis, along = "Complete pairs", look = 0, cursor }: RunningProps) {
  const { left, right, top, bottom, ticks, columns, levels, path, bands, end, decided, changes, xOf } = layout;
  const colour = theme.series[look]!;
  const across = (y: number) => `M${left} ${y.toFixed(1)}H${right.toFixed(1)}`;
  const toLeft = decided !== undefined && decided.x > (left + right) / 2;
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted} aria-hidden="true">
      {ticks.map(({ y, text }) => (
        <g key={y}>
          <path d={across(y)} stroke={theme.grid} />
          <text x={left - 8} y={y.toFixed(1)} dy="0.34em" text-anchor="end">
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
        {along}
      </text>
      <text transform={`translate(14 ${((top + bottom) / 2).toFixed(1)}) rotate(-90)`} text-anchor="middle">
        {axis}
      </text>
      {bands.map((band, i) => band !== "" && <path key={i} d={band} fill={colour} fill-opacity={BANDS[i]} data-band={i} />)}
      {levels.map(({ y, text }) => (
        <g key={text}>
          <path d={across(y)} stroke={theme.half} stroke-width="1.4" data-level={text} />
          <text x={left - 8} y={y.toFixed(1)} dy="0.34em" text-anchor="end" fill={theme.ink} font-weight="600">
            {text}
          </text>
        </g>
      ))}
      <path d={path} fill="none" stroke={colour} stroke-width="1.8" stroke-linejoin="round" data-line />
      {end !== undefined && <circle cx={end.x.toFixed(1)} cy={end.y.toFixed(1)} r="3.4" fill={colour} stroke={theme.surface} />}
      {changes.map(({ x, text, label }) => (
        <g key={text} data-change={text}>
          <path d={`M${x.toFixed(1)} ${top}V${bottom}`} stroke={theme.half} stroke-width="1.2" stroke-dasharray="1.5 3" />
          {label !== undefined && (
            <text x={label.x.toFixed(1)} y={bottom - 5} font-size="11" text-anchor={label.anchor} fill={theme.ink}>
              {text}
            </text>
          )}
        </g>
      ))}
      {decided !== undefined && (
        <g data-decided>
          <path d={`M${decided.x.toFixed(1)} ${top}V${bottom}`} stroke={theme.ink} stroke-width="1.2" stroke-dasharray="5 3" />
          <circle cx={decided.x.toFixed(1)} cy={decided.y.toFixed(1)} r="5" fill="none" stroke={theme.ink} stroke-width="1.6" />
          <text x={(decided.x + (toLeft ? -7 : 7)).toFixed(1)} y={top + 11} text-anchor={toLeft ? "end" : "start"} fill={theme.ink}>
            {decided.text}
          </text>
        </g>
      )}
      {cursor !== undefined && <path d={`M${xOf(cursor).toFixed(1)} ${top}V${bottom}`} stroke={theme.ink} stroke-opacity="0.6" data-cursor={cursor} />}
    </g>
  );
}
