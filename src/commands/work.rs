//! `gauntlet work`: a worker.

use super::{cores, host_name, stop_on_signals};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use worker::calibrate::Plan;

/// Plays games for a coordinator until told to stop.
///
/// The worker measures this machine's speed, takes pairs of games, plays them on all cores and reports them. It
/// needs the coordinator's address, a token (`gauntlet token add NAME`, on the coordinator's machine) and one
/// directory of its own. It may be killed at any moment: finished games are on disk until the coordinator has them.
///
/// Ctrl-C drops the games in hand and gives them back. Exit code 3 means that the coordinator refused this worker.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  GAUNTLET_TOKEN=… gauntlet work --coordinator http://host:8437 --slots 8 --name node7")]
pub(crate) struct WorkArgs {
    /// The coordinator's address.
    #[arg(long, env = "GAUNTLET_COORDINATOR", value_name = "URL")]
    coordinator: String,
    /// The token that admits this worker.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: String,
    /// Its directory: lock, identity, and finished games on their way. One worker a directory.
    #[arg(long, env = "GAUNTLET_DIR", value_name = "DIR", default_value = "gauntlet-worker")]
    dir: PathBuf,
    /// Games played at once, one core each; all cores unless given.
    #[arg(long, env = "GAUNTLET_SLOTS", value_name = "N")]
    slots: Option<NonZeroUsize>,
    /// The machine's name on the dashboard; its host name unless given.
    #[arg(long, env = "GAUNTLET_NAME", value_name = "NAME")]
    name: Option<String>,
    /// A word by which this machine is told something together with others; may be given several times.
    #[arg(long, env = "GAUNTLET_LABELS", value_name = "LABEL", value_delimiter = ',')]
    label: Vec<String>,
    /// Leave after this many games.
    #[arg(long, value_name = "N")]
    max_games: Option<u64>,
    /// Take no more work after this many hours, finish what is in hand, and leave.
    #[arg(long, value_name = "HOURS", value_parser = hours)]
    max_hours: Option<Duration>,
    #[command(flatten)]
    calibration: CalibrationArgs,
}

/// How the machine's speed is measured.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Calibration")]
pub(crate) struct CalibrationArgs {
    /// Runs on every slot for each board size; their median counts.
    #[arg(long, value_name = "N", default_value = "5")]
    calibration_runs: NonZeroU32,
    /// Simulations of a run. Fewer start sooner and measure worse, which matters for budgets in seconds only.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    calibration_sims: u64,
}

impl From<CalibrationArgs> for Plan {
    fn from(args: CalibrationArgs) -> Self {
        Plan { runs: args.calibration_runs, sims: args.calibration_sims }
    }
}

fn hours(text: &str) -> Result<Duration, String> {
    let hours: f64 = text.parse().map_err(|_| "not a number of hours".to_owned())?;
    Duration::try_from_secs_f64(hours * 3600.0).map_err(|error| error.to_string())
}

/// Works until stopped, drained or refused.
pub(crate) async fn run(args: WorkArgs) -> anyhow::Result<()> {
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    let config = worker::Config {
        coordinator: args.coordinator,
        token: args.token,
        dir: args.dir,
        slots: args.slots.unwrap_or_else(cores),
        name: args.name.unwrap_or_else(host_name),
        labels: args.label,
        calibration: args.calibration.into(),
        max_games: args.max_games,
        max_time: args.max_hours,
    };
    Ok(worker::run(config, stop).await?)
}
