/** What lines by move number mean, with their colours and markers. */

import { lookOf } from "../charts/palette";
import { Mark } from "./mark";

export const CASE = 0;
export const BASELINE = 1;

export function LinesLegend({ lines }: { lines: readonly (readonly [look: number, name: string, isSecond?: boolean])[] }) {
  return (
    <ul class="curves" aria-label="Lines">
      {lines.map(([look, name, isSecond = false]) => (
        <li key={name}>
          <Mark look={{ marker: lookOf(look).marker, colour: look }} hollow={isSecond} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** The two players of games. */
export function PlayersLegend({ names: [of, baseline] }: { names: readonly [of: string, baseline: string] }) {
  return <LinesLegend lines={[[CASE, of], [BASELINE, baseline]]} />;
}
