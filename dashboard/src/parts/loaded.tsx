/** The states of what a page fetches: before there is something to show, and when it is no longer fresh. */

import type { ComponentChildren } from "preact";
import { clock } from "../format";
import { useFrame } from "../frame";
import type { Fetched } from "../live";
import { MissingPage, WaitingPage } from "../pages/notices";
import { Words } from "./words";

/** Data that are older than the overview by so much are not of the same time. */
const OLDER_MS = 15_000;

interface TroubleProps {
  of: Fetched<unknown>;
  /** What it is, in a word: `game`. */
  what: string;
}

/** That something was not fetched, or not anew, and why. While the overview is not fetched either, the header says so for all. */
export function Trouble({ of: { data, trouble, at }, what }: TroubleProps) {
  const frame = useFrame();
  // What a way back shows may be older than what the header tells of.
  const isOlder = data !== undefined && at + OLDER_MS < frame.at;
  if (trouble === undefined || (frame.trouble !== undefined && !isOlder)) return null;
  return (
    <p class="card warn" role="status" data-testid="stale">
      The {what} {data === undefined ? "could not be fetched" : `was not fetched again since ${clock(at)}`}: <Words of={trouble} />.
    </p>
  );
}

interface LoadedProps<T> extends TroubleProps {
  of: Fetched<T>;
  children: (data: T, fetched: Fetched<T>) => ComponentChildren;
}

/** Shows what was fetched, or that it is under way, or that there is no such thing. Stale data stay, under a word that says so. */
export function Loaded<T>({ of, what, children }: LoadedProps<T>) {
  if (of.unknown) return <MissingPage what={what} />;
  if (of.data === undefined) return <WaitingPage trouble={of.trouble} />;
  return (
    <>
      <Trouble of={of} what={what} />
      {children(of.data, of)}
    </>
  );
}
