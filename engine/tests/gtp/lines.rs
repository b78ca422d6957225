//! Single lines: ids, arguments, refusals, the log.

use crate::{Shelf, answer, session};
use engine::gtp::Session;

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
    // Its first 80 digits are another number.
    let long = answer(&mut session, &format!("params rave_k {}500", "0".repeat(80)));
    assert!(long.starts_with("? `000") && long.contains("expected a number from 0 to"), "{long}");
    for command in ["savetree 99999999999999999999", "loadsgf x 99999999999999999999", "loadsgf x 0"] {
        let text = answer(&mut session, command);
        assert!(text.contains("expected a whole number from "), "{command}: {text}");
    }
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

#[test]
fn only_quit_ends_the_session() {
    let mut session = session();
    assert!(!session.answer("boardsize 4").expect("answered").quit);
    let end = session.answer("3 QUIT").expect("answered");
    assert_eq!((end.text.as_str(), end.quit), ("=3 \n\n", true));
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
