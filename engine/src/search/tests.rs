//! Tests the search against its definitions, and against brute force on small games.

mod choice;
mod counts;
mod memory;
mod proof;

use super::rave::Credits;
use super::{Budget, Search};
use crate::havannah::{Board, BoardSize, Notation, Params};
use crate::rng::{Rng, mix};
use crate::search::{Game, ProvenOutcome, SearchParams, SlotSet, Winner, WinningMoves};
use crate::side::Side;

/// A game of a few slots without structure: each result is a hash of which side filled which slot.
#[derive(Clone)]
struct Lottery {
    seed: u64,
    filled: [u32; 2],
    slots: u16,
    to_move: Side,
    line: Vec<(Side, u16)>,
}

impl Lottery {
    fn new(seed: u64, slots: u16) -> Self {
        Self { seed, filled: [0; 2], slots, to_move: Side::White, line: Vec::new() }
    }

    /// Whether the stones of `side` win. Wins are rare, and rarer for White, who moves first.
    fn wins(&self, side: Side, filled: u32) -> bool {
        let one_in = [14, 9][side.index()];
        filled != 0 && mix(self.seed ^ u64::from(filled) << 8 ^ side.index() as u64).is_multiple_of(one_in)
    }

    /// The result of best play for the side to move: 2 for a win, 1 for a draw, 0 for a loss.
    fn brute_force(&self) -> u8 {
        match self.winner() {
            Some(None) => return 1,
            Some(Some(winner)) => return if winner == self.to_move { 2 } else { 0 },
            None => {}
        }
        let after = |slot| {
            let mut next = self.clone();
            next.play_slot(slot);
            2 - next.brute_force()
        };
        self.open().iter().map(after).max().expect("an open slot")
    }
}

impl Game for Lottery {
    type Policy = crate::search::Uniform;

    fn slots(&self) -> usize {
        usize::from(self.slots)
    }
    fn to_move(&self) -> Side {
        self.to_move
    }
    fn open(&self) -> SlotSet {
        if self.winner().is_some() {
            return SlotSet::default();
        }
        (0..self.slots).filter(|slot| (self.filled[0] | self.filled[1]) >> slot & 1 == 0).collect()
    }
    fn open_count(&self) -> usize {
        usize::from(self.slots) - (self.filled[0] | self.filled[1]).count_ones() as usize
    }
    fn winner(&self) -> Option<Winner> {
        // Only the side that has just moved can have won.
        let mover = self.to_move.other();
        if self.wins(mover, self.filled[mover.index()]) {
            Some(Some(mover))
        } else {
            (self.open_count() == 0).then_some(None)
        }
    }
    fn play_slot(&mut self, slot: u16) {
        self.filled[self.to_move.index()] |= 1 << slot;
        self.line.push((self.to_move, slot));
        self.to_move = self.to_move.other();
    }
    fn winning_moves(&self, side: Side) -> WinningMoves {
        let wins: Vec<u16> = self
            .open()
            .iter()
            .filter(|slot| self.wins(side, self.filled[side.index()] | 1 << slot))
            .collect();
        match wins[..] {
            [] => WinningMoves::None,
            [one] => WinningMoves::One(one),
            [first, .., last] => WinningMoves::Several { first, last },
        }
    }
    fn could_win(&self, side: Side) -> bool {
        let free: Vec<u16> =
            (0..self.slots).filter(|slot| (self.filled[0] | self.filled[1]) >> slot & 1 == 0).collect();
        (0_u32..1 << free.len()).any(|subset| {
            let more: u32 = free.iter().zip(0..).map(|(slot, bit)| (subset >> bit & 1) << slot).sum();
            more != 0 && self.wins(side, self.filled[side.index()] | more)
        })
    }
    fn rollout(&mut self, rng: &mut Rng) -> Winner {
        self.line.clear();
        loop {
            if let Some(winner) = self.winner() {
                return winner;
            }
            let open: Vec<u16> = self.open().iter().collect();
            self.play_slot(open[rng.below(open.len() as u32) as usize]);
        }
    }
    fn rollout_line(&self, mut f: impl FnMut(Side, u16)) {
        self.line.iter().for_each(|&(side, slot)| f(side, slot));
    }
}

fn params(changes: &[(&str, &str)]) -> Params {
    let mut params = Params::default();
    for (name, value) in changes {
        params.set(name, &value.parse().expect("infallible")).expect("in range");
    }
    params
}

