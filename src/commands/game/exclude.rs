//! `gauntlet game exclude` and `gauntlet game restore`: take one game or all games of a machine out of the results, and put them
//! back.

use crate::commands::print;
use crate::commands::target::TargetArgs;
use crate::commands::time::moment;
use protocol::endpoints::{ExcludeGame, ExcludeGames, RestoreGame, RestoreGames};
use protocol::operate::{
    ExcludeGamesRequest, ExcludeRequest, GamesChanged, Machines, RestoreGamesRequest, RestoreRequest,
    Restored,
};
use protocol::prefix::IdPrefix;
use protocol::words;

/// Takes a game out of the results, or all games of a machine.
///
/// The database keeps the plays with the reason and your name. The games are played again. `gauntlet game restore` puts the
/// plays back. Excluding all games of a machine is one change. The machine still gets work unless it is in quarantine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet game exclude 8b2f3c1e --why \"node7 was overheating\"
  gauntlet game exclude --worker node7 --why \"it plays at random\"
  gauntlet game exclude --worker node7 --since 2h --why \"its memory fails\"
  gauntlet game exclude --of-token 51c0ffee0123 --why \"its owner is unknown\"")]
pub(crate) struct ExcludeArgs {
    #[command(flatten)]
    meant: ExcludedGamesArgs,
    /// Only games that arrived within this time or since this date (UTC), for example 90m, 7d or 2026-08-01T12:30.
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with = "game")]
    since: Option<i64>,
    /// The reason, for people who read the results later.
    #[arg(long, value_name = "TEXT", visible_alias = "reason")]
    why: String,
    #[command(flatten)]
    target: TargetArgs,
}

/// Puts an excluded game back into the results, or all games of a machine that were excluded together.
///
/// A game counts again, unless another play of it has been counted since.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet game restore 8b2f3c1e
  gauntlet game restore --worker node7")]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    meant: ExcludedGamesArgs,
    #[command(flatten)]
    target: TargetArgs,
}

/// The games: one play, or all games of machines.
#[derive(Debug, clap::Args)]
struct ExcludedGamesArgs {
    /// The game's id, as in the API and in the worker's log, or its first digits.
    #[arg(required_unless_present_any = ["worker", "token_id"], conflicts_with_all = ["worker", "token_id"])]
    game: Option<String>,
    /// All games of this machine: its name or id.
    #[arg(long, value_name = "NAME", conflicts_with = "token_id")]
    worker: Option<String>,
    /// All games of the machines with this token: its id in `gauntlet token list`.
    #[arg(long = "of-token", value_name = "ID")]
    token_id: Option<String>,
    /// The lease that the game was played under, or its first digits, when the game has several plays.
    #[arg(long, value_name = "LEASE", conflicts_with_all = ["worker", "token_id"])]
    lease: Option<IdPrefix>,
}

enum ExcludedGames {
    Play(String, Option<IdPrefix>),
    Machines(Machines),
}

impl ExcludedGamesArgs {
    fn read(self) -> anyhow::Result<ExcludedGames> {
        match (self.game, self.worker, self.token_id) {
            (Some(game), _, _) => Ok(ExcludedGames::Play(game, self.lease)),
            (None, Some(worker), _) => Ok(ExcludedGames::Machines(Machines::Named(worker))),
            (None, None, Some(token)) => Ok(ExcludedGames::Machines(Machines::Token(token))),
            (None, None, None) => anyhow::bail!("name a game, or a machine with --worker NAME"),
        }
    }
}

/// Excludes games.
pub(crate) async fn exclude(args: ExcludeArgs) -> anyhow::Result<()> {
    let ExcludeArgs { meant, since, why, target } = args;
    let meant = meant.read()?;
    let target = target.open().await?;
    let told = match meant {
        ExcludedGames::Play(game, lease) => {
            let lease = super::whole(&target, &game, lease).await?;
            let request = ExcludeRequest { lease, why };
            target.change(ExcludeGame, game.as_str(), &request).await?;
            format!("game {game} is out of the results; `gauntlet game restore {game}` puts it back\n")
        }
        ExcludedGames::Machines(machines) => {
            let request = ExcludeGamesRequest { machines: machines.clone(), since_ms: since, why };
            let GamesChanged { games, .. } = target.change(ExcludeGames, (), &request).await?;
            let back = match &machines {
                Machines::Token(id) => words::option("--of-token", id),
                Machines::Named(name) => words::option("--worker", name),
                Machines::All | Machines::Label(_) => String::new(),
            };
            match games {
                0 => format!("no game of {machines} counts; nothing is excluded\n"),
                _ => format!(
                    "took {} of {machines} out of the results; `gauntlet game restore{back}` puts them back\n",
                    words::counted(games, "game")
                ),
            }
        }
    };
    target.close().await;
    print(&told)
}

/// Restores games.
pub(crate) async fn restore(args: RestoreArgs) -> anyhow::Result<()> {
    let RestoreArgs { meant, target } = args;
    let meant = meant.read()?;
    let target = target.open().await?;
    let told = match meant {
        ExcludedGames::Play(game, lease) => {
            let lease = super::whole(&target, &game, lease).await?;
            let request = RestoreRequest { lease };
            let Restored { status } = target.change(RestoreGame, game.as_str(), &request).await?;
            format!("game {game} is {status}\n")
        }
        ExcludedGames::Machines(machines) => {
            let request = RestoreGamesRequest { machines: machines.clone() };
            let GamesChanged { games, counted } = target.change(RestoreGames, (), &request).await?;
            match (games, games.saturating_sub(counted)) {
                (0, _) => format!("no games of {machines} were excluded together: nothing is put back\n"),
                (_, 0) => format!("put back {} of {machines}\n", words::counted(games, "game")),
                (_, others) => format!(
                    "put back {} of {machines}: {counted} count again; of the other {others}, another play was counted \
                     meanwhile\n",
                    words::counted(games, "game")
                ),
            }
        }
    };
    target.close().await;
    print(&told)
}
