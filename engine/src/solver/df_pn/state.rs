//! The state of a df-pn search: its path, its table and what the search is asked.

use crate::search::{Game, MAX_SLOTS};
use crate::side::Side;
use crate::solver::Stop;
use crate::solver::coarse::Coarse;
use crate::solver::config::ProofNumberConfig;
use crate::solver::key::{Images, Key, Keys};
use crate::solver::meter::Meter;
use crate::solver::numbers::{Child, Numbers, Thresholds, best_child};
use crate::solver::table::Table;

/// What the table knows of an expanded position, in six bytes: φ and δ as [`Effort`] numbers, then one more than the best
/// move's slot (0 when the numbers were known without children), then whether the proof is decisive.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known([u16; 3]);

type Effort = Coarse<15>;

const EFFORT_BITS: u32 = 19;
const SLOT_BITS: u32 = 9;
const _: () = assert!(MAX_SLOTS < 1 << SLOT_BITS && 2 * EFFORT_BITS + SLOT_BITS + 1 == 48);

impl Known {
    pub(super) fn new(numbers: Numbers, best: Option<u16>) -> Self {
        let Numbers { phi, delta, decisive } = numbers;
        let mut bits = u64::from(Effort::encode(phi.into()));
        bits = bits << EFFORT_BITS | u64::from(Effort::encode(delta.into()));
        bits = bits << SLOT_BITS | best.map_or(0, |slot| u64::from(slot) + 1);
        bits = bits << 1 | u64::from(decisive);
        Self([bits, bits >> 16, bits >> 32].map(|bits| bits as u16))
    }

    fn bits(self) -> u64 {
        let [low, middle, high] = self.0.map(u64::from);
        high << 32 | middle << 16 | low
    }

    #[inline]
    pub(super) fn numbers(self) -> Numbers {
        let bits = self.bits();
        let effort = |shift: u32| Effort::decode((bits >> shift) as u32 & ((1 << EFFORT_BITS) - 1)) as u32;
        Numbers {
            phi: effort(1 + SLOT_BITS + EFFORT_BITS),
            delta: effort(1 + SLOT_BITS),
            decisive: bits & 1 == 1,
        }
    }

    /// The best move, unless the numbers were known without children.
    pub(super) fn best(self) -> Option<u16> {
        ((self.bits() >> 1) as u16 & ((1 << SLOT_BITS) - 1)).checked_sub(1)
    }
}

/// A position on the path.
pub(super) struct Step<G> {
    pub(super) position: G,
    pub(super) images: Images,
    pub(super) thresholds: Thresholds,
    /// The position's own numbers, when they are known without children.
    pub(super) known: Option<Numbers>,
    pub(super) children: Vec<Child>,
    /// The child being searched.
    pub(super) chosen: usize,
    /// Expansions below.
    pub(super) work: u64,
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
    pub(super) table: &'m mut Table<Known>,
    pub(super) config: ProofNumberConfig,
    pub(super) attacker: Side,
    pub(super) copies: u16,
    /// The path. Entries beyond the last position are buffers of earlier, longer paths.
    pub(super) steps: Vec<Step<G>>,
    /// The keys of the children of the position being expanded.
    pub(super) keys_after: Vec<Key>,
    /// The table's entries for these children, in the same order.
    pub(super) remembered: Vec<Option<Child>>,
}

impl<'m, 'a, 'b, G: Game> DfPnSearch<'m, 'a, 'b, G> {
    pub(super) fn new(
        root: &G,
        config: ProofNumberConfig,
        attacker: Side,
        copies: u16,
        table: &'m mut Table<Known>,
        meter: &'m mut Meter<'a, 'b>,
    ) -> Self {
        let step = |_| Step {
            position: root.clone(),
            images: Images::default(),
            thresholds: Thresholds::ROOT,
            known: None,
            children: Vec::new(),
            chosen: 0,
            work: 0,
        };
        let steps = (0..=root.open_count()).map(step).collect();
        let keys = Keys::of(root);
        let (keys_after, remembered) = (Vec::new(), Vec::new());
        Self { meter, keys, table, config, attacker, copies, steps, keys_after, remembered }
    }

    /// Checks the limits and reports progress.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn check(&mut self) -> Result<(), Stop> {
        self.meter.check(|| {
            let root = &self.steps[0];
            let Numbers { phi, delta, .. } = root.numbers();
            Some(if root.position.to_move() == self.attacker { (phi, delta) } else { (delta, phi) })
        })
    }
}
