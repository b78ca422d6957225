//! The stones of winning shapes, judged by the rules written a second time (`slow/rules.rs`).

use crate::slow::rules as slow;
use engine::havannah::{Board, BoardSize, Cell, Notation, Outcome, WinKind};
use engine::rng::Rng;
use engine::side::Side;
use slow::{Hexagon, SlowBoard, pick};
use std::collections::BTreeMap;

fn names(size: BoardSize, cells: &[Cell]) -> String {
    Notation::Gui.write_list(size, cells)
}

/// Plays a game and gives its structure.
fn structure(size: u8, moves: &str) -> String {
    let size = BoardSize::new(size).expect("a size");
    let moves = Notation::Gui.read_list(size, moves).expect("cells");
    names(size, &Board::after(size, &moves).expect("a legal game").winning_structure())
}

/// Whether these stones of one side, alone on the board, have this shape.
fn has_shape(hexagon: &Hexagon, stones: &[usize], kind: WinKind) -> bool {
    let mut alone = SlowBoard::new(hexagon);
    stones.iter().for_each(|&cell| alone.stones[cell] = Some(Side::White));
    stones.iter().any(|&cell| alone.shape_at(cell) == Some(kind))
}

#[test]
fn known_shapes() {
    assert_eq!(structure(4, "a1 g4 a2 g5 a3 g6 a4"), "a1 a2 a3 a4", "a bridge along a side");

    assert_eq!(structure(4, "c3 a1 c4 a2 d5 a3 e5 g4 e4 g5 d3"), "c3 c4 d3 d5 e4 e5", "the smallest ring");
    assert_eq!(
        structure(4, "d2 a1 d3 a2 d4 a3 c5 g4 b5 g5 d1 g6 e5 b4 e6 b3 f7 b2 d6"),
        "",
        "on the way to a fork"
    );
}

#[test]
fn nothing_before_the_end_and_nothing_in_a_draw() {
    let size = BoardSize::new(4).expect("a size");
    assert!(Board::new(size).winning_structure().is_empty());
    let drawn = "d1 a1 g4 e3 g7 f5 a4 d7 c4 f6 f7 e6 e7 d6 c2 e2 c3 c1 e4 f4 d2 b4 c5 b5 c6 b1 a2 a3 d4 g6 b2 d3 b3 f3 d5 e5 g5";
    assert_eq!(structure(4, drawn), "");
}

#[test]
fn a_structure_is_a_smallest_shape_through_the_last_stone() {
    let mut found = BTreeMap::new();
    let mut rng = Rng::new(7);
    for hexagon in Hexagon::all() {
        for _ in 0..150 {
            let mut board = Board::new(hexagon.size);
            let mut moves = Vec::new();
            while board.outcome().is_none() {
                let legal: Vec<Cell> = board.legal_moves().collect();
                let cell = pick(&mut rng, &legal);
                board.play(cell).expect("legal");
                moves.push(cell);
            }
            let structure = board.winning_structure();
            let Some(Outcome::Win { winner, kind }) = board.outcome() else {
                assert!(structure.is_empty());
                continue;
            };
            let told = || {
                format!(
                    "size {}: {} in {}",
                    hexagon.size,
                    names(hexagon.size, &structure),
                    names(hexagon.size, &moves)
                )
            };
            assert!(structure.iter().all(|&cell| board.owner(cell) == Some(winner)), "{}", told());
            assert!(structure.contains(moves.last().expect("a move")), "{}", told());
            let stones: Vec<usize> = structure.iter().map(|cell| cell.index()).collect();
            assert!(has_shape(&hexagon, &stones, kind), "{kind}: {}", told());
            for left_out in 0..stones.len() {
                let mut fewer = stones.clone();
                fewer.remove(left_out);
                assert!(!has_shape(&hexagon, &fewer, kind), "one stone too many: {}", told());
            }
            *found.entry(kind.to_string()).or_insert(0) += 1;
        }
    }
    assert!(
        ["fork", "bridge", "ring"].iter().all(|kind| found.get(*kind).is_some_and(|n| *n > 20)),
        "{found:?}"
    );
}

/// A ring whose inside is full of the same side's stones has no stone to spare either.
#[test]
fn a_ring_around_own_stones() {
    // White fills a1's neighbourhood around c3 with c3 first.
    let moves = "c3 a1 b2 a2 b3 a3 c2 g4 c4 g5 d3 g6 d4";
    assert_eq!(structure(4, moves), "b2 b3 c2 c4 d3 d4");
}
