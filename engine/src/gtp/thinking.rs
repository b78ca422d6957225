//! Commands that search, and show what a search found.

use super::arguments::{colour, seconds};
use super::clock::Limits;
use super::first_stone;
use super::game::TurnError;
use super::refusal::{Refusal, Reply};
use super::session::Session;
use super::text::decimals;
use crate::havannah::{Board, Cell};
use crate::rng::{Rng, mix};
use crate::search::{Budget, Game, ProvenOutcome, Search, SearchResult};
use crate::sgf::Move;
use crate::side::Side;
use std::time::Duration;

/// Simulations between two looks at the clock, where both simulations and time are limited; fewer where they would take longer
/// than a part of the time that is left.
const SIMS_PER_LOOK: u64 = 64;

/// The least time of a search with both limits: a player without time still makes a few simulations.
const LEAST: Duration = Duration::from_millis(1);

/// The part of the time that is left between two looks at the clock, as its reciprocal.
const LOOKS: f64 = 8.0;

/// The turn that a search chose.
struct Found {
    turn: Move,
    /// The mean result that the mover can expect after the turn.
    value: f32,
    nodes_grown: i64,
    result: SearchResult,
}

/// Searches until the first of the limits.
pub(super) fn think(search: &mut Search<Board>, limits: Limits) -> SearchResult {
    let (time, sims) = match limits {
        Limits { time: Some(time), sims: Some(sims) } => (time.max(LEAST), sims),
        Limits { time: Some(time), sims: None } => return search.think(Budget::CpuTime(time)),
        Limits { time: None, sims } => return search.think(Budget::Sims(sims.unwrap_or(1))),
    };
    let mut result = search.think(Budget::Sims(1));
    while !result.claim.is_solved() && result.sims < sims && result.cpu < time {
        let each = result.cpu.as_secs_f64() / result.sims.max(1) as f64;
        let soon = (time - result.cpu).as_secs_f64() / LOOKS / each.max(1e-9);
        let look = (soon as u64).clamp(1, SIMS_PER_LOOK).min(sims - result.sims);
        let more = search.think_on(Budget::Sims(look));
        if more.sims == 0 {
            break;
        }
        result = SearchResult {
            sims: result.sims + more.sims,
            collections: result.collections + more.collections,
            cpu: result.cpu + more.cpu,
            ..more
        };
    }
    result
}

/// The mean number of moves in random playouts of the position.
fn expected_moves(board: &Board, seed: u64) -> f64 {
    const PLAYOUTS: u32 = 100;
    let mut rng = Rng::new(seed);
    let mut scratch = board.clone();
    let played = |_| {
        scratch.clone_from(board);
        scratch.rollout(&mut rng);
        scratch.rollout_plies() as f64
    };
    (0..PLAYOUTS).map(played).sum::<f64>() / f64::from(PLAYOUTS)
}

impl Session {
    /// The word for an outcome from the view of the board's white side. The word names players: they may have swapped
    /// sides.
    pub(super) fn outcome_word(&self, claim: ProvenOutcome) -> String {
        claim.as_seen_by(self.play.player(Side::White)).to_string()
    }

    pub(super) fn genmove(&mut self, arguments: &[&str]) -> Reply {
        let (player, time) = match arguments {
            [] => (None, None),
            [player] => (Some(colour(player)?), None),
            [player, time] => (Some(colour(player)?), Some(seconds(time)?)),
            _ => return Err(Refusal::Arguments),
        };
        if self.play.ending().is_some() {
            return Ok("resign".into());
        }
        let mover = self.play.to_move();
        if player.is_some_and(|player| player != mover) {
            return Err(TurnError::NotYourTurn(mover).into());
        }
        let mut limits = self.clock_limits();
        limits.time = time.or(limits.time);

        let found = if self.may_swap && self.play.turns().is_empty() {
            self.find_first_stone(limits)
        } else {
            self.find_turn(limits)
        };
        self.clock.charge(mover, found.result.cpu);
        let word = self.write_move(found.turn);
        let full = self.search.as_ref().is_some_and(Search::has_counted_all);
        let full = if full { "; the tree counts no more playouts" } else { "" };
        self.take(found.turn)?;
        let SearchResult { claim, sims, nodes, collections, cpu, .. } = found.result;
        let (value, outcome) = (decimals(found.value), self.outcome_word(claim));
        self.note(1, || {
            let cpu = cpu.as_secs_f64();
            let made_room = if collections > 0 { format!(" after {collections} collections") } else { String::new() };
            format!(
                "{mover} {word}: value {value}, outcome {outcome}, {sims} simulations, {nodes} nodes{made_room}, {cpu:.3} s CPU{full}"
            )
        });
        let expected = self.expected_line();
        self.note(2, || format!("expected: {expected}"));
        if !self.extended {
            return Ok(word);
        }
        Ok(format!("{word} {value} {outcome} {sims} {}", found.nodes_grown))
    }

