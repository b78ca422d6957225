//! The life of an experiment as its user sees it: planned, changed while it runs, paused, archived.

use crate::process::{Process, TINY, refuses, says};

#[test]
fn a_user_changes_an_experiment_while_it_runs() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let sweep =
        |values: &str| TINY.replace("set = { rave_k = 100 }", &format!("sweep = {{ rave_k = [{values}] }}"));
    for (file, values) in [("tiny.toml", "50, 100"), ("more.toml", "50, 75, 100"), ("less.toml", "100, 200")]
    {
        std::fs::write(dir.join(file), sweep(values)).expect("written");
    }
    let said = refuses(dir, &["experiment", "diff", "tiny.toml"]);
    assert!(said.contains("no database here"), "{said}");
    says(dir, &["db", "create"]);
    let said = says(dir, &["experiment", "diff", "tiny.toml"]);
    assert!(
        said.contains("would be a new experiment")
            && said.contains("added     2 cases, 2 cells, 8 games planned"),
        "{said}"
    );
    let said = says(dir, &["apply", "tiny.toml"]);
    assert!(said.contains("tiny (new): 2 cells, 0 of 8 games done"), "{said}");
    assert!(says(dir, &["apply", "tiny.toml"]).contains("known already"));

    let run =
        |file| ["run", file, "--port", "0", "--slots", "1", "--calibration-runs", "1", "--exit-when-done"];
    assert!(says(dir, &run("tiny.toml")).contains("8 of 8 games"));
    assert!(says(dir, &["experiment", "list"]).contains("finished"));

    let said = says(dir, &["experiment", "diff", "more.toml"]);
    for line in [
        "tiny is at revision 1",
        "added     1 case, 1 cell, 4 games planned, 0 played",
        "kept      2 cases, 2 cells, 8 games planned, 8 played",
    ] {
        assert!(said.contains(line), "`{line}` is not in\n{said}");
    }
    assert!(
        says(dir, &["apply", "more.toml"])
            .contains("tiny (revision 2: 1 cell added): 3 cells, 8 of 12 games done")
    );
    let results = says(dir, &["results", "tiny"]);
    let places: Vec<_> =
        ["rave_k=50", "rave_k=75", "rave_k=100"].iter().map(|label| results.find(label)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "the order of the file:\n{results}");

    let said = refuses(dir, &run("tiny.toml"));
    assert!(
        said.contains("this is revision 1 of `tiny`, which revision 2 replaced")
            && said.contains("--supersede"),
        "{said}"
    );
    let said = says(dir, &["apply", "less.toml"]);
    assert!(said.contains("revision 3: 1 cell added, 2 cells closed): 2 cells, 4 of 8 games done"), "{said}");
    assert!(says(dir, &run("less.toml")).contains("8 of 8 games"));
    let said = says(dir, &["apply", "tiny.toml", "--supersede"]);
    assert!(
        said.contains("revision 4: 1 cell reopened, 1 cell closed): 2 cells, 8 of 8 games done"),
        "{said}"
    );
    says(dir, &["verify"]);

    let said = says(dir, &["experiment", "show", "tiny"]);
    for words in ["revision 4", "revision 3", "revision 2", "revision 1", "finished"] {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }
    let plan = says(dir, &["experiment", "show", "tiny", "--revision", "3"]);
    assert!(plan.contains("rave_k=200") && !plan.contains("rave_k=50\""), "{plan}");
}

