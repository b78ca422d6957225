/** The states of what a page fetches, before there is something to show. */

import type { ComponentChildren } from "preact";
import type { Fetched } from "../live";
import { MissingPage, WaitingPage } from "../pages/notices";

interface LoadedProps<T> {
  of: Fetched<T>;
  /** What it is, in a word: `game`. */
  what: string;
  children: (data: T, fetched: Fetched<T>) => ComponentChildren;
}

/** Shows what was fetched, or that it is under way, or that there is no such thing. Stale data stay: the header says so. */
export function Loaded<T>({ of, what, children }: LoadedProps<T>) {
  if (of.unknown) return <MissingPage what={what} />;
  if (of.data === undefined) return <WaitingPage trouble={of.trouble} />;
  return <>{children(of.data, of)}</>;
}
