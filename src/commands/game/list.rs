//! `gauntlet game list`: games that a selection has.

use super::selection::{SelectedGames, SelectionArgs};
use crate::commands::columns::aligned;
use crate::commands::parquet::parquet;
use crate::commands::target::TargetArgs;
use crate::commands::time::utc;
use crate::commands::{deliver, format_of};
use protocol::browse::{CaseResult, FoundGame};
use protocol::prefix::short;
use protocol::table::games;
use std::path::PathBuf;

/// Lists stored games, the newest first.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet game list --experiment my-sweep --size 8 --result loss
  gauntlet game list --worker node7 --since 2h --sort longest
  gauntlet game list --experiment my-sweep --all --out games.parquet")]
pub(crate) struct GameListArgs {
    #[command(flatten)]
    target: TargetArgs,
    // Last, because its heading also holds for what follows.
    #[command(flatten)]
    selection: SelectionArgs,
    /// The output format [default: the one that the ending of --out means, or else table].
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<Format>,
    /// Print JSON; the same as --format json.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    /// Write into this file instead of standard output.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// A list of games as in the API.
    Json,
    /// One row per game.
    Csv,
    /// The same as CSV, for pandas, polars and DuckDB.
    Parquet,
}

/// The endings of files, with the formats that they mean.
const ENDINGS: [(&str, Format); 4] =
    [("txt", Format::Table), ("json", Format::Json), ("csv", Format::Csv), ("parquet", Format::Parquet)];

/// Prints the list.
pub(super) async fn run(args: GameListArgs) -> anyhow::Result<()> {
    let GameListArgs { selection, format, json, out, target } = args;
    let asked = if json { Some(Format::Json) } else { format };
    let format = format_of(asked, out.as_deref(), &ENDINGS)?.unwrap_or(Format::Table);
    let target = target.open().await?;
    let found = selection.find(&target).await;
    target.close().await;
    let SelectedGames { games: found, is_cut } = found?;
    let content = match format {
        Format::Table if found.is_empty() => b"no game\n".to_vec(),
        Format::Table => table(&found).into_bytes(),
        Format::Json => (serde_json::to_string_pretty(&found)? + "\n").into_bytes(),
        Format::Csv => games(&found).csv().into_bytes(),
        Format::Parquet => parquet(&games(&found))?,
    };
    deliver(&content, out.as_deref())?;
    if is_cut {
        eprintln!("there are more games: --limit GAMES or --all lists them");
    }
    Ok(())
}

const HEADINGS: [&str; 12] = [
    "game", "cell", "case", "against", "budget", "machine", "arrived", "status", "side", "size", "moves",
    "result",
];

fn table(games: &[FoundGame]) -> String {
    let ids = short(&games.iter().map(|game| game.id.0).collect::<Vec<_>>());
    let cells = short(&games.iter().map(|game| game.cell.0).collect::<Vec<_>>());
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(games.iter().zip(ids.into_iter().zip(cells)).map(|(game, (id, cell))| {
        [
            id,
            cell,
            game.case.clone(),
            game.baseline.clone(),
            game.budget.words(),
            game.worker_name.clone(),
            utc(game.received_ms),
            game.status.to_string(),
            game.case_side.to_string(),
            game.size.to_string(),
            game.plies.to_string(),
            result(game),
        ]
    }));
    aligned(&rows, 9)
}

/// How the game ended for the case, such as `win by fork`.
pub(super) fn result(game: &FoundGame) -> String {
    let result = match game.result {
        CaseResult::Win => "win",
        CaseResult::Draw => "draw",
        CaseResult::Loss => "loss",
    };
    game.kind.map_or_else(|| result.to_owned(), |kind| format!("{result} by {kind}"))
}
