//! The command line of `gauntlet`. Each subcommand has a file under `commands/`; the other crates do the work.
//!
//! [`main`] is the program. The public modules are for the programs in `tools/`, which share the command line's options,
//! comparisons and exports. Begin with [`commands`].

/// Writes a line to standard error. The macro of the standard library panics when its reader has closed the pipe.
macro_rules! eprintln {
    ($($message:tt)*) => { crate::logging::tell(format_args!("{}\n", format_args!($($message)*))) };
}

/// As `eprintln!`, without the end of the line.
macro_rules! eprint {
    ($($message:tt)*) => { crate::logging::tell(format_args!($($message)*)) };
}

pub mod commands;
mod logging;
pub mod signals;

use clap::{Command as Line, CommandFactory, FromArgMatches, Parser};
use commands::Command;
use std::process::ExitCode;

/// Finds out which engine parameters win.
///
/// Describe a sweep in an experiment file, give it machines, and watch win rates by board size converge in a
/// browser.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, disable_help_subcommand = true, max_term_width = 100)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// The form of log lines. RUST_LOG sets what is logged, for example RUST_LOG=debug or RUST_LOG=worker=debug.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM", help_heading = "Logging")]
    log: logging::LogFormat,
}

const EXAMPLES: &str = "\
Examples:
  gauntlet init my-sweep.toml                writes an experiment file to begin with
  gauntlet plan my-sweep.toml                shows what it costs and which difference it can show
  gauntlet run my-sweep.toml                 plays it on this machine, with a live page

  gauntlet serve --listen 0.0.0.0:8437 my-sweep.toml            a coordinator for many machines
  gauntlet work --join K7F3-9QXM-2TBD@host:8437                 a worker on any machine; `serve` prints this line

  gauntlet gtp --size 6                      plays with the engine through GTP

`gauntlet COMMAND --help` describes a command; `gauntlet help experiment-file` describes the file.";

/// Runs the command that the arguments of the process name.
pub fn main() -> ExitCode {
    let listening = signals::listen_first(std::env::args_os());
    logging::set_form(logging::form_of(std::env::args_os()));
    let given = numbers_may_be_negative(Arguments::command()).try_get_matches();
    let arguments = given.and_then(|given| Arguments::from_arg_matches(&given));
    let arguments = arguments.unwrap_or_else(|error| refuse(&error));
    logging::start(arguments.log, arguments.command.default_log_level());
    match listening.and_then(|_listening| arguments.command.run()) {
        Ok(code) => code,
        Err(error) => {
            logging::above_progress(|| eprintln!("error: {}", commands::in_words(&error)));
            commands::exit_code(&error)
        }
    }
}

/// Runs a program of `tools/`: parses its arguments, and reports an error as `gauntlet` does.
pub fn run_tool<A: Parser, F: Future<Output = anyhow::Result<ExitCode>>>(
    run: impl FnOnce(A) -> F,
) -> ExitCode {
    let given = numbers_may_be_negative(A::command()).get_matches();
    let arguments = A::from_arg_matches(&given).unwrap_or_else(|error| error.exit());
    logging::start(logging::LogFormat::Text, "warn");
    commands::block_on(run(arguments)).unwrap_or_else(|error| {
        eprintln!("error: {}", commands::in_words(&error));
        ExitCode::FAILURE
    })
}

/// Parses `-1` as a value where a value is expected, rather than as an unknown option: then the error has the limits of the
/// value.
fn numbers_may_be_negative(line: Line) -> Line {
    line.mut_args(|argument| match argument.get_action().takes_values() {
        true => argument.allow_negative_numbers(true),
        false => argument,
    })
    .mut_subcommands(numbers_may_be_negative)
}

/// Ends the process because of a mistake in the command line, or because help was asked for.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    // The mistake may be in the value of an option that others must not know, such as a code with a wrong address.
    let text = error.render().to_string();
    let shown = secrets().iter().fold(text.clone(), |text, secret| text.replace(secret, "…"));
    if shown == text && !logging::is_json() {
        error.exit();
    }
    eprintln!("{}", shown.trim_end());
    std::process::exit(error.exit_code());
}

/// The code and the token that the command line or the environment gives.
fn secrets() -> Vec<String> {
    let given = |option: &str, variable: &str| {
        let mut words = std::env::args().skip_while(|word| !word.starts_with(option));
        let word = words.next().and_then(|word| match word.strip_prefix(option)?.strip_prefix('=') {
            Some(value) => Some(value.to_owned()),
            None => words.next(),
        });
        word.into_iter().chain(std::env::var(variable))
    };
    let codes = given("--join", "GAUNTLET_JOIN").filter_map(|text| Some(text.split_once('@')?.0.to_owned()));
    codes.chain(given("--token", "GAUNTLET_TOKEN")).filter(|secret| secret.len() >= 8).collect()
}

