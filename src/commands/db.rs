//! `gauntlet db`: the database as a whole.

use super::claim::Claim;
use super::serve::DatabaseArgs;
use super::target::who;
use super::token::duration;
use super::{print, verify};
use anyhow::{Context, bail};
use coordinator::{Config, Coordinator, Copied, Upgraded, Verification};
use protocol::words::counted;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Backs up, restores, proves and moves the database.
///
/// A backup is a database of its own, in an SQLite file, whatever the original is. It is taken while the coordinator
/// works, is that of one moment, and its totals are proved before it gets its name.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum DbCommand {
    /// Makes an empty database, such as for tokens before the first `serve`. One that is there stays as it is.
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
        /// The file. There must be none of this name.
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Writes everything of a backup into a database that is empty or does not exist. The backup stays as it is.
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
        /// From where: a file, or postgres://… .
        from: String,
        /// To where.
        to: String,
    },
    /// Counts everything again from the games and prints every difference, as `gauntlet verify`.
    Verify(verify::VerifyArgs),
    /// Brings the schema of an older program's database up to date, once its coordinators are stopped and a backup is
    /// made.
    Migrate {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Drops the moves of old games to make room. Their results are kept, for good.
    #[command(after_help = "\
Example:
  gauntlet db prune --older-than 90d")]
    Prune {
        /// Of games stored so long ago, such as 90d.
        #[arg(long, value_name = "TIME", value_parser = duration)]
        older_than: Duration,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// Does it.
pub(crate) async fn run(command: DbCommand) -> anyhow::Result<ExitCode> {
    match command {
        DbCommand::Create { database } => {
            let coordinator = Coordinator::open(database.config()).await?;
            let is_new = coordinator.upgraded().from == 0;
            coordinator.close().await;
            let state = if is_new { "an empty database" } else { "a database, which was there already" };
            // An address may hold a password.
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

/// What was copied, in the words of `gauntlet verify`: games that count, not every play of them.
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

/// The same path with something after its name.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn address(file: &Path) -> anyhow::Result<String> {
    file.to_str().map(str::to_owned).with_context(|| format!("{} is no text", file.display()))
}

async fn backup(database: &DatabaseArgs, file: &Path) -> anyhow::Result<()> {
    database.open_existing().await?.close().await;
    if file.exists() {
        bail!("{} is there already: a backup overwrites nothing", file.display());
    }
    // Made here, so that nobody but its owner ever reads the digests of tokens in it.
    let part = beside(file, ".part");
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part);
    made.with_context(|| format!("cannot make {}; one left by a backup that failed can go", part.display()))?;
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

/// Opens a database that is there, so that its schema is up to date, and closes it.
async fn upgrade(config: Config) -> anyhow::Result<Upgraded> {
    let coordinator = Coordinator::open(Config { create: false, upgrade: true, ..config }).await?;
    let upgraded = coordinator.upgraded().clone();
    coordinator.close().await;
    Ok(upgraded)
}

/// What was done to a schema.
fn in_words(Upgraded { from, to, steps }: &Upgraded) -> String {
    if steps.is_empty() {
        return format!("the schema is at version {to} already: nothing was to be done\n");
    }
    let steps = steps.iter().map(|(version, name)| format!("  {version:>2}  {}\n", name.replace('_', " ")));
    format!("the schema went from version {from} to {to}:\n{}", steps.collect::<String>())
}

async fn restore(file: &Path, database: &str) -> anyhow::Result<()> {
    // Of an older version it is brought up to date on the way: that must not happen to the backup itself.
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
