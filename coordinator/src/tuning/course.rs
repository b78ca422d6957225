//! The recommendations over time. Each one follows from the first trials alone, so the course is a function of the log.

use protocol::tune::PastRecommendation;
use std::collections::BTreeMap;
use tuner::{Log, Trial, Tune, looks};

/// The past recommendations that were computed.
#[derive(Default)]
pub(crate) struct RecommendationHistory {
    /// By the number of first trials: how many of them had a result, and the recommendation.
    looks: BTreeMap<usize, (usize, Vec<PastRecommendation>)>,
}

impl RecommendationHistory {
    /// The recommendations after some of the first trials, as far as they were computed.
    pub(crate) fn told(&self) -> Vec<PastRecommendation> {
        self.looks.values().flat_map(|(_, looked)| looked).cloned().collect()
    }

    /// The first computation that is due. Its trials have results, except one that is missing for long.
    fn due(&self, log: &Log) -> Option<(usize, usize)> {
        let trials = log.trials();
        let all = looks(trials.len());
        let newest = all.last().copied();
        let told = |look: usize| trials[..look].iter().filter(|trial| trial.outcome.is_some()).count();
        all.into_iter().find_map(|look| {
            let told = told(look);
            let is_due = told == look || (Some(look) != newest && 10 * told >= 9 * look);
            let is_known = self.looks.get(&look).is_some_and(|(seen, _)| *seen == told);
            (is_due && !is_known).then_some((look, told))
        })
    }

    /// Whether no computation is due.
    pub(crate) fn is_complete(&self, log: &Log) -> bool {
        self.due(log).is_none()
    }

    /// Computes one past recommendation that is due, with a tune that has no trials yet.
    pub(crate) fn compute_past(&mut self, log: &Log, begin: impl FnOnce() -> Option<Tune>) {
        let Some((look, told)) = self.due(log) else { return };
        let first: Vec<Trial> = log.trials()[..look].to_vec();
        let games: f64 = first.iter().filter_map(|trial| trial.outcome).map(|outcome| outcome.games()).sum();
        let past = begin().and_then(|mut past| {
            first.into_iter().try_for_each(|trial| past.add(trial).map(drop)).ok()?;
            Some(past.recommend())
        });
        let kept = |one| PastRecommendation::new(look as u64, games as u64, one);
        self.looks.insert(look, (told, past.unwrap_or_default().into_iter().map(kept).collect()));
    }
}
