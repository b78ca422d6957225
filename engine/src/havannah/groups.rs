//! The stones of each group, for playouts that examine the cells around a group.

use super::geometry::{PADDED, numbers, padded};
use super::places::each;
use super::stones::{GROUPS, Joined, Stones};
use super::union_find::NUMBERS;

/// The stones and the size of each group, which the union-find forest of [`Stones`] does not tell.
pub(super) struct Groups {
    /// By place: the next stone of the group. The stones of a group form a circular list.
    next: [u16; PADDED],
    /// By root: the number of stones; 0 for groups that have not begun.
    size: [u16; GROUPS],
    /// By root: one stone of each group that existed at the last [`Groups::reset`]. Valid where `size` is not 0.
    first: [u16; GROUPS],
}

impl Groups {
    pub(super) fn new() -> Self {
        Self { next: [0; PADDED], size: [0; GROUPS], first: [0; GROUPS] }
    }

    /// Collects the groups of the stones on the board, and makes every stone's number a root.
    pub(super) fn reset<const W: usize>(&mut self, stones: &mut Stones) {
        const ALONE: [u16; PADDED] = {
            let mut alone = [0; PADDED];
            let mut place = 0;
            while place < PADDED {
                alone[place] = place as u16;
                place += 1;
            }
            alone
        };
        self.next[..padded(W)].copy_from_slice(&ALONE[..padded(W)]);
        for side in 0..2 {
            self.size[side * NUMBERS..][..numbers::<W>()].fill(0);
            each::<W>(stones.of_side::<W>(side), |place| {
                let root = stones.root(place as u16);
                stones.set_root(place, root);
                let (size, first) = (&mut self.size[usize::from(root)], &mut self.first[usize::from(root)]);
                if *size == 0 {
                    *first = place as u16;
                } else {
                    self.next.swap(usize::from(*first), place);
                }
                *size += 1;
            });
        }
    }

    /// Gives all stones of the groups that a stone has joined the root of the joined group.
    #[inline(always)]
    pub(super) fn relabel(&self, stones: &mut Stones, joined: &Joined) {
        for (_, of_group) in joined.groups().filter(|&(root, _)| root != joined.root) {
            self.stones(of_group).for_each(|stone| stones.set_root(stone, joined.root));
        }
    }

    /// Joins the groups that the stone at `place` touched.
    #[inline(always)]
    pub(super) fn join(&mut self, joined: &Joined, place: u16) {
        for (_, of_group) in joined.groups() {
            self.next.swap(usize::from(of_group), usize::from(place));
        }
        self.size[usize::from(joined.root)] = joined.size as u16;
    }

    /// The number of stones of each group, by root.
    #[inline(always)]
    pub(super) fn sizes(&self) -> &[u16; GROUPS] {
        &self.size
    }

    /// The places of all stones in the group of the stone at `place`.
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
