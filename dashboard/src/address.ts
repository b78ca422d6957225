/**
 * The address of the page: every view is read from it.
 *
 * A plain `<a href>` to another page of the dashboard is enough: it changes the address without loading the page again.
 */

import { useEffect, useState } from "preact/hooks";
import { ROOT } from "./routes";

const CHANGED = "gauntlet:address";

/** For so long a page that comes back may take to become as long as it was. */
const RESTORE_MS = 20_000;

/** Ends a return that is under way. */
let settle = () => {};

/** Keeps with an entry of the history how far down its page was. */
function keepPlace(): void {
  history.replaceState({ y: scrollY }, "");
}

/** Goes back to where the page was. It begins empty: each time that it grows is another try, until the reader scrolls. */
function restorePlace(): void {
  settle();
  const y = (history.state as { y?: number } | null)?.y;
  // A link within the page, which the browser follows.
  if (y === undefined) return;
  const growth = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 1) settle();
  });
  const timer = setTimeout(() => settle(), RESTORE_MS);
  const own = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
  settle = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const type of own) removeEventListener(type, settle);
    settle = () => {};
  };
  for (const type of own) addEventListener(type, settle);
  growth.observe(document.body);
}

/** Shows another address. `push` makes a step to come back from; without it the present entry has another address. */
export function go(href: string, push = false): void {
  if (new URL(href, location.href).href === location.href) return;
  settle();
  if (push) keepPlace();
  history[push ? "pushState" : "replaceState"]({ y: scrollY }, "", href);
  dispatchEvent(new Event(CHANGED));
}

/** The address, followed as it changes. */
export function useAddress(): URL {
  const [address, setAddress] = useState(() => new URL(location.href));
  useEffect(() => {
    const follow = () => setAddress(new URL(location.href));
    // The browser restores before there is a page to restore.
    history.scrollRestoration = "manual";
    restorePlace();
    const listeners = [["scrollend", keepPlace], ["popstate", restorePlace], ["popstate", follow], [CHANGED, follow], ["click", takeLink as EventListener]] as const;
    for (const [type, listener] of listeners) addEventListener(type, listener);
    return () => {
      for (const [type, listener] of listeners) removeEventListener(type, listener);
    };
  }, []);
  return address;
}

/** Follows a link to another page of the dashboard. All other links are the browser's. */
function takeLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest("a");
  if (link === null || !link.hasAttribute("href") || link.hasAttribute("target") || link.hasAttribute("download")) return;
  // The links of pictures have no plain address.
  const href = new URL(link.getAttribute("href")!, location.href);
  const { origin, pathname, hash } = href;
  if (origin !== location.origin || !pathname.startsWith(ROOT) || pathname.startsWith(`${ROOT}api/`) || hash !== "") return;
  event.preventDefault();
  go(href.href, true);
  scrollTo(0, 0);
}
