//! `gauntlet status`: experiments and workers on one screen.

use super::claim::Server;
use super::print;
use super::target::TargetArgs;
use super::time::{rounded, utc};
use protocol::alarm::AlarmKind;
use protocol::endpoints::GetOverview;
use protocol::prefix::short;
use protocol::report::{ExperimentState, ExperimentSummary, Light, Overview, WorkerReport};
use protocol::sync::Directive;
use protocol::words::{count, counted};
use std::fmt::Write;

/// Shows experiments and workers, one line each.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet status
  gauntlet status --coordinator http://host:8437
  gauntlet status --json | jq -r '.workers[] | select(.alive) | .name'
  gauntlet status --coordinator http://host:8437 --ready     can it store results?")]
pub(crate) struct StatusArgs {
    /// Also show finished and archived experiments, and workers that are gone.
    #[arg(long)]
    all: bool,
    /// Only test whether the coordinator can store results; exit with 1 if it cannot. For health checks; needs no token.
    #[arg(long, requires = "coordinator")]
    ready: bool,
    /// Print JSON, as in the API.
    #[arg(long, conflicts_with = "ready")]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the status.
pub(crate) async fn run(args: StatusArgs) -> anyhow::Result<()> {
    let target = args.target.open().await?;
    if args.ready && target.database().is_none() {
        target.be_ready().await?;
        return print("ready\n");
    }
    let mut overview = target.read(GetOverview, (), &()).await?;
    if args.all {
        overview.experiments = target.experiments(true).await?;
    }
    target.close().await;
    if overview.experiments.iter().any(|experiment| experiment.state.is_under_way()) {
        Server::of(&args.target).note();
    }
    print(&if args.json {
        serde_json::to_string_pretty(&overview)? + "\n"
    } else {
        text(&overview, args.all)?
    })
}

fn text(overview: &Overview, all: bool) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    if let Some(why) = &overview.trouble {
        writeln!(out, "RESULTS CANNOT BE STORED: {why}\n")?;
    }
    // The control has a line of its own.
    let is_shown = |experiment: &&ExperimentSummary| {
        let is_paused = experiment.state == ExperimentState::Paused && !experiment.is_control;
        all || experiment.state.is_under_way() || is_paused
    };
    let experiments = overview.experiments.iter().filter(is_shown);
    let workers = overview.workers.iter().filter(|worker| {
        // Games of a machine in quarantine may still count long after it left.
        all || worker.alive || (worker.quarantine.is_some() && worker.games > 0)
    });
    let (experiments, workers): (Vec<_>, Vec<_>) = (experiments.collect(), workers.collect());
    if experiments.is_empty() {
        writeln!(out, "no experiment is active")?;
    }
    let width = experiments.iter().map(|experiment| experiment.name.chars().count()).max().unwrap_or(0);
    let ids = short(&experiments.iter().map(|experiment| experiment.id.0).collect::<Vec<_>>());
    for (id, experiment) in ids.iter().zip(experiments) {
        writeln!(out, "{id}  {:<width$}  {}", experiment.name, progress(experiment))?;
    }
    let is_over = |experiment: &&ExperimentSummary| !is_shown(experiment) && !experiment.is_control;
    match overview.experiments.iter().filter(is_over).count() {
        0 => {}
        1 => writeln!(out, "`gauntlet status --all` also shows one that is over")?,
        over => writeln!(out, "`gauntlet status --all` also shows {over} that are over")?,
    }
    if let Some(control) = &overview.control {
        let light = match control.light {
            Light::Grey => "grey",
            Light::Green => "green",
            Light::Amber => "AMBER",
            Light::Red => "RED",
        };
        writeln!(out, "control: {light}, {}", control.words)?;
    }
    // The other alarms are shown with the control and with their machines.
    let shown = [AlarmKind::Results, AlarmKind::Speed, AlarmKind::Drift];
    for alarm in overview.alarms.iter().filter(|alarm| shown.contains(&alarm.kind)) {
        let severity = alarm.severity.name().to_uppercase();
        writeln!(out, "{severity} ALARM, {}, since {}: {}", alarm.subject, utc(alarm.since_ms), alarm.words)?;
    }
    writeln!(out)?;
    if workers.is_empty() {
        writeln!(out, "no worker is there")?;
    }
    let width = workers.iter().map(|worker| worker.name.chars().count()).max().unwrap_or(0);
    let ids = short(&workers.iter().map(|worker| worker.id.0).collect::<Vec<_>>());
    for (id, worker) in ids.iter().zip(workers) {
        writeln!(out, "{id}  {:<width$}  {}", worker.name, activity(worker))?;
    }
    let more = overview.fleet.workers + overview.fleet.others - overview.workers.len() as u64;
    if more > 0 {
        let fleet = &overview.fleet;
        writeln!(
            out,
            "and {more} more; in all {} of {} are there, with {}",
            fleet.alive,
            counted(fleet.workers, "worker"),
            counted(fleet.slots, "slot")
        )?;
    }
    Ok(out)
}

