//! Heuristics: what a game knows about moves before they are tried, and how it plays them out.
//!
//! How playouts choose their moves and which rings count in them is in `playouts`, with one file for each policy.
//!
//! Knowledge is a number of points for every open cell, computed once when a node is expanded. Each heuristic is one
//! file with one function, one line of `KNOWLEDGE` and one weight in the table of parameters, in hundredths of a win
//! a point. The weighted sum, if above zero, is added to a child's value, divided by the square root of its
//! playouts, up to a thousand of them.

mod connectivity;
mod distance;
mod group_size;
mod local_reply;
mod locality;
mod maintain_vc;
mod mate_in_one;
mod playouts;
mod replies;
mod ring_rules;
mod vc_replies;

use crate::game::{Game, MAX_SLOTS, Winner};
use crate::havannah::{Board, Cell};
use crate::params::{DistanceCompat, KnowledgeCompat, Params};
use crate::rng::Rng;
use crate::side::Side;
use playouts::Playouts;

/// One value for each slot.
pub type BySlot = [f32; MAX_SLOTS];

/// What a search asks of a game's heuristics.
pub trait Policy<G: Game> {
    /// The heuristics that `params` switch on.
    fn new(params: &Params) -> Self;

    /// Whether [`Policy::knowledge`] ever says anything.
    fn has_knowledge(&self) -> bool;

    /// Writes what knowledge adds to the value of each open slot of `position`; other slots may hold anything. `last`
    /// is the move that led to it, if known.
    fn knowledge(&mut self, position: &G, last: Option<u16>, values: &mut BySlot);

    /// A search begins: what playouts taught before is forgotten.
    fn begin_search(&mut self) {}

    /// Plays `position`, not over yet, to the end and returns who won; see [`Game::rollout`] for what is left of it.
    /// `last` is the move that led to it, if known, and `tree_plies` its plies below the root of the search. May panic
    /// when the game is over or nobody made that move.
    fn rollout(&mut self, position: &mut G, last: Option<u16>, tree_plies: usize, rng: &mut Rng) -> Winner {
        let _ = (last, tree_plies);
        position.rollout(rng)
    }

    /// Whether [`Policy::learn`] wants to be told of playouts.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a playout that `winner` won: all its moves from the root of the search on.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        let _ = (line, winner);
    }

    /// For each open slot the moves that whichever side is nearer still needs to win through it, if there is an
    /// estimate; other slots may hold anything. Proof-number searches can begin with it.
    fn distances(position: &G) -> Option<[u32; MAX_SLOTS]> {
        let _ = position;
        None
    }
}

/// No heuristics: all moves are alike until they are tried.
#[derive(Debug, Clone, Copy)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    fn new(_: &Params) -> Self {
        Self
    }
    fn has_knowledge(&self) -> bool {
        false
    }
    fn knowledge(&mut self, _: &G, _: Option<u16>, _: &mut BySlot) {}
}

/// What a heuristic looks at.
pub(crate) struct Scene<'a> {
    pub(crate) board: &'a Board,
    /// Whose move is being judged.
    pub(crate) mover: Side,
    /// The opponent's last move, if known.
    pub(crate) last: Option<Cell>,
    pub(crate) compat: KnowledgeCompat,
    pub(crate) distance_compat: DistanceCompat,
}

impl Scene<'_> {
    /// The cells of `near` that are on the board.
    fn cells(near: &[u16; 6]) -> impl Iterator<Item = Cell> + '_ {
        near.iter().filter(|&&cell| cell != crate::havannah::OFF_BOARD).map(|&cell| Cell(cell))
    }

    /// The neighbours of a cell with a stone of the mover.
    fn own_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let near = &self.board.near(cell).adjacent;
        let own = self.board.around(cell, self.mover);
        (0..6).filter(move |direction| own >> direction & 1 == 1).map(|direction| Cell(near[direction]))
    }

    fn is_own(&self, cell: Cell) -> bool {
        self.board.owner(cell) == Some(self.mover)
    }
}

