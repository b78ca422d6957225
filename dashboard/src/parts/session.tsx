/** Who looks at the page: signing in with a token, and out again. */

import { useEffect, useState } from "preact/hooks";
import { ApiError, fetchSession, signIn, signOut, type Scope, type Session } from "../api";
import { useAttempt } from "./dialog";
import { Alert } from "./elements";

/** The time until the coordinator is asked again after it gave no answer. */
const AGAIN_MS = 5_000;

/** Who is signed in; undefined until the coordinator has said so. */
export function useSession(): Session | undefined {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const ask = () => {
      const again = (error: unknown) => {
        // A refusal is repeated; a coordinator that is busy or starts answers later.
        const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
        if (wanted && !isRefused) timer = setTimeout(ask, AGAIN_MS);
      };
      fetchSession().then((found) => wanted && setSession(found), again);
    };
    ask();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, []);
  return session;
}

/** Whether a session allows something, by itself or as part of more. */
export function allows(session: Session | undefined, scope: Scope): boolean {
  const scopes = session?.scopes.split(" ") ?? [];
  return scopes.includes(scope) || scopes.includes("admin") || (scope === "read" && scopes.includes("experiment"));
}

/** Asks for a token. Afterwards the page is reloaded, with what the token allows. */
export function SignIn() {
  const [token, setToken] = useState("");
  const { busy, trouble, attempt } = useAttempt();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => signIn(token.trim()))) location.reload();
  };
  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <label>
        Token{" "}
        <input
          type="password"
          autocomplete="current-password"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>{" "}
      <button type="submit" disabled={busy}>Sign in</button>
      <Alert words={trouble} />
    </form>
  );
}

/** The page of a reader without access. */
export function LockedPage() {
  return (
    <section class="notice" data-testid="locked">
      <h1>Results are for those with a token</h1>
      <p class="lead">
        Where the coordinator runs, <code>gauntlet token add NAME --scope read</code> makes one. This browser is
        signed in for a week, or until you sign out.
      </p>
      <SignIn />
    </section>
  );
}

interface SessionBadgeProps {
  session: Session | undefined;
  /** Whether the page has the form to sign in: there is one at a time. */
  isAsked: boolean;
}

/** In the header: who is signed in, or the way in. */
export function SessionBadge({ session, isAsked }: SessionBadgeProps) {
  if (session === undefined || (session.name === null && isAsked)) return null;
  const leave = () => void signOut().finally(() => location.reload());
  return session.name !== null ? (
    <p class="session">
      {session.name} <button onClick={leave}>Sign out</button>
    </p>
  ) : (
    <details class="session">
      <summary>Sign in</summary>
      <SignIn />
    </details>
  );
}

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
