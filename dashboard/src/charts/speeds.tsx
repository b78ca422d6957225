/** The speed of a machine on a size over time, beside the median of the fleet today. */

import { brief, timeUnit } from "../format";
import { linearAxis } from "./axis";
import type { Picture } from "./picture";
import { plotPicture } from "./plot";

export interface SpeedPoint {
  at_ms: number;
  /** Relative to the reference machine. */
  relative: number;
}

interface Speeds {
  title: string;
  /** Oldest first. A speed holds until the next one. */
  points: readonly SpeedPoint[];
  /** The end of the time axis. */
  now: number;
  fleet: number | undefined;
}

/** The shortest time axis, so that a single speed is a line. */
const SHORTEST_S = 3_600;

export function speedsPicture({ title, points, now, fleet }: Speeds): Picture {
  const length = Math.max(SHORTEST_S, (now - (points[0]?.at_ms ?? now)) / 1000);
  const [unit, seconds] = timeUnit(length);
  const x = linearAxis(`Time in ${unit}, until now`, [-length / seconds, 0], { write: (value) => (value === 0 ? "now" : brief(value).replace("-", "−")) });
  const y = linearAxis("", [0, Math.max(0.1, fleet ?? 0, ...points.map(({ relative }) => relative))], { isNice: true });
  const last = points.at(-1);
  const held = last === undefined ? points : [...points, { ...last, at_ms: Math.max(now, last.at_ms) }];
  return plotPicture({
    title,
    heights: [190, 300],
    table: () => ({ columns: ["at", "relative"], rows: points.map(({ at_ms, relative }) => [new Date(at_ms).toISOString(), relative]) }),
    plot: {
      x,
      y: { ...y, title: "" },
      levels: fleet === undefined ? [] : [{ at: y.place(fleet), text: brief(fleet) }],
      lines: [{ name: title, look: 0, dots: "last", isStepped: true, marks: held.map(({ at_ms, relative }) => ({ x: x.place((at_ms - now) / 1000 / seconds), y: y.place(relative), bands: [] })) }],
    },
  });
}
