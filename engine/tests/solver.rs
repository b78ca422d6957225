//! Every solver against exhaustive search, on games small enough for it, and against the others.

use crate::slow::rules as slow;
use engine::havannah::{Board, BoardSize, Cell, Notation, Params, images};
use engine::rng::Rng;
use engine::search::{Budget, Game, ProvenOutcome, Search, SlotSet, Winner, WinningMoves};
use engine::side::{BySide, Side};
use engine::solver::{
    AlphaBeta, DfPn, LeafInitialisation, Limits, Lookahead, MonteCarlo, ParallelProofNumberSearch,
    ProofNumberConfig, ProofNumberSearch, Solution, Solver, Stop,
};
use slow::Hexagon;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

/// A game of a few slots in which whoever first fills one of its own lines wins. The lines are arbitrary, and each
/// side has others.
#[derive(Clone)]
struct Lines {
    slots: u16,
    lines: BySide<Vec<u32>>,
    filled: BySide<u32>,
    to_move: Side,
    /// Whether it tells who could still win.
    tells: bool,
}

impl Lines {
    fn random(seed: u64, slots: u16) -> Self {
        let mut rng = Rng::new(seed);
        let mut line = |len: u32| {
            let mut line = 0_u32;
            while line.count_ones() < len {
                line |= 1 << rng.below(slots.into());
            }
            line
        };
        // Few lines draw; White moves first, so that Black needs more and shorter ones to win at times.
        let (more, black_better) = (seed % 7, seed / 7 % 2 == 1);
        let lines = BySide {
            white: (0..3 + more).map(|_| line(if black_better { 4 } else { 3 })).collect(),
            black: (0..3 + 2 * more).map(|i| line(if black_better && i % 2 == 0 { 2 } else { 3 })).collect(),
        };
        Self { slots, lines, filled: BySide::default(), to_move: Side::White, tells: seed.is_multiple_of(2) }
    }

    fn completes(&self, side: Side, filled: u32) -> bool {
        self.lines[side].iter().any(|line| line & !filled == 0)
    }
}

impl Game for Lines {
    type Policy = engine::search::Uniform;

    fn slots(&self) -> usize {
        self.slots.into()
    }
    fn to_move(&self) -> Side {
        self.to_move
    }
    fn open(&self) -> SlotSet {
        let free = |slot: &u16| (self.filled.white | self.filled.black) >> slot & 1 == 0;
        if self.winner().is_some() { SlotSet::default() } else { (0..self.slots).filter(free).collect() }
    }
    fn open_count(&self) -> usize {
        self.slots() - (self.filled.white | self.filled.black).count_ones() as usize
    }
    fn winner(&self) -> Option<Winner> {
        let winner = Side::BOTH.into_iter().find(|&side| self.completes(side, self.filled[side]));
        winner.map(Some).or_else(|| (self.open_count() == 0).then_some(None))
    }
    fn play_slot(&mut self, slot: u16) {
        self.filled[self.to_move] |= 1 << slot;
        self.to_move = self.to_move.other();
    }
    fn winning_moves(&self, side: Side) -> WinningMoves {
        let wins = |slot: &u16| self.completes(side, self.filled[side] | 1 << slot);
        let wins: Vec<u16> = self.open().iter().filter(wins).collect();
        match wins[..] {
            [] => WinningMoves::None,
            [one] => WinningMoves::One(one),
            [first, .., last] => WinningMoves::Several { first, last },
        }
    }
    fn could_win(&self, side: Side) -> bool {
        !self.tells || self.lines[side].iter().any(|line| line & self.filled[side.other()] == 0)
    }
    fn rollout(&mut self, _: &mut Rng) -> Winner {
        unreachable!("solvers do not guess")
    }
    fn rollout_line(&self, _: impl FnMut(Side, u16)) {
        unreachable!("solvers do not guess")
    }
}

/// The value of every position below one, by trying every move and nothing cleverer.
struct Exhaustive {
    values: HashMap<Vec<Option<Side>>, ProvenOutcome>,
}

impl Exhaustive {
    fn new() -> Self {
        Self { values: HashMap::new() }
    }

