//! Experiments are applied: a new one is stored, and a known name gets a revision of its plan.
//!
//! A revision is computed beside the writer, as the difference between the stored rows and the new plan. It is stored in parts,
//! so that results are stored in between. Every part is a consistent plan with right totals, and counts the edition of the rows.
//! A part that was computed for another edition is not stored, and the difference is computed again. The last part records the
//! revision. If the process ends before it, applying the same file again stores what is missing, and applying the one before
//! takes it back.

mod diff;
mod difference;
mod settings;
mod tunes;

use crate::admission::check_experiment;
use crate::computing::compute;
use crate::coordinator::{BY_CONTROL, BoxFuture, Coordinator, THIS_PROCESS};
use crate::error::{CoordinatorError, InvalidExperiment};
use crate::store::{ExperimentRow, PlanPart, PlanRow, RevisionRow, RowChange, StoreError, Tx, plan_text};
use crate::writer::changing;
use difference::PlanChanges;
use protocol::experiment::Experiment;
use protocol::ids::{CellId, ExperimentId};
use protocol::report::{Applied, CellChanges, ExperimentState};
use protocol::words::{counted, operands};
use std::collections::HashMap;
use std::sync::Arc;

/// The most rows that one transaction changes.
const PART: usize = 250;

/// The most attempts to store a revision: each fails if another request changes the experiment meanwhile.
const TRIES: u32 = 20;

/// A plan to be applied.
#[derive(Clone)]
struct NewPlan {
    experiment: Arc<Experiment>,
    /// The digest of the experiment.
    content: ExperimentId,
    /// The ids of its cells.
    cells: Arc<[CellId]>,
    /// The text that is stored.
    text: Arc<str>,
}

impl NewPlan {
    /// Checks an experiment, on a thread of its own, so that ten thousand cells delay no other answer.
    async fn checked(experiment: Experiment) -> Result<Self, CoordinatorError> {
        Ok(compute(move || Self::new(experiment)).await??)
    }

    fn new(experiment: Experiment) -> Result<Self, InvalidExperiment> {
        check_experiment(&experiment)?;
        let cells: Arc<[CellId]> = experiment.cells.iter().map(|cell| cell.spec.id()).collect();
        let mut seen = HashMap::new();
        for (cell, planned) in cells.iter().zip(&experiment.cells) {
            if let Some(first) = seen.insert(cell, planned) {
                return Err(InvalidExperiment::Twice {
                    first: first.case.label.clone(),
                    second: planned.case.label.clone(),
                    place: format!("{} on size {}", planned.baseline.label, planned.spec.size),
                });
            }
        }
        let text = plan_text(&experiment, &cells).into();
        Ok(Self { content: experiment.id(), experiment: Arc::new(experiment), cells, text })
    }
}

/// What is stored under the name of a plan.
struct StoredExperiment {
    row: ExperimentRow,
    /// Every revision, the newest first.
    revisions: Vec<RevisionRow>,
    rows: Vec<PlanRow>,
}

impl StoredExperiment {
    async fn find(tx: &mut Tx, plan: &NewPlan) -> Result<Option<Self>, StoreError> {
        let Some(row) = tx.experiment_named(&plan.experiment.name).await? else { return Ok(None) };
        let revisions = tx.revisions(row.id).await?;
        let rows = tx.plan_rows(row.id).await?;
        Ok(Some(Self { row, revisions, rows }))
    }

    /// Whether the plan is the newest revision. Its rows differ if a later plan was applied in part.
    fn is_newest(&self, plan: &NewPlan) -> bool {
        self.revisions.first().is_some_and(|newest| newest.content == plan.content)
    }

