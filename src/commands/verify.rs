//! `gauntlet verify`: proof of the totals.

use super::print;
use super::serve::DatabaseArgs;
use protocol::words::counted;
use std::fmt::Write;
use std::process::ExitCode;

/// Counts everything again from the games and prints every difference.
///
/// Exit code 0 means that all totals are right, 1 that some are not. Nothing is changed.
#[derive(Debug, clap::Args)]
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
    for difference in &verification.differences {
        writeln!(out, "{difference}")?;
    }
    let verdict = match verification.differences.len() as u64 {
        0 => "every total is right".to_owned(),
        n => format!("{} wrong", counted(n, "total")),
    };
    writeln!(
        out,
        "{}, {}, {}: {verdict}",
        counted(verification.cells, "cell"),
        counted(verification.pairs, "pair"),
        counted(verification.games, "counted game")
    )?;
    print(&out)?;
    Ok(if verification.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
