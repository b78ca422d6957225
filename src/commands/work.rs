//! `gauntlet work`: a worker.

use super::number::whole;
use super::time::{duration, hours};
use super::unit::{self, Unit};
use super::{cores, host_name};
use crate::signals::on_signals;
use anyhow::Context;
use protocol::memory::Mib;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;
use worker::calibrate::Plan;
use worker::join::{Invitation, JoinError};
use worker::{Pinning, QuietHours, StateDir, Stop, WorkerError};

/// Plays games for a coordinator until told to stop.
///
/// A machine joins once, with a code that `gauntlet serve` prints or the dashboard makes. Its directory then contains the
/// coordinator's address and a token. The worker tests that its build plays like the coordinator's, measures its speed,
/// takes pairs of games, plays them on all cores and reports them. You can kill it at any moment: finished games stay on
/// disk until the coordinator has them.
///
/// After the first Ctrl-C or SIGTERM the worker takes no more work and finishes its games within the grace time. After the
/// second it leaves at once; games under way are kept for the next start. The third ends the process. Exit codes: 3 when
/// the coordinator refuses this worker, 5 when its build plays different games, 6 when this machine does not trust the
/// coordinator's certificate.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet work --join K7F3-9QXM-2TBD@host:8437     the first time
  gauntlet work                                     from then on, in the same directory
  GAUNTLET_TOKEN=… gauntlet work --coordinator http://host:8437 --slots 8 --name node7
  gauntlet work --unit systemd --join K7F3-9QXM-2TBD@host:8437 > gauntlet-worker.service")]
pub(crate) struct WorkArgs {
    /// Join with a code. A machine that has joined this coordinator before keeps its token, unless that was revoked.
    #[arg(long, env = "GAUNTLET_JOIN", value_name = "CODE@HOST:PORT", value_parser = invitation, hide_env_values = true)]
    join: Option<String>,
    /// The coordinator's address; together with --token it replaces joining. A machine that has joined needs neither, and
    /// either replaces what it kept. With --join both are ignored.
    #[arg(long, env = "GAUNTLET_COORDINATOR", value_name = "URL")]
    coordinator: Option<String>,
    /// The worker's token.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// The worker's directory: lock, identity, token and unsent games. A second worker in the same directory does not start.
    #[arg(long, env = "GAUNTLET_DIR", value_name = "DIR", default_value = "gauntlet-worker")]
    dir: PathBuf,
    /// Games played at once, one core each [default: all cores].
    #[arg(long, env = "GAUNTLET_SLOTS", value_name = "N", overrides_with = "slots", value_parser = super::slots)]
    slots: Option<NonZeroUsize>,
    /// Memory per game for the trees of its two players, for example 2GiB or 512MiB [default: an equal share of the machine's
    /// memory or of the control group's limit]. Games that may need more go to other machines.
    #[arg(long, env = "GAUNTLET_MEMORY_PER_SLOT", value_name = "SIZE")]
    memory_per_slot: Option<Mib>,
    /// The machine's name on the dashboard [default: the host name].
    #[arg(long, env = "GAUNTLET_NAME", value_name = "NAME")]
    name: Option<String>,
    /// Group label for `gauntlet fleet` commands; may be repeated.
    #[arg(long, env = "GAUNTLET_LABELS", value_name = "LABEL", value_delimiter = ',')]
    label: Vec<String>,
    /// Only print a unit file that starts this worker with these options, without --dir, which the unit sets, and --token, which
    /// others could read.
    #[arg(long, value_enum, value_name = "KIND")]
    unit: Option<Unit>,
    #[command(flatten)]
    life: LifeArgs,
    #[command(flatten)]
    calibration: CalibrationArgs,
}

/// When the worker works and when it leaves.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Life")]
struct LifeArgs {
    /// Leave after this many games.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000_u64))]
    max_games: Option<u64>,
    /// Take no more work after this many hours, finish the games under way, and leave.
    #[arg(long, value_name = "HOURS", value_parser = hours, allow_negative_numbers = true)]
    max_hours: Option<Duration>,
    /// Leave after this long without games, also because the coordinator is absent; 5m if no time is given.
    #[arg(long, value_name = "TIME", num_args = 0..=1, default_missing_value = "5m", value_parser = duration,
          overrides_with = "exit_when_idle")]
    exit_when_idle: Option<Duration>,
    /// Take no more work during these hours of every day, in the local time of this machine, for example 09:00-18:00; may be
    /// repeated.
    #[arg(long, env = "GAUNTLET_QUIET_HOURS", value_name = "FROM-TO", value_delimiter = ',')]
    quiet_hours: Vec<QuietHours>,
    /// Time to finish the games under way after the first Ctrl-C or SIGTERM.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration, overrides_with = "grace")]
    grace: Duration,
    /// The shortest time between two checkpoints of a game under way, from which a restart continues; 0s writes one at every
    /// move.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    checkpoint_every: Duration,
    /// Increase the niceness of the playing threads by this number, from 0 to 19.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=19_i32))]
    nice: i32,
    /// Pin each slot to a processor of its own: auto, off, or a list such as 0,2,4-7.
    #[arg(long, value_name = "WHERE", default_value = "off", overrides_with = "pin")]
    pin: Pinning,
}

/// How the machine's speed is measured.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Calibration")]
pub(crate) struct CalibrationArgs {
    /// Measurements per slot and board size; the median counts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = runs)]
    calibration_runs: NonZeroU32,
    /// Simulations per measurement. With fewer the worker starts sooner, but budgets in seconds become less exact.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole(1..=1_000_000_000_u64))]
    calibration_sims: u64,
}

