//! What games say of claims.

use crate::file::{Claim, ClaimKind, Figure};
use crate::finding::{DOUBLINGS, Decision, Finding, GamesToDecide, Outlook, both};
use engine::havannah::BoardSize;
use gauntlet::commands::compare::published;
use gauntlet::commands::compare::report::{Assumptions, Comparison, PointReport};
use protocol::ids::CellId;
use stats::{PairCounts, StratifiedMean, Summary, Unfinished, heterogeneity_of_cells, live_summary};

/// A claim with the games that it is judged by.
pub(crate) struct JudgedClaim<'f> {
    pub(crate) claim: &'f Claim,
    /// The cells of its cases on the sizes of the claim.
    pub(crate) cells: Vec<CellId>,
    /// The games in these cells.
    pub(crate) games: u64,
    /// How many of them are those of the other case, if the claim is about a difference.
    pub(crate) games_of_other: Option<u64>,
    /// None before every size has a complete pair.
    pub(crate) ours: Option<Mean>,
    /// The rates of which ours is the mean; none for a difference.
    pub(crate) spread: Option<Spread>,
    pub(crate) published: Mean,
    /// The confidence sequence of our rate, which holds at every look.
    pub(crate) sequence: (f64, f64),
    pub(crate) finding: Finding,
    /// The lowest level, such as 0.004, at which a decided finding still stands: the chance that a sequence as wide as that misses the
    /// true rate. None for an undecided finding.
    pub(crate) level: Option<f64>,
}

/// A mean rate over sizes, or 50 % and the difference of two, with the variance of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mean {
    pub(crate) rate: f64,
    variance: f64,
}

/// How the rates of a case differ between sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    /// The size with the lowest rate.
    pub(crate) lowest: (BoardSize, f64),
    /// The size with the highest rate.
    pub(crate) highest: (BoardSize, f64),
    /// The p-value of the test that all sizes have the same rate.
    pub(crate) p_value: f64,
    /// Whether the interval of the highest size is above 50 %, and that of the lowest size below.
    is_around_half: bool,
}

/// The rates of a case differ between sizes if the test that they are equal has a p-value below this.
pub(crate) const SIZES_DIFFER: f64 = 0.05;

impl Spread {
    /// Whether some sizes are shown to be above 50 %, and others below.
    fn is_opposite(&self) -> bool {
        self.p_value < SIZES_DIFFER && self.is_around_half
    }
}

impl JudgedClaim<'_> {
    /// Whether the published rate lies outside of the sequence of ours; none without games.
    pub(crate) fn is_apart(&self) -> Option<bool> {
        let (low, high) = self.sequence;
        self.ours.map(|_| self.published.rate < low || self.published.rate > high)
    }

    /// How much higher our rate is than the published one, in standard deviations of their difference; none without games.
    pub(crate) fn deviations(&self) -> Option<f64> {
        let ours = self.ours?;
        Some((ours.rate - self.published.rate) / (ours.variance + self.published.variance).sqrt())
    }
}

impl From<&StratifiedMean> for Mean {
    fn from(mean: &StratifiedMean) -> Self {
        Self { rate: mean.rate, variance: mean.estimate().variance }
    }
}

impl Mean {
    /// The rate itself, or by how much it is above another one, around 50 %.
    fn less(self, other: Option<Self>) -> Self {
        other.map_or(self, |other| Self {
            rate: 0.5 + self.rate - other.rate,
            variance: self.variance + other.variance,
        })
    }
}

/// The claims of a figure, by the games of one program.
pub(crate) struct Judgement<'f> {
    pub(crate) claims: Vec<JudgedClaim<'f>>,
    /// Other statements, which do not decide.
    pub(crate) also: Vec<JudgedClaim<'f>>,
    pub(crate) finding: Finding,
}

impl Judgement<'_> {
    /// The lowest level at which the finding still stands. A conclusion holds while all its claims do, and falls with one of them. None
    /// for an undecided finding.
    pub(crate) fn level(&self) -> Option<f64> {
        let Finding::Decided(decision) = self.finding else { return None };
        let levels = self.claims.iter().filter(|one| one.finding == self.finding).filter_map(|one| one.level);
        levels.reduce(if decision == Decision::Holds { f64::max } else { f64::min })
    }
}

