//! Whatever the search claims to have proven must be so: against exhaustive search, on late positions of Havannah
//! judged by the slow rules, and on small random games in which draws are common.

use crate::slow::rules as slow;
use crate::slow::solver;
use engine::havannah::{Board, BoardSize, HeuristicParams, Params};
use engine::rng::Rng;
use engine::search::{
    Budget, FinalMove, Game, ParamsOf, ProvenOutcome, RaveCompat, Search, SearchParams, SlotSet, Winner,
    WinningMoves,
};
use engine::selfplay::{GameSpec, Player, play, random_opening};
use engine::side::{BySide, Side};
use rayon::prelude::*;
use slow::{Hexagon, SlowBoard, pick};
use solver::Solver;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Players that differ in everything a proof could depend on.
fn players() -> Vec<Params> {
    let uct = Params::preset("uct").expect("a preset");
    let rave = Params::preset("rave").expect("a preset");
    vec![
        uct.clone(),
        rave.clone(),
        Params { search: SearchParams { lookahead: 1, ..uct.search }, ..uct.clone() },
        Params { search: SearchParams { lookahead: 1, rollouts: 3, ..rave.search }, ..rave.clone() },
        Params { search: SearchParams { expand_visits: 0, ..uct.search }, ..uct.clone() },
        Params {
            search: SearchParams { expand_visits: 0, rave_k_per_empty: 20.0, ..rave.search },
            ..rave.clone()
        },
        Params {
            search: SearchParams { expand_visits: 5, rollouts: 2, final_move: FinalMove::Wins, ..uct.search },
            ..uct.clone()
        },
        Params {
            search: SearchParams { rave_compat: RaveCompat::Thesis2011, exploration: 0.3, ..rave.search },
            ..rave.clone()
        },
        Params { search: SearchParams { draw_detection: true, ..rave.search }, ..rave.clone() },
        Params {
            search: SearchParams {
                draw_detection: true,
                expand_visits: 0,
                lookahead: 1,
                final_move: FinalMove::Value,
                ..uct.search
            },
            ..uct
        },
        Params {
            search: SearchParams { draw_detection: true, rollouts: 2, widening: 1.5, ..rave.search },
            heuristics: HeuristicParams { locality: 5.0, ..rave.heuristics },
        },
        Params {
            search: SearchParams {
                rave_probability: 0.5,
                exploration: 0.5,
                exploration_probability: 0.3,
                ..rave.search
            },
            ..rave
        },
    ]
}

fn claim_of(winner: Winner) -> ProvenOutcome {
    match winner {
        None => ProvenOutcome::Draw,
        Some(Side::White) => ProvenOutcome::Win,
        Some(Side::Black) => ProvenOutcome::Loss,
    }
}