fn runs(text: &str) -> Result<NonZeroU32, String> {
    let runs = engine::numbers::whole(text).filter(|runs: &NonZeroU32| runs.get() <= 1000);
    runs.ok_or_else(|| format!("`{text}` is no number of measurements from 1 to 1000"))
}

impl From<CalibrationArgs> for Plan {
    fn from(args: CalibrationArgs) -> Self {
        Plan { runs: args.calibration_runs, sims: args.calibration_sims }
    }
}

/// Checks an invitation and returns it unchanged, because a unit repeats it.
fn invitation(text: &str) -> Result<String, String> {
    text.parse::<Invitation>().map(|_| text.trim().to_owned()).map_err(|error| error.to_string())
}

/// Works until stopped, drained or refused.
pub(crate) async fn run(args: WorkArgs) -> anyhow::Result<()> {
    if let Some(kind) = args.unit {
        return print_unit(kind, args.life.grace);
    }
    let stop = Stop::default();
    stop_in_steps(stop.clone())?;
    let name = args.name.clone().unwrap_or_else(host_name);
    let state = StateDir::open(&args.dir)?;
    let slots = args.slots.unwrap_or_else(cores);
    let mut config = worker::Config {
        memory: args.memory_per_slot.unwrap_or_else(|| worker::memory::per_slot(slots)),
        labels: args.label,
        calibration: args.calibration.into(),
        log: crate::logging::tail(),
        max_games: args.life.max_games,
        // Waiting for the coordinator counts, too.
        leave_at: args.life.max_hours.map(|hours| Instant::now() + hours),
        max_idle: args.life.exit_when_idle,
        quiet_hours: args.life.quiet_hours,
        pinning: args.life.pin,
        niceness: args.life.nice,
        grace: args.life.grace,
        checkpoint_every: args.life.checkpoint_every,
        // Joining gives the coordinator and the token.
        ..worker::Config::new("", "", args.dir, name, slots)
    };
    (config.coordinator, config.token) = match (&args.join, &args.coordinator, &args.token) {
        (None, Some(coordinator), Some(token)) => (coordinator.clone(), token.clone()),
        (Some(invitation), ..) => {
            for (given, option, variable) in [
                (&args.coordinator, "--coordinator", "GAUNTLET_COORDINATOR"),
                (&args.token, "--token", "GAUNTLET_TOKEN"),
            ] {
                if given.is_some() {
                    eprintln!("joining with the invitation; {option} ({variable}) is not used");
                }
            }
            let invitation: Invitation = invitation.parse()?;
            let joining = worker::join::join(&state, &invitation, &config.name, &stop.finish);
            let joined = match config.patience() {
                Some(patience) => tokio::time::timeout(patience, joining).await.with_context(|| {
                    format!(
                        "no coordinator at {} let this machine join for {} s",
                        invitation.coordinator,
                        patience.as_secs()
                    )
                })?,
                None => joining.await,
            };
            let credentials = match joined {
                Err(JoinError::Refused { why }) => return Err(WorkerError::Refused { why }.into()),
                Err(JoinError::Untrusted { why }) => return Err(WorkerError::Untrusted { why }.into()),
                Err(JoinError::Stopped) => return Ok(()),
                joined => joined?,
            };
            (credentials.coordinator, credentials.token)
        }
        _ => {
            let kept = worker::join::joined_before(&state)?.with_context(|| {
                format!(
                    "no machine ever joined in {}: give --join CODE@HOST:PORT (`gauntlet serve` prints it, the \
                     dashboard makes another), or --coordinator and --token",
                    config.dir.display()
                )
            })?;
            let given = |option: &Option<String>, kept| option.clone().unwrap_or(kept);
            (given(&args.coordinator, kept.coordinator), given(&args.token, kept.token))
        }
    };
    Ok(worker::run_in(state, config, stop).await?)
}

/// Options that a unit does not repeat.
const NOT_IN_UNITS: [&str; 3] = ["--unit", "--dir", "--token"];

/// Prints a unit that repeats the options of this call, also those that the environment gives. Of an option that the unit itself
/// has, too, the last one counts.
fn print_unit(kind: Unit, grace: Duration) -> anyhow::Result<()> {
    let options = unit::repeated::<WorkArgs>("work", &NOT_IN_UNITS)?;
    if kind == Unit::Compose && !options.is_empty() {
        let names = options.iter().filter(|word| word.starts_with("--"));
        let names: Vec<&str> = names.filter_map(|word| word.split('=').next()).collect();
        eprintln!("the compose file has options of its own, and not these: {}", names.join(", "));
    }
    super::print(&unit::text(kind, &unit::program(), &options, grace)?)
}

/// The first signal finishes the games, the second leaves, the third ends the process.
fn stop_in_steps(stop: Stop) -> anyhow::Result<()> {
    on_signals(move |times| match times {
        // Writing blocks if the output is not read.
        1 => {
            stop.finish.cancel();
            eprintln!(
                "taking no more work; the games under way are played to the end. A second Ctrl-C leaves at once and keeps \
                 these games for the next start"
            );
        }
        2 => {
            stop.leave.cancel();
            eprintln!(
                "leaving; the games under way are kept for the next start. A third Ctrl-C ends the process at once"
            );
        }
        _ => std::process::exit(130),
    })
}