fn progress(experiment: &ExperimentSummary) -> String {
    let ExperimentSummary { games_done, games_planned, pairs_in_flight, pairs_aside, .. } = experiment;
    let state = match experiment.state {
        ExperimentState::Active => match (&experiment.stalled, experiment.seconds_left) {
            (Some(_), _) => "STALLED".into(),
            (None, left) => {
                let share = experiment.share.filter(|share| *share < 1.0);
                let share = share
                    .map_or(String::new(), |share| format!(" at {:.0} % of the core time", 100.0 * share));
                let left = left.map_or(String::new(), |seconds| format!(", {} left", rounded(seconds)));
                let speed = counted(experiment.games_per_minute.round() as u64, "game");
                format!("{speed} a minute{share}{left}")
            }
        },
        state => state.to_string(),
    };
    let aside = if *pairs_aside > 0 { format!(", {pairs_aside} set aside") } else { String::new() };
    let pairs = counted(*pairs_in_flight, "pair");
    let why = experiment.stalled.as_ref().map_or(String::new(), |why| format!(": {why}"));
    let planned =
        if experiment.is_control { String::new() } else { format!(" of {}", count(*games_planned)) };
    let not_needed = match experiment.games_not_needed {
        0 => String::new(),
        games => format!(" ({} not needed)", count(games)),
    };
    format!("{}{planned} games{not_needed}, {state}, {pairs} in play{aside}{why}", count(*games_done))
}

fn activity(worker: &WorkerReport) -> String {
    if worker.slots == 0 {
        let games = counted(worker.games, "game");
        return worker.resting.as_ref().map_or(games.clone(), |why| format!("{games}: {why}"));
    }
    let order = match worker.directive {
        Directive::Work => String::new(),
        told => format!(", told to {told}"),
    };
    // The last report of a worker that is gone is out of date.
    let why = worker.resting.as_ref().or(worker.no_work.as_ref()).filter(|_| worker.alive);
    let why = match &worker.quarantine {
        Some(reason) => format!(", IN QUARANTINE: {reason}"),
        None => why.map_or(String::new(), |why| format!(": {why}")),
    };
    let biased = worker.biased.as_ref().map_or(String::new(), |how| format!(", BIASED: {how}"));
    let seen =
        if worker.alive { String::new() } else { format!(", gone for {:.0} s", worker.seconds_since_seen) };
    let doubt = worker.suspicion.as_ref().map_or(String::new(), |words| format!(", IN DOUBT: {words}"));
    format!(
        "{}, {} held, {}, v{}{seen}{order}{doubt}{biased}{why}",
        counted(u64::from(worker.slots), "slot"),
        counted(worker.pairs_held, "pair"),
        counted(worker.games, "game"),
        worker.version
    )
}
