//! `gauntlet init`: a first experiment file.

use super::sizes::{Sizes, sizes};
use anyhow::{Context, bail};
use engine::havannah::{BoardSize, Params};
use engine::params::{Domain, ParamInfo, ParamValue, SetParamError};
use engine::spelling::excerpt;
use protocol::experiment::Experiment;
use protocol::words::{is_invisible, operands};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The example in the repository.
const EXAMPLE: &str = include_str!("../../configs/quickstart.toml");

/// The example of a tune.
const TUNE: &str = include_str!("../../configs/tune.toml");

/// The longest name of an experiment, in characters.
const LONGEST_NAME: usize = 60;

/// Writes a commented experiment file as a start.
///
/// The file is a complete experiment and explains every line. An existing file is never overwritten. `gauntlet help
/// experiment-file` describes every key.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet init my-sweep.toml
  gauntlet init my-sweep.toml --parameter rave_k=10,100,1000 --sizes 5-7
  gauntlet init my-tune.toml --tune
  gauntlet init my-tune.toml --tune --parameter rave_k=20,5000 --parameter keep_tree
  gauntlet init - | less              prints it")]
pub(crate) struct InitArgs {
    /// The file to write; - is standard output. The experiment gets the name of the file.
    #[arg(default_value = "experiment.toml")]
    file: PathBuf,
    /// Write a file that tunes parameters, in place of a sweep.
    #[arg(long)]
    tune: bool,
    /// The parameter of the file, in place of that of the example; may be repeated. A sweep tries the values after `=`, and a
    /// tune the words or the range from the first number to the second. Without values it is some, or the whole range.
    #[arg(long, value_name = "NAME[=VALUE,VALUE…]", value_parser = parameter)]
    parameter: Vec<TriedParameter>,
    /// The board sizes of the file, such as 6, or 5-7, or 4,6-8.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    sizes: Option<Sizes>,
}

/// A parameter with the values to try; none for the usual ones.
#[derive(Debug, Clone)]
struct TriedParameter {
    info: &'static ParamInfo,
    values: Vec<ParamValue>,
}

fn parameter(text: &str) -> Result<TriedParameter, String> {
    let (name, values) = text.split_once('=').map_or((text, None), |(name, values)| (name, Some(values)));
    let unknown = || SetParamError::UnknownName { name: excerpt(name), nearest: Params::nearest(name) };
    let info = Params::info(name).ok_or_else(|| unknown().to_string())?;
    let mut read = Vec::new();
    for value in values.into_iter().flat_map(|values| values.split(',')) {
        let value: ParamValue = value.trim().parse().unwrap_or_else(|never| match never {});
        Params::default().set(name, &value).map_err(|error| error.to_string())?;
        read.push(value);
    }
    Ok(TriedParameter { info, values: read })
}

/// A value as TOML writes it.
fn toml(value: &ParamValue) -> String {
    match value {
        ParamValue::Word(word) => format!("\"{word}\""),
        value => value.to_string(),
    }
}

impl TriedParameter {
    /// The values of a sweep.
    fn swept(&self) -> String {
        let values: Vec<String> = match (&self.values[..], self.info.domain) {
            ([], Domain::Flag) => vec!["false".into(), "true".into()],
            ([], Domain::Words(words)) => words.iter().map(|word| format!("\"{word}\"")).collect(),
            ([], _) => {
                let usual = Params::default().get(self.info.name).expect("a parameter of the table");
                // A sample may name values of other parameters after its own.
                let samples = self.info.samples.iter().map(|sample| sample.split(' ').take(1).collect());
                std::iter::once(toml(&usual)).chain(samples).collect()
            }
            (values, _) => values.iter().map(toml).collect(),
        };
        format!("{} = [{}]", self.info.name, values.join(", "))
    }

