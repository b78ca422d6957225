//! Alpha-beta with iterative deepening.
//!
//! A search to a fixed depth rarely finds the outcome, but it always proves bounds of the outcome, which hold whatever
//! lies deeper. "Not resolved at this depth" is [`ProvenOutcome::Unknown`]. Therefore whatever the table stores is true
//! for every later depth and window.

use super::key::{Images, Keys};
use super::lookahead::{Look, chances, look_at_threats, moves};
use super::table::Table;
use super::{Meter, MoveFindings, Solution, Solver, Stop};
use crate::search::{Game, ProvenOutcome};

/// Alpha-beta with iterative deepening and a transposition table. A forced reply (the only one that stops a threat) does
/// not count towards the depth, so that the search follows threats to their end.
#[derive(Debug, Clone, Default)]
pub struct AlphaBeta;

/// Whether a search with this window is finished: the outcome is known or outside the window.
const fn suffices(proven: ProvenOutcome, window: ProvenOutcome) -> bool {
    proven.is_solved() || proven.least() >= window.most() || proven.most() <= window.least()
}

/// What the table remembers.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// From the view of the side to move.
    proven: ProvenOutcome,
    /// The depth and the window of the search that found it.
    depth: u16,
    window: ProvenOutcome,
    /// The best move, or the move that caused a cutoff, in the image that the key belongs to.
    best: u16,
}

impl Default for Known {
    fn default() -> Self {
        Self { proven: ProvenOutcome::Unknown, depth: 0, window: ProvenOutcome::Unknown, best: 0 }
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
    undecided: Vec<(u64, u16)>,
}

impl<G: Game> Solver<G> for AlphaBeta {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        let ply = |_| Ply { position: position.clone(), undecided: Vec::new() };
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
            let window = search.meter.proven;
            match search.children(0, Images::default(), depth, window) {
                Err(stop) => {
                    stopped = Some(stop);
                    break;
                }
                Ok((found, slot)) => {
                    let proven = window.and(found);
                    // The window of an iteration excludes what the earlier ones found.
                    if proven.least() > window.least() || proven == ProvenOutcome::Loss {
                        best = Some(slot);
                    }
                    search.meter.proven = proven;
                    if proven.is_solved() {
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
        let findings = |slot| {
            let mut after = root.clone();
            after.play_slot(slot);
            if let Look::Decided(outcome, _) = look_at_threats(&after) {
                return MoveFindings::new(slot, outcome.inverted(), 0);
            }
            let known = self.table.get(self.keys.key_after(&Images::default(), mover, slot));
            let (known, work) = known.unwrap_or_default();
            MoveFindings::new(slot, known.proven.inverted().of_move_at(self.meter.proven), work)
        };
        moves(root).iter().map(findings).collect()
    }

    /// What a search of `depth` more plies within the window proves about the undecided position at `ply`.
    fn node(
        &mut self,
        ply: usize,
        images: Images,
        depth: u16,
        window: ProvenOutcome,
    ) -> Result<ProvenOutcome, Stop> {
        let key = self.keys.key(&images);
        let mut known = chances(&self.plies[ply].position);
        if suffices(known, window) {
            return Ok(known);
        }
        if let Some((entry, _)) = self.table.get(key) {
            known = known.and(entry.proven);
            if suffices(known, window) || (entry.depth >= depth && entry.window.includes(window)) {
                return Ok(known);
            }
        }
        if depth == 0 {
            return Ok(known);
        }
        let before = self.meter.nodes;
        let (found, best) = self.children(ply, images, depth, window)?;
        let proven = known.and(found);
        let best = self.keys.stored_slot(&images, best);
        let work = self.meter.nodes - before;
        self.table.put(key, Known { proven, depth, window, best }, work);
        Ok(proven)
    }

    /// What the children of a position prove about the position, and the best move, which reaches the lower bound.
    fn children(
        &mut self,
        ply: usize,
        images: Images,
        depth: u16,
        window: ProvenOutcome,
    ) -> Result<(ProvenOutcome, u16), Stop> {
        self.meter.check(|| None)?;
        let (before, after) = self.plies.split_at_mut(ply + 1);
        let (parent, child) = (&mut before[ply], &mut after[0]);
        let mover = parent.position.to_move();
        let hint = self.table.get(self.keys.key(&images));
        let hint = hint.map(|(known, _)| self.keys.actual_slot(&images, known.best));
        let slots = moves(&parent.position);
        // A forced reply does not count towards the depth.
        let left = if slots.len() == 1 { depth } else { depth - 1 };
        self.meter.nodes += 1;
        parent.undecided.clear();
        let mut proven = ProvenOutcome::Loss;
        let mut best = (proven.least(), 0_u64, slots.first().expect("an undecided position has moves"));
        for slot in slots.iter() {
            child.position.clone_from(&parent.position);
            child.position.play_slot(slot);
            self.meter.nodes += 1 + child.position.open_count() as u64;
            match look_at_threats(&child.position) {
                Look::Decided(outcome, _) => {
                    let outcome = outcome.inverted();
                    proven = proven.better(outcome);
                    if outcome.least() > best.0 {
                        best = (outcome.least(), 0, slot);
                    }
                    if proven.least() >= window.most() {
                        return Ok((proven.better(ProvenOutcome::Unknown), slot));
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
                    parent.undecided.push((priority | history, slot));
                }
            }
        }
        parent.undecided.sort_by_key(|&(priority, slot)| (std::cmp::Reverse(priority), slot));
        for at in 0..self.plies[ply].undecided.len() {
            let (_, slot) = self.plies[ply].undecided[at];
            let (before, after) = self.plies.split_at_mut(ply + 1);
            after[0].position.clone_from(&before[ply].position);
            after[0].position.play_slot(slot);
            let nodes = self.meter.nodes;
            let above = ProvenOutcome::between(window.least().max(proven.least()), window.most()).inverted();
            let found = self.node(ply + 1, self.keys.after(&images, mover, slot), left, above)?.inverted();
            let effort = self.meter.nodes - nodes;
            proven = proven.better(found);
            // Among equal moves the one that takes most effort is best: in a lost position it resists longest.
            if (found.least(), effort) > (best.0, best.1) {
                best = (found.least(), effort, slot);
            }
            if proven.least() >= window.most() {
                let history = &mut self.history[mover.index()][usize::from(slot)];
                *history = history.saturating_add(1 << depth.min(32));
                return Ok((proven.better(ProvenOutcome::Unknown), slot));
            }
        }
        Ok((proven, best.2))
    }
}
