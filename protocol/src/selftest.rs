//! The self-test: a fixed set of short games that two builds play and compare.
//!
//! `engine::SEMANTICS` says how a build should play; the self-test shows how it does play. It finds a build that was changed
//! without a new number, or that plays differently because of a compiler or a processor, before its first game.

use crate::ids::content_id;
use engine::havannah::{BoardSize, Notation, Params};
use engine::params::ParamValue;
use engine::search::Budget;
use engine::selfplay::{GameSpec, MoveRecord, Player, play, random_opening};
use engine::side::BySide;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Simulations per move.
const SIMS: u64 = 150;

/// Number of random opening moves.
const OPENING_PLIES: u8 = 2;

/// One game of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Trial {
    /// The description, such as `size 4, uct against rave`.
    pub name: String,
    /// The moves, each with all by which a game is known: value, proof, simulations and nodes, such as `d4/0.5625/none/150/151`.
    pub game: String,
}

/// The set as this build plays it. It is played once per process unless [`remember`] was called; that takes a fraction of a
/// second, or many seconds on a busy machine.
#[must_use]
pub fn trials() -> &'static [Trial] {
    TRIALS.get_or_init(play_all)
}

fn play_all() -> Vec<Trial> {
    let players = players();
    let pairings = players.iter().zip(players.iter().cycle().skip(1));
    let sizes = [3, 4, 5, 6].map(|size| BoardSize::new(size).expect("a board size"));
    let games: Vec<_> = pairings.flat_map(|(white, black)| sizes.map(|size| (size, white, black))).collect();
    // Nothing else can be played before.
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(games.len());
    let of_thread = |thread| {
        games.iter().skip(thread).step_by(threads).map(|(size, white, black)| trial(*size, white, black))
    };
    let played: Vec<Vec<Trial>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || of_thread(thread).collect())).collect();
        threads.into_iter().map(|thread| thread.join().expect("games of a fixed set end")).collect()
    });
    let mut of_threads: Vec<_> = played.into_iter().map(Vec::into_iter).collect();
    (0..games.len()).filter_map(|game| of_threads[game % threads].next()).collect()
}

/// The set, if it is known.
static TRIALS: OnceLock<Vec<Trial>> = OnceLock::new();

/// Sets the games that this build played on this machine before, so that this process does not play them again. Returns
/// false if the set was already known.
pub fn remember(trials: Vec<Trial>) -> bool {
    TRIALS.set(trials).is_ok()
}

/// A digest of the set in sixteen hexadecimal digits.
#[must_use]
pub fn digest() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| content_id("self-test", &trials()).simple().to_string()[..16].to_owned())
}

/// The differences between two sets in words: one line per different game.
#[must_use]
pub fn differences(ours: &[Trial], theirs: &[Trial]) -> Vec<String> {
    let of = |set: &[Trial], name: &str| set.iter().find(|trial| trial.name == name).map(|t| t.game.clone());
    let extra = ours.iter().filter(|trial| of(theirs, &trial.name).is_none());
    let names = theirs.iter().chain(extra).map(|trial| trial.name.as_str());
    let mut lines = Vec::new();
    for name in names {
        match (of(ours, name), of(theirs, name)) {
            (Some(ours), Some(theirs)) if ours == theirs => {}
            (Some(ours), Some(theirs)) => lines.push(first_difference(name, &ours, &theirs)),
            (Some(_), None) => lines.push(format!("{name}: not in the coordinator's set")),
            _ => lines.push(format!("{name}: not in this build's set")),
        }
    }
    lines
}

fn first_difference(name: &str, ours: &str, theirs: &str) -> String {
    let (ours, theirs): (Vec<_>, Vec<_>) = (ours.split(' ').collect(), theirs.split(' ').collect());
    let at = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let word = |moves: &[&str]| moves.get(at).map_or("the end".to_owned(), |played| format!("`{played}`"));
    format!("{name}, move {}: here {}, at the coordinator {}", at + 1, word(&ours), word(&theirs))
}

/// Presets that came after the first set. Builds with and without them play the same games, and must agree.
const LATER: [&str; 1] = ["tuned"];

/// All presets of the first set, and a player with all kinds of knowledge.
fn players() -> Vec<(&'static str, Params)> {
    let presets = Params::PRESETS.iter().filter(|(name, _)| !LATER.contains(name));
    let mut players: Vec<_> =
        presets.map(|(name, _)| (*name, Params::preset(name).expect("a preset"))).collect();
    let mut knowing = Params::default();
    for name in ["locality", "local_reply", "connectivity", "group_size", "distance", "maintain_vc"] {
        knowing.set(name, &ParamValue::Number(5.0)).expect("a value of the table");
    }
    players.push(("knowledge", knowing));
    players
}

fn trial(size: BoardSize, white: &(&str, Params), black: &(&str, Params)) -> Trial {
    let player = |params: &Params, seed| Player { params: params.clone(), budget: Budget::Sims(SIMS), seed };
    let spec = GameSpec {
        size,
        opening: random_opening(size, OPENING_PLIES, 1),
        players: BySide { white: player(&white.1, 1), black: player(&black.1, 2) },
    };
    let mut on_move = |_: &_| ControlFlow::Continue(());
    let record = play(&spec, &mut on_move).expect("a legal opening").expect("the game was not stopped");
    let mut game = String::new();
    for played in &record.moves {
        let separator = if game.is_empty() { "" } else { " " };
        let MoveRecord { cell, value, claim, sims, nodes, cpu: _ } = *played;
        let cell = Notation::Gui.write(size, cell);
        write!(game, "{separator}{cell}/{value}/{claim}/{sims}/{nodes}")
            .expect("writing to a string cannot fail");
    }
    Trial { name: format!("size {size}, {} against {}", white.0, black.0), game }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_agrees_with_itself() {
        // Played again, in memory that other searches have used: `trials` would give the set that it has.
        assert_eq!(differences(trials(), &play_all()), Vec::<String>::new());
        assert_eq!(digest().len(), 16);
        assert!(trials().iter().all(|trial| trial.game.split(' ').count() > 3), "{:?}", trials());
    }

    #[test]
    fn the_first_move_that_differs_is_named() {
        let mut theirs = trials().to_vec();
        let end = theirs[3].game.rfind('/').expect("nodes");
        theirs[3].game.truncate(end);
        theirs[3].game.push_str("/9999999");
        let lines = differences(trials(), &theirs);
        let moves = theirs[3].game.split(' ').count();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with(&format!("{}, move {moves}: here", theirs[3].name)), "{lines:?}");
    }

    #[test]
    fn sets_of_different_builds_are_told_apart() {
        let (ours, theirs) = (&trials()[1..], &trials()[..trials().len() - 1]);
        let lines = differences(ours, theirs);
        assert!(lines[0].contains("not in this build's set"), "{lines:?}");
        assert!(lines[1].contains("not in the coordinator's set"), "{lines:?}");
    }
}
