//! Alpha-beta with iterative deepening.
//!
//! A search to a fixed depth rarely finds a value, but it always has bounds of the value. Every result is a pair of
//! bounds that hold whatever lies deeper; "not resolved at this depth" is the pair that excludes nothing. Therefore
//! whatever the table stores is true for every later depth and window.

use super::key::{Key, Keys};
use super::lookahead::{Look, look_at_threats, moves};
use super::table::Table;
use super::{Meter, MoveFindings, Solution, Solver, Stop, Value};
use crate::search::Game;

/// Alpha-beta with iterative deepening and a transposition table. A forced reply (the only one that stops a threat) does
/// not count towards the depth, so that the search follows threats to their end.
#[derive(Debug, Clone, Default)]
pub struct AlphaBeta;

/// True bounds of a value, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bounds {
    low: Value,
    high: Value,
}

impl Bounds {
    /// Not resolved at this depth.
    const OPEN: Self = Self { low: Value::Loss, high: Value::Win };

    const fn exactly(value: Value) -> Self {
        Self { low: value, high: value }
    }

    /// As the other side sees it.
    const fn inverted(self) -> Self {
        Self { low: self.high.inverted(), high: self.low.inverted() }
    }

    /// The intersection.
    fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    const fn contains(self, window: Bounds) -> bool {
        self.low as u8 <= window.low as u8 && self.high as u8 >= window.high as u8
    }

    /// Whether a search with this window is finished: the value is known or outside the window.
    fn suffices_for(self, window: Bounds) -> bool {
        self.low == self.high || self.low >= window.high || self.high <= window.low
    }
}

/// What the table remembers.
#[derive(Debug, Clone, Copy)]
struct Known {
    bounds: Bounds,
    /// The depth and the window of the search that found the bounds.
    depth: u16,
    window: Bounds,
    /// The best move, or the move that caused a cutoff.
    best: u16,
}

impl Default for Known {
    fn default() -> Self {
        Self { bounds: Bounds::OPEN, depth: 0, window: Bounds::OPEN, best: 0 }
    }
}

struct AlphaBetaSearch<'m, 'a, 'b, G> {
    meter: &'m mut Meter<'a, 'b>,
    keys: Keys,
    table: Table<Known>,
    /// One buffer per ply.
    plies: Vec<Ply<G>>,
    /// History heuristic: weight of the cutoffs caused by a slot, per side.
    history: [Vec<u64>; 2],
}

struct Ply<G> {
    position: G,
    /// Children that the lookahead left undecided: priority, slot.
    open: Vec<(u64, u16)>,
}

impl<G: Game> Solver<G> for AlphaBeta {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        let ply = |_| Ply { position: position.clone(), open: Vec::new() };
        let mut search = AlphaBetaSearch {
            keys: Keys::of(position),
            table: Table::new(meter.limits.memory),
            plies: (0..=position.open_count()).map(ply).collect(),
            history: [vec![0; position.slots()], vec![0; position.slots()]],
            meter: &mut *meter,
        };
        // The bounds known before the search hold after every move.
        let mut best = position.open().first();
        let mut stopped = None;
        for depth in 1.. {
            search.meter.depth = depth;
            let window = Bounds { low: search.meter.at_least, high: search.meter.at_most };
            match search.children(0, 0, depth, window) {
                Err(stop) => {
                    stopped = Some(stop);
                    break;
                }
                Ok((bounds, slot)) => {
                    let known = window.and(bounds);
                    // The window of an iteration excludes what the earlier ones found.
                    if known.low > window.low || known.high == Value::Loss {
                        best = Some(slot);
                    }
                    (search.meter.at_least, search.meter.at_most) = (known.low, known.high);
                    if known.low == known.high {
                        break;
                    }
                }
            }
        }
        let moves = search.moves(position);
        meter.moves = moves;
        meter.solution(best, stopped)
    }
}

