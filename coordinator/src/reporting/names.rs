//! Names for the lines of a report: no two lines against one baseline with one budget have the same name.

use super::parameters::differing;
use protocol::ids::CellId;
use protocol::lease::ParamSet;
use protocol::report::Series;
use std::collections::HashMap;

/// A name for each series: its label; where labels repeat, with its group; where these repeat too, with the parameters that
/// differ, or else with the id of its first cell, which is in `cells`.
pub(super) fn names(series: &[Series], cells: &[CellId]) -> Vec<String> {
    let mut names: Vec<String> = series.iter().map(|series| series.label.clone()).collect();
    for alike in repeated(series, &names) {
        alike.iter().for_each(|&at| names[at] = format!("{} {}", series[at].group, series[at].label));
    }
    for alike in repeated(series, &names) {
        let players: Vec<&ParamSet> = alike.iter().map(|&at| &series[at].case).collect();
        let differing = differing(&players);
        for (&at, player) in alike.iter().zip(players) {
            let words: Vec<String> = differing.iter().map(|name| setting(player, name)).collect();
            if !words.is_empty() {
                names[at] = format!("{} ({})", names[at], words.join(", "));
            }
        }
    }
    for alike in repeated(series, &names) {
        alike.iter().for_each(|&at| names[at] = format!("{} ({})", names[at], cells[at].short()));
    }
    names
}

/// Group and label of a case, or the label where both are the same.
pub(super) fn with_group(group: &str, label: &str) -> String {
    if group == label { label.to_owned() } else { format!("{group} {label}") }
}

/// The indices of series with the same name in one table.
fn repeated(series: &[Series], names: &[String]) -> Vec<Vec<usize>> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, series) in series.iter().enumerate() {
        let key = (&names[at], &series.baseline_label, series.budget.to_string());
        places.entry(key).or_default().push(at);
    }
    places.into_values().filter(|alike| alike.len() > 1).collect()
}

/// A parameter of a player, such as `rave_k=500`.
pub(super) fn setting(player: &ParamSet, name: &str) -> String {
    match player.0.get(name) {
        Some(value) => format!("{name}={value}"),
        None => format!("{name} as by default"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::lease::Budget;
    use uuid::Uuid;

    fn series(group: &str, label: &str, params: &[(&str, &str)], baseline: &str) -> Series {
        let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.parse().expect("a value")));
        Series {
            label: label.into(),
            name: String::new(),
            group: group.into(),
            case: ParamSet(params.collect()),
            swept: ParamSet::default(),
            logarithmic: Vec::new(),
            semantics: 1,
            baseline_label: baseline.into(),
            baseline: ParamSet::default(),
            budget: Budget::Sims(100),
            confirmation: None,
            promoted: None,
            points: Vec::new(),
        }
    }

    #[test]
    fn lines_with_equal_labels_get_the_group_the_parameters_or_the_cell() {
        let all = [
            series("rave", "k=5", &[], "uct"),
            series("mix", "k=5", &[], "uct"),
            series("mix", "k=6", &[], "uct"),
            series("mix", "k=6", &[], "other"),
            series("a", "x", &[("rave_k", "5"), ("fpu", "1")], "uct"),
            series("a", "x", &[("rave_k", "5")], "uct"),
            series("b", "y", &[("rave_k", "5")], "uct"),
            series("b", "y", &[("rave_k", "5")], "uct"),
        ];
        let cells: Vec<CellId> = (0..8).map(|n| CellId(Uuid::from_u128(n << 100))).collect();
        let wanted = [
            "rave k=5",
            "mix k=5",
            "k=6",
            "k=6",
            "a x (fpu=1)",
            "a x (fpu as by default)",
            "b y (06000000)",
            "b y (07000000)",
        ];
        let names = names(&all, &cells);
        assert_eq!(names[..6], wanted[..6]);
        assert_ne!(names[6], names[7]);
        assert!(names[6].starts_with("b y (") && names[7].starts_with("b y ("), "{names:?}");
    }
}
