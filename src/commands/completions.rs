//! `gauntlet completions`: completion of commands and options by the shell.

use crate::Arguments;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Prints a script that completes commands and options in a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet completions bash > ~/.local/share/bash-completion/completions/gauntlet
  gauntlet completions zsh > ~/.zfunc/_gauntlet          with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  gauntlet completions fish > ~/.config/fish/completions/gauntlet.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(args.shell, &mut Arguments::command(), "gauntlet", &mut script);
    super::put(&script)
}
