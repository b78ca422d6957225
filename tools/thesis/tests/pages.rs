//! The pages of an experiment that is played.

#[path = "../../../tests/end_to_end/process.rs"]
#[allow(dead_code, reason = "the tests of the program use more")]
mod process;
#[path = "../../../tests/end_to_end/published.rs"]
mod published;

use process::{isolated, output, output_of, says};
use published::{FILE, POINTS};
use std::path::Path;

fn thesis(home: &Path, arguments: &[&str]) -> (bool, String, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_thesis"));
    let (status, stdout, stderr) = output_of(isolated(program, home, arguments));
    (status.success(), stdout, stderr)
}

/// How the variants of `FILE` are called, and what is claimed of them.
const CONCLUSIONS: &str = r#"experiments = "mine"
publication = "A paper"
published = "../points.csv"
budget = "300 sims"
correct = ["repaired"]
defect = ["old"]
published_games = 200
budgets = "It never changes."
guide = "The games are elsewhere."
method = "How it was done."
[[figure]]
name = "figure"
title = "The figure"
place = "figure 1, page 2"
since = "June 1999"
statement = "Fifty wins."
conclusion = "Fifty is better."
[[figure.claim]]
case = "50"
says = "better"
sizes = [3, 4]
[[figure.also]]
statement = "Fifty is bad on size 4."
case = "50"
says = "worse"
sizes = [4]
[[figure]]
name = "other"
title = "The other"
statement = "Nothing."
conclusion = "Nobody knows."
[[figure.claim]]
case = "50"
says = "worse"
sizes = [4]
[[by_time]]
name = "figure"
title = "The figure by time"
finding = "It is the same."
[[by_time]]
name = "absent"
title = "Not played"
"#;

