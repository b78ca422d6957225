//! The stones of each group, for playouts that must find what is around a group.

use super::geometry::{Geometry, PADDED};
use super::stones::{GROUPS, Joined, Stones};

/// Bookkeeping beside the union-find forest of [`Stones`]; sizes are valid at roots.
pub(super) struct Groups {
    /// The stones of a group form a circle.
    next: [u16; PADDED],
    size: [u16; GROUPS],
}

impl Groups {
    pub(super) fn new() -> Self {
        Self { next: [0; PADDED], size: [0; GROUPS] }
    }

    /// Begins with the stones there are, and makes every stone's number a root.
    pub(super) fn reset(&mut self, stones: &mut Stones, geometry: &Geometry) {
        const ALONE: [u16; PADDED] = {
            let mut alone = [0; PADDED];
            let mut place = 0;
            while place < PADDED {
                alone[place] = place as u16;
                place += 1;
            }
            alone
        };
        self.next[..geometry.padded].copy_from_slice(&ALONE[..geometry.padded]);
        self.size.fill(0);
        let mut first = [0; GROUPS];
        for &place in &geometry.place {
            if stones.is_empty(usize::from(place)) {
                continue;
            }
            let root = stones.root(place);
            stones.set_root(usize::from(place), root);
            let (size, first) = (&mut self.size[usize::from(root)], &mut first[usize::from(root)]);
            if *size == 0 {
                *first = place;
            } else {
                self.next.swap(usize::from(*first), usize::from(place));
            }
            *size += 1;
        }
    }

    /// Gives all stones of the groups that a stone has joined the same root.
    #[inline(always)]
    pub(super) fn relabel(&self, stones: &mut Stones, joined: &Joined) {
        for (_, of_group) in joined.groups().filter(|&(root, _)| root != joined.root) {
            self.stones(of_group).for_each(|stone| stones.set_root(stone, joined.root));
        }
    }

    /// A stone at `place` has joined the groups it touched.
    #[inline(always)]
    pub(super) fn join(&mut self, joined: &Joined, place: u16) {
        for (_, of_group) in joined.groups() {
            self.next.swap(usize::from(of_group), usize::from(place));
        }
        self.size[usize::from(joined.root)] = joined.size as u16;
    }

    /// Stones of every group, at its root.
    #[inline(always)]
    pub(super) fn sizes(&self) -> &[u16; GROUPS] {
        &self.size
    }

    /// The stones of the group that has a stone at `place`.
    #[inline(always)]
    pub(super) fn stones(&self, place: u16) -> impl Iterator<Item = usize> + '_ {
        let (mut at, mut done) = (place, false);
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let here = usize::from(at);
            at = self.next[here];
            done = at == place;
            Some(here)
        })
    }
}
