//! The comparison: points, verdicts and tests.

use super::matching::{MatchedFigure, notes};
use super::published;
use engine::havannah::BoardSize;
use protocol::ids::CellId;
use protocol::report::{ExperimentReport, Point as Played, Series};
use serde::Serialize;
use stats::{Agreement, ChiSquare, PairCounts, Rate, Unfinished, difference, differences, live_summary};

/// The assumptions of a comparison.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Assumptions {
    /// Games of a published point without a number of games.
    pub published_games: u32,
    /// Half the widest interval of an agreement.
    pub margin: f64,
    /// The confidence of all intervals.
    pub confidence: f64,
}

/// The whole comparison. Rates are from 0 to 1, from the case's point of view.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Its name.
    pub experiment: String,
    /// What it asks.
    pub question: String,
    /// Its finished games.
    pub games_done: u64,
    /// The games of its plan.
    pub games_planned: u64,
    /// Planned games that are not played yet, and that no rule made unnecessary.
    pub games_missing: u64,
    /// The assumptions of the comparison.
    pub assumptions: Assumptions,
    /// The figures that were compared.
    pub figures: Vec<FigureReport>,
}

/// A figure, once for each variant of the experiment.
#[derive(Debug, Serialize)]
pub struct FigureReport {
    /// Its name.
    pub figure: String,
    /// What our results have for it.
    pub variants: Vec<Variant>,
    /// What has no counterpart.
    pub notes: Vec<String>,
}

/// The cases of one baseline, which is one player, and budget, and of one group where several groups have cases of the same
/// label.
#[derive(Debug, Serialize)]
pub struct Variant {
    /// What distinguishes the variant from the others of the figure.
    pub name: String,
    /// Its points beside the published ones.
    pub points: Vec<PointReport>,
    /// The tests over all points; none before there are games.
    pub tests: Option<ChiSquareTests>,
}

/// A point of both sides.
#[derive(Debug, Clone, Serialize)]
pub struct PointReport {
    /// The published series.
    pub series: String,
    /// The label of the case.
    pub case: String,
    /// The board size.
    pub size: BoardSize,
    /// Our cell.
    #[serde(skip)]
    pub cell: CellId,
    /// Our complete pairs.
    #[serde(skip)]
    pub pairs: PairCounts,
    /// Our pairs that were begun and are not complete.
    #[serde(skip)]
    pub unfinished: Unfinished,
    /// Ours; none before the first complete pair.
    pub ours: Option<Interval>,
    /// The published rate.
    pub published: Interval,
    /// Ours less the published one; none without games.
    pub difference: Option<Interval>,
    /// Whether both agree.
    pub verdict: Verdict,
}

/// A number with an interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The games; for a published point, possibly assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
}

impl Interval {
    /// The rate of so many games.
    pub fn of(rate: &Rate, games: u64) -> Self {
        Self { value: rate.rate, low: rate.low, high: rate.high, games: Some(games) }
    }
}

/// What a point shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// See [`Agreement::Agrees`].
    Agrees,
    /// See [`Agreement::Differs`].
    Differs,
    /// See [`Agreement::Undecided`].
    TooFewGames,
    /// No complete pair has been played.
    NotPlayed,
}

/// The tests over the points of a variant.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ChiSquareTests {
    /// The mean of the differences, weighted by precision.
    pub mean: Interval,
    /// The test that all differences are 0.
    pub all_zero: ChiSquareTest,
    /// The test of heterogeneity, that all differences are equal; none for one point.
    pub all_equal: Option<ChiSquareTest>,
}

/// A chi-square test.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ChiSquareTest {
    /// The test statistic.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: u32,
    /// The p-value.
    pub p_value: f64,
}

impl From<ChiSquare> for ChiSquareTest {
    fn from(test: ChiSquare) -> Self {
        Self { chi_square: test.statistic, degrees_of_freedom: test.degrees, p_value: test.p_value }
    }
}

impl Variant {
    /// The number of points with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.points.iter().filter(|point| point.verdict == verdict).count()
    }
}

