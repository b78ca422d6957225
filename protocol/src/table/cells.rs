//! The cells of an experiment: one row a cell.

use super::{Column, Definition, Of, Table, Values};
use crate::analysis::ExperimentAnalysis;
use crate::ids::PlayerId;
use crate::lease::ParamSet;
use crate::report::{ExperimentReport, Point, Series, Stopping};
use engine::havannah::Params;
use engine::params::ParamValue;
use std::collections::{BTreeSet, HashMap};

/// A cell with the series that it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'r> {
    series: &'r Series,
    point: &'r Point,
    agreement: Option<f64>,
}

impl Cell<'_> {
    fn stopping(&self) -> Option<&Stopping> {
        self.point.stopping.as_ref()
    }
}

/// The columns of a cell's names and results. The columns of parameters follow them.
#[must_use]
pub fn cell_columns<'r>() -> Vec<Definition<Cell<'r>>> {
    use Of::{Flag, Real, Text, Whole};
    vec![
        ("group", Text(|cell| Some(cell.series.group.clone()))),
        ("label", Text(|cell| Some(cell.series.label.clone()))),
        ("case", Text(|cell| Some(cell.series.title().to_owned()))),
        ("baseline", Text(|cell| Some(cell.series.baseline_label.clone()))),
        ("budget", Text(|cell| Some(cell.series.budget.to_string()))),
        ("size", Whole(|cell| Some(cell.point.size.get().into()))),
        ("weight", Real(|cell| cell.point.weight)),
        ("agreement", Real(|cell| cell.agreement)),
        ("games", Whole(|cell| Some(cell.point.games))),
        ("games_planned", Whole(|cell| Some(cell.point.games_planned))),
        ("wins", Whole(|cell| Some(cell.point.wins))),
        ("draws", Whole(|cell| Some(cell.point.draws))),
        ("losses", Whole(|cell| Some(cell.point.losses))),
        ("void_games", Whole(|cell| Some(cell.point.void_games))),
        ("pairs", Whole(|cell| Some(cell.point.pairs))),
        ("ll", Whole(|cell| Some(cell.point.pair_counts[0]))),
        ("ld", Whole(|cell| Some(cell.point.pair_counts[1]))),
        ("wl", Whole(|cell| Some(cell.point.pair_counts[2]))),
        ("dd", Whole(|cell| Some(cell.point.pair_counts[3]))),
        ("wd", Whole(|cell| Some(cell.point.pair_counts[4]))),
        ("ww", Whole(|cell| Some(cell.point.pair_counts[5]))),
        ("rate", Real(|cell| cell.point.rate)),
        ("low", Real(|cell| cell.point.low)),
        ("high", Real(|cell| cell.point.high)),
        ("cs_low", Real(|cell| cell.point.cs_low)),
        ("cs_high", Real(|cell| cell.point.cs_high)),
        ("verdict", Text(|cell| Some(cell.point.verdict.name().to_owned()))),
        ("e_value", Real(|cell| cell.point.e_value)),
        ("elo", Real(|cell| cell.point.elo)),
        ("elo_low", Real(|cell| cell.point.elo_low)),
        ("elo_high", Real(|cell| cell.point.elo_high)),
        ("cs_elo_low", Real(|cell| cell.point.cs_elo_low)),
        ("cs_elo_high", Real(|cell| cell.point.cs_elo_high)),
        ("normalised_elo", Real(|cell| cell.point.normalised_elo)),
        ("normalised_elo_error", Real(|cell| cell.point.normalised_elo_error)),
        ("normalised_elo_low", Real(|cell| cell.point.normalised_elo_low)),
        ("normalised_elo_high", Real(|cell| cell.point.normalised_elo_high)),
        ("cs_normalised_elo_low", Real(|cell| cell.point.cs_normalised_elo_low)),
        ("cs_normalised_elo_high", Real(|cell| cell.point.cs_normalised_elo_high)),
        ("draw_rate", Real(|cell| cell.point.draw_rate)),
        ("effective_games", Real(|cell| cell.point.effective_games)),
        ("design_effect", Real(|cell| cell.point.design_effect)),
        ("first_move_rate", Real(|cell| cell.point.first_move_rate)),
        ("forks", Whole(|cell| Some(cell.point.win_kinds[0]))),
        ("bridges", Whole(|cell| Some(cell.point.win_kinds[1]))),
        ("rings", Whole(|cell| Some(cell.point.win_kinds[2]))),
        ("mean_plies", Real(|cell| cell.point.mean_plies)),
        ("stop_outcome", Text(|cell| Some(cell.stopping()?.outcome.name().to_owned()))),
        ("stop_pairs", Whole(|cell| Some(cell.stopping()?.pairs))),
        ("stop_rate", Real(|cell| cell.stopping()?.rate)),
        ("stop_low", Real(|cell| cell.stopping()?.low)),
        ("stop_high", Real(|cell| cell.stopping()?.high)),
        (
            "stop_corrected",
            Flag(|cell| cell.stopping().filter(|rule| rule.rate.is_some()).map(|rule| rule.is_corrected)),
        ),
        ("llr", Real(|cell| cell.stopping()?.llr)),
        ("llr_lower", Real(|cell| cell.stopping()?.lower)),
        ("llr_upper", Real(|cell| cell.stopping()?.upper)),
        ("missing_pairs", Whole(|cell| Some(cell.point.missing.as_ref().map_or(0, |missing| missing.pairs)))),
        ("missing_low", Real(|cell| Some(cell.point.missing.as_ref()?.low))),
        ("missing_high", Real(|cell| Some(cell.point.missing.as_ref()?.high))),
        ("player", Text(|cell| Some(cell.series.case.player_id().to_string()))),
        ("baseline_player", Text(|cell| Some(cell.series.baseline.player_id().to_string()))),
        ("cell", Text(|cell| Some(cell.point.cell.to_string()))),
    ]
}

