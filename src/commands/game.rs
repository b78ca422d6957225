//! `gauntlet game`: stored games.

mod exclude;
mod list;
mod replay;
mod selection;
mod sgf;
mod show;

pub(crate) use exclude::{ExcludeArgs, RestoreArgs, exclude, restore};
pub(crate) use replay::{Again, ReplayArgs, again, run as replay};

/// Lists, shows, writes, replays, excludes and restores stored games.
///
/// A game is named by its id or by the first digits of its id.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum GameCommand {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Sgf(sgf::SgfArgs),
    Replay(ReplayArgs),
    Exclude(ExcludeArgs),
    Restore(RestoreArgs),
}

/// Runs the command.
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

/// The query that names a play of a game.
fn play(lease: Option<protocol::ids::LeaseId>) -> serde_json::Value {
    serde_json::json!({ "lease": lease })
}
