//! Experiment files from text to cells: what they mean, and what they are told when they are wrong.

mod cells;
mod committed;
mod messages;
mod properties;
mod tournament;

use protocol::experiment::Experiment;

/// A correct file of every feature; tests change one thing in it.
pub(crate) const FILE: &str = r#"[experiment]
name = "knobs"
question = "Which knob matters?"
weight = 2

[[baseline]]
id = "uct"
preset = "uct"
weight = 3

[[baseline]]
id = "rave"
preset = "rave"
set = { rave_k = 300 }

[[test]]
id = "explore"
set = { keep_tree = false }
sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }

[[test]]
id = "control"
set = {}
weight = 0.5

[[test]]
id = "off"
sweep = { fpu = [0.5] }
weight = 0

[sizes]
4 = 1
6 = 2
10 = 0

[[budget]]
id = "quick"
sims = 1000

[[budget]]
id = "slow"
reference_seconds = 1.5
weight = 4

[play]
games_per_cell = 100
opening_plies = 2
seed = 7
"#;

pub(crate) fn parse(text: &str) -> Experiment {
    Experiment::parse("test.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// `FILE` with `from` replaced by `to`.
pub(crate) fn with(from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    FILE.replacen(from, to, 1)
}
