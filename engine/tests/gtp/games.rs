//! What lasts from game to game, and the files of games.

use crate::{Shelf, answer};
use engine::gtp::Session;

/// Everything a session says about itself.
fn state(session: &mut Session) -> Vec<(&'static str, String)> {
    let questions = [
        "history",
        "time",
        "winner",
        "player_solved",
        "pv",
        "move_stats",
        "ab_stats",
        "pns_stats",
        "pns2_stats",
        "pnstt_stats",
        "params",
        "seed",
        "swap",
        "extended",
        "verbose",
        "colorboard",
        "solve_limits",
        "pns_params",
        "showboard",
        "savesgf",
        "savetree",
    ];
    questions.map(|question| (question, answer(session, question))).to_vec()
}

/// Settings, which last.
const SETTINGS: [&str; 6] = [
    "time -m 1 -f 1 -i 20",
    "time_settings 60 30 5",
    "params preset uct",
    "swap 1",
    "solve_limits 1 500",
    "seed 5",
];

#[test]
fn a_new_game_begins_as_the_first_did() {
    for begin in ["clear_board", "boardsize 4", "loadsgf empty"] {
        for set in [true, false] {
            let shelf = Shelf::default();
            shelf.0.borrow_mut().insert("empty".into(), "(;FF[4]SZ[4])".into());
            let mut session = Session::new(7, Box::new(shelf));
            for line in [&["boardsize 4", "verbose 0"][..], if set { &SETTINGS } else { &[] }].concat() {
                assert!(answer(&mut session, line).starts_with('='), "{line}");
            }
            let first = state(&mut session);
            for line in [
                "time_left white 3 2",
                "time_left black 0 0",
                "playgame a4 g4 a1 b3 g7 d1 d7 f3 e2 d2",
                "solve ab 1 200",
                "solve pns 1 200",
                "solve pns2 1 200",
                "solve pnstt 1 200",
                "player_solve 1 20",
                "genmove",
                "undo 2",
                "time -r 4",
                "genmove",
                "playgame resign",
            ] {
                assert!(answer(&mut session, line).starts_with('='), "{line}");
            }
            assert_ne!(state(&mut session), first);
            assert!(answer(&mut session, begin).starts_with('='), "{begin}");
            assert_eq!(state(&mut session), first, "{begin}, settings: {set}");
        }
    }
}

#[test]
fn names_are_answered_as_they_were_sent() {
    let shelf = Shelf::default();
    let mut session = Session::new(7, Box::new(shelf.clone()));
    answer(&mut session, "boardsize 4");
    for command in ["savesgf", "savetree", "logfile"] {
        for (sent, name) in [
            ("plain", "plain"),
            ("round#1.sgf", "round#1.sgf"),
            ("round#2.sgf # the second", "round#2.sgf"),
            ("two  blanks.sgf", "two  blanks.sgf"),
            (r#""round # 3.sgf""#, "round # 3.sgf"),
            (r#""round # 4.sgf" # the fourth"#, "round # 4.sgf"),
            (r#"" blank at both ends ""#, " blank at both ends "),
            (r#""a \"quoted\" \\ name""#, r#"a "quoted" \ name"#),
            (r#""grid""#, "grid"),
            (r#""7""#, "7"),
            (r#"it's "so".sgf"#, r#"it's "so".sgf"#),
            ("größe.sgf", "größe.sgf"),
            ("-", "-"),
        ] {
            shelf.0.borrow_mut().clear();
            assert_eq!(
                answer(&mut session, &format!("{command} {sent}")),
                format!("= {name}\n\n"),
                "{command}"
            );
            assert_eq!(shelf.0.borrow().keys().collect::<Vec<_>>(), [name], "{command} {sent}");
            if command != "logfile" {
                assert!(answer(&mut session, &format!("loadsgf {sent}")).starts_with("= "), "{sent}");
            } else {
                answer(&mut session, "logend");
            }
        }
        for sent in [r#""open"#, r#""""#, r#""name" nonsense"#, "\u{fffd}.sgf", &"x".repeat(5000)] {
            let refused = answer(&mut session, &format!("{command} {sent}"));
            assert!(refused.starts_with("? ") && refused.len() < 400, "{command} {sent}: {refused}");
        }
    }
    for (sent, said) in [
        ("savesgf \"a b\" grid", "= a b\n\n"),
        ("savesgf a b grid", "= a b\n\n"),
        ("savetree a 5", "= a\n\n"),
    ] {
        assert_eq!(answer(&mut session, sent), said);
    }
    assert!(shelf.0.borrow()["a b"].contains("NUMBERING[grid]"));
    assert_eq!(answer(&mut session, "echo two  blanks, a#b # no more"), "= two  blanks, a#b\n\n");
}

#[test]
fn a_game_of_several_is_loaded_by_its_number() {
    let shelf = Shelf::default();
    let games = "(;FF[4]SZ[4];W[a1];B[b2])\n(;FF[4]SZ[5];W[a1])\n(;FF[4]SZ[6];W[a1];B[b1];W[c1])\n";
    shelf.0.borrow_mut().insert("my games".into(), games.into());
    let mut session = Session::new(7, Box::new(shelf));
    for (line, said, history) in [
        ("loadsgf my games", "= game 1 of 3", "a1 b2"),
        ("loadsgf my games game=3", "= game 3 of 3", "a1 b1 c1"),
        ("loadsgf my games 2 game=3", "= game 3 of 3", "a1"),
        (r#"loadsgf "my games" game=2"#, "= game 2 of 3", "a1"),
        (r#"loadsgf "my games" 2"#, "= game 1 of 3", "a1"),
        (
            "loadsgf my games game=4",
            "? `4` is no number of a game; expected a whole number from 1 to 3, as many as the file has",
            "a1",
        ),
        (
            "loadsgf my games game=0",
            "? `0` is no number of a game; expected a whole number from 1 to 3, as many as the file has",
            "a1",
        ),
    ] {
        assert_eq!(answer(&mut session, line), format!("{said}\n\n"), "{line}");
        assert_eq!(answer(&mut session, "history"), format!("= {history}\n\n"), "{line}");
    }
}
