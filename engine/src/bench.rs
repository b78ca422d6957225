//! Measuring the search: how fast it is, on what, how its playouts end, and whether it is still the same search.

mod profile;

pub use profile::{Profile, profile};

use crate::cpu::thread_time;
use crate::game::Game;
use crate::havannah::{Board, BoardSize};
use crate::params::{ParamValue, Params};
use crate::policy::{Heuristics, Policy};
use crate::rng::{Rng, mix};
use crate::search::{Probe, Search, Thought, Unwatched};
use crate::selfplay::Budget;
use crate::side::{Outcome, WinKind};
use std::time::Duration;

/// Simulations and the CPU time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Simulations.
    pub sims: u64,
    /// Nodes in the tree at the end.
    pub nodes: u64,
    /// Bytes of the tree at the end, as they count against the player's memory.
    pub bytes: u64,
    /// How often the tree was full and dropped its light nodes.
    pub collections: u32,
    /// CPU time of the thread.
    pub cpu: Duration,
}

impl Measurement {
    /// Simulations per CPU second.
    #[must_use]
    pub fn sims_per_s(&self) -> f64 {
        self.sims as f64 / self.cpu.as_secs_f64()
    }

    /// Bytes of an expanded node, its children included.
    #[must_use]
    pub fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.nodes.max(1) as f64
    }

    /// Bytes of a simulation; means little once nodes have been dropped.
    #[must_use]
    pub fn bytes_per_sim(&self) -> f64 {
        self.bytes as f64 / self.sims.max(1) as f64
    }
}

/// Runs one search of `sims` simulations from the empty board, with a fresh tree.
pub fn from_empty(size: BoardSize, params: &Params, sims: u64, seed: u64) -> Measurement {
    search(size, params, Budget::Sims(sims), seed)
}

/// Runs one search within `budget` from the empty board, with an empty tree, in memory that the thread has used before if
/// it has searched before.
pub fn search(size: BoardSize, params: &Params, budget: Budget, seed: u64) -> Measurement {
    watched(size, params, budget, seed, &mut Unwatched)
}

/// [`search`] with an onlooker.
fn watched(
    size: BoardSize,
    params: &Params,
    budget: Budget,
    seed: u64,
    probe: &mut impl Probe<Board>,
) -> Measurement {
    let mut search = Search::new(Board::new(size), params, seed);
    let Thought { sims, nodes, collections, cpu, .. } = search.think_watched(budget, probe);
    Measurement { sims, nodes, bytes: search.bytes(), collections, cpu }
}

/// Rollouts and the CPU time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rollouts {
    /// Rollouts.
    pub games: u64,
    /// Their moves, summed.
    pub plies: u64,
    /// CPU time of the thread.
    pub cpu: Duration,
}

impl Rollouts {
    /// Rollouts per CPU second.
    #[must_use]
    pub fn per_s(&self) -> f64 {
        self.games as f64 / self.cpu.as_secs_f64()
    }
}

/// Plays rollouts from `start` within `budget`, a rollout for each of its simulations, as `params` say; they learn from
/// each other if they do so in a search.
#[must_use]
pub fn rollouts(start: &Board, params: &Params, budget: Budget, seed: u64) -> Rollouts {
    /// Rollouts between two looks at the clock, a system call: it takes as long as two games on size 4.
    const BLOCK: u64 = 1024;
    let mut board = start.clone();
    let mut policy = Heuristics::new(params);
    let mut rng = Rng::new(seed);
    let mut line = Vec::new();
    let mut measured = Rollouts { games: 0, plies: 0, cpu: Duration::ZERO };
    let begin = thread_time();
    policy.begin_search();
    loop {
        let block = match budget {
            Budget::Sims(sims) => BLOCK.min(sims - measured.games),
            Budget::CpuTime(limit) if measured.cpu < limit => BLOCK,
            Budget::CpuTime(_) => 0,
        };
        if block == 0 {
            return measured;
        }
        for _ in 0..block {
            board.clone_from(start);
            let winner = policy.rollout(&mut board, None, 0, &mut rng);
            measured.plies += board.rollout_plies() as u64;
            if let Some(winner) = winner.filter(|_| policy.learns()) {
                line.clear();
                board.rollout_line(|side, slot| line.push((side, slot)));
                policy.learn(&line, winner);
            }
        }
        measured.games += block;
        measured.cpu = thread_time() - begin;
    }
}

/// How the playouts of a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayoutEnds {
    /// Playouts won by fork, bridge and ring.
    pub wins: [u64; 3],
    /// Their plies from the searched position, those in the tree included, summed.
    pub plies: [u64; 3],
    /// Drawn playouts.
    pub draws: u64,
}

impl PlayoutEnds {
    fn add(&mut self, outcome: Outcome, plies: usize) {
        let Some(kind) = outcome.kind() else {
            self.draws += 1;
            return;
        };
        let i = match kind {
            WinKind::Fork => 0,
            WinKind::Bridge => 1,
            WinKind::Ring => 2,
        };
        self.wins[i] += 1;
        self.plies[i] += plies as u64;
    }
}

