//! `gauntlet game sgf`: games as game files.

use super::selection::{SelectedGames, SelectionArgs};
use crate::commands::deliver;
use crate::commands::target::{Refusal, Target, TargetArgs};
use anyhow::Context;
use axum::body::to_bytes;
use protocol::endpoints::GetGameFile;
use protocol::ids::LeaseId;
use protocol::query::PlayQuery;
use protocol::words::counted;
use std::collections::HashSet;
use std::path::PathBuf;

/// Writes games as SGF, with what the searches found as comments.
///
/// Without names of games, all games of the selection are written. Several games go into one file, one after the other, or with
/// --dir each into a file of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet game sgf 8b2f3c1e > game.sgf
  gauntlet game sgf --experiment my-sweep --result loss --size 8 --dir losses")]
pub(crate) struct SgfArgs {
    /// Games: ids or their first digits.
    #[arg(value_name = "GAME", conflicts_with = "SelectionArgs")]
    games: Vec<String>,
    #[command(flatten)]
    target: TargetArgs,
    // Last, because its heading also holds for what follows.
    #[command(flatten)]
    selection: SelectionArgs,
    /// Write into this file instead of standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "dir", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Write a file for each game into this directory.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    dir: Option<PathBuf>,
}

/// Writes the games.
pub(super) async fn run(args: SgfArgs) -> anyhow::Result<()> {
    let target = args.target.open().await?;
    let (plays, is_cut) = if args.games.is_empty() {
        let SelectedGames { games, is_cut } = args.selection.find(&target).await?;
        (games.into_iter().map(|game| (game.id.to_string(), Some(game.lease))).collect(), is_cut)
    } else {
        (args.games.into_iter().map(|game| (game, None)).collect::<Vec<_>>(), false)
    };
    if let Some(dir) = &args.dir {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let mut together = String::new();
    let (mut written, mut without_moves) = (HashSet::new(), 0);
    for (game, lease) in &plays {
        let text = match file(&target, game, *lease).await {
            // Of many games, some may be older than the moves that are kept.
            Err(error) if plays.len() > 1 && has_no_moves(&error) => {
                without_moves += 1;
                continue;
            }
            text => text?,
        };
        let name = match lease {
            Some(lease) if written.contains(game) => format!("{game}-{lease}"),
            _ => game.clone(),
        };
        match &args.dir {
            Some(dir) => deliver(text.as_bytes(), Some(&dir.join(format!("{name}.sgf"))))?,
            None => together += &text,
        }
        written.insert(name);
    }
    target.close().await;
    match &args.dir {
        Some(dir) => eprintln!("wrote {} into {}", counted(written.len() as u64, "game"), dir.display()),
        None => deliver(together.as_bytes(), args.out.as_deref())?,
    }
    if without_moves > 0 {
        eprintln!("left out {}: the moves were deleted", counted(without_moves, "game"));
    }
    if is_cut {
        eprintln!("there are more games: --limit GAMES or --all writes them");
    }
    Ok(())
}

/// Whether an error says that the moves of a game were deleted.
fn has_no_moves(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(Refusal::is_without_moves)
}

async fn file(target: &Target, game: &str, lease: Option<LeaseId>) -> anyhow::Result<String> {
    let answer = target.file(GetGameFile, game, &PlayQuery { lease }).await?;
    let text =
        to_bytes(answer.into_body(), usize::MAX).await.context("the coordinator's answer broke off")?;
    String::from_utf8(text.into()).context("the coordinator's answer cannot be read")
}
