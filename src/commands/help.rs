//! `gauntlet help`: the help of a command, and pages that belong to no command.

use crate::Arguments;
use clap::Parser;
use protocol::experiment::REFERENCE;

/// Prints the help of a command, or the reference of experiment files.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet help run                   the same as `gauntlet run --help`
  gauntlet help experiment-file       every key of an experiment file")]
pub(crate) struct HelpArgs {
    /// A command, such as `run` or `token add`, or `experiment-file`.
    #[arg(value_name = "COMMAND")]
    topic: Vec<String>,
}

/// Prints the help.
pub(crate) fn run(args: &HelpArgs) -> anyhow::Result<()> {
    if args.topic == ["experiment-file"] {
        return super::print(REFERENCE);
    }
    let words = args.topic.iter().map(String::as_str);
    // The parser prints the help of a command, or which command is nearest, and ends the process.
    let parsed = Arguments::try_parse_from(["gauntlet"].into_iter().chain(words).chain(["--help"]));
    parsed.map_or_else(|error| error.exit(), |_| anyhow::bail!("`gauntlet help` takes the name of a command"))
}
