/** Which of an experiment's cases a view draws. */

import type { View } from "../url";
import { lookOf } from "./palette";
import { isDifferent, type Case, type Line, type Panel } from "./panels";
import type { Standing } from "./standing";

/** Cases that "top" draws: as many as there are colours. */
export const TOP = 8;
/** Up to so many cases all are drawn unless the view says otherwise, and the legend shows each as a switch. Of more, the others are grey. */
export const FEW = TOP;

/** The choice that a view makes among this many cases. */
export function pickOf(view: Pick<View, "pick">, cases: number): NonNullable<View["pick"]> {
  return view.pick ?? (cases > FEW ? "top" : "all");
}

/** Every word of `find` occurs in the case's name or group, in any case of letters. */
function isFound({ name, group }: Case, find: string): boolean {
  const text = `${group} ${name}`.toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Compares cases by their places; those without one come last. */
const better = (standing: Standing) => (a: Case, b: Case) => (standing.get(a.key) ?? Infinity) - (standing.get(b.key) ?? Infinity) || 0;

/** The cases whose names have the words that are looked for, in the order wanted. */
export function found(cases: readonly Case[], standing: Standing, view: Pick<View, "find" | "sort">): Case[] {
  const matching = cases.filter((candidate) => isFound(candidate, view.find));
  if (view.sort === "name") {
    const collator = new Intl.Collator("en", { numeric: true });
    return matching.sort((a, b) => collator.compare(a.group, b.group) || collator.compare(a.name, b.name));
  }
  return view.sort === "rate" ? matching.sort(better(standing)) : matching;
}

/** The cases drawn, in the order of the file. Where there are many, each gets a look that no other case drawn has. */
export function drawn(
  cases: readonly Case[],
  panels: readonly Panel[],
  standing: Standing,
  view: Pick<View, "hidden" | "only" | "pick" | "top" | "find">,
): Map<string, Case> {
  const only = new Set(view.only);
  const hidden = new Set(view.hidden);
  const base = only.size > 0 ? cases.filter(({ key }) => only.has(key)) : picked(cases, panels, standing, view);
  const chosen = base.filter(({ key }) => !hidden.has(key));
  const looks = cases.length > FEW ? chosen.map((owner, i) => ({ ...owner, look: lookOf(i) })) : chosen;
  return new Map(looks.map((owner) => [owner.key, owner]));
}

/** The cases that a view picks before any is switched on or off by hand. */
export function picked(
  cases: readonly Case[],
  panels: readonly Panel[],
  standing: Standing,
  view: Pick<View, "pick" | "top" | "find">,
): Case[] {
  const matching = cases.filter((candidate) => isFound(candidate, view.find));
  const pick = pickOf(view, cases.length);
  if (pick === "top") {
    const best = matching.filter(({ key }) => standing.has(key)).sort(better(standing));
    const keys = new Set(best.slice(0, view.top ?? TOP).map(({ key }) => key));
    return matching.filter(({ key }) => keys.has(key));
  }
  if (pick === "differs") {
    const keys = new Set(panels.flatMap(({ lines }) => lines).filter(isTelling).map((line) => line.case.key));
    return matching.filter(({ key }) => keys.has(key));
  }
  return matching;
}

/** The view that draws these cases, in as few words as possible: what is left out of the pick, or what is drawn. */
export function choosing<V extends Pick<View, "hidden" | "only">>(view: V, pick: readonly Case[], keys: ReadonlySet<string>): V {
  const out = pick.flatMap(({ key }) => (keys.has(key) ? [] : [key]));
  const isPart = pick.length - out.length === keys.size;
  return isPart && out.length <= keys.size ? { ...view, hidden: out, only: [] } : { ...view, hidden: [], only: [...keys] };
}

/** Whether the case is better or worse than the baseline on a size, in the coordinator's judgement. */
const isTelling = ({ series }: Line) => series.points.some(({ verdict }) => isDifferent(verdict));
