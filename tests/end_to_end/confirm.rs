//! From a sweep to a baseline that the next sweep is measured against, with real games.

use crate::process::{DEADLINE, Process, QUICK, TINY, refuses, says};
use std::path::Path;
use std::time::Instant;

/// Asks for the list of experiments until it contains these words.
fn wait_for_list(dir: &Path, words: &str) -> String {
    let deadline = Instant::now() + DEADLINE;
    loop {
        let list = says(dir, &["experiment", "list", "--db", "a.db"]);
        if list.contains(words) {
            return list;
        }
        assert!(Instant::now() < deadline, "`{words}` is not in\n{list}");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_user_confirms_a_case_promotes_it_and_builds_on_it() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let sweep = TINY.replace("set = { rave_k = 100 }", "sweep = { rave_k = [50, 100] }");
    std::fs::write(dir.join("tiny.toml"), sweep).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--database", "a.db", "tiny.toml"]);
    let url = serving.url();
    let token = says(dir, &["token", "add", "ada", "--scope", "experiment", "--database", "a.db"]);
    let working = says(dir, &["token", "add", "node", "--database", "a.db"]);
    let work = ["work", "--coordinator", &url, "--token", working.trim(), "--dir", "node"];
    let worker = Process::start(dir, &[&work[..], &QUICK].concat());
    wait_for_list(dir, "8 of 8");

    // Hypotheses so far apart that a few games of any strength decide for the case.
    let case = ["confirm", "tiny", "rave_k=50", "--sprt", "-1000,-900", "--db", "a.db"];
    let asked = refuses(dir, &case);
    assert!(asked.contains("fresh seeds") && asked.contains("mean pairs if H0"), "{asked}");
    assert!(asked.contains("--yes begins it, --preview only shows it"), "{asked}");
    assert!(
        says(dir, &[&case[..], &["--preview"]].concat())
            .contains("rave_k=50 against uct, in the experiment `confirm tiny: rave_k=50`")
    );
    assert!(
        !says(dir, &["experiment", "list", "--db", "a.db"]).contains("confirm tiny"),
        "nothing was begun"
    );
    let early = refuses(dir, &["promote", "tiny", "rave_k=50", "--db", "a.db"]);
    assert!(early.contains("no confirmation was begun") && early.contains("--unconfirmed"), "{early}");
    // Through the API, as from another machine.
    let api = ["--coordinator", &url, "--token", token.trim()];
    let begun = says(dir, &[&case[..5], &["--yes"], &api[..]].concat());
    assert!(begun.contains("begun: experiment confirm tiny: rave_k=50"), "{begun}");
    wait_for_list(dir, "rave_k=50 of tiny: confirmed");
    let again = says(dir, &case);
    assert!(again.contains("confirmed: of 1 test, 1 accepted H1"), "{again}");
    let results = says(dir, &["results", "tiny", "--db", "a.db"]);
    assert!(
        results.contains("confirmed: of 1 test") && results.contains("(experiment confirm tiny"),
        "{results}"
    );

    let said = says(dir, &[&["promote", "tiny", "rave_k=50", "--as", "best"], &api[..]].concat());
    assert!(said.contains("best is a baseline now"), "{said}");
    let said = says(dir, &["baseline", "show", "best", "--db", "a.db"]);
    for words in [
        "rave_k=50 of tiny, revision 1",
        "confirmed: of 1 test",
        "└─ best",
        "in a file   baseline = \"best\"",
    ] {
        assert!(said.contains(words), "`{words}` is not in\n{said}");
    }

    // The next sweep is measured against it.
    let next = TINY.replace("\"tiny\"", "\"next\"").replace("preset = \"uct\"", "baseline = \"best\"");
    assert!(next.contains("baseline = \"best\""), "{next}");
    std::fs::write(dir.join("next.toml"), next.replace("rave_k = 100", "rave_k = 70")).expect("written");
    let offline = refuses(dir, &["plan", "next.toml"]);
    assert!(
        offline.contains("`best` is a named baseline") && offline.contains("--coordinator URL"),
        "{offline}"
    );
    assert!(says(dir, &["plan", "next.toml", "--db", "a.db"]).contains("games"));

    // A sweep may also begin at it.
    let from = TINY.replace("\"tiny\"", "\"from\"").replace("set = { rave_k = 100 }", "baseline = \"best\"");
    assert!(from.contains("id = \"rave\"\nbaseline = \"best\""), "{from}");
    std::fs::write(dir.join("from.toml"), &from).expect("written");
    assert!(says(dir, &["plan", "from.toml", "--db", "a.db"]).contains("4 games"));
    std::fs::write(
        dir.join("both.toml"),
        from.replace("baseline = \"best\"", "baseline = \"best\"\npreset = \"rave\""),
    )
    .expect("written");
    let both = refuses(dir, &["plan", "both.toml", "--db", "a.db"]);
    assert!(both.contains("[[test]] has either `preset` or `baseline`, not both"), "{both}");
    std::fs::write(dir.join("wrong.toml"), next.replace("\"best\"", "\"bets\"")).expect("written");
    let wrong = refuses(dir, &[&["apply", "wrong.toml"], &api[..]].concat());
    assert!(wrong.contains("there is no baseline `bets`; did you mean `best`?"), "{wrong}");
    says(dir, &[&["apply", "next.toml"], &api[..]].concat());
    let several = refuses(dir, &["results", "--db", "a.db"]);
    assert!(
        several.contains("name an experiment; there are: next, confirm tiny: rave_k=50, tiny"),
        "{several}"
    );
    let said = says(dir, &["promote", "next", "rave", "--as", "better", "--unconfirmed", "--db", "a.db"]);
    assert!(said.contains("better is a baseline now"), "{said}");
    let said = says(dir, &[&["baseline", "show", "better"], &api[..]].concat());
    let places: Vec<_> =
        ["uct (preset)", "└─ best", "└─ better"].iter().map(|words| said.find(words)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{said}");
    assert!(says(dir, &["baseline", "list", "--json", "--db", "a.db"]).contains("\"better\""));
    wait_for_list(dir, "finished");
    assert!(worker.stop().success());
    assert!(serving.stop().success());
    says(dir, &["verify", "--db", "a.db"]);
}

#[test]
fn a_run_of_a_file_plays_the_confirmations_of_its_cases() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let sweep = TINY.replace("set = { rave_k = 100 }", "sweep = { rave_k = [50, 100] }");
    std::fs::write(dir.join("tiny.toml"), sweep).expect("written");
    let run = [&["run", "tiny.toml", "--port", "0", "--database", "a.db"], &QUICK[..]].concat();
    let mut running = Process::start(dir, &run);
    running.url();
    wait_for_list(dir, "8 of 8");
    let confirm =
        |case| says(dir, &["confirm", "tiny", case, "--sprt", "-1000,-900", "--yes", "--db", "a.db"]);
    confirm("rave_k=50");
    wait_for_list(dir, "rave_k=50 of tiny: confirmed");
    assert!(running.stop().success());
    // One that was begun while nothing ran.
    confirm("rave_k=100");
    let shown = says(dir, &[&run[..], &["--exit-when-done"]].concat());
    assert!(shown.contains("confirm tiny: rave_k=100") && shown.contains("confirmed: of 1 test"), "{shown}");
    wait_for_list(dir, "rave_k=100 of tiny: confirmed");
}
