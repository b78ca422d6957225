/** What every page knows without asking: the overview, who looks, the address and the time. */

import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { Overview, Session } from "./api";

export interface Frame {
  /** Absent until the coordinator has answered once. */
  overview: Overview | undefined;
  /** When the overview was fetched, in milliseconds since 1970 on this machine's clock. */
  at: number;
  /** Why the coordinator does not answer, if it does not. */
  trouble: string | undefined;
  /** Milliseconds since 1970, moving on once a second. */
  now: number;
  session: Session | undefined;
  address: URL;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame === undefined) throw new Error("a page outside the frame");
  return frame;
}

/** Names the page in the title of its window, for tabs and for the browser's history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Gauntlet`;
  }, [title]);
}
