//! What one command writes, another reads: files of experiments and games, bundles, tables, and text for LaTeX.

use crate::process::{QUICK, gauntlet, output_of, says};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names that break what puts texts together carelessly.
const NAMES: [&str; 10] = [
    r#"[a, "b" $x$]"#,
    "=1+1",
    "'=quoted",
    "-i",
    "Ωмир 日本 é",
    r"*e* <f> | \g ~^ -- ''",
    r"\input{/etc/passwd}",
    r"a\\[2cm]b",
    "--- & % # _ {",
    "?`!`<<>>,,",
];

/// A quick experiment with these names of cases, with comments that only its file has.
fn file(name: &str) -> String {
    let case = |(number, name): (usize, &&str)| {
        format!("  {{ label = {}, rave_k = {} }},\n", serde_json::json!(name), 50 + number)
    };
    let cases: String = NAMES.iter().enumerate().map(case).collect();
    format!(
        "# Written by a test: 50 % \"of\" Ω\n[experiment]\nname = {}\nquestion = \"Is 50 % *enough*? a | b -- \\\"c\\\" Ω\"\n\
         [[baseline]]\nid = \"uct\"\npreset = \"uct\"\n[[test]]\nid = \"k\"\nsweep = [\n{cases}]\n[sizes]\n3 = 1\n\
         [[budget]]\nid = \"b\"\nsims = 5\n[play]\ngames_per_cell = 2   # few\n",
        serde_json::json!(name)
    )
}

