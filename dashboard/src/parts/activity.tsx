/** The games of an experiment over time, with the changes that people made meanwhile. */

import { useMemo } from "preact/hooks";
import type { AuditEntry, ExperimentHistory } from "../api";
import { runningPicture } from "../charts/running";
import { isoTime, tableOf } from "../export/table";
import { brief, count, counted, duration, moment, timeUnit } from "../format";
import { ChangeList } from "./change-list";
import { PictureFrame } from "./picture";

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
  const picture = useMemo(() => shown && activityPicture(shown), [shown]);
  if (shown === undefined || picture === undefined) return null;
  return (
    <PictureFrame picture={picture} name={`${name}, games over time`}>
      <ChangeList name="games, changes" changes={shown.marked} />
      <p class="meaning">By ten seconds; earlier games of a run longer than an hour by hours. {count(games.at(-1)!.games)} games are counted now.</p>
    </PictureFrame>
  );
}

type Layout = NonNullable<ReturnType<typeof layoutOf>>;

function activityPicture({ marks, last, unit, begin, seconds, domain, places }: Layout) {
  const at = (pairs: number) => begin + 1000 * seconds * pairs;
  return runningPicture({
    title: "Games counted over time",
    axis: "Games",
    along: `Time in ${unit} since ${moment(begin)}`,
    look: 2,
    marks,
    last,
    domain,
    write: brief,
    isStepped: true,
    isWhole: false,
    say: ({ value, pairs }) => `${moment(at(pairs))}: ${counted(value, "game")} after ${duration(seconds * pairs)}`,
    changes: places,
    table: () => tableOf(marks, [["at", ({ pairs }) => isoTime(at(pairs))], ["games", ({ value }) => value]]),
  });
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
  const [unit, seconds] = timeUnit((end.at_ms - begin) / 1000);
  const placeOf = (ms: number) => (ms - begin) / 1000 / seconds;
  const marks = until.map(({ at_ms, games: value }) => ({ pairs: placeOf(at_ms), value, bands: [] }));
  const marked = changes.filter(({ at_ms }) => at_ms >= begin && at_ms <= end.at_ms).slice(0, MOST_CHANGES).reverse();
  const domain: [number, number] = [0, Math.max(1, 1.05 * end.games)];
  return { marks, last: placeOf(end.at_ms), unit, begin, seconds, domain, marked, places: marked.map(({ at_ms }) => placeOf(at_ms)) };
}
