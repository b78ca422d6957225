//! The state of a df-pn search: its path, its table and what the search is asked.

use crate::search::Game;
use crate::side::Side;
use crate::solver::config::ProofNumberConfig;
use crate::solver::key::{Key, Keys};
use crate::solver::meter::Meter;
use crate::solver::numbers::{Child, Numbers, Thresholds, best_child};
use crate::solver::table::Table;

/// The table's entry for an expanded position, in twelve bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    phi: u32,
    delta: u32,
    /// One more than the slot of the best move; 0 when the numbers were known without children.
    best: u16,
    decisive: bool,
}

impl Known {
    pub(super) fn new(numbers: Numbers, best: Option<u16>) -> Self {
        let Numbers { phi, delta, decisive } = numbers;
        Self { phi, delta, best: best.map_or(0, |slot| slot + 1), decisive }
    }

    pub(super) fn numbers(self) -> Numbers {
        Numbers { phi: self.phi, delta: self.delta, decisive: self.decisive }
    }

    /// The best move, unless the numbers were known without children.
    pub(super) fn best(self) -> Option<u16> {
        self.best.checked_sub(1)
    }
}

/// A position on the path.
pub(super) struct Step<G> {
    pub(super) position: G,
    pub(super) key: Key,
    pub(super) thresholds: Thresholds,
    /// The position's own numbers, when they are known without children.
    pub(super) known: Option<Numbers>,
    pub(super) children: Vec<Child>,
    /// The child being searched.
    pub(super) chosen: usize,
    /// Expansions below.
    pub(super) work: u32,
}

impl<G> Step<G> {
    pub(super) fn numbers(&self) -> Numbers {
        self.known.unwrap_or_else(|| Numbers::of_children(self.children.iter().map(|child| child.numbers)))
    }

    pub(super) fn best(&self) -> (usize, u32) {
        best_child(self.children.iter().map(|child| child.numbers.delta))
    }
}

/// A search for one question.
pub(super) struct DfPnSearch<'m, 'a, 'b, G> {
    pub(super) meter: &'m mut Meter<'a, 'b>,
    pub(super) keys: Keys,
    pub(super) table: Table<Known>,
    pub(super) config: ProofNumberConfig,
    pub(super) attacker: Side,
    pub(super) copies: u16,
    /// The path. Entries beyond the last position are buffers of earlier, longer paths.
    pub(super) steps: Vec<Step<G>>,
}

impl<'m, 'a, 'b, G: Game> DfPnSearch<'m, 'a, 'b, G> {
    pub(super) fn new(
        root: &G,
        config: ProofNumberConfig,
        attacker: Side,
        copies: u16,
        meter: &'m mut Meter<'a, 'b>,
    ) -> Self {
        let step = |_| Step {
            position: root.clone(),
            key: 0,
            thresholds: Thresholds::ROOT,
            known: None,
            children: Vec::new(),
            chosen: 0,
            work: 0,
        };
        let table = Table::new(meter.limits.memory);
        let steps = (0..=root.open_count()).map(step).collect();
        Self { keys: Keys::of(root), table, config, attacker, copies, steps, meter }
    }
}
