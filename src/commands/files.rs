//! Experiment files on the disk, and one to begin with.

use anyhow::{Context, bail};
use protocol::experiment::{Experiment, nearest};
use std::io::Read;
use std::path::Path;

/// The committed example, which explains itself.
const TEMPLATE: &str = include_str!("../../configs/quickstart.toml");

/// More bytes than any experiment file has.
const LARGEST: u64 = 4 << 20;

/// Prints an experiment file to begin with.
///
/// It is a complete experiment and explains every line.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet template > my-sweep.toml")]
pub(crate) struct TemplateArgs {}

/// Prints it.
pub(crate) fn template(_: &TemplateArgs) -> anyhow::Result<()> {
    super::print(TEMPLATE)
}

/// Reads an experiment file; `-` is standard input.
pub(crate) fn read_experiment(path: &Path) -> anyhow::Result<Experiment> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read(std::io::stdin()).context("cannot read standard input")?)
    } else {
        let name = path.display().to_string();
        if path.is_dir() {
            bail!("{name} is a directory: name an experiment file{}", in_it(path));
        }
        let file = match std::fs::File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                bail!("there is no file {name}{}", instead(path))
            }
            file => file.with_context(|| format!("cannot read {name}"))?,
        };
        let bytes = read(file).with_context(|| format!("cannot read {name}"))?;
        (name, bytes)
    };
    if bytes.len() as u64 > LARGEST {
        bail!("{name} is larger than {} MiB: that is no experiment file", LARGEST >> 20);
    }
    Ok(Experiment::read(&name, &bytes)?)
}

/// What is there, as far as it is worth reading.
fn read(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names of the experiment files in a directory.
fn files_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    names
}

/// Experiment files of a directory, as the end of a sentence.
fn in_it(directory: &Path) -> String {
    match files_in(directory).first() {
        Some(name) => format!(" in it, such as {}", directory.join(name).display()),
        None => String::new(),
    }
}

/// What a file that is not there may have been meant to be, as the end of a sentence.
fn instead(path: &Path) -> String {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let files = files_in(directory);
    let files: Vec<&str> = files.iter().map(String::as_str).take(10).collect();
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if !files.is_empty() => format!("; {}", nearest(name, &files)),
        _ => "; `gauntlet template > my-sweep.toml` writes one to begin with".to_owned(),
    }
}
