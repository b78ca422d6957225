/**
 * The pages and their addresses.
 *
 * The coordinator answers the same paths with the dashboard and all others with 404: `coordinator/src/http/dashboard.rs`.
 */

export const PATHS = {
  home: "/",
  experiment: "/experiments/{id}",
  tune: "/experiments/{id}/tune",
  study: "/studies/{id}",
  cell: "/cells/{id}",
  games: "/games",
  game: "/games/{id}",
  workers: "/workers",
  worker: "/workers/{id}",
  control: "/control",
  access: "/access",
  compare: "/compare",
} as const;

/** The path below which the pages are: `/`, or the prefix that a proxy strips, such as `/tune/`. The script is in a folder below it. */
export const ROOT = rootOf(import.meta.url);

/** The folder above that of a script; outside a browser there is none. */
export function rootOf(script: string): string {
  return script.startsWith("http") ? new URL("..", script).pathname : "/";
}

/** The coordinator's address for commands. */
export const coordinatorUrl = (): string => location.origin + ROOT.slice(0, -1);

export type PageName = keyof typeof PATHS;

export interface Route {
  page: PageName | "unknown";
  /** What the page is about; empty for pages about everything. */
  id: string;
}

/** The page at a path of the browser. */
export function readRoute(path: string, root = ROOT): Route {
  if (!path.startsWith(root)) return { page: "unknown", id: "" };
  const parts = path
    .slice(root.length - 1)
    .replace(/(.)\/$/, "$1")
    .split("/");
  for (const [page, pattern] of Object.entries(PATHS)) {
    const wanted = pattern.split("/");
    const matches = wanted.length === parts.length && wanted.every((part, i) => (part === "{id}" ? parts[i] !== "" : part === parts[i]));
    if (matches) return { page: page as PageName, id: decode(parts[wanted.indexOf("{id}")] ?? "") };
  }
  return { page: "unknown", id: "" };
}

/** The address of a page, for links. */
export function pathOf(page: PageName, id = "", root = ROOT): string {
  return root + PATHS[page].slice(1).replace("{id}", () => encodeURIComponent(id));
}

type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path with a query of these values; those that are undefined are left out. */
export function addQuery(path: string, values: QueryValues): string {
  const query = new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** The address with a query of these values; those that are undefined or empty are left out. */
export const withQuery = (path: string, values: QueryValues) => addQuery(path, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
