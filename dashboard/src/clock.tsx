/** The time. It moves on once a second, and makes anew those parts of the page alone that ask for it. */

import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

/** Milliseconds since 1970 on this machine's clock. */
export const Now = createContext(0);

export const useNow = () => useContext(Now);

/** The time for what is inside, while the page is in view. */
export function Clock({ children }: { children: ComponentChildren }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && setNow(Date.now());
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);
  return <Now.Provider value={now}>{children}</Now.Provider>;
}
