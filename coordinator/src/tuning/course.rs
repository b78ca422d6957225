//! What was recommended over time. Each look back is what the first trials alone recommend, so that the course follows from the
//! log, too.

use protocol::tune::PastRecommendation;
use std::collections::BTreeMap;
use tuner::{Log, Trial, Tune, looks};

/// The looks back that were made.
#[derive(Default)]
pub(crate) struct Course {
    /// By the number of first trials: how many of them had a result, and what was recommended.
    looks: BTreeMap<usize, (usize, Vec<PastRecommendation>)>,
}

impl Course {
    /// What would have been recommended after some of the first trials, as far as somebody has looked.
    pub(crate) fn told(&self) -> Vec<PastRecommendation> {
        self.looks.values().flat_map(|(_, looked)| looked).cloned().collect()
    }

    /// The first look that is due. The trials of a look have results, except where one is missing for long.
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

    /// Whether no look is due.
    pub(crate) fn is_complete(&self, log: &Log) -> bool {
        self.due(log).is_none()
    }

    /// Makes one look that is due, with a tune that has no trials yet.
    pub(crate) fn look_back(&mut self, log: &Log, begin: impl FnOnce() -> Option<Tune>) {
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
