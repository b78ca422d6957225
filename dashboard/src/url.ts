/** Every view is a link: what is shown is read from the address and written to it. */

import { pathOf, readRoute } from "./routes";

export interface View {
  /** The experiment shown; without one, the dashboard picks the active one. */
  experiment?: string;
  /** Keys of the series switched off in the legend. */
  hidden: string[];
  /** Keys of the only series drawn; with none, `pick` chooses. */
  only: string[];
  /** How many cases "top" draws; without it, as many as there are colours. */
  top?: number;
  /** Which cases are drawn: all, the first few by win rate, or those that differ from 50 %. Without it, what suits their number. */
  pick?: "all" | "top" | "differs";
  /** Words that the names of the cases have. */
  find: string;
  /** The order of lists of cases. */
  sort: "file" | "rate" | "name";
  /** What the picture shows win rates by; without it, what suits the cases. */
  chart?: "size" | "cases" | "budget" | "baseline" | "version" | "response" | "heat" | "parallel";
  /** The parameter of the horizontal axis, and of the vertical one of a heat map; without them, those with most values. */
  across?: string;
  upwards?: string;
  /** Win rates, or differences in Elo points. */
  unit: "rate" | "elo";
  /** All groups of cases in one picture, or a picture for each. */
  groups: "together" | "apart";
  /** The one baseline and budget shown; without one, all of them side by side. */
  panel?: string;
  /** The vertical axis: 0 to 100 %, or as far as the intervals reach. */
  axis: "full" | "fit";
  /** What a table holds: rates, their intervals, the games behind them as well, or a row for each cell. */
  detail: "short" | "rates" | "games" | "long";
}

/** The kinds of pictures. */
export type Chart = NonNullable<View["chart"]>;

const CHARTS: readonly Chart[] = ["size", "cases", "budget", "baseline", "version", "response", "heat", "parallel"];

export const DEFAULT_VIEW: View = {
  hidden: [],
  only: [],
  find: "",
  sort: "file",
  unit: "rate",
  groups: "together",
  axis: "full",
  detail: "rates",
};

/** Numbers of cases that "top" may draw. */
export const TOPS = [4, 8, 16, 32, 64];

/** The largest view, in characters, that is written as a query. The coordinator answers longer addresses with 414. */
const LARGEST_QUERY = 4_000;

/** The word of a query if it is one of these, or else the first of them. */
function word<T extends string>(text: string | null, words: readonly [T, ...T[]]): T {
  return words.find((known) => known === text) ?? words[0];
}

/** The view that an address names. What it does not understand it leaves out. */
export function readView(url: URL): View {
  const { page, id } = readRoute(url.pathname);
  // A large view is in the fragment, which stays in the browser.
  const query = url.hash.startsWith("#?") ? new URLSearchParams(url.hash.slice(2)) : url.searchParams;
  const text = (name: "panel" | "across" | "upwards") => {
    const value = query.get(name);
    return value === null ? {} : { [name]: value };
  };
  const top = TOPS.find((number) => String(number) === query.get("top"));
  const chart = CHARTS.find((known) => known === query.get("chart"));
  const pick = word(query.get("cases"), ["", "all", "top", "differs"]);
  return {
    ...(page === "experiment" && { experiment: id }),
    ...text("panel"),
    ...text("across"),
    ...text("upwards"),
    ...(top !== undefined && { top }),
    ...(pick !== "" && { pick }),
    ...(chart !== undefined && { chart }),
    hidden: [...new Set(query.getAll("hide"))],
    only: [...new Set(query.getAll("only"))],
    find: query.get("find") ?? "",
    sort: word(query.get("sort"), ["file", "rate", "name"]),
    unit: word(query.get("unit"), ["rate", "elo"]),
    groups: word(query.get("groups"), ["together", "apart"]),
    axis: word(query.get("axis"), ["full", "fit"]),
    detail: word(query.get("detail"), ["rates", "short", "games", "long"]),
  };
}

/** What the view has of a query. The rest says where a page of a list begins, or what of it is shown. */
const VIEW = ["hide", "only", "cases", "top", "find", "sort", "chart", "across", "upwards", "unit", "groups", "panel", "axis", "detail"];

/** Path and query of a view; defaults are left out. What else the query at hand has is kept. */
export function writeView(view: View, at?: URL): string {
  const path = view.experiment === undefined ? pathOf("home") : pathOf("experiment", view.experiment);
  const query = new URLSearchParams();
  for (const key of view.hidden) query.append("hide", key);
  for (const key of view.only) query.append("only", key);
  if (view.pick !== undefined) query.set("cases", view.pick);
  if (view.top !== undefined) query.set("top", String(view.top));
  if (view.find !== "") query.set("find", view.find);
  if (view.sort !== "file") query.set("sort", view.sort);
  if (view.chart !== undefined) query.set("chart", view.chart);
  if (view.across !== undefined) query.set("across", view.across);
  if (view.upwards !== undefined) query.set("upwards", view.upwards);
  if (view.unit !== "rate") query.set("unit", view.unit);
  if (view.groups !== "together") query.set("groups", view.groups);
  if (view.panel !== undefined) query.set("panel", view.panel);
  if (view.axis !== "full") query.set("axis", view.axis);
  if (view.detail !== "rates") query.set("detail", view.detail);
  const others = [...(at?.searchParams ?? [])].filter(([name]) => !VIEW.includes(name));
  const rest = new URLSearchParams(others).toString();
  const own = query.toString();
  const text = [own, rest].filter((part) => part !== "").join("&");
  if (own.length > LARGEST_QUERY) return `${path}${rest === "" ? "" : `?${rest}`}#?${own}`;
  return text === "" ? path : `${path}?${text}`;
}

/** The view with a series switched on or off. */
export function toggleSeries(view: View, key: string): View {
  const hidden = view.hidden.includes(key) ? view.hidden.filter((other) => other !== key) : [...view.hidden, key];
  return { ...view, hidden };
}
