//! Trials of tunes that other programs propose, and trials from the games of other experiments.

use crate::coordinator::{BoxFuture, Coordinator, state_of};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{OpenTune, TrialOrigin, TrialRow};
use crate::tuning::LiveTune;
use crate::writer::changing;
use protocol::experiment::CellSpec;
use protocol::report::ExperimentState;
use protocol::tune::{Imported, MOST_PROPOSED, Proposed, ProposedPoints};
use protocol::words::counted;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use tuner::{Opponent, Proposal, SpaceError, StrategyName};

/// The most proposed pairs without a result.
const MOST_OUTSTANDING: usize = 1_000;

/// The most reasons that an error names.
const MOST_REASONS: usize = 6;

/// The most attempts to store trials: each fails if another request changes the plan meanwhile.
const TRIES: u32 = 20;

impl Coordinator {
    /// Adds points that another program wants to be played to a tune with the strategy `foreign`; gives the numbers of the
    /// trials.
    ///
    /// # Errors
    /// When there is no such tune, it has ended, its strategy is another one, a point is outside the space, there are too many,
    /// or the database fails.
    pub fn propose(
        &self,
        key: &str,
        points: ProposedPoints,
    ) -> BoxFuture<'static, Result<Proposed, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        self.run_detached(async move {
            for _ in 0..TRIES {
                if let Some(proposed) = coordinator.try_to_propose(&key, &points).await? {
                    return Ok(proposed);
                }
            }
            Err(busy(&key))
        })
    }

    /// Gives none when another request changed the plan meanwhile.
    async fn try_to_propose(
        &self,
        key: &str,
        points: &ProposedPoints,
    ) -> Result<Option<Proposed>, CoordinatorError> {
        let row = reporting::find(&mut self.inner.store.read().await?, key).await?;
        let mut live = self.inner.tunes.entry(row.id).lock().await;
        let mut tx = self.inner.store.read().await?;
        let state = state_of(&mut tx, row.id, &row.name).await?;
        let ends = [ExperimentState::Stopped, ExperimentState::Archived];
        if ends.contains(&row.state) {
            return Err(CoordinatorError::Refused(format!(
                "`{}` is {}: no point of it is played any more",
                row.name, row.state
            )));
        }
        let tune = LiveTune::catch_up(&mut live, &mut tx, &state).await?;
        drop(tx);
        let proposals = checked(tune, &state, points)?;
        let rows = tune.rows(proposals.into_iter().map(|one| (TrialOrigin::Foreign, one)).collect())?;
        let numbers = rows.trials.iter().map(|trial| trial.number.unsigned_abs()).collect();
        Ok(self.store_trials(&mut live, &state, rows).await?.then_some(Proposed { numbers }))
    }

    /// Adds games of another experiment to a tune: those of cases that are points of the tune's space, against its baseline, at
    /// its budget and on its sizes. They do not count against the tune's own games.
    ///
    /// # Errors
    /// When there is no such tune or experiment, nothing of the experiment belongs to the tune, or the database fails.
    pub fn import_trials(
        &self,
        key: &str,
        from: &str,
        who: &str,
    ) -> BoxFuture<'static, Result<Imported, CoordinatorError>> {
        let (coordinator, key, from, who) = (self.clone(), key.to_owned(), from.to_owned(), who.to_owned());
        self.run_detached(async move {
            for _ in 0..TRIES {
                if let Some(imported) = coordinator.try_to_import(&key, &from, &who).await? {
                    return Ok(imported);
                }
            }
            Err(busy(&key))
        })
    }

    async fn try_to_import(
        &self,
        key: &str,
        from: &str,
        who: &str,
    ) -> Result<Option<Imported>, CoordinatorError> {
        let row = reporting::find(&mut self.inner.store.read().await?, key).await?;
        let mut live = self.inner.tunes.entry(row.id).lock().await;
        let mut tx = self.inner.store.read().await?;
        let state = state_of(&mut tx, row.id, &row.name).await?;
        let origin = reporting::find(&mut tx, from).await?;
        let tune = LiveTune::catch_up(&mut live, &mut tx, &state).await?;
        if tune.spec.strategy.is_some_and(StrategyName::follows_a_schedule) {
            return Err(CoordinatorError::Refused(format!(
                "the strategy `{}` of `{}` follows the number of its games, and games of another experiment would take their place: `clop`, \
                 `duel` and `random` learn from them",
                tune.spec.strategy_name(),
                row.name
            )));
        }
        let (mut points, mut trials, mut others) = (HashSet::new(), Vec::new(), BTreeMap::new());
        let known = tune.pairs();
        for cell in tx.planned_cells(origin.id).await? {
            let (label, proposal) = match proposal_of(tune, &cell.spec) {
                Ok(found) => found,
                Err(why) => {
                    *others.entry(why).or_insert(0) += 1;
                    continue;
                }
            };
            let pairs = tx.done_pairs(cell.cell).await?;
            let new: Vec<i64> = pairs.into_iter().filter(|idx| !known.contains(&(cell.cell, *idx))).collect();
            if new.is_empty() {
                *others.entry("with no game that is new".to_owned()).or_insert(0) += 1;
            } else {
                points.insert(label);
            }
            trials.extend(
                new.into_iter()
                    .map(|idx| TrialRow::new(0, TrialOrigin::Imported, proposal.clone(), (cell.cell, idx))),
            );
        }
        drop(tx);
        if trials.is_empty() {
            return Err(CoordinatorError::Refused(format!(
                "no game of `{}` is new to `{}`: the experiment has {}",
                origin.name,
                row.name,
                listed(others)
            )));
        }
        for (number, trial) in (tune.trials() as i64..).zip(&mut trials) {
            trial.number = number;
        }
        let imported = Imported { points: points.len() as u64, games: 2 * trials.len() as u64 };
        let detail = format!(
            "{} of {} from {}",
            counted(imported.games, "game"),
            counted(imported.points, "point"),
            origin.name
        );
        let (id, name, who) = (row.id, row.name, who.to_owned());
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                if !tx.claim_edition(id, state.edition).await? {
                    return Ok(false);
                }
                tx.insert_trials(id, &trials).await?;
                tx.note_on_timeline((id, &name), &who, ("import", &detail), now_ms).await?;
                Ok(true)
            })
        });
        Ok(self.inner.writer.change(change).await?.then_some(imported))
    }
}

