/** Every view is a link: what is shown is read from the address and written to it. */

export interface View {
  /** The experiment shown; without one, the dashboard picks the active one. */
  experiment?: string;
  /** Keys of the series switched off in the legend. */
  hidden: string[];
  /** The one baseline and budget shown; without one, all of them side by side. */
  panel?: string;
  /** The vertical axis: 0 to 100 %, or as far as the intervals reach. */
  axis: "full" | "fit";
  /** What a table cell holds: the rate with its interval, or the games behind it as well. */
  detail: "rates" | "games";
}

export const DEFAULT_VIEW: View = { hidden: [], axis: "full", detail: "rates" };

/** The view that an address names. What it does not understand it leaves out. */
export function readView(url: URL): View {
  const experiment = /^\/experiments\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  const panel = url.searchParams.get("panel");
  return {
    ...(experiment !== undefined && { experiment: decode(experiment) }),
    ...(panel !== null && { panel }),
    hidden: [...new Set(url.searchParams.getAll("hide"))],
    axis: url.searchParams.get("axis") === "fit" ? "fit" : "full",
    detail: url.searchParams.get("detail") === "games" ? "games" : "rates",
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
