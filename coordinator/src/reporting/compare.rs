//! Two experiments, revisions of them, or a case of each, side by side.

use super::confidence::CONFIDENCE;
use engine::havannah::BoardSize;
use engine::spelling::closest;
use protocol::compare::{
    ComparedPoint, ComparedSeries, ComparedSide, ComparedVerdict, Gap, LonePoint, LoneSeries, SideBySide,
};
use protocol::ids::CellId;
use protocol::lease::Budget;
use protocol::report::{ExperimentReport, Series};
use stats::{Agreement, Difference, PairCounts, Rate, difference, differences, summary};

/// The difference, from 0 to 1, that an agreement excludes.
const MARGIN: f64 = 0.05;

/// A side of a comparison.
pub(crate) struct Side {
    pub(super) of: ComparedSide,
    pub(super) lines: Vec<Line>,
}

/// A series with the pairs that count for the side.
pub(super) struct Line {
    title: String,
    against: String,
    budget: Budget,
    pub(super) spots: Vec<Spot>,
}

/// A cell with the pairs that count for the side.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    size: BoardSize,
    pub(super) cell: CellId,
    pub(super) pairs: PairCounts,
}

impl From<&Series> for Line {
    fn from(series: &Series) -> Self {
        let spots = series.points.iter().map(|point| Spot {
            size: point.size,
            cell: point.cell,
            pairs: point.pair_counts.into(),
        });
        Self {
            title: series.title().to_owned(),
            against: series.baseline_label.clone(),
            budget: series.budget,
            spots: spots.collect(),
        }
    }
}

impl Line {
    fn words(&self) -> String {
        format!("{} against {}, {}", self.title, self.against, self.budget)
    }

    /// The cell of a size.
    fn on(&self, size: BoardSize) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.size == size)
    }

    fn shares_cells_with(&self, other: &Self) -> bool {
        self.spots.iter().any(|spot| other.on(spot.size).is_some_and(|own| own.cell == spot.cell))
    }

    /// The sizes that the other side's line does not have, if there are any.
    fn beyond(&self, other: Option<&Self>) -> Option<LoneSeries> {
        let alone = self.spots.iter().filter(|spot| other.is_none_or(|other| other.on(spot.size).is_none()));
        let points: Vec<LonePoint> = alone
            .map(|spot| LonePoint {
                size: spot.size,
                cell: spot.cell,
                pairs: spot.pairs.pairs(),
                rate: rate(&spot.pairs).map(gap),
            })
            .collect();
        (!points.is_empty()).then(|| LoneSeries { title: self.words(), points })
    }
}

impl Side {
    /// An experiment as it stands now. `case` is the name of the only case wanted.
    pub(crate) fn now(report: &ExperimentReport, case: Option<String>, revision: Option<u64>) -> Self {
        let summary = &report.summary;
        let of = ComparedSide {
            experiment: summary.id,
            name: summary.name.clone(),
            case,
            revision,
            until_ms: None,
        };
        Self { of, lines: report.series.iter().map(Line::from).collect() }
    }