fn busy(key: &str) -> CoordinatorError {
    CoordinatorError::Refused(format!("`{key}` changes all the time; try again later"))
}

/// The trials that are proposed, with sizes and canonical points.
fn checked(
    tune: &LiveTune,
    state: &OpenTune,
    points: &ProposedPoints,
) -> Result<Vec<Proposal>, CoordinatorError> {
    let refuse = |why: String| Err(CoordinatorError::Refused(why));
    if tune.spec.strategy.is_some() {
        return refuse(format!(
            "the strategy `{}` proposes the points of this tune; others propose those of a tune with `strategy = \"foreign\"`",
            tune.spec.strategy_name()
        ));
    }
    let asked = points.points.len();
    if asked == 0 || asked > MOST_PROPOSED {
        return refuse(format!("1 to {MOST_PROPOSED} points are proposed at once, not {asked}"));
    }
    let last = tune.spec.last_trials(tune.first()).len() as i64;
    let left = (state.games_unasked / 2 - last).max(0);
    if asked as i64 > left {
        return refuse(format!(
            "{left} pairs are left for proposals, not {asked}: the last {last} pairs of the tune play the recommended point"
        ));
    }
    if tune.outstanding() + asked > MOST_OUTSTANDING {
        return refuse(format!(
            "{} pairs have no result yet, and {MOST_OUTSTANDING} are waited for at most: propose more points later",
            tune.outstanding()
        ));
    }
    let sizes: Vec<u8> = tune.first().iter().map(|cell| cell.spec.size.get()).collect();
    let mut proposals = Vec::with_capacity(asked);
    for (place, one) in points.points.iter().enumerate() {
        let canonical = |point| {
            let found = tune.spec.parameters.canonical(point);
            found.map_err(|error| CoordinatorError::Refused(format!("point {place}: {error}")))
        };
        let size = match one.size {
            Some(size) if sizes.contains(&size) => size,
            Some(size) => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                return refuse(format!(
                    "point {place}: the tune is not played on size {size}; its sizes are {}",
                    sizes.join(", ")
                ));
            }
            None => tune.size_of(tune.log().asked() + place),
        };
        let opponent = match &one.opponent {
            None => Opponent::Baseline,
            Some(point) => Opponent::Point(canonical(point)?),
        };
        proposals.push(Proposal { point: canonical(&one.point)?, opponent, size });
    }
    Ok(proposals)
}

/// The cells from which a tune learns nothing, by reason, the reason with most cells first.
fn listed(cells: BTreeMap<String, u64>) -> String {
    let mut cells: Vec<(String, u64)> = cells.into_iter().collect();
    cells.sort_by_key(|(_, number)| Reverse(*number));
    let more = cells.len().saturating_sub(MOST_REASONS);
    let shown = cells[..cells.len() - more].iter();
    let mut words: Vec<String> =
        shown.map(|(why, number)| format!("{} {why}", counted(*number, "cell"))).collect();
    if more > 0 {
        words.push("others".to_owned());
    }
    words.join("; ")
}

/// The label and the proposal of the trials that a cell's games are.
///
/// # Errors
/// When the cell does not belong to the tune, in words that follow "a cell".
fn proposal_of(tune: &LiveTune, spec: &CellSpec) -> Result<(String, Proposal), String> {
    let Some(first) = tune.first().iter().find(|first| first.spec.size == spec.size) else {
        return Err(format!("on size {}, which the tune does not play", spec.size));
    };
    if spec.budget != first.spec.budget {
        return Err(format!("with {} a move, not {}", spec.budget.words(), first.spec.budget.words()));
    }
    if spec.baseline != first.spec.baseline {
        return Err(format!("against another baseline than `{}`", first.baseline.label));
    }
    if spec.semantics != first.spec.semantics {
        return Err("of another version of the engine".to_owned());
    }
    let point = tune.spec.point_of(&spec.case).ok_or("with a player that this engine does not know")?;
    let point = tune.spec.parameters.canonical(&point).map_err(|error| match error {
        SpaceError::Value { name, .. } => format!("with a value of `{name}` that it does not try"),
        error => format!("outside its space ({error})"),
    })?;
    let player = tune.spec.player(&point).map_err(|error| error.to_string())?;
    if player.params != spec.case {
        return Err("with a case that differs from its base in other parameters, too".to_owned());
    }
    Ok((player.label, Proposal { point, opponent: Opponent::Baseline, size: spec.size.get() }))
}
