//! What was computed from the log of a tune and is kept: the model, and looks back at what was recommended.

use super::{KeptModel, LiveTune};
use protocol::ids::CellId;
use protocol::tune::{PastRecommendation, PlayedPoint, PlayedPoints, sizes};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tuner::{Model, Opponent, Outcome, Trial, looks};

/// Points that are told at most.
const MOST_POINTS: usize = 300;

/// What was computed.
#[derive(Default)]
pub(super) struct Seen {
    model: KeptModel,
    /// By the number of first trials: how many of them had a result, and what was recommended.
    looks: BTreeMap<usize, (usize, Vec<PastRecommendation>)>,
}

impl LiveTune {
    /// The model for an answer.
    pub(crate) fn model(&mut self) -> Arc<Model> {
        let (last, more_will_come) = (self.last_points(), self.outstanding() > 0);
        self.seen.model.for_answer(&self.tune, last.as_deref(), more_will_come)
    }

    /// Makes the model anew when it is much older than the log, so that no answer has to.
    pub(crate) fn refresh_model(&mut self) {
        let last = self.last_points();
        self.seen.model.refresh(&self.tune, last.as_deref());
    }

    /// What would have been recommended after some of the first trials, as far as somebody has looked.
    pub(crate) fn course(&self) -> Vec<PastRecommendation> {
        self.seen.looks.values().flat_map(|(_, looked)| looked).cloned().collect()
    }

    /// The first look that is due. The trials of a look have results, except where one is missing for long.
    fn due(&self) -> Option<(usize, usize)> {
        let trials = self.tune.log().trials();
        let all = looks(trials.len());
        let newest = all.last().copied();
        let told = |look: usize| trials[..look].iter().filter(|trial| trial.outcome.is_some()).count();
        all.into_iter().find_map(|look| {
            let told = told(look);
            let is_due = told == look || (Some(look) != newest && 10 * told >= 9 * look);
            let is_known = self.seen.looks.get(&look).is_some_and(|(seen, _)| *seen == told);
            (is_due && !is_known).then_some((look, told))
        })
    }

    /// Whether nobody has to look back.
    pub(crate) fn course_is_complete(&self) -> bool {
        self.due().is_none()
    }

    /// Makes one look that is due: what the first trials alone recommend. So the course follows from the log, too.
    pub(crate) fn look_back(&mut self) {
        let Some((look, told)) = self.due() else { return };
        let first: Vec<Trial> = self.tune.log().trials()[..look].to_vec();
        let games: f64 = first.iter().filter_map(|trial| trial.outcome).map(|outcome| outcome.games()).sum();
        let past = self.spec.begin(sizes(&self.first)).ok().and_then(|mut past| {
            first.into_iter().try_for_each(|trial| past.add(trial).map(drop)).ok()?;
            Some(past.recommend())
        });
        let kept = |one| PastRecommendation::new(look as u64, games as u64, one);
        self.seen.looks.insert(look, (told, past.unwrap_or_default().into_iter().map(kept).collect()));
    }

    /// The points that were played, with their results.
    pub(crate) fn played(&self) -> PlayedPoints {
        let mut points: Vec<PlayedPoint> = Vec::new();
        let mut places: HashMap<CellId, usize> = HashMap::new();
        for (number, trial) in self.tune.log().trials().iter().enumerate() {
            let Some(outcome) = trial.outcome else { continue };
            let cell = self.origins[number].1;
            let place = *places.entry(cell).or_insert_with(|| {
                points.push(point(cell, number, trial));
                points.len() - 1
            });
            let all = &mut points[place].outcome;
            all.wins += outcome.wins;
            all.draws += outcome.draws;
            all.losses += outcome.losses;
        }
        let count = points.len();
        let shown = count.min(MOST_POINTS);
        // Evenly spaced, the first and the last among them.
        let at = |i: usize| if shown < 2 { 0 } else { i * (count - 1) / (shown - 1) };
        let rated = |i: usize| {
            let point = points[at(i)].clone();
            PlayedPoint { rate: point.outcome.rate(), ..point }
        };
        PlayedPoints { count: count as u64, points: (0..shown).map(rated).collect() }
    }
}

fn point(cell: CellId, number: usize, trial: &Trial) -> PlayedPoint {
    let proposal = &trial.proposal;
    PlayedPoint {
        cell,
        number: number as u64,
        point: proposal.point.clone(),
        opponent: match &proposal.opponent {
            Opponent::Baseline => None,
            Opponent::Point(point) => Some(point.clone()),
        },
        size: proposal.size,
        outcome: Outcome { wins: 0, draws: 0, losses: 0 },
        rate: 0.5,
    }
}
