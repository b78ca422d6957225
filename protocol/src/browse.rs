//! Stored games as people look at them: lists that a search found, one game on its board, and sums by move number.

use crate::games::GameStatus;
use crate::ids::{CellId, ExperimentId, GameId, LeaseId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::result::Speed;
use engine::havannah::{BoardSize, WinKind};
use engine::search::ProvenOutcome;
use engine::side::Side;
use serde::{Deserialize, Serialize};

/// How a game ended for the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CaseResult {
    /// The case won.
    Win,
    /// The game was drawn.
    Draw,
    /// The baseline won.
    Loss,
}

/// The order of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameOrder {
    /// By the time of arrival, the latest first.
    #[default]
    Newest,
    /// By the time of arrival, the earliest first.
    Oldest,
    /// By the number of moves, the most first.
    Longest,
    /// By the number of moves, the fewest first.
    Shortest,
    /// Games lost against expectation alone: by the highest result that the loser expected, the highest first.
    Surprising,
}

/// Which games are wanted: the query of `GET /api/v1/games`. What is absent restricts nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GameSearch {
    /// Games of the cells of this experiment, by name or id.
    pub experiment: Option<String>,
    /// Games of these cells: ids or their first digits, separated by commas.
    pub cell: Option<String>,
    /// Words that group and label of the case have.
    pub case: Option<String>,
    /// Words that the label of the baseline has.
    pub baseline: Option<String>,
    /// Board sizes, such as `6`, `5-7` or `4,6-8`.
    pub size: Option<String>,
    /// The budget of a move, such as `100 sims` or `0.5 s`.
    pub budget: Option<String>,
    /// The machines with this name, or the machine with this id.
    pub worker: Option<String>,
    /// How the game ended for the case.
    pub result: Option<CaseResult>,
    /// The winning shape.
    #[cfg_attr(test, schemars(with = "Option<crate::tests::Shape>"))]
    pub kind: Option<WinKind>,
    /// The side that the case played.
    #[cfg_attr(test, schemars(with = "Option<crate::tests::Colour>"))]
    pub side: Option<Side>,
    /// Whether the play counts.
    pub status: Option<GameStatus>,
    /// Moves at least, with those of the opening.
    #[serde(deserialize_with = "crate::query::maybe_whole::<_, _, 0, 1000>")]
    pub min_plies: Option<u32>,
    /// Moves at most.
    #[serde(deserialize_with = "crate::query::maybe_whole::<_, _, 0, 1000>")]
    pub max_plies: Option<u32>,
    /// Lost against expectation: the loser once expected at least so many per cent. Expectations below 70 % are not kept.
    #[serde(deserialize_with = "crate::query::maybe_whole::<_, _, 0, 100>")]
    pub min_expected: Option<u32>,
    /// Arrived at this time or later, in milliseconds since 1970.
    #[serde(deserialize_with = "crate::query::maybe_time")]
    pub since_ms: Option<i64>,
    /// Arrived before this time.
    #[serde(deserialize_with = "crate::query::maybe_time")]
    pub until_ms: Option<i64>,
    /// The first moves of the opening, in GUI notation, separated by spaces.
    pub opening: Option<String>,
    /// The order.
    pub sort: GameOrder,
    /// A place that an earlier page named.
    pub after: Option<String>,
    /// Games on a page at most, 1 to 1000; 100 if absent.
    #[serde(
        deserialize_with = "crate::query::maybe_whole::<_, _, 1, { crate::query::LARGEST_PAGE as i64 }>"
    )]
    pub limit: Option<u32>,
}

/// An experiment that plans the cell of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlannedBy {
    /// Its id.
    pub id: ExperimentId,
    /// Its name.
    pub name: String,
}

/// A stored play in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoundGame {
    /// The game's id, the same for all plays of the game.
    pub id: GameId,
    /// The lease of this play, which identifies the play.
    pub lease: LeaseId,
    /// The game's cell.
    pub cell: CellId,
    /// The number of the pair within the cell.
    pub pair: u32,
    /// The experiments that plan the cell, the active ones first.
    pub experiments: Vec<PlannedBy>,
    /// The case's group and label, as the first of the experiments names them.
    pub case: String,
    /// The baseline's label.
    pub baseline: String,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// The side the case played.
    #[cfg_attr(test, schemars(with = "crate::tests::Colour"))]
    pub case_side: Side,
    /// How the game ended for the case.
    pub result: CaseResult,
    /// The winning shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<crate::tests::Shape>"))]
    pub kind: Option<WinKind>,
    /// The number of moves, with those of the opening.
    pub plies: u32,
    /// The highest result, from 0 to 1, that the loser expected at one of its moves; absent below 0.7 and for games without a loser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loser_expected: Option<f64>,
    /// Whether the play counts.
    pub status: GameStatus,
    /// Why the play was excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The worker that played it.
    pub worker: WorkerId,
    /// The worker's name.
    pub worker_name: String,
    /// When the play was stored, in milliseconds since 1970.
    pub received_ms: i64,
}

/// A page of a search: `GET /api/v1/games`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FoundGames {
    /// The plays, in the order of the search.
    pub games: Vec<FoundGame>,
    /// The value of `after` for the next page; absent when there are no more. A page may have fewer games than its limit,
    /// even none, and yet a next one: a search ends after a while, wherever it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The plays that were looked at for this page.
    pub looked_at: u64,
}

