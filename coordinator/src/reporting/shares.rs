//! The part of the workers' core time that an experiment gets, and why.

use crate::store::{Contender, ExperimentFilter, ExperimentRow, StoreError, Tx};
use protocol::ids::ExperimentId;
use protocol::words::{counted, number};

/// The experiments that wait for workers.
#[derive(Debug, Default)]
pub(super) struct Shares {
    waiting: Vec<Contender>,
}

impl Shares {
    /// Reads the experiments that wait, of those that this coordinator leases.
    pub(super) async fn read(tx: &mut Tx, filter: &ExperimentFilter) -> Result<Self, StoreError> {
        let mut waiting = tx.contenders(engine::SEMANTICS).await?;
        waiting.retain(|contender| contender.waits && filter.allows(contender.id));
        if waiting.iter().all(|contender| contender.is_control) {
            waiting.clear();
        }
        Ok(Self { waiting })
    }

    fn find(&self, id: ExperimentId) -> Option<&Contender> {
        self.waiting.iter().find(|contender| contender.id == id)
    }

    fn weights(&self) -> f64 {
        self.waiting.iter().map(|contender| contender.weight).sum()
    }

    /// The part of the core time that an experiment gets; none if it does not wait.
    pub(super) fn of(&self, id: ExperimentId) -> Option<f64> {
        Some(self.find(id)?.weight / self.weights())
    }

    /// The same in words, with the reason.
    pub(super) fn words(&self, row: &ExperimentRow) -> Option<String> {
        let own = self.find(row.id)?;
        let used = format!("its games were charged {} so far", core_time(row.core_us as f64 / 1e6));
        if self.waiting.len() == 1 {
            return Some(format!(
                "it gets all the workers' core time, because no other experiment waits for workers; {used}"
            ));
        }
        let share = format!(
            "it gets {:.3} % of the workers' core time: it has weight {} of {}, and {} wait for workers; {used}",
            100.0 * own.weight / self.weights(),
            number(own.weight),
            number(self.weights()),
            counted(self.waiting.len() as u64, "experiment"),
        );
        Some(share)
    }

    /// The experiments that come before one without leases, in words; none if there are none.
    pub(super) fn before(&self, id: ExperimentId) -> Option<String> {
        let own = self.find(id)?;
        // A newcomer enters the queue with the next lease.
        let time = own.virtual_start.map(|_| own.virtual_time)?;
        let before: Vec<&str> = self
            .waiting
            .iter()
            .filter(|other| other.id != id && other.virtual_start.is_some() && other.virtual_time < time)
            .map(|other| other.name.as_str())
            .collect();
        let first = before.first()?;
        let others = match before.len() {
            1 => String::new(),
            n => format!(" and {}", counted(n as u64 - 1, "other experiment")),
        };
        Some(format!("`{first}`{others} had less core time for the weight and will be served first"))
    }
}

/// Core time for people.
fn core_time(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} core-seconds"),
        s if s < 7_200.0 => format!("{:.1} core-minutes", s / 60.0),
        s => format!("{:.1} core-hours", s / 3_600.0),
    }
}
