//! Reading experiment files.

use anyhow::{Context, bail};
use protocol::experiment::{Baselines, Experiment, nearest};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The largest size of an experiment file, in bytes.
const LARGEST: u64 = 4 << 20;

/// Reads an experiment file; `-` is standard input. `names` is asked for named baselines if the file uses one.
pub(crate) async fn read_experiment(
    path: &Path,
    names: impl AsyncFn() -> anyhow::Result<Baselines>,
) -> anyhow::Result<Experiment> {
    let (name, bytes) = content(path)?;
    match Experiment::read(&name, &bytes) {
        Err(error) if error.asks_for_baselines() => {
            let known = names().await.with_context(|| error.to_string())?;
            Ok(Experiment::read_with(&name, &bytes, Some(&known))?)
        }
        read => Ok(read?),
    }
}

/// The name of a file for messages, and its content.
fn content(path: &Path) -> anyhow::Result<(String, Vec<u8>)> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read(std::io::stdin()).context("cannot read standard input")?)
    } else {
        let name = path.display().to_string();
        if path.is_dir() {
            bail!("{name} is a directory: name an experiment file{}", in_it(path));
        }
        let file = match std::fs::File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                bail!("there is no file {name}{}", instead(path))
            }
            file => file.with_context(|| format!("cannot read {name}"))?,
        };
        let bytes = read(file).with_context(|| format!("cannot read {name}"))?;
        (name, bytes)
    };
    if bytes.len() as u64 > LARGEST {
        bail!("{name} is larger than {} MiB and therefore not an experiment file", LARGEST >> 20);
    }
    Ok((name, bytes))
}

/// Reads experiments, as [`read_experiment`]. Their names must differ, because a file is a revision of the experiment that it
/// names.
pub(crate) async fn read_experiments(
    files: &[PathBuf],
    names: impl AsyncFn() -> anyhow::Result<Baselines>,
) -> anyhow::Result<Vec<Experiment>> {
    let mut experiments: Vec<Experiment> = Vec::with_capacity(files.len());
    for file in files {
        experiments.push(read_experiment(file, &names).await?);
    }
    for (index, experiment) in experiments.iter().enumerate() {
        if let Some(first) = experiments[..index].iter().position(|other| other.name == experiment.name) {
            bail!(
                "the experiments in {} and {} are both called `{}`: give each a name of its own",
                files[first].display(),
                files[index].display(),
                experiment.name
            );
        }
    }
    Ok(experiments)
}

/// The content, up to one byte more than the largest size.
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

/// The first experiment file of a directory, as the end of a sentence.
fn in_it(directory: &Path) -> String {
    match files_in(directory).first() {
        Some(name) => format!(" in it, such as {}", directory.join(name).display()),
        None => String::new(),
    }
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// The existing file whose name is closest to a missing one, as the end of a sentence.
fn instead(path: &Path) -> String {
    let directory = folder_of(path);
    let files = files_in(directory);
    let files: Vec<&str> = files.iter().map(String::as_str).take(10).collect();
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if !files.is_empty() => format!("; {}", nearest(name, &files)),
        _ => "; `gauntlet init my-sweep.toml` writes one to begin with".to_owned(),
    }
}
