//! The values of a node's children, in vectors. The formula is that of `formula.rs`.

use super::best::Best;
use super::slots::Means;
use crate::search::lanes::{BLOCK, Lanes, NarrowLanes};
use crate::search::proven_outcome::ProvenOutcome;
use crate::search::tree::{ChildScan, upper_half};

/// A scan of a node's children, and the terms that are the same for all of them.
pub(super) struct ChildValues<N: Lanes> {
    pub(super) children: ChildScan,
    /// Slots of the node, rounded up to whole vectors.
    pub(super) slots: usize,
    /// c·√(ln N).
    pub(super) exploration: N::Floats,
    /// The RAVE equivalence.
    pub(super) k: N::Floats,
    /// Whether any child is solved.
    pub(super) solved: bool,
}

impl<N: NarrowLanes> ChildValues<N> {
    /// Adds all children to `best`. With RAVE, `means` holds the RAVE mean of every slot.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]), and the tree has not changed since `Children::scan` gave
    /// `children`.
    #[inline(always)]
    pub(super) unsafe fn add_to<L: Lanes<Narrow = N>>(&self, best: &mut Best<N>, means: &Means) {
        // A vector must not cross the end of a block: there may be no memory behind the block.
        const { assert!(BLOCK.is_multiple_of(N::LANES)) };
        let len = self.children.len;
        // SAFETY: the caller guarantees the instructions of `L` and an unchanged tree, so that `ChildScan` gives
        // readable vectors for every `at` below `len` that is a multiple of `N::LANES`.
        unsafe {
            let (mut index, mut at) = (N::ascending(), 0);
            while at < len {
                let mut value = self.value::<L>(at, means);
                if len - at < N::LANES {
                    // The words behind the last child are arbitrary. NaN is never chosen.
                    value = N::if_below(len - at, value, N::splat(f32::NAN));
                }
                best.add(value, N::sum(N::low_half_up(N::load(self.children.meta(at))), index));
                index = N::sum(index, N::splat_words(N::LANES as u32));
                at += N::LANES;
            }
        }
    }

    /// The values of the `N::LANES` children from `at` on. (A method: a closure would not be compiled for the
    /// instructions of `L`.)
    ///
    /// # Safety
    /// That of [`ChildValues::add_to`], and `at` is a multiple of `N::LANES` below the number of children.
    #[inline(always)]
    pub(super) unsafe fn value<L: Lanes<Narrow = N>>(&self, at: usize, means: &Means) -> N::Floats {
        // SAFETY: the caller guarantees the instructions of `L`, an unchanged tree and such an `at`, so that
        // `ChildScan` gives readable vectors. The words that it has only in some shapes are read in these shapes.
        unsafe {
            let children = &self.children;
            let half_points = N::to_floats(N::load(children.half_points(at)));
            let mut points = N::mul(half_points, N::splat(0.5));
            let mut playouts = N::to_floats(N::load(children.playouts(at)));
            if children.shape.rave {
                let rave = L::gather(&means.0, self.slots, N::load(children.meta(at)));
                points = N::add(points, N::mul(self.k, rave));
                playouts = N::add(playouts, self.k);
            }
            // Without playouts and RAVE this is 0 / MIN_POSITIVE = 0.
            let mut value = N::div(points, N::max(playouts, N::splat(f32::MIN_POSITIVE)));
            if children.shape.explores {
                let factor = N::as_floats(N::load(children.exploration_factor(at)));
                value = N::add(value, N::mul(self.exploration, factor));
            }
            if children.shape.knows {
                value = N::add(value, N::as_floats(N::load(children.knowledge(at))));
            }
            if self.solved {
                value = fixed::<N>(N::load(children.meta(at)), value);
            }
            value
        }
    }
}

/// Replaces the values of solved children by their fixed values. `meta` holds the words of slot, depth and proof.
///
/// # Safety
/// The CPU has the instructions of `L` (see [`Lanes`]).
#[inline(always)]
unsafe fn fixed<L: NarrowLanes>(meta: L::Words, unsolved: L::Floats) -> L::Floats {
    /// A threshold just below all upper halves with this proof.
    const fn from(proof: ProvenOutcome) -> f32 {
        upper_half(proof) as f32 - 0.5
    }
    // SAFETY: the caller guarantees the instructions of `L`.
    unsafe {
        let proof = L::to_floats(L::high_half(meta));
        let mut value = unsolved;
        for known in [ProvenOutcome::Loss, ProvenOutcome::Draw, ProvenOutcome::Win] {
            value = L::if_greater(proof, L::splat(from(known)), L::splat(known.value()), value);
        }
        value
    }
}
