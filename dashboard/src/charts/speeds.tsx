/** The speed of a machine on a size over time, beside the median of the fleet today. */

import { brief } from "../format";
import { niceStep } from "./moves-layout";
import type { Theme } from "./palette";

export interface SpeedPoint {
  at_ms: number;
  /** Relative to the reference machine. */
  relative: number;
}

export interface SpeedsProps {
  width: number;
  height: number;
  theme: Theme;
  /** Oldest first. A speed holds until the next one. */
  points: readonly SpeedPoint[];
  /** The end of the time axis. */
  now_ms: number;
  fleet?: number | undefined;
  /** Writes a time at the axis; `span` is the length of the axis in milliseconds. */
  write: (at_ms: number, span: number) => string;
}

const LEFT = 40;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 26;

/** The shortest time axis, so that a single speed is a line. */
const SHORTEST_MS = 3_600_000;

export function Speeds({ width, height, theme, points, now_ms, fleet, write }: SpeedsProps) {
  const [right, bottom] = [Math.max(LEFT + 1, width - RIGHT), height - BOTTOM];
  const first = Math.min(points[0]?.at_ms ?? now_ms, now_ms - SHORTEST_MS);
  const span = now_ms - first;
  const most = Math.max(0.1, fleet ?? 0, ...points.map(({ relative }) => relative));
  const step = niceStep(1.1 * most, 4);
  const top = step * Math.ceil((1.1 * most) / step);
  const x = (at: number) => LEFT + ((at - first) / span) * (right - LEFT);
  const y = (value: number) => bottom - (value / top) * (bottom - TOP);
  const path = points.map(({ at_ms, relative }, i) => `${i === 0 ? "M" : "H"}${x(at_ms).toFixed(1)}${i === 0 ? " " : "V"}${y(relative).toFixed(1)}`);
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
  return (
    <g font-family={theme.font} font-size="12" fill={theme.muted} aria-hidden="true">
      {ticks.map((value) => (
        <g key={value}>
          <path d={`M${LEFT} ${y(value).toFixed(1)}H${right}`} stroke={theme.grid} />
          <text x={LEFT - 7} y={y(value).toFixed(1)} dy="0.34em" text-anchor="end">
            {brief(value)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={bottom + 18}>
        {write(first, span)}
      </text>
      <text x={right} y={bottom + 18} text-anchor="end">
        {write(now_ms, span)}
      </text>
      {fleet !== undefined && <path d={`M${LEFT} ${y(fleet).toFixed(1)}H${right}`} stroke={theme.half} stroke-width="1.6" stroke-dasharray="6 4" data-fleet={fleet} />}
      {points.length > 0 && <path d={`${path.join("")}H${right}`} fill="none" stroke={theme.series[0]} stroke-width="2" data-points={points.length} />}
    </g>
  );
}
