//! The cells of an experiment as rows of a sweep.

use super::super::parameters::complete;
use super::super::plans::CachedPlan;
use crate::store::{Counters, PlannedCellRow};
use engine::params::ParamValue;
use protocol::analysis::SeriesNames;
use protocol::lease::ParamSet;
use protocol::players::PlayerNames;
use protocol::report::Series;
use stats::Value;
use stats::sweep::Row;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A cell of the plan with its row.
pub(super) struct Cell<'a> {
    pub(super) planned: &'a PlannedCellRow,
    pub(super) row: Row,
}

/// The indices of the plan's cells in the order of the file, each once, also where two groups have the same case.
pub(super) fn places(plan: &CachedPlan) -> Vec<usize> {
    let mut places: Vec<(usize, usize)> =
        plan.line_of.iter().enumerate().filter_map(|(place, line)| Some(((*line)?, place))).collect();
    places.sort_unstable();
    let mut seen = HashSet::new();
    places.retain(|(_, place)| seen.insert(plan.cells[*place].cell));
    places.into_iter().map(|(_, place)| place).collect()
}

/// The cells at these indices.
pub(super) fn cells<'a>(
    plan: &'a CachedPlan,
    places: &[usize],
    players: &PlayerNames,
    counters: &[Counters],
) -> Vec<Cell<'a>> {
    let planned = places.iter().map(|place| &plan.cells[*place]);
    let names: BTreeSet<&String> = planned.flat_map(|cell| cell.spec.case.0.keys()).collect();
    let mut parameters: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    places
        .iter()
        .filter_map(|place| {
            let (planned, counters) = (&plan.cells[*place], counters.get(*place)?);
            let case = players.name(planned.spec.case.player_id()).to_owned();
            let set = parameters.entry(case.clone()).or_insert_with(|| values(&planned.spec.case, &names));
            let row = Row {
                against: players.name(planned.spec.baseline.player_id()).to_owned(),
                budget: planned.spec.budget.per_move(),
                size: planned.spec.size.get(),
                weight: planned.weight,
                counts: counters.complete(),
                unfinished: counters.unfinished(),
                agreement: 0.0,
                parameters: set.clone(),
                case,
            };
            Some(Cell { planned, row })
        })
        .collect()
}

/// The games of the cells at these indices: those counted, as far as they are planned, and those planned.
pub(super) fn games(plan: &CachedPlan, places: &[usize], counters: &[Counters]) -> (u64, u64) {
    let of = |place: &usize| {
        let planned = 2 * plan.cells[*place].pairs;
        let counted = counters.get(*place).map_or(0, |own| own.games.unsigned_abs());
        (counted.min(planned), planned)
    };
    places.iter().map(of).fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

/// The players of the plan by the names that the report gives them.
pub(super) fn players(plan: &CachedPlan) -> PlayerNames {
    let baselines = plan.series.iter().map(|one| (one.baseline.player_id(), one.baseline_label.as_str()));
    PlayerNames::of(baselines, plan.series.iter().map(|one| (one.case.player_id(), one.title())))
}

pub(super) fn names(plan: &CachedPlan, players: &PlayerNames) -> Vec<SeriesNames> {
    let names = |series: &Series| SeriesNames {
        case: players.name(series.case.player_id()).to_owned(),
        against: players.name(series.baseline.player_id()).to_owned(),
        budget: series.budget.per_move(),
        player: Some(series.case.player_id()),
        baseline: Some(series.baseline.player_id()),
    };
    plan.series.iter().map(names).collect()
}

/// The values of these parameters for a player, defaults included.
fn values(player: &ParamSet, names: &BTreeSet<&String>) -> BTreeMap<String, Value> {
    let value = |value| match value {
        ParamValue::Number(number) => Value::Number(number),
        ParamValue::Flag(flag) => Value::Word(flag.to_string()),
        ParamValue::Word(word) => Value::Word(word),
    };
    complete(player, names).0.into_iter().map(|(name, found)| (name, value(found))).collect()
}
