//! Knowledge against golden values of the published program: points of every legal move of fourteen positions
//! (`data/golden_knowledge.json`, made with Castro at revision 843165a).

use engine::havannah::{Board, BoardSize, Notation, Params, knowledge};
use engine::params::ParamValue;
use serde_json::Value;

/// Points of every move of a position under `weights`, as the table of parameters names them.
fn points(
    board: &Board,
    last: Option<engine::havannah::Cell>,
    weights: &[(&str, f64)],
    compat: &str,
) -> Vec<f64> {
    let mut params = Params::default();
    for (name, weight) in weights {
        params.set(name, &ParamValue::Number(*weight)).expect(name);
    }
    for name in ["knowledge_compat", "distance_compat"] {
        params.set(name, &ParamValue::Word(compat.into())).expect("compat");
    }
    knowledge(board, &params, last).into_iter().map(|value| f64::from(value) * 100.0).collect()
}

/// Calls `check` with every position and what the published program says of its moves under `setting`.
fn golden(
    setting: &str,
    mut check: impl FnMut(&Board, Option<engine::havannah::Cell>, &[(usize, f64)], &str),
) {
    let golden: Value = serde_json::from_str(include_str!("data/golden_knowledge.json")).expect("JSON");
    for position in golden.as_array().expect("a list") {
        let size = BoardSize::new(position["size"].as_u64().expect("a size") as u8).expect("a size");
        let moves = Notation::Gui.read_list(size, position["moves"].as_str().expect("moves")).expect("cells");
        let board = Board::after(size, &moves).expect("legal");
        let expected: Vec<(usize, f64)> = position["know"][setting]
            .as_object()
            .expect("values by move")
            .iter()
            .map(|(name, value)| {
                (Notation::Gui.read(size, name).expect("a cell").index(), value.as_f64().expect("a number"))
            })
            .collect();
        assert!(!expected.is_empty());
        check(&board, moves.last().copied(), &expected, position["moves"].as_str().expect("moves"));
    }
}

#[test]
fn points_are_those_of_the_published_program() {
    for (setting, name) in [
        ("bridge1", "maintain_vc"),
        ("locality1", "locality"),
        ("localreply1", "local_reply"),
        ("connect1", "connectivity"),
        ("size1", "group_size"),
        ("dist1", "distance"),
    ] {
        golden(setting, |board, last, expected, position| {
            let ours = points(board, last, &[(name, 1.0)], "published");
            for &(cell, expected) in expected {
                assert!(
                    (ours[cell] - expected).abs() < 1e-4,
                    "{name} after {position}: cell {cell}: {} is not {expected}",
                    ours[cell]
                );
            }
        });
    }
}

/// The published program follows ways for n stones only and finds longer ones, or none, to some cells.
#[test]
fn distances_are_at_most_those_of_the_published_program() {
    let (mut all, mut different) = (0, 0);
    golden("dist1", |board, last, expected, position| {
        let ours = points(board, last, &[("distance", 1.0)], "off");
        for &(cell, expected) in expected {
            assert!(
                ours[cell] > expected - 1e-4,
                "after {position}: cell {cell}: {} is below {expected}",
                ours[cell]
            );
            different += usize::from((ours[cell] - expected).abs() > 1e-4);
            all += 1;
        }
    });
    assert!(different > 0 && different * 50 <= all, "{different} of {all} moves differ");
}

#[test]
fn the_published_program_overlooks_ways_of_more_than_n_stones() {
    // Some of the ways that Black needs through a1, a2 and a4 are longer than five stones.
    let (position, last) = board(5, "b2 e5 b4 e3 c1 h8 a3");
    let at = |name| Notation::Gui.read(position.size(), name).expect("a cell").index();
    let cells = ["a1", "a2", "a4"].map(at);
    let of = |compat| points(&position, last, &[("distance", 1.0)], compat);
    let (described, published) = (of("off"), of("published"));
    assert_eq!(cells.map(|cell| described[cell].round()), [3.0, 2.0, 2.0]);
    assert_eq!(cells.map(|cell| published[cell]), [0.0; 3]);
    let others = (0..described.len()).filter(|cell| !cells.contains(cell));
    others.for_each(|cell| assert_eq!(described[cell], published[cell], "cell {cell}"));
}

