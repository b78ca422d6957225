//! `gauntlet exclude` and `gauntlet restore`: games out of the results, and back.

use super::print;
use super::target::{Target, TargetArgs, post, who};
use protocol::ids::{GameId, LeaseId};
use protocol::operate::{ExcludeRequest, RestoreRequest, Restored};

/// Takes a game out of the results.
///
/// The play is kept with the reason and your name, its game is played again, and `gauntlet restore` puts it back.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet exclude 8b2f3c1e-… --why \"node7 was overheating\"")]
pub(crate) struct ExcludeArgs {
    /// The game's id, as the API and the worker's log give it.
    game: GameId,
    /// Why, for everybody who looks at the results later.
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// The lease it was played under, when it is not the counted play that is meant.
    #[arg(long, value_name = "LEASE")]
    lease: Option<LeaseId>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Puts an excluded game back into the results.
///
/// It counts again unless another play of the same game was counted meanwhile.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet restore 8b2f3c1e-…")]
pub(crate) struct RestoreArgs {
    /// The game's id.
    game: GameId,
    /// The lease it was played under, when several plays of it are excluded.
    #[arg(long, value_name = "LEASE")]
    lease: Option<LeaseId>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Excludes.
pub(crate) async fn exclude(args: ExcludeArgs) -> anyhow::Result<()> {
    let ExcludeArgs { game, why, lease, target } = args;
    let target = target.open().await?;
    match &target {
        Target::Database(coordinator) => coordinator.exclude(game, lease, &why, &who()).await?,
        Target::Remote(remote, token) => {
            let body = ExcludeRequest { lease, why };
            remote.post(&format!("games/{game}/exclude"), token, &body).await?;
        }
    }
    target.close().await;
    print(&format!("game {game} is out of the results; `gauntlet restore {game}` puts it back\n"))
}

/// Restores.
pub(crate) async fn restore(args: RestoreArgs) -> anyhow::Result<()> {
    let RestoreArgs { game, lease, target } = args;
    let target = target.open().await?;
    let status = match &target {
        Target::Database(coordinator) => coordinator.restore(game, lease, &who()).await?,
        Target::Remote(remote, token) => {
            let path = format!("games/{game}/restore");
            post::<Restored>((remote, token), &path, &RestoreRequest { lease }).await?.status
        }
    };
    target.close().await;
    print(&format!("game {game} is {status}\n"))
}
