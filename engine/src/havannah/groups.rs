//! The stones of each group, for playouts that must find what is around a group.

use super::geometry::{Geometry, PADDED};
use super::stones::{Stones, Touched};

/// Bookkeeping beside the union-find forest of [`Stones`]; sizes are valid at roots.
pub(super) struct Groups {
    /// The stones of a group form a circle.
    next: [u16; PADDED],
    size: [u16; PADDED],
}

impl Groups {
    pub(super) fn new() -> Self {
        Self { next: [0; PADDED], size: [0; PADDED] }
    }

    /// Begins with the stones there are.
    pub(super) fn reset(&mut self, stones: &Stones, geometry: &Geometry) {
        for &place in &geometry.place {
            self.next[usize::from(place)] = place;
            self.size[usize::from(place)] = 0;
        }
        for &place in geometry.place.iter().filter(|&&place| !stones.is_empty(usize::from(place))) {
            let root = usize::from(stones.root(place));
            self.size[root] += 1;
            if root != usize::from(place) {
                self.next.swap(root, usize::from(place));
            }
        }
    }

    /// A stone has joined the groups it `touched`.
    #[inline(always)]
    pub(super) fn join(&mut self, touched: &Touched, place: u16) {
        let mut size = 1;
        for &root in touched.roots() {
            let root = usize::from(root);
            size += self.size[root];
            self.next.swap(root, usize::from(place));
        }
        let root = usize::from(touched.roots().first().copied().unwrap_or(place));
        self.size[root] = size;
    }

    /// Stones of the group with this root.
    #[inline(always)]
    pub(super) fn size(&self, root: u16) -> u32 {
        u32::from(self.size[usize::from(root)])
    }

    /// The stones of the group that has a stone at `place`.
    #[inline(always)]
    pub(super) fn stones(&self, place: u16) -> impl Iterator<Item = usize> + '_ {
        let mut at = Some(place);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.next[usize::from(here)];
            at = (next != place).then_some(next);
            Some(usize::from(here))
        })
    }
}