#[test]
fn weights_add_up_and_negative_sums_count_as_nothing() {
    let weights = [
        ("maintain_vc", 100.0),
        ("connectivity", 20.0),
        ("locality", 3.0),
        ("local_reply", 5.0),
        ("distance", 2.0),
        ("group_size", 2.0),
    ];
    golden("thesis_combo", |board, last, expected, position| {
        let ours = points(board, last, &weights, "published");
        for &(cell, expected) in expected {
            assert!((ours[cell] - expected).abs() < 1e-3, "after {position}: cell {cell}: {}", ours[cell]);
        }
    });
    golden("connect1", |board, last, _, _| {
        let ours = points(board, last, &[("connectivity", -3.0)], "off");
        assert!(ours.iter().all(|&value| value == 0.0));
    });
}

fn board(size: u8, moves: &str) -> (Board, Option<engine::havannah::Cell>) {
    let size = BoardSize::new(size).expect("a size");
    let moves = Notation::Gui.read_list(size, moves).expect("cells");
    (Board::after(size, &moves).expect("legal"), moves.last().copied())
}

/// Names of the cells whose points equal `value`, in the order of cells.
fn cells_with(board: &Board, points: &[f64], value: f64) -> String {
    let size = board.size();
    let cells: Vec<_> = size
        .iter_cells()
        .filter(|c| board.owner(*c).is_none() && (points[c.index()] - value).abs() < 1e-4)
        .collect();
    Notation::Gui.write_list(size, &cells)
}

#[test]
fn locality_counts_the_nearest_relation_only() {
    // A lone white stone on b2 (figure of the thesis), White to move again after Black's far away g7.
    let (lone, last) = board(4, "b2 g7");
    let ours = points(&lone, last, &[("locality", 1.0)], "off");
    assert_eq!(cells_with(&lone, &ours, 3.0), "a1 a2 b1 b3 c2 c3");
    assert_eq!(cells_with(&lone, &ours, 2.0), "a3 c1 c4 d3");
    assert_eq!(cells_with(&lone, &ours, 1.0), "b4 d2 d4");
    let any = points(&lone, last, &[("locality_any", 1.0)], "off");
    assert_eq!(cells_with(&lone, &any, 3.0), "a1 a2 b1 b3 c2 c3 f6 f7 g6");
}

#[test]
fn local_reply_falls_with_the_distance_from_the_last_move() {
    let (position, last) = board(4, "b2");
    let ours = points(&position, last, &[("local_reply", 1.0)], "off");
    assert_eq!(cells_with(&position, &ours, 3.0), "a1 a2 b1 b3 c2 c3");
    assert_eq!(cells_with(&position, &ours, 2.0), "a3 b4 c1 c4 d2 d3 d4");
    let unknown = points(&position, None, &[("local_reply", 1.0), ("maintain_vc", 1.0)], "off");
    assert!(unknown.iter().all(|&value| value == 0.0));
}

#[test]
fn an_intrusion_into_a_virtual_connection_names_the_other_cell() {
    // White on c3 and d5 form a two-bridge over c4 and d4; Black intrudes at d4.
    let (position, last) = board(5, "c3 i9 d5 d4");
    let ours = points(&position, last, &[("maintain_vc", 1.0)], "off");
    assert_eq!(cells_with(&position, &ours, 1.0), "c4");
}

#[test]
fn group_size_counts_each_joined_group_once() {
    // White's groups a1 a2 and c2 are joined by b2, which touches a1 and a2 both.
    let (position, last) = board(4, "a1 g4 a2 g6 c2 g7");
    let ours = points(&position, last, &[("group_size", 1.0)], "off");
    let b2 = Notation::Gui.read(position.size(), "b2").expect("a cell");
    assert!((ours[b2.index()] - 3.0).abs() < 1e-4);
    let f5 = Notation::Gui.read(position.size(), "f5").expect("a cell");
    assert_eq!(ours[f5.index()], 0.0);
}