#[test]
fn conclusions_are_judged_by_exported_games() {
    let home = tempfile::tempdir().expect("a directory");
    let home = home.path();
    // A baseline without lookahead loses most games.
    let file =
        FILE.replace("preset = \"uct\"", "preset = \"uct\"\nset = { lookahead = 0, keep_tree = false }");
    let file = file.replace("sims = 20", "sims = 300").replace("games_per_cell = 20", "games_per_cell = 40");
    std::fs::write(home.join("mine.toml"), &file).expect("written");
    std::fs::write(home.join("points.csv"), POINTS).expect("written");
    std::fs::create_dir_all(home.join("pages")).expect("a directory");
    std::fs::write(home.join("pages/conclusions.toml"), CONCLUSIONS).expect("written");
    let options = ["--port", "0", "--slots", "2", "--calibration-runs", "1", "--calibration-sims", "2000"];
    let (status, _, stderr) =
        output(home, &[&["run", "mine.toml", "--exit-when-done"][..], &options].concat());
    assert!(status.success(), "{stderr}");
    let other = file.replace("mine/figure", "mine/other").replace("sims = 300", "sims = 200");
    std::fs::write(home.join("other.toml"), other).expect("written");
    let (status, _, stderr) = output(home, &["apply", "other.toml"]);
    assert!(status.success(), "{stderr}");
    // Nothing is known of the other figure's claim. The first experiment has ended, and keeps its weight.
    let (fine, said, stderr) = thesis(home, &["steer", "pages/conclusions.toml"]);
    assert!(fine && said.is_empty() && stderr.contains("mine/other: weight 0.5"), "{said}{stderr}");
    assert!(!stderr.contains("mine/figure: weight") && !home.join("pages/README.md").exists(), "{stderr}");
    // Once every experiment is over, there is no next look.
    let (status, _, stderr) = output(home, &["experiment", "stop", "mine/other", "--yes"]);
    assert!(status.success(), "{stderr}");
    let (fine, _, stderr) = thesis(home, &["steer", "pages/conclusions.toml", "--every", "1d"]);
    assert!(fine && !stderr.contains("weight"), "{stderr}");
    let (fine, _, stderr) = thesis(home, &["export", "pages/conclusions.toml"]);
    assert!(fine && stderr.contains("mine/figure: 320 games"), "{stderr}");
    let one = ["export", "pages/conclusions.toml", "--figure"];
    let (fine, _, stderr) = thesis(home, &[&one[..], &["other"]].concat());
    assert!(fine && !stderr.contains("mine/figure: 320 games"), "{stderr}");
    let (fine, _, stderr) = thesis(home, &[&one[..], &["figur"]].concat());
    assert!(!fine && stderr.contains("has no figure `figur`; did you mean `figure`?"), "{stderr}");
    let (_, weight, stderr) = output(home, &["experiment", "show", "mine/other"]);
    assert!(weight.contains("weight    0.5"), "{weight}{stderr}");
    let (status, said, stderr) = output(home, &["rerun", "pages/games/figure.tar.gz", "--games", "2"]);
    assert!(status.success() && said.contains("2 of 2"), "{said}{stderr}");

    let results = home.join("pages/results");
    let export = std::fs::read_to_string(results.join("figure.json")).expect("exported");
    std::fs::write(results.join("by-time-figure.json"), export.replace("mine/figure", "by-time/figure"))
        .expect("written");

    let (fine, said, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(fine && said.contains("5 pages in pages"), "{said}{stderr}");
    let page = |name: &str| std::fs::read_to_string(home.join("pages").join(name)).expect(name);
    let (front, figure) = (page("README.md"), page("figure.md"));
    let row = "| figure 1, page 2 | [The figure](figure.md) | Fifty wins. | Fifty is better. | *holds* | ";
    assert!(front.lines().any(|line| line.starts_with(row) && line.ends_with(" | 160 |")), "{front}");
    let row = "| [figure 1, page 2](figure.md) | Fifty is bad on size 4. | `50` scores below 50 %, size 4 | does not hold, ";
    assert!(front.contains(row), "{front}");
    let row = "| Fifty is bad on size 4. `50` scores below 50 %, size 4 | with the defect | 40 | ";
    assert!(figure.contains(row), "{figure}");
    let played = page("played.md");
    assert!(played.contains("| [The figure](figure.md) | 240 | 6 | 0 | 0 | 0 | 6 |"), "{played}");
    assert!(played.ends_with("## Cells without a game\n\nNone.\n"), "{played}");
    assert!(
        front.contains(
            "| in the source only | The other | Nothing. | Nobody knows. | *undecided* (not played) | – | – | 0 |"
        ),
        "{front}"
    );
    assert!(
        front.contains(
            "Figures and effects by budget have 320 games. Their moves took 0.0 core-hours of CPU time"
        ),
        "{front}"
    );
    assert!(front.contains("The games are elsewhere.\n\n![the claims of all figures]"), "{front}");
    let count = "With a correct RAVE, 1 holds, 0 do not, 0 are smaller than published and 0 are undecided, 1 without games.";
    assert!(front.contains(count), "{front}");
    assert!(
        front.contains("score as published?** It does") && front.contains("of its 1 claim with games, "),
        "{front}"
    );
    assert!(
        front.contains("[Figure by figure](programs.md): 1 figure is open, and 1 has too few games.")
            && figure.contains("[Which program do the published points resemble?](programs.md) Open"),
        "{front}{figure}"
    );
    let programs = page("programs.md");
    assert!(
        programs.contains("| figure 1, page 2 | [The figure](figure.md) | June 1999 | 2 | ")
            && page("programs.svg").starts_with("<svg"),
        "{programs}"
    );
    assert!(page("conclusions.svg").contains("not played"), "the other figure has no games");
    assert!(front.ends_with("How it was done.\n"), "{front}");
    let cost = figure.split("## What a case costs").nth(1).unwrap_or_default();
    assert!(cost.contains("| case | program | 3 | 4 |") && cost.contains("| correct RAVE | "), "{figure}");
    assert!(
        figure.contains("`50` scores above 50 %, sizes 3 to 4 together | correct RAVE | 80 |"),
        "{figure}"
    );
    let list =
        "gauntlet game list --experiment mine/figure --case 'repaired 50' --size 3 --database mine.db\n";
    assert!(figure.contains(list), "{figure}");
    let case =
        ["game", "list", "--experiment", "mine/figure", "--case", "repaired 50", "--size", "3", "--all"];
    assert_eq!(says(home, &case).lines().count(), 1 + 40, "a line for each game, below the headings");
    assert!(front.contains("## By budget of a move\n\nIt never changes.\n\n* "), "{front}");
    assert!(figure.contains("with the defect | 80 |") && page("figure.svg").starts_with("<svg"), "{figure}");

    let by_time = page("by-time-figure.md");
    assert!(by_time.contains("**It is the same.**") && by_time.contains("\n| 300 sims | 80 | "), "{by_time}");
    assert!(page("by-time-figure.svg").contains("300 sims"));
    assert!(front.contains("* [The figure by time](by-time-figure.md). It is the same.\n"), "{front}");
    assert!(!front.contains("Not played"), "{front}");

    let (fine, said, stderr) = thesis(home, &["verdicts", "pages/conclusions.toml"]);
    let figure = said.lines().find(|line| line.starts_with("The figure ")).map(str::split_whitespace);
    let words: Vec<&str> = figure.expect("a line for the figure").collect();
    assert!(fine && words == ["The", "figure", "holds", "holds", "160"], "{said}{stderr}");
    assert!(said.ends_with("and 0 are undecided, 1 without games.\n"), "{said}");
    // Forty games of each case do not tell, and the plan has no more.
    let points = format!("{POINTS}fig:figure,size*2,4,50,\n");
    std::fs::write(home.join("points.csv"), points).expect("written");
    let close = CONCLUSIONS.replacen(
        "says = \"better\"\nsizes = [3, 4]",
        "says = \"alike\"\nthan = \"size*2\"\nsizes = [4]",
        1,
    );
    std::fs::write(home.join("pages/conclusions.toml"), close).expect("written");
    let (fine, said, stderr) = thesis(home, &["verdicts", "pages/conclusions.toml"]);
    let ended = "all games of the plan are played, and this is undecided: `50` scores within five points of `size*2`, size 4.";
    assert!(fine && said.contains(ended), "{said}{stderr}");

    std::fs::write(home.join("pages/conclusions.toml"), CONCLUSIONS.replacen("\"50\"", "\"5O\"", 1))
        .expect("written");
    let (fine, _, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(!fine && stderr.contains("figure `figure`") && stderr.contains("`5O`"), "{stderr}");
    // Size 5 was published and not played.
    std::fs::write(home.join("pages/conclusions.toml"), CONCLUSIONS.replace("sizes = [3, 4]\n", ""))
        .expect("written");
    let (fine, _, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(
        fine && page("README.md")
            .contains("| *undecided* with a correct RAVE (4,096 times as many games would not decide)"),
        "{stderr}"
    );
    std::fs::write(home.join("pages/conclusions.toml"), CONCLUSIONS).expect("written");
    std::fs::write(results.join("other.json"), &export).expect("written");
    let (fine, _, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(
        !fine && stderr.contains("has the results of `mine/figure`, and not of `mine/other`"),
        "{stderr}"
    );
    let other_budget = CONCLUSIONS.replace("300 sims", "5 s");
    std::fs::remove_file(results.join("other.json")).expect("removed");
    std::fs::write(home.join("pages/conclusions.toml"), other_budget).expect("written");
    let (fine, _, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(
        !fine
            && stderr.contains("figure `figure`")
            && stderr.contains("has a budget of 5 s (the experiment has: 300 sims)"),
        "{stderr}"
    );
    std::fs::write(home.join("pages/conclusions.toml"), CONCLUSIONS).expect("written");
    std::fs::write(results.join("other.json"), "{}").expect("written");
    let (fine, _, stderr) = thesis(home, &["pages", "pages/conclusions.toml"]);
    assert!(!fine && stderr.contains("other.json is no export of `gauntlet results --json`"), "{stderr}");
}
