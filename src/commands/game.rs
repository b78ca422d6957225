//! `gauntlet game`: stored games.

mod exclude;
mod list;
mod replay;
mod selection;
mod sgf;
mod show;

use super::target::Target;
use anyhow::bail;
use protocol::browse::GameView;
use protocol::endpoints::GetGameView;
use protocol::ids::LeaseId;
use protocol::prefix::IdPrefix;
use protocol::query::PlayQuery;

use exclude::{ExcludeArgs, RestoreArgs, exclude, restore};
use replay::{ReplayArgs, run as replay};
pub(crate) use replay::{ReplayOutcome, again};

/// Lists, shows, writes, replays, excludes and restores stored games.
///
/// A game is named by its id or by the first digits of its id.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum GameCommand {
    List(list::GameListArgs),
    Show(show::ShowArgs),
    Sgf(sgf::SgfArgs),
    Replay(ReplayArgs),
    Exclude(ExcludeArgs),
    Restore(RestoreArgs),
}

pub(crate) async fn run(command: GameCommand) -> anyhow::Result<()> {
    match command {
        GameCommand::List(args) => list::run(args).await,
        GameCommand::Show(args) => show::run(args).await,
        GameCommand::Sgf(args) => sgf::run(args).await,
        GameCommand::Replay(args) => replay(args).await,
        GameCommand::Exclude(args) => exclude(args).await,
        GameCommand::Restore(args) => restore(args).await,
    }
}

/// A game with all that is stored of it: the counted play, or that of `lease`.
async fn view(target: &Target, game: &str, lease: Option<LeaseId>) -> anyhow::Result<GameView> {
    target.read(GetGameView, game, &PlayQuery { lease }).await
}

/// The only lease of a game's plays that begins so.
async fn whole(target: &Target, game: &str, lease: Option<IdPrefix>) -> anyhow::Result<Option<LeaseId>> {
    let Some(prefix) = lease else { return Ok(None) };
    let (first, last) = prefix.range();
    if first == last {
        return Ok(Some(LeaseId(first)));
    }
    let view = view(target, game, None).await?;
    let leases: Vec<LeaseId> =
        std::iter::once(view.game.lease).chain(view.other_plays.iter().map(|other| other.lease)).collect();
    let meant: Vec<&LeaseId> = leases.iter().filter(|lease| (first..=last).contains(&lease.0)).collect();
    let list = |leases: Vec<String>| leases.join(" and ");
    match meant[..] {
        [lease] => Ok(Some(*lease)),
        [] => bail!(
            "no play of game {game} is under a lease that begins so; its plays are under {}",
            list(leases.iter().map(ToString::to_string).collect())
        ),
        _ => bail!(
            "several leases of game {game} begin so: {}",
            list(meant.iter().map(ToString::to_string).collect())
        ),
    }
}