    fn value<G: Game>(&mut self, position: &G, stones: &mut Vec<Option<Side>>) -> ProvenOutcome {
        stones.resize(position.slots(), None);
        if let Some(winner) = position.winner() {
            return match winner {
                None => ProvenOutcome::Draw,
                Some(side) if side == position.to_move() => ProvenOutcome::Win,
                Some(_) => ProvenOutcome::Loss,
            };
        }
        if let Some(&value) = self.values.get(stones) {
            return value;
        }
        let mut value = ProvenOutcome::Loss;
        for slot in position.open().iter() {
            let mut after = position.clone();
            after.play_slot(slot);
            stones[usize::from(slot)] = Some(position.to_move());
            let found = self.value(&after, stones).inverted();
            value = if found.least() > value.least() { found } else { value };
            stones[usize::from(slot)] = None;
        }
        self.values.insert(stones.clone(), value);
        value
    }
}

/// Every solver with its name.
fn solvers<G: Game + Send + Sync + 'static>() -> Vec<(&'static str, Box<dyn Solver<G>>)> {
    let three = NonZeroUsize::new(3).expect("not 0");
    vec![
        ("alpha-beta", Box::new(AlphaBeta)),
        ("proof numbers", Box::new(ProofNumberSearch::default())),
        ("three threads", Box::new(ParallelProofNumberSearch::new(ProofNumberConfig::default(), three))),
        ("table", Box::new(DfPn::default())),
        ("table, copying", Box::new(DfPn::new(ProofNumberConfig::default(), 4))),
    ]
}

/// Proof-number searches with every configuration that differs from the default in one or two fields.
fn configured<G: Game + Send + Sync + 'static>() -> Vec<(String, Box<dyn Solver<G>>)> {
    let usual = ProofNumberConfig::default();
    let configs = [
        ProofNumberConfig { lookahead: Lookahead::Move, ..usual },
        ProofNumberConfig { lookahead: Lookahead::Reply, ..usual },
        ProofNumberConfig { lookahead: Lookahead::Move, thresholds: false, ..usual },
        ProofNumberConfig { leaf: LeafInitialisation::Equal, ..usual },
        ProofNumberConfig { leaf: LeafInitialisation::Distance, ..usual },
        ProofNumberConfig { leaf: LeafInitialisation::Distance, lookahead: Lookahead::Reply, ..usual },
        ProofNumberConfig { epsilon: 0.0, ..usual },
        ProofNumberConfig { epsilon: 3.0, ..usual },
        ProofNumberConfig { thresholds: false, ..usual },
    ];
    let two = NonZeroUsize::new(2).expect("not 0");
    let with = |config: ProofNumberConfig| -> [(String, Box<dyn Solver<G>>); 3] {
        [
            (format!("tree, {config:?}"), Box::new(ProofNumberSearch::new(config))),
            (format!("two threads, {config:?}"), Box::new(ParallelProofNumberSearch::new(config, two))),
            (format!("table, {config:?}"), Box::new(DfPn::new(config, 4))),
        ]
    };
    configs.into_iter().flat_map(with).collect()
}

const LITTLE: Limits = Limits { nodes: u64::MAX, memory: 8 << 20, cpu: Duration::MAX };

fn solve<G: Game>(solver: &mut dyn Solver<G>, position: &G, limits: &Limits) -> Solution {
    solver.solve(position, limits, &mut |_| ControlFlow::Continue(()))
}

/// Checks what a solver says against the true values of a position and its children.
fn check<G: Game>(name: &str, position: &G, solution: &Solution, truth: &mut Exhaustive) -> ProvenOutcome {
    let mut stones = vec![None; position.slots()];
    let value = truth.value(position, &mut stones);
    assert_eq!(solution.proven, value, "{name}: {solution:?}");
    assert_eq!(solution.stopped, None, "{name}");
    let best = solution.best.unwrap_or_else(|| panic!("{name}: no move"));
    assert!(position.open().contains(best), "{name}");
    let mut after = position.clone();
    after.play_slot(best);
    stones[usize::from(best)] = Some(position.to_move());
    assert_eq!(truth.value(&after, &mut stones).inverted(), value, "{name}: {solution:?}");
    value
}