    /// The clock's limits for the player to move.
    pub(super) fn clock_limits(&self) -> Limits {
        let board = self.play.board();
        self.clock.limits(self.play.to_move(), board.open_count(), || expected_moves(board, self.seed))
    }

    /// A new search of the position. It knows the last stone, because knowledge and playouts depend on it.
    pub(super) fn new_search(&mut self) -> Search<Board> {
        self.search_after(self.play.board().clone(), self.play.last_stone())
    }

    fn search_after(&mut self, board: Board, last: Option<Cell>) -> Search<Board> {
        self.searches += 1;
        let seed = mix(self.seed).wrapping_add(self.searches);
        Search::after(board, last.map(|cell| cell.0), &self.params, seed)
    }

    /// Searches the position. If the other player's side is better and a swap is possible, the turn is a swap.
    fn find_turn(&mut self, limits: Limits) -> Found {
        let mut search = match self.search.take() {
            Some(search) => search,
            None => self.new_search(),
        };
        let nodes_before = search.nodes();
        let result = think(&mut search, limits);
        self.search = Some(search);
        let nodes_grown = result.nodes as i64 - nodes_before as i64;
        if self.may_swap && self.play.is_time_to_swap() && result.value < 0.5 {
            Found { turn: Move::Swap, value: 1.0 - result.value, nodes_grown, result }
        } else {
            Found { turn: Move::Stone(Cell(result.slot)), value: result.value, nodes_grown, result }
        }
    }

    /// Searches the replies to every kind of first stone, each with an equal part of the limits. Black will take the
    /// better side, so that the value is that of the worse side.
    fn find_first_stone(&mut self, limits: Limits) -> Found {
        let size = self.play.size();
        let kinds = first_stone::kinds(size).len() as u32;
        let part = Limits {
            time: limits.time.map(|time| time / kinds),
            sims: limits.sims.map(|sims| (sims / u64::from(kinds)).max(1)),
        };
        let mut total = SearchResult {
            slot: 0,
            value: 0.0,
            claim: ProvenOutcome::Unknown,
            sims: 0,
            nodes: 0,
            collections: 0,
            cpu: Duration::ZERO,
        };
        let (cell, value) = first_stone::fairest(size, |first, board| {
            let result = think(&mut self.search_after(board, Some(first)), part);
            total.sims += result.sims;
            total.nodes += result.nodes;
            total.collections += result.collections;
            total.cpu += result.cpu;
            result.value
        });
        let nodes_grown = total.nodes as i64;
        Found { turn: Move::Stone(cell), value: value.min(1.0 - value), nodes_grown, result: total }
    }

    fn expected_line(&self) -> String {
        let line = self.search.as_ref().map(Search::principal_variation).unwrap_or_default();
        let words: Vec<String> =
            line.into_iter().map(|slot| self.write_move(Move::Stone(Cell(slot)))).collect();
        words.join(" ")
    }

    pub(super) fn pv(&mut self, _: &[&str]) -> Reply {
        Ok(self.expected_line())
    }

    pub(super) fn move_stats(&mut self, arguments: &[&str]) -> Reply {
        let size = self.play.size();
        let path = arguments
            .iter()
            .map(|word| self.notation.read(size, word).map(|cell| cell.0))
            .collect::<Result<Vec<u16>, _>>()?;
        let children = self.search.as_ref().map(|search| search.children(&path)).unwrap_or_default();
        let line = |child: &crate::search::ChildStats| {
            let word = self.write_move(Move::Stone(Cell(child.slot)));
            format!("{word} {} {} {}", child.playouts, decimals(child.value), self.outcome_word(child.claim))
        };
        Ok(children.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}
