//! The cells of an experiment as rows of a sweep.

use super::super::plans::Plan;
use super::players::Players;
use crate::store::{Counters, PlannedCellRow};
use engine::havannah::Params;
use engine::params::ParamValue;
use protocol::lease::ParamSet;
use stats::sweep::Row;
use stats::{PairCounts, Value};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A cell of the plan with its row.
pub(super) struct Cell<'a> {
    pub(super) planned: &'a PlannedCellRow,
    pub(super) row: Row,
}

/// The cells of the plan in the order of the file, each once, also where two groups have the same case.
pub(super) fn cells<'a>(plan: &'a Plan, counters: &[Counters]) -> Vec<Cell<'a>> {
    let mut places: Vec<(usize, usize)> =
        plan.line_of.iter().enumerate().filter_map(|(place, line)| Some(((*line)?, place))).collect();
    places.sort_unstable();
    let mut seen = HashSet::new();
    places.retain(|(_, place)| seen.insert(plan.cells[*place].cell));
    let planned = places.iter().map(|(_, place)| &plan.cells[*place]);
    let players = Players::of(planned.clone());
    let names: BTreeSet<&String> = planned.clone().flat_map(|cell| cell.spec.case.0.keys()).collect();
    let mut parameters: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    places
        .iter()
        .filter_map(|(_, place)| {
            let (planned, counters) = (&plan.cells[*place], counters.get(*place)?);
            let case = players.name(&planned.spec.case);
            let set = parameters.entry(case.clone()).or_insert_with(|| values(&planned.spec.case, &names));
            let decided = counters.wins + counters.losses;
            let row = Row {
                against: players.name(&planned.spec.baseline),
                budget: budget(planned),
                size: planned.spec.size.get(),
                weight: planned.weight,
                counts: PairCounts::from(counters.pair_counts.map(i64::unsigned_abs)),
                first_move_rate: (decided > 0).then(|| counters.first_move_wins as f64 / decided as f64),
                parameters: set.clone(),
                case,
            };
            Some(Cell { planned, row })
        })
        .collect()
}

/// The budget in words.
fn budget(cell: &PlannedCellRow) -> String {
    format!("{} per move", cell.spec.budget)
}

/// The values of these parameters for a player, defaults included.
fn values(player: &ParamSet, names: &BTreeSet<&String>) -> BTreeMap<String, Value> {
    // A player of an older engine may have parameters that this one does not know.
    let params = player.resolve().unwrap_or_else(|_| Params::default());
    let value = |name: &String| match player.0.get(name).cloned().or_else(|| params.get(name))? {
        ParamValue::Number(number) => Some(Value::Number(number)),
        ParamValue::Flag(flag) => Some(Value::Word(flag.to_string())),
        ParamValue::Word(word) => Some(Value::Word(word)),
    };
    names.iter().filter_map(|name| Some(((*name).clone(), value(name)?))).collect()
}
