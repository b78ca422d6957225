//! The command line: one file a subcommand under `commands/`, each thin over the crates that do the work.

mod commands;
mod logging;
mod signals;

use clap::Parser;
use commands::Command;
use std::process::ExitCode;

/// Finds out which engine parameters win.
///
/// Describe a sweep in an experiment file, give it machines, and watch win rates by board size converge in a
/// browser.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How log lines look. What is logged is set by RUST_LOG, such as RUST_LOG=debug or RUST_LOG=worker=debug.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORM", help_heading = "Logging")]
    log: logging::Form,
}

const EXAMPLES: &str = "\
Examples:
  gauntlet run configs/quickstart.toml       play an experiment here, with a live page
  gauntlet plan configs/quickstart.toml      what it costs and what it can show
  gauntlet template > my-sweep.toml          a file to begin with

  gauntlet serve --listen 0.0.0.0:8437 configs/quickstart.toml  a coordinator for many machines
  gauntlet work --join K7F3-9QXM-2TBD@host:8437                 a worker, on any machine, by the code it prints

  gauntlet gtp --size 6                      play with the engine through GTP

`gauntlet COMMAND --help` tells the rest.";

fn main() -> ExitCode {
    let listening = signals::listen_first(std::env::args_os());
    let arguments = Arguments::parse();
    logging::start(arguments.log, arguments.command.default_log_level());
    match listening.and_then(|_listening| arguments.command.run()) {
        Ok(code) => code,
        Err(error) => {
            logging::above_progress(|| eprintln!("error: {}", commands::in_words(&error)));
            commands::exit_code(&error)
        }
    }
}