impl Comparison {
    /// The variants of all figures.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.figures.iter().flat_map(|figure| &figure.variants)
    }

    /// The points of all variants.
    pub fn points(&self) -> impl Iterator<Item = &PointReport> {
        self.variants().flat_map(|variant| &variant.points)
    }
}

/// Compares results with the figures.
pub fn compare(
    results: &ExperimentReport,
    figures: Vec<MatchedFigure>,
    assumptions: Assumptions,
) -> Comparison {
    let summary = &results.summary;
    Comparison {
        experiment: summary.name.clone(),
        question: summary.question.clone(),
        games_done: summary.games_done,
        games_planned: summary.games_planned,
        games_missing: summary.games_missing(),
        assumptions,
        figures: figures.iter().map(|matched| figure(results, matched, &assumptions)).collect(),
    }
}

fn figure(results: &ExperimentReport, matched: &MatchedFigure, assumptions: &Assumptions) -> FigureReport {
    let of = |index: &usize| &results.series[*index];
    // Whether a baseline and budget have several cases of one label, which then are of different groups.
    let by_group = matched.cases.iter().any(|cases| {
        let place = |series: &Series| (series.baseline.player_id(), series.budget.to_string());
        cases
            .iter()
            .enumerate()
            .any(|(i, case)| cases[..i].iter().any(|other| place(of(other)) == place(of(case))))
    });
    // A label is the name of a player, unless another player of this figure has it, too.
    let opponent = |series: &Series| {
        let id = series.baseline.player_id();
        let is_shared =
            matched.cases.iter().flatten().map(of).any(|other| {
                other.baseline_label == series.baseline_label && other.baseline.player_id() != id
            });
        let label = &series.baseline_label;
        if is_shared { format!("{label} (player {})", id.short()) } else { label.clone() }
    };
    let parts = |series: &Series| {
        let group = if by_group { series.group.clone() } else { String::new() };
        [group, opponent(series), series.budget.to_string()]
    };
    let mut kinds: Vec<[String; 3]> = Vec::new();
    for index in matched.cases.iter().flatten() {
        let kind = parts(of(index));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let varies: Vec<usize> = (0..3).filter(|i| kinds.iter().any(|kind| kind[*i] != kinds[0][*i])).collect();
    let variants = kinds.iter().map(|kind| {
        let name: Vec<String> = varies
            .iter()
            .map(|i| if *i == 1 { format!("against {}", kind[1]) } else { kind[*i].clone() })
            .collect();
        let name = if name.is_empty() { format!("against {}", kind[1]) } else { name.join(", ") };
        let series = matched.figure.series.iter().zip(&matched.cases).filter_map(|(published, cases)| {
            Some((published, of(cases.iter().find(|index| parts(of(index)) == *kind)?)))
        });
        variant(name, series, assumptions)
    });
    FigureReport {
        figure: matched.figure.name.clone(),
        variants: variants.collect(),
        notes: notes(matched, results),
    }
}

fn variant<'r>(
    name: String,
    series: impl Iterator<Item = (&'r published::Series, &'r Series)>,
    assumptions: &Assumptions,
) -> Variant {
    let mut points = Vec::new();
    let mut rates = Vec::new();
    for (published, ours) in series {
        for theirs in &published.points {
            let Some(played) = ours.points.iter().find(|point| point.size == theirs.size) else { continue };
            let (point, both) = point((&published.name, &ours.label), played, theirs, assumptions);
            points.push(point);
            rates.extend(both);
        }
    }
    let tests = differences(&rates, assumptions.confidence).map(|found| ChiSquareTests {
        mean: Interval { value: found.mean, low: found.low, high: found.high, games: None },
        all_zero: found.zero.into(),
        all_equal: found.equal.map(ChiSquareTest::from),
    });
    Variant { name, points, tests }
}

/// Intervals of fewer pairs are too rough for a verdict.
pub const LEAST_PAIRS: u64 = 10;