#[test]
fn solvers_agree_with_exhaustive_search_on_made_up_games() {
    let mut seen: HashMap<ProvenOutcome, u32> = HashMap::new();
    let mut searched = 0;
    for seed in 0..280 {
        let game = Lines::random(seed, 9);
        let mut truth = Exhaustive::new();
        for (name, mut solver) in solvers() {
            let solution = solve(&mut *solver, &game, &LITTLE);
            let value = check(&format!("{name}, game {seed}"), &game, &solution, &mut truth);
            *seen.entry(value).or_default() += 1;
            searched += u32::from(solution.depth > 2);
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|&n| n > 150), "the games should not end alike: {seen:?}");
    assert!(searched > 500, "the lookahead alone should not do: {searched}");
}

#[test]
fn every_plan_of_a_proof_number_search_gives_the_true_value() {
    let mut rng = Rng::new(21);
    let mut seen: HashMap<ProvenOutcome, u32> = HashMap::new();
    for seed in 0..60 {
        let game = Lines::random(seed, 9);
        let mut truth = Exhaustive::new();
        for (name, mut solver) in configured() {
            let solution = solve(&mut *solver, &game, &LITTLE);
            let value = check(&format!("{name}, game {seed}"), &game, &solution, &mut truth);
            *seen.entry(value).or_default() += 1;
        }
    }
    for (size, empty, games) in [(3, 9, 24), (4, 9, 24)] {
        for game in 0..games {
            let start = if game % 3 == 0 { half_of_a_drawn_game(size) } else { after(size, "") };
            let board = late_position(start, empty, &mut rng);
            let mut truth = Exhaustive::new();
            for (name, mut solver) in configured() {
                let solution = solve(&mut *solver, &board, &LITTLE);
                let value = check(&format!("{name}, size {size}"), &board, &solution, &mut truth);
                *seen.entry(value).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|&n| n > 100), "{seen:?}");
}

/// What is known of a board's value by filling: whether White, and whether Black, could still win.
fn hopes(board: &Board) -> (bool, bool) {
    (board.could_win(Side::White), board.could_win(Side::Black))
}

#[test]
fn positions_that_a_side_cannot_win_are_solved() {
    let mut rng = Rng::new(22);
    let mut kinds: HashMap<((bool, bool), ProvenOutcome), u32> = HashMap::new();
    let mut of_hopes: HashMap<(u8, (bool, bool)), u32> = HashMap::new();
    for size in [3, 4] {
        // Hope is rarely gone before the game is over: many positions are drawn, and of each kind some looked at.
        for game in 0..6000 {
            let board = late_position(half_of_a_drawn_game(size), 1 + game % 8, &mut rng);
            let alike = of_hopes.entry((size, hopes(&board))).or_default();
            *alike += 1;
            if *alike > 40 {
                continue;
            }
            let mut truth = Exhaustive::new();
            let solvers = solvers().into_iter().map(|(name, solver)| (name.to_owned(), solver));
            let monte_carlo: Box<dyn Solver<Board>> = Box::new(MonteCarlo::new(Params::default(), 1));
            let mut value = ProvenOutcome::Draw;
            for (name, mut solver) in solvers.chain([("Monte Carlo".to_owned(), monte_carlo)]) {
                let solution = solve(&mut *solver, &board, &LITTLE);
                value = check(&format!("{name}, size {size}, game {game}"), &board, &solution, &mut truth);
            }
            *kinds.entry((hopes(&board), value)).or_default() += 1;
        }
    }
    let count = |hopes: (bool, bool), value| kinds.get(&(hopes, value)).copied().unwrap_or(0);
    for one_side in [(true, false), (false, true)] {
        assert!(count(one_side, ProvenOutcome::Draw) > 10, "{one_side:?} still draws: {kinds:?}");
        assert!(
            count(one_side, ProvenOutcome::Win) + count(one_side, ProvenOutcome::Loss) > 10,
            "{one_side:?}: {kinds:?}"
        );
    }
    assert!(
        count((false, false), ProvenOutcome::Draw) > 10 && count((true, true), ProvenOutcome::Draw) > 0,
        "{kinds:?}"
    );
}

#[test]
fn the_last_empty_cell_wins_or_draws() {
    let mut rng = Rng::new(23);
    let mut seen: HashMap<ProvenOutcome, u32> = HashMap::new();
    for round in 0..200 {
        let size = [3, 4][round % 2];
        let start = if round % 4 < 2 { half_of_a_drawn_game(size) } else { after(size, "") };
        let board = late_position(start, 1, &mut rng);
        let last = board.legal_moves().next().expect("one cell");
        let won =
            board.clone().play(last).expect("legal").and_then(engine::havannah::Outcome::winner).is_some();
        let value = if won { ProvenOutcome::Win } else { ProvenOutcome::Draw };
        for (name, mut solver) in solvers() {
            let solution = solve(&mut *solver, &board, &LITTLE);
            assert_eq!((solution.proven, solution.best), (value, Some(last.index() as u16)), "{name}");
        }
        *seen.entry(value).or_default() += 1;
    }
    assert!(seen.len() == 2, "{seen:?}");
}

fn after(size: u8, moves: &str) -> Board {
    let size = BoardSize::new(size).expect("size");
    Board::after(size, &Notation::Gui.read_list(size, moves).expect("cells")).expect("legal")
}

fn half_of_a_drawn_game(size: u8) -> Board {
    match size {
        3 => after(3, "c1 e5 d4 c5 d3 d2 d5 b3"),
        _ => after(4, "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1"),
    }
}

/// A board with `empty` empty cells and no winner yet, reached by moves that do not win.
fn late_position(start: Board, empty: usize, rng: &mut Rng) -> Board {
    loop {
        let mut board = start.clone();
        while board.open_count() > empty {
            let quiet: Vec<Cell> =
                board.legal_moves().filter(|&c| board.clone().play(c) == Ok(None)).collect();
            let Some(&cell) = quiet.get(rng.below(quiet.len().max(1) as u32) as usize) else { break };
            board.play(cell).expect("legal");
        }
        if board.open_count() == empty {
            return board;
        }
    }
}

#[test]
fn every_solver_agrees_with_exhaustive_search_on_late_positions() {
    let mut rng = Rng::new(11);
    let mut seen: HashMap<ProvenOutcome, u32> = HashMap::new();
    for (size, empty, games) in [(3, 8, 60), (3, 11, 30), (4, 7, 60), (4, 9, 40), (4, 11, 20)] {
        for game in 0..games {
            // Random games hardly ever end in draws: every third begins with half of a drawn one.
            let start = if game % 3 == 0 { half_of_a_drawn_game(size) } else { after(size, "") };
            let board = late_position(start, empty, &mut rng);
            let mut truth = Exhaustive::new();
            for (name, mut solver) in solvers() {
                let solution = solve(&mut *solver, &board, &LITTLE);
                let value = check(&format!("{name}, size {size}"), &board, &solution, &mut truth);
                *seen.entry(value).or_default() += 1;
            }
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|&n| n >= 10), "{seen:?}");
}

#[test]
fn solvers_agree_on_positions_too_early_for_exhaustive_search() {
    let mut rng = Rng::new(12);
    // From size 5 on, keys no longer spell out the position.
    for (size, empty, games) in [(3, 15, 20), (4, 15, 20), (4, 18, 8), (5, 20, 20), (6, 26, 10)] {
        for _ in 0..games {
            let board = late_position(after(size, ""), empty, &mut rng);
            let values: Vec<ProvenOutcome> = solvers()
                .into_iter()
                .map(|(_, mut solver)| solve(&mut *solver, &board, &Limits::default()).proven)
                .collect();
            assert!(values[0].is_solved() && values.iter().all(|value| *value == values[0]), "{values:?}");
        }
    }
}

#[test]
fn what_monte_carlo_tree_search_claims_is_what_the_solvers_prove() {
    let mut rng = Rng::new(15);
    let mut claims = 0;
    for (size, empty, games) in [(3, 10, 30), (3, 14, 10), (4, 10, 30), (4, 14, 10)] {
        for game in 0..games {
            let start = if game % 3 == 0 { half_of_a_drawn_game(size) } else { after(size, "") };
            let board = late_position(start, empty.min(if game % 3 == 0 { 10 } else { empty }), &mut rng);
            let value = solve(&mut DfPn::default(), &board, &LITTLE).proven;
            assert!(value.is_solved());
            let thought = Search::new(board.clone(), &Params::default(), game).think(Budget::Sims(50_000));
            if !thought.claim.is_solved() {
                continue;
            }
            assert_eq!(thought.claim.as_seen_by(board.to_move()), value);
            claims += 1;
        }
    }
    assert!(claims >= 70, "{claims} of 80 positions proved");
}

#[test]
fn symmetric_positions_have_equal_values() {
    let mut rng = Rng::new(13);
    for (size, empty) in [(3, 14), (4, 16)] {
        let hexagon = Hexagon::new(BoardSize::new(size).expect("size"));
        for _ in 0..4 {
            let board = late_position(after(size, ""), empty, &mut rng);
            // Alternate the sides' stones, so that the image is reached by a game.
            let [white, black]: [Vec<Cell>; 2] = Side::BOTH.map(|side| {
                board.size().iter_cells().filter(|&cell| board.owner(cell) == Some(side)).collect()
            });
            let mut values = Vec::new();
            for map in hexagon.symmetries() {
                let mut image = Board::new(board.size());
                for ply in 0..board.plies() {
                    let cell = if ply % 2 == 0 { white[ply / 2] } else { black[ply / 2] };
                    image.play(hexagon.engine_cell(map[cell.index()])).expect("legal");
                }
                for (_, mut solver) in solvers::<Board>() {
                    values.push(solve(&mut *solver, &image, &Limits::default()).proven);
                }
            }
            assert_eq!(values.len(), 12 * 5);
            assert!(values[0].is_solved() && values.iter().all(|value| *value == values[0]), "{values:?}");
        }
    }
}

/// A board in which every stone has a partner of its own side: its image under the symmetry with this number, which is its
/// own inverse. `pairs` is the number of pairs of each side. None if the moves win or there is no room.
fn symmetric_position(size: u8, symmetry: usize, pairs: usize, rng: &mut Rng) -> Option<Board> {
    let mut board = after(size, "");
    for _ in 0..pairs {
        let mut pairs = Vec::new();
        for _ in Side::BOTH {
            let free: Vec<[Cell; 2]> = board
                .legal_moves()
                .map(|cell| [cell, images(board.size(), cell)[symmetry]])
                .filter(|[cell, image]| cell != image && !pairs.iter().flatten().any(|taken| taken == cell))
                .collect();
            pairs.push(*free.get(rng.below(free.len().max(1) as u32) as usize)?);
        }
        for cell in [pairs[0][0], pairs[1][0], pairs[0][1], pairs[1][1]] {
            board.play(cell).ok()?;
        }
    }
    board.winner().is_none().then_some(board)
}

#[test]
fn positions_with_symmetries_are_solved_like_all_others() {
    let mut rng = Rng::new(31);
    let mut seen: HashMap<ProvenOutcome, u32> = HashMap::new();
    // Symmetry 3 turns by 180°; 6 and 9 reflect.
    for round in 0..90 {
        let symmetry = [3, 6, 9][round % 3];
        let Some(board) = symmetric_position(3, symmetry, 2, &mut rng) else { continue };
        assert!(!board.symmetries().is_empty());
        let mut truth = Exhaustive::new();
        for (name, mut solver) in solvers() {
            let solution = solve(&mut *solver, &board, &LITTLE);
            let value = check(&format!("{name}, round {round}"), &board, &solution, &mut truth);
            *seen.entry(value).or_default() += 1;
        }
    }
    assert!(seen.values().sum::<u32>() > 300 && seen.len() > 1, "{seen:?}");
}

#[test]
fn with_hardly_any_memory_the_answer_is_right_or_unknown() {
    let mut rng = Rng::new(14);
    let (mut right, mut gave_up) = (0, 0);
    for round in 0..30 {
        let board = late_position(after([3, 4][round % 2], ""), 12, &mut rng);
        let value = solve(&mut ProofNumberSearch::default(), &board, &Limits::default()).proven;
        for memory in [0, 500, 2_000, 6_000, 20_000] {
            let limits = Limits { nodes: 30_000_000, memory, cpu: Duration::MAX };
            for (name, mut solver) in solvers() {
                let solution = solve(&mut *solver, &board, &limits);
                if solution.proven.is_solved() {
                    assert_eq!(solution.proven, value, "{name} in {memory} bytes");
                    right += 1;
                } else {
                    assert_eq!(solution.stopped, Some(Stop::Memory), "{name} in {memory} bytes");
                    assert!(name != "alpha-beta" && !name.starts_with("table"), "{name} can always forget");
                    gave_up += 1;
                }
            }
        }
    }
    assert!(right > 500 && gave_up > 30, "{right} right, {gave_up} gave up");
}

/// The position of the thesis' figure, far from solved in a few million nodes.
fn hard_position() -> Board {
    after(4, "b1 d2 a2 e4")
}

#[test]
fn limits_and_cancellation_leave_the_value_unknown() {
    let board = hard_position();
    let gave_up = |solution: &Solution| solution.stopped.filter(|_| !solution.proven.is_solved());
    for (name, mut solver) in solvers() {
        let limits = Limits { nodes: 300_000, ..Limits::default() };
        let solution = solve(&mut *solver, &board, &limits);
        assert_eq!(gave_up(&solution), Some(Stop::Nodes), "{name}");
        assert!((300_000..400_000).contains(&solution.nodes), "{name}: {}", solution.nodes);
        assert_eq!(solution.best, None);

        let limits = Limits { cpu: Duration::ZERO, ..Limits::default() };
        assert_eq!(gave_up(&solve(&mut *solver, &board, &limits)), Some(Stop::Time), "{name}");

        let mut reports = Vec::new();
        let solution = solver.solve(&board, &Limits::default(), &mut |progress| {
            reports.push(*progress);
            if reports.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(gave_up(&solution), Some(Stop::Cancelled), "{name}");
        assert_eq!(reports.len(), 5, "{name}");
        assert!(reports.is_sorted_by_key(|progress| progress.nodes) && reports[0].nodes >= 100_000, "{name}");
        assert!(reports.iter().all(|progress| progress.depth > 0));
    }
}

#[test]
fn a_proof_at_the_limit_counts() {
    let board = after(4, "b1 d2 a2 e4 c3 e3 d5 c5 b2 f4");
    let one = ParallelProofNumberSearch::new(ProofNumberConfig::default(), NonZeroUsize::MIN);
    let parallel: (&str, Box<dyn Solver<Board>>) = ("one thread of several", Box::new(one));
    // Several threads do not repeat themselves.
    let solvers = solvers().into_iter().filter(|(name, _)| *name != "three threads");
    for (name, mut solver) in solvers.chain([parallel]) {
        let free = solve(&mut *solver, &board, &Limits::default());
        assert!(free.proven.is_solved() && free.nodes > 10, "{name}: {free:?}");
        let limits = Limits { nodes: free.nodes, ..Limits::default() };
        let limited = solve(&mut *solver, &board, &limits);
        assert_eq!(
            (limited.proven, limited.nodes, limited.stopped),
            (free.proven, free.nodes, None),
            "{name}"
        );
    }
}

#[test]
fn a_solver_of_one_thread_repeats_itself_node_for_node() {
    let size = BoardSize::new(3).expect("size");
    for (name, mut solver) in solvers().into_iter().filter(|(name, _)| *name != "three threads") {
        let [first, second] = [0; 2].map(|_| solve(&mut *solver, &Board::new(size), &Limits::default()));
        assert_eq!(
            (first.nodes, first.best, first.depth),
            (second.nodes, second.best, second.depth),
            "{name}"
        );
    }
}

#[test]
fn a_collection_of_the_tree_is_the_same_every_time() {
    let limits = Limits { nodes: 20_000_000, memory: 100_000, cpu: Duration::MAX };
    let [first, second] = [0; 2].map(|_| solve(&mut ProofNumberSearch::default(), &hard_position(), &limits));
    assert_eq!((first.nodes, first.depth, first.stopped), (second.nodes, second.depth, Some(Stop::Nodes)));
}

#[test]
fn a_panic_in_the_progress_function_reaches_the_caller() {
    let caught = std::panic::catch_unwind(|| {
        let mut solver = ParallelProofNumberSearch::new(
            ProofNumberConfig::default(),
            NonZeroUsize::new(3).expect("not 0"),
        );
        solver.solve(&hard_position(), &Limits::default(), &mut |_| panic!("seen"))
    });
    assert_eq!(caught.expect_err("panics").downcast_ref(), Some(&"seen"));
}
