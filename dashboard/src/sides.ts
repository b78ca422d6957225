/** What is compared: read from the address and written to it. */

import { pathOf, withQuery } from "./routes";

/** A side as the address names it. */
export interface SideKey {
  experiment?: string;
  /** The number of a revision. */
  revision?: string;
  case?: string;
}

export interface Sides {
  left: SideKey;
  right: SideKey;
}

/** What the address compares. */
export function sidesOf(address: URL): Sides {
  const side = (name: "left" | "right"): SideKey => {
    const [experiment, revision, only] = [name, `${name}_revision`, `${name}_case`].map((part) => address.searchParams.get(part));
    return { ...(experiment != null && { experiment }), ...(revision != null && { revision }), ...(only != null && { case: only }) };
  };
  return { left: side("left"), right: side("right") };
}

/** The values of the query of the page and of the API. */
const valuesOf = (sides: Sides) =>
  Object.fromEntries((["left", "right"] as const).flatMap((name) => [[name, sides[name].experiment], [`${name}_revision`, sides[name].revision], [`${name}_case`, sides[name].case]]));

export const queryOf = (sides: Sides) => withQuery("", valuesOf(sides)).slice(1);

/** Where two sides are compared. */
export const sidesPath = (sides: Sides) => withQuery(pathOf("compare"), valuesOf(sides));

/** Where two revisions of an experiment are compared. */
export const revisionsPath = (experiment: string, first: number, second: number) =>
  sidesPath({ left: { experiment, revision: String(first) }, right: { experiment, revision: String(second) } });
