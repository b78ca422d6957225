//! `gauntlet params`: the table of parameters.

use super::print;
use engine::havannah::Params;
use engine::params::ParamInfo;
use std::collections::HashSet;
use std::fmt::Write;

/// Lists the engine's parameters and presets.
///
/// These are the names and ranges that experiment files may use in `set` and `sweep`.
#[derive(Debug, clap::Args)]
pub(crate) struct ParamsArgs {
    /// Only parameters of this group, or whose name or description contains this word.
    word: Option<String>,
}

/// The length of the longest name.
const WIDTH: usize = 27;

/// Prints the table.
pub(crate) fn run(args: ParamsArgs) -> anyhow::Result<()> {
    let word = args.word.unwrap_or_default().to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&word);
    let default = Params::default();
    let mut out = String::new();
    let named = |info: &&ParamInfo| matches(info.name) || matches(info.group) || matches(info.meaning);
    let listed: Vec<_> = Params::TABLE.iter().filter(named).collect();
    let mut groups: Vec<_> = listed.iter().map(|info| info.group).collect();
    // Groups are in the order of their first parameters.
    let mut seen = HashSet::new();
    groups.retain(|group| seen.insert(*group));
    for group in groups {
        writeln!(out, "[{group}]")?;
        for info in listed.iter().filter(|info| info.group == group) {
            let value = default.get(info.name).map(|value| value.to_string()).unwrap_or_default();
            writeln!(out, "  {:<WIDTH$} default {value:<6} {}", info.name, info.domain)?;
            writeln!(out, "  {:<WIDTH$} {}", "", info.meaning)?;
        }
    }
    if out.is_empty() {
        anyhow::bail!("no parameter matches `{word}`; `gauntlet params` lists all of them");
    }
    writeln!(out, "[presets]")?;
    for (name, meaning) in Params::PRESETS {
        writeln!(out, "  {name:<WIDTH$} {meaning}")?;
    }
    print(&out)
}
