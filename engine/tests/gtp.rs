//! GTP sessions: transcripts by topic in `data/gtp` and the examples of docs/reference/gtp.md, and nonsense that must be
//! answered all the same.
//!
//! In a transcript `> ` begins a line sent, `< ` a line answered, `@ name text` puts a file where `loadsgf` finds it,
//! and everything else is a remark; `< ...` stands for the rest of an answer. Seed and simulations are fixed, so that
//! searches answer the same everywhere. With `GAUNTLET_BLESS` set, answers are written down anew instead of compared.

use engine::gtp::{Files, NoFiles, Session};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files that a transcript reads and writes.
#[derive(Clone, Default)]
struct Shelf(Rc<RefCell<HashMap<String, String>>>);

impl Files for Shelf {
    fn read(&mut self, name: &str) -> io::Result<String> {
        self.0
            .borrow()
            .get(name)
            .cloned()
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no such file"))
    }

    fn write(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
        *self.0.borrow_mut().entry(name.to_owned()).or_default() += text;
        Ok(())
    }
}

fn transcripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gtp");
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).expect("readable"));
    files.into_iter().map(read).collect()
}

/// Holds the conversations of a text again and writes down what is answered this time. Every fence of a page begins
/// a new one.
fn held_again(text: &str) -> String {
    let begin = |shelf: &Shelf| Session::new(1, Box::new(shelf.clone()));
    let mut shelf = Shelf::default();
    let mut session = begin(&shelf);
    let mut held = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        held += line;
        held += "\n";
        if line == "```gtp" {
            shelf = Shelf::default();
            session = begin(&shelf);
        }
        if let Some((name, content)) = line.strip_prefix("@ ").and_then(|line| line.split_once(' ')) {
            shelf.0.borrow_mut().insert(name.to_owned(), content.to_owned());
        }
        let Some(sent) = line.strip_prefix("> ").or((line == ">").then_some("")) else { continue };
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("< ")) {
            expected.push(line);
        }
        let answer = session.answer(sent).map_or_else(String::new, |answer| answer.text);
        let mut answered: Vec<String> =
            answer.lines().map(|line| format!("< {line}").trim_end().to_owned()).collect();
        // The empty line that ends every answer.
        let end = answered.pop();
        assert!(end.is_none_or(|end| end == "<"), "{answer:?}");
        if expected.last() == Some(&"< ...") {
            answered.truncate(expected.len() - 1);
            answered.push("< ...".to_owned());
        }
        held.extend(answered.into_iter().map(|line| line + "\n"));
    }
    held
}

