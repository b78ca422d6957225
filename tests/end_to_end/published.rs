//! An experiment and published points to compare it with, for the tests of `compare` and of `tools/thesis`.

/// Cases of one label in two groups, against two baselines.
pub(crate) const FILE: &str = r#"[experiment]
name = "mine/figure"
question = "Do they agree?"
[[baseline]]
id = "uct"
preset = "uct"
[[baseline]]
id = "rave"
preset = "rave"
[[test]]
id = "repaired"
against = ["uct"]
set = { exploration = 0 }
sweep = [{ label = "50", rave_k = 50 }, { label = "size*2", rave_k = 70 }]
[[test]]
id = "old"
against = ["uct"]
set = { exploration = 0, rave_compat = "thesis2011" }
sweep = [{ label = "50", rave_k = 50 }]
[[test]]
id = "swept"
against = ["rave"]
sweep = { rave_k = [200] }
[sizes]
3 = 1
4 = 1
[[budget]]
id = "b"
sims = 20
[play]
games_per_cell = 20
"#;

/// Points that a publication may have of these cases.
pub(crate) const POINTS: &str = "figure,series,size,winrate,games\n\
    fig:figure,50,3,30,400\nfig:figure,50,4,50,\nfig:figure,50,5,50,\n\
    fig:figure,200,3,70,400\nfig:figure,200,4,50,\nfig:figure,size2,4,40,\nfig:other,size*2,4,50,\nfig:other,50,4,50,\n";
