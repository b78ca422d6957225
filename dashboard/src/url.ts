/** Every view is a link: what is shown is read from the address and written to it. */

export interface View {
  /** The experiment shown; without one, the dashboard picks the active one. */
  experiment?: string;
  /** Keys of the series switched off in the legend. */
  hidden: string[];
  /** Keys of the only series drawn; with none, `pick` chooses. */
  only: string[];
  /** Which cases are drawn: all, the first few by win rate, or those that differ from 50 %. Without it, what suits their number. */
  pick?: "all" | "top" | "differs";
  /** Words that the names of the cases have. */
  find: string;
  /** The order of lists of cases. */
  sort: "file" | "rate" | "name";
  /** What the picture shows win rates by. */
  chart: "size" | "cases" | "budget" | "baseline" | "response" | "heat" | "parallel";
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

export const DEFAULT_VIEW: View = {
  hidden: [],
  only: [],
  find: "",
  sort: "file",
  chart: "size",
  unit: "rate",
  groups: "together",
  axis: "full",
  detail: "rates",
};

/** The word of a query if it is one of these, or else the first of them. */
function word<T extends string>(text: string | null, words: readonly [T, ...T[]]): T {
  return words.find((known) => known === text) ?? words[0];
}

/** The view that an address names. What it does not understand it leaves out. */
export function readView(url: URL): View {
  const experiment = /^\/experiments\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  const query = url.searchParams;
  const panel = query.get("panel");
  const pick = word(query.get("cases"), ["", "all", "top", "differs"]);
  return {
    ...(experiment !== undefined && { experiment: decode(experiment) }),
    ...(panel !== null && { panel }),
    ...(pick !== "" && { pick }),
    hidden: [...new Set(query.getAll("hide"))],
    only: [...new Set(query.getAll("only"))],
    find: query.get("find") ?? "",
    sort: word(query.get("sort"), ["file", "rate", "name"]),
    chart: word(query.get("chart"), ["size", "cases", "budget", "baseline", "response", "heat", "parallel"]),
    unit: word(query.get("unit"), ["rate", "elo"]),
    groups: word(query.get("groups"), ["together", "apart"]),
    axis: word(query.get("axis"), ["full", "fit"]),
    detail: word(query.get("detail"), ["rates", "short", "games", "long"]),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Path and query of a view; defaults are left out. */
export function writeView(view: View): string {
  const path = view.experiment === undefined ? "/" : `/experiments/${encodeURIComponent(view.experiment)}`;
  const query = new URLSearchParams();
  for (const key of view.hidden) query.append("hide", key);
  for (const key of view.only) query.append("only", key);
  if (view.pick !== undefined) query.set("cases", view.pick);
  if (view.find !== "") query.set("find", view.find);
  if (view.sort !== "file") query.set("sort", view.sort);
  if (view.chart !== "size") query.set("chart", view.chart);
  if (view.unit !== "rate") query.set("unit", view.unit);
  if (view.groups !== "together") query.set("groups", view.groups);
  if (view.panel !== undefined) query.set("panel", view.panel);
  if (view.axis !== "full") query.set("axis", view.axis);
  if (view.detail !== "rates") query.set("detail", view.detail);
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The view with a series switched on or off. */
export function toggleSeries(view: View, key: string): View {
  const hidden = view.hidden.includes(key) ? view.hidden.filter((other) => other !== key) : [...view.hidden, key];
  return { ...view, hidden };
}
