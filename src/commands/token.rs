//! `gauntlet token`: admitting machines and people.

use super::print;
use super::serve::DatabaseArgs;
use anyhow::Context;

/// Makes tokens.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TokenCommand {
    /// Makes a token for a worker, or for somebody who applies experiments.
    ///
    /// It is printed once and not kept: the database holds its digest only. The coordinator need not run, and if it
    /// does, it knows the token at once.
    #[command(after_help = "\
Example:
  gauntlet token add node7 --database gauntlet.db")]
    Add {
        /// Who it is for.
        name: String,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// Makes the token and prints it.
pub(crate) async fn run(command: TokenCommand) -> anyhow::Result<()> {
    let TokenCommand::Add { name, database } = command;
    let coordinator = database.open().await?;
    let token =
        coordinator.create_token(&name).await.with_context(|| format!("cannot make a token for {name}"))?;
    coordinator.close().await;
    print(&format!("{}\n", token.reveal()))
}
