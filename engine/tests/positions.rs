//! Positions whose outcome is known (`data/positions.toml`, with the source of each): what the board must say of
//! them, and what the search must prove about them.

use crate::slow::rules as slow;
use engine::havannah::{Board, BoardSize, Cell, Notation, Outcome, Params};
use engine::rng::Rng;
use engine::search::{Budget, Game, ProvenOutcome, Search, SearchResult, WinningMoves};
use engine::side::Side;
use rayon::prelude::*;
use serde::Deserialize;
use slow::{Both, Hexagon, SlowBoard};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    name: String,
    size: BoardSize,
    moves: String,
    to_move: Answer,
    outcome: Answer,
    winning_moves_seen: Vec<String>,
    #[serde(default)]
    also_winning: Vec<String>,
    status: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    White,
    Black,
    Draw,
    None,
}

impl Answer {
    fn side(self) -> Option<Side> {
        match self {
            Answer::White => Some(Side::White),
            Answer::Black => Some(Side::Black),
            Answer::Draw | Answer::None => None,
        }
    }
}

impl Position {
    fn cells(&self) -> Vec<Cell> {
        Notation::Gui
            .read_list(self.size, &self.moves)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn board(&self) -> Board {
        Board::after(self.size, &self.cells()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Recorded winning moves; there may be more.
    fn winning_moves(&self) -> Vec<Cell> {
        let names = self.winning_moves_seen.iter().chain(&self.also_winning);
        names.map(|name| Notation::Gui.read(self.size, name).expect(&self.name)).collect()
    }

    fn think(&self, preset: &str, sims: u64, seed: u64) -> SearchResult {
        let params = Params::preset(preset).expect("a preset");
        Search::new(self.board(), &params, seed).think(Budget::Sims(sims))
    }

    /// What a search that has proven the position says.
    fn claim(&self) -> ProvenOutcome {
        match self.outcome {
            Answer::White => ProvenOutcome::Win,
            Answer::Black => ProvenOutcome::Loss,
            Answer::Draw => ProvenOutcome::Draw,
            Answer::None => ProvenOutcome::Unknown,
        }
    }

    fn finished(&self) -> bool {
        self.to_move == Answer::None
    }
}

fn positions() -> Vec<Position> {
    #[derive(Deserialize)]
    struct File {
        position: Vec<Position>,
    }
    let file: File = toml::from_str(include_str!("data/positions.toml")).expect("positions.toml");
    assert_eq!(file.position.len(), 27);
    file.position
}

#[test]
fn positions_end_with_their_last_stone_as_recorded() {
    let mut finished = 0;
    for position in positions() {
        let hexagon = Hexagon::new(position.size);
        let mut game = Both::new(&hexagon);
        for cell in position.cells() {
            assert_eq!(game.slow.outcome, None, "{}: over before its last stone", position.name);
            game.winning_cells();
            game.play(cell.index());
        }
        let outcome = game.fast.outcome();
        assert_eq!(outcome.is_some(), position.finished(), "{}", position.name);
        match outcome {
            Some(outcome) => {
                assert_eq!(outcome.winner(), position.outcome.side(), "{}", position.name);
                finished += 1;
            }
            None => {
                assert_eq!(Some(game.fast.to_move()), position.to_move.side(), "{}", position.name);
                game.winning_cells();
            }
        }
    }
    assert_eq!(finished, 5);
}

#[test]
fn recorded_winning_moves_are_legal_and_immediate_wins_are_seen() {
    let mut immediate = 0;
    for position in positions().iter().filter(|position| !position.finished()) {
        let board = position.board();
        let recorded = position.winning_moves();
        let legal: Vec<Cell> = board.legal_moves().collect();
        assert!(recorded.iter().all(|cell| legal.contains(cell)), "{}", position.name);
        if !position.status.starts_with("immediate win") {
            continue;
        }
        immediate += 1;
        let [winning] = recorded[..] else { panic!("{}: one winning move", position.name) };
        let seen = board.winning_moves(board.to_move());
        assert_eq!(seen, WinningMoves::One(winning.index() as u16), "{}", position.name);
        let end = board.clone().play(winning).expect("legal").expect("over");
        assert_eq!(end.winner(), position.outcome.side(), "{}", position.name);
    }
    assert_eq!(immediate, 2);
}

#[test]
fn a_position_without_hope_is_drawn_however_it_goes_on() {
    let positions = positions();
    let dead = positions.iter().find(|p| p.name.contains("neither side can ever win")).expect("listed");
    let start = dead.board();
    // Neither side has a shape even with every empty cell its own.
    let hexagon = Hexagon::new(dead.size);
    for side in Side::BOTH {
        let mut filled = SlowBoard::new(&hexagon);
        filled.stones = dead.size.iter_cells().map(|cell| start.owner(cell).or(Some(side))).collect();
        assert!((0..filled.stones.len()).all(|cell| filled.shape_at(cell).is_none()));
    }
    let mut rng = Rng::new(1);
    for _ in 0..1000 {
        let mut end = start.clone();
        assert_eq!(end.rollout(&mut rng), None);
        assert_eq!(end.rollout_outcome(), Outcome::Draw);
        assert_eq!(end.rollout_plies(), 6);
    }
}

/// Name, preset and how many simulations must do: two to four times what the slowest of three seeds took.
const PROVEN: [(&str, &str, u64); 19] = [
    ("empty-3", "rave", 20_000),
    ("empty-3", "uct", 300_000),
    ("tst-win1 / thesis distance figure", "rave", 200_000),
    ("tst-win3", "rave", 1_500_000),
    ("tst-win4 / thesis Lorentz figure", "rave", 2_000_000),
    ("tst-loss2", "rave", 1_000_000),
    ("tst-bigwin1", "rave", 50_000),
    ("thesis VC-broken start", "rave", 60),
    ("thesis VC-broken start", "uct", 60),
    ("thesis VC-broken end", "uct", 1),
    ("thesis race (a), white to move", "rave", 150),
    ("thesis race (a), white to move", "uct", 150),
    ("thesis race (a), owner of the other frame to move (colours exchanged)", "uct", 150),
    ("thesis race (b)", "rave", 10_000),
    ("thesis race (b)", "uct", 100_000),
    ("thesis draw, neither side can ever win (31 stones placed; text says move 30)", "uct", 6_000),
    ("both sides one move from a bridge", "uct", 1),
    ("immediate win that castro's pns gets wrong", "rave", 1),
    ("nearwin (test/assign1)", "rave", 1),
];

#[test]
fn known_positions_are_proven_in_enough_simulations() {
    let positions = positions();
    PROVEN.par_iter().for_each(|&(name, preset, sims)| {
        let position = positions.iter().find(|position| position.name == name).expect(name);
        let seeds = if sims > 1_000_000 { 1 } else { 3 };
        for seed in 0..seeds {
            let thought = position.think(preset, sims, seed);
            assert_eq!(thought.claim, position.claim(), "{name}, {preset}, seed {seed}");
            let mover = position.to_move.side();
            let value = match position.outcome.side() {
                None => 0.5,
                winner if winner == mover => 1.0,
                _ => 0.0,
            };
            assert_eq!(thought.value, value, "{name}, {preset}, seed {seed}");
            let winning = position.winning_moves();
            if position.outcome.side() == mover {
                let slots: Vec<u16> = winning.iter().map(|cell| cell.index() as u16).collect();
                assert!(slots.contains(&thought.slot), "{name}, {preset}, seed {seed}: {}", thought.slot);
            }
        }
    });
}

#[test]
fn the_search_never_claims_what_is_not_so() {
    for position in positions().iter().filter(|position| !position.finished()) {
        for (preset, seed) in [("rave", 0), ("rave", 1), ("uct", 2), ("uct", 3)] {
            for sims in [1, 30, 1_000, 20_000] {
                let thought = position.think(preset, sims, seed);
                if thought.claim == ProvenOutcome::Unknown {
                    assert_eq!(thought.sims, sims, "{}: gave up early", position.name);
                } else {
                    assert_eq!(thought.claim, position.claim(), "{}, {preset}", position.name);
                }
            }
        }
    }
}

/// Size 4, `moves` played; what one simulation makes of it.
fn one_simulation(moves: &str, seed: u64) -> (String, ProvenOutcome, u64) {
    let size = BoardSize::new(4).expect("a size");
    let board = Board::after(size, &Notation::Gui.read_list(size, moves).expect("cells")).expect("legal");
    let thought = Search::new(board, &Params::preset("uct").expect("a preset"), seed).think(Budget::Sims(1));
    let cell = size.iter_cells().nth(usize::from(thought.slot)).expect("on the board");
    (Notation::Gui.write(size, cell), thought.claim, thought.sims)
}

#[test]
fn lookahead_sees_wins_forced_replies_and_double_threats() {
    for seed in 0..8 {
        // An own win goes before everything, also when the opponent is one move from winning too.
        assert_eq!(one_simulation("a1 g4 a2 g5 a3 g6 c3", seed), ("g7".into(), ProvenOutcome::Loss, 1));
        assert_eq!(one_simulation("a1 g4 a2 g5 a3 g6", seed), ("a4".into(), ProvenOutcome::Win, 1));
        // One threat leaves its reply.
        assert_eq!(one_simulation("a1 g4 a2 g5 a3", seed), ("a4".into(), ProvenOutcome::Unknown, 1));
        // Two of them lose, and one is blocked all the same.
        let (reply, claim, sims) = one_simulation("a1 c4 a2 d4 a3 e4 b1 d5 c1", seed);
        assert!(["a4", "d1"].contains(&reply.as_str()), "{reply}");
        assert_eq!((claim, sims), (ProvenOutcome::Win, 1));
    }
}

#[test]
fn a_side_could_win_while_all_empty_cells_give_it_a_shape() {
    // How many of the two sides could not win any more.
    let check = |hexagon: &Hexagon, board: &Board| {
        let mut dead = 0;
        for side in Side::BOTH {
            let mut filled = SlowBoard::new(hexagon);
            filled.stones = board.size().iter_cells().map(|cell| board.owner(cell).or(Some(side))).collect();
            let has_shape =
                |cell: usize| filled.stones[cell] == Some(side) && filled.shape_at(cell).is_some();
            let expected = (0..filled.stones.len()).any(has_shape);
            assert_eq!(board.could_win(side), expected);
            dead += usize::from(!expected);
        }
        dead
    };
    let mut dead = 0;
    for position in positions() {
        let (hexagon, mut board) = (Hexagon::new(position.size), Board::new(position.size));
        for cell in position.cells() {
            dead += check(&hexagon, &board);
            board.play(cell).expect("legal");
        }
    }
    assert!(dead > 20, "{dead} dead sides seen");
    let mut rng = Rng::new(2);
    for size in [3, 4, 5].map(|n| BoardSize::new(n).expect("size")) {
        let hexagon = Hexagon::new(size);
        for _ in 0..40 {
            let mut board = Board::new(size);
            loop {
                check(&hexagon, &board);
                // Nobody wins while a move is left that does not, so that boards fill up.
                let quiet: Vec<Cell> =
                    board.legal_moves().filter(|&cell| board.clone().play(cell) == Ok(None)).collect();
                let Some(&cell) = quiet.get(rng.below(quiet.len().max(1) as u32) as usize) else { break };
                board.play(cell).expect("legal");
            }
        }
    }
}
