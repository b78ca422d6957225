//! The cells that a search passes, each read once.

use super::super::names::with_group;
use crate::store::{CellNames, PlayRow, StoreError, Tx};
use engine::side::Side;
use protocol::browse::{CaseResult, FoundGame, PlannedBy};
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId};
use std::collections::{HashMap, HashSet};

/// A cell, and the experiments that plan it.
pub(in crate::reporting) struct CellAbout {
    pub(in crate::reporting) spec: CellSpec,
    names: Vec<CellNames>,
}

impl CellAbout {
    /// Group and label of the case, or the label where both are the same; a cell that no experiment plans has no name.
    pub(in crate::reporting) fn case(&self) -> String {
        self.names.first().map(|names| with_group(&names.case_group, &names.case_label)).unwrap_or_default()
    }

    pub(in crate::reporting) fn baseline(&self) -> String {
        self.names.first().map(|names| names.baseline_label.clone()).unwrap_or_default()
    }

    pub(in crate::reporting) fn experiments(&self) -> Vec<PlannedBy> {
        let mut seen = HashSet::new();
        let first = self.names.iter().filter(|names| seen.insert(names.experiment));
        first.map(|names| PlannedBy { id: names.experiment, name: names.experiment_name.clone() }).collect()
    }
}

/// The cells that were read.
#[derive(Default)]
pub(in crate::reporting) struct CellNameCache {
    known: HashMap<CellId, CellAbout>,
    /// The experiment whose names come first.
    preferred: Option<ExperimentId>,
}

impl CellNameCache {
    pub(in crate::reporting) fn preferring(experiment: Option<ExperimentId>) -> Self {
        Self { known: HashMap::new(), preferred: experiment }
    }

    /// Reads those of these cells that were not read yet.
    pub(in crate::reporting) async fn read(
        &mut self,
        tx: &mut Tx,
        cells: impl IntoIterator<Item = CellId>,
    ) -> Result<(), StoreError> {
        let missing: HashSet<CellId> =
            cells.into_iter().filter(|cell| !self.known.contains_key(cell)).collect();
        let missing: Vec<CellId> = missing.into_iter().collect();
        let mut names: HashMap<CellId, Vec<CellNames>> = HashMap::new();
        for row in tx.names_of_cells(&missing).await? {
            names.entry(row.cell).or_default().push(row);
        }
        for (cell, spec) in tx.specs(&missing).await? {
            let mut names = names.remove(&cell).unwrap_or_default();
            names.sort_by_key(|names| Some(names.experiment) != self.preferred);
            self.known.insert(cell, CellAbout { spec, names });
        }
        Ok(())
    }

    pub(in crate::reporting) fn get(&self, cell: CellId) -> Option<&CellAbout> {
        self.known.get(&cell)
    }
}

/// How a play ended for the case.
pub(in crate::reporting) fn result(row: &PlayRow) -> CaseResult {
    match row.play.outcome.winner() {
        None => CaseResult::Draw,
        Some(winner) if winner == row.play.case_side => CaseResult::Win,
        Some(_) => CaseResult::Loss,
    }
}

/// A play as lists show it.
pub(in crate::reporting) fn found(row: &PlayRow, about: &CellAbout) -> FoundGame {
    let play = &row.play;
    FoundGame {
        id: play.id,
        lease: play.lease,
        cell: play.cell,
        pair: play.idx,
        experiments: about.experiments(),
        case: about.case(),
        baseline: about.baseline(),
        size: about.spec.size,
        budget: about.spec.budget,
        case_side: play.case_side,
        result: result(row),
        kind: play.outcome.kind(),
        plies: play.plies,
        loser_expected: play.surprise.map(|thousandths| thousandths as f64 / 1000.0),
        status: play.status,
        reason: row.reason.clone(),
        worker: play.worker,
        worker_name: row.worker_name.clone(),
        received_ms: row.received_ms,
    }
}

/// Whether the case makes the move after `plies` stones.
pub(in crate::reporting) fn is_of_case(case_side: Side, plies: usize) -> bool {
    Side::to_move_after(plies) == case_side
}
