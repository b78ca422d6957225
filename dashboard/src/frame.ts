/** What every page knows without asking: the overview, who looks, and where it is. */

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
  session: Session | undefined;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame === undefined) throw new Error("a page outside the frame");
  return frame;
}

/** The address, apart from the frame: lists and folds read it, and each beat has another frame. */
export const Here = createContext<URL | undefined>(undefined);

export function useHere(): URL {
  const here = useContext(Here);
  if (here === undefined) throw new Error("a page without an address");
  return here;
}

/** A parameter of the address, and what gives it another value, as a step to come back from. Every state of a page is a link. */
export function useParameter(name: string): [string | undefined, (value: string | undefined) => void] {
  const address = useHere();
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

/** The prefix in an address of how many entries of a list are shown, such as `all=cases` or `all=300:cases`. */
const NUMBERED = /^(\d{1,7}):(.*)$/s;

/** How many entries of a list are shown, by the address: none are named, a number, or all of them. */
export function useShown(list: string): [number | undefined, (shown: number | undefined) => void] {
  const address = useHere();
  const all = address.searchParams.getAll("all").map((text) => {
    const found = NUMBERED.exec(text);
    return found === null ? { list: text, shown: Infinity, text } : { list: found[2]!, shown: Number(found[1]), text };
  });
  const others = all.filter((one) => one.list !== list).map(({ text }) => text);
  const set = (shown: number | undefined) => {
    const own = shown === undefined ? [] : [shown === Infinity ? list : `${shown}:${list}`];
    go(withParameter(address, "all", [...others, ...own]), true);
  };
  return [all.find((one) => one.list === list)?.shown, set];
}

/** Whether all entries of a list are shown, by the address. */
export function useAll(list: string): [boolean, (all: boolean) => void] {
  const [shown, setShown] = useShown(list);
  return [shown === Infinity, (all) => setShown(all ? Infinity : undefined)];
}

/** Whether a part of the page is open, by the address; `atFirst` before it names the part. */
export function useOpen(part: string, atFirst: boolean): [boolean, (open: boolean) => void] {
  const address = useHere();
  const named = address.searchParams.getAll("open");
  const open = named.includes(part) || (atFirst && !named.includes(`-${part}`));
  const set = (next: boolean) => {
    const others = named.filter((other) => other !== part && other !== `-${part}`);
    const own = next === atFirst ? [] : [next ? part : `-${part}`];
    go(withParameter(address, "open", [...others, ...own]), true);
  };
  return [open, set];
}

/** An address of the same page, in which what is open stays open. */
export function keepOpen(href: string, address: URL): string {
  return withParameter(new URL(href, address), "open", address.searchParams.getAll("open"));
}

/** Names the page in the title of its window, for tabs and for the browser's history; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Gauntlet`;
  }, [title]);
}
