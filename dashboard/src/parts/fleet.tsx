/** The fleet in six numbers. */

import type { ComponentChildren } from "preact";
import type { ExperimentState, Overview } from "../api";
import { clock, count, counted, duration, moment, perMinute } from "../format";
import { pathOf } from "../routes";
import { Words } from "./elements";

const DAY_S = 86_400;

/** When something ends that takes so long still. */
export function ending(seconds: number, at: number): string {
  const end = at + 1000 * seconds;
  return seconds < DAY_S / 2 ? clock(end).replace(/(\d\d:\d\d):\d\d/, "$1") : moment(end);
}

/** What is said while games are in play, and none has ended lately. */
export const TIME_UNKNOWN = "time left unknown";

/** How long all experiments still take, in a word, and why. */
export function untilFinished({ experiments, seconds_left: left }: Overview, at: number): [word: string, note: string] {
  const active = experiments.filter(({ state, is_control }) => state === "active" && !is_control);
  // The speed of the last minutes says nothing of what is no longer played.
  if (active.length > 0 && active.every(({ stalled }) => stalled !== undefined)) return ["–", "stalled"];
  if (left !== null) return [duration(left), `at ${ending(left, at)}`];
  const many = (wanted: ExperimentState) => experiments.filter(({ state, is_control }) => state === wanted && !is_control).length;
  if (active.length > 0) return ["–", active.some(({ pairs_in_flight }) => pairs_in_flight > 0) ? TIME_UNKNOWN : "nothing is played"];
  // These come to no end by themselves.
  const waiting = (["stuck", "paused"] as const).flatMap((state) => (many(state) > 0 ? [`${count(many(state))} ${state}`] : []));
  return waiting.length > 0 ? ["–", waiting.join(", ")] : ["done", "nothing is waiting"];
}

export function FleetNumbers({ overview, at, matters }: { overview: Overview; at: number; matters: number }) {
  const { fleet, control } = overview;
  const [left, why] = untilFinished(overview, at);
  const gone = fleet.workers - fleet.alive;
  const cores = fleet.reference_cores;
  const light = control === undefined ? <a href={pathOf("control")}>none</a> : <a href={pathOf("control")} class="control" data-light={control.light} data-testid="control">{control.light}</a>;
  return (
    <dl class="fleet-numbers">
      <Tile
        name="Workers"
        note={gone > 0 ? `${count(gone)} gone` : counted(fleet.slots, "slot")}
        warn={fleet.alive === 0}
        value={<a href={pathOf("workers")}>{count(fleet.alive)}</a>}
      />
      <Tile name="Games per minute" note="over the last minutes" value={perMinute(overview.games_per_minute)} />
      <Tile
        name="Reference cores"
        note="all slots together; 1 is a core of the reference machine, a Core 2 Duo of 2.4 GHz"
        value={cores < 100 ? cores.toFixed(1) : count(cores)}
      />
      <Tile name="Time to finish" note={why} value={left} />
      <Tile
        name="Alarms"
        note={matters === 0 ? "nothing needs attention" : "see below"}
        warn={matters > 0}
        value={matters === 0 ? "0" : <a href="#attention">{count(matters)}</a>}
      />
      <Tile name="Control" note={control?.words ?? "no control games"} warn={control?.light === "amber" || control?.light === "red"} value={light} />
    </dl>
  );
}

export function Tile({ name, note, warn, value }: { name: string; note: string; warn?: boolean; value: ComponentChildren }) {
  return (
    <div class={warn ? "card warn" : "card"}>
      <dt>{name}</dt>
      <dd class="value">{value}</dd>
      <dd class="note">
        <Words of={note} />
      </dd>
    </div>
  );
}
