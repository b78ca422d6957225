//! `gauntlet params`: the table of parameters.

use super::print;
use engine::havannah::Params;
use engine::params::{Domain, ParamInfo, ParamValue};
use protocol::lease::ParamSet;
use serde::Serialize;
use std::collections::HashSet;

/// Lists the engine's parameters and presets.
///
/// These are the names and ranges that experiment files may use in `set` and `sweep`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet params
  gauntlet params rave     parameters with this word in the name or description")]
pub(crate) struct ParamsArgs {
    /// Only parameters of this group, or whose name or description contains this word.
    word: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The length of the longest name.
const WIDTH: usize = 27;

/// Prints the table.
pub(crate) fn run(args: ParamsArgs) -> anyhow::Result<()> {
    let word = args.word.unwrap_or_default().to_lowercase();
    let matches = |text: &str| text.to_lowercase().contains(&word);
    let named = |info: &&ParamInfo| matches(info.name) || matches(info.group) || matches(info.meaning);
    let listed: Vec<_> = Params::TABLE.iter().filter(named).collect();
    if listed.is_empty() {
        anyhow::bail!("no parameter matches `{word}`; `gauntlet params` lists all of them");
    }
    print(&if args.json { serde_json::to_string_pretty(&Table::of(&listed))? + "\n" } else { text(&listed) })
}

/// The default value of a parameter.
fn default_of(info: &ParamInfo) -> ParamValue {
    Params::default().get(info.name).expect("a parameter of the table")
}

fn text(listed: &[&ParamInfo]) -> String {
    let mut out = String::new();
    // Groups are in the order of their first parameters.
    let mut seen = HashSet::new();
    for group in listed.iter().map(|info| info.group).filter(|group| seen.insert(*group)) {
        out += &format!("[{group}]\n");
        for info in listed.iter().filter(|info| info.group == group) {
            let value = default_of(info).to_string();
            out += &format!("  {:<WIDTH$} default {value:<6} {}\n", info.name, info.domain);
            out += &format!("  {:<WIDTH$} {}\n", "", info.meaning);
        }
    }
    out += "[presets]\n";
    for (name, meaning) in Params::PRESETS {
        out += &format!("  {name:<WIDTH$} {meaning}\n");
    }
    out
}

/// The parameters and presets, as in the JSON.
#[derive(Debug, Serialize)]
struct Table {
    parameters: Vec<Parameter>,
    presets: Vec<Preset>,
}

#[derive(Debug, Serialize)]
struct Parameter {
    name: &'static str,
    group: &'static str,
    default: ParamValue,
    #[serde(flatten)]
    domain: Values,
    meaning: &'static str,
}

/// The values that a parameter takes.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Values {
    Flag,
    Whole { min: f64, max: f64 },
    Real { min: f64, max: f64 },
    Word { words: &'static [&'static str] },
}

#[derive(Debug, Serialize)]
struct Preset {
    name: &'static str,
    meaning: &'static str,
    /// What the preset sets, as differences from the defaults.
    set: ParamSet,
}

impl Table {
    fn of(listed: &[&ParamInfo]) -> Self {
        let parameter = |info: &&ParamInfo| Parameter {
            name: info.name,
            group: info.group,
            default: default_of(info),
            domain: match info.domain {
                Domain::Flag => Values::Flag,
                Domain::Whole(min, max) => Values::Whole { min, max },
                Domain::Real(min, max) => Values::Real { min, max },
                Domain::Words(words) => Values::Word { words },
            },
            meaning: info.meaning,
        };
        let preset = |&(name, meaning): &(&'static str, &'static str)| Preset {
            name,
            meaning,
            set: ParamSet::from(&Params::preset(name).expect("a preset of the list")),
        };
        Self {
            parameters: listed.iter().map(parameter).collect(),
            presets: Params::PRESETS.iter().map(preset).collect(),
        }
    }
}
