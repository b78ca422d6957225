/** The beginning of a long list, and more of it on demand: a browser lays out a few hundred rows quickly, and not ten thousand. */

import type { ComponentChildren } from "preact";
import { count } from "../format";
import { useShown } from "../frame";

/** Entries that one press of the button adds. */
const STEP = 200;

/**
 * How many of `total` entries to show, `first` at the beginning, and the button for more. The address keeps the number under the name of
 * the list, which no other list of the page has.
 */
export function useMore(total: number, first: number, what: string, list: string): [shown: number, button: ComponentChildren] {
  const [wanted, setWanted] = useShown(list);
  const shown = Math.min(total, Math.max(first, wanted ?? 0));
  if (total <= first) return [shown, null];
  const left = total - shown;
  const label = left === 0 ? `The first ${count(first)}` : left <= STEP ? `All ${count(total)} ${what}` : `${STEP} more of ${count(total)} ${what}`;
  // Of a list that grows, all is wanted and not the number of today.
  const press = () => setWanted(left === 0 ? undefined : left <= STEP ? Infinity : shown + STEP);
  return [
    shown,
    <button type="button" class="plain" aria-expanded={left === 0} onClick={press}>
      {label}
    </button>,
  ];
}
