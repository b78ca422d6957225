//! Two experiments, or a case of each, side by side.

use super::confidence::CONFIDENCE;
use engine::spelling::closest;
use protocol::compare::{ComparedPoint, ComparedSeries, ComparedSide, ComparedVerdict, Gap, SideBySide};
use protocol::report::{ExperimentReport, Point, Series};
use stats::{Agreement, Difference, PairCounts, Rate, difference, differences, summary};

/// The difference, from 0 to 1, that an agreement excludes.
const MARGIN: f64 = 0.05;

/// A side of a comparison: a report, and the name of the only case wanted.
pub(crate) struct Side {
    pub(crate) report: ExperimentReport,
    pub(crate) case: Option<String>,
}

impl Side {
    /// The series of this side.
    ///
    /// # Errors
    /// When there is no such case, in words.
    fn series(&self) -> Result<Vec<&Series>, String> {
        let Some(case) = &self.case else { return Ok(self.report.series.iter().collect()) };
        let all = self.report.series.iter();
        let own: Vec<&Series> = all.filter(|series| series.title() == case.as_str()).collect();
        if !own.is_empty() {
            return Ok(own);
        }
        let names = self.report.series.iter().map(Series::title);
        let near = closest(case, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(format!("`{}` has no case `{case}`{near}", self.report.summary.name))
    }

    fn described(&self) -> ComparedSide {
        let summary = &self.report.summary;
        ComparedSide { experiment: summary.id, name: summary.name.clone(), case: self.case.clone() }
    }
}

/// Compares two sides. Series belong together that have the same case, baseline and budget by name; a case that was asked for
/// belongs to the one that was asked for on the other side.
///
/// # Errors
/// When a side has no such case, in words.
pub(crate) fn compare(left: &Side, right: &Side) -> Result<SideBySide, String> {
    let (lefts, mut rights) = (left.series()?, right.series()?);
    let any_case = left.case.is_some() && right.case.is_some();
    let alike = |one: &Series, other: &Series, exactly: bool| {
        (any_case || one.title() == other.title())
            && (!exactly || (&one.baseline_label, one.budget) == (&other.baseline_label, other.budget))
    };
    let (mut series, mut only_left) = (Vec::new(), Vec::new());
    for one in lefts {
        let exact = rights.iter().position(|other| alike(one, other, true));
        // Two experiments may call their only baseline differently.
        match exact.or_else(|| {
            rights.iter().position(|other| alike(one, other, false) && one.budget == other.budget)
        }) {
            Some(place) => series.push(compared(one, rights.remove(place))),
            None => only_left.push(described(one)),
        }
    }
    Ok(SideBySide {
        left: left.described(),
        right: right.described(),
        series,
        only_left,
        only_right: rights.into_iter().map(described).collect(),
        confidence: CONFIDENCE,
        margin: MARGIN,
        method: format!(
            "Newcombe's interval of the difference of two independent rates. A difference is called one where the interval \
             excludes 0, an agreement where it is no wider than {:.0} points on either side. Cases that met the same openings \
             are closer than this says.",
            100.0 * MARGIN
        ),
    })
}

fn described(series: &Series) -> String {
    format!("{} against {}, {}", series.title(), series.baseline_label, series.budget)
}

fn compared(left: &Series, right: &Series) -> ComparedSeries {
    let (mut points, mut rates) = (Vec::new(), Vec::new());
    for one in &left.points {
        let Some(other) = right.points.iter().find(|other| other.size == one.size) else { continue };
        let both = rate(one).zip(rate(other));
        let found = both.map(|(one, other)| difference(&one, &other, MARGIN));
        let is_same = one.cell == other.cell;
        if !is_same {
            rates.extend(both);
        }
        points.push(ComparedPoint {
            size: one.size,
            left_cell: one.cell,
            right_cell: other.cell,
            left: rate(one).map(gap),
            right: rate(other).map(gap),
            difference: found.map(|Difference { difference, low, high, .. }| Gap {
                value: difference,
                low,
                high,
            }),
            verdict: match found.map(|found| found.agreement) {
                _ if is_same => ComparedVerdict::SameCell,
                None => ComparedVerdict::NotPlayed,
                Some(Agreement::Agrees) => ComparedVerdict::Agrees,
                Some(Agreement::Differs) => ComparedVerdict::Differs,
                Some(Agreement::Undecided) => ComparedVerdict::TooFewGames,
            },
        });
    }
    let all = differences(&rates, CONFIDENCE);
    ComparedSeries {
        left: left.title().to_owned(),
        right: right.title().to_owned(),
        against: left.baseline_label.clone(),
        budget: left.budget.to_string(),
        points,
        mean: all.map(|all| Gap { value: all.mean, low: all.low, high: all.high }),
        p_value: all.map(|all| all.zero.p_value),
    }
}

fn rate(point: &Point) -> Option<Rate> {
    summary(&PairCounts::from(point.pair_counts), CONFIDENCE).as_ref().map(Rate::from)
}

fn gap(rate: Rate) -> Gap {
    Gap { value: rate.rate, low: rate.low, high: rate.high }
}