    /// The row of a tune.
    fn tuned(&self) -> anyhow::Result<String> {
        let name = self.info.name;
        Ok(match (&self.values[..], self.info.domain) {
            ([], Domain::Whole(low, high) | Domain::Real(low, high)) => {
                format!("{name} = {{ range = [{low}, {high}] }}")
            }
            ([low, high], Domain::Whole(..) | Domain::Real(..)) => {
                format!("{name} = {{ range = [{low}, {high}] }}")
            }
            (_, Domain::Whole(..) | Domain::Real(..)) => {
                bail!("--parameter {name}: a tune takes the range of a number: {name}=LOWEST,HIGHEST")
            }
            ([], _) | (_, Domain::Flag) => format!("{name} = {{}}"),
            (values, _) => {
                let words: Vec<String> = values.iter().map(toml).collect();
                format!("{name} = {{ values = [{}] }}", words.join(", "))
            }
        })
    }
}

/// Writes the file.
pub(crate) fn init(args: &InitArgs) -> anyhow::Result<()> {
    let path = &args.file;
    let example = args.example()?;
    if path == Path::new("-") {
        return super::print(&example);
    }
    let name = path.display();
    // The file has its own name in a comment.
    if let Some(found) = name.to_string().chars().find(|c| c.is_control()) {
        bail!("{name:?} has the control character U+{:04X}: choose another name", u32::from(found));
    }
    let mut file = match std::fs::File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name} exists already and is left as it is; choose another name: `gauntlet init FILE`")
        }
        file => file.with_context(|| format!("cannot write {name}"))?,
    };
    file.write_all(named(&example, path, args.tune).as_bytes())
        .with_context(|| format!("cannot write {name}"))?;
    super::print(&format!("wrote {name}; next: `gauntlet plan {}`\n", operands(&[&name.to_string()])))
}

/// A text with something else from one line to the line before another.
fn replaced(text: &str, from: &str, to: &str, with: &str) -> String {
    let begin = text.find(from).expect("the example has this line");
    let end = begin + text[begin..].find(to).expect("the example has this line");
    format!("{}{with}{}", &text[..begin], &text[end..])
}

impl InitArgs {
    /// The example with the parameters and sizes of the command line.
    fn example(&self) -> anyhow::Result<String> {
        let mut text = if self.tune { TUNE } else { EXAMPLE }.to_owned();
        if let [first, ..] = &self.parameter[..] {
            let names: Vec<&str> = self.parameter.iter().map(|parameter| parameter.info.name).collect();
            let names = names.join(", ");
            let question = format!("Which value is best: {names}?");
            let meanings: String = self
                .parameter
                .iter()
                .map(|TriedParameter { info, .. }| format!("# `{}`: {}\n", info.name, info.meaning))
                .collect();
            text = replaced(&text, "# ", "#\n# This is a complete", &format!("# {question}\n#\n{meanings}"));
            text = replaced(&text, "question = ", "\n", &format!("question = \"{question}\""));
            text = if self.tune {
                let rows: Vec<String> =
                    self.parameter.iter().map(TriedParameter::tuned).collect::<Result<_, _>>()?;
                replaced(&text, "rave_k = { range", "\n\n", &rows.join("\n"))
            } else {
                let sweep: Vec<String> = self.parameter.iter().map(TriedParameter::swept).collect();
                let rows = format!("id = \"{}\"\nsweep = {{ {} }}", first.info.name, sweep.join(", "));
                replaced(&text, "id = \"rave\"", "\n\n", &rows)
            };
        }
        if let Some(sizes) = &self.sizes {
            let rows: Vec<String> = sizes.parts().iter().map(|part| format!("{part} = 1")).collect();
            text = replaced(&text, "4 = 1", "\n\n", &rows.join("\n"));
            // The book of the examples has no openings for the smallest board.
            if sizes.contains(BoardSize::MIN) {
                text = replaced(&text, "openings = \"book:balanced\"", "\n", "opening_plies = 2");
            }
        }
        Experiment::parse("the file", &text).context("these parameters and sizes make no experiment")?;
        Ok(text)
    }
}

