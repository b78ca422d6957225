/** Every view is a link: what is shown is read from the address and written to it. */

import { CHARTS } from "./charts/list";
import type { Chart } from "./charts/pictures";
import { pathOf, readRoute } from "./routes";

/** Choices among a few words; the first is what is left out of an address. */
const CHOICES = {
  /** The order of lists of cases. */
  sort: ["file", "rate", "name"],
  /** Win rates, or differences in Elo points. */
  unit: ["rate", "elo"],
  /** All groups of cases in one picture, or a picture for each. */
  groups: ["together", "apart"],
  /** The vertical axis: 0 to 100 %, or as far as the intervals reach. */
  axis: ["full", "fit"],
  /** What a table holds: rates with their intervals, rates alone, the games behind them as well, or a row for each cell. */
  detail: ["rates", "short", "games", "long"],
} as const;

type Choices = { [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

/** Texts that an address may leave out. */
const TEXTS = ["panel", "across", "upwards"] as const;

const PICKS = ["all", "top", "differs"] as const;

export interface View extends Choices {
  /** The experiment shown; without one, the dashboard picks the active one. */
  experiment?: string;
  /** Keys of the series switched off in the legend. */
  hidden: string[];
  /** Keys of the only series drawn; with none, `pick` chooses. */
  only: string[];
  /** How many cases "top" draws; without it, as many as there are colours. */
  top?: number;
  /** Which cases are drawn: all, the first few by win rate, or those that differ from 50 %. Without it, what suits their number. */
  pick?: (typeof PICKS)[number];
  /** Words that the names of the cases have. */
  find: string;
  /** What the picture shows win rates by; without it, what suits the cases. */
  chart?: Chart;
  /** The parameter of the horizontal axis, and of the vertical one of a heat map; without them, those with most values. */
  across?: string;
  upwards?: string;
  /** The one baseline and budget shown; without one, all of them side by side. */
  panel?: string;
}

const choicesIn = (query: URLSearchParams) =>
  Object.fromEntries(Object.entries(CHOICES).map(([name, words]) => [name, words.find((word) => word === query.get(name)) ?? words[0]])) as Choices;

export const DEFAULT_VIEW: View = { hidden: [], only: [], find: "", ...choicesIn(new URLSearchParams()) };

/** Numbers of cases that "top" may draw. */
export const TOPS = [4, 8, 16, 32, 64];

/** The largest view, in characters, that is written as a query. The coordinator answers longer addresses with 414. */
const LARGEST_QUERY = 4_000;

/** The view that an address names. What it does not understand it leaves out. */
export function readView(url: URL): View {
  const { page, id } = readRoute(url.pathname);
  // A large view is in the fragment, which stays in the browser.
  const query = url.hash.startsWith("#?") ? new URLSearchParams(url.hash.slice(2)) : url.searchParams;
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
  const top = TOPS.find((number) => String(number) === query.get("top"));
  const chart = CHARTS.find(({ key }) => key === query.get("chart"))?.key;
  const pick = PICKS.find((known) => known === query.get("cases"));
  return {
    ...(page === "experiment" && { experiment: id }),
    ...texts,
    ...(top !== undefined && { top }),
    ...(pick !== undefined && { pick }),
    ...(chart !== undefined && { chart }),
    hidden: [...new Set(query.getAll("hide"))],
    only: [...new Set(query.getAll("only"))],
    find: query.get("find") ?? "",
    ...choicesIn(query),
  };
}

/** What the view has of a query. The rest says where a page of a list begins, or what of it is shown. */
const NAMES = ["hide", "only", "cases", "top", "find", "chart", ...TEXTS, ...Object.keys(CHOICES)];

/** Path and query of a view; defaults are left out. What else the query of the address has is kept. */
export function writeView(view: View, at?: URL): string {
  const path = view.experiment === undefined ? pathOf("home") : pathOf("experiment", view.experiment);
  const query = new URLSearchParams([...view.hidden.map((key) => ["hide", key]), ...view.only.map((key) => ["only", key])]);
  const values: Readonly<Record<string, unknown>> = { ...view, cases: view.pick };
  for (const name of NAMES.slice(2)) {
    const value = values[name] ?? "";
    const isDefault = name in CHOICES && value === CHOICES[name as keyof Choices][0];
    if (value !== "" && !isDefault) query.set(name, String(value));
  }
  const others = [...(at?.searchParams ?? [])].filter(([name]) => !NAMES.includes(name));
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