/// Judges the claims of a figure by the games of one program.
pub(crate) fn judge<'f>(
    figure: &'f Figure,
    published: &published::Figure,
    comparison: &Comparison,
    assumptions: Assumptions,
) -> Judgement<'f> {
    let points: Vec<&PointReport> = comparison.points().collect();
    let all = |claims: &'f [Claim]| -> Vec<JudgedClaim<'f>> {
        claims.iter().map(|claim| judged(claim, published, &points, assumptions)).collect()
    };
    let (claims, also) = (all(&figure.claims), all(&figure.also));
    let finding =
        claims.iter().map(|one| one.finding).reduce(both).unwrap_or(Finding::Undecided(Outlook::Unknown));
    Judgement { claims, also, finding }
}

/// The claim by the games of its cases on its sizes. Every size has the same weight, however many games it has. A size without
/// games leaves the claim undecided.
fn judged<'f>(
    claim: &'f Claim,
    published: &published::Figure,
    points: &[&PointReport],
    assumptions: Assumptions,
) -> JudgedClaim<'f> {
    let case = Case::of(claim, &claim.case, published, points, assumptions);
    let other = claim.than.as_ref().map(|other| Case::of(claim, other, published, points, assumptions));
    let theirs = Mean::less(case.published, other.as_ref().map(|other| other.published));
    let means = match (&case.mean, &other) {
        (Some(mean), None) => Some((mean, None)),
        (Some(mean), Some(other)) => other.mean.as_ref().map(|other| (mean, Some(other))),
        (None, _) => None,
    };
    let at = |factor: f64, confidence| means.map_or((0.0, 1.0), |means| sequence(means, factor, confidence));
    let decision = |sequence| decision(claim.says, sequence, theirs.rate);
    let sequence = at(1.0, assumptions.confidence);
    let decided = decision(sequence);
    let level = decided.map(|decided| {
        lowest_level(1.0 - assumptions.confidence, |level| decision(at(1.0, 1.0 - level)) == Some(decided))
    });
    let games_of_other = other.as_ref().map(|other| other.games);
    let played = case.games + games_of_other.unwrap_or(0);
    // More games narrow the sequence, where the rate stays as it is.
    let more = || {
        means?;
        let decides =
            |step: u32| decision(at(2f64.powf(f64::from(step) / f64::from(STEPS)), assumptions.confidence));
        let mut decided =
            (1..=DOUBLINGS).map(|doubling| doubling * STEPS).find(|step| decides(*step).is_some())?;
        let mut open = decided - STEPS;
        while decided - open > 1 {
            let middle = u32::midpoint(open, decided);
            if decides(middle).is_some() { decided = middle } else { open = middle }
        }
        let factor = 2f64.powf(f64::from(decided) / f64::from(STEPS));
        Some(GamesToDecide { games: round(played as f64 * (factor - 1.0)), to: decides(decided)? })
    };
    let spread = case.spread.filter(|_| claim.than.is_none());
    let outlook = || match spread {
        Some(spread) if spread.is_opposite() => Outlook::Opposite,
        _ => more().map_or(Outlook::Unknown, Outlook::More),
    };
    let finding = decided.map_or_else(|| Finding::Undecided(outlook()), Finding::Decided);
    let ours = means.map(|(mean, other)| Mean::less(mean.into(), other.map(Mean::from)));
    let cells = case.cells.into_iter().chain(other.into_iter().flat_map(|other| other.cells)).collect();
    JudgedClaim {
        claim,
        cells,
        games: played,
        games_of_other,
        ours,
        spread,
        published: theirs,
        sequence,
        finding,
        level,
    }
}

/// The levels that are looked at are at least this.
const LEAST_LEVEL: f64 = 1e-9;

/// The lowest level at which something stands that stands at `level`, to a few per cent of the level. A lower level has a wider sequence.
fn lowest_level(level: f64, stands: impl Fn(f64) -> bool) -> f64 {
    if stands(LEAST_LEVEL) {
        return LEAST_LEVEL;
    }
    let (mut falls, mut holds) = (LEAST_LEVEL.ln(), level.ln());
    while holds - falls > 0.01 {
        let middle = (falls + holds) / 2.0;
        *(if stands(middle.exp()) { &mut holds } else { &mut falls }) = middle;
    }
    holds.exp()
}

