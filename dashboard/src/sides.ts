/** What is compared: read from the address and written to it. */

import { pathOf } from "./routes";

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

/** The query of the page and of the API. */
export function queryOf(sides: Sides): string {
  const query = new URLSearchParams();
  for (const name of ["left", "right"] as const) {
    const { experiment, revision, case: only } = sides[name];
    for (const [part, value] of [[name, experiment], [`${name}_revision`, revision], [`${name}_case`, only]] as const) {
      if (value !== undefined) query.set(part, value);
    }
  }
  return query.toString();
}

/** Where two sides are compared. */
export function sidesPath(sides: Sides): string {
  return `${pathOf("compare")}?${queryOf(sides)}`;
}

/** Where two revisions of an experiment are compared. */
export function revisionsPath(experiment: string, first: number, second: number): string {
  return sidesPath({ left: { experiment, revision: String(first) }, right: { experiment, revision: String(second) } });
}
