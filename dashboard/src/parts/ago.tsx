/** How long ago something was, which grows while somebody looks. */

import { useNow } from "../clock";
import { ago } from "../format";

/** `since` is in milliseconds since 1970 on this machine's clock. */
export function Ago({ since }: { since: number }) {
  return <>{ago(Math.max(0, useNow() - since) / 1000)}</>;
}
