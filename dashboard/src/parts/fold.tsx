/** A part of a page that is folded away until it is opened, and the beginnings of long lists. The address says what is open, so that a link shows the same. */

import type { ComponentChildren } from "preact";
import { count } from "../format";
import { useOpen, useShown } from "../frame";

interface FoldProps {
  /** What the address calls it; nothing else on the page has this name. */
  name: string;
  summary: ComponentChildren;
  kind?: string;
  /** Whether it is open at first. */
  atFirst?: boolean;
  /** What is inside, or what makes it once it is open. */
  children: ComponentChildren | (() => ComponentChildren);
}

export function Fold({ name, summary, kind, atFirst = false, children }: FoldProps) {
  const [open, setOpen] = useOpen(name, atFirst);
  return (
    // The browser tells also of what the address has opened.
    <details class={kind} open={open} onToggle={({ currentTarget }) => currentTarget.open !== open && setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {typeof children !== "function" ? children : open && children()}
    </details>
  );
}

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
    <button type="button" class="plain" aria-expanded={left === 0} onClick={press}>{label}</button>,
  ];
}