/// A point of a series and its case, and the rates of both sides if there are games.
fn point(
    (series, case): (&str, &str),
    played: &Played,
    published: &published::Point,
    assumptions: &Assumptions,
) -> (PointReport, Option<(Rate, Rate)>) {
    let games = published.games.unwrap_or(assumptions.published_games);
    let theirs = Rate::published(published.rate, f64::from(games), assumptions.confidence)
        .expect("the confidence was checked");
    let pairs = PairCounts::from(played.pair_counts);
    let unfinished = played.unfinished();
    let ours = live_summary(&pairs, &unfinished, assumptions.confidence);
    let rates = ours.map(|ours| (Rate::from(&ours), theirs));
    let found = rates.map(|(ours, theirs)| difference(&ours, &theirs, assumptions.margin));
    let point = PointReport {
        series: series.to_owned(),
        case: case.to_owned(),
        size: played.size,
        cell: played.cell,
        pairs,
        unfinished,
        ours: rates.map(|(ours, _)| Interval::of(&ours, 2 * played.pairs)),
        published: Interval::of(&theirs, u64::from(games)),
        difference: found.map(|found| Interval {
            value: found.difference,
            low: found.low,
            high: found.high,
            games: None,
        }),
        verdict: match found.map(|found| found.agreement) {
            Some(_) if pairs.pairs() < LEAST_PAIRS => Verdict::TooFewGames,
            Some(Agreement::Agrees) => Verdict::Agrees,
            Some(Agreement::Differs) => Verdict::Differs,
            Some(Agreement::Undecided) => Verdict::TooFewGames,
            None => Verdict::NotPlayed,
        },
    };
    (point, rates)
}

#[cfg(test)]
mod tests {
    use super::super::{matching, published};
    use super::*;
    use protocol::lease::Budget;
    use std::path::Path;

    const ASSUMPTIONS: Assumptions = Assumptions { published_games: 384, margin: 0.1, confidence: 0.95 };

    /// The results of two programs of one figure, whose baselines are different players.
    fn played() -> ExperimentReport {
        serde_json::from_str(include_str!("../../../docs/thesis/results/lgr.json")).expect("a report")
    }

    fn compared(results: &ExperimentReport) -> Vec<Variant> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let figures =
            published::read(&folder.join("docs/results/thesis-figures.csv")).expect("published points");
        let chosen = matching::choose(figures, &["lgr".to_owned()], results).expect("its series");
        compare(results, chosen, ASSUMPTIONS).figures.remove(0).variants
    }

    fn names(variants: &[Variant]) -> Vec<&str> {
        variants.iter().map(|variant| variant.name.as_str()).collect()
    }

    #[test]
    fn results_against_one_player_are_joined_and_those_against_others_are_not() {
        let mut results = played();
        let both = compared(&results);
        assert_eq!(names(&both), ["against rave", "against rave-2011"]);
        let of = |variants: &[Variant]| -> Vec<Vec<(CellId, PairCounts)>> {
            let points =
                |variant: &Variant| variant.points.iter().map(|point| (point.cell, point.pairs)).collect();
            variants.iter().map(points).collect()
        };
        // Another label of the opponents joins nothing: they are different players.
        for series in &mut results.series {
            series.baseline_label = "rave".into();
        }
        let relabelled = compared(&results);
        assert_eq!(of(&relabelled), of(&both));
        let ids: Vec<String> =
            [0, 2].map(|index| results.series[index].baseline.player_id().short().to_string()).into();
        assert_eq!(
            names(&relabelled),
            ids.iter().map(|id| format!("against rave (player {id})")).collect::<Vec<_>>()
        );
        // Neither are results with different budgets joined.
        let mut results = played();
        results.series.truncate(2);
        results.series[1].label = "LGR".into();
        results.series[1].budget = Budget::Sims(50);
        let budgets = compared(&results);
        assert_eq!(budgets.len(), 2, "{:?}", names(&budgets));
        assert!(budgets.iter().all(|variant| variant.points.len() == 7));
    }
}
