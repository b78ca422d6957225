//! Commands that search: limits, results, reproducibility, solvers, knowledge.

use crate::{answer, last_answer, session};
use engine::gtp::{NoFiles, Session};

#[test]
fn a_search_keeps_to_its_clock_unless_told_otherwise() {
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
    // What is thought is taken from the clock, which has no time of a move for it and saves none.
    for clock in ["time -g 10", "time -m 5 -g 10", "time -m 5 -g 10 -f 1"] {
        let mut session = session();
        for line in ["boardsize 6", clock, "player_solve 0.05"] {
            answer(&mut session, line);
        }
        let left = answer(&mut session, "time");
        assert!(
            left.contains("\nremaining 9.") && left.contains(" 10\nbyo_yomi 0 0\nsims"),
            "{clock}: {left}"
        );
    }
}

#[test]
fn remarks_stay_out_of_the_answer_and_can_be_silenced() {
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
    // One simulation of this player takes longer than the limit, and 64 of them a second.
    for line in ["params rollouts=1000 mate_in_one=1000 ring_permanent=3", "time -m 0.001 -i 64"] {
        answer(&mut session, line);
    }
    assert!(sims(answer(&mut session, "genmove white")) < 8);

    answer(&mut session, "time -m 1000 -i 0");
    assert!(sims(answer(&mut session, "genmove black 0.001")) > 0);
}

#[test]
fn move_stats_ranks_by_playouts_and_pv_follows_the_first() {
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
fn every_move_of_a_solved_position_has_a_line() {
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
        answer(&mut session, "undo");
        assert_eq!(answer(&mut session, &format!("{name}_stats")), stats, "kept until the next game");
        answer(&mut session, &format!("{name}_clear"));
        assert_eq!(answer(&mut session, &format!("{name}_stats")), "= \n\n");
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
