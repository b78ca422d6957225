/** What of a tune or a study is shown: read from the address and written to it. */

import { pathOf } from "./routes";

export interface TuneView {
  /** The parameters of the heat map, along the axis and upwards; without one, the first that there is. */
  x?: string;
  y?: string;
  /** The size whose optimum is shown, where each has its own. */
  size?: number;
}

export function readTuneView(url: URL): TuneView {
  const [x, y, size] = ["x", "y", "size"].map((name) => url.searchParams.get(name));
  return {
    ...(typeof x === "string" && { x }),
    ...(typeof y === "string" && { y }),
    ...(typeof size === "string" && /^\d+$/.test(size) && { size: Number(size) }),
  };
}

export function writeTuneView(page: "tune" | "study", id: string, { x, y, size }: TuneView): string {
  const query = new URLSearchParams();
  if (x !== undefined) query.set("x", x);
  if (y !== undefined) query.set("y", y);
  if (size !== undefined) query.set("size", String(size));
  const text = query.toString();
  return text === "" ? pathOf(page, id) : `${pathOf(page, id)}?${text}`;
}