    /// Refuses every plan for an experiment that takes no revisions, or takes none from people.
    fn check_open(&self, is_control: bool) -> Result<(), CoordinatorError> {
        let name = &self.row.name;
        if self.row.is_control && !is_control {
            return Err(CoordinatorError::Refused(format!(
                "`{name}` is the control that the coordinator keeps by itself: give the experiment another name"
            )));
        }
        if self.row.state == ExperimentState::Archived {
            return Err(CoordinatorError::Refused(format!(
                "`{name}` is archived: `gauntlet experiment unarchive {}` takes it out of the archive first",
                operands(&[name])
            )));
        }
        if self.row.stopped_ms.is_some() {
            return Err(CoordinatorError::Refused(format!(
                "`{name}` is stopped for good: give the file another name to begin a new experiment, in which equal cells keep \
                 their games"
            )));
        }
        Ok(())
    }

    /// Refuses a plan that may not replace the stored one.
    fn check_replaced(&self, plan: &NewPlan, replaces: Replaces) -> Result<(), CoordinatorError> {
        if replaces == Replaces::Nothing && self.row.id != plan.content {
            return Err(CoordinatorError::Refused(format!(
                "another request began `{}` a moment ago; try again",
                self.row.name
            )));
        }
        if !self.is_newest(plan)
            && replaces != Replaces::Any
            && let Some(older) = self.older(plan)
        {
            let (name, newest) = (self.row.name.clone(), self.row.revision);
            return Err(CoordinatorError::OlderRevision { older, name, newest });
        }
        Ok(())
    }

    /// The name of an older revision with this plan, if there is one.
    fn older(&self, plan: &NewPlan) -> Option<String> {
        let revision = self.revisions.iter().find(|revision| revision.content == plan.content)?;
        Some(format!("revision {} of `{}`", revision.number, self.row.name))
    }
}

/// The stored plans that a new plan of the same name may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replaces {
    /// None, except its own that was not stored to the end.
    Nothing,
    /// The newest, unless its content is that of an older revision.
    Newest,
    /// Any: an older revision becomes the newest again.
    Any,
}

