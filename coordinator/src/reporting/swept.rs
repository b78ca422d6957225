//! The parameters that a group of cases varies.

use super::parameters::{complete, differing};
use protocol::lease::ParamSet;
use protocol::report::Series;
use std::collections::HashMap;

/// Notes for each series the values of the parameters in which the cases of its group differ.
pub(super) fn note_swept(series: &mut [Series]) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, line) in series.iter().enumerate() {
        groups.entry(line.group.clone()).or_default().push(index);
    }
    for members in groups.into_values() {
        let players = || members.iter().map(|index| &series[*index].case);
        let names = players().flat_map(|player| player.0.keys()).collect();
        let mut all: Vec<ParamSet> = players().map(|player| complete(player, &names)).collect();
        let differing = differing(&all.iter().collect::<Vec<_>>());
        all.iter_mut().for_each(|values| values.0.retain(|name, _| differing.contains(name)));
        for (index, swept) in members.into_iter().zip(all) {
            series[index].swept = swept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::Params;
    use engine::params::ParamValue;
    use protocol::lease::Budget;

    fn series(group: &str, params: &[(&str, f64)]) -> Series {
        let case = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Number(*value)));
        Series {
            label: format!("{params:?}"),
            name: String::new(),
            group: group.to_owned(),
            case: ParamSet(case.collect()),
            swept: ParamSet::default(),
            baseline_label: "uct".to_owned(),
            baseline: ParamSet::default(),
            budget: Budget::Sims(100),
            confirmation: None,
            promoted: None,
            points: Vec::new(),
        }
    }

    #[test]
    fn a_default_is_a_value_and_what_a_group_has_in_common_is_left_out() {
        let mut all = [
            series("k", &[("exploration", 0.0), ("rave_k", 50.0)]),
            series("k", &[("exploration", 0.0)]),
            series("other", &[("exploration", 0.3), ("rave_k", 7.0)]),
        ];
        note_swept(&mut all);
        let default = Params::default().get("rave_k").expect("a parameter");
        let k = |value| ParamSet([("rave_k".to_owned(), value)].into());
        assert_eq!(all[0].swept, k(ParamValue::Number(50.0)));
        assert_eq!(all[1].swept, k(default));
        assert_eq!(all[2].swept, ParamSet::default(), "one case varies nothing");
    }
}
