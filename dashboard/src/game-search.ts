/** The search for games that an address names, and the other way round. */

import { pathOf, withQuery } from "./routes";

export const SEARCH_FIELDS = [
  "experiment", "cell", "case", "baseline", "size", "budget", "worker", "result", "kind", "side", "status",
  "min_plies", "max_plies", "min_expected", "since", "until", "opening", "sort",
] as const;

export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchView {
  /** What is asked of each column; columns that restrict nothing are absent. */
  fields: Partial<Record<SearchField, string>>;
  /** A list of games, or plots of all of them by move number. */
  show: "list" | "moves";
  /** The place where an earlier page ended. */
  after?: string;
}

export function readSearch(url: URL): SearchView {
  const query = url.searchParams;
  const fields: SearchView["fields"] = {};
  for (const field of SEARCH_FIELDS) {
    const value = query.get(field)?.trim() ?? "";
    if (value !== "") fields[field] = value;
  }
  const after = query.get("after");
  return { fields, show: query.get("show") === "moves" ? "moves" : "list", ...(after !== null && { after }) };
}

/** Path and query of a search; what restricts nothing is left out. */
export function writeSearch({ fields, show, after }: SearchView): string {
  const ordered = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, fields[field]]));
  return withQuery(pathOf("games"), { ...ordered, show: show === "moves" ? show : undefined, after });
}

/** The same search with another wish for a column, from its first page. */
export function withField({ fields, show }: SearchView, field: SearchField, value: string): SearchView {
  const { [field]: _, ...others } = fields;
  return { fields: value === "" ? others : { ...others, [field]: value }, show };
}

/** A day in the reader's own zone as milliseconds since 1970: its beginning, or with `end` the next one's. */
function dayMs(day: string, end: boolean): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (parts === null) return undefined;
  const [, year, month, date] = parts.map(Number);
  return new Date(year!, month! - 1, date! + (end ? 1 : 0)).getTime();
}

/** The query for the API. */
export function searchQuery({ fields, after }: SearchView): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(fields)) {
    if (field === "since" || field === "until") {
      const ms = dayMs(value, field === "until");
      if (ms !== undefined) query.set(`${field}_ms`, String(ms));
    } else {
      query.set(field, value);
    }
  }
  if (after !== undefined) query.set("after", after);
  return query.toString();
}
