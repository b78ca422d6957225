//! `gauntlet gtp`: the engine on standard input and output, for graphical boards and other programs.

use super::number::{real, whole};
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::gtp::{Answer, Files, Session, quoted};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

/// Plays through GTP 2 on standard input and output.
///
/// Remarks about searches go to standard error. docs/reference/gtp.md describes every command; `help` lists them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gauntlet gtp                                   the default player, one CPU second a move
  gauntlet gtp --size 5 --sims 10000 --seed 1    the same game every time
  gauntlet gtp --player uct --set exploration=0.5 --seconds 10
  echo 'genmove white' | gauntlet gtp")]
pub(crate) struct GtpArgs {
    /// Board size, 3 to 10; `boardsize` changes it [default: 8].
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    size: Option<u64>,
    /// The player's preset [default: rave].
    #[arg(long, value_name = "PRESET", value_parser = preset)]
    player: Option<String>,
    /// Set a parameter of the player; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<String>,
    /// CPU seconds per move [default: 1 without --sims].
    #[arg(long, value_parser = real(0.0..=1e9))]
    seconds: Option<f64>,
    /// Simulations per move [default: no limit].
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    sims: Option<u64>,
    /// Lets Black swap as its first move.
    #[arg(long)]
    swap: bool,
    /// Seed of the random streams; by default a new one every time.
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
}

/// Refuses characters that a line of GTP cannot have.
fn preset(text: &str) -> Result<String, String> {
    match text {
        "" => Err("give the name of a preset, such as rave".to_owned()),
        text if text.contains(char::is_control) => {
            Err("a preset has no control characters in its name".to_owned())
        }
        text => Ok(text.to_owned()),
    }
}

/// Refuses a text that is not a setting: the command `params` has other forms, which set nothing.
fn pair(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, value))
            if ![name, value].iter().any(|word| {
                word.is_empty() || word.contains(|c: char| c.is_whitespace() || c.is_control())
            }) =>
        {
            Ok(text.to_owned())
        }
        _ => Err("give NAME=VALUE, such as exploration=0.5".to_owned()),
    }
}

impl GtpArgs {
    /// The commands that set the session up.
    fn commands(&self) -> Vec<String> {
        let mut commands = Vec::new();
        commands.extend(self.size.map(|size| format!("boardsize {size}")));
        commands.extend(self.player.as_ref().map(|name| format!("params preset {}", quoted(name))));
        commands.extend(self.set.iter().map(|pair| format!("params {}", quoted(pair))));
        commands.extend(self.seconds.map(|seconds| format!("time -m {seconds}")));
        commands.extend(self.sims.map(|sims| format!("time -i {sims}")));
        commands.extend(self.swap.then(|| "swap 1".to_owned()));
        commands
    }
}

/// The file system, relative to the current directory.
struct Disk;

impl Files for Disk {
    fn read(&mut self, name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(name)
    }

    fn write(&mut self, name: &str, text: &str) -> io::Result<()> {
        super::spare_sources(Path::new(name)).map_err(io::Error::other)?;
        std::fs::write(name, text)
    }

    fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
        std::fs::File::options().append(true).create(true).open(name)?.write_all(text.as_bytes())
    }
}

/// The longest line read, in bytes. The rest of a longer line is skipped, so that no input fills the memory.
const LONGEST_LINE: u64 = 1 << 20;

/// The id of a command that is too long, or nothing if it has none; none for a comment, which has no answer.
fn id_of_long(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start();
    let id = text.split_whitespace().next().unwrap_or_default();
    let is_id = id.len() <= 10 && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    (!text.starts_with('#')).then(|| if is_id { id.to_owned() } else { String::new() })
}

/// Runs the command.
pub(crate) fn run(args: &GtpArgs) -> Result<()> {
    let seed = args.seed.unwrap_or_else(|| uuid::Uuid::new_v4().as_u64_pair().0);
    let mut session = Session::new(seed, Box::new(Disk));
    for command in args.commands() {
        if let Some(answer) = session.answer(&command).filter(|answer| !answer.is_success()) {
            bail!("{}", answer.text.trim_start_matches('?').trim());
        }
    }
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut start = input.by_ref().take(LONGEST_LINE);
        if start.read_until(b'\n', &mut line).context("cannot read standard input")? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n').context("cannot read standard input")?;
            if let Some(id) = id_of_long(&line) {
                super::print(&format!("?{id} a line of more than {LONGEST_LINE} bytes is no command\n\n"))?;
            }
            continue;
        }
        let Some(Answer { text, notes, quit }) = session.answer(&String::from_utf8_lossy(&line)) else {
            continue;
        };
        for note in notes {
            // Standard error may be closed: then remarks are dropped.
            let _ = writeln!(io::stderr(), "{note}");
        }
        super::print(&text)?;
        if quit {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_answered_under_its_id_and_a_comment_not_at_all() {
        for (line, id) in [
            ("7 echo x", Some("7")),
            ("  12\techo", Some("12")),
            ("echo 7", Some("")),
            ("# 7", None),
            ("99999999999 x", Some("")),
        ] {
            assert_eq!(id_of_long(line.as_bytes()).as_deref(), id, "{line}");
        }
    }

    #[test]
    fn what_sets_nothing_is_refused() {
        for text in ["exploration", "help", "", "=1", "rave_k=", "rave_k=1 uct", "rave_k=1\u{7}"] {
            pair(text).expect_err(text);
        }
        assert_eq!(pair("rave_k=1").as_deref(), Ok("rave_k=1"));
    }
}
