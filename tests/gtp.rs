//! `gauntlet gtp` as another program drives it: through pipes, with real files.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn gauntlet(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gauntlet"));
    command.current_dir(home).arg("gtp").args(arguments).env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Sends everything at once and waits for the end.
fn session(home: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = gauntlet(home, arguments).spawn().expect("started");
    child.stdin.take().expect("piped").write_all(input).expect("read");
    child.wait_with_output().expect("ended")
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn every_answer_is_there_before_the_next_question() {
    let home = home();
    let mut child = gauntlet(home.path(), &["--size", "4", "--sims", "50"]).spawn().expect("started");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut ask = |line: &str| {
        writeln!(input, "{line}").expect("read");
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            assert_ne!(output.read_line(&mut answer).expect("written"), 0, "ended after {line}");
        }
        assert!(answer.starts_with('='), "{line}: {answer}");
        answer[1..].trim().to_owned()
    };
    let mut moves = Vec::new();
    while ask("winner") == "none" {
        let colour = if moves.len() % 2 == 0 { "white" } else { "black" };
        moves.push(ask(&format!("genmove {colour}")));
    }
    assert_eq!(ask("history"), moves.join(" "));
    assert_eq!(ask("quit"), "");
    assert!(child.wait().expect("ended").success());
}

#[test]
fn answers_go_to_standard_output_and_remarks_to_standard_error() {
    let home = home();
    let output = session(home.path(), &["--size", "3", "--sims", "20"], b"1 genmove white\r\n\r\n2 name");
    assert!(output.status.success());
    let (answers, remarks) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(answers.starts_with("=1 ") && answers.ends_with("\n\n=2 Gauntlet\n\n"), "{answers}");
    assert_eq!(answers.lines().count(), 4, "{answers}");
    assert!(remarks.contains("20 simulations"), "{remarks}");
}

#[test]
fn equal_seeds_give_equal_games_and_no_seed_another_one_each_time() {
    let home = home();
    let game = |arguments: &[&str]| {
        let arguments = [&["--size", "5", "--sims", "60", "--player", "uct"], arguments].concat();
        let output = session(home.path(), &arguments, b"genmove\ngenmove\ngenmove\ngenmove\nhistory\n");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(game(&["--seed", "5"]), game(&["--seed", "5"]));
    assert_ne!(game(&["--seed", "5"]), game(&["--seed", "6"]));
    // Eight games of four moves each that all agree by chance would be a wonder.
    let first = game(&[]);
    assert!((0..8).any(|_| game(&[]) != first));
}

#[test]
fn options_are_the_commands_of_their_names() {
    let home = home();
    let arguments = ["--player", "uct", "--set", "exploration=0.5", "--seconds", "2.5", "--swap"];
    let input = b"param exploration\nparam rave_k\nswap\ntime\n";
    let output = session(home.path(), &arguments, input);
    let answers = String::from_utf8_lossy(&output.stdout);
    assert!(answers.starts_with("= 0.5\n\n= 0\n\n= 1\n\n= move 2.5\n"), "{answers}");
}

#[test]
fn options_that_make_no_sense_end_the_program_with_the_reason() {
    let home = home();
    for (arguments, reason) in [
        (["--size", "11"], "board size 11 is outside 3 to 10"),
        (["--size", "300"], "expected a whole number from 3 to 10"),
        (["--player", "best"], "there is no preset `best`; there are "),
        (["--set", "explorat=1"], "did you mean `exploration`?"),
    ] {
        let output = session(home.path(), &arguments, b"");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(reason) && output.stdout.is_empty(), "{error}");
    }
}

#[test]
fn games_are_saved_and_loaded_on_disk_and_missing_files_are_refusals() {
    let home = home();
    let input = b"boardsize 4\nplaygame g4 f5\nsavesgf my game.sgf\nloadsgf none.sgf\nclear_board\nloadsgf my game.sgf\nhistory\n";
    let output = session(home.path(), &[], input);
    let answers = String::from_utf8_lossy(&output.stdout);
    assert!(answers.contains("? cannot load `none.sgf`: "), "{answers}");
    assert!(answers.ends_with("= g4 f5\n\n"), "{answers}");
    let text = std::fs::read_to_string(home.path().join("my game.sgf")).expect("saved");
    assert!(text.ends_with(";W[g4];B[f5])\n"), "{text}");
}

#[test]
fn options_reach_the_session_as_they_were_given() {
    let home = home();
    for (arguments, reason) in [
        (["--player", "uct#2"], "there is no preset `uct#2`"),
        (["--player", "my uct"], "there is no preset `my uct`"),
        (["--set", "rave_k=5#"], "`5#`"),
        (["--set", "\"=\""], "there is no parameter `\"`"),
    ] {
        let output = session(home.path(), &arguments, b"");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

#[test]
fn a_file_of_several_games_is_solved_game_by_game() {
    let home = home();
    let games = "From: a friend\n\n(;FF[4]SZ[4];W[d1])\n(;FF[4]SZ[3]C[\u{e9}];W[a1];B[c1])\n";
    std::fs::write(home.path().join("games.sgf"), games).expect("written");
    let solve = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gauntlet"));
        command
            .current_dir(home.path())
            .args(["solve", "games.sgf", "--json", "--nodes", "2000"])
            .args(arguments);
        command.output().expect("started")
    };
    let second = solve(&["--game", "2"]);
    let (text, remark) = (String::from_utf8_lossy(&second.stdout), String::from_utf8_lossy(&second.stderr));
    assert!(text.contains("\"moves\": \"a1 c1\""), "{text}{remark}");
    assert!(remark.contains("games.sgf has 2 games: game 2 is solved"), "{remark}");
    let first = solve(&[]);
    assert!(String::from_utf8_lossy(&first.stdout).contains("\"moves\": \"d1\""), "{first:?}");
    let third = solve(&["--game", "3"]);
    assert!(String::from_utf8_lossy(&third.stderr).contains("--game 3: games.sgf has 2 games"), "{third:?}");
}

#[test]
fn a_line_without_end_is_refused_and_does_not_fill_the_memory() {
    let home = home();
    let mut input = vec![b'y'; 5 << 20];
    input.extend_from_slice(b" x\n1 name\n");
    input.extend_from_slice(&vec![b'z'; 2 << 20]);
    let output = session(home.path(), &[], &input);
    let answers = String::from_utf8_lossy(&output.stdout);
    let refused = "? a line of more than 1048576 bytes is no command\n\n";
    assert_eq!(answers, format!("{refused}=1 Gauntlet\n\n{refused}"));
    assert!(output.status.success());
}

#[test]
fn bytes_that_are_no_text_are_refused_or_kept_out_of_the_way() {
    let home = home();
    // A player's name in Latin-1, as old archives have it.
    std::fs::write(home.path().join("old.hgf"), b"(;FF[4]PB[J\xf6rg]SZ[4]RU[LG];W[A1])").expect("written");
    let output = session(home.path(), &[], b"\xff\xfe\x00\nloadsgf old.hgf\nhistory\n");
    let answers = String::from_utf8_lossy(&output.stdout);
    assert!(answers.starts_with("? unknown command"), "{answers}");
    assert!(answers.ends_with("= \n\n= a1\n\n"), "{answers}");
}
