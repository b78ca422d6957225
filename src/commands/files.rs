//! Experiment files: reading one, and writing a first one.

use anyhow::{Context, bail};
use protocol::experiment::{Baselines, Experiment, nearest};
use protocol::words::{is_invisible, quoted};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The example in the repository.
const EXAMPLE: &str = include_str!("../../configs/quickstart.toml");

/// The example of a tune.
const TUNE: &str = include_str!("../../configs/tune.toml");

/// The longest name of an experiment, in characters.
const LONGEST_NAME: usize = 60;

/// The largest size of an experiment file, in bytes.
const LARGEST: u64 = 4 << 20;

/// Writes a commented experiment file as a start.
///
/// The file is a complete experiment and explains every line. An existing file is never overwritten. `gauntlet help
/// experiment-file` describes every key.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet init my-sweep.toml
  gauntlet init my-tune.toml --tune
  gauntlet init - | less              prints it")]
pub(crate) struct InitArgs {
    /// The file to write; - is standard output. The experiment gets the name of the file.
    #[arg(default_value = "experiment.toml")]
    file: PathBuf,
    /// Write a file that tunes parameters, in place of a sweep.
    #[arg(long)]
    tune: bool,
}

/// Writes the file.
pub(crate) fn init(args: &InitArgs) -> anyhow::Result<()> {
    let path = &args.file;
    if path == Path::new("-") {
        return super::print(if args.tune { TUNE } else { EXAMPLE });
    }
    let name = path.display();
    // The file tells its own name, in a comment.
    if let Some(found) = name.to_string().chars().find(|c| c.is_control()) {
        bail!("{name:?} has the control character U+{:04X}: choose another name", u32::from(found));
    }
    let mut file = match std::fs::File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name} exists already and is left as it is; choose another name: `gauntlet init FILE`")
        }
        file => file.with_context(|| format!("cannot write {name}"))?,
    };
    file.write_all(example_for(path, args.tune).as_bytes())
        .with_context(|| format!("cannot write {name}"))?;
    super::print(&format!("wrote {name}; next: `gauntlet plan {}`\n", quoted(&name.to_string())))
}

/// The example for a file of this name. The experiment gets the name of the file, because another file with the same
/// name is a revision of the same experiment.
fn example_for(path: &Path, tune: bool) -> String {
    let name = &name_of(path);
    let (example, known) = if tune { (TUNE, "tune") } else { (EXAMPLE, "quickstart") };
    example
        .replace(&format!("name = \"{known}\""), &format!("name = \"{name}\""))
        .replace(&format!("configs/{known}.toml"), &quoted(&path.display().to_string()))
        .replace("tune status tune", &format!("tune status {}", quoted(name)))
}

/// The name of an experiment in this file: the file's own, with a hyphen for what a shell or TOML would read otherwise.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let is_plain = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || "-_.".contains(c),
        false => !c.is_whitespace() && !is_invisible(c) && c != char::REPLACEMENT_CHARACTER,
    };
    let words: Vec<&str> = stem.split(|c| !is_plain(c)).filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(LONGEST_NAME).collect();
    if name.is_empty() { "my-sweep".to_owned() } else { name }
}

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

/// Reads experiments, as [`read_experiment`]. Their names must differ, because a file is a revision of the experiment that it names.
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
pub(crate) fn folder_of(file: &Path) -> &Path {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_called_like_its_file() {
        for (file, name) in [
            ("my-sweep.toml", "my-sweep"),
            ("a/b.toml", "b"),
            ("my \"sweep\".toml", "my-sweep"),
            ("größe.toml", "größe"),
            ("größe 2.toml", "größe-2"),
            ("囲碁\u{200b}.toml", "囲碁"),
            ("?.toml", "my-sweep"),
        ] {
            for tune in [false, true] {
                let text = example_for(Path::new(file), tune);
                let experiment = Experiment::parse(file, &text).expect("correct");
                assert_eq!((experiment.name.as_str(), experiment.tune.is_some()), (name, tune));
                assert!(text.contains(&format!("`gauntlet plan {}`", quoted(file))), "{text}");
                assert!(!text.contains("quickstart") && !text.contains("configs/"), "{text}");
            }
        }
    }

    #[test]
    fn a_file_that_could_not_be_read_again_is_not_written() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("my\nsweep.toml");
        let error = init(&InitArgs { file: file.clone(), tune: false }).expect_err("refused").to_string();
        assert!(error.contains("U+000A"), "{error}");
        assert!(!file.exists());
    }
}