/// The example for a file of this name. The experiment gets the name of the file, because another file with the same
/// name is a revision of the same experiment.
fn named(example: &str, path: &Path, tune: bool) -> String {
    let name = &name_of(path);
    let known = if tune { "tune" } else { "quickstart" };
    example
        .replace(&format!("name = \"{known}\""), &format!("name = \"{name}\""))
        .replace(&format!("configs/{known}.toml"), &operands(&[&path.display().to_string()]))
        .replace("tune status tune", &format!("tune status {}", operands(&[name])))
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::collections::BTreeSet;

    #[derive(Parser)]
    struct InitCommand {
        #[command(flatten)]
        init: InitArgs,
    }

    fn args(words: &[&str]) -> InitArgs {
        InitCommand::try_parse_from(words).expect("options").init
    }

    #[test]
    fn the_file_has_the_parameters_and_sizes_that_were_asked_for() {
        let file = |words: &[&str]| {
            let text = args(&[&["init"], words].concat()).example().expect("an experiment");
            (Experiment::parse("file", &text).expect("correct"), text)
        };
        let (sweep, text) = file(&["--parameter", "fpu=0.5,1", "--sizes", "5-7,9"]);
        assert_eq!(sweep.cells.len(), 2 * 4, "{text}");
        let sizes: BTreeSet<u8> = sweep.cells.iter().map(|cell| cell.spec.size.get()).collect();
        assert_eq!(sizes, BTreeSet::from([5, 6, 7, 9]));
        assert!(!text.contains("rave_k =") && text.contains("5-7 = 1\n9 = 1\n"), "{text}");
        let (tune, text) = file(&[
            "--tune",
            "--parameter",
            "rave_k=20,5000",
            "--parameter",
            "keep_tree",
            "--parameter",
            "final_move",
        ]);
        assert!(tune.tune.is_some() && !text.contains("connectivity"), "{text}");
        assert!(
            text.contains("rave_k = { range = [20, 5000] }\nkeep_tree = {}\nfinal_move = {}\n"),
            "{text}"
        );
        for info in Params::TABLE {
            // Some parameters have no effect without others, and then the sweep is refused with the reason.
            if let Err(error) = args(&["init", "--parameter", info.name]).example() {
                assert!(format!("{error:#}").contains("same player"), "{}: {error:#}", info.name);
            }
        }
        for (words, why) in [
            (["--parameter", "rave=5"], "did you mean"),
            (["--parameter", "fpu=50"], "`fpu` takes a number from 0 to 10, not `50`"),
            (["--sizes", "2-5"], "ranges such as 5-7"),
            (["--sizes", "4,4-5"], "size 4 is there twice"),
        ] {
            let error = InitCommand::try_parse_from([&["init"][..], &words].concat())
                .err()
                .expect("refused")
                .to_string();
            assert!(error.contains(why), "{error}");
        }
        let three = args(&["init", "--tune", "--parameter", "fpu=1,2,3"]).example().expect_err("no range");
        assert!(three.to_string().contains("fpu=LOWEST,HIGHEST"), "{three}");
    }

    #[test]
    fn the_example_is_called_like_its_file() {
        for (file, name) in [
            ("my-sweep.toml", "my-sweep"),
            ("a/b.toml", "b"),
            ("my \"sweep\".toml", "my-sweep"),
            ("größe.toml", "größe"),
            ("größe 2.toml", "größe-2"),
            ("囲碁\u{200b}.toml", "囲碁"),
            ("./-1.toml", "-1"),
            ("?.toml", "my-sweep"),
        ] {
            for tune in [false, true] {
                let text = named(if tune { TUNE } else { EXAMPLE }, Path::new(file), tune);
                let experiment = Experiment::parse(file, &text).expect("correct");
                assert_eq!((experiment.name.as_str(), experiment.tune.is_some()), (name, tune));
                assert!(text.contains(&format!("`gauntlet plan {}`", operands(&[file]))), "{text}");
                assert!(!text.contains("quickstart") && !text.contains("configs/"), "{text}");
            }
        }
    }

    #[test]
    fn a_file_that_could_not_be_read_again_is_not_written() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("my\nsweep.toml");
        let error = init(&args(&["init", &file.display().to_string()])).expect_err("refused").to_string();
        assert!(error.contains("U+000A"), "{error}");
        assert!(!file.exists());
    }
}