impl Probe<Board> for PlayoutEnds {
    fn rollout_ended(&mut self, end: &Board, tree_plies: usize) {
        self.add(end.rollout_outcome(), tree_plies + end.rollout_plies());
    }
}

/// How the playouts of one search of `sims` simulations from the empty board end.
#[must_use]
pub fn playout_ends(size: BoardSize, params: &Params, sims: u64, seed: u64) -> PlayoutEnds {
    let mut ends = PlayoutEnds::default();
    watched(size, params, Budget::Sims(sims), seed, &mut ends);
    ends
}

/// How uniformly random games from the empty board end.
#[must_use]
pub fn random_ends(size: BoardSize, games: u64, seed: u64) -> PlayoutEnds {
    let mut ends = PlayoutEnds::default();
    let mut rng = Rng::new(seed);
    let start = Board::new(size);
    let mut board = start.clone();
    for _ in 0..games {
        board.clone_from(&start);
        board.rollout(&mut rng);
        ends.add(board.rollout_outcome(), board.rollout_plies());
    }
    ends
}

/// Every tunable moved off its default, one at a time: what the signature covers, and what each costs. Words and flags
/// that only say how other tunables are meant are left to [`signature`].
#[must_use]
pub fn variants() -> Vec<(&'static str, ParamValue)> {
    vec![
        ("exploration", ParamValue::Number(0.5)),
        ("rave_k", ParamValue::Number(50.0)),
        ("rave_k_per_empty", ParamValue::Number(20.0)),
        ("rave_compat", ParamValue::Word("thesis2011".into())),
        ("rave_probability", ParamValue::Number(0.5)),
        ("widening", ParamValue::Number(1.5)),
        ("draw_detection", ParamValue::Flag(true)),
        ("fpu", ParamValue::Number(0.6)),
        ("expand_visits", ParamValue::Number(4.0)),
        ("lookahead", ParamValue::Number(0.0)),
        ("lookahead", ParamValue::Number(1.0)),
        ("keep_tree", ParamValue::Flag(false)),
        ("rollouts", ParamValue::Number(3.0)),
        ("final_move", ParamValue::Word("wins".into())),
        ("memory_mib", ParamValue::Number(1.0)),
        ("maintain_vc", ParamValue::Number(20.0)),
        ("locality", ParamValue::Number(5.0)),
        ("locality_any", ParamValue::Number(5.0)),
        ("local_reply", ParamValue::Number(5.0)),
        ("connectivity", ParamValue::Number(20.0)),
        ("group_size", ParamValue::Number(2.0)),
        ("distance", ParamValue::Number(2.0)),
        ("distance_both", ParamValue::Number(2.0)),
        ("mate_in_one", ParamValue::Number(271.0)),
        ("mate_in_one_per_size", ParamValue::Number(1.0)),
        ("vc_replies", ParamValue::Flag(true)),
        ("last_good_reply", ParamValue::Word("lgr".into())),
        ("last_good_reply", ParamValue::Word("lgrf".into())),
        ("ring_probability", ParamValue::Number(0.5)),
        ("ring_depth", ParamValue::Number(20.0)),
        ("ring_depth_share", ParamValue::Number(0.5)),
        ("ring_size", ParamValue::Number(8.0)),
        ("ring_growth", ParamValue::Number(30.0)),
        ("ring_growth_share", ParamValue::Number(0.3)),
        ("ring_permanent", ParamValue::Number(2.0)),
    ]
}

/// One number that changes when any search of the set below does: every preset, and every tunable moved off its
/// default, on every size, and a few searches long enough for what only those reach. Compatibility switches that came
/// after it was first pinned are not in it: their searches have a number of their own, pinned by a test.
#[must_use]
pub fn signature() -> u64 {
    let mut signature = 0;
    for (size, params, sims) in signed_searches() {
        sign(&mut signature, size, &params, sims);
    }
    signature
}

/// Board, player and simulations of every search of the [`signature`].
fn signed_searches() -> Vec<(BoardSize, Params, u64)> {
    let presets = Params::PRESETS.iter().map(|(name, _)| Params::preset(name).expect("a preset"));
    let varied = variants().into_iter().map(|setting| together(&[setting]));
    let compatible = together(&[
        ("locality", ParamValue::Number(5.0)),
        ("group_size", ParamValue::Number(2.0)),
        ("knowledge_compat", ParamValue::Word("published".into())),
        ("mate_in_one", ParamValue::Number(271.0)),
        ("ring_depth_share", ParamValue::Number(0.5)),
        ("playout_compat", ParamValue::Word("published".into())),
    ]);
    let sampling = together(&[
        ("exploration", ParamValue::Number(0.5)),
        ("exploration_probability", ParamValue::Number(0.5)),
    ]);
    let by_value = together(&[
        ("final_move", ParamValue::Word("value".into())),
        ("final_rave_k", ParamValue::Number(500.0)),
        ("final_exploration", ParamValue::Number(0.2)),
    ]);
    // What only long searches reach: counters past 16 bits, children past the end of knowledge, full trees.
    let with = |name, value| together(&[(name, ParamValue::Number(value))]);
    let long = [
        (5, Params::default(), 100_000),
        (6, with("connectivity", 20.0), 8_000),
        (8, with("memory_mib", 1.0), 20_000),
    ];
    let long =
        long.map(|(size, params, sims)| (BoardSize::new(size).expect("a size"), params, sims)).into_iter();
    let players = presets.chain(varied).chain([compatible, sampling, by_value]);
    long.chain(players.flat_map(|params| BoardSize::all().map(move |size| (size, params.clone(), 300))))
        .collect()
}