/// Writes the points of every empty cell.
type Points = fn(&Scene<'_>, &mut BySlot);
/// The weight of a heuristic.
type Weight = fn(&Params) -> f64;

/// Every knowledge heuristic, by the name of its weight.
const KNOWLEDGE: &[(&str, Weight, Points)] = &[
    ("maintain_vc", |params| params.maintain_vc, maintain_vc::points),
    ("locality", |params| params.locality, locality::own),
    ("locality_any", |params| params.locality_any, locality::any),
    ("local_reply", |params| params.local_reply, local_reply::points),
    ("connectivity", |params| params.connectivity, connectivity::points),
    ("group_size", |params| params.group_size, group_size::points),
    ("distance", |params| params.distance, distance::own),
    ("distance_both", |params| params.distance_both, distance::both),
];

/// A point is worth so much of a win for each unit of weight.
const WIN_PER_POINT: f32 = 0.01;

/// Havannah's heuristics.
pub struct Heuristics {
    /// Those switched on.
    knowledge: Vec<(f32, Points)>,
    compat: KnowledgeCompat,
    distance_compat: DistanceCompat,
    /// How playouts are played, unless uniformly by the plain rules.
    playouts: Option<Box<Playouts>>,
}

impl Policy<Board> for Heuristics {
    fn new(params: &Params) -> Self {
        let knowledge = KNOWLEDGE
            .iter()
            .map(|(_, weight, points)| (weight(params) as f32, *points))
            .filter(|(weight, _)| *weight != 0.0)
            .collect();
        let playouts = Playouts::new(params).map(Box::new);
        Self { knowledge, compat: params.knowledge_compat, distance_compat: params.distance_compat, playouts }
    }

    fn has_knowledge(&self) -> bool {
        !self.knowledge.is_empty()
    }

    fn knowledge(&mut self, board: &Board, last: Option<u16>, values: &mut BySlot) {
        let scene = Scene {
            board,
            mover: board.to_move(),
            last: last.map(Cell),
            compat: self.compat,
            distance_compat: self.distance_compat,
        };
        let mut points = [0.0; MAX_SLOTS];
        values.fill(0.0);
        for (weight, write_points) in &self.knowledge {
            write_points(&scene, &mut points);
            for cell in board.empty_cells() {
                values[cell.index()] += weight * WIN_PER_POINT * points[cell.index()];
            }
        }
        values.iter_mut().for_each(|value| *value = value.max(0.0));
    }

    fn distances(board: &Board) -> Option<[u32; MAX_SLOTS]> {
        let [white, black] = Side::BOTH.map(|side| board.stones_needed(side));
        let mut distances = [0; MAX_SLOTS];
        for (distance, (&white, black)) in distances.iter_mut().zip(white.iter().zip(black)) {
            *distance = u32::from(white.min(black));
        }
        Some(distances)
    }

    fn begin_search(&mut self) {
        if let Some(playouts) = &mut self.playouts {
            playouts.begin_search();
        }
    }

    #[inline]
    fn rollout(&mut self, board: &mut Board, last: Option<u16>, tree_plies: usize, rng: &mut Rng) -> Winner {
        match &mut self.playouts {
            None => board.rollout(rng),
            Some(playouts) => playouts.play(board, last.map(Cell), tree_plies, rng),
        }
    }

    fn learns(&self) -> bool {
        self.playouts.as_ref().is_some_and(|playouts| playouts.learns())
    }

    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        if let Some(playouts) = &mut self.playouts {
            playouts.learn(line, winner);
        }
    }
}

/// What the knowledge of `params` adds to the value of each move of `board` without playouts, in the order of cells; 0
/// for cells with a stone. `last` is the move that led to the position.
#[must_use]
pub fn knowledge(board: &Board, params: &Params, last: Option<Cell>) -> Vec<f32> {
    let mut values = [0.0; MAX_SLOTS];
    Heuristics::new(params).knowledge(board, last.map(|cell| cell.0), &mut values);
    values[..board.size().cells()].to_vec()
}

/// The points of each heuristic by its name, whatever its weight, for each move of `board` in the order of cells; those of
/// cells with a stone mean nothing. Arguments as for [`knowledge`].
#[must_use]
pub fn knowledge_points(board: &Board, params: &Params, last: Option<Cell>) -> Vec<(&'static str, Vec<f32>)> {
    let Params { knowledge_compat: compat, distance_compat, .. } = *params;
    let scene = Scene { board, mover: board.to_move(), last, compat, distance_compat };
    let by_cell = |write: Points| {
        let mut points = [0.0; MAX_SLOTS];
        write(&scene, &mut points);
        points[..board.size().cells()].to_vec()
    };
    KNOWLEDGE.iter().map(|(name, _, points)| (*name, by_cell(*points))).collect()
}
