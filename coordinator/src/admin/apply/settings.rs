//! Changes of a revision beside the cells, in words.

use super::StoredExperiment;
use crate::store::{StoreError, Tx};
use protocol::experiment::{Experiment, Policy, StopRule};
use protocol::tune::Tune;

/// The settings of an experiment that a revision may change.
pub(super) struct Settings<'a> {
    question: &'a str,
    weight: f64,
    policy: Policy,
    stop: Option<StopRule>,
    tune: Option<Tune>,
}

impl StoredExperiment {
    /// The settings in which a plan differs from the stored one.
    pub(super) async fn changed_settings(
        &self,
        tx: &mut Tx,
        new: &Experiment,
    ) -> Result<Vec<String>, StoreError> {
        let known = Settings {
            question: &self.row.question,
            weight: self.row.weight,
            policy: tx.policy(self.row.id).await?.ok_or(StoreError::Null("experiment"))?,
            stop: self.rows.iter().filter(|row| !row.is_closed).find_map(|row| row.plan.stop),
            tune: tx.tune(self.row.id).await?,
        };
        Ok(known.changes(new))
    }
}

impl<'a> Settings<'a> {
    /// The settings of a plan.
    pub(super) fn of(plan: &'a Experiment) -> Self {
        Self {
            question: &plan.question,
            weight: plan.weight,
            policy: plan.policy,
            stop: plan.cells.iter().find_map(|cell| cell.stop),
            tune: plan.tune.clone(),
        }
    }

    /// The differences of a later plan, one line each.
    pub(super) fn changes(&self, new: &'a Experiment) -> Vec<String> {
        let new = Settings::of(new);
        let mut changes = Vec::new();
        if self.question != new.question {
            changes.push(format!("question: {}", new.question));
        }
        if self.weight != new.weight {
            changes.push(format!("weight: {} to {}", self.weight, new.weight));
        }
        if self.policy != new.policy {
            changes.push(format!("policy: {} to {} ({})", self.policy, new.policy, new.policy.words()));
        }
        if self.stop != new.stop {
            let words = |rule: Option<StopRule>| rule.map_or("none".to_owned(), |rule| rule.to_string());
            changes.push(format!("stopping rule: {} (before: {})", words(new.stop), words(self.stop)));
        }
        if let (Some(known), Some(new)) = (&self.tune, &new.tune)
            && known.games != new.games
        {
            changes.push(format!("games of the tune: {} to {}", known.games, new.games));
        }
        changes
    }
}
