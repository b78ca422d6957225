//! The speed of this machine, by board size.

use crate::calibrate;
use crate::drift::{DriftTracker, GameKind};
use engine::havannah::BoardSize;
use protocol::result::Speed;
use std::collections::BTreeMap;

/// The smallest change of drift that is logged.
const NOTABLE_DRIFT: f64 = 0.05;

/// Speeds measured at start, corrected by drift.
#[derive(Debug, Default)]
pub(crate) struct SpeedBook {
    measured: BTreeMap<BoardSize, f64>,
    drift: DriftTracker,
    drift_reported: BTreeMap<BoardSize, f64>,
}

impl SpeedBook {
    /// Sets the calibrated speed on a board.
    pub(crate) fn calibrated(&mut self, size: BoardSize, sims_per_s: f64) {
        self.measured.insert(size, sims_per_s);
    }

    /// The speed on a board, if it is calibrated.
    pub(crate) fn on(&self, size: BoardSize) -> Option<Speed> {
        let sims_per_s = *self.measured.get(&size)?;
        let drift = self.drift.on(size);
        Some(Speed { size, sims_per_s, factor: calibrate::factor(size, sims_per_s) / drift, drift })
    }

    /// Whether no board is calibrated yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.measured.is_empty()
    }

    /// The speeds on all calibrated boards, in ascending order of size.
    pub(crate) fn all(&self) -> Vec<Speed> {
        self.measured.keys().filter_map(|&size| self.on(size)).collect()
    }

    /// Adds the baseline's speed in a game. Returns the machine's new speed if its drift changed enough to be logged.
    pub(crate) fn played(&mut self, kind: GameKind, sims_per_s: f64) -> Option<Speed> {
        self.drift.add(kind, sims_per_s);
        let speed = self.on(kind.size)?;
        let reported = self.drift_reported.entry(kind.size).or_insert(1.0);
        ((speed.drift / *reported).ln().abs() >= NOTABLE_DRIFT).then(|| {
            *reported = speed.drift;
            speed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::lease::{Budget, ParamSet};

    #[test]
    fn a_machine_that_slows_down_gives_more_time_and_says_so_once() {
        let size = BoardSize::new(6).expect("valid");
        let kind = GameKind::new(size, ParamSet::default().player_id(), Budget::ReferenceSeconds(1.0), 2);
        let mut book = SpeedBook::default();
        assert_eq!(book.on(size), None);
        book.calibrated(size, 10.0 * calibrate::reference_speed(size));
        for _ in 0..40 {
            assert_eq!(book.played(kind, 200_000.0), None);
        }
        assert!((book.on(size).expect("measured").factor - 0.1).abs() < 1e-9);
        let reports = (0..60).filter_map(|_| book.played(kind, 100_000.0)).count();
        let speed = book.on(size).expect("measured");
        assert!((speed.drift - 0.5).abs() < 0.01, "{speed:?}");
        assert!((speed.factor - 0.2).abs() < 0.005, "{speed:?}");
        assert_eq!(speed.sims_per_s, 10.0 * calibrate::reference_speed(size), "what was measured stays");
        assert!((1..=14).contains(&reports), "{reports}");
        assert_eq!(book.all(), [speed]);
    }
}
