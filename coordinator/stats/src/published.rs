//! Comparison of our results with published ones: two rates of independent games, and whether they are the same.

use crate::{ChiSquare, OutsideUnitInterval, Summary, newcombe, normal, wilson};

/// A rate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// The rate, from 0 to 1.
    pub rate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// Number of independent games with the same precision, above 0.
    pub games: f64,
    /// How far games that are missing may move the rate.
    pub reach: f64,
}

impl From<&Summary> for Rate {
    fn from(summary: &Summary) -> Self {
        Self {
            rate: summary.rate,
            low: summary.low,
            high: summary.high,
            games: summary.effective_games,
            reach: summary.reach,
        }
    }
}

impl Rate {
    /// A published rate of `games` independent games, with Wilson's interval of this confidence.
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub fn published(rate: f64, games: f64, confidence: f64) -> Result<Self, OutsideUnitInterval> {
        let (low, high) = wilson(rate, 0.0, games, normal::two_sided(confidence)?);
        Ok(Self { rate, low, high, games, reach: 0.0 })
    }

    /// The variance of the difference of two rates if the true rates are equal: p(1 − p)(1/n₁ + 1/n₂), where p is the
    /// rate of all games. Draws make it smaller, so the tests below are on the safe side.
    fn variance_of_difference(&self, other: &Self) -> f64 {
        let games = self.games + other.games;
        let rate = (self.games * self.rate + other.games * other.rate) / games;
        rate * (1.0 - rate) * (1.0 / self.games + 1.0 / other.games)
    }

    /// How far missing games may move the difference.
    fn reach_of_difference(&self, other: &Self) -> f64 {
        self.reach + other.reach
    }

    /// The difference from a published rate, and its variance, which allows for missing games
    /// ([`crate::RateEstimate::allowing`]). None where every game of both sides was won, or lost: such a point has no
    /// information.
    fn against(&self, published: &Self) -> Option<(f64, f64)> {
        let variance = self.variance_of_difference(published);
        let reach = self.reach_of_difference(published);
        (variance > 0.0).then_some((self.rate - published.rate, variance + reach * reach))
    }
}

/// Whether two rates are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Agreement {
    /// The interval of the difference contains 0, and a difference beyond the margin would probably have been seen.
    Agrees,
    /// The interval of the difference does not contain 0.
    Differs,
    /// The interval contains 0 and is wider than the margin: there are too few games.
    Undecided,
}

/// The difference of two rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The first rate minus the second, from −1 to 1.
    pub difference: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// The verdict.
    pub agreement: Agreement,
}

/// The difference of our rate and a published one, by [`newcombe`]'s interval. The rates agree only if the interval is
/// at most 2·`margin` wide: a margin of 0.1 allows 20 percentage points in all.
#[must_use]
pub fn difference(ours: &Rate, published: &Rate, margin: f64) -> Difference {
    // Missing games may move both rates towards each other, and each interval is around the moved rate.
    let lowered = |of: &Rate| (of.low, (of.rate - of.reach).max(of.low), of.high);
    let raised = |of: &Rate| (of.low, (of.rate + of.reach).min(of.high), of.high);
    let (low, _) = newcombe(lowered(ours), raised(published));
    let (_, high) = newcombe(raised(ours), lowered(published));
    let agreement = if low > 0.0 || high < 0.0 {
        Agreement::Differs
    } else if high - low <= 2.0 * margin {
        Agreement::Agrees
    } else {
        Agreement::Undecided
    };
    Difference { difference: ours.rate - published.rate, low, high, agreement }
}

/// The differences of a whole figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differences {
    /// The points that say something: all but those at which every game of both sides was won, or lost.
    pub points: usize,
    /// The mean difference, weighted by precision.
    pub mean: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// The test that all differences are 0: [`points`](Self::points) degrees of freedom.
    pub zero: ChiSquare,
    /// The test of heterogeneity, that all differences are equal: a degree of freedom less. None for one point.
    pub equal: Option<ChiSquare>,
}

/// Tests the differences of a figure's points; each point has our rate and the published one. None if no point says
/// something, or when `confidence` is not between 0 and 1.
///
/// With the differences d, their variances v under equal rates and w = 1/v, the statistics are
///
/// ```text
/// all are 0      Σ w·d²           with k degrees of freedom for k points
/// the mean       m = Σ w·d / Σ w  with variance 1 / Σ w
/// all are equal  Σ w·(d − m)²     with k − 1 degrees of freedom
/// ```
///
/// The first is the sum of Pearson's chi-square statistics of the points, the last is Cochran's Q. Sources: Pearson
/// (1900); Cochran, "The combination of estimates from different experiments", Biometrics 10 (1954).
#[must_use]
pub fn differences(points: &[(Rate, Rate)], confidence: f64) -> Option<Differences> {
    let z = normal::two_sided(confidence).ok()?;
    let weighed: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|(ours, published)| ours.against(published))
        .map(|(difference, variance)| (difference, 1.0 / variance))
        .collect();
    let weight: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    let mean = weighed.iter().map(|(difference, weight)| weight * difference).sum::<f64>() / weight;
    let around = |centre: f64| -> f64 {
        weighed.iter().map(|(difference, weight)| weight * (difference - centre).powi(2)).sum()
    };
    // Missing games may move all differences in one direction.
    let moved =
        |(ours, other): &(Rate, Rate)| Some((ours.reach_of_difference(other), ours.against(other)?.1));
    let reach: f64 = points.iter().filter_map(moved).map(|(reach, variance)| reach / variance).sum();
    let half = z / weight.sqrt() + reach / weight;
    Some(Differences {
        points: weighed.len(),
        mean,
        low: (mean - half).max(-1.0),
        high: (mean + half).min(1.0),
        zero: ChiSquare::of(around(0.0), weighed.len())?,
        equal: ChiSquare::of(around(mean), weighed.len().saturating_sub(1)),
    })
}

