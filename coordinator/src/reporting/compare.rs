//! Two experiments, revisions of them, or a case of each, side by side. A rate is the score of a case against an opponent, so
//! only results against the same player with the same budget are subtracted, whatever the player's name.

mod matching;

use super::confidence::CONFIDENCE;
use engine::havannah::BoardSize;
use matching::MatchedSeries;
use protocol::compare::{
    ComparedPoint, ComparedSeries, ComparedSide, ComparedVerdict, Gap, LonePoint, LoneSeries, SideBySide,
};
use protocol::ids::{CellId, PlayerId};
use protocol::lease::{Budget, ParamSet};
use protocol::report::{ExperimentReport, Series};
use stats::{Agreement, Difference, PairCounts, Rate, Unfinished, difference, differences, live_summary};

/// The difference, from 0 to 1, that an agreement excludes.
const MARGIN: f64 = 0.05;

/// A side of a comparison.
pub(crate) struct Side {
    pub(super) of: ComparedSide,
    pub(super) lines: Vec<SideSeries>,
}

/// A series with the pairs that count for the side.
pub(super) struct SideSeries {
    case: Player,
    opponent: Player,
    budget: Budget,
    /// `engine::SEMANTICS` of the games.
    semantics: u32,
    pub(super) spots: Vec<SideCell>,
}

/// A player with the name that its side gives it.
struct Player {
    name: String,
    params: ParamSet,
    id: PlayerId,
}

impl Player {
    fn new(name: &str, params: &ParamSet) -> Self {
        Self { name: name.to_owned(), params: params.clone(), id: params.player_id() }
    }
}

/// A cell with the pairs that count for the side.
#[derive(Clone, Copy)]
pub(super) struct SideCell {
    size: BoardSize,
    pub(super) cell: CellId,
    pub(super) pairs: PairCounts,
    /// Pairs that were begun and are not complete.
    unfinished: Unfinished,
}

impl SideCell {
    fn rate(&self) -> Option<Rate> {
        live_summary(&self.pairs, &self.unfinished, CONFIDENCE).as_ref().map(Rate::from)
    }
}

impl From<&Series> for SideSeries {
    fn from(series: &Series) -> Self {
        let spots = series.points.iter().map(|point| SideCell {
            size: point.size,
            cell: point.cell,
            pairs: point.pair_counts.into(),
            unfinished: point.unfinished(),
        });
        Self {
            case: Player::new(series.title(), &series.case),
            opponent: Player::new(&series.baseline_label, &series.baseline),
            budget: series.budget,
            semantics: series.semantics,
            spots: spots.collect(),
        }
    }
}

impl SideSeries {
    /// The cell of a size.
    fn on(&self, size: BoardSize) -> Option<&SideCell> {
        self.spots.iter().find(|spot| spot.size == size)
    }

    fn shares_cells_with(&self, other: &Self) -> bool {
        self.spots.iter().any(|spot| other.on(spot.size).is_some_and(|own| own.cell == spot.cell))
    }

    /// The sizes that the other side's line lacks, if any. `title` is the line in words.
    fn beyond(&self, other: Option<&Self>, title: impl FnOnce() -> String) -> Option<LoneSeries> {
        let alone = self.spots.iter().filter(|spot| other.is_none_or(|other| other.on(spot.size).is_none()));
        let points: Vec<LonePoint> = alone
            .map(|spot| LonePoint {
                size: spot.size,
                cell: spot.cell,
                pairs: spot.pairs.pairs(),
                rate: spot.rate().map(gap),
            })
            .collect();
        (!points.is_empty()).then(|| LoneSeries { title: title(), points })
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
        Self { of, lines: report.series.iter().map(SideSeries::from).collect() }
    }
}

/// Compares two sides, line by line.
///
/// # Errors
/// When a side has no such case, in words.
pub(crate) fn compare(left: &Side, right: &Side) -> Result<SideBySide, String> {
    let MatchedSeries { pairs, lone_left, lone_right, names, notes } = matching::matched(left, right)?;
    let (mut series, mut only_left, mut only_right) = (Vec::new(), Vec::new(), Vec::new());
    for (one, other) in pairs {
        only_left.extend(one.beyond(Some(other), || names.line(one)));
        only_right.extend(other.beyond(Some(one), || names.line(other)));
        let line = compared(one, other, names.both(one, other));
        series.extend((!line.points.is_empty()).then_some(line));
    }
    only_left.extend(lone_left.into_iter().filter_map(|line| line.beyond(None, || names.line(line))));
    only_right.extend(lone_right.into_iter().filter_map(|line| line.beyond(None, || names.line(line))));
    Ok(SideBySide {
        left: left.of.clone(),
        right: right.of.clone(),
        series,
        only_left,
        only_right,
        notes,
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
        "Only results against the same opponent with the same budget are subtracted. Openings are not compared: where the sides began from \
         other openings, the difference is also one of openings. Newcombe's interval of the difference of two independent rates, which holds however games end that were begun and are missing. A difference is called one where the interval \
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
fn independent(one: &SideCell, other: &SideCell) -> Option<(SideCell, SideCell)> {
    if one.cell != other.cell {
        return Some((*one, *other));
    }
    if one.pairs == other.pairs {
        return None;
    }
    since(&other.pairs, &one.pairs)
        .map(|pairs| (*one, SideCell { pairs, ..*other }))
        .or_else(|| since(&one.pairs, &other.pairs).map(|pairs| (SideCell { pairs, ..*one }, *other)))
}

/// The sizes of two lines against the same opponent. `names` are those of both cases and of the opponent.
fn compared(
    left: &SideSeries,
    right: &SideSeries,
    [case, other_case, against]: [String; 3],
) -> ComparedSeries {
    let (mut points, mut rates) = (Vec::new(), Vec::new());
    for one in &left.spots {
        let Some(other) = right.on(one.size) else { continue };
        let apart = independent(one, other);
        let both = apart.and_then(|(one, other)| one.rate().zip(other.rate()));
        let found = both.map(|(one, other)| difference(&one, &other, MARGIN));
        rates.extend(both);
        points.push(ComparedPoint {
            size: one.size,
            left_cell: one.cell,
            right_cell: other.cell,
            left: one.rate().map(gap),
            right: other.rate().map(gap),
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
        left: case,
        right: other_case,
        against,
        budget: left.budget.to_string(),
        points,
        mean: all.map(|all| Gap { value: all.mean, low: all.low, high: all.high }),
        p_value: all.map(|all| all.zero.p_value),
    }
}

fn gap(rate: Rate) -> Gap {
    Gap { value: rate.rate, low: rate.low, high: rate.high }
}