/// The defaults with these settings.
fn together(settings: &[(&str, ParamValue)]) -> Params {
    let mut params = Params::default();
    for (name, value) in settings {
        params.set(name, value).expect("a value of the table");
    }
    params
}

/// Mixes two searches in a row, so that the kept tree takes part, into a signature.
fn sign(signature: &mut u64, size: BoardSize, params: &Params, sims: u64) {
    let mut search = Search::new(Board::new(size), params, 1);
    for _ in 0..2 {
        let thought = search.think(Budget::Sims(sims));
        search.advance(thought.slot);
        for part in [u64::from(thought.slot), u64::from(thought.value.to_bits()), thought.sims, thought.nodes]
        {
            *signature = mix(*signature ^ part).rotate_left(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn trees_grow_with_simulations_until_the_memory_is_full() {
        let size = BoardSize::new(6).expect("size");
        let mut params = Params::preset("rave").expect("preset");
        params.memory_mib = 4;
        let [few, more, full] = [1_000, 4_000, 60_000].map(|sims| from_empty(size, &params, sims, 1));
        assert!(few.bytes < more.bytes && few.nodes < more.nodes, "{few:?} {more:?}");
        assert_eq!((few.collections, more.collections), (0, 0));
        assert!(full.collections > 0 && full.bytes <= 4 << 20, "{full:?}");
        assert!(few.bytes_per_node() > 100.0 && few.bytes_per_sim() > 10.0, "{few:?}");
    }

    /// A commit that moves this says so. If searches of players there were before play otherwise, it raises
    /// [`crate::SEMANTICS`]; if it only adds to [`variants`] or the presets, it does not: no game has changed.
    #[test]
    fn the_signature_is_the_pinned_one() {
        assert_eq!(format!("{:016x}", signature()), "2bd3f729187d810f");
    }

    /// Players with the switches that are not in the [`signature`], alone and with what they meet.
    fn later_players() -> Vec<Params> {
        let word = |word: &str| ParamValue::Word(word.into());
        let number = ParamValue::Number;
        let mate = |level| vec![("mate_in_one", number(271.0)), ("mate_in_one_compat", word(level))];
        let lassos = vec![("ring_permanent", number(2.0)), ("ring_compat", word("published"))];
        let more = |first: &[(&'static str, ParamValue)], second: &[(&'static str, ParamValue)]| {
            [first, second].concat()
        };
        let playouts = [("playout_compat", word("published"))];
        let players = [
            vec![("distance", number(2.0)), ("distance_compat", word("published"))],
            vec![("distance_both", number(2.0)), ("distance_compat", word("published"))],
            lassos.clone(),
            vec![("ring_growth", number(30.0)), ("ring_compat", word("published"))],
            mate("level1"),
            mate("level2"),
            mate("level4"),
            more(&mate("level2"), &playouts),
            more(&mate("level4"), &playouts),
            more(&mate("off"), &lassos),
            more(&mate("level2"), &lassos),
        ];
        players.iter().map(|player| together(player)).collect()
    }

    /// Like [`signature`] for [`later_players`]. A switch added there moves this number only.
    #[test]
    fn searches_of_the_later_compatibility_switches_are_the_pinned_ones() {
        let mut signature = 0;
        for params in later_players() {
            for size in BoardSize::all() {
                sign(&mut signature, size, &params, 300);
            }
        }
        assert_eq!(format!("{signature:016x}"), "5b22c15d437ca980");
    }

    /// A tunable counts where it has an effect and is off its default.
    #[test]
    fn the_pinned_searches_exercise_every_tunable_and_preset() {
        let signed: Vec<_> = signed_searches().into_iter().map(|(_, params, _)| params).collect();
        let moved: BTreeSet<_> = signed
            .iter()
            .chain(&later_players())
            .flat_map(|params| params.differences().into_keys())
            .collect();
        let missing: Vec<_> =
            Params::TABLE.iter().map(|info| info.name).filter(|name| !moved.contains(name)).collect();
        assert!(missing.is_empty(), "give `variants` a value for {missing:?}, and pin the new signature");
        for (name, _) in Params::PRESETS {
            assert!(signed.contains(&Params::preset(name).expect("a preset")), "{name} is not signed");
        }
    }
}
