//! The coordinator's own control: the baselines against themselves, on every size and with every budget that other experiments
//! play. It is an ordinary experiment with a small weight. Its plan follows from the plans of the others.

use super::repeating::{Failing, every};
use super::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::store::{PlannedCellRow, StoreError, UnderWay};
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, MAX_CELLS, PlannedCell, Policy};
use protocol::ids::{CellId, ExperimentId};
use protocol::life::ExperimentChange;
use protocol::report::ExperimentState;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::time::Duration;

/// The author of the coordinator's changes of its control.
pub(crate) const BY_CONTROL: &str = "coordinator: control";

/// The name of the control, and its name if people have an experiment with that name.
const NAMES: [&str; 2] = ["control", "coordinator-control"];

const QUESTION: &str = "Does every baseline score 50 % against itself? The coordinator plays this by itself, beside the other experiments.";

/// The pairs of a cell: more than are ever played.
const PAIRS: u32 = 10_000_000;

/// The seed of its cells. It differs from that of most files, so that the control does not share their games.
const SEED: u64 = 0x00c0_417a_0150;

/// The time between two checks of the other experiments.
const LOOK: Duration = Duration::from_secs(10);

/// Weights that an experiment can have.
const WEIGHTS: (f64, f64) = (1e-6, 1e6);

/// The experiments beside the control, and the editions of their plans.
type PlanEditions = Vec<(ExperimentId, i64)>;

impl Coordinator {
    /// Every ten seconds: see [`Coordinator::keep_control`].
    pub(crate) async fn follow_control(&self) -> Infallible {
        let mut failing = Failing::default();
        let mut seen = PlanEditions::new();
        let mut ticks = every(LOOK);
        loop {
            ticks.tick().await;
            failing.note(self.keep(&mut seen).await, "the control stays as it is until it can be changed");
            if self.inner.control_share <= 0.0 && !failing.is() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Reconciles the control with the other experiments: its cells, its weight, and its pause, which lasts while nothing else is
    /// played. [`Coordinator::serve`] does so by itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn keep_control(&self) -> BoxFuture<'static, Result<(), CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move { coordinator.keep(&mut PlanEditions::new()).await })
    }

    async fn keep(&self, seen: &mut PlanEditions) -> Result<(), CoordinatorError> {
        let (share, filter) = (self.inner.control_share, &self.inner.terms.filter);
        let mut tx = self.inner.store.intake_conn().await?;
        let control = tx.control().await?;
        let mut others = tx.under_way_beside_control(engine::SEMANTICS).await?;
        others.retain(|other| filter.allows(other.id));
        if share <= 0.0 || others.is_empty() {
            drop(tx);
            // A process with a filter of experiments pauses only a control that passes its filter.
            return match control.filter(|row| row.state == ExperimentState::Active) {
                Some(row) if filter.is_all() || filter.allows(row.id) => {
                    self.change_control(row.id, ExperimentChange::Pause).await
                }
                _ => Ok(()),
            };
        }
        if control.as_ref().is_some_and(|row| row.state == ExperimentState::Archived) {
            return Ok(());
        }
        let weight = share / (1.0 - share) * others.iter().map(|other| other.weight).sum::<f64>();
        let weight = weight.clamp(WEIGHTS.0, WEIGHTS.1);
        let now: PlanEditions = others.iter().map(|other| (other.id, other.edition)).collect();
        let mut id = control.as_ref().map(|row| row.id);
        if id.is_none() || *seen != now {
            if let Some(experiment) = wanted(&mut tx, id, &others, weight).await? {
                drop(tx);
                id = Some(self.apply_over(&experiment, BY_CONTROL, true).await?.id);
                tx = self.inner.store.intake_conn().await?;
            }
            *seen = now;
        }
        let Some(id) = id else { return Ok(()) };
        filter.also_allow(id);
        let Some(row) = tx.experiment(id).await? else { return Ok(()) };
        let paused_by = tx.last_pause_by(id).await?;
        drop(tx);
        if (row.weight - weight).abs() > 1e-6 * weight {
            self.change_control(id, ExperimentChange::Weight(weight)).await?;
        }
        // A pause by a person is left to people.
        if row.paused_ms.is_some() && paused_by.as_deref() == Some(BY_CONTROL) {
            self.change_control(id, ExperimentChange::Resume).await?;
        }
        Ok(())
    }

    async fn change_control(
        &self,
        id: ExperimentId,
        change: ExperimentChange,
    ) -> Result<(), CoordinatorError> {
        self.change_experiment(&id.to_string(), change, BY_CONTROL).await.map(drop)
    }
}

/// The control for the other experiments; none if the stored one has the same cells.
async fn wanted(
    tx: &mut crate::store::Tx,
    id: Option<ExperimentId>,
    others: &[UnderWay],
    weight: f64,
) -> Result<Option<Experiment>, StoreError> {
    let stored = match id {
        Some(id) => tx.planned_cells(id).await?,
        None => Vec::new(),
    };
    // A cell keeps its label if several experiments name the player differently.
    let labels: HashMap<CellId, &str> =
        stored.iter().map(|row| (row.cell, row.baseline_label.as_str())).collect();
    let mut planned = HashSet::new();
    let mut cells = Vec::new();
    for other in others {
        let rows = tx.planned_cells(other.id).await?;
        // A tune has one baseline, which its first cells have. The opponent of a later trial may be another point instead of a
        // baseline, and with these the control would grow with every trial.
        let is_tune = tx.tune(other.id).await?.is_some();
        let only = rows.first().filter(|_| is_tune).map(|row| row.spec.baseline.clone());
        let is_wanted = |row: &PlannedCellRow| {
            !row.is_closed && only.as_ref().is_none_or(|only| *only == row.spec.baseline)
        };
        for row in rows.into_iter().filter(is_wanted) {
            let case = row.spec.baseline.clone();
            let spec = CellSpec { case, seed: SEED, ..row.spec };
            let cell = spec.id();
            if cells.len() < MAX_CELLS && planned.insert(cell) {
                let label = labels.get(&cell).map_or(row.baseline_label, |label| (*label).to_owned());
                cells.push(control_cell(spec, label));
            }
        }
    }
    let open: HashSet<CellId> = stored.iter().filter(|row| !row.is_closed).map(|row| row.cell).collect();
    if cells.is_empty() || planned == open {
        return Ok(None);
    }
    let name = match id {
        Some(id) => tx.experiment(id).await?.map(|row| row.name).unwrap_or_default(),
        None => match tx.experiment_named(NAMES[0]).await? {
            // Another coordinator may have stored the control since the query: then it is the same.
            Some(row) if !row.is_control => NAMES[1].to_owned(),
            _ => NAMES[0].to_owned(),
        },
    };
    Ok(Some(Experiment {
        name,
        question: QUESTION.into(),
        weight,
        policy: Policy::Coverage,
        file: None,
        tune: None,
        cells,
    }))
}

/// A player against itself. With N pairs in a cell whose games cost c, the sum of c·N is given; the sum of the variances 1/N is
/// least where N is in proportion to 1/√c.
fn control_cell(spec: CellSpec, label: String) -> PlannedCell {
    let player = |group: &str, label: String| LabelledPlayer {
        group: group.to_owned(),
        label,
        params: spec.baseline.clone(),
    };
    PlannedCell {
        case: player("control", "itself".to_owned()),
        baseline: player("baseline", label),
        weight: spec.reference_seconds().max(1e-6).sqrt().recip(),
        pairs: PAIRS,
        stop: None,
        spec,
    }
}
