//! The parameters that a group of cases varies.

use super::parameters::{complete, differing};
use engine::params::ParamValue;
use protocol::lease::ParamSet;
use protocol::report::Series;
use protocol::tune::Tune;
use std::collections::HashMap;
use tuner::{Kind, Scale};

/// The scales of the numbers that a tune declares, by parameter: whether it is logarithmic.
pub(super) fn declared_scales(tune: &Tune) -> HashMap<String, bool> {
    let parameters = tune.parameters.parameters().iter();
    let scales = parameters.filter_map(|parameter| match parameter.kind {
        Kind::Real { scale, .. } | Kind::Whole { scale, .. } => {
            Some((parameter.name.clone(), scale == Scale::Log))
        }
        Kind::Flag {} | Kind::Word { .. } => None,
    });
    scales.collect()
}

/// Notes for each series the values of the parameters in which the cases of its group differ. A parameter has its declared scale,
/// or else the scale that its values suggest.
pub(super) fn note_swept(series: &mut [Series], declared: &HashMap<String, bool>) {
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
        let is_logarithmic = |name: &str| {
            declared.get(name).copied().unwrap_or_else(|| stats::is_logarithmic(&numbers(&all, name)))
        };
        let logarithmic: Vec<String> = differing.into_iter().filter(|name| is_logarithmic(name)).collect();
        for (index, swept) in members.into_iter().zip(all) {
            series[index].swept = swept;
            series[index].logarithmic.clone_from(&logarithmic);
        }
    }
}

/// The different numbers among the values of a parameter, ascending, without zero: zero means off, and does not belong to the
/// scale. None if a value is not a number.
fn numbers(all: &[ParamSet], name: &str) -> Vec<f64> {
    let values = all.iter().filter_map(|values| values.0.get(name));
    let numbers: Option<Vec<f64>> = values
        .map(|value| if let ParamValue::Number(number) = value { Some(*number) } else { None })
        .collect();
    let mut numbers = numbers.unwrap_or_default();
    numbers.retain(|number| *number != 0.0);
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::Params;
    use protocol::lease::Budget;

    fn series(group: &str, params: &[(&str, f64)]) -> Series {
        let case = params.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Number(*value)));
        Series {
            label: format!("{params:?}"),
            name: String::new(),
            group: group.to_owned(),
            case: ParamSet(case.collect()),
            swept: ParamSet::default(),
            logarithmic: Vec::new(),
            semantics: 1,
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
        note_swept(&mut all, &HashMap::new());
        let default = Params::default().get("rave_k").expect("a parameter");
        let k = |value| ParamSet([("rave_k".to_owned(), value)].into());
        assert_eq!(all[0].swept, k(ParamValue::Number(50.0)));
        assert_eq!(all[1].swept, k(default));
        assert_eq!(all[2].swept, ParamSet::default(), "one case varies nothing");
    }

    #[test]
    fn values_that_grow_by_equal_factors_are_logarithmic_whatever_their_span() {
        let logarithmic = |values: &[f64]| {
            let mut all: Vec<Series> =
                values.iter().map(|value| series("k", &[("rave_k", *value)])).collect();
            note_swept(&mut all, &HashMap::new());
            !all[0].logarithmic.is_empty()
        };
        assert!(logarithmic(&[5.0, 10.0, 20.0]));
        assert!(logarithmic(&[0.0, 10.0, 100.0, 1000.0]), "zero switches the parameter off");
        assert!(!logarithmic(&[10.0, 110.0, 210.0, 310.0]), "the largest is 31 times the smallest");
        assert!(!logarithmic(&[10.0, 1000.0]), "two values have no scale");
    }

    #[test]
    fn a_declared_scale_holds_whatever_the_values() {
        let noted = |values: &[f64], is_log: bool| {
            let mut all: Vec<Series> =
                values.iter().map(|value| series("k", &[("rave_k", *value)])).collect();
            note_swept(&mut all, &HashMap::from([("rave_k".to_owned(), is_log)]));
            !all[0].logarithmic.is_empty()
        };
        assert!(noted(&[10.0, 17.0, 900.0], true), "no equal factors");
        assert!(!noted(&[10.0, 100.0, 1000.0], false), "equal factors");
    }
}
