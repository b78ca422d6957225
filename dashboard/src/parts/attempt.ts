/** Something that somebody asks for: it is under way once at most, and whoever asked is told why it failed. */

import { useRef, useState } from "preact/hooks";
import { troubleOf } from "../live";

export interface Attempt {
  busy: boolean;
  /** Why the last one failed. */
  trouble: string | undefined;
  /** Does it, unless another one is under way. The answer is whether it was done. */
  attempt: (change: () => unknown) => Promise<boolean>;
}

/** `wordsOf` says why something failed. */
export function useAttempt(wordsOf: (error: unknown) => string = troubleOf): Attempt {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  // The second press of a double click comes before the page has disabled the button.
  const running = useRef(false);
  const attempt = async (change: () => unknown) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      await change();
      setTrouble(undefined);
      return true;
    } catch (error) {
      setTrouble(wordsOf(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, trouble, attempt };
}