/// Which of two programs published points resemble more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resemblance {
    /// For each program, the test that all its rates are the published ones. The degrees of freedom are the points.
    pub tests: [ChiSquare; 2],
    /// For each program, the standard deviation of its true differences from the published rates, around 0: what is left of the
    /// differences without the errors of games.
    pub distances: [f64; 2],
    /// The natural logarithm of the odds for the first program, if both were equally likely beforehand.
    pub ln_odds: f64,
}

/// Weighs two programs by published points that may come from either; each point has the rates of both programs and the published
/// one. Points at which every game of both sides was won, or lost, say nothing. None if no point says something.
///
/// With the difference d of a program's rate from the published one, its variance v under equal rates, e = d² − v, and k points:
///
/// ```text
/// statistic = Σ d²/v
/// ln odds   = Σ (e of the second − e of the first) / (sum of both v) / c,    c = max(1, smaller statistic / k)
/// distance  = √(max(0, Σ e / k))
/// ```
///
/// With equal variances these are the odds of normal errors. With unequal ones, likelihoods would favour the program with more
/// games where both have the published rates, and statistics the one with fewer games where both are equally far off. Here no
/// program gains: e is what games do not explain. The inflation c is for points that vary more than games do: then no program
/// fits, and the likelihoods claim too much. Source: Burnham and Anderson, *Model Selection and Multimodel Inference* (2002),
/// section 2.5, quasi-likelihood.
#[must_use]
pub fn resemblance(points: &[([Rate; 2], Rate)]) -> Option<Resemblance> {
    let both = |(ours, published): &([Rate; 2], Rate)| {
        Some([ours[0].against(published)?, ours[1].against(published)?])
    };
    let points: Vec<[(f64, f64); 2]> = points.iter().filter_map(both).collect();
    let count = points.len();
    let ln_odds =
        |[(first, v), (second, w)]: &[(f64, f64); 2]| (second * second - w - first * first + v) / (v + w);
    // Of a program: the statistic, and the sum of d² − v.
    let of = |program: usize| {
        points.iter().map(|both| both[program]).fold(
            (0.0, 0.0),
            |(statistic, excess), (difference, variance)| {
                let square = difference.powi(2);
                (statistic + square / variance, excess + square - variance)
            },
        )
    };
    let [(first, first_excess), (second, second_excess)] = [of(0), of(1)];
    let inflation = (first.min(second) / count as f64).max(1.0);
    Some(Resemblance {
        tests: [ChiSquare::of(first, count)?, ChiSquare::of(second, count)?],
        distances: [first_excess, second_excess].map(|sum: f64| (sum / count as f64).max(0.0).sqrt()),
        ln_odds: points.iter().map(ln_odds).sum::<f64>() / inflation,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(wins: f64, games: f64) -> Rate {
        Rate::published(wins / games, games, 0.95).expect("a confidence")
    }

    /// By hand: 0.056² / (0.528·0.472·0.002) is 6.29173. The interval is a reference value of Newcombe's.
    #[test]
    fn a_point_is_pearsons_test_and_newcombes_interval() {
        let point = (rate(556.0, 1000.0), rate(500.0, 1000.0));
        let all = differences(&[point], 0.95).expect("a point");
        assert!((all.zero.statistic - 6.291_730_868).abs() < 1e-8, "{all:?}");
        assert_eq!((all.zero.degrees, all.equal), (1, None));
        let one = difference(&point.0, &point.1, 0.1);
        assert!(
            (one.low - 0.012_243_355_22).abs() < 1e-9 && (one.high - 0.099_454_537_04).abs() < 1e-9,
            "{one:?}"
        );
        assert_eq!(one.agreement, Agreement::Differs);
    }

    #[test]
    fn a_verdict_needs_games() {
        let verdict =
            |games: f64| difference(&rate(0.5 * games, games), &rate(0.5 * games, games), 0.1).agreement;
        assert_eq!(verdict(20.0), Agreement::Undecided);
        assert_eq!(verdict(185.0), Agreement::Undecided, "the interval is 20.18 points wide");
        assert_eq!(verdict(190.0), Agreement::Agrees, "and here 19.9");
    }

    #[test]
    fn a_shift_of_all_points_is_told_from_differences_between_points() {
        let shifted: Vec<_> = (0..6).map(|_| (rate(180.0, 300.0), rate(150.0, 300.0))).collect();
        let all = differences(&shifted, 0.95).expect("points");
        assert!((all.mean - 0.1).abs() < 1e-12 && all.zero.p_value < 1e-5, "{all:?}");
        assert!(all.equal.is_some_and(|test| test.p_value > 0.999_999), "{all:?}");
        let opposite: Vec<_> =
            [180.0, 120.0].map(|wins| (rate(wins, 300.0), rate(150.0, 300.0))).into_iter().collect();
        let all = differences(&opposite, 0.95).expect("points");
        assert!(all.mean.abs() < 1e-12 && all.low < 0.0 && all.high > 0.0, "{all:?}");
        let equal = all.equal.expect("two points");
        assert!((equal.statistic - all.zero.statistic).abs() < 1e-9 && equal.degrees == 1, "{all:?}");
        assert!(equal.p_value < 0.01, "{all:?}");
    }

    #[test]
    fn points_without_any_variation_say_nothing() {
        let won = (rate(300.0, 300.0), rate(100.0, 100.0));
        assert_eq!(differences(&[won], 0.95), None);
        assert_eq!(differences(&[], 0.95), None);
        let other = (rate(150.0, 300.0), rate(150.0, 300.0));
        assert_eq!(differences(&[won, other], 0.95).map(|all| all.points), Some(1));
        assert_eq!(differences(&[other], 1.0), None);
        // One side won everything and the other did not: that says something.
        let almost = (rate(300.0, 300.0), rate(270.0, 300.0));
        assert!(differences(&[almost], 0.95).is_some_and(|all| all.zero.p_value < 1e-6));
    }

    /// By hand: equal rates have d = 0, p = 0.5 and v = 0.003333. The other program's rate of 70 % has d = 0.2, p = 0.55 and v =
    /// 0.0033, so its statistic is 12.1212, and the odds are (0.04 − 0.0033 + 0.003333) / 0.006633.
    #[test]
    fn the_odds_are_those_of_normal_errors() {
        let published = rate(150.0, 300.0);
        let found = resemblance(&[([rate(50.0, 100.0), rate(70.0, 100.0)], published)]).expect("a point");
        assert!(found.tests[0].statistic.abs() < 1e-12, "{found:?}");
        assert!((found.tests[1].statistic - 12.121_212).abs() < 1e-6, "{found:?}");
        assert!((found.ln_odds - 6.035_176).abs() < 1e-6, "{found:?}");
        // √(0.04 − 0.0033), and nothing beyond the errors of games.
        assert_eq!(found.distances[0], 0.0, "{found:?}");
        assert!((found.distances[1] - 0.191_572).abs() < 1e-6, "{found:?}");
        let swapped = resemblance(&[([rate(70.0, 100.0), rate(50.0, 100.0)], published)]).expect("a point");
        assert!((swapped.ln_odds + found.ln_odds).abs() < 1e-12, "{swapped:?}");
    }

    #[test]
    fn no_program_gains_from_more_or_fewer_games() {
        let at = |rate: f64, games: f64| Rate::published(rate, games, 0.95).expect("a confidence");
        let published = at(0.5, 300.0);
        // Both programs have the published rate, and errors that games explain. Likelihoods would say 9 : 1 for the first.
        let errors = [-1.2, -0.8, 0.8, 1.2].map(|error: f64| {
            let of = |games: f64| at(0.5 + error * (0.25 / games + 0.25 / 300.0).sqrt(), games);
            ([of(1000.0), of(100.0)], published)
        });
        let found = resemblance(&errors).expect("points");
        assert!(found.ln_odds.abs() < 0.1, "{found:?}");
        // Both are equally far off.
        let found = resemblance(&[([at(0.6, 1000.0), at(0.6, 100.0)], published)]).expect("a point");
        assert!(
            found.ln_odds.abs() < 0.2 && found.tests[0].statistic > 3.0 * found.tests[1].statistic - 1.0,
            "{found:?}"
        );
    }

    #[test]
    fn odds_are_small_where_no_program_fits() {
        let published = rate(150.0, 300.0);
        let point = |first: f64, second: f64| ([rate(first, 100.0), rate(second, 100.0)], published);
        let near = resemblance(&[point(50.0, 60.0)]).expect("a point");
        let far = resemblance(&[point(80.0, 83.0)]).expect("a point");
        assert!(near.ln_odds > 1.0, "{near:?}");
        assert!(far.tests.iter().all(|test| test.p_value < 1e-6), "{far:?}");
        // The smaller statistic is 27.5, so the odds are divided by that.
        assert!(far.ln_odds > 0.0 && far.ln_odds < 0.15, "{far:?}");
        let won = ([rate(100.0, 100.0), rate(100.0, 100.0)], rate(300.0, 300.0));
        assert_eq!(resemblance(&[won]), None);
        assert_eq!(resemblance(&[]), None);
        assert_eq!(resemblance(&[won, point(50.0, 60.0)]).map(|found| found.tests[0].degrees), Some(1));
    }
}
