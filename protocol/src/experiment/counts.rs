//! Limits of a search's counters: a budget must not exceed them.

use super::error::Problems;
use super::row::Row;
use super::{CellSpec, PlannedCell};
use crate::lease::{Budget, ParamSet};
use engine::search::{TooManySims, check_sims};
use std::collections::HashSet;

impl CellSpec {
    /// Refuses a budget with more simulations per move than a player's search can count.
    ///
    /// # Errors
    /// With the player and the largest number.
    pub fn check_sims(&self) -> Result<(), (&ParamSet, TooManySims)> {
        let Budget::Sims(sims) = self.budget else { return Ok(()) };
        for set in [&self.case, &self.baseline] {
            // An unknown player is refused elsewhere.
            if let Ok(params) = set.resolve() {
                check_sims(&params.search, self.size.cells(), sims).map_err(|error| (set, error))?;
            }
        }
        Ok(())
    }
}

/// Adds a problem for each budget that would overflow a player's counters.
pub(super) fn check(cells: &[PlannedCell], budgets: &[&Row<Budget>], problems: &mut Problems) {
    let mut checked = HashSet::new();
    // Rows that are the same budget have the same cells.
    for budget in budgets.iter().filter(|budget| checked.insert(budget.content.to_string())) {
        let of_budget = cells.iter().filter(|cell| cell.spec.budget == budget.content);
        let wrong = of_budget.filter_map(|cell| Some((cell, cell.spec.check_sims().err()?))).next();
        if let Some((cell, (player, error))) = wrong {
            let label = if *player == cell.case.params { &cell.case.label } else { &cell.baseline.label };
            problems.at(budget.span.clone(), format!("for `{label}` {error}"));
        }
    }
}