/// A parameter in which the players of a game differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferingParameter {
    /// Its name.
    pub name: String,
    /// The case's value.
    pub case: String,
    /// The baseline's value.
    pub baseline: String,
}

/// A player's move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViewedMove {
    /// The cell in GUI notation.
    pub cell: String,
    /// The mean result that the mover expects, 0 to 1.
    pub value: f32,
    /// The mean result that the mover's search gives the case, 0 to 1.
    pub case_value: f32,
    /// What the mover's search proved about the position after the move.
    #[cfg_attr(test, schemars(with = "String"))]
    pub claim: ProvenOutcome,
    /// Simulations made for the move.
    pub sims: u64,
    /// Nodes in the mover's tree after the search.
    pub nodes: u64,
    /// CPU microseconds of the search.
    pub cpu_us: u64,
}

/// Another play of the same game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OtherPlay {
    /// Its lease.
    pub lease: LeaseId,
    /// Whether it counts.
    pub status: GameStatus,
    /// The worker's name.
    pub worker_name: String,
}

/// A stored play for people who look at it: `GET /api/v1/games/{id}/view`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameView {
    /// What a list says of it.
    pub game: FoundGame,
    /// The opening: cells in GUI notation, in order, White first.
    pub opening: Vec<String>,
    /// The players' moves after the opening; absent when they were deleted to make room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<ViewedMove>>,
    /// The fewest stones that form the winning shape, in GUI notation.
    pub winning: Vec<String>,
    /// The parameters in which the players differ.
    pub parameters: Vec<DifferingParameter>,
    /// The case's differences from the engine's defaults.
    pub case_params: ParamSet,
    /// The baseline's differences from the engine's defaults.
    pub baseline_params: ParamSet,
    /// `engine::SEMANTICS` of the engine that played it.
    pub semantics: u32,
    /// Whether this build plays the game bit for bit alike.
    pub is_repeatable: bool,
    /// The machine's speed on this board when the game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    /// Wall-clock milliseconds from first move to last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// Other plays of the same game.
    pub other_plays: Vec<OtherPlay>,
}

/// A mean and the interval that has the true mean 95 times in 100.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeanInterval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The moves of one player with the same number in their games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MovesOf {
    /// The number of moves.
    pub moves: u64,
    /// Simulations of a move.
    pub sims: MeanInterval,
    /// Nodes in the tree after a move.
    pub nodes: MeanInterval,
    /// CPU seconds of a move.
    pub seconds: MeanInterval,
    /// The result that the mover expected, 0 to 1.
    pub value: MeanInterval,
    /// The result that the mover got in the end, 0 to 1.
    pub result: MeanInterval,
    /// The fraction of moves after which the mover's search had proved how the game ends.
    pub solved: f64,
}

/// All moves with one number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveNumber {
    /// The number of the move in its game, from 1, with the opening counted.
    pub ply: u32,
    /// The fraction of the games that had this move.
    pub going: f64,
    /// Games that ended with this move, by how they ended for the case: wins, draws, losses.
    #[cfg_attr(test, schemars(with = "[f64; 3]"))]
    pub ended: [u64; 3],
    /// The case's moves, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<MovesOf>,
    /// The baseline's moves, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<MovesOf>,
}

/// Sums over the games of a search, by move number: `GET /api/v1/games/by-move`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ByMoveNumber {
    /// The games summed up.
    pub games: u64,
    /// Games of the search whose moves were deleted to make room.
    pub without_moves: u64,
    /// Whether these are all games of the search; otherwise they are the first ones in its order.
    pub is_all: bool,
    /// In ascending order; numbers that no game has are left out.
    pub numbers: Vec<MoveNumber>,
}

/// A pair of games that a machine plays at the moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairInPlay {
    /// The lease of the pair.
    pub lease: LeaseId,
    /// The pair's cell.
    pub cell: CellId,
    /// The number of the pair within the cell.
    pub pair: u32,
    /// The experiments that plan the cell.
    pub experiments: Vec<PlannedBy>,
    /// The case's group and label.
    pub case: String,
    /// The baseline's label.
    pub baseline: String,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// The worker that plays.
    pub worker: WorkerId,
    /// The worker's name.
    pub worker_name: String,
    /// Moves played in both games so far.
    pub plies: u32,
    /// When the pair was lent, in milliseconds since 1970.
    pub granted_ms: i64,
    /// When it last moved on, in milliseconds since 1970.
    pub progress_ms: i64,
}

/// A game under way: `GET /api/v1/games/in-play/{lease}`. The request starts live viewing: the worker sends the moves with its next
/// calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameInPlay {
    /// Its pair.
    pub pair: PairInPlay,
    /// The opening: cells in GUI notation, in order, White first.
    pub opening: Vec<String>,
    /// The games of the pair, in the order in which they are played.
    pub games: [GameId; 2],
    /// The game of the pair that is played; absent until its worker has told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The side the case plays in it.
    #[cfg_attr(test, schemars(with = "crate::tests::Colour"))]
    pub case_side: Side,
    /// The players' moves so far.
    pub moves: Vec<ViewedMove>,
    /// When its worker told of it, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_ms: Option<i64>,
    /// The time of the coordinator, in milliseconds since 1970.
    pub now_ms: i64,
}

/// The pairs in play: `GET /api/v1/games/in-play`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairsInPlay {
    /// Some of them, those that moved on last first.
    pub pairs: Vec<PairInPlay>,
    /// The number of all.
    pub total: u64,
    /// The time of the coordinator, in milliseconds since 1970.
    pub now_ms: i64,
}
