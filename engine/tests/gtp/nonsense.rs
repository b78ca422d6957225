//! Lines without meaning and damaged transcripts: every line gets an answer and the session goes on.

use crate::transcripts::transcripts;
use crate::{Shelf, answer};
use engine::gtp::Session;
use proptest::prelude::*;

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