/// Searches `game` with every player: a claim must be the value of the move it comes with, the best one there is,
/// and many simulations must lead to one.
fn check<G: Game, K: std::hash::Hash + Eq>(game: &G, solver: &mut Solver<G, K>, enough: u64, seed: u64)
where
    ParamsOf<G>: From<Params>,
{
    let value = solver.value(game);
    for (number, params) in players().into_iter().enumerate() {
        let params = ParamsOf::<G>::from(params);
        for sims in [1, 5, 25, 125, enough] {
            let thought = Search::new(game.clone(), &params, seed).think(Budget::Sims(sims));
            assert!(game.open().contains(thought.slot), "player {number} fills a slot that is not open");
            assert!((0.0..=1.0).contains(&thought.value), "player {number}: value {}", thought.value);
            if !thought.claim.is_solved() {
                assert_eq!(thought.sims, sims, "player {number} gave up early");
                assert!(sims < enough, "player {number} proves nothing in {sims} simulations");
                let after = claim_of(solver.value_after(game, thought.slot));
                match thought.claim {
                    ProvenOutcome::AtLeastDraw => {
                        assert_ne!(after, ProvenOutcome::Loss, "player {number}, {sims} simulations")
                    }
                    ProvenOutcome::AtMostDraw => {
                        assert_ne!(after, ProvenOutcome::Win, "player {number}, {sims} simulations")
                    }
                    _ => {}
                }
            } else {
                assert!(thought.sims <= sims);
                let after = solver.value_after(game, thought.slot);
                assert_eq!(thought.claim, claim_of(after), "player {number}, {sims} simulations");
                if sims == enough {
                    assert_eq!(after, value, "player {number}, {sims} simulations: there is a better move");
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Havannah

/// The slow rules as a game, so that the truth owes nothing to the engine's board.
#[derive(Clone)]
struct SlowGame<'a>(SlowBoard<'a>);

impl Game for SlowGame<'_> {
    type Policy = engine::search::Uniform;

    fn slots(&self) -> usize {
        self.0.stones.len()
    }
    fn to_move(&self) -> Side {
        self.0.to_move()
    }
    fn open(&self) -> SlotSet {
        if self.0.outcome.is_some() {
            return SlotSet::default();
        }
        self.0.empty_cells().into_iter().map(|cell| cell as u16).collect()
    }
    fn open_count(&self) -> usize {
        self.0.empty_cells().len()
    }
    fn winner(&self) -> Option<Winner> {
        self.0.outcome.map(|outcome| outcome.winner())
    }
    fn play_slot(&mut self, slot: u16) {
        self.0.play(usize::from(slot));
    }
    fn winning_moves(&self, _: Side) -> WinningMoves {
        unreachable!("exhaustive search looks no ply ahead")
    }
    fn rollout(&mut self, _: &mut Rng) -> Winner {
        unreachable!("exhaustive search plays nothing at random")
    }
    fn rollout_line(&self, _: impl FnMut(Side, u16)) {}
}

/// A game that has gone on until `open` cells are left, neither side winning and each denying the other's wins:
/// what is left is often drawn.
fn late_position<'a>(hexagon: &'a Hexagon, open: usize, rng: &mut Rng) -> SlowBoard<'a> {
    'again: loop {
        let mut board = SlowBoard::new(hexagon);
        while board.empty_cells().len() > open {
            let [own, denied] =
                [board.to_move(), board.to_move().other()].map(|side| board.winning_cells(side));
            let mut quiet = board.empty_cells();
            quiet.retain(|cell| !own.contains(cell));
            let denying: Vec<usize> = quiet.iter().copied().filter(|cell| denied.contains(cell)).collect();
            match [&denying, &quiet].into_iter().find(|list| !list.is_empty()) {
                Some(list) => board.play(pick(rng, list)),
                None => continue 'again,
            }
        }
        return board;
    }
}

/// The same stones on the engine's board, placed in another order.
fn on_the_engine(slow: &SlowBoard<'_>) -> Board {
    let of = |side| (0..slow.stones.len()).filter(|&c| slow.stones[c] == Some(side)).collect::<Vec<usize>>();
    let mut left = Side::BOTH.map(of);
    let mut board = Board::new(slow.hexagon.size);
    while let Some(cell) = left[board.to_move().index()].pop() {
        board.play(slow.hexagon.engine_cell(cell)).expect("legal");
    }
    board
}

