/**
 * The address of the page: every view is read from it.
 *
 * A plain `<a href>` to another page of the dashboard is enough: it changes the address without loading anything anew.
 */

import { useEffect, useState } from "preact/hooks";

const CHANGED = "gauntlet:address";

/** Shows another address. `push` makes a step to come back from; without it the view at hand is another one. */
export function go(href: string, push = false): void {
  if (new URL(href, location.href).href === location.href) return;
  history[push ? "pushState" : "replaceState"](null, "", href);
  dispatchEvent(new Event(CHANGED));
}

/** The address, followed as it changes. */
export function useAddress(): URL {
  const [address, setAddress] = useState(() => new URL(location.href));
  useEffect(() => {
    const follow = () => setAddress(new URL(location.href));
    addEventListener("popstate", follow);
    addEventListener(CHANGED, follow);
    document.addEventListener("click", takeLink);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener(CHANGED, follow);
      document.removeEventListener("click", takeLink);
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
  if (origin !== location.origin || pathname.startsWith("/api/") || hash !== "") return;
  event.preventDefault();
  go(href.href, true);
  scrollTo(0, 0);
}
