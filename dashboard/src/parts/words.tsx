/** Words of people and of the coordinator: what stands between backticks is code, and no line begins with a sign of per cent. */

import { CODE, noBreak } from "../format";

export function Words({ of: text }: { of: string }) {
  // The parts between the matches, and the matches, by turns.
  return <>{noBreak(text).split(CODE).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}