/// Every point of every series, in the order of the report. Each parameter that a player sets has a column for the cases,
/// such as `rave_k`, and one for the baselines, such as `baseline_rave_k`, both with the engine's default where a player
/// does not set it. The agreement is that of the analysis, where the report has all of its numbers or some.
#[must_use]
pub fn cells(report: &ExperimentReport, analysis: &ExperimentAnalysis) -> Table {
    let agreements = agreements(analysis);
    let points =
        report.series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)));
    let agreement = |series: &Series, point: &Point| {
        let budget = series.budget.per_move();
        let key = (series.case.player_id(), series.baseline.player_id(), budget.as_str(), point.size.get());
        agreements.get(&key).copied()
    };
    let row = |(series, point)| Cell { series, point, agreement: agreement(series, point) };
    let rows: Vec<Cell<'_>> = points.map(row).collect();
    let mut table = Table::of(&cell_columns(), &rows);
    let players = report.series.iter().flat_map(|series| [&series.case, &series.baseline]);
    let names: BTreeSet<&String> = players.flat_map(|player| player.0.keys()).collect();
    let defaults = Params::default();
    type Player = fn(&Series) -> &ParamSet;
    let roles: [(&str, Player); 2] = [("", |series| &series.case), ("baseline_", |series| &series.baseline)];
    for (prefix, player) in roles {
        table.columns.extend(names.iter().map(|name| {
            let value = |cell: &Cell<'_>| player(cell.series).0.get(*name).cloned();
            let values = rows.iter().map(|cell| value(cell).or_else(|| defaults.get(name)));
            Column { name: format!("{prefix}{name}"), values: of_parameter(values.collect()) }
        }));
    }
    table
}

/// The agreements of an analysis by case, baseline, budget and size.
fn agreements(analysis: &ExperimentAnalysis) -> HashMap<(PlayerId, PlayerId, &str, u8), f64> {
    let series = analysis.series.iter();
    let players: HashMap<_, _> = series
        .filter_map(|one| Some(((&*one.case, &*one.against, &*one.budget), (one.player?, one.baseline?))))
        .collect();
    let fields = analysis.sweep.fields.iter();
    let cells = fields.flat_map(|field| field.cells.iter().map(move |cell| (field, cell)));
    cells
        .filter_map(|(field, cell)| {
            let (case, baseline) = players.get(&(&*cell.case, &*field.against, &*field.budget))?;
            Some(((*case, *baseline, &*field.budget, cell.size), cell.agreement?))
        })
        .collect()
}

/// Values of the kind that all of them have, or else words.
fn of_parameter(values: Vec<Option<ParamValue>>) -> Values {
    let all = |is: fn(&ParamValue) -> bool| values.iter().flatten().all(is);
    if all(|value| matches!(value, ParamValue::Flag(_))) {
        let flag = |value| if let Some(ParamValue::Flag(flag)) = value { Some(flag) } else { None };
        Values::Flag(values.into_iter().map(flag).collect())
    } else if all(|value| matches!(value, ParamValue::Number(_))) {
        let number = |value| if let Some(ParamValue::Number(number)) = value { Some(number) } else { None };
        Values::Real(values.into_iter().map(number).collect())
    } else {
        Values::Text(values.into_iter().map(|value| value.map(|value| value.to_string())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_parameter_is_called_like_a_result() {
        let names: Vec<_> = cell_columns().into_iter().map(|(name, _)| name).collect();
        for info in Params::TABLE {
            assert!(!names.contains(&info.name) && !info.name.starts_with("baseline"), "{}", info.name);
        }
    }

    #[test]
    fn a_parameter_has_a_column_of_its_kind_with_defaults() {
        let number = |number| Some(ParamValue::Number(number));
        let word = |word: &str| Some(ParamValue::Word(word.to_owned()));
        assert_eq!(of_parameter(vec![number(0.5), None]), Values::Real(vec![Some(0.5), None]));
        assert_eq!(of_parameter(vec![Some(ParamValue::Flag(true))]), Values::Flag(vec![Some(true)]));
        let words = Values::Text(vec![Some("0.5".to_owned()), Some("off".to_owned())]);
        assert_eq!(of_parameter(vec![number(0.5), word("off")]), words);
    }
}
