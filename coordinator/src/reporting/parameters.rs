//! The parameters in which players differ.

use engine::havannah::Params;
use protocol::browse::DifferingParameter;
use protocol::experiment::CellSpec;
use protocol::lease::ParamSet;
use std::collections::{BTreeMap, BTreeSet};

/// The values of these parameters for a player, defaults included.
pub(super) fn complete(player: &ParamSet, names: &BTreeSet<&String>) -> ParamSet {
    // A player of an older engine may have parameters that this engine does not know.
    let params = player.resolve().unwrap_or_else(|_| Params::default());
    let value = |name: &String| player.0.get(name).cloned().or_else(|| params.get(name));
    ParamSet(names.iter().filter_map(|&name| Some((name.clone(), value(name)?))).collect())
}

/// The parameters that are not the same in all sets.
pub(super) fn differing(players: &[&ParamSet]) -> BTreeSet<String> {
    let mut values: BTreeMap<&String, BTreeSet<Option<String>>> = BTreeMap::new();
    for name in players.iter().flat_map(|player| player.0.keys()) {
        let all = players.iter().map(|player| player.0.get(name).map(ToString::to_string));
        values.entry(name).or_insert_with(|| all.collect());
    }
    values.into_iter().filter(|(_, values)| values.len() > 1).map(|(name, _)| name.clone()).collect()
}

/// The parameters in which the players differ, with the values of both.
pub(super) fn of_players(spec: &CellSpec) -> Vec<DifferingParameter> {
    let names = differing(&[&spec.case, &spec.baseline]);
    let names = names.iter().collect();
    let (case, baseline) = (complete(&spec.case, &names), complete(&spec.baseline, &names));
    let text = |set: &ParamSet, name: &String| {
        set.0.get(name).map_or("unknown to this version".to_owned(), ToString::to_string)
    };
    names
        .into_iter()
        .map(|name| DifferingParameter {
            name: name.clone(),
            case: text(&case, name),
            baseline: text(&baseline, name),
        })
        .collect()
}