impl Coordinator {
    /// Applies an experiment: stores a new one, or makes the content the newest revision of the experiment with this name.
    /// The content of the newest revision changes nothing.
    ///
    /// # Errors
    /// When it cannot be played, is the content of an older revision, belongs to an archived experiment, or the database fails.
    pub fn apply(&self, experiment: &Experiment) -> BoxFuture<'static, Result<Applied, CoordinatorError>> {
        self.apply_as(experiment, THIS_PROCESS)
    }

    /// As [`Coordinator::apply`], in the name of `who`.
    ///
    /// # Errors
    /// As [`Coordinator::apply`].
    pub fn apply_as(
        &self,
        experiment: &Experiment,
        who: &str,
    ) -> BoxFuture<'static, Result<Applied, CoordinatorError>> {
        self.apply_over(experiment, who, false)
    }

    /// As [`Coordinator::apply_as`]; `supersede` allows the content of an older revision, which becomes the newest again.
    ///
    /// # Errors
    /// As [`Coordinator::apply`].
    pub fn apply_over(
        &self,
        experiment: &Experiment,
        who: &str,
        supersede: bool,
    ) -> BoxFuture<'static, Result<Applied, CoordinatorError>> {
        let replaces = if supersede { Replaces::Any } else { Replaces::Newest };
        self.apply_in_place_of(experiment, who, replaces)
    }

    /// As [`Coordinator::apply_as`], in place of these plans.
    pub(crate) fn apply_in_place_of(
        &self,
        experiment: &Experiment,
        who: &str,
        replaces: Replaces,
    ) -> BoxFuture<'static, Result<Applied, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        let experiment = experiment.clone();
        self.run_detached(async move {
            let plan = NewPlan::checked(experiment).await?;
            // One at a time: concurrent ones would invalidate each other's differences.
            let _turn = coordinator.inner.applying.lock().await;
            for _ in 0..TRIES {
                if let Some(applied) = coordinator.try_to_apply(&plan, &who, replaces).await? {
                    coordinator.inner.terms.filter.admit(plan.content, applied.id);
                    return Ok(applied);
                }
            }
            Err(CoordinatorError::Refused(format!(
                "other requests replace `{}` all the time; apply it again later",
                plan.experiment.name
            )))
        })
    }

    /// Gives none when the rows changed meanwhile.
    async fn try_to_apply(
        &self,
        plan: &NewPlan,
        who: &str,
        replaces: Replaces,
    ) -> Result<Option<Applied>, CoordinatorError> {
        let mut tx = self.inner.store.read().await?;
        let stored = StoredExperiment::find(&mut tx, plan).await?;
        if let Some(stored) = &stored {
            stored.check_open(who == BY_CONTROL)?;
            stored.check_replaced(plan, replaces)?;
        }
        let difference = PlanChanges::of(&mut tx, stored.as_ref(), plan).await?;
        drop(tx);
        if let Some(stored) = &stored
            && stored.is_newest(plan)
            && difference.rows.is_empty()
        {
            return Ok(Some(applied(&stored.row, (false, false), difference.counts)));
        }
        let row =
            self.store_revision(plan, stored.as_ref().map(|stored| &stored.row), &difference, who).await?;
        Ok(row.map(|row| applied(&row, (stored.is_none(), true), difference.counts)))
    }

    /// Stores a plan in parts, as the next revision of the experiment in `row`; gives the row after it. Gives none when the rows
    /// changed meanwhile.
    async fn store_revision(
        &self,
        plan: &NewPlan,
        row: Option<&ExperimentRow>,
        difference: &PlanChanges,
        who: &str,
    ) -> Result<Option<ExperimentRow>, CoordinatorError> {
        let id = row.map_or(plan.content, |row| row.id);
        let revision = row.map_or(0, |row| row.revision.cast_signed()) + 1;
        let mut edition = row.map(|row| row.edition);
        let part = |edition, changes: &[RowChange]| PlanPart {
            id,
            experiment: plan.experiment.clone(),
            edition,
            revision,
            is_control: who == BY_CONTROL,
            changes: changes.to_vec(),
        };
        let mut parts: Vec<&[RowChange]> = difference.rows.chunks(PART).collect();
        let last = parts.pop().unwrap_or_default();
        for changes in parts {
            let part = part(edition, changes);
            let change =
                changing(move |tx, now_ms| Box::pin(async move { tx.store_part(&part, now_ms).await }));
            if !self.inner.writer.change(change).await? {
                return Ok(None);
            }
            edition = Some(edition.map_or(1, |edition| edition + 1));
        }
        let part = part(edition, last);
        let (who, content, text, counts) =
            (who.to_owned(), plan.content, plan.text.clone(), difference.counts);
        let settings: String = difference.settings.iter().map(|setting| format!("; {setting}")).collect();
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                if !tx.store_part(&part, now_ms).await? {
                    return Ok(None);
                }
                let recorded = RevisionRow { number: revision, content, applied_ms: now_ms, who };
                tx.record_revision((id, &recorded), &part.experiment, &text).await?;
                if let Some(tune) = &part.experiment.tune {
                    tx.begin_tune(id, tune, &part.experiment.cells).await?;
                }
                let row = tx.experiment(id).await?.ok_or(StoreError::Null("experiment"))?;
                let detail = format!(
                    "revision {revision}: {counts}; {} planned{settings}",
                    counted(row.games_planned, "game")
                );
                tx.note_on_timeline((id, &row.name), &recorded.who, ("apply", &detail), now_ms).await?;
                Ok(Some(row))
            })
        });
        Ok(self.inner.writer.change(change).await?)
    }
}

fn applied(row: &ExperimentRow, (created, revised): (bool, bool), changes: CellChanges) -> Applied {
    Applied {
        id: row.id,
        created,
        revision: row.revision,
        revised,
        changes,
        cells: row.cells,
        games_planned: row.games_planned,
        games_done: row.games_done,
    }
}
