/** What every page knows without asking: the overview, who looks, the address and the time. */

import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import { go } from "./address";
import type { Overview, Session } from "./api";

export interface Frame {
  /** Absent until the coordinator has answered once. */
  overview: Overview | undefined;
  /** When the overview was fetched, in milliseconds since 1970 on this machine's clock. */
  at: number;
  /** Why the coordinator does not answer, if it does not. */
  trouble: string | undefined;
  /** Milliseconds since 1970, moving on once a second. */
  now: number;
  session: Session | undefined;
  address: URL;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame === undefined) throw new Error("a page outside the frame");
  return frame;
}

/** A parameter of the address, and what gives it another value, as a step to come back from. Every state of a page is a link. */
export function useParameter(name: string): [string | undefined, (value: string | undefined) => void] {
  const { address } = useFrame();
  const set = (value: string | undefined) => go(withParameter(address, name, value === undefined ? [] : [value]), true);
  return [address.searchParams.get(name) ?? undefined, set];
}

/** The address with these values of a parameter. */
export function withParameter(address: URL, name: string, values: readonly string[]): string {
  const next = new URL(address);
  next.searchParams.delete(name);
  for (const value of values) next.searchParams.append(name, value);
  return next.pathname + next.search + next.hash;
}

/** Whether all rows of a list are shown, by the address. */
export function useAll(list: string): [boolean, (all: boolean) => void] {
  const { address } = useFrame();
  const all = address.searchParams.getAll("all");
  const set = (shown: boolean) => go(withParameter(address, "all", shown ? [...all, list] : all.filter((other) => other !== list)), true);
  return [all.includes(list), set];
}

/** Names the page in the title of its window, for tabs and for the browser's history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Gauntlet`;
  }, [title]);
}
