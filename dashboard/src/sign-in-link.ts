/** The link that `gauntlet run` prints: its fragment has a token. No server sees a fragment, and the page takes it out of the address at once. */

import { signIn } from "./api";

const BEGINS = "#token=";

/** The token in the fragment of an address. */
export function tokenOf(hash: string): string | undefined {
  return hash.startsWith(BEGINS) && hash.length > BEGINS.length ? hash.slice(BEGINS.length) : undefined;
}

/** Signs in with the token in the address, if there is one. A token that is no longer valid leaves the page as it is. */
export async function followSignInLink(): Promise<void> {
  const token = tokenOf(location.hash);
  if (token === undefined) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    await signIn(token);
  } catch (error) {
    alert(`This link does not sign you in: ${error instanceof Error ? error.message : String(error)}. A link of gauntlet run is valid until the run ends.`);
  }
}