#[test]
fn claims_about_late_positions_are_what_exhaustive_search_finds() {
    let mut values = Vec::new();
    for n in [3, 4] {
        let hexagon = Hexagon::new(BoardSize::new(n).expect("a size"));
        let found: Vec<ProvenOutcome> = (0..100_u64)
            .into_par_iter()
            .map(|seed| {
                let mut rng = Rng::stream(seed, 5000 + u64::from(n));
                let slow = late_position(&hexagon, 2 + (seed % 6) as usize, &mut rng);
                let fast = on_the_engine(&slow);
                let mut truth = Solver::new(|game: &SlowGame<'_>| game.0.stones.clone());
                let value = truth.value(&SlowGame(slow.clone()));
                // The solver of the engine's board for the moves; both must agree on the position.
                let key = |b: &Board| b.size().iter_cells().map(|c| b.owner(c)).collect::<Vec<_>>();
                let mut solver = Solver::new(key);
                assert_eq!(solver.value(&fast), value);
                check(&fast, &mut solver, 60_000, seed);
                claim_of(value)
            })
            .collect();
        values.extend(found);
    }
    for claim in [ProvenOutcome::Win, ProvenOutcome::Loss, ProvenOutcome::Draw] {
        assert!(values.contains(&claim), "no position is {claim:?}");
    }
}

#[test]
fn a_player_gets_the_win_or_draw_that_it_claims() {
    let players = players();
    let claims: usize = (0..160_u64)
        .into_par_iter()
        .map(|seed| {
            let size = BoardSize::new(3 + (seed % 3) as u8).expect("a size");
            let hexagon = Hexagon::new(size);
            let mut rng = Rng::new(seed);
            let players = BySide::from_fn(|_| Player {
                params: players[rng.below(players.len() as u32) as usize].clone(),
                budget: Budget::Sims(150),
                seed: rng.next_u64(),
            });
            let opening = random_opening(size, 2, seed);
            let spec = GameSpec { size, opening, players };
            let record =
                play(&spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("not stopped");

            // The record is a game by the slow rules.
            let mut board = SlowBoard::new(&hexagon);
            let played = record.moves.iter().map(|record| record.cell);
            spec.opening.iter().copied().chain(played).for_each(|cell| board.play(cell.index()));
            assert_eq!(board.outcome, Some(record.outcome), "seed {seed}");

            let mut claims = 0;
            for (ply, thought) in record.moves.iter().enumerate() {
                let mover = Side::to_move_after(spec.opening.len() + ply);
                if thought.claim == claim_of(Some(mover)) {
                    assert_eq!(record.outcome.winner(), Some(mover), "seed {seed}, move {ply}");
                    claims += 1;
                } else if thought.claim == ProvenOutcome::Draw {
                    assert_ne!(record.outcome.winner(), Some(mover.other()), "seed {seed}, move {ply}");
                }
            }
            claims
        })
        .sum();
    // Hardly a game ends without its winner knowing.
    assert!(claims > 160, "{claims} claims");
}

/// An opponent that plays at random misses wins and does what no search expects, also where a loss was proven.
#[test]
fn a_claim_holds_after_any_move_of_the_opponent() {
    let players = players();
    let surprised: usize = (0..240_u64)
        .into_par_iter()
        .map(|seed| {
            let hexagon = Hexagon::new(BoardSize::new(3 + (seed % 2) as u8).expect("a size"));
            let mut rng = Rng::stream(seed, 8000);
            let mut params = players[rng.below(players.len() as u32) as usize].clone();
            params.search.keep_tree = seed % 3 != 0;
            // Late enough that the random side often has the better of it.
            let start = late_position(&hexagon, hexagon.cells.len() / 2, &mut rng);
            let mut board = on_the_engine(&start);
            let ours = Side::BOTH[(seed / 2 % 2) as usize];
            let mut search = Search::new(board.clone(), &params, seed);
            let (mut won, mut lost) = (false, false);
            while board.outcome().is_none() {
                let slot = if board.to_move() == ours {
                    let thought = search.think(Budget::Sims(40));
                    assert!(board.open().contains(thought.slot), "seed {seed}: {} is not open", thought.slot);
                    won |= thought.claim == claim_of(Some(ours)) && params.search.keep_tree;
                    lost |= thought.claim == claim_of(Some(ours.other()));
                    thought.slot
                } else {
                    pick(&mut rng, &board.open().iter().collect::<Vec<u16>>())
                };
                board.play(hexagon.engine_cell(usize::from(slot))).expect("legal");
                if board.outcome().is_none() {
                    search.advance(slot);
                    assert_eq!(search.position().open(), board.open());
                }
            }
            let winner = board.outcome().and_then(|outcome| outcome.winner());
            assert!(!won || winner == Some(ours), "seed {seed}: claimed a win and did not get it");
            usize::from(lost && winner == Some(ours))
        })
        .sum();
    assert!(surprised >= 10, "only {surprised} lost games were won after all");
}

// ---------------------------------------------------------------------------------------------------------------
// Random games

/// Each side has its own sets of slots; who first fills one of his wins. Nothing of Havannah in it.
#[derive(Clone)]
struct Sets {
    /// Winning sets by side, as bits.
    winning: Arc<[Vec<u16>; 2]>,
    slots: u16,
    filled: [u16; 2],
    /// The last rollout and who began it.
    line: (Side, Vec<u16>),
}

impl Sets {
    fn random(rng: &mut Rng) -> Self {
        let slots = 4 + rng.below(4) as u16;
        let sets = 1 + rng.below(8);
        let mut side = || {
            let mut set =
                || (0..2 + rng.below(2)).fold(0_u16, |set, _| set | 1 << rng.below(u32::from(slots)));
            (0..sets).map(|_| set()).filter(|set| set.count_ones() >= 2).collect::<Vec<u16>>()
        };
        let winning = Arc::new([side(), side()]);
        Self { winning, slots, filled: [0; 2], line: (Side::White, Vec::new()) }
    }

    fn has_won(&self, side: Side) -> bool {
        let filled = self.filled[side.index()];
        self.winning[side.index()].iter().any(|set| set & filled == *set)
    }

    fn empty(&self) -> Vec<u16> {
        (0..self.slots).filter(|slot| (self.filled[0] | self.filled[1]) >> slot & 1 == 0).collect()
    }
}

impl Game for Sets {
    type Policy = engine::search::Uniform;

    fn slots(&self) -> usize {
        usize::from(self.slots)
    }
    fn to_move(&self) -> Side {
        Side::to_move_after(usize::from(self.slots) - self.empty().len())
    }
    fn open(&self) -> SlotSet {
        if self.winner().is_some() { SlotSet::default() } else { self.empty().into_iter().collect() }
    }
    fn open_count(&self) -> usize {
        self.empty().len()
    }
    fn winner(&self) -> Option<Winner> {
        let won = Side::BOTH.into_iter().find(|&side| self.has_won(side));
        if won.is_some() || self.empty().is_empty() { Some(won) } else { None }
    }
    fn play_slot(&mut self, slot: u16) {
        assert!(self.winner().is_none() && self.empty().contains(&slot), "slot {slot} is not open");
        self.filled[self.to_move().index()] |= 1 << slot;
    }
    fn winning_moves(&self, side: Side) -> WinningMoves {
        let wins = |&slot: &u16| {
            let mut next = self.clone();
            next.filled[side.index()] |= 1 << slot;
            next.has_won(side)
        };
        match self.empty().into_iter().filter(wins).collect::<Vec<u16>>()[..] {
            [] => WinningMoves::None,
            [slot] => WinningMoves::One(slot),
            [first, .., last] => WinningMoves::Several { first, last },
        }
    }
    fn could_win(&self, side: Side) -> bool {
        let lost = self.filled[side.other().index()];
        self.winning[side.index()].iter().any(|set| set & lost == 0)
    }
    fn rollout(&mut self, rng: &mut Rng) -> Winner {
        self.line = (self.to_move(), Vec::new());
        loop {
            if let Some(winner) = self.winner() {
                return winner;
            }
            let slot = pick(rng, &self.empty());
            self.line.1.push(slot);
            self.play_slot(slot);
        }
    }
    fn rollout_line(&self, mut f: impl FnMut(Side, u16)) {
        let mut side = self.line.0;
        for &slot in &self.line.1 {
            f(side, slot);
            side = side.other();
        }
    }
}

#[test]
fn claims_about_random_games_are_what_exhaustive_search_finds() {
    let values: Vec<ProvenOutcome> = (0..120_u64)
        .into_par_iter()
        .map(|seed| {
            let mut rng = Rng::stream(seed, 6000);
            let mut game = Sets::random(&mut rng);
            // Some from the beginning, some after a few moves.
            for _ in 0..rng.below(4) {
                let next = pick(&mut rng, &game.empty());
                let mut played = game.clone();
                played.play_slot(next);
                if played.winner().is_none() {
                    game = played;
                }
            }
            let mut solver = Solver::new(|game: &Sets| game.filled);
            check(&game, &mut solver, 60_000, seed);
            claim_of(solver.value(&game))
        })
        .collect();
    for claim in [ProvenOutcome::Win, ProvenOutcome::Loss, ProvenOutcome::Draw] {
        let many = values.iter().filter(|&&value| value == claim).count();
        assert!(many >= 5, "{many} games are {claim:?}");
    }
}

#[test]
fn without_lookahead_every_simulation_is_made() {
    for seed in 0..20 {
        let mut rng = Rng::stream(seed, 7000);
        let game = Sets::random(&mut rng);
        for preset in ["uct", "rave"] {
            let params = Params::preset(preset).expect("a preset").search;
            let params = SearchParams { lookahead: 0, ..params };
            let thought = Search::new(game.clone(), &params, seed).think(Budget::Sims(3_000));
            assert_eq!((thought.claim, thought.sims), (ProvenOutcome::Unknown, 3_000));
        }
    }
}
