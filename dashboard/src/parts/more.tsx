/** The beginning of a long list, and more of it on demand: a browser lays out a few hundred rows quickly, and not ten thousand. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count } from "../format";

/** Entries that one press of the button adds. */
const STEP = 200;

/** How many of `total` entries to show, `first` at the beginning, and the button for more. */
export function useMore(total: number, first: number, what: string): [shown: number, button: ComponentChildren] {
  const [wanted, setWanted] = useState(first);
  const shown = Math.min(total, wanted);
  if (total <= first) return [shown, null];
  const left = total - shown;
  const label = left === 0 ? `The first ${count(first)}` : left <= STEP ? `All ${count(total)} ${what}` : `${STEP} more of ${count(total)} ${what}`;
  const press = () => setWanted(left === 0 ? first : shown + STEP);
  return [
    shown,
    <button type="button" class="plain" aria-expanded={left === 0} onClick={press}>
      {label}
    </button>,
  ];
}
