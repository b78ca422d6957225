//! `gauntlet verify`: verifies the totals.

use super::database::DatabaseArgs;
use super::print;
use protocol::words::counted;
use std::fmt::Write;
use std::process::ExitCode;

/// Counts every total again from the games and prints each difference and each stored value that is invalid.
///
/// Exit code 0 means that everything is correct, 1 that something is not. Nothing is changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet verify
  gauntlet verify --database postgres://lab/gauntlet")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
}

/// Verifies the database.
pub(crate) async fn run(args: VerifyArgs) -> anyhow::Result<ExitCode> {
    let coordinator = args.database.open_existing().await?;
    let verification = coordinator.verify().await?;
    coordinator.close().await;
    let mut out = String::new();
    for unknown in &verification.unknown {
        writeln!(out, "{unknown}")?;
    }
    for difference in &verification.differences {
        writeln!(out, "{difference}")?;
    }
    let mut verdict = match verification.differences.len() as u64 {
        0 => "every total is right".to_owned(),
        n => format!("{} wrong", counted(n, "total")),
    };
    if !verification.unknown.is_empty() {
        let values = counted(verification.unknown.len() as u64, "value");
        write!(verdict, ", {values} without meaning")?;
    }
    writeln!(
        out,
        "{}, {}, {}: {verdict}",
        counted(verification.cells, "cell"),
        counted(verification.pairs, "pair"),
        counted(verification.games, "counted game")
    )?;
    print(&out)?;
    Ok(if verification.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
