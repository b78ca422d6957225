//! `gauntlet import`: the games of bundles, put into a database.

use super::bundle::archive::{self, Contents};
use super::database::DatabaseArgs;
use super::user::who;
use crate::logging;
use anyhow::{Context, Result, bail};
use coordinator::{Coordinator, CoordinatorError, Imported};
use indicatif::{ProgressBar, ProgressStyle};
use protocol::bundle::BundledGame;
use protocol::experiment::Experiment;
use protocol::life::Revision;
use protocol::words::counted;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc::{Sender, channel};

/// The number of games that are read at once.
const AT_ONCE: usize = 1000;

/// The suffix of the author of an imported revision.
const BY_IMPORT: &str = " (import)";

/// The most reasons that are printed for refused games.
const MOST_REASONS: usize = 5;

/// Puts the games of reproducibility bundles into a database, which goes on from there.
///
/// An experiment that the database does not have is applied first, with all its revisions. An applied plan stays.
/// Then new games are played after the imported ones. So two databases of one experiment become one, and an experiment goes on
/// where only its bundle was kept.
///
/// A bundle is checked as a whole before anything is stored. Each game is judged as if a worker had delivered it: by the rules,
/// its times and its simulations, and a coordinator that serves the database has its share of them played again by other machines
/// (`gauntlet serve --replay-share`). `gauntlet rerun` plays games of a bundle again here. A game counts unless the same game of
/// its pair counts already: equal pair numbers have equal openings. Excluded games stay excluded. Importing the same bundle again
/// changes nothing, so an import that was interrupted is completed by the same command. A coordinator that serves the database
/// sees the games at once.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet import gauntlet-my-sweep.tar.gz
  gauntlet import one.tar.gz two.tar.gz --database both.db
  gauntlet import my-sweep.tar.gz && gauntlet run my-sweep.toml     play on

Exits with 1 when a bundle cannot be used, and when games were refused.")]
pub(crate) struct ImportArgs {
    /// The bundles, as `gauntlet bundle` writes them.
    #[arg(value_name = "FILE.tar.gz", required = true)]
    bundles: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Runs the command.
pub(crate) async fn run(args: ImportArgs) -> Result<()> {
    let mut checked = Vec::new();
    for path in args.bundles {
        let mut games = 0;
        let contents = reading({
            let path = path.clone();
            move || {
                let contents = archive::read(&path, |_| games += 1)?;
                Ok((contents, games))
            }
        });
        let (contents, games) = contents.await?;
        checked.push((path, contents, games));
    }
    let coordinator = Coordinator::open(args.database.config()).await?;
    if coordinator.is_new() {
        // An address may contain a password.
        eprintln!("made the database {}", args.database.file().unwrap_or("on the server"));
    }
    let mut refused = 0;
    for (path, contents, games) in checked {
        let imported = import(&coordinator, &path, &contents, games).await;
        let imported = imported.with_context(|| format!("{} is not imported as a whole", path.display()))?;
        super::print(&told(&contents.manifest.name, games, &imported))?;
        refused += imported.refused.len();
    }
    coordinator.close().await;
    match refused as u64 {
        0 => Ok(()),
        refused => bail!("{} refused", counted(refused, "game")),
    }
}

/// Reads on a thread that may wait for a disk.
async fn reading<T: Send + 'static>(read: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(read).await.context("reading ended")?
}

async fn import(coordinator: &Coordinator, path: &Path, contents: &Contents, games: u64) -> Result<Imported> {
    let name = &contents.manifest.name;
    let missing = missing_revisions(coordinator, contents).await?;
    apply(coordinator, contents, missing).await?;
    let (sender, mut parts) = channel(1);
    let file = path.to_owned();
    let read = tokio::task::spawn_blocking(move || send(&file, &sender));
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left").expect("a valid template");
    let bar = logging::bars().add(ProgressBar::new(games).with_style(style));
    let mut imported = Imported::default();
    while let Some(part) = parts.recv().await {
        let number = part.len() as u64;
        imported += coordinator.import_games(name, part).await?;
        bar.inc(number);
    }
    bar.finish_and_clear();
    read.await.context("reading ended")??;
    if imported.counted + imported.superseded + imported.excluded > 0 {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        coordinator.note_import(name, (&imported, &file), &who()).await?;
    }
    Ok(imported)
}

/// The revisions of the experiment that the database has to store first: all if it does not have the experiment, and those that
/// an import which was cut off had not come to. A plan that another person applied is left alone.
async fn missing_revisions<'c>(
    coordinator: &Coordinator,
    contents: &'c Contents,
) -> Result<&'c [Experiment]> {
    let name = &contents.manifest.name;
    let mut stored = match coordinator.history(name).await {
        Err(CoordinatorError::NotFound { .. }) if contents.revisions.is_empty() => {
            bail!(
                "it has no plan, and the database has no experiment `{name}`: apply the file of the experiment first"
            )
        }
        Err(CoordinatorError::NotFound { .. }) => Vec::new(),
        history => history?.revisions,
    };
    stored.reverse();
    let is_imported = |(revision, plan): (&Revision, &Experiment)| {
        revision.content == plan.id() && revision.who.ends_with(BY_IMPORT)
    };
    let is_cut_off =
        stored.len() < contents.revisions.len() && stored.iter().zip(&contents.revisions).all(is_imported);
    Ok(if is_cut_off { &contents.revisions[stored.len()..] } else { &[] })
}

/// Applies revisions of an experiment, one after the other, so that cells that are no longer planned exist, too.
async fn apply(coordinator: &Coordinator, contents: &Contents, revisions: &[Experiment]) -> Result<()> {
    let Some((newest, older)) = revisions.split_last() else { return Ok(()) };
    if newest.tune.is_some() {
        let name = &contents.manifest.name;
        bail!("`{name}` is a tune: its trials belong to the database that chose them");
    }
    let who = format!("{}{BY_IMPORT}", who());
    for plan in older {
        // Of an older engine, for instance. Its games are then left out.
        if let Err(error) = coordinator.apply_over(plan, &who, true).await {
            tracing::warn!("an older revision of `{}` is left out: {error}", contents.manifest.name);
        }
    }
    coordinator.apply_over(newest, &who, true).await?;
    Ok(())
}

/// Reads the games of a bundle and sends them in parts.
fn send(path: &Path, to: &Sender<Vec<BundledGame>>) -> Result<()> {
    let mut part = Vec::new();
    archive::read(path, |game| {
        part.push(game);
        if part.len() == AT_ONCE {
            // After an error, which is reported, the receiver takes no more parts.
            let _ = to.blocking_send(std::mem::take(&mut part));
        }
    })?;
    let _ = to.blocking_send(part);
    Ok(())
}

fn told(name: &str, games: u64, imported: &Imported) -> String {
    let mut out = format!("{name}: {} of {} count now\n", imported.counted, counted(games, "game"));
    for (number, what) in [
        (
            imported.unrepeatable,
            "of them were played by another version of the search: no machine of this version can check them",
        ),
        (imported.known, "stored before"),
        (imported.superseded, "stored, and superseded by games that count already"),
        (imported.excluded, "stored and excluded"),
        (imported.uncounted, "left out: superseded where they come from"),
        (imported.without_moves, "left out: their moves were deleted, so they cannot be checked"),
        (imported.unplanned, "left out: their cells are not in the experiment of this database"),
        (imported.refused.len() as u64, "refused"),
    ] {
        if number > 0 {
            out += &format!("  {number} {what}\n");
        }
    }
    for why in imported.refused.iter().take(MOST_REASONS) {
        out += &format!("    {why}\n");
    }
    out
}
