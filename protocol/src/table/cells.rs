//! The cells of an experiment: one row a cell.

use super::{Column, ColumnValue, Definition, Table, Values};
use crate::analysis::ExperimentAnalysis;
use crate::ids::PlayerId;
use crate::lease::ParamSet;
use crate::report::{ExperimentReport, Point, Series, Stopping};
use engine::havannah::Params;
use engine::params::ParamValue;
use stats::Summary;
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

    fn estimated(&self, number: fn(&Summary) -> f64) -> Option<f64> {
        self.point.estimate.as_ref().map(number)
    }

    /// A number that is infinite at rates of 0 and 1.
    fn finite(&self, number: fn(&Summary) -> Option<f64>) -> Option<f64> {
        self.point.estimate.as_ref().and_then(number)
    }
}

/// The columns of a cell's names and results: the only list of the numbers of a cell. The columns of parameters follow them.
#[must_use]
pub fn cell_columns<'r>() -> Vec<Definition<Cell<'r>>> {
    use ColumnValue::{Elo, Flag, Fraction, Real, Text, Whole};
    vec![
        ("group", Text(|cell| Some(cell.series.group.clone())), "the group of tests"),
        ("label", Text(|cell| Some(cell.series.label.clone())), "the case within its group"),
        (
            "case",
            Text(|cell| Some(cell.series.title().to_owned())),
            "the case, by a name that no other case against this baseline with this budget has",
        ),
        ("baseline", Text(|cell| Some(cell.series.baseline_label.clone())), "the baseline"),
        ("budget", Text(|cell| Some(cell.series.budget.to_string())), "the budget of a move"),
        ("size", Whole(|cell| Some(cell.point.size.get().into())), "the board size"),
        ("weight", Real(|cell| cell.point.weight), "the weight of the cell in averages over sizes"),
        (
            "agreement",
            Real(|cell| cell.agreement),
            "the correlation of the scores of two cases from one opening on this size, which the analysis of a complete plan takes into account",
        ),
        ("games", Whole(|cell| Some(cell.point.games)), "counted games"),
        ("games_planned", Whole(|cell| Some(cell.point.games_planned)), "planned games"),
        ("wins", Whole(|cell| Some(cell.point.wins)), "games won by the case"),
        ("draws", Whole(|cell| Some(cell.point.draws)), "drawn games"),
        ("losses", Whole(|cell| Some(cell.point.losses)), "games lost by the case"),
        (
            "void_games",
            Whole(|cell| Some(cell.point.void_games)),
            "attempts that failed, and plays that were excluded: they are no losses",
        ),
        ("pairs", Whole(|cell| Some(cell.point.pairs)), "complete pairs"),
        (
            "pairs_aside",
            Whole(|cell| Some(cell.point.pairs_aside)),
            "pairs that failed again and again and are not handed out",
        ),
        (
            "ll",
            Whole(|cell| Some(cell.point.pair_counts[0])),
            "complete pairs of which the case lost both games",
        ),
        ("ld", Whole(|cell| Some(cell.point.pair_counts[1])), "one lost, one drawn"),
        ("wl", Whole(|cell| Some(cell.point.pair_counts[2])), "one won, one lost"),
        ("dd", Whole(|cell| Some(cell.point.pair_counts[3])), "both drawn"),
        ("wd", Whole(|cell| Some(cell.point.pair_counts[4])), "one won, one drawn"),
        ("ww", Whole(|cell| Some(cell.point.pair_counts[5])), "both won"),
        (
            "rate",
            Fraction(|cell| cell.estimated(|of| of.rate)),
            "the win rate over complete pairs, where a draw is half a win",
        ),
        (
            "low",
            Fraction(|cell| cell.estimated(|of| of.low)),
            "the lower end of its interval, for a number of games that was fixed beforehand",
        ),
        ("high", Fraction(|cell| cell.estimated(|of| of.high)), "the upper end of that interval"),
        (
            "cs_low",
            Fraction(|cell| cell.estimated(|of| of.cs_low)),
            "the lower end of its confidence sequence, which holds at every look",
        ),
        (
            "cs_high",
            Fraction(|cell| cell.estimated(|of| of.cs_high)),
            "the upper end of the confidence sequence",
        ),
        (
            "verdict",
            Text(|cell| Some(cell.point.verdict.name().to_owned())),
            "`better`, `worse`, `not_better` or `not_worse` (a test accepted its other hypothesis), or `open`",
        ),
        (
            "e_value",
            Real(|cell| cell.estimated(|of| of.e_value)),
            "evidence against a rate of 50 %: 20 or more rejects it at the level of 5 %, at any look",
        ),
        (
            "elo",
            Elo(|cell| cell.finite(|of| of.elo)),
            "the Elo difference of the rate; a gap where it is infinite",
        ),
        ("elo_low", Elo(|cell| cell.finite(|of| of.elo_low)), "the Elo difference of `low`"),
        ("elo_high", Elo(|cell| cell.finite(|of| of.elo_high)), "the Elo difference of `high`"),
        ("cs_elo_low", Elo(|cell| cell.finite(|of| of.cs_elo_low)), "the Elo difference of `cs_low`"),
        ("cs_elo_high", Elo(|cell| cell.finite(|of| of.cs_elo_high)), "the Elo difference of `cs_high`"),
        (
            "normalised_elo",
            Elo(|cell| cell.finite(|of| of.normalised_elo)),
            "the normalised Elo of the rate; a gap where it is infinite",
        ),
        (
            "normalised_elo_error",
            Elo(|cell| cell.finite(|of| of.normalised_elo_error)),
            "half the width of its interval, in the normal approximation",
        ),
        (
            "normalised_elo_low",
            Elo(|cell| cell.finite(|of| of.normalised_elo_low)),
            "the normalised Elo of `low`",
        ),
        (
            "normalised_elo_high",
            Elo(|cell| cell.finite(|of| of.normalised_elo_high)),
            "the normalised Elo of `high`",
        ),
        (
            "cs_normalised_elo_low",
            Elo(|cell| cell.finite(|of| of.cs_normalised_elo_low)),
            "the normalised Elo of `cs_low`, with the dispersion of these pairs: approximate",
        ),
        (
            "cs_normalised_elo_high",
            Elo(|cell| cell.finite(|of| of.cs_normalised_elo_high)),
            "the normalised Elo of `cs_high`, in the same way",
        ),
        (
            "draw_rate",
            Fraction(|cell| cell.estimated(|of| of.draw_rate)),
            "draws among the games of complete pairs",
        ),
        (
            "effective_games",
            Real(|cell| cell.estimated(|of| of.effective_games)),
            "independent games with the same precision",
        ),
        (
            "design_effect",
            Real(|cell| cell.estimated(|of| of.design_effect)),
            "the variance of pairs relative to independent games: below 1 the pairing saves games",
        ),
        (
            "superiority",
            Fraction(|cell| cell.estimated(|of| of.superiority)),
            "the likelihood of superiority, for a single look",
        ),
        (
            "first_move_rate",
            Fraction(|cell| cell.point.first_move_rate),
            "decided games that the first player won",
        ),
        ("forks", Whole(|cell| Some(cell.point.win_kinds[0])), "games of both sides that a fork won"),
        ("bridges", Whole(|cell| Some(cell.point.win_kinds[1])), "games that a bridge won"),
        ("rings", Whole(|cell| Some(cell.point.win_kinds[2])), "games that a ring won"),
        (
            "mean_plies",
            Real(|cell| cell.point.mean_plies),
            "moves of a game on average, with those of the opening",
        ),
        (
            "stop_outcome",
            Text(|cell| Some(cell.stopping()?.outcome.name().to_owned())),
            "what a stopping rule decided",
        ),
        ("stop_pairs", Whole(|cell| Some(cell.stopping()?.pairs)), "pairs that the rule has read"),
        ("stop_rate", Fraction(|cell| cell.stopping()?.rate), "the win rate at the stop"),
        (
            "stop_low",
            Fraction(|cell| cell.stopping()?.low),
            "the lower end of its interval; after a stop by a person there is the interval alone",
        ),
        ("stop_high", Fraction(|cell| cell.stopping()?.high), "the upper end of that interval"),
        (
            "stop_corrected",
            Flag(|cell| cell.stopping().filter(|rule| rule.rate.is_some()).map(|rule| rule.is_corrected)),
            "whether that rate is [corrected for the stop](../explanation/statistics.md#stopping-rules): yes after a test or an e-value, no after a half-width, which needs no correction",
        ),
        ("llr", Real(|cell| cell.stopping()?.llr), "the log-likelihood ratio of a sequential test"),
        ("llr_lower", Real(|cell| cell.stopping()?.lower), "its lower bound"),
        ("llr_upper", Real(|cell| cell.stopping()?.upper), "its upper bound"),
        (
            "missing_pairs",
            Whole(|cell| Some(cell.point.missing.as_ref().map_or(0, |missing| missing.pairs))),
            "pairs that were begun and have no result",
        ),
        (
            "missing_low",
            Fraction(|cell| Some(cell.point.missing.as_ref()?.low)),
            "the lowest win rate that they could still give the cell",
        ),
        ("missing_high", Fraction(|cell| Some(cell.point.missing.as_ref()?.high)), "the highest one"),
        (
            "player",
            Text(|cell| Some(cell.series.case.player_id().to_string())),
            "the id of the case as a player",
        ),
        (
            "baseline_player",
            Text(|cell| Some(cell.series.baseline.player_id().to_string())),
            "the id of the baseline as a player",
        ),
        ("cell", Text(|cell| Some(cell.point.cell.to_string())), "the id of the cell"),
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
        let names: Vec<_> = cell_columns().into_iter().map(|(name, ..)| name).collect();
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
