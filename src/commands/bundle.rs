//! `gauntlet bundle`: everything of an experiment in one file, for others to check.

pub mod archive;

use super::files::folder_of;
use super::spare_sources;
use super::target::{Target, TargetArgs};
use super::unknown::or_names;
use crate::logging;
use anyhow::{Context, Result};
use axum::response::Response;
use futures_util::StreamExt;
use indicatif::{ProgressBar, ProgressStyle};
use protocol::endpoints::GetBundle;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Writes the reproducibility bundle of an experiment.
///
/// A bundle has the plan of each revision, all games with their moves, results and verdicts, the history, and the versions and
/// speeds of the machines. `gauntlet rerun` plays a sample of its games again on another machine. docs/reference/bundle.md
/// describes the files.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet bundle my-sweep
  gauntlet bundle my-sweep -o my-sweep.tar.gz --coordinator http://host:8437
  gauntlet rerun my-sweep.tar.gz")]
pub(crate) struct BundleArgs {
    /// The experiment's name or id.
    #[arg(value_name = "NAME|ID")]
    experiment: String,
    /// The file to write [default: gauntlet-NAME.tar.gz].
    #[arg(long, short, value_name = "FILE.tar.gz")]
    out: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Runs the command.
pub(crate) async fn run(args: BundleArgs) -> Result<()> {
    let target = args.target.open().await?;
    let written = write(&target, &args.experiment, args.out.as_deref()).await;
    let written = or_names(&target, &args.experiment, written).await;
    target.close().await;
    let (file, bytes) = written?;
    eprintln!("wrote {}: {}", file.display(), indicatif::HumanBytes(bytes));
    Ok(())
}

/// Writes the bundle beside its place and puts it there when it is whole. Returns the file and its bytes.
pub async fn write(target: &Target, experiment: &str, out: Option<&Path>) -> Result<(PathBuf, u64)> {
    let answer = target.file(GetBundle, experiment, &()).await?;
    let usual = file_name(&answer).unwrap_or_else(|| "gauntlet-bundle.tar.gz".to_owned());
    let file = out.map_or_else(|| usual.into(), Path::to_owned);
    let folder = folder_of(&file);
    let cannot = || format!("cannot write {}", file.display());
    spare_sources(&file)?;
    let mut beside = tempfile::Builder::new();
    // Others may read what they may read of other new files; a temporary file is its owner's alone.
    let mut beside =
        beside.permissions(Permissions::from_mode(0o666)).tempfile_in(folder).with_context(cannot)?;
    let style = ProgressStyle::with_template("{spinner} {bytes}").expect("a valid template");
    let bar = logging::bars().add(ProgressBar::new_spinner().with_style(style));
    let mut bytes = 0;
    let mut parts = answer.into_body().into_data_stream();
    while let Some(part) = parts.next().await {
        let part = part.context("the coordinator did not finish the bundle")?;
        beside.write_all(&part).with_context(cannot)?;
        bytes += part.len() as u64;
        bar.set_position(bytes);
    }
    bar.finish_and_clear();
    beside.as_file().sync_all().with_context(cannot)?;
    beside.persist(&file).with_context(cannot)?;
    Ok((file, bytes))
}

/// The name that a coordinator gives to the file. A name with a folder is none.
fn file_name(answer: &Response) -> Option<String> {
    let header = answer.headers().get("content-disposition")?.to_str().ok()?;
    let (_, name) = header.split_once("filename=\"")?;
    let name = name.strip_suffix('"')?;
    (Path::new(name).file_name() == Some(name.as_ref())).then(|| name.to_owned())
}
