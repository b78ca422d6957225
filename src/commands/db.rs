//! `gauntlet db`: commands for the whole database.

use super::claim::Claim;
use super::database::DatabaseArgs;
use super::target::who;
use super::time::duration;
use super::{print, verify};
use anyhow::{Context, bail};
use coordinator::{Config, Coordinator, Copied, Upgraded, Verification};
use protocol::words::counted;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Backs up, restores, verifies and moves the database.
///
/// A backup is a complete database in an SQLite file, also when the original is on Postgres. It can be taken while the
/// coordinator runs, and shows one moment. Its totals are verified before the file gets its name.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum DbCommand {
    /// Creates an empty database, for example to make tokens before the first `serve`. An existing database is not changed.
    #[command(after_help = "\
Example:
  gauntlet db create --database postgres://lab/gauntlet")]
    Create {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Writes everything into a new file.
    #[command(after_help = "\
Example:
  gauntlet db backup \"gauntlet-$(date +%F).db\" --database postgres://lab/gauntlet")]
    Backup {
        /// The new file. A file of this name must not exist.
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Copies a backup into a database that is empty or does not exist. The backup is not changed.
    #[command(after_help = "\
Example:
  gauntlet db restore gauntlet-2026-08-01.db --database postgres://lab/gauntlet")]
    Restore {
        /// The backup.
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Copies everything into another database that is empty or does not exist: SQLite to Postgres, or back.
    #[command(after_help = "\
Example:
  gauntlet db copy gauntlet.db postgres://lab/gauntlet")]
    Copy {
        /// The source: a file, or postgres://… .
        from: String,
        /// The destination: a file, or postgres://… .
        to: String,
    },
    /// Counts every total again from the games and prints the differences, like `gauntlet verify`.
    Verify(verify::VerifyArgs),
    /// Migrates the database of an older program to the present schema. Stop the coordinators and make a backup first.
    Migrate {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Deletes the moves of old games to make room. Results are kept forever.
    #[command(after_help = "\
Example:
  gauntlet db prune --older-than 90d")]
    Prune {
        /// Delete the moves of games older than this, for example 90d.
        #[arg(long, value_name = "TIME", value_parser = duration)]
        older_than: Duration,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// Runs the command.
pub(crate) async fn run(command: DbCommand) -> anyhow::Result<ExitCode> {
    match command {
        DbCommand::Create { database } => {
            let coordinator = Coordinator::open(database.config()).await?;
            let is_new = coordinator.upgraded().from == 0;
            coordinator.close().await;
            let state = if is_new { "an empty database" } else { "a database, which was there already" };
            // An address may contain a password.
            print(&format!("{} is {state}\n", database.file().unwrap_or("the server's")))?;
        }
        DbCommand::Backup { file, database } => backup(&database, &file).await?,
        DbCommand::Restore { file, database } => restore(&file, database.address()).await?,
        DbCommand::Copy { from, to } => {
            let copied = coordinator::copy(&from, &to).await?;
            print(&format!("{}\n", in_numbers(&copied)))?;
        }
        DbCommand::Verify(args) => return verify::run(args).await,
        DbCommand::Migrate { database } => {
            let _claim = Claim::take(&database, "db migrate").await?;
            print(&in_words(&upgrade(database.config()).await?))?;
        }
        DbCommand::Prune { older_than, database } => {
            let coordinator = database.open_existing().await?;
            let dropped = coordinator.drop_records(older_than, &who()).await?;
            coordinator.close().await;
            let games = counted(dropped, "game");
            print(&format!("the moves of {games} are dropped; the results are kept\n"))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What was copied. As in `gauntlet verify`, the number of games is the number of counted games.
fn in_numbers((copied, proof): &(Copied, Verification)) -> String {
    let of = |name: &str| copied.iter().find(|(table, _)| *table == name).map_or(0, |(_, rows)| *rows);
    let others = of("game").saturating_sub(proof.games);
    format!(
        "{}, {}, {}{}: every total is right",
        counted(of("experiment"), "experiment"),
        counted(of("cell"), "cell"),
        counted(proof.games, "counted game"),
        if others == 0 { String::new() } else { format!(" ({})", counted(of("game"), "play")) }
    )
}

/// The path with a suffix.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn address(file: &Path) -> anyhow::Result<String> {
    file.to_str().map(str::to_owned).with_context(|| format!("{} is not UTF-8", file.display()))
}

async fn backup(database: &DatabaseArgs, file: &Path) -> anyhow::Result<()> {
    database.open_existing().await?.close().await;
    if file.exists() {
        bail!("{} exists already; a backup never overwrites a file", file.display());
    }
    // Created here with permissions for its owner only, because it contains digests of tokens.
    let part = beside(file, ".part");
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part);
    made.with_context(|| format!("cannot create {}; if a failed backup left it, delete it", part.display()))?;
    let copied = coordinator::copy(database.address(), &address(&part)?).await;
    for leftover in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&part, leftover));
    }
    match copied {
        Ok(copied) => {
            std::fs::File::open(&part)
                .and_then(|part| part.sync_all())
                .context("cannot write it to the disk")?;
            std::fs::rename(&part, file).with_context(|| format!("cannot name it {}", file.display()))?;
            print(&format!("{}: {}\n", file.display(), in_numbers(&copied)))
        }
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            Err(error.into())
        }
    }
}

/// Opens and closes an existing database, which migrates its schema.
async fn upgrade(config: Config) -> anyhow::Result<Upgraded> {
    let coordinator = Coordinator::open(Config { create: false, upgrade: true, ..config }).await?;
    let upgraded = coordinator.upgraded().clone();
    coordinator.close().await;
    Ok(upgraded)
}

/// The migrations that were run.
fn in_words(Upgraded { from, to, steps }: &Upgraded) -> String {
    if steps.is_empty() {
        return format!("the schema is already at version {to}; nothing to do\n");
    }
    let steps = steps.iter().map(|(version, name)| format!("  {version:>2}  {}\n", name.replace('_', " ")));
    format!("the schema went from version {from} to {to}:\n{}", steps.collect::<String>())
}

async fn restore(file: &Path, database: &str) -> anyhow::Result<()> {
    // Opening an older database migrates it, so a copy is opened: the backup must not change.
    let copy = beside(file, ".restoring");
    std::fs::copy(file, &copy).with_context(|| format!("cannot copy {}", file.display()))?;
    let copied = async {
        let from = address(&copy)?;
        upgrade(Config::new(&from)).await?;
        anyhow::Ok(coordinator::copy(&from, database).await?)
    }
    .await;
    for leftover in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&copy, leftover));
    }
    print(&format!("restored: {}\n", in_numbers(&copied?)))
}
