/** Who may do what, and who did what. */

import { useState } from "preact/hooks";
import { go } from "../address";
import { fetchAudit, fetchTokens, makeToken, revokeToken } from "../api";
import type { AuditEntry, NewToken, Scope, TokenLine } from "../api";
import { useFrame, useHere, useTitle, withParameter } from "../frame";
import { moment } from "../format";
import { useFetched } from "../live";
import { useAttempt } from "../parts/attempt";
import { Command } from "../parts/command";
import { DataTable } from "../parts/data-table";
import { Loaded } from "../parts/loaded";
import { SignIn, allows } from "../parts/session";
import { Words } from "../parts/words";
import { WaitingPage } from "./notices";

/** Changes on a page of the audit log. */
const PAGE = 50;

const SCOPES: [Scope, string][] = [
  ["read", "read: look at results"],
  ["experiment", "experiment: apply and change experiments"],
  ["work", "work: play games"],
  ["admin", "admin: everything"],
];

export function AccessPage() {
  const { session, trouble } = useFrame();
  useTitle("Access");
  if (session === undefined) return <WaitingPage trouble={trouble} />;
  if (!allows(session, "admin")) {
    return (
      <section class="notice">
        <h1>Access</h1>
        <p class="lead">
          Tokens and the audit log are for those with a token of the scope admin. Where the coordinator runs,{" "}
          <code>gauntlet token add NAME --scope admin</code> makes one.
        </p>
        <SignIn />
      </section>
    );
  }
  return (
    <>
      <h1>Access</h1>
      <Tokens />
      <Audit />
    </>
  );
}

function Tokens() {
  const [made, setMade] = useState<NewToken>();
  const { busy, trouble, attempt } = useAttempt();
  const tokens = useFetched(fetchTokens);
  return (
    <section class="listing" aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <TokenForm busy={busy} make={(name, scope) => attempt(async () => setMade(await makeToken(name, scope)))} />
      {made !== undefined && (
        <div class="card" role="status">
          <p>The secret of the new token. It is shown this once; it cannot be read later.</p>
          <Command text={made.token} />
        </div>
      )}
      {trouble !== undefined && (
        <p role="alert">
          <Words of={trouble} />
        </p>
      )}
      <Loaded of={tokens} what="list of tokens">
        {(lines) => <TokenTable lines={lines} busy={busy} revoke={(line) => attempt(() => revokeToken(line.id))} />}
      </Loaded>
    </section>
  );
}

/** `make` answers whether the token was made. */
function TokenForm({ busy, make }: { busy: boolean; make: (name: string, scope: Scope) => Promise<boolean> }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await make(name.trim(), scope)) setName("");
  };
  return (
    <form class="sign-in" onSubmit={(event) => void submit(event)}>
      <label>
        Name <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>{" "}
      <label>
        Scope{" "}
        <select value={scope} onChange={(event) => setScope(event.currentTarget.value as Scope)}>
          {SCOPES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>{" "}
      <button type="submit" disabled={busy}>
        Make a token
      </button>
    </form>
  );
}

/** `revoke` answers whether the token was revoked. */
function TokenTable({ lines, busy, revoke }: { lines: readonly TokenLine[]; busy: boolean; revoke: (line: TokenLine) => Promise<boolean> }) {
  const [asked, setAsked] = useState<string>();
  if (lines.length === 0) return <p class="nothing">There is no token.</p>;
  return (
    <DataTable kind="list" label="All tokens" columns={["Name", "Scopes", "Id", "Made", "Last used", "Ends", "Machines", <span class="visually-hidden">Revoke</span>]} files={{
      name: "tokens",
      table: () => ({
        columns: ["name", "scopes", "id", "created", "used", "expires", "revoked", "machines"],
        rows: lines.map((line) => [line.name, String(line.scopes), line.id, ...[line.created_ms, line.used_ms ?? null, line.expires_ms, line.revoked_ms].map((ms) => (ms === null ? null : new Date(ms).toISOString())), line.bound]),
      }),
    }}>
      {lines.map((line) => (
        <tr key={line.id} class={line.revoked_ms === null ? undefined : "gone"}>
          <td>{line.name}</td>
          <td>{line.scopes}</td>
          <td>
            <code>{line.id}</code>
          </td>
          <td>{moment(line.created_ms)}</td>
          <td>{line.used_ms === undefined ? "never" : moment(line.used_ms)}</td>
          <td>
            {line.revoked_ms !== null ? `revoked ${moment(line.revoked_ms)}` : line.expires_ms !== null ? moment(line.expires_ms) : "never"}
          </td>
          <td>
            {line.bound}
            {line.machines !== undefined && ` of ${line.machines}`}
          </td>
          <td>
            {line.revoked_ms !== null ? null : asked === line.id ? (
              <>
                The person or machine that has it is locked out at once{line.bound > 0 && `, ${line.bound} working machines too`}.{" "}
                <button disabled={busy} onClick={() => void revoke(line).then((isDone) => isDone && setAsked(undefined))}>
                  Revoke it
                </button>{" "}
                <button onClick={() => setAsked(undefined)}>Keep it</button>
              </>
            ) : (
              <button aria-label={`Revoke ${line.name}`} onClick={() => setAsked(line.id)}>
                Revoke
              </button>
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Audit() {
  // Where each page begins: the way back.
  const address = useHere();
  const before = address.searchParams.getAll("before").flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : []));
  const setBefore = (next: readonly number[]) => go(withParameter(address, "before", next.map(String)), true);
  const page = useFetched(fetchAudit, before.at(-1), PAGE);
  return (
    <section class="listing" aria-labelledby="audit">
      <h2 id="audit">Audit log</h2>
      <Loaded of={page} what="audit log">
        {({ entries, next }) => (
          <>
            <AuditTable entries={entries} />
            <p class="fleet-controls">
              <button disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
                Later
              </button>
              <button disabled={next === null} onClick={() => next !== null && setBefore([...before, next])}>
                Earlier
              </button>
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <DataTable kind="timeline stacked" label="Changes on this page" columns={["When", "Who", "Change", "What", "Details"]} files={{
      name: "audit log",
      table: () => ({
        columns: ["seq", "at", "who", "action", "what", "detail"],
        rows: entries.map(({ seq, at_ms, who, action, what, detail }) => [seq, new Date(at_ms).toISOString(), who, action, what, detail]),
      }),
    }}>
      {entries.map(({ seq, at_ms, who, action, what, detail }) => (
        <tr key={seq}>
          <td>{moment(at_ms)}</td>
          <td>{who}</td>
          <td>{action}</td>
          <td>{what}</td>
          <td>
            <Words of={detail} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
