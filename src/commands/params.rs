//! `gauntlet params`: the table of tunables.

use super::print;
use engine::params::Params;
use std::fmt::Write;

/// Lists the engine's parameters and presets.
///
/// These are the names and ranges that experiment files may use in `set` and `sweep`.
#[derive(Debug, clap::Args)]
pub(crate) struct ParamsArgs {
    /// Only those of this group, or whose name or meaning holds this word.
    word: Option<String>,
}

/// Prints the table.
pub(crate) fn run(args: ParamsArgs) -> anyhow::Result<()> {
    let word = args.word.unwrap_or_default().to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&word);
    let default = Params::default();
    let mut out = String::new();
    let mut group = "";
    for info in Params::TABLE {
        if !(matches(info.name) || matches(info.group) || matches(info.meaning)) {
            continue;
        }
        if info.group != group {
            group = info.group;
            writeln!(out, "[{group}]")?;
        }
        let value = default.get(info.name).map(|value| value.to_string()).unwrap_or_default();
        writeln!(out, "  {:<18} default {value:<6} {}", info.name, info.domain)?;
        writeln!(out, "  {:<18} {}", "", info.meaning)?;
    }
    if out.is_empty() {
        anyhow::bail!("no parameter has to do with `{word}`; `gauntlet params` lists them all");
    }
    writeln!(out, "[presets]")?;
    for (name, meaning) in Params::PRESETS {
        writeln!(out, "  {name:<18} {meaning}")?;
    }
    print(&out)
}