/// So many numbers of games are tried from one to its double, to find the one that would decide.
const STEPS: u32 = 64;

/// The sequence of a mean, or of a difference around 50 %, after so many times as many games.
fn sequence(
    (mean, other): (&StratifiedMean, Option<&StratifiedMean>),
    factor: f64,
    confidence: f64,
) -> (f64, f64) {
    let mean = mean.after(factor);
    match other {
        None => mean.sequence(confidence).expect("the confidence was checked"),
        Some(other) => {
            let found = mean.difference_sequence(&other.after(factor), confidence);
            let (low, high) = found.expect("the confidence was checked");
            (0.5 + low, 0.5 + high)
        }
    }
}

/// A case of a claim, on the claim's sizes.
struct Case {
    cells: Vec<CellId>,
    games: u64,
    /// None before every size has a complete pair.
    mean: Option<StratifiedMean>,
    /// None before two sizes have a complete pair.
    spread: Option<Spread>,
    published: Mean,
}

impl Case {
    fn of(
        claim: &Claim,
        case: &str,
        published: &published::Figure,
        points: &[&PointReport],
        assumptions: Assumptions,
    ) -> Self {
        let series = published.series.iter().filter(|series| series.name == case);
        let theirs: Vec<&published::Point> =
            series.flat_map(|series| &series.points).filter(|point| claim.is_on(point.size)).collect();
        let ours: Vec<Option<&&PointReport>> = theirs
            .iter()
            .map(|theirs| points.iter().find(|point| point.series == case && point.size == theirs.size))
            .collect();
        let begun = |point: &Option<&&PointReport>| {
            point.map_or_else(Default::default, |point| (point.pairs, point.unfinished))
        };
        let pairs: Vec<(PairCounts, Unfinished)> = ours.iter().map(begun).collect();
        let of_size = |(point, (pairs, unfinished)): (&&published::Point, &(PairCounts, Unfinished))| {
            Some((point.size, live_summary(pairs, unfinished, assumptions.confidence)?))
        };
        let sizes: Vec<(BoardSize, Summary)> = theirs.iter().zip(&pairs).filter_map(of_size).collect();
        let count = theirs.len() as f64;
        let variance = |point: &&published::Point| {
            let games = point.games.unwrap_or(assumptions.published_games);
            point.rate * (1.0 - point.rate) / f64::from(games)
        };
        Self {
            cells: ours.into_iter().flatten().map(|point| point.cell).collect(),
            games: pairs.iter().map(|(pairs, _)| 2 * pairs.pairs()).sum(),
            mean: StratifiedMean::begun(pairs.iter().map(|(pairs, unfinished)| (*pairs, *unfinished, 1.0))),
            spread: Spread::of(&sizes),
            published: Mean {
                rate: theirs.iter().map(|point| point.rate).sum::<f64>() / count,
                variance: theirs.iter().map(variance).sum::<f64>() / count.powi(2),
            },
        }
    }
}

impl Spread {
    fn of(sizes: &[(BoardSize, Summary)]) -> Option<Self> {
        let by_rate = |a: &&(BoardSize, Summary), b: &&(BoardSize, Summary)| a.1.rate.total_cmp(&b.1.rate);
        let (lowest, highest) = (sizes.iter().min_by(by_rate)?, sizes.iter().max_by(by_rate)?);
        let cells: Vec<Summary> = sizes.iter().map(|(_, cell)| *cell).collect();
        Some(Self {
            lowest: (lowest.0, lowest.1.rate),
            highest: (highest.0, highest.1.rate),
            p_value: heterogeneity_of_cells(&cells)?.p_value,
            is_around_half: lowest.1.high < 0.5 && highest.1.low > 0.5,
        })
    }
}

/// To two digits.
fn round(games: f64) -> u64 {
    let unit = 10f64.powf(games.max(1.0).log10().floor() - 1.0).max(1.0);
    ((games / unit).ceil() * unit) as u64
}

