//! What this machine knows about its own speed, by board size.

use crate::calibrate;
use crate::drift::{DriftTracker, GameKind};
use engine::havannah::BoardSize;
use protocol::result::Speed;
use std::collections::BTreeMap;

/// A change of drift worth a line in the log.
const NOTABLE_DRIFT: f64 = 0.05;

/// Speeds measured at start, corrected by drift.
#[derive(Debug, Default)]
pub(crate) struct SpeedBook {
    measured: BTreeMap<BoardSize, f64>,
    drift: DriftTracker,
    drift_reported: BTreeMap<BoardSize, f64>,
}

impl SpeedBook {
    /// Takes the speed measured on a board.
    pub(crate) fn calibrated(&mut self, size: BoardSize, sims_per_s: f64) {
        self.measured.insert(size, sims_per_s);
    }

    /// The speed on a board, if it was measured.
    pub(crate) fn on(&self, size: BoardSize) -> Option<Speed> {
        let sims_per_s = *self.measured.get(&size)?;
        let drift = self.drift.on(size);
        Some(Speed { size, sims_per_s, factor: calibrate::factor(size, sims_per_s) / drift, drift })
    }

    /// Whether nothing was measured yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.measured.is_empty()
    }

    /// The speeds on all boards measured, ascending.
    pub(crate) fn all(&self) -> Vec<Speed> {
        self.measured.keys().filter_map(|&size| self.on(size)).collect()
    }

    /// Takes the baseline's speed in a game; answers the new speed when its drift deserves a line in the log.
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