impl<G: Game> AlphaBetaSearch<'_, '_, '_, G> {
    /// What is known of the root's moves, from the threats after them and from the table.
    fn moves(&self, root: &G) -> Vec<MoveFindings> {
        let mover = root.to_move();
        let most = self.meter.at_most;
        let findings = |slot| {
            let mut after = root.clone();
            after.play_slot(slot);
            if let Look::Decided(value, _) = look_at_threats(&after) {
                return MoveFindings::known(slot, value.inverted(), 0);
            }
            let known = self.table.get(self.keys.after(0, mover, slot));
            let (bounds, work) =
                known.map_or((Bounds::OPEN, 0), |(known, work)| (known.bounds.inverted(), work));
            let (at_least, at_most) = (bounds.low.min(most), bounds.high.min(most));
            MoveFindings { slot, at_least, at_most, work: work.into(), numbers: None }
        };
        moves(root).iter().map(findings).collect()
    }

    /// Bounds of the undecided position at `ply`, from a search of `depth` more plies within the window.
    fn node(&mut self, ply: usize, key: Key, depth: u16, window: Bounds) -> Result<Bounds, Stop> {
        let position = &self.plies[ply].position;
        let mover = position.to_move();
        let mut known = Bounds::OPEN;
        if !position.could_win(mover) {
            known.high = Value::Draw;
        }
        if !position.could_win(mover.other()) {
            known.low = Value::Draw;
        }
        if known.suffices_for(window) {
            return Ok(known);
        }
        if let Some((entry, _)) = self.table.get(key) {
            known = known.and(entry.bounds);
            if known.suffices_for(window) || (entry.depth >= depth && entry.window.contains(window)) {
                return Ok(known);
            }
        }
        if depth == 0 {
            return Ok(known);
        }
        let before = self.meter.nodes;
        let (bounds, best) = self.children(ply, key, depth, window)?;
        let bounds = known.and(bounds);
        let work = u32::try_from(self.meter.nodes - before).unwrap_or(u32::MAX);
        self.table.put(key, Known { bounds, depth, window, best }, work);
        Ok(bounds)
    }

    /// Bounds of a position from the bounds of its children, and the best move, which reaches the lower bound.
    fn children(&mut self, ply: usize, key: Key, depth: u16, window: Bounds) -> Result<(Bounds, u16), Stop> {
        self.meter.check(|| None)?;
        let (before, after) = self.plies.split_at_mut(ply + 1);
        let (parent, child) = (&mut before[ply], &mut after[0]);
        let mover = parent.position.to_move();
        let hint = self.table.get(key).map(|(known, _)| known.best);
        let slots = moves(&parent.position);
        // A forced reply does not count towards the depth.
        let left = if slots.len() == 1 { depth } else { depth - 1 };
        self.meter.nodes += 1;
        parent.open.clear();
        let mut bounds = Bounds::exactly(Value::Loss);
        let mut best = (Value::Loss, 0_u64, slots.first().expect("an undecided position has moves"));
        for slot in slots.iter() {
            child.position.clone_from(&parent.position);
            child.position.play_slot(slot);
            self.meter.nodes += 1 + child.position.open_count() as u64;
            match look_at_threats(&child.position) {
                Look::Decided(value, _) => {
                    let value = value.inverted();
                    bounds.low = bounds.low.max(value);
                    bounds.high = bounds.high.max(value);
                    if value > best.0 {
                        best = (value, 0, slot);
                    }
                    if bounds.low >= window.high {
                        return Ok((Bounds { low: bounds.low, high: Value::Win }, slot));
                    }
                }
                look => {
                    // The table's move first, then threats, because they leave one reply.
                    let priority = match look {
                        _ if Some(slot) == hint => u64::MAX,
                        Look::Forced(_) => 1 << 62,
                        _ => 0,
                    };
                    let history = self.history[mover.index()][usize::from(slot)].min((1 << 62) - 1);
                    parent.open.push((priority | history, slot));
                }
            }
        }
        parent.open.sort_by_key(|&(priority, slot)| (std::cmp::Reverse(priority), slot));
        for at in 0..self.plies[ply].open.len() {
            let (_, slot) = self.plies[ply].open[at];
            let (before, after) = self.plies.split_at_mut(ply + 1);
            after[0].position.clone_from(&before[ply].position);
            after[0].position.play_slot(slot);
            let nodes = self.meter.nodes;
            let child_window = Bounds { low: window.low.max(bounds.low), high: window.high }.inverted();
            let found = self.node(ply + 1, self.keys.after(key, mover, slot), left, child_window)?.inverted();
            let effort = self.meter.nodes - nodes;
            bounds.low = bounds.low.max(found.low);
            bounds.high = bounds.high.max(found.high);
            // Among equal moves the one that takes most effort is best: in a lost position it resists longest.
            if (found.low, effort) > (best.0, best.1) {
                best = (found.low, effort, slot);
            }
            if bounds.low >= window.high {
                let history = &mut self.history[mover.index()][usize::from(slot)];
                *history = history.saturating_add(1 << depth.min(32));
                return Ok((Bounds { low: bounds.low, high: Value::Win }, slot));
            }
        }
        Ok((bounds, best.2))
    }
}