#[cfg(test)]
mod tests {
    use super::{Arguments, numbers_may_be_negative};
    use clap::error::ErrorKind;
    use clap::{Command, CommandFactory};
    use std::any::TypeId;
    use std::collections::BTreeSet;
    use std::num::{NonZeroU32, NonZeroUsize};
    use std::time::Duration;

    const PAGE: &str = include_str!("../docs/reference/command-line.md");

    /// The words in code on the page that have this prefix, without the prefix.
    fn on_page(beginning: &str) -> BTreeSet<&'static str> {
        let of_code = PAGE.split('`').skip(1).step_by(2);
        of_code.filter_map(|code| code.strip_prefix(beginning)?.split(' ').next()).collect()
    }

    fn variables(command: &Command) -> BTreeSet<String> {
        let own = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str());
        let own: BTreeSet<String> = own.map(str::to_owned).collect();
        command.get_subcommands().map(variables).fold(own, |all, more| &all | &more)
    }

    #[test]
    fn the_page_has_every_command_and_no_other() {
        let command = Arguments::command();
        let known: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut on_page = on_page("gauntlet ");
        on_page.remove("COMMAND");
        assert_eq!(on_page, known);
    }

    #[test]
    fn the_page_has_every_variable_and_no_other() {
        let on_page = on_page("GAUNTLET_").into_iter().map(|name| format!("GAUNTLET_{name}"));
        assert_eq!(on_page.collect::<BTreeSet<_>>(), variables(&Arguments::command()));
    }

    /// A number of the command line.
    struct Number {
        /// The words of its command.
        words: String,
        command: Command,
        /// The option, or the words of the places before it.
        before: Vec<String>,
    }

    fn numbers(command: &Command, words: &str) -> Vec<Number> {
        let kinds = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<i32>(),
            TypeId::of::<i64>(),
            TypeId::of::<f64>(),
            TypeId::of::<NonZeroU32>(),
            TypeId::of::<NonZeroUsize>(),
            TypeId::of::<Duration>(),
        ];
        let is_number = |argument: &&clap::Arg| {
            let kind = argument.get_value_parser().type_id();
            kinds.iter().any(|known| kind == *known)
        };
        let mut all = Vec::new();
        for argument in command.get_arguments().filter(is_number) {
            let before = match argument.get_long() {
                Some(long) => vec![format!("--{long}")],
                None => {
                    let places = command.get_positionals();
                    places
                        .take_while(|one| one.get_id() != argument.get_id())
                        .map(|_| "x".to_owned())
                        .collect()
                }
            };
            let command = command.clone().no_binary_name(true);
            all.push(Number { words: words.to_owned(), command, before });
        }
        for sub in command.get_subcommands() {
            all.extend(numbers(sub, &format!("{words} {}", sub.get_name())));
        }
        all
    }

    #[test]
    fn every_number_has_limits_and_the_message_tells_them() {
        let all = numbers(&numbers_may_be_negative(Arguments::command()), "gauntlet");
        assert!(all.len() > 60, "{}", all.len());
        const OUTSIDE: [&str; 6] =
            ["99999999999999999999999", "-99999999999999999999999", "1e400", "NaN", "inf", "many"];
        const PERHAPS: [&str; 6] = ["-1", "0", "5.0", "1e3", "9007199254740993", ""];
        let mut wrong = String::new();
        for Number { words, command, before } in &all {
            for number in OUTSIDE.into_iter().chain(PERHAPS) {
                let line = before.iter().map(String::as_str).chain([number]);
                let text = format!("{words} {} {number}", before.join(" "));
                let said = match command.clone().try_get_matches_from(line) {
                    Err(error) if error.kind() == ErrorKind::ValueValidation => error.to_string(),
                    // The number was accepted; something else may be missing.
                    Ok(_) if PERHAPS.contains(&number) => continue,
                    Err(error)
                        if PERHAPS.contains(&number)
                            && error.kind() == ErrorKind::MissingRequiredArgument =>
                    {
                        continue;
                    }
                    other => {
                        wrong += &format!("{text}: {:?}\n", other.map_err(|error| error.to_string()));
                        continue;
                    }
                };
                let limits = [" to ", "between", "above 0 and below", "2h or 30d"];
                let is_limited = limits.iter().any(|limit| said.contains(limit));
                let is_named = before.iter().all(|word| !word.starts_with("--") || said.contains(word));
                if !is_limited || !is_named || !said.contains(number) {
                    wrong += &format!("{text}: {said}\n");
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}
