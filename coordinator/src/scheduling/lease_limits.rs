//! How many leases a machine may hold, and for how long each. A number that a machine reports is always bounded by another: the
//! cells of a board, or the games that the machine has delivered.

use crate::delivered::Delivered;
use crate::store::LeaseRow;
use crate::terms::Terms;

/// Leases that a machine may hold before it has delivered a game, however many slots it claims.
const NEWCOMER: i64 = 256;

/// Leases that all machines with one token may hold together before they have delivered a game.
const NEWCOMERS: i64 = 1024;

/// Leases for each slot that a machine may hold before its games are known to be short.
const PER_SLOT: i64 = 64;

/// The most leases beside those in play: those that wait at a worker with the shortest games, and those whose results are in
/// transit.
const MOST_RESERVE: i64 = 1_024;

/// Leases for each slot of a machine whose games are long: one in play and one waiting, doubled.
const PLAYED_PER_SLOT: i64 = 4;

/// A lease that was not begun may wait this many times as long as a game in play may go without a move.
const WAITS: i64 = 4;

/// Plies of two games on the largest board: the bound for leases without a known board.
const MOST_PLIES: u32 = 2 * 271;

/// Leases that a machine may hold. The first term is what its slots need for the shortest games, up to [`NEWCOMER`].
/// Beyond that, a machine gets a few leases for each slot, as far as it has delivered games, and as many more as it
/// delivered in the last minute.
pub(crate) fn most_leases(slots: u32, delivered: Delivered) -> i64 {
    let slots = i64::from(slots);
    let played = (PLAYED_PER_SLOT * slots).min(NEWCOMER + delivered.ever);
    let reserve = MOST_RESERVE.min(delivered.recent as i64);
    (PER_SLOT * slots).min(NEWCOMER).max(played + reserve)
}

/// Whether a machine has delivered too few games for a limit of its own. Its leases then also count against the limit of its
/// token.
pub(crate) fn is_newcomer(delivered: Delivered) -> bool {
    delivered.ever < NEWCOMER
}

/// Leases that all machines with a token may hold together while one of them is a newcomer.
pub(crate) fn most_leases_of_token(games: i64) -> i64 {
    NEWCOMERS + games
}

/// What the reported plies of a lease show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The game has moved on.
    Moved,
    /// The game has not moved on.
    Still,
    /// More plies than the board has cells.
    Impossible,
}

impl Progress {
    /// Compares the reported plies with the stored ones. A worker that was restarted may have lost some plies.
    pub(crate) fn of(lease: &LeaseRow, plies: u32, restarted: bool) -> Self {
        if plies > lease.most_plies.unwrap_or(MOST_PLIES) {
            Self::Impossible
        } else if plies > lease.plies || (restarted && plies < lease.plies) {
            Self::Moved
        } else {
            Self::Still
        }
    }
}

/// Why a lease without progress is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overdue {
    /// Its game made no move.
    Stood,
    /// It was never begun.
    NeverBegun,
}

/// Whether a lease without progress is overdue. `moved_ms` is when any game of its worker last moved on: a lease that waits for a
/// free slot is judged by the other games, up to a limit.
pub(crate) fn overdue(lease: &LeaseRow, moved_ms: i64, now_ms: i64, terms: &Terms) -> Option<Overdue> {
    let held_ms = now_ms - lease.granted_ms;
    if lease.plies == 0 && held_ms >= terms.stall_ms.saturating_mul(WAITS) {
        return Some(Overdue::NeverBegun);
    }
    let last_ms = if lease.plies == 0 { lease.progress_ms.max(moved_ms) } else { lease.progress_ms };
    let most_ms = terms.stall_ms.saturating_mul(i64::from(lease.most_plies.unwrap_or(MOST_PLIES)));
    (now_ms - last_ms >= terms.stall_ms || held_ms >= most_ms).then_some(Overdue::Stood)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newcomer_holds_few_leases_whatever_it_says_and_a_small_machine_as_many_as_it_plays() {
        let none = Delivered::default();
        assert_eq!([1, 2, 4, 64, 1024].map(|slots| most_leases(slots, none)), [64, 128, 256, 256, 256]);
        assert_eq!(most_leases(1024, none.and(1_000)), 256 + 1_000 + 1_000);
        assert_eq!(most_leases(2, none.and(300)), 8 + 300);
        assert_eq!(most_leases(2, none.and(100_000)), 8 + 1_024);
        assert_eq!(most_leases(64, none.and(100_000).after(3_600_000)), 256);
    }

    #[test]
    fn what_was_delivered_fades_and_a_clock_that_steps_back_adds_nothing() {
        let once = Delivered::default().and(100);
        assert!((once.after(60_000).recent - 36.8).abs() < 0.1);
        assert_eq!(once.after(-60_000), once);
    }
}
