//! `gauntlet db`: commands for the whole database.

use super::database::DatabaseArgs;
use super::files::folder_of;
use super::time::age;
use super::user::who;
use super::{asked, print, verify};
use anyhow::{Context, bail, ensure};
use coordinator::{Config, Coordinator, Copied, CopyError, Verification};
use protocol::words::counted;
use std::fs::OpenOptions;
use std::io::IsTerminal;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Backs up, restores, verifies and moves the database.
///
/// A backup is a complete database in an SQLite file, also when the original is on Postgres. It can be taken while the
/// coordinator runs, and shows one moment. Its totals are verified: with wrong ones, the backup is kept, and the command fails.
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
    /// Deletes the moves of old games to make room in the database. Results are kept forever.
    ///
    /// New games use the room. The file itself does not get smaller; a backup of the database is smaller. Without its moves a
    /// game cannot be replayed or checked again.
    #[command(after_help = "\
Example:
  gauntlet db prune --older-than 90d")]
    Prune {
        /// Delete the moves of games that were stored longer ago than this, or before this date (UTC), for example 90d, 12h or
        /// 2026-08-01.
        #[arg(long, value_name = "TIME", value_parser = age)]
        older_than: Duration,
        /// Do not ask. Without a terminal the command does not ask.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

pub(crate) async fn run(command: DbCommand) -> anyhow::Result<ExitCode> {
    match command {
        DbCommand::Create { database } => {
            let coordinator = Coordinator::open(database.config()).await?;
            let is_new = coordinator.is_new();
            coordinator.close().await;
            // An address may contain a password.
            let place = database.file().unwrap_or("the database on the server");
            let done = if is_new { "was created; it is empty" } else { "existed already; it is not changed" };
            print(&format!("{place} {done}\n"))?;
        }
        DbCommand::Backup { file, database } => backup(&database, &file).await?,
        DbCommand::Restore { file, database } => restore(&file, &database).await?,
        DbCommand::Copy { from, to } => {
            let (copied, proof) = coordinator::copy(&from, &to).await?;
            print(&format!("{}\n", in_numbers(&copied, &proof)))?;
            is_right(&proof)?;
        }
        DbCommand::Verify(args) => return verify::run(args).await,
        DbCommand::Prune { older_than, yes, database } => {
            let ask = !yes && std::io::stdin().is_terminal();
            if ask && !asked("The moves of all games that are older are deleted for good.", "delete them?")? {
                return print("nothing is deleted\n").map(|()| ExitCode::SUCCESS);
            }
            print(&prune(&database, older_than).await?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Deletes the moves of old games, and reports the result. Deleting needs a little space itself.
async fn prune(database: &DatabaseArgs, older_than: Duration) -> anyhow::Result<String> {
    let coordinator = database.open_existing().await?;
    let dropped = coordinator.drop_records(older_than, &who()).await;
    let full = match dropped {
        Ok(1..) => None,
        _ => coordinator.overview().await.ok().and_then(|overview| overview.trouble),
    };
    coordinator.close().await;
    match (dropped, full) {
        (Ok(0), None) => Ok("no moves are that old: nothing is deleted\n".into()),
        (Ok(0), Some(full)) => {
            bail!("no moves are that old; make room with a shorter --older-than, or delete other files: {full}")
        }
        (Ok(dropped), _) => {
            Ok(format!("deleted the moves of {}; the results are kept\n", counted(dropped, "game")))
        }
        (Err(error), None) => Err(error.into()),
        (Err(error), Some(_)) => Err(anyhow::Error::from(error)
            .context("deleting needs a little room: make room by deleting another file on that disk, then run this again")),
    }
}

/// The copied rows. As in `gauntlet verify`, the number of games is the number of counted games.
fn in_numbers(copied: &Copied, proof: &Verification) -> String {
    let of = |name: &str| copied.iter().find(|(table, _)| *table == name).map_or(0, |(_, rows)| *rows);
    let others = of("game").saturating_sub(proof.games);
    format!(
        "{}, {}, {}{}{}",
        counted(of("experiment"), "experiment"),
        counted(of("cell"), "cell"),
        counted(proof.games, "counted game"),
        if others == 0 { String::new() } else { format!(" ({})", counted(of("game"), "play")) },
        if proof.is_right() { ": every total is right" } else { "" }
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

/// Refuses an existing name for a new database. SQLite would replay a log beside it into the new file.
fn check_free(file: &Path) -> anyhow::Result<()> {
    for taken in ["", "-wal", "-shm"].map(|suffix| beside(file, suffix)) {
        ensure!(
            !taken.exists(),
            "{} exists already; a backup never overwrites a file{}",
            taken.display(),
            if taken == file { "" } else { ", and SQLite would play this log of another one into it" }
        );
    }
    Ok(())
}

/// Fails if the copy has wrong totals, which it has from the original.
fn is_right(proof: &Verification) -> anyhow::Result<()> {
    let wrong = proof.differences.len() + proof.unknown.len();
    ensure!(
        wrong == 0,
        "the copy is complete; {} wrong, as in the original: `gauntlet verify` lists them",
        if wrong == 1 { "1 of its totals is".to_owned() } else { format!("{wrong} of its totals are") }
    );
    Ok(())
}

async fn backup(database: &DatabaseArgs, file: &Path) -> anyhow::Result<()> {
    database.open_existing().await?.close().await;
    check_free(file)?;
    // Created here with permissions for its owner only, because it contains digests of tokens.
    let part = beside(file, ".part");
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part);
    made.with_context(|| format!("cannot create {}; if a failed backup left it, delete it", part.display()))?;
    let copied = coordinator::copy(database.address(), &address(&part)?).await;
    // SQLite copies its log into the file when the file is closed, and reports no error when the disk has no space for that.
    let is_torn = std::fs::metadata(beside(&part, "-wal")).is_ok_and(|log| log.len() > 0);
    for leftover in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&part, leftover));
    }
    // A copy that cannot be verified is kept.
    let (copied, is_right) = match copied {
        Ok((copied, proof)) => (Ok(in_numbers(&copied, &proof)), is_right(&proof)),
        Err(error @ CopyError::Unverified(_)) => (Ok("not verified".to_owned()), Err(error.into())),
        Err(error) => (Err(error), Ok(())),
    };
    match copied {
        Ok(_) if is_torn => {
            let _ = std::fs::remove_file(&part);
            bail!(
                "the copy could not be completed in {}: is the disk full? Nothing is kept of it",
                part.display()
            )
        }
        Ok(copied) => {
            std::fs::File::open(&part)
                .and_then(|part| part.sync_all())
                .with_context(|| format!("cannot write {} to the disk", part.display()))?;
            // Another process may have made the file meanwhile. A link overwrites nothing.
            std::fs::hard_link(&part, file).and_then(|()| std::fs::remove_file(&part)).with_context(
                || format!("cannot name it {}; it is complete in {}", file.display(), part.display()),
            )?;
            print(&format!("{}: {copied}\n", file.display()))?;
            let original = database.open_existing().await?;
            let noted = original.note_backup(&copied, &who()).await;
            original.close().await;
            if let Err(error) = noted {
                eprintln!("warning: the backup is complete, and its time cannot be noted: {error}");
            }
            is_right
        }
        Err(error) => {
            let _ = std::fs::remove_file(&part);
            Err(error.into())
        }
    }
}

async fn restore(file: &Path, database: &DatabaseArgs) -> anyhow::Result<()> {
    // SQLite writes beside a file that it opens, so a copy is opened: the backup must not change, and its disk may be read-only.
    // The disk of a new file has to have room for it anyway. Without a new file the disk of the backup is likelier to have room
    // than that of temporary files, which is often in memory.
    let directory = |folder: &Path| tempfile::Builder::new().prefix(".restoring").tempdir_in(folder);
    let folder = match database.file() {
        Some(new) => directory(folder_of(Path::new(new))),
        None => directory(folder_of(file)).or_else(|_| directory(&std::env::temp_dir())),
    };
    let folder = folder.context("cannot make a directory for a copy of the backup")?;
    let copy = folder.path().join("copy.db");
    // The log of a coordinator that was killed has the latest results.
    for suffix in ["", "-wal"] {
        let from = beside(file, suffix);
        if suffix.is_empty() || from.exists() {
            duplicate(&from, &beside(&copy, suffix))
                .with_context(|| format!("cannot copy {} to {}", from.display(), folder.path().display()))?;
        }
    }
    let from = address(&copy)?;
    Coordinator::open(Config { create: false, ..Config::new(&from) })
        .await
        .with_context(|| format!("cannot open {} as a backup", file.display()))?
        .close()
        .await;
    let (copied, proof) = coordinator::copy(&from, database.address()).await?;
    print(&format!("restored: {}\n", in_numbers(&copied, &proof)))?;
    is_right(&proof)
}

/// Copies the content of a file, but not its permissions: the original may be read-only for all users.
fn duplicate(from: &Path, to: &Path) -> std::io::Result<u64> {
    std::io::copy(&mut std::fs::File::open(from)?, &mut std::fs::File::create(to)?)
}
