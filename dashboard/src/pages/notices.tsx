/** Pages without numbers: each says why there are none and what to do next. */

import { useTitle } from "../frame";
import { UNANSWERED } from "../live";
import { Command } from "../parts/command";
import { Words } from "../parts/words";
import { coordinatorUrl, pathOf } from "../routes";
import { option } from "../shell";

export function WaitingPage({ trouble }: { trouble: string | undefined }) {
  if (trouble === undefined) {
    return (
      <p class="lead" aria-busy="true">
        Asking the coordinator…
      </p>
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
