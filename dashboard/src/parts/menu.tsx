/** A button that opens a list of others above everything else: no edge of a table or a window cuts it off. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface MenuProps {
  /** What is on the button. */
  label: ComponentChildren;
  /** What the menu is for, in full. */
  name: string;
  children: ComponentChildren;
}

/** Pixels between the list and its button, and the edges of the window. */
const GAP = 4;

/** Where a list of this length along an axis begins: at its place, or as far before as the window asks for. */
export function placed(wanted: number, length: number, window: number): number {
  return Math.max(GAP, Math.min(wanted, window - length - GAP));
}

export function Menu({ label, name, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
    useEffect(() => {
    if (!open) return;
    const { right, top, bottom } = button.current!.getBoundingClientRect();
    const own = list.current!;
    const { offsetWidth: width, offsetHeight: height } = own;
    const isBelow = bottom + GAP + height <= innerHeight || top < innerHeight - bottom;
    own.style.left = `${placed(right - width, width, document.documentElement.clientWidth)}px`;
    own.style.top = `${placed(isBelow ? bottom + GAP : top - GAP - height, height, innerHeight)}px`;
    // The list stays where it is while the page moves away below it.
    const close = (event: Event) => !own.contains(event.target as Node) && own.hidePopover();
    addEventListener("scroll", close, { capture: true, passive: true });
    addEventListener("resize", close);
    return () => {
      removeEventListener("scroll", close, { capture: true });
      removeEventListener("resize", close);
    };
  }, [open]);
  return (
    <>
      <button ref={button} type="button" class="opens-menu" popovertarget={id} aria-label={name} aria-expanded={open}>
        {label}
      </button>
      <div ref={list} id={id} popover="auto" class="menu" onToggle={(event) => setOpen(event.newState === "open")} onClick={() => list.current!.hidePopover()}>
        {open && children}
      </div>
    </>
  );
}
