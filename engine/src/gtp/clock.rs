//! The clock: how long to think about a move. All times are CPU time of the searching thread.

use crate::side::{BySide, Side};
use std::time::Duration;

/// The limits of one move. At least one is set; if both are, both hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    pub(super) time: Option<Duration>,
    pub(super) sims: Option<u64>,
}

/// The part of the remaining time that a player spends on a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Share {
    /// This many times an even part, if the game fills the board.
    Even(f64),
    /// Per cent of the remaining time.
    Percent(f64),
    /// This many times an even part, if the game is as long as playouts are.
    Expected(f64),
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Share::Even(factor) => write!(f, "evenness {factor}"),
            Share::Percent(percent) => write!(f, "percent {percent}"),
            Share::Expected(factor) => write!(f, "stats {factor}"),
        }
    }
}

/// The thinking time of both players and its distribution over moves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clock {
    /// Time for every move.
    pub(super) per_move: Duration,
    /// Additional time for a whole game.
    pub(super) game: Duration,
    /// Time for every move after that: byo-yomi.
    pub(super) byo_yomi: Duration,
    /// What is left of these two in the current game.
    pub(super) left: TimeLeft,
    /// Whether time saved on a move is added to the remaining time.
    pub(super) flexible: bool,
    /// The part of the remaining time that a move may use.
    pub(super) share: Share,
    /// Simulations per move; 0 for no limit.
    pub(super) sims: u64,
}

/// The time of the current game. Every game begins with what the settings give.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct TimeLeft {
    /// What remains of the time for the game.
    pub(super) game: BySide<Duration>,
    /// Time for every move after that.
    pub(super) byo_yomi: BySide<Duration>,
    /// Whether the time for the game is limited, even if nothing of it remains.
    pub(super) is_limited: bool,
}

/// The time per move when no limit is set.
pub(super) const UNLIMITED_SECONDS: u64 = 1;

/// The part of a move's byo-yomi that a search uses. The rest is for what a controller counts besides.
const BYO_YOMI_USED: f64 = 0.95;

impl Default for Clock {
    fn default() -> Self {
        Self {
            per_move: Duration::ZERO,
            game: Duration::ZERO,
            byo_yomi: Duration::ZERO,
            left: TimeLeft::default(),
            flexible: false,
            share: Share::Even(1.0),
            sims: 0,
        }
    }
}

impl Clock {
    /// Starts a new game with all of its time.
    pub(super) fn restart(&mut self) {
        let both = |time| BySide { white: time, black: time };
        self.left = TimeLeft {
            game: both(self.game),
            byo_yomi: both(self.byo_yomi),
            is_limited: !(self.game.is_zero() && self.byo_yomi.is_zero()),
        };
    }

    /// Whether time is limited.
    pub(super) fn is_timed(&self) -> bool {
        self.left.is_limited || !self.per_move.is_zero()
    }

    /// The limits of a move of `player` with `empty_cells` empty cells, or with `expected` further moves according to
    /// playouts. A move may use at most the whole remaining time.
    pub(super) fn limits(&self, player: Side, empty_cells: usize, expected: impl FnOnce() -> f64) -> Limits {
        let sims = (self.sims > 0).then_some(self.sims);
        let remaining = self.left.game[player];
        let time = if self.is_timed() {
            // Half of the further moves are the player's.
            let share = || match self.share {
                Share::Even(factor) => 2.0 * factor / empty_cells.max(1) as f64,
                Share::Percent(percent) => percent / 100.0,
                Share::Expected(factor) => 2.0 * factor / expected().max(1.0),
            };
            let part = match remaining {
                Duration::ZERO => Duration::ZERO,
                remaining => remaining.mul_f64(share().min(1.0)),
            };
            // A move that begins in the time for the game and takes no longer than a move of byo-yomi loses nothing.
            let byo_yomi = self.left.byo_yomi[player].mul_f64(BYO_YOMI_USED);
            Some(self.per_move.saturating_add(part.max(byo_yomi)))
        } else {
            sims.is_none().then_some(Duration::from_secs(UNLIMITED_SECONDS))
        };
        Limits { time, sims }
    }

    /// Subtracts the time of a move from the time of `player`.
    pub(super) fn charge(&mut self, player: Side, used: Duration) {
        if used > self.per_move {
            self.charge_thought(player, used - self.per_move);
        } else if self.flexible {
            let remaining = &mut self.left.game[player];
            *remaining = remaining.saturating_add(self.per_move - used);
        }
    }

