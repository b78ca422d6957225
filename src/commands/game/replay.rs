//! `gauntlet game replay`: plays a stored game again and reports the first difference.

mod outcome;
mod settle;

pub(crate) use outcome::{ReplayOutcome, again};

use crate::commands::print;
use crate::commands::target::TargetArgs;
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::havannah::{BoardSize, Notation};
use engine::selfplay::MoveRecord;
use protocol::endpoints::GetGame;
use protocol::games::GameReport;
use protocol::prefix::IdPrefix;
use protocol::query::PlayQuery;
use protocol::words::counted;
use std::path::PathBuf;

/// Plays a stored game again, each move with the simulations it had, and reports the first difference.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gauntlet game replay 8b2f3c1e                     a game of ./gauntlet.db
  gauntlet game replay 8b2f3c1e --database postgres://lab/gauntlet
  gauntlet game replay --file game.json               a game saved from GET /api/v1/games/ID
  gauntlet game replay 8b2f3c1e --settle            decide between two machines that differ

Exits with 1 when the game differs from its record.")]
pub(crate) struct ReplayArgs {
    /// The game's id, as in the API and in the worker's log, or its first digits.
    #[arg(required_unless_present = "file")]
    game: Option<String>,
    /// The lease that the game was played under, or its first digits, when the game has several plays [default: that of the
    /// counted play].
    #[arg(long, value_name = "LEASE", conflicts_with_all = ["file", "settle"])]
    lease: Option<IdPrefix>,
    /// A file with the game's JSON; then no database is opened.
    #[arg(long, conflicts_with = "game")]
    file: Option<PathBuf>,
    /// Play a disputed game as a third machine. If this machine agrees with one of the two that disagree, the other one is
    /// quarantined. Run it on a machine that you trust.
    #[arg(long, conflicts_with = "file")]
    settle: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Runs the command.
pub(crate) async fn run(args: ReplayArgs) -> Result<()> {
    if let (true, Some(game)) = (args.settle, &args.game) {
        let target = args.target.open().await?;
        let settled = match target.database() {
            Some(coordinator) => settle::settle(coordinator, coordinator.game_id(game).await?).await,
            None => {
                bail!(
                    "--settle needs the database itself: run the command where the database is, or name the database with --database"
                )
            }
        };
        target.close().await;
        return settled;
    }
    let game = load(&args).await?;
    let size = game.spec.size;
    if game.spec.semantics != engine::SEMANTICS {
        print(&format!(
            "The game was played by engine semantics {}, this build has {}: differences are expected.\n",
            game.spec.semantics,
            engine::SEMANTICS
        ))?;
    }
    print(&format!(
        "Game {} on size {size}: {}, {} after {} of the opening\n",
        game.line.id,
        game.line.outcome,
        counted(game.play.record.sims.len() as u64, "move"),
        game.opening.split_whitespace().count()
    ))?;
    let again = again(&game)?;
    match &again {
        ReplayOutcome::Same => {
            print("Every move, value, claim, simulation and node count is as recorded.\n")?
        }
        ReplayOutcome::OtherResult { .. } => {}
        ReplayOutcome::OtherMoves(difference) => print(&format!(
            "Recorded  {}\nReplayed  {}\n",
            shown(size, difference.recorded),
            shown(size, difference.replayed)
        ))?,
    }
    again.difference().map_or(Ok(()), |difference| bail!(difference))
}

fn shown(size: BoardSize, played: Option<MoveRecord>) -> String {
    match played {
        None => "nothing: the game was over".to_owned(),
        Some(m) => format!(
            "{} value {:.6} claim {} after {} simulations, {} nodes",
            Notation::Gui.write(size, m.cell),
            m.value,
            m.claim,
            m.sims,
            m.nodes
        ),
    }
}

async fn load(args: &ReplayArgs) -> Result<GameReport> {
    if let Some(path) = &args.file {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        return serde_json::from_str(&text).with_context(|| format!("{} is no stored game", path.display()));
    }
    let game = args.game.as_deref().expect("clap requires a game without --file");
    let target = args.target.open().await?;
    let report = async {
        let lease = super::whole(&target, game, args.lease).await?;
        target.read(GetGame, game, &PlayQuery { lease }).await
    }
    .await;
    target.close().await;
    report
}