fn play(dir: &Path, name: &str) {
    std::fs::write(dir.join("x.toml"), file(name)).expect("written");
    says(dir, &[&["run", "x.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
}

/// What GTP answers to lines.
fn gtp(dir: &Path, lines: &str) -> Vec<String> {
    let mut child =
        gauntlet(dir, &["gtp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("read");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.trim_end().split("\n\n").map(str::to_owned).collect()
}

#[test]
fn the_file_of_an_experiment_and_the_commands_of_its_name_are_read_again() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let name = "-o =Ω \"50 %\" it's";
    play(dir, name);
    let shown = says(dir, &["experiment", "show", "--file", "--", name]);
    assert_eq!(shown, file(name), "with its comments");
    std::fs::write(dir.join("again.toml"), &shown).expect("written");
    assert!(says(dir, &["apply", "again.toml"]).contains("known already"));
    assert_eq!(says(dir, &["experiment", "show", "--file", "--revision", "1", "--", name]), shown);

    // A table of cells is a sweep with the same cases.
    says(dir, &["results", "x.toml", "--out", "x.csv"]);
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&says(dir, arguments)).expect("JSON")
    };
    let sweep = json(&["stats", "--sweep", "x.csv", "--json"]);
    let analysis = json(&["results", "x.toml", "--analysis", "--json"]);
    let cases = |sweep: &serde_json::Value| -> Vec<String> {
        let cases = sweep["fields"][0]["cases"].as_array().expect("cases").iter();
        cases.map(|case| case["case"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(cases(&sweep), cases(&analysis["sweep"]));
    let mut found = cases(&sweep);
    found.sort();
    let mut names = NAMES.map(str::to_owned);
    names.sort();
    assert_eq!(found, names);

    // Times as one command prints them.
    let listed = says(dir, &["game", "list", "--all", "--format", "csv"]);
    let count = |arguments: &[&str]| {
        says(dir, &[&["game", "list", "--all", "--format", "csv"], arguments].concat()).lines().count()
    };
    let table = says(dir, &["game", "list", "--all"]);
    let at = table.find(" UTC").expect("a time");
    let time = &table[at - 19..at + 4];
    assert_eq!(count(&["--since", time]) + count(&["--until", time]), listed.lines().count() + 1, "{time}");
    let excluded =
        says(dir, &["game", "exclude", "--worker", &hostname(&table), "--since", time, "--why", "x"]);
    assert!(excluded.contains("took "), "{excluded}");
    let tokens = |arguments: &[&str]| {
        says(dir, &[&["token"], arguments].concat());
        let tokens = says(dir, &["token", "list"]);
        tokens.split("until ").nth(1).map(|rest| rest[..23].to_owned()).expect("a time")
    };
    let until = tokens(&["add", "one", "--expires", "3d"]);
    assert_eq!(tokens(&["add", "two", "--expires", &until])[..16], until[..16], "within a minute");
}

/// The machine of the first game of a list.
fn hostname(table: &str) -> String {
    let mut lines = table.lines();
    let place = lines.next().and_then(|line| line.find("machine")).expect("a column");
    let line: Vec<char> = lines.next().expect("a game").chars().collect();
    line[place..].iter().take_while(|c| **c != ' ').collect()
}

#[test]
fn games_are_read_from_the_files_that_commands_write() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    play(dir, "games");
    says(dir, &["game", "sgf", "--all", "--out", "all.sgf"]);
    says(dir, &["game", "sgf", "--all", "--dir", "each"]);
    let files: Vec<_> = std::fs::read_dir(dir.join("each")).expect("a directory").flatten().collect();
    assert_eq!(files.len(), 2 * NAMES.len());
    let moves = |file: &str, game: usize| -> String {
        let answers = gtp(dir, &format!("loadsgf {file} game={game}\nhistory\nquit\n"));
        assert!(answers[0].starts_with('='), "{file} {game}: {answers:?}");
        answers[1].clone()
    };
    let of_one_file: Vec<String> = (1..=3).map(|game| moves("all.sgf", game)).collect();
    let all = std::fs::read_to_string(dir.join("all.sgf")).expect("written");
    for (number, of_one_file) in of_one_file.iter().enumerate() {
        let id = all.split("GN[").nth(1 + number).and_then(|rest| rest.split(']').next()).expect("an id");
        let game = moves(&format!("each/{id}.sgf"), 1);
        let shown: serde_json::Value =
            serde_json::from_str(&says(dir, &["game", "show", id, "--json"])).expect("JSON");
        let opening = shown["opening"].as_array().expect("moves").iter();
        let played = shown["moves"].as_array().expect("moves").iter().map(|one| &one["cell"]);
        let cells: Vec<&str> = opening.chain(played).map(|cell| cell.as_str().expect("a cell")).collect();
        let said: Vec<&str> = game.split_whitespace().filter(|word| cells.contains(word)).collect();
        assert_eq!(said, cells, "{game}");
        // Every name is one that a file may have, and the answer is that name.
        let answers = gtp(
            dir,
            &format!(
                "loadsgf each/{id}.sgf\nsavesgf \"a b #1.sgf\"\nloadsgf \"a b #1.sgf\"\nhistory\nquit\n"
            ),
        );
        assert_eq!((answers[1].as_str(), &answers[3]), ("= a b #1.sgf", &game));
        says(dir, &["solve", "a b #1.sgf", "--nodes", "10"]);
        assert_eq!(*of_one_file, game);
    }
}

#[test]
fn a_bundle_of_what_was_imported_is_imported_again() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    play(dir, "=bundle Ω");
    let all = 2 * NAMES.len();
    for (from, to) in [("gauntlet.db", "one"), ("one.db", "two"), ("two.db", "three")] {
        let (bundle, database) = (format!("{to}.tar.gz"), format!("{to}.db"));
        says(dir, &["bundle", "=bundle Ω", "-o", &bundle, "--database", from]);
        let said = says(dir, &["import", &bundle, "--database", &database]);
        assert!(said.contains(&format!("{all} of {all} games count now")), "{said}");
        let said = says(dir, &["import", &bundle, "--database", "gauntlet.db"]);
        assert!(said.contains(&format!("{all} stored before")), "{said}");
        let results =
            |database: &str| says(dir, &["results", "x.toml", "--format", "csv", "--database", database]);
        assert_eq!(results(&database), results("gauntlet.db"));
        let file = |database: &str| {
            says(dir, &["experiment", "show", "=bundle Ω", "--file", "--database", database])
        };
        assert_eq!(file(&database), file("gauntlet.db"));
    }
}

/// The page's own pictures, as a test of the page writes them.
const PICTURES: &str = include_str!("../../dashboard/test/data/pictures.tex");

/// A document that includes the files `r.tex` and `pictures.tex`.
fn document(fonts: &str) -> String {
    format!(
        "\\documentclass{{article}}\n{fonts}\n\\usepackage{{pgfplots,booktabs,longtable}}\n\\pgfplotsset{{compat=1.16}}\n\
         \\begin{{document}}\n\\input{{r.tex}}\n\\clearpage\n\\input{{pictures.tex}}\n\\end{{document}}\n"
    )
}

#[test]
#[ignore = "needs LaTeX: the thorough tests run it where LaTeX is installed"]
fn latex_prints_every_name_as_it_is() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    play(dir, "=hostile_Ω & \\end{figure} % #1 ~^ {x} $y$");
    says(dir, &["results", "x.toml", "--out", "r.tex"]);
    std::fs::write(dir.join("pictures.tex"), PICTURES).expect("written");
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let old = "\\usepackage[T1]{fontenc}";
    let new = "\\usepackage{fontspec}";
    for (program, fonts) in [("pdflatex", old), ("lualatex", old), ("xelatex", new)] {
        if !is_there(program) {
            eprintln!("{program} is not installed");
            continue;
        }
        std::fs::write(dir.join("document.tex"), document(fonts)).expect("written");
        let mut latex = Command::new(program);
        latex.args(["-interaction=nonstopmode", "-halt-on-error", "document.tex"]).current_dir(dir);
        let (status, said, _) = output_of(latex);
        assert!(status.success(), "{program}: {said}");
        if is_there("pdftotext") {
            let mut text = Command::new("pdftotext");
            text.args(["-layout", "document.pdf", "-"]).current_dir(dir);
            let (_, text, _) = output_of(text);
            for name in NAMES.into_iter().filter(|name| name.is_ascii() && !name.contains(['"', '\''])) {
                assert!(text.contains(name), "{program}: {name} is not in\n{text}");
            }
        }
    }
}
