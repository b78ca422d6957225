//! What a strategy tunes.

use crate::log::{Log, Opponent, Proposal};
use crate::objective::{Objective, Target};
use crate::rng::Rng;
use crate::space::{Coordinates, Space};

/// What a strategy tunes.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) space: Space,
    pub(crate) objective: Objective,
    /// The games that may be played.
    pub(crate) games: u64,
    pub(crate) seed: u64,
}

impl Problem {
    /// The random numbers of the trial that is asked for next.
    pub(crate) fn rng(&self, log: &Log) -> Rng {
        Rng::stream(self.seed, log.asked() as u64)
    }

    /// The pairs of games that may be played.
    pub(crate) fn pairs(&self) -> usize {
        (self.games / 2).max(1) as usize
    }

    pub(crate) fn sizes(&self) -> Vec<u8> {
        self.objective.sizes().iter().map(|one| one.size).collect()
    }

    /// The size of the trial that is asked for next, and the index of its target: with one optimum for each size, that of this
    /// size.
    pub(crate) fn turn(&self, log: &Log) -> (u8, usize) {
        let size = self.objective.size_of(log.asked());
        let targets = self.objective.targets();
        let target = targets.iter().position(|target| target.size == Some(size)).unwrap_or(0);
        (size, target)
    }

    pub(crate) fn targets(&self) -> Vec<Target> {
        self.objective.targets()
    }

    pub(crate) fn start(&self) -> Coordinates {
        self.space.place(&self.space.start()).unwrap_or_default()
    }

    pub(crate) fn propose(&self, place: &[f64], opponent: Option<&[f64]>, size: u8) -> Proposal {
        let opponent = opponent.map_or(Opponent::Baseline, |place| Opponent::Point(self.space.point(place)));
        Proposal { point: self.space.point(place), opponent, size }
    }
}
