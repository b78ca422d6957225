//! Positions whose outcome is known (`data/positions.toml`, with the source of each): what the board must say of
//! them.

#[allow(dead_code, reason = "every test file takes the part it needs")]
#[path = "slow/rules.rs"]
mod slow;

use engine::game::{Game, WinningMoves};
use engine::havannah::{Board, BoardSize, Cell, Notation};
use engine::rng::Rng;
use engine::side::{Outcome, Side};
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
fn finished_positions_ended_with_their_last_stone_as_recorded_and_the_others_go_on() {
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
        let recorded: Vec<Cell> = position
            .winning_moves_seen
            .iter()
            .map(|name| Notation::Gui.read(position.size, name).expect(&position.name))
            .collect();
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
fn a_position_nobody_can_win_any_more_is_drawn_however_it_goes_on() {
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