#[test]
fn searches_that_finish_agree_with_brute_force() {
    let mut results = [0; 3];
    for (seed, setting) in (0..240).zip(
        [
            vec![],
            vec![("lookahead", "1")],
            vec![("rave_k", "0"), ("exploration", "0.9")],
            vec![("rollouts", "3"), ("expand_visits", "4")],
            vec![("rave_compat", "thesis2011")],
            vec![("fpu", "0.3"), ("exploration", "0.5"), ("expand_visits", "0")],
            vec![("draw_detection", "true")],
            vec![("draw_detection", "true"), ("lookahead", "1"), ("expand_visits", "0"), ("rollouts", "2")],
            vec![("rave_probability", "0.5"), ("exploration", "0.3"), ("exploration_probability", "0.5")],
            vec![("widening", "1.5"), ("exploration", "0.3")],
        ]
        .iter()
        .cycle(),
    ) {
        let game = Lottery::new(seed, 7);
        let truth = game.brute_force();
        let thought = Search::new(game, &params(setting).search, seed).think(Budget::Sims(200_000));
        let claim = match truth {
            2 => ProvenOutcome::Win,
            1 => ProvenOutcome::Draw,
            _ => ProvenOutcome::Loss,
        };
        assert_eq!(thought.claim, claim, "seed {seed}, {setting:?}");
        assert_eq!(thought.value, f32::from(truth) / 2.0, "seed {seed}");
        results[usize::from(truth)] += 1;
    }
    assert!(results.iter().all(|&n| n >= 20), "the games should not all end alike: {results:?}");
}

#[test]
fn without_lookahead_a_search_still_finds_wins() {
    let mut found = 0;
    for seed in 0..40 {
        let game = Lottery::new(seed, 6);
        let thought = Search::new(
            game.clone(),
            &params(&[("lookahead", "0"), ("rave_k", "0"), ("exploration", "0.9")]).search,
            seed,
        )
        .think(Budget::Sims(20_000));
        assert_eq!((thought.claim, thought.sims), (ProvenOutcome::Unknown, 20_000));
        let mut after = game.clone();
        after.play_slot(thought.slot);
        found += i32::from(2 - after.brute_force() == game.brute_force());
    }
    assert!(found >= 38, "{found} of 40 moves keep the value");
}

#[test]
fn playouts_of_the_root_are_those_of_its_children() {
    let size = BoardSize::new(6).expect("size");
    for rollouts in [1_u32, 3] {
        for preset in ["uct", "rave"] {
            let mut params = Params::preset(preset).expect("preset");
            params.search.rollouts = rollouts;
            let mut search = Search::new(Board::new(size), &params, 9);
            search.think(Budget::Sims(1000));
            let counts: Vec<u32> = search.tree.visited(search.root.node).map(|child| child.n).collect();
            assert_eq!(counts.iter().sum::<u32>(), 1000 * rollouts);
            assert!(counts.iter().all(|n| n.is_multiple_of(rollouts)));
            assert_eq!(
                search.tree.node(search.root.node).n,
                params.search.expand_visits + 1 + 1000 * rollouts
            );
        }
    }
}

/// The board after moves in GUI notation.
fn board(size: u8, moves: &str) -> Board {
    let size = BoardSize::new(size).expect("size");
    Board::after(size, &Notation::Gui.read_list(size, moves).expect("cells")).expect("legal")
}

#[test]
fn credit_goes_to_every_move_of_a_line_that_is_no_draw() {
    let start = board(3, "");
    let mut end = start.clone();
    let tree: [u16; 2] = [9, 4];
    tree.iter().for_each(|&slot| end.play_slot(slot));
    let winner = end.rollout(&mut Rng::new(5)).expect("somebody wins this one");
    let mut credits = Credits::new(&SearchParams::default(), start.slots());
    assert!(!credits.any());
    for _ in 0..2 {
        credits.add_line(Side::White, tree.into_iter(), Some(&end), winner);
    }
    let mut expected = [[0_u32; 19]; 2];
    let won = |side| if side == winner { 2 | 2 << 16 } else { 2 };
    expected[0][9] = won(Side::White);
    expected[1][4] = won(Side::Black);
    end.rollout_line(|side, slot| expected[side.index()][usize::from(slot)] = won(side));
    for side in Side::BOTH {
        assert_eq!(credits.of(side).halves[..19], expected[side.index()]);
    }
    credits.clear();
    assert!(
        credits.of(Side::White).halves.iter().chain(&credits.of(Side::Black).halves).all(|&word| word == 0)
    );
}