    /// Subtracts time that `player` thinks without making a move: the time for a move is there for the move.
    pub(super) fn charge_thought(&mut self, player: Side, used: Duration) {
        let remaining = &mut self.left.game[player];
        *remaining = remaining.saturating_sub(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    #[test]
    fn a_move_gets_its_time_and_an_even_share_of_the_game() {
        let mut clock = Clock { per_move: seconds(3), game: seconds(100), ..Clock::default() };
        clock.restart();
        let expected = || 40.0;
        let time = |clock: &Clock, empty_cells| clock.limits(Side::White, empty_cells, expected).time;
        assert_eq!(time(&clock, 100), Some(seconds(5)));
        assert_eq!(time(&clock, 1), Some(seconds(103)));
        clock.share = Share::Percent(7.0);
        assert_eq!([1, 100].map(|empty_cells| time(&clock, empty_cells)), [Some(seconds(10)); 2]);
        clock.share = Share::Expected(2.0);
        assert_eq!([1, 100].map(|empty_cells| time(&clock, empty_cells)), [Some(seconds(13)); 2]);
        clock.share = Share::Even(2.0);
        assert_eq!(time(&clock, 100), Some(seconds(7)));
        clock.left.game.white = Duration::ZERO;
        assert_eq!(time(&clock, 100), Some(seconds(3)));
        assert_eq!(clock.limits(Side::Black, 100, expected).time, Some(seconds(7)));
    }

    #[test]
    fn a_player_without_time_or_limits_still_has_a_limit() {
        let spent = Clock { left: TimeLeft { is_limited: true, ..TimeLeft::default() }, ..Clock::default() };
        assert_eq!(spent.limits(Side::White, 10, || 1.0), Limits { time: Some(Duration::ZERO), sims: None });
        assert_eq!(
            Clock::default().limits(Side::White, 10, || 1.0),
            Limits { time: Some(seconds(1)), sims: None }
        );
        let counted = Clock { sims: 7, ..Clock::default() };
        assert_eq!(counted.limits(Side::White, 10, || 1.0), Limits { time: None, sims: Some(7) });
    }

    #[test]
    fn byo_yomi_begins_when_the_time_for_the_game_is_used_up() {
        let mut clock = Clock { game: seconds(100), ..Clock::default() };
        clock.restart();
        clock.left.byo_yomi = BySide { white: seconds(20), black: seconds(40) };
        let times = |clock: &Clock, empty_cells| {
            [Side::White, Side::Black].map(|player| clock.limits(player, empty_cells, || 1.0).time)
        };
        assert_eq!(
            times(&clock, 8),
            [Some(seconds(25)), Some(seconds(38))],
            "a part of the game, or byo-yomi"
        );
        assert_eq!(times(&clock, 100), [Some(seconds(19)), Some(seconds(38))]);
        clock.charge(Side::White, seconds(100));
        assert_eq!(times(&clock, 8), [Some(seconds(19)), Some(seconds(38))]);
        clock.charge(Side::White, seconds(19));
        assert_eq!(times(&clock, 8)[0], Some(seconds(19)), "again and again");
    }

    #[test]
    fn only_a_flexible_clock_gives_back_what_a_move_saved() {
        let mut clock = Clock { per_move: seconds(5), game: seconds(60), ..Clock::default() };
        clock.restart();
        clock.charge(Side::White, seconds(2));
        assert_eq!(clock.left.game.white, seconds(60));
        clock.charge(Side::White, seconds(9));
        assert_eq!((clock.left.game.white, clock.left.game.black), (seconds(56), seconds(60)));
        clock.flexible = true;
        clock.charge(Side::White, seconds(2));
        assert_eq!(clock.left.game.white, seconds(59));
        clock.charge(Side::White, seconds(1000));
        assert_eq!(clock.left.game.white, Duration::ZERO);
    }

    #[test]
    fn a_thought_without_a_move_takes_and_saves_no_time() {
        let mut clock = Clock { per_move: seconds(5), game: seconds(60), flexible: true, ..Clock::default() };
        clock.restart();
        clock.charge_thought(Side::Black, seconds(2));
        assert_eq!(clock.left.game.black, seconds(58));
        clock.charge_thought(Side::Black, seconds(9));
        assert_eq!((clock.left.game.white, clock.left.game.black), (seconds(60), seconds(49)));
        clock.charge_thought(Side::Black, seconds(1000));
        assert_eq!(clock.left.game.black, Duration::ZERO);
    }
}
