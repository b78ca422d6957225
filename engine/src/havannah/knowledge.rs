//! Knowledge: estimates of how good moves are before any playout.
//!
//! A heuristic gives every empty cell points, once, when a node is expanded. The points are multiplied by the weight of
//! the heuristic, in hundredths of a win, and summed over all heuristics. The search adds the sum, if above zero, to
//! the value of a child. This bonus decays with the child's playouts.
//!
//! A heuristic consists of one file with one function, one row of `knowledge!`, and one weight of the same name in the
//! table of parameters.

mod connectivity;
mod distance;
mod group_size;
mod local_reply;
mod locality;
mod maintain_vc;
mod scene;

use super::board::Board;
use super::cell::Cell;
use super::params::{HeuristicParams, Params};
use crate::search::{BySlot, MAX_SLOTS};
use scene::Scene;

/// Writes the points of every empty cell.
type Points = fn(&Scene<'_>, &mut BySlot);
/// Reads the weight of a heuristic.
type Weight = fn(&HeuristicParams) -> f64;

/// Declares the heuristics, each by the name of its weight and its function.
macro_rules! knowledge {
    ($($name:ident: $points:path;)+) => {
        /// Every heuristic: the name of its weight, the weight, and the function.
        const KNOWLEDGE: &[(&str, Weight, Points)] = &[$((stringify!($name), |params| params.$name, $points)),+];
    };
}

knowledge! {
    maintain_vc: maintain_vc::points;
    locality: locality::own;
    locality_any: locality::any;
    local_reply: local_reply::points;
    connectivity: connectivity::points;
    group_size: group_size::points;
    distance: distance::own;
    distance_both: distance::both;
}

/// The value, in wins, of one point with weight 1.
const WIN_PER_POINT: f32 = 0.01;

/// The names of all weights.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KNOWLEDGE.iter().map(|(name, ..)| *name)
}

/// Whether any heuristic is switched on.
pub(super) fn is_on(params: &HeuristicParams) -> bool {
    !Knowledge::new(params).is_empty()
}

/// The heuristics that a player has switched on, with their weights.
pub(super) struct Knowledge {
    heuristics: Vec<(f32, Points)>,
    params: HeuristicParams,
}

impl Knowledge {
    pub(super) fn new(params: &HeuristicParams) -> Self {
        let weighted = KNOWLEDGE.iter().map(|(_, weight, points)| (weight(params) as f32, *points));
        Self { heuristics: weighted.filter(|(weight, _)| *weight != 0.0).collect(), params: params.clone() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.heuristics.is_empty()
    }

    /// Writes what knowledge adds to the value of a move to each empty cell. It is never negative.
    pub(super) fn write(&self, board: &Board, last: Option<Cell>, values: &mut BySlot) {
        let scene = Scene::new(board, last, &self.params);
        let mut points = [0.0; MAX_SLOTS];
        values.fill(0.0);
        for (weight, write_points) in &self.heuristics {
            write_points(&scene, &mut points);
            for cell in board.empty_cells() {
                values[cell.index()] += weight * WIN_PER_POINT * points[cell.index()];
            }
        }
        values.iter_mut().for_each(|value| *value = value.max(0.0));
    }
}

/// What the knowledge of `params` adds to the value of each move on `board` before any playout, in the order of cells.
/// Cells with a stone have 0. `last` is the move that led to the position.
#[must_use]
pub fn knowledge(board: &Board, params: &Params, last: Option<Cell>) -> Vec<f32> {
    let mut values = [0.0; MAX_SLOTS];
    Knowledge::new(&params.heuristics).write(board, last, &mut values);
    values[..board.size().cells()].to_vec()
}

/// The points of each heuristic, with its name, for each move on `board`, in the order of cells. The weights have no
/// influence. Points of cells with a stone are meaningless. The arguments are those of [`knowledge`].
#[must_use]
pub fn knowledge_points(board: &Board, params: &Params, last: Option<Cell>) -> Vec<(&'static str, Vec<f32>)> {
    let scene = Scene::new(board, last, &params.heuristics);
    let by_cell = |write: Points| {
        let mut points = [0.0; MAX_SLOTS];
        write(&scene, &mut points);
        points[..board.size().cells()].to_vec()
    };
    KNOWLEDGE.iter().map(|(name, _, points)| (*name, by_cell(*points))).collect()
}
