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
      <p>See what a file costs and what it can show:</p>
      <pre>gauntlet plan configs/quickstart.toml</pre>
      <p>
        Send it to this coordinator, with a token from <code>gauntlet token add NAME</code>:
      </p>
      <pre>{`GAUNTLET_TOKEN=… gauntlet apply configs/quickstart.toml --coordinator ${location.origin}`}</pre>
      <p>Or let one command do everything on this machine, workers included:</p>
      <pre>gauntlet run configs/quickstart.toml</pre>
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
