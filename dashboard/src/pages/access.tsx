/** Who may do what, and who did what. */

import { useState } from "preact/hooks";
import { go } from "../address";
import { fetchAudit, fetchTokens, makeToken, revokeToken, type AuditEntry, type NewToken, type Scope, type TokenLine } from "../api";
import { isoTime, tableOf } from "../export/table";
import { moment } from "../format";
import { useFrame, useHere, useTitle, withParameter } from "../frame";
import { useFetched } from "../live";
import { Command } from "../parts/command";
import { DataTable } from "../parts/data-table";
import { useAttempt } from "../parts/dialog";
import { Alert, Section, Select, Words } from "../parts/elements";
import { Loaded, WaitingPage } from "../parts/loaded";
import { allows, SignIn } from "../parts/session";

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
    <Section id="tokens" title="Tokens">
      <TokenForm busy={busy} make={(name, scope) => attempt(async () => setMade(await makeToken(name, scope)))} />
      {made !== undefined && (
        <div class="card" role="status">
          <p>The secret of the new token. It is shown this once; it cannot be read later.</p>
          <Command text={made.token} />
        </div>
      )}
      <Alert words={trouble} />
      <Loaded of={tokens} what="list of tokens">
        {(lines) => <TokenTable lines={lines} busy={busy} revoke={(line) => attempt(() => revokeToken(line.id))} />}
      </Loaded>
    </Section>
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
      <Select label="Scope" value={scope} options={SCOPES} choose={setScope} />{" "}
      <button type="submit" disabled={busy}>Make a token</button>
    </form>
  );
}

interface TokenTableProps {
  lines: readonly TokenLine[];
  busy: boolean;
  /** Answers whether the token was revoked. */
  revoke: (line: TokenLine) => Promise<boolean>;
}

function TokenTable({ lines, busy, revoke }: TokenTableProps) {
  const [asked, setAsked] = useState<string>();
  if (lines.length === 0) return <p class="nothing">There is no token.</p>;
  const action = (line: TokenLine) => {
    if (line.revoked_ms !== null) return null;
    if (asked !== line.id) {
      return (
        <button aria-label={`Revoke ${line.name}`} onClick={() => setAsked(line.id)}>Revoke</button>
      );
    }
    return (
      <>
        The person or machine that has it is locked out at once{line.bound > 0 && `, ${line.bound} working machines too`}.{" "}
        <button disabled={busy} onClick={() => void revoke(line).then((isDone) => isDone && setAsked(undefined))}>
          Revoke it
        </button>{" "}
        <button onClick={() => setAsked(undefined)}>Keep it</button>
      </>
    );
  };
  return (
    <DataTable
      kind="list"
      label="All tokens"
      rows={lines}
      rowProps={({ id, revoked_ms }) => ({ key: id, class: revoked_ms === null ? undefined : "gone" })}
      columns={[
        ["Name", ({ name }) => name],
        ["Scopes", ({ scopes }) => scopes],
        ["Id", ({ id }) => <code>{id}</code>],
        ["Made", ({ created_ms }) => moment(created_ms)],
        ["Last used", ({ used_ms }) => (used_ms === undefined ? "never" : moment(used_ms))],
        ["Ends", ({ revoked_ms, expires_ms }) => (revoked_ms !== null ? `revoked ${moment(revoked_ms)}` : expires_ms !== null ? moment(expires_ms) : "never")],
        ["Machines", ({ bound, machines }) => `${bound}${machines === undefined ? "" : ` of ${machines}`}`],
        [<span class="visually-hidden">Revoke</span>, action],
      ]}
      files={{ name: "tokens", table: () => fileOf(lines) }}
    />
  );
}

const fileOf = (lines: readonly TokenLine[]) =>
  tableOf(lines, [
    "name",
    ["scopes", ({ scopes }) => String(scopes)],
    "id",
    ["created", ({ created_ms }) => isoTime(created_ms)],
    ["used", ({ used_ms }) => isoTime(used_ms)],
    ["expires", ({ expires_ms }) => isoTime(expires_ms)],
    ["revoked", ({ revoked_ms }) => isoTime(revoked_ms)],
    ["machines", ({ bound }) => bound],
  ]);

function Audit() {
  // Where each page begins: the way back.
  const address = useHere();
  const before = address.searchParams.getAll("before").flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : []));
  const setBefore = (next: readonly number[]) => go(withParameter(address, "before", next.map(String)), true);
  const page = useFetched(fetchAudit, before.at(-1), PAGE);
  return (
    <Section id="audit" title="Audit log">
      <Loaded of={page} what="audit log">
        {({ entries, next }) => (
          <>
            <AuditTable entries={entries} />
            <p class="fleet-controls">
              <button disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>Later</button>
              <button disabled={next === null} onClick={() => next !== null && setBefore([...before, next])}>
                Earlier
              </button>
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <DataTable
      kind="timeline stacked"
      label="Changes on this page"
      rows={entries}
      named={undefined}
      columns={[
        ["When", ({ at_ms }) => moment(at_ms)],
        ["Who", ({ who }) => who],
        ["Change", ({ action }) => action],
        ["What", ({ what }) => what],
        ["Details", ({ detail }) => <Words of={detail} />],
      ]}
      files={{ name: "audit log", table: () => tableOf(entries, ["seq", ["at", ({ at_ms }) => isoTime(at_ms)], "who", "action", "what", "detail"]) }}
    />
  );
}