#[test]
fn a_user_pauses_weighs_and_archives_an_experiment_through_the_api() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("3 = 1", "5 = 1").replace("games_per_cell = 4", "games_per_cell = 4000");
    std::fs::write(dir.join("tiny.toml"), &long).expect("written");
    std::fs::write(dir.join("other.toml"), long.replace("\"tiny\"", "\"other\"")).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--database", "a.db"]);
    let url = serving.url();
    let token = says(dir, &["token", "add", "ada", "--scope", "experiment", "--database", "a.db"]);
    let api = ["--coordinator", &url, "--token", token.trim()];
    let with = |arguments: &[&str]| says(dir, &[arguments, &api[..]].concat());
    let said = with(&["apply", "tiny.toml", "other.toml"]);
    assert!(said.contains("tiny (new)") && said.contains("other (new)"), "{said}");
    let both = refuses(dir, &[&["apply", "tiny.toml", "tiny.toml"], &api[..]].concat());
    assert!(both.contains("both called `tiny`"), "{both}");

    let list = with(&["experiment", "list"]);
    let id = list
        .lines()
        .find(|line| line.contains("tiny"))
        .and_then(|line| line.split(' ').next())
        .expect("an id");
    assert!(id.len() >= 8 && id.chars().all(|c| c.is_ascii_hexdigit()), "{list}");
    let said = with(&["experiment", "pause", &id[..6]]);
    assert!(said.contains("tiny is paused") && said.contains("gauntlet experiment resume tiny"), "{said}");
    let status = with(&["status"]);
    assert!(status.contains("paused"), "{status}");
    let said = with(&["experiment", "weight", "tiny", "2.5"]);
    assert!(said.contains("tiny has the weight 2.5"), "{said}");
    let said = with(&["experiment", "weight", "tiny", "other", "2"]);
    assert!(said.contains("tiny has the weight 2\nother has the weight 2\n"), "{said}");
    with(&["experiment", "note", "tiny", "the lab is closed"]);
    with(&["experiment", "tag", "tiny", "thesis", "small"]);
    assert!(with(&["experiment", "tag", "tiny", "--remove", "small"]).contains("tags thesis"));
    assert!(!with(&["experiment", "list", "--tag", "thesis"]).contains("other"));
    assert!(with(&["why", "tiny"]).contains("gauntlet experiment resume tiny"));
    assert!(with(&["experiment", "resume", "tiny"]).contains("tiny is active"));

    let said = refuses(dir, &[&["experiment", "archive", "tiny"], &api[..]].concat());
    assert!(said.contains("4000 games missing") && said.contains("--yes"), "{said}");
    let said = refuses(dir, &[&["experiment", "stop", "other"], &api[..]].concat());
    assert!(said.contains("4000 games missing") && said.contains("cannot be taken back"), "{said}");
    assert!(with(&["experiment", "stop", "other", "--yes"]).contains("other is stopped"));
    assert!(with(&["status", "--all"]).contains("stopped"));
    assert!(refuses(dir, &[&["apply", "other.toml"], &api[..]].concat()).contains("another name"));
    assert!(with(&["experiment", "archive", "tiny", "--yes"]).contains("tiny is archived"));
    assert!(!with(&["experiment", "list"]).contains("tiny") && !with(&["status"]).contains("tiny"));
    assert!(with(&["experiment", "list", "--all"]).contains("archived"));
    let said = refuses(dir, &[&["apply", "tiny.toml", "--supersede"], &api[..]].concat());
    assert!(said.contains("unarchive"), "{said}");
    assert!(with(&["experiment", "list", "--all", "--json"]).contains("\"archived\""));
    let said = refuses(dir, &[&["experiment", "stop", "tiny"], &api[..]].concat());
    assert!(said.contains("tiny is archived: its 4000 games missing will not be played"), "{said}");
    with(&["experiment", "unarchive", "tiny"]);
    let said = with(&["experiment", "show", "tiny"]);
    let actions = [
        "unarchive",
        "archive",
        "resume",
        "-small",
        "+small +thesis",
        "the lab is closed",
        "1 to 2.5",
        "pause",
        "apply",
    ];
    let places: Vec<_> = actions.iter().map(|action| said.find(&format!("  {action}"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}\n{said}");
    let said = refuses(dir, &[&["experiment", "pause", "tinny"], &api[..]].concat());
    assert!(said.contains("`tinny`"), "{said}");
    let reader = says(dir, &["token", "add", "guest", "--scope", "read", "--database", "a.db"]);
    let said =
        refuses(dir, &["experiment", "pause", "tiny", "--coordinator", &url, "--token", reader.trim()]);
    assert!(said.contains("experiment"), "{said}");
    assert!(serving.stop().success());
}

#[test]
fn a_run_fails_when_somebody_stops_its_experiment() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("3 = 1", "5 = 1").replace("games_per_cell = 4", "games_per_cell = 100000");
    std::fs::write(dir.join("long.toml"), long).expect("written");
    let mut run = Process::start(
        dir,
        &["run", "long.toml", "--port", "0", "--slots", "1", "--calibration-runs", "1", "--exit-when-done"],
    );
    run.url();
    says(dir, &["experiment", "stop", "tiny", "--yes"]);
    assert_eq!(run.wait().code(), Some(1), "games of its plan are missing");
    assert!(says(dir, &["experiment", "list"]).contains("stopped"));
}
