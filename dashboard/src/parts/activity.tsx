/** The games of an experiment over time, with the changes that people made meanwhile. */

import { useMemo } from "preact/hooks";
import type { AuditEntry, ExperimentHistory } from "../api";
import type { RunningMark } from "../charts/running-layout";
import { brief, count, counted, duration, moment } from "../format";
import { Fold } from "./fold";
import { RunningChart } from "./running-chart";

/** Units of the time axis in seconds, the shortest first; the last one fits everything. */
const UNITS = [
  ["seconds", 1],
  ["minutes", 60],
  ["hours", 3_600],
  ["days", 86_400],
] as const;
/** So many of a unit are still read well. */
const MOST = 120;

const NO_LEVELS = [] as const;

interface ActivityProps {
  name: string;
  games: ExperimentHistory["games"];
  /** The latest change first. */
  changes: readonly AuditEntry[];
  /** When these were fetched, in ms since 1970, if games may still come. */
  now: number | undefined;
}

export function Activity({ name, games, changes, now }: ActivityProps) {
  const shown = useMemo(() => layoutOf(games, changes, now), [games, changes, now]);
  if (shown === undefined) return null;
  const { marks, last, unit, begin, seconds, marked } = shown;
  const at = ({ pairs }: RunningMark) => begin + 1000 * seconds * pairs;
  return (
    <RunningChart
      title="Games counted over time"
      name={`${name}, games over time`}
      axis="Games"
      along={{ axis: `Time in ${unit} since ${moment(begin)}`, place: (mark) => moment(at(mark)) }}
      look={2}
      marks={marks}
      last={last}
      domain={shown.domain}
      write={brief}
      levels={NO_LEVELS}
      isStepped
      isWhole={false}
      say={({ value, pairs }) => `${counted(value, "game")} after ${duration(seconds * pairs)}`}
      changes={shown.places}
      table={{ columns: ["at", "games"], rows: marks.map((mark) => [new Date(at(mark)).toISOString(), mark.value]) }}
    >
      {marked.length > 0 && (
        <Fold name="games, changes" kind="changes" summary={<>Dotted lines: {counted(marked.length, "change")} that people made</>}>
          <ol>
            {marked.map(({ seq, at_ms, who, action, detail }) => (
              <li key={seq}>
                <time dateTime={new Date(at_ms).toISOString()}>{moment(at_ms)}</time>, {who}: {action}
                {detail !== "" && `, ${detail}`}
              </li>
            ))}
          </ol>
        </Fold>
      )}
      <p class="meaning">By ten seconds; earlier games of a run longer than an hour by hours. {count(marks.at(-1)!.value)} games are counted now.</p>
    </RunningChart>
  );
}

/** Lines for changes at most: more of them hide the picture. */
const MOST_CHANGES = 24;

/** The marks of the picture on an axis in a unit that suits its length, until now; none before there are two times. */
export function layoutOf(games: ExperimentHistory["games"], changes: readonly AuditEntry[], now = 0) {
  const last = games.at(-1);
  const first = games[0];
  // There are sums of times with games alone: without one of now a pause at the end would not be seen.
  const until = last !== undefined && now > last.at_ms ? [...games, { ...last, at_ms: now }] : games;
  const end = until.at(-1);
  if (first === undefined || end === undefined || end.at_ms <= first.at_ms) return undefined;
  const begin = first.at_ms;
  const length = (end.at_ms - begin) / 1000;
  const [unit, seconds] = UNITS.find(([, own]) => length / own <= MOST) ?? UNITS.at(-1)!;
  const placeOf = (ms: number) => (ms - begin) / 1000 / seconds;
  const marks = until.map(({ at_ms, games: value }): RunningMark => ({ pairs: placeOf(at_ms), value, bands: [] }));
  const marked = changes.filter(({ at_ms }) => at_ms >= begin && at_ms <= end.at_ms).slice(0, MOST_CHANGES).reverse();
  const domain: [number, number] = [0, Math.max(1, 1.05 * end.games)];
  return { marks, last: placeOf(end.at_ms), unit, begin, seconds, domain, marked, places: marked.map(({ at_ms }) => placeOf(at_ms)) };
}