/// Whether rates between these ends decide. The sequence of a case without an effect keeps 50 % inside, however many games there
/// are. A claim of an effect therefore also fails if all rates in the sequence are alike, and the published one is none of them.
fn decision(says: ClaimKind, (low, high): (f64, f64), published: f64) -> Option<Decision> {
    let (least, most) = says.rates();
    let no_effect = || {
        let (least, most) = ClaimKind::Alike.rates();
        let is_apart = published < low || published > high;
        matches!(says, ClaimKind::Better | ClaimKind::Worse) && low > least && high < most && is_apart
    };
    if low > least && high < most {
        Some(Decision::Holds)
    } else if high < least || low > most {
        Some(Decision::Fails)
    } else {
        no_effect().then_some(Decision::Smaller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use gauntlet::commands::compare::report::{Assumptions, FigureReport, Interval, Variant, Verdict};
    use uuid::Uuid;

    #[test]
    fn a_claim_is_decided_by_the_whole_sequence() {
        let of = |says, sequence| decision(says, sequence, 0.6);
        assert_eq!(of(ClaimKind::Better, (0.51, 0.7)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::Better, (0.3, 0.49)), Some(Decision::Fails));
        assert_eq!(of(ClaimKind::Better, (0.49, 0.9)), None);
        assert_eq!(of(ClaimKind::Better, (0.44, 0.54)), None);
        assert_eq!(of(ClaimKind::Better, (0.49, 0.54)), Some(Decision::Smaller), "no effect of five points");
        assert_eq!(
            decision(ClaimKind::Better, (0.49, 0.54), 0.53),
            None,
            "the published effect is not excluded"
        );
        assert_eq!(of(ClaimKind::Better, (0.51, 0.54)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::Worse, (0.46, 0.51)), Some(Decision::Smaller), "no effect of five points");
        assert_eq!(
            decision(ClaimKind::Worse, (0.46, 0.51), 0.47),
            None,
            "the published effect is not excluded"
        );
        assert_eq!(of(ClaimKind::Worse, (0.46, 0.49)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::Worse, (0.3, 0.49)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::Alike, (0.46, 0.54)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::Alike, (0.56, 0.7)), Some(Decision::Fails));
        assert_eq!(of(ClaimKind::Alike, (0.44, 0.54)), None);
        assert_eq!(of(ClaimKind::NotBetter, (0.3, 0.54)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::NotBetter, (0.51, 0.56)), None);
        assert_eq!(of(ClaimKind::NotWorse, (0.46, 0.7)), Some(Decision::Holds));
        assert_eq!(of(ClaimKind::NotWorse, (0.3, 0.44)), Some(Decision::Fails));
    }

    #[test]
    fn numbers_of_games_have_two_digits() {
        assert_eq!((round(7.2), round(129.3), round(12_345.0)), (8, 130, 13_000));
    }

    #[test]
    fn claims_are_judged_by_all_baselines_and_a_size_without_games_decides_nothing() {
        let size = |size| BoardSize::new(size).expect("a size");
        let point = |series: &str, on, ww| PointReport {
            series: series.to_owned(),
            case: series.to_owned(),
            size: size(on),
            cell: CellId(Uuid::from_u128(on.into())),
            pairs: PairCounts { ww, ..PairCounts::default() },
            unfinished: Unfinished::default(),
            ours: None,
            published: Interval { value: 0.5, low: 0.4, high: 0.6, games: None },
            difference: None,
            verdict: Verdict::NotPlayed,
        };
        let variant = |name: &str, points| Variant { name: name.to_owned(), points, tests: None };
        let comparison = |variants| Comparison {
            experiment: "e/f".to_owned(),
            question: String::new(),
            games_done: 200,
            games_planned: 200,
            games_missing: 0,
            assumptions: Assumptions { published_games: 300, margin: 0.1, confidence: 0.95 },
            figures: vec![FigureReport { figure: "f".to_owned(), variants, notes: Vec::new() }],
        };
        let series = |name: &str| published::Series {
            name: name.to_owned(),
            points: [(4, 0.6), (5, 0.8)]
                .map(|(on, rate)| published::Point { size: size(on), rate, games: None })
                .to_vec(),
        };
        let published =
            published::Figure { name: "fig:f".to_owned(), series: vec![series("1"), series("2")] };
        let figure: Figure = toml::from_str(
            "name = \"f\"\ntitle = \"F\"\nstatement = \"S.\"\nconclusion = \"C.\"\n[[claim]]\ncase = \"1\"\nsays = \"better\"\n[[claim]]\ncase = \
             \"2\"\nsays = \"better\"\nsizes = [4]\n",
        )
        .expect("a figure");
        let one = variant("against a", vec![point("1", 4, 50), point("1", 5, 50)]);
        let two = variant("against b", vec![point("2", 4, 50), point("2", 5, 0)]);
        let assumptions = Assumptions { published_games: 300, margin: 0.1, confidence: 0.95 };
        let judgement = |variants| judge(&figure, &published, &comparison(variants), assumptions);
        let all = judgement(vec![one, two]);
        assert_eq!(all.finding, Finding::Decided(Decision::Holds));
        assert_eq!(all.claims.iter().map(|claim| claim.cells.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(all.claims.iter().map(|claim| claim.games).collect::<Vec<_>>(), [200, 100]);
        let published = |claim: &JudgedClaim<'_>| claim.published.rate;
        assert!((published(&all.claims[0]) - 0.7).abs() < 1e-12);
        assert!((published(&all.claims[1]) - 0.6).abs() < 1e-12);
        let deviations = all.claims[0].deviations().expect("games");
        assert!(deviations > 5.0 && all.claims[0].is_apart() == Some(true), "{deviations}");
        let part = judgement(vec![variant("against a", vec![point("1", 4, 50), point("2", 4, 50)])]);
        assert_eq!(part.finding, Finding::Undecided(Outlook::Unknown), "claim 1 has no games on size 5");
        assert_eq!((part.claims[0].ours, part.claims[0].games), (None, 100));
    }

    #[test]
    fn a_claim_about_two_cases_is_judged_by_their_difference() {
        let size = BoardSize::new(4).expect("a size");
        let cell = |lost, won| PairCounts { ll: lost, ww: won, ..PairCounts::default() };
        let point = |series: &str, pairs| PointReport {
            series: series.to_owned(),
            case: series.to_owned(),
            size,
            cell: CellId(Uuid::nil()),
            pairs,
            unfinished: Unfinished::default(),
            ours: None,
            published: Interval { value: 0.5, low: 0.4, high: 0.6, games: None },
            difference: None,
            verdict: Verdict::NotPlayed,
        };
        let series = |name: &str, rate| published::Series {
            name: name.to_owned(),
            points: vec![published::Point { size, rate, games: None }],
        };
        let published = published::Figure {
            name: "fig:f".to_owned(),
            series: vec![series("all", 0.7), series("without", 0.8)],
        };
        let claim: Claim =
            toml::from_str("case = \"without\"\nthan = \"all\"\nsays = \"better\"\n").expect("a claim");
        assert_eq!(claim.words(), "`without` scores more than `all`, all sizes together");
        let assumptions = Assumptions { published_games: 300, margin: 0.1, confidence: 0.95 };
        let judged = |without, all| {
            let points = [point("all", all), point("without", without)];
            judged(&claim, &published, &points.iter().collect::<Vec<_>>(), assumptions)
        };
        let more = judged(cell(40, 160), cell(120, 80));
        let ours = more.ours.expect("games");
        assert!((ours.rate - 0.9).abs() < 1e-12 && (more.published.rate - 0.6).abs() < 1e-12);
        assert_eq!((more.finding, more.games), (Finding::Decided(Decision::Holds), 800));
        assert_eq!(judged(cell(120, 80), cell(40, 160)).finding, Finding::Decided(Decision::Fails));
        let few = judged(cell(2, 8), cell(6, 4));
        assert!(matches!(few.finding, Finding::Undecided(Outlook::More(_))), "{:?}", few.finding);
        assert_eq!(judged(cell(0, 0), cell(30, 20)).finding, Finding::Undecided(Outlook::Unknown));
    }

    #[test]
    fn the_level_of_a_verdict_is_that_at_which_it_falls() {
        let level = lowest_level(0.05, |level| level >= 0.003);
        assert!((0.003..0.0031).contains(&level), "{level}");
        assert!(lowest_level(0.05, |_| true) <= 1e-8);
        assert!((lowest_level(0.05, |level| level >= 0.05) - 0.05).abs() < 1e-3);
    }
}