fn check(path: &Path) {
    let expected = std::fs::read_to_string(path).expect("readable");
    let actual = held_again(&expected);
    if std::env::var_os("GAUNTLET_BLESS").is_some() {
        std::fs::write(path, &actual).expect("writable");
        return;
    }
    for (i, (expected, actual)) in expected.lines().zip(actual.lines()).enumerate() {
        let hint = "if searches play otherwise on purpose, write the answers anew with GAUNTLET_BLESS=1";
        assert_eq!(actual, expected, "{}, line {}: {hint}", path.display(), i + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{}", path.display());
}

#[test]
fn conversations_go_as_written_down() {
    let transcripts = transcripts();
    assert!(transcripts.len() >= 10, "only {} transcripts", transcripts.len());
    transcripts.iter().for_each(|(path, _)| check(path));
}

#[test]
fn the_examples_of_the_manual_are_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/gtp.md");
    let examples = std::fs::read_to_string(&page).expect("readable").matches("```gtp").count();
    assert!(examples > 20, "only {examples} examples");
    check(&page);
}

fn session() -> Session {
    Session::new(7, Box::new(NoFiles))
}

fn answer(session: &mut Session, line: &str) -> String {
    session.answer(line).unwrap_or_else(|| panic!("no answer to {line:?}")).text
}

#[test]
fn lines_of_nothing_but_space_and_comments_are_not_answered() {
    let mut session = session();
    for line in ["", "\n", "  \t \r\n", "# genmove white", "   # 1 name", "\u{7}"] {
        assert_eq!(session.answer(line), None, "{line:?}");
    }
}

#[test]
fn answers_carry_the_id_and_end_in_one_empty_line() {
    let mut session = session();
    assert_eq!(answer(&mut session, "name\n"), "= Gauntlet\n\n");
    assert_eq!(answer(&mut session, "17 name # who are you?\r\n"), "=17 Gauntlet\n\n");
    assert_eq!(answer(&mut session, "\u{1}0\tprotocol_\u{2}version"), "=0 2\n\n");
    assert_eq!(answer(&mut session, "clear_board"), "= \n\n");
    assert_eq!(answer(&mut session, "\u{feff}name"), "= Gauntlet\n\n");
    assert!(answer(&mut session, "18 nmae").starts_with("?18 unknown command `nmae`; did you mean `name`?"));
    assert!(
        answer(&mut session, " 19 # 3").starts_with("?19 `19` is an id without a command; a line is `[id] ")
    );
    for line in ["-1 name", "+3 name", "1.5 name", "-1", ".5", "0x3 name", "1a"] {
        let no_id = line.split(' ').next().expect("a word");
        assert!(answer(&mut session, line).starts_with(&format!("? `{no_id}` is no id; ")), "{line}");
    }
    assert!(answer(&mut session, "showboard").starts_with("= \n"));
}

#[test]
fn every_number_out_of_its_range_is_answered_with_the_range() {
    let mut session = session();
    let ranges = [
        ("boardsize", "from 3 to 10"),
        ("undo", "from 0 to 0"),
        ("verbose", "from 0 to 18446744073709551615"),
        ("seed", "from 0 to 18446744073709551615"),
        ("time -i", "from 0 to 18446744073709551615, 0 for no limit"),
        ("time -m", "seconds from 0 to 1000000000"),
        ("time -g", "seconds from 0 to 1000000000"),
        ("time -r", "seconds from 0 to 1000000000"),
        ("time -e", "from 0.01 to 100"),
        ("time -p", "from 0.01 to 100"),
        ("time -s", "from 0.01 to 100"),
        ("time_left white 1", "from 0 to 4294967295"),
        ("time_settings 1 1", "from 0 to 4294967295"),
        ("solve_limits 1", "from 0 to 18446744073709551615, 0 for no limit"),
        ("solve pns 1", "from 0 to 18446744073709551615, 0 for no limit"),
        ("player_solve 1", "from 0 to 18446744073709551615, 0 for no limit"),
        ("genmove white", "seconds from 0 to 1000000000"),
        ("pns_params -m", "from 1 to 1048576"),
        ("pns_params -a", "from 0 to 2"),
        ("pns2_params -t", "from 1 to 256"),
        ("pnstt_params -c", "from 0 to 1000"),
        ("params rollouts", "from 1 to 1000"),
        ("params fpu", "from 0 to 10"),
    ];
    for (command, range) in ranges {
        for number in ["99999999999999999999", "-1", "NaN", "1e400", "0x10", "many"] {
            let text = answer(&mut session, &format!("{command} {number}"));
            assert!(text.starts_with('?') && text.contains(range), "{command} {number}: {text}");
            assert!(text.contains(&format!("`{number}`")) || command.starts_with("params"), "{text}");
        }
    }
    for command in ["savetree 99999999999999999999", "loadsgf x 99999999999999999999", "loadsgf x 0"] {
        let text = answer(&mut session, command);
        assert!(text.contains("expected a whole number from "), "{command}: {text}");
    }
}

#[test]
fn the_players_search_keeps_the_time_of_its_clock_unless_told_otherwise() {
    let solve = |clock: &str, command: &str| {
        last_answer(&[
            "boardsize 6",
            "params draw_detection=true rollouts=3",
            "solve_limits 1000 0",
            clock,
            command,
        ])
    };
    // Sixty seconds and more would be seen in how long this takes.
    for clock in [
        "time -m 0.01",
        "time -g 0.5 -e 1",
        "time -r 0.1 -p 10",
        "time -g 0.5 -s",
        "time -m 0.01 -i 1000000000",
    ] {
        let answer = solve(clock, "player_solve");
        assert!(answer.starts_with("= unknown unknown"), "{clock}: {answer}");
    }
    for (clock, command) in [
        ("time -i 50", "player_solve"),
        ("time -m 1000 -i 50", "player_solve 1000"),
        ("time -m 1000 -i 9000", "player_solve 1000 50"),
        ("time -i 50", "solve player"),
    ] {
        let answer = solve(clock, command);
        assert!(
            answer.starts_with("= unknown unknown ") && answer.ends_with(" 50\n\n"),
            "{clock}, {command}: {answer}"
        );
    }
    // What is thought is taken from the clock.
    let mut session = session();
    for line in ["boardsize 6", "time -g 10", "player_solve 0.05"] {
        answer(&mut session, line);
    }
    let left = answer(&mut session, "time");
    assert!(left.contains("\nremaining 9.") && left.contains(" 10\nsims"), "{left}");
}

#[test]
fn arguments_of_commands_that_take_none_are_refused() {
    let mut session = session();
    for line in [
        "name x",
        "pv 3",
        "history a",
        "winner white",
        "pns_stats d4",
        "ab_clear 1",
        "hguicoords 1",
        "quit 3",
    ] {
        let answer = session.answer(line).expect("answered");
        let name = line.split(' ').next().expect("a name");
        assert!(
            answer.text.contains(&format!("wrong number of arguments; expected `{name}`")),
            "{}",
            answer.text
        );
        assert!(!answer.quit);
    }
}

/// Points against those of the published program, as `tests/knowledge.rs` has them, and against what the player makes of them.
#[test]
fn knowledge_is_a_table_of_what_each_heuristic_says() {
    let mut session = session();
    for line in ["boardsize 4", "params locality=10 distance=2", "playgame b2 c4 c3 d5"] {
        answer(&mut session, line);
    }
    let table = answer(&mut session, "knowledge");
    let rows: Vec<Vec<&str>> =
        table.trim_start_matches("= ").trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let column = |name: &str| rows[0].iter().position(|known| *known == name).expect("a column");
    assert_eq!(rows[0][0], "move");
    assert_eq!(rows.len(), 1 + 37 - 4, "{table}");
    for row in &rows[1..] {
        let number = |name: &str| row[column(name)].parse::<f64>().expect("a number");
        let value = 0.01 * (10.0 * number("locality") + 2.0 * number("distance"));
        assert!((value - number("value")).abs() < 1e-5, "{row:?}");
        assert!(number("maintain_vc") <= 1.0 && number("local_reply") <= 3.0 && number("locality") <= 3.0);
    }
    // Each board shows one column.
    for name in &rows[0][1..] {
        let board = answer(&mut session, &format!("knowledge {name}"));
        let shown = board.lines().skip(2).flat_map(|line| {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            words
                .into_iter()
                .filter(|word| !matches!(*word, "W" | "B"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
        let shown: Vec<String> = shown.collect();
        for row in &rows[1..] {
            assert!(
                shown
                    .iter()
                    .any(|number| number
                        .starts_with(row[column(name)].split_at(row[column(name)].len().min(5)).0)),
                "{board}"
            );
        }
    }
    assert!(
        answer(&mut session, "knowledge luck")
            .starts_with("? `luck` is no heuristic; expected maintain_vc, ")
    );
    answer(&mut session, "play white resign");
    assert_eq!(answer(&mut session, "knowledge"), "= \n\n");
}

#[test]
fn every_move_of_a_solved_position_has_a_line_and_one_reaches_the_outcome() {
    let begin =
        ["boardsize 4", "playgame d1 a1 g4 e3 g7 f5 a4 d7 c4 f6 f7 e6 e7 d6 c2 e2 c3 c1 e4 f4 d2 b4 c5 b5"];
    for (name, fields) in [("ab", 3), ("pns", 5), ("pns2", 5), ("pnstt", 5)] {
        let mut session = session();
        for line in begin {
            answer(&mut session, line);
        }
        let solve = answer(&mut session, &format!("{name}_solve 60"));
        let solved: Vec<&str> = solve.split_whitespace().collect();
        let [_, outcome, best, ..] = solved[..] else { panic!("{name}: {solve}") };
        let stats = answer(&mut session, &format!("{name}_stats"));
        let rows: Vec<Vec<&str>> =
            stats.trim_start_matches("= ").trim().lines().map(|line| line.split(' ').collect()).collect();
        assert!(rows.iter().all(|row| row.len() == fields), "{name}: {stats}");
        let legal = answer(&mut session, "all_legal");
        assert!(
            rows.iter().all(|row| legal.split_whitespace().any(|cell| cell == row[0])),
            "{name}: {stats}"
        );
        // The others say nothing that contradicts it.
        if best != "none" {
            let row =
                rows.iter().find(|row| row[0] == best).unwrap_or_else(|| panic!("{name}: {best} {stats}"));
            assert!(row[1] == outcome || outcome == "draw", "{name}: {solve} {stats}");
        }
        answer(&mut session, "boardsize 9");
        assert_eq!(
            answer(&mut session, &format!("{name}_stats")),
            stats,
            "kept until the next one is solved"
        );
        answer(&mut session, &format!("{name}_clear"));
        assert_eq!(answer(&mut session, &format!("{name}_stats")), "= \n\n");
    }
}

#[test]
fn only_quit_ends_the_session() {
    let mut session = session();
    assert!(!session.answer("boardsize 4").expect("answered").quit);
    let end = session.answer("3 QUIT").expect("answered");
    assert_eq!((end.text.as_str(), end.quit), ("=3 \n\n", true));
}

#[test]
fn remarks_about_a_search_stay_out_of_the_answer_and_can_be_silenced() {
    let mut session = session();
    for line in ["boardsize 4", "time -i 50"] {
        answer(&mut session, line);
    }
    let spoken = session.answer("genmove white").expect("answered");
    assert_eq!(spoken.notes.len(), 1);
    assert!(
        spoken.notes[0].starts_with("white ") && spoken.notes[0].contains("50 simulations"),
        "{:?}",
        spoken.notes
    );
    answer(&mut session, "verbose 2");
    let verbose = session.answer("genmove black").expect("answered");
    assert!(verbose.notes[1].starts_with("expected: "), "{:?}", verbose.notes);
    answer(&mut session, "verbose 0");
    assert!(session.answer("genmove white").expect("answered").notes.is_empty());
}

#[test]
fn a_search_limited_in_time_and_simulations_keeps_both_limits() {
    let mut session = session();
    for line in ["boardsize 6", "extended 1", "time -m 1000 -i 200"] {
        answer(&mut session, line);
    }
    let sims = |text: String| text.split_whitespace().nth(4).expect("sims").parse::<u64>().expect("a number");
    assert_eq!(sims(answer(&mut session, "genmove white")), 200);
    answer(&mut session, "time -m 0.001 -i 1000000000");
    assert!(sims(answer(&mut session, "genmove black")) < 1_000_000_000);
    answer(&mut session, "time -m 1000 -i 0");
    assert!(sims(answer(&mut session, "genmove white 0.001")) > 0);
}

#[test]
fn move_stats_ranks_moves_by_playouts_and_the_expected_line_follows_the_first() {
    let mut session = session();
    for line in ["boardsize 5", "time -i 300", "params preset uct", "genmove white", "genmove black 0"] {
        answer(&mut session, line);
    }
    let stats = answer(&mut session, "move_stats");
    let rows: Vec<Vec<&str>> =
        stats.trim_start_matches("= ").trim().lines().map(|line| line.split(' ').collect()).collect();
    assert!(!rows.is_empty());
    let playouts: Vec<u32> = rows.iter().map(|row| row[1].parse().expect("a count")).collect();
    assert!(playouts.is_sorted_by(|a, b| a >= b), "{stats}");
    for row in &rows {
        assert_eq!(row.len(), 4, "{stats}");
        assert!((0.0..=1.0).contains(&row[2].parse::<f64>().expect("a mean")), "{stats}");
    }
    let line = answer(&mut session, "pv");
    assert_eq!(
        line.split_whitespace().nth(1),
        Some(rows[0][0]),
        "the expected line begins with the most visited move"
    );
}

#[test]
fn equal_seeds_play_equal_games() {
    let game = |seed: u64| {
        let mut session = Session::new(seed, Box::new(NoFiles));
        for line in ["boardsize 4", "time -i 60"] {
            answer(&mut session, line);
        }
        while answer(&mut session, "winner") == "= none\n\n" {
            answer(&mut session, "genmove");
        }
        answer(&mut session, "history")
    };
    assert_eq!(game(3), game(3));
    assert_ne!(game(3), game(4));
}

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "name",
    "version",
    "help",
    "list_commands",
    "known_command",
    "protocol_version",
    "boardsize",
    "clear_board",
    "play",
    "playgame",
    "genmove",
    "undo",
    "swap",
    "winner",
    "havannah_winner",
    "showboard",
    "all_legal",
    "pv",
    "move_stats",
    "params",
    "param",
    "player_params",
    "time_settings",
    "time_left",
    "history",
    "savesgf",
    "loadsgf",
    "savetree",
    "hguicoords",
    "gridcoords",
    "extended",
    "verbose",
    "echo",
    "colorboard",
    "solve",
    "ab_solve",
    "pns_solve",
    "pns2_solve",
    "pnstt_solve",
    "player_solve",
    "player_solved",
    "player_confirm",
    "pns2_params",
    "pnstt_stats",
    "ab_clear",
    "ab_stats",
    "knowledge",
    "distance",
    "-p",
    "-s",
    "dists",
    "logfile",
    "lognote",
    "logend",
    "-m",
    "-l",
    "pnstt",
    "player",
    "komi",
    "seed",
    "white",
    "black",
    "w",
    "B",
    "a1",
    "A2",
    "b2",
    "c3",
    "d4",
    "g7",
    "e5",
    "h8",
    "z9",
    "resign",
    "0",
    "1",
    "3",
    "4",
    "5",
    "-1",
    "2.5",
    "x",
    "preset",
    "uct",
    "rave",
    "rave_k",
    "rave_k=3",
    "lookahead=1",
    "lookahead",
    "-e",
    "-k",
    "-F",
    "#",
    "=",
    "ß",
    "NaN",
    "inf",
    "1e400",
    "99999999999999999999",
    "\u{0}",
    "\t",
    "''",
];

fn random_line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => proptest::collection::vec(proptest::sample::select(WORDS), 0..5).prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ]
}

/// A search of a fuzzed session must be short: its limits are set before every line, and a time of its own is cut.
fn hold(session: &mut Session, line: &str) -> Result<(), TestCaseError> {
    for limit in ["time -m 0 -g 0 -r 0 -i 4", "params rollouts=1", "solve_limits 1 300"] {
        answer(session, limit);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let timed = |word: &&str| {
        ["genmove", "solve", "confirm"].iter().any(|name| word.to_ascii_lowercase().contains(name))
    };
    let line = match words.iter().position(timed) {
        Some(at) if words[at].eq_ignore_ascii_case("solve_limits") => return Ok(()),
        // A colour or a solver's name may follow.
        Some(at) if words.get(at + 1).is_none_or(|word| word.parse::<f64>().is_err()) => {
            words[..words.len().min(at + 2)].join(" ")
        }
        Some(at) => words[..=at].join(" "),
        None => line.to_owned(),
    };
    if let Some(answer) = session.answer(&line) {
        let text = answer.text.clone();
        prop_assert!(text.starts_with(['=', '?']) && text.ends_with("\n\n"), "{line:?}: {text:?}");
        prop_assert!(!text.trim_end_matches('\n').contains("\n\n"), "{line:?}: {text:?}");
        prop_assert!(
            answer.is_success() || text.split_whitespace().count() > 3,
            "{line:?}: no reason in {text:?}"
        );
    }
    prop_assert_eq!(answer(session, "known_command play"), "= true\n\n");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn nonsense_is_answered_and_leaves_the_session_alive(lines in proptest::collection::vec(random_line(), 1..40)) {
        let mut session = Session::new(1, Box::new(Shelf::default()));
        for line in lines {
            hold(&mut session, &line)?;
        }
    }

    #[test]
    fn conversations_survive_damage(
        pick: prop::sample::Index, wounds in proptest::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..3), 1..12)
    ) {
        let transcripts = transcripts();
        let (_, transcript) = &transcripts[pick.index(transcripts.len())];
        let mut lines: Vec<Vec<char>> =
            transcript.lines().filter_map(|line| line.strip_prefix("> ")).map(|line| line.chars().collect()).collect();
        for (at, new, kind) in wounds {
            let i = at.index(lines.len());
            match kind {
                0 => lines.swap(i, at.index(i + 1)),
                _ if lines[i].is_empty() => lines[i].push(new),
                1 => { let j = at.index(lines[i].len()); lines[i][j] = new; }
                _ => { let j = at.index(lines[i].len()); lines[i].remove(j); }
            }
        }
        let mut session = Session::new(1, Box::new(Shelf::default()));
        for line in lines {
            hold(&mut session, &line.into_iter().collect::<String>())?;
        }
    }
}

/// Answers of a session to the last of some lines after the others.
fn last_answer(lines: &[&str]) -> String {
    let mut session = session();
    let (last, before) = lines.split_last().expect("lines");
    before.iter().for_each(|line| assert!(answer(&mut session, line).starts_with('='), "{line}"));
    answer(&mut session, last)
}

#[test]
fn a_limit_of_time_not_reached_changes_nothing() {
    let thinks = |time| {
        let player = "params last_good_reply=lgrf vc_replies=true";
        last_answer(&["boardsize 5", player, "extended 1", time, "genmove white"])
    };
    assert_eq!(thinks("time -i 1000 -m 3600"), thinks("time -i 1000"));
}

#[test]
fn the_first_search_knows_the_last_move() {
    let replies = |begin: &[&str]| {
        let player = ["boardsize 6", "params local_reply=100 rave_k=0", "time -i 1"];
        last_answer(&[&player, begin, &["genmove"]].concat())
    };
    for begin in [
        &["play white h8"][..],
        &["playgame h8 a1 e5 h7", "undo 3"],
        &["swap 1", "play white h8", "play black swap"],
    ] {
        // The first of the cells next to h8.
        assert_eq!(replies(begin), "= g7\n\n", "{begin:?}");
    }
}

#[test]
fn a_log_of_a_session_is_a_session() {
    let shelf = Shelf::default();
    let mut first = Session::new(5, Box::new(shelf.clone()));
    let lines = [
        "boardsize 4",
        "7 play white a1 # the corner",
        "play white a1",
        "lognote well met",
        "showboard",
        "logend",
    ];
    answer(&mut first, "logfile talk");
    lines.iter().for_each(|line| drop(first.answer(line)));
    answer(&mut first, "play black b2");
    let log = shelf.0.borrow().get("talk").expect("written").clone();
    assert!(log.contains("\n7 play white a1") && log.contains("# ? it is the turn of black"), "{log}");
    assert!(log.contains("\n# well met\n") && !log.contains("b2"), "{log}");
    let mut second = session();
    log.lines().for_each(|line| drop(second.answer(line)));
    assert_eq!(answer(&mut second, "history"), "= a1\n\n");
}

#[test]
fn lines_of_megabytes_are_answered_by_a_few_words() {
    let mut session = session();
    let long = "y".repeat(3 << 20);
    for line in [
        long.clone(),
        format!("play white {long}"),
        format!("play {long} a1"),
        format!("params {long}=1"),
        format!("params {long} 1"),
        format!("solve {long}"),
        format!("pns_params {long} 1"),
        format!("time -m {long}"),
        format!("{} name", "9".repeat(1 << 20)),
        format!("playgame {}", "a1 ".repeat(1 << 20)),
    ] {
        let answer = answer(&mut session, &line);
        let words = answer.trim_start_matches(['=', '?', '9']);
        assert!(words.len() < 400, "{} bytes to {}...", words.len(), &line[..20]);
    }
}