#[test]
fn a_win_in_the_tree_credits_its_line_and_counts_once() {
    let mut params = params(&[("lookahead", "0"), ("rollouts", "5")]);
    let mut search = Search::new(board(4, "a1 g4 a2 g5 a3 g6"), &params, 1);
    let win = Notation::Gui.read(BoardSize::new(4).expect("size"), "a4").expect("cell").index() as u16;
    search.path.push(super::state::Step { node: 0, child: 0, slot: win });
    let result = search.certain_result(Some(Side::White));
    assert_eq!((result.wins, result.playouts()), ([1, 0], 1));
    assert_eq!(search.credits.of(Side::White).halves[usize::from(win)], 1 | 1 << 16);
    // Without RAVE nothing is credited.
    params.search.rave_k = 0.0;
    let mut search = Search::new(board(4, "a1"), &params, 1);
    search.certain_result(Some(Side::Black));
    assert!(!search.credits.any());
}

#[test]
fn the_thesis_list_credits_stale_moves_and_forgets_the_tree() {
    let long =
        Lottery { line: vec![(Side::White, 2), (Side::Black, 3), (Side::White, 4)], ..Lottery::new(1, 8) };
    let short = Lottery { line: vec![(Side::White, 5)], ..Lottery::new(1, 8) };
    let mut credits = Credits::new(&params(&[("rave_compat", "thesis2011")]).search, 8);
    let credited = |credits: &Credits, side| {
        (0..8).filter(|&slot| credits.of(side).halves[slot as usize] != 0).collect::<Vec<u16>>()
    };
    credits.add_line(Side::White, [0, 1].into_iter(), Some(&long), Side::White);
    // The rollout overwrites slots 0 and 1; entries 3 and 4 were never written.
    assert_eq!((credited(&credits, Side::White), credited(&credits, Side::Black)), (vec![2, 4], vec![3]));
    credits.clear();
    credits.add_line(Side::White, [6, 7].into_iter(), Some(&short), Side::Black);
    // Entry 0 is of the rollout, entry 1 of the tree, entry 2 a leftover of the longer playout.
    assert_eq!((credited(&credits, Side::White), credited(&credits, Side::Black)), (vec![4, 5], vec![7]));
}

#[test]
fn a_forced_reply_is_the_only_child_and_double_threats_are_lost() {
    let mut search = Search::new(board(4, "a1 g4 a2 g5 a3"), &Params::default(), 1);
    let thought = search.think(Budget::Sims(1));
    let names: Vec<u16> = search.tree.visited(search.root.node).map(|child| child.slot).collect();
    let a4 = Notation::Gui.read(search.position().size(), "a4").expect("cell").index() as u16;
    assert_eq!((names, thought.slot, thought.sims), (vec![a4], a4, 1));

    let thought = Search::new(board(4, "a1 g4 a2 g5 a3 g6 c3"), &Params::default(), 1).think(Budget::Sims(1));
    let g7 = Notation::Gui.read(BoardSize::new(4).expect("size"), "g7").expect("cell").index() as u16;
    assert_eq!((thought.slot, thought.claim, thought.sims, thought.nodes), (g7, ProvenOutcome::Loss, 1, 0));
}

#[test]
fn a_kept_tree_keeps_the_subtree_of_both_moves() {
    let mut search = Search::new(board(5, ""), &Params::default(), 4);
    let thought = search.think(Budget::Sims(3000));
    let child =
        search.tree.visited(search.root.node).find(|child| child.slot == thought.slot).expect("chosen");
    let reply = search.tree.visited(child.node).max_by_key(|child| child.n).expect("visited");
    search.advance(thought.slot);
    search.advance(reply.slot);
    let kept = reply.n + 2;
    assert_eq!(search.tree.node(search.root.node).n, kept);
    assert!(search.tree.len() > 1);
    search.think(Budget::Sims(100));
    assert_eq!(search.tree.node(search.root.node).n, kept + 100);

    let mut forgetful = Search::new(board(5, ""), &params(&[("keep_tree", "false")]), 4);
    let thought = forgetful.think(Budget::Sims(3000));
    forgetful.advance(thought.slot);
    assert!(forgetful.tree.len() == 0);
}
