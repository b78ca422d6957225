/** A part of a page that is folded away until somebody opens it. The address says what is open, so that a link shows the same. */

import type { ComponentChildren } from "preact";
import { useOpen } from "../frame";

interface FoldProps {
  /** What the address calls it; nothing else on the page has this name. */
  name: string;
  summary: ComponentChildren;
  kind?: string;
  /** Whether it is open before anybody has touched it. */
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
