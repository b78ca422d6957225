/** The states of what a page fetches: before there is something to show, and when it is no longer fresh. */

import type { ComponentChildren } from "preact";
import { clock } from "../format";
import { useFrame, useTitle } from "../frame";
import { UNANSWERED, useFetched, type Fetched } from "../live";
import { coordinatorUrl, pathOf } from "../routes";
import { option } from "../shell";
import { Command } from "./command";
import { Words } from "./elements";

/** Data that are older than the overview by so much are not of the same time. */
const OLDER_MS = 15_000;

interface TroubleProps {
  of: Fetched<unknown>;
  /** What it is, in a word: `game`. */
  what: string;
}

/** That something was not fetched, or not again, and why. While the overview is not fetched either, the header says so for all. */
export function Trouble({ of: { data, trouble, at }, what }: TroubleProps) {
  const frame = useFrame();
  // What a way back shows may be older than what the header tells of.
  const isOlder = data !== undefined && at + OLDER_MS < frame.at;
  if (trouble === undefined || (frame.trouble !== undefined && !isOlder)) return null;
  return (
    <p class="card warn" role="status" data-testid="stale">
      The {what} {data === undefined ? "could not be fetched" : `was not fetched again since ${clock(at)}`}: <Words of={trouble} />.
    </p>
  );
}

interface LoadedProps<T> extends TroubleProps {
  of: Fetched<T>;
  children: (data: T, fetched: Fetched<T>) => ComponentChildren;
}

/** Shows what was fetched, or that it is under way, or that there is no such thing. Stale data stay, under a word that says so. */
export function Loaded<T>({ of, what, children }: LoadedProps<T>) {
  if (of.unknown) return <MissingPage what={what} />;
  if (of.data === undefined) return <WaitingPage trouble={of.trouble} />;
  return (
    <>
      <Trouble of={of} what={what} />
      {children(of.data, of)}
    </>
  );
}

interface FetchProps<A extends readonly (string | number | undefined)[], T> extends Omit<TroubleProps, "of"> {
  /** The same function each time, such as one of `api.ts`, and its arguments. */
  load: (...args: A) => Promise<T>;
  args: A;
  /** The title of the window, before and after it is fetched. */
  title?: (data: T | undefined) => string;
  children: (data: T, fetched: Fetched<T>) => ComponentChildren;
}

/** Fetches what a page shows. */
export function Fetch<A extends readonly (string | number | undefined)[], T>({ load, args, what, title, children }: FetchProps<A, T>) {
  const fetched = useFetched(load, ...args);
  useTitle(title?.(fetched.data));
  return (
    <Loaded of={fetched} what={what}>
      {children}
    </Loaded>
  );
}

export function WaitingPage({ trouble }: { trouble: string | undefined }) {
  if (trouble === undefined) {
    return (
      <p class="lead" aria-busy="true">Asking the coordinator…</p>
    );
  }
  if (trouble !== UNANSWERED) {
    return (
      <section class="notice">
        <h1>The coordinator refuses this</h1>
        <p class="lead">
          It says: <Words of={trouble} />. This page keeps trying.
        </p>
      </section>
    );
  }
  return (
    <section class="notice">
      <h1>The coordinator is not there</h1>
      <p class="lead">Nothing has been loaded yet, because {trouble}. This page keeps trying.</p>
      <p>Start it where its database is:</p>
      <Command text="gauntlet serve" />
    </section>
  );
}

export function EmptyPage() {
  return (
    <section class="notice" data-testid="empty">
      <h1>No experiment yet</h1>
      <p class="lead">
        An experiment is one TOML file: a question, a baseline, the cases to try and the board sizes to try them on. Apply
        one, and its win rates grow here.
      </p>
      <p>Begin with an example that explains itself, and see what it costs and what it can show:</p>
      <Command text={"gauntlet init my-sweep.toml\ngauntlet plan my-sweep.toml"} />
      <p>
        Give it to this coordinator, in the directory where <code>gauntlet serve</code> runs:
      </p>
      <Command text="gauntlet apply my-sweep.toml" />
      <p>
        From another machine this takes a token, which <code>gauntlet token add NAME --scope experiment</code> makes in that
        directory:
      </p>
      <Command text={`GAUNTLET_TOKEN=… gauntlet apply my-sweep.toml ${option("--coordinator", coordinatorUrl())}`} />
      <p>Or let one command do everything on this machine, workers included:</p>
      <Command text="gauntlet run my-sweep.toml" />
    </section>
  );
}

/** An address of a page, but of nothing that this coordinator has. */
export function MissingPage({ what }: { what: string }) {
  return (
    <section class="notice">
      <h1>No such {what}</h1>
      <p class="lead">
        The address names {/^[aeiou]/.test(what) ? "an" : "a"} {what} that this coordinator does not have. Perhaps it serves another database, or the link was
        cut. <a href={pathOf("home")}>To the first page</a>
      </p>
    </section>
  );
}

export function UnknownPage() {
  useTitle("No such page");
  return (
    <section class="notice">
      <h1>No such page</h1>
      <p class="lead">
        Nothing is at this address. <a href={pathOf("home")}>To the first page</a>
      </p>
    </section>
  );
}
