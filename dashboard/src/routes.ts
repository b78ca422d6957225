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

export type PageName = keyof typeof PATHS;

export interface Route {
  page: PageName | "unknown";
  /** What the page is about; empty for pages about everything. */
  id: string;
}

/** The page at a path. */
export function readRoute(path: string): Route {
  const parts = path.replace(/(.)\/$/, "$1").split("/");
  for (const [page, pattern] of Object.entries(PATHS)) {
    const wanted = pattern.split("/");
    const matches = wanted.length === parts.length && wanted.every((part, i) => (part === "{id}" ? parts[i] !== "" : part === parts[i]));
    if (matches) return { page: page as PageName, id: decode(parts[wanted.indexOf("{id}")] ?? "") };
  }
  return { page: "unknown", id: "" };
}

/** The address of a page. */
export function pathOf(page: PageName, id = ""): string {
  return PATHS[page].replace("{id}", () => encodeURIComponent(id));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
