/** Pages without numbers: each says why there are none and what to do next. */

export function WaitingPage({ trouble }: { trouble: string | undefined }) {
  return trouble === undefined ? (
    <p class="lead">Asking the coordinator…</p>
  ) : (
    <section class="notice">
      <h1>The coordinator is not there</h1>
      <p class="lead">Nothing has been loaded yet, because {trouble}. This page keeps trying.</p>
      <p>Start it where its database is:</p>
      <pre>gauntlet serve</pre>
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
      <pre>{"gauntlet init my-sweep.toml\ngauntlet plan my-sweep.toml"}</pre>
      <p>
        Give it to this coordinator, in the directory where <code>gauntlet serve</code> runs:
      </p>
      <pre>gauntlet apply my-sweep.toml</pre>
      <p>
        From another machine this takes a token, which <code>gauntlet token add NAME --scope experiment</code> makes in that
        directory:
      </p>
      <pre>{`GAUNTLET_TOKEN=… gauntlet apply my-sweep.toml --coordinator ${location.origin}`}</pre>
      <p>Or let one command do everything on this machine, workers included:</p>
      <pre>gauntlet run my-sweep.toml</pre>
    </section>
  );
}

export function UnknownPage() {
  return (
    <section class="notice">
      <h1>No such experiment</h1>
      <p class="lead">
        The address names an experiment that this coordinator does not have. Perhaps it serves another database, or the
        link was cut. <a href="/">Show the current experiment</a>
      </p>
    </section>
  );
}