    /// The lines of this side.
    ///
    /// # Errors
    /// When there is no such case, in words.
    fn chosen(&self) -> Result<Vec<&Line>, String> {
        let Some(case) = &self.of.case else { return Ok(self.lines.iter().collect()) };
        let own: Vec<&Line> = self.lines.iter().filter(|line| line.title == *case).collect();
        if !own.is_empty() {
            return Ok(own);
        }
        let names = self.lines.iter().map(|line| line.title.as_str());
        let near = closest(case, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(format!("`{}` has no case `{case}`{near}", self.of.name))
    }
}

/// Compares two sides. Series belong together that share a cell, or have the same case, baseline and budget by name; a case that was asked
/// for belongs to the one that was asked for on the other side, if need be at another budget.
///
/// # Errors
/// When a side has no such case, in words.
pub(crate) fn compare(left: &Side, right: &Side) -> Result<SideBySide, String> {
    let (lefts, mut rights) = (left.chosen()?, right.chosen()?);
    let are_chosen = left.of.case.is_some() && right.of.case.is_some();
    let same =
        |one: &Line, other: &Line| (are_chosen || one.title == other.title) && one.budget == other.budget;
    // Two experiments may call their only baseline differently.
    let has_one_baseline = |lines: &[&Line]| lines.windows(2).all(|pair| pair[0].against == pair[1].against);
    let may_differ = has_one_baseline(&lefts) && has_one_baseline(&rights);
    // The surest pairs come first, so that no line takes the counterpart of another.
    let belongs = |way: usize, one: &Line, other: &Line| match way {
        0 => one.shares_cells_with(other),
        1 => same(one, other) && one.against == other.against,
        2 => same(one, other) && may_differ,
        3 => are_chosen && one.against == other.against,
        _ => are_chosen && may_differ,
    };
    let (mut series, mut only_left, mut only_right) = (Vec::new(), Vec::new(), Vec::new());
    let mut counterparts: Vec<Option<&Line>> = vec![None; lefts.len()];
    for way in 0..5 {
        // Which budgets belong together is plain only where one line is left on each side.
        let is_plain = rights.len() == 1 && counterparts.iter().filter(|one| one.is_none()).count() == 1;
        if way > 2 && !is_plain {
            break;
        }
        for (one, counterpart) in lefts.iter().zip(&mut counterparts) {
            if counterpart.is_none()
                && let Some(place) = rights.iter().position(|other| belongs(way, one, other))
            {
                *counterpart = Some(rights.remove(place));
            }
        }
    }
    for (one, other) in lefts.into_iter().zip(counterparts) {
        only_left.extend(one.beyond(other));
        if let Some(other) = other {
            only_right.extend(other.beyond(Some(one)));
            series.push(compared(one, other));
        }
    }
    only_right.extend(rights.into_iter().filter_map(|line| line.beyond(None)));
    series.retain(|line| !line.points.is_empty());
    Ok(SideBySide {
        left: left.of.clone(),
        right: right.of.clone(),
        series,
        only_left,
        only_right,
        confidence: CONFIDENCE,
        margin: MARGIN,
        method: method(left, right),
    })
}

/// How differences are judged, in words.
fn method(left: &Side, right: &Side) -> String {
    let by_time = if left.of.until_ms == right.of.until_ms {
        ""
    } else {
        " A cell of both sides has the pairs of the earlier one and later ones: its difference is that between the two, and should be none."
    };
    format!(
        "Newcombe's interval of the difference of two independent rates. A difference is called one where the interval \
         excludes 0, an agreement where it contains 0 and is at most {:.0} points wide. Cases that met the same openings \
         are closer than this says.{by_time}",
        200.0 * MARGIN
    )
}

/// The pairs that a later look at a cell has beyond those of an earlier one; none if it lost some since.
fn since(later: &PairCounts, earlier: &PairCounts) -> Option<PairCounts> {
    let (later, earlier) = (<[u64; 6]>::from(*later), <[u64; 6]>::from(*earlier));
    let mut more = [0; 6];
    for (place, more) in more.iter_mut().enumerate() {
        *more = later[place].checked_sub(earlier[place])?;
    }
    Some(more.into())
}

/// The pairs of two cells that are independent of each other; none if both are the same cell with the same pairs.
fn independent(one: &Spot, other: &Spot) -> Option<(PairCounts, PairCounts)> {
    if one.cell != other.cell {
        return Some((one.pairs, other.pairs));
    }
    if one.pairs == other.pairs {
        return None;
    }
    since(&other.pairs, &one.pairs)
        .map(|more| (one.pairs, more))
        .or_else(|| since(&one.pairs, &other.pairs).map(|more| (more, other.pairs)))
}

fn compared(left: &Line, right: &Line) -> ComparedSeries {
    let (mut points, mut rates) = (Vec::new(), Vec::new());
    for one in &left.spots {
        let Some(other) = right.on(one.size) else { continue };
        let apart = independent(one, other);
        let both = apart.and_then(|(one, other)| rate(&one).zip(rate(&other)));
        let found = both.map(|(one, other)| difference(&one, &other, MARGIN));
        rates.extend(both);
        points.push(ComparedPoint {
            size: one.size,
            left_cell: one.cell,
            right_cell: other.cell,
            left: rate(&one.pairs).map(gap),
            right: rate(&other.pairs).map(gap),
            left_pairs: one.pairs.pairs(),
            right_pairs: other.pairs.pairs(),
            difference: found.map(|Difference { difference, low, high, .. }| Gap {
                value: difference,
                low,
                high,
            }),
            verdict: match found.map(|found| found.agreement) {
                _ if apart.is_none() => ComparedVerdict::SameCell,
                None => ComparedVerdict::NotPlayed,
                Some(Agreement::Agrees) => ComparedVerdict::Agrees,
                Some(Agreement::Differs) => ComparedVerdict::Differs,
                Some(Agreement::Undecided) => ComparedVerdict::TooFewGames,
            },
        });
    }
    let all = differences(&rates, CONFIDENCE);
    ComparedSeries {
        left: left.title.clone(),
        right: right.title.clone(),
        against: left.against.clone(),
        budget: if left.budget == right.budget {
            left.budget.to_string()
        } else {
            format!("{} beside {}", left.budget, right.budget)
        },
        points,
        mean: all.map(|all| Gap { value: all.mean, low: all.low, high: all.high }),
        p_value: all.map(|all| all.zero.p_value),
    }
}

fn rate(pairs: &PairCounts) -> Option<Rate> {
    summary(pairs, CONFIDENCE).as_ref().map(Rate::from)
}

fn gap(rate: Rate) -> Gap {
    Gap { value: rate.rate, low: rate.low, high: rate.high }
}
