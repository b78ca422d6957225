//! Estimates after a stop: too high as often as too low, whatever the rule.

use crate::random::Random;
use crate::simulated::{Kind, tolerance};
use proptest::prelude::*;
use stats::*;

/// Pairs after which a simulated cell ends without a decision.
const MOST: u64 = 2000;

fn runs(modest: u32) -> u32 {
    if std::env::var_os("GAUNTLET_THOROUGH").is_some() { 10 * modest } else { modest }
}

/// The pairs at the decision of the rule.
fn play(rule: &Rule, kind: Kind, random: &mut Random) -> PairCounts {
    let mut reading = Reading::default();
    while reading.decision.is_none() && reading.counts.pairs() < MOST {
        reading.read(rule, [kind.pair(random)]).expect("a rule");
    }
    reading.counts
}

/// What is found in many cells, as fractions of them.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// The estimate is above the truth; an exact one counts half.
    above: f64,
    /// The plain mean is.
    plain_above: f64,
    /// The interval covers the truth.
    covered: f64,
    /// The mean distance of the plain mean from the truth.
    plain_bias: f64,
}

fn simulate(rule: &Rule, kind: Kind, runs: u32, seed: u64) -> Found {
    let (mut random, truth) = (Random(seed), kind.rate());
    let mut found = Found { above: 0.0, plain_above: 0.0, covered: 0.0, plain_bias: 0.0 };
    let part = 1.0 / f64::from(runs);
    let above = |rate: f64| if (rate - truth).abs() < 1e-12 { 0.5 } else { f64::from(rate > truth) };
    for _ in 0..runs {
        let counts = play(rule, kind, &mut random);
        let plain = counts.moments().expect("pairs").rate;
        let estimate = rule.estimate(&counts, 0.95).expect("a rule").expect("pairs");
        found.above += part * above(estimate.rate);
        found.plain_above += part * above(plain);
        found.covered += part * f64::from((estimate.low..=estimate.high).contains(&truth));
        found.plain_bias += part * (plain - truth);
    }
    found
}

/// True rates, advantages of the first move in logits, and draws.
fn kinds() -> Vec<Kind> {
    let games = [(0.0, 0.0), (1.0, 0.02), (0.0, 0.4)];
    games
        .into_iter()
        .flat_map(|(bias, draw)| [0.5, 0.55, 0.6, 0.65].map(|rate| Kind::with_rate(rate, bias, draw)))
        .collect()
}

/// The estimate is too high in half of the cells and its interval covers the truth in 95 %, up to these errors of the method.
/// The plain mean is off by this much in some of the cells.
fn assert_corrected(rule: &Rule, median: f64, cover: f64, plain: f64) {
    let runs = runs(300);
    let mut worst: f64 = 0.0;
    for (seed, kind) in kinds().into_iter().enumerate() {
        let found = simulate(rule, kind, runs, seed as u64);
        let off = (found.above - 0.5).abs();
        assert!(off <= tolerance(0.5, runs) + median, "{rule:?} {kind:?}: {found:?}");
        assert!(found.covered >= 0.95 - tolerance(0.95, runs) - cover, "{rule:?} {kind:?}: {found:?}");
        worst = worst.max((found.plain_above - 0.5).abs());
    }
    assert!(worst >= plain, "the plain mean is off by {worst}: this test shows nothing");
}

#[test]
fn estimates_after_an_e_value_are_too_high_as_often_as_too_low() {
    assert_corrected(&Rule::EValue { alpha: 0.05 }, 0.03, 0.015, 0.1);
}

#[test]
fn estimates_after_a_short_test_are_too_high_as_often_as_too_low() {
    // The ratio depends on all five counts and the walk on their sum: with draws the intervals cover the truth in 93 %.
    for (low, high, median) in [(0.0, 35.0, 0.03), (0.0, 100.0, 0.07)] {
        let test = Sprt::new(Hypotheses::Elo(low, high), 0.05, 0.05).expect("a test");
        assert_corrected(&Rule::Sprt(test), median, 0.03, 0.1);
    }
}

/// A test that ends far beyond its hypotheses ends after a few dozen pairs, where Brownian motion is no limit.
#[test]
fn estimates_after_a_test_far_from_its_hypotheses_are_corrected() {
    let runs = runs(400);
    let test = Sprt::new(Hypotheses::Elo(0.0, 35.0), 0.05, 0.05).expect("a test");
    for (seed, rate) in [0.25, 0.75, 0.85].into_iter().enumerate() {
        let kind = Kind::with_rate(rate, 0.5, 0.02);
        let found = simulate(&Rule::Sprt(test), kind, runs, 70 + seed as u64);
        assert!((found.above - 0.5).abs() <= tolerance(0.5, runs) + 0.05, "{rate}: {found:?}");
        assert!((found.covered - 0.95).abs() <= tolerance(0.95, runs) + 0.02, "{rate}: {found:?}");
    }
}

/// Two methods, one estimate: Brownian motion for long tests near 50 %, and the walk for short ones.
#[test]
fn the_estimate_hardly_changes_where_the_method_does() {
    let test = Sprt::new(Hypotheses::Elo(0.0, 35.0), 0.05, 0.05).expect("a test");
    let of = |counts: [u64; 6]| test.estimate(&counts.into(), 0.95).expect("a solution").expect("pairs");
    // 256 pairs and 257, at about the same place.
    let (short, long) = (of([45, 0, 133, 0, 0, 78]), of([45, 0, 134, 0, 0, 78]));
    assert!((short.rate - long.rate).abs() < 0.003, "{short:?} {long:?}");
    assert!(
        (short.low - long.low).abs() < 0.004 && (short.high - long.high).abs() < 0.004,
        "{short:?} {long:?}"
    );
}

/// The walk of 256 steps takes the place of one of each pair.
#[test]
fn a_long_walk_is_inverted_as_well_as_a_short_one() {
    let runs = runs(300);
    let rule = Rule::EValue { alpha: 0.001 };
    for (seed, (rate, draw)) in [(0.56, 0.0), (0.55, 0.4)].into_iter().enumerate() {
        let kind = Kind::with_rate(rate, 0.0, draw);
        let found = simulate(&rule, kind, runs, 90 + seed as u64);
        assert!((found.above - 0.5).abs() <= tolerance(0.5, runs) + 0.02, "{kind:?}: {found:?}");
        assert!((found.covered - 0.95).abs() <= tolerance(0.95, runs) + 0.01, "{kind:?}: {found:?}");
    }
}

/// Pairs whose games are independent and not drawn are a binomial experiment, but for the little that the imaginary pairs change.
#[test]
fn the_estimate_after_four_won_pairs_is_that_of_the_binomial_distribution() {
    let rule = Rule::EValue { alpha: 0.05 };
    let counts = PairCounts::from([0, 0, 0, 0, 0, 4]);
    assert_eq!(rule.decide(&counts), Ok(Some(Decision::Better)));
    let estimate = rule.estimate(&counts, 0.95).expect("a rule").expect("pairs");
    // No outcome is better than eight won games: p⁸ = ½, and the lower end of 95 % has p⁸/2 = 2.5 %.
    assert!((estimate.rate - 0.5f64.powf(0.125)).abs() < 0.001, "{estimate:?}");
    assert!((estimate.low - 0.05f64.powf(0.125)).abs() < 0.006, "{estimate:?}");
    assert_eq!(estimate.high, 1.0);
    // Two pairs later with one lost game, which is among the first eight: else the rule had stopped there, and that is better.
    let later = PairCounts::from([0, 0, 1, 0, 0, 5]);
    assert_eq!(rule.decide(&later), Ok(Some(Decision::Better)));
    let estimate = rule.estimate(&later, 0.95).expect("a rule").expect("pairs");
    let above = |p: f64| p.powi(8) + 0.5 * 8.0 * p.powi(11) * (1.0 - p);
    assert!((above(estimate.rate) - 0.5).abs() < 0.01, "{estimate:?}: {}", above(estimate.rate));
    assert!((above(estimate.low) - 0.025).abs() < 0.005, "{estimate:?}: {}", above(estimate.low));
}

/// The rule looks at the spread alone. Nothing has to be corrected, and the interval is that of a fixed number of games.
#[test]
fn the_mean_after_a_half_width_needs_no_correction() {
    let runs = runs(300);
    for (half_width, interval) in
        [(0.03, Interval::Wilson), (0.06, Interval::Wilson), (0.1, Interval::Sequence)]
    {
        let rule = Rule::HalfWidth { half_width, interval, confidence: 0.95 };
        for (seed, kind) in kinds().into_iter().enumerate() {
            let found = simulate(&rule, kind, runs, 30 + seed as u64);
            assert!((found.above - 0.5).abs() <= tolerance(0.5, runs) + 0.02, "{rule:?} {kind:?}: {found:?}");
            assert_eq!(found.above, found.plain_above);
            assert!(
                (found.covered - 0.95).abs() <= tolerance(0.95, runs) + 0.015,
                "{rule:?} {kind:?}: {found:?}"
            );
            // Three hundredths of the half-width, and four standard errors of the simulated mean.
            let noise = 4.0 * half_width / 1.96 / f64::from(runs).sqrt();
            assert!(found.plain_bias.abs() < 0.03 * half_width + noise, "{rule:?} {kind:?}: {found:?}");
        }
    }
}

/// Somebody stops a cell of 50 % at the moment that pleases most, between 50 and 500 pairs.
#[test]
fn only_the_sequence_is_right_when_a_person_stops_at_the_most_pleasing_moment() {
    let runs = runs(400);
    let (kind, mut random) = (Kind::with_rate(0.5, 0.5, 0.02), Random(4));
    // A 95 % interval misses 50 % on this side in 2.5 % of cells, if the number of games is fixed.
    let (mut plain, mut wilson, mut sequence) = (0, 0, 0);
    for _ in 0..runs {
        let mut counts = PairCounts::default();
        let mut best = (0.0, counts);
        for pair in 1..=500 {
            counts.add(kind.pair(&mut random));
            let rate = counts.moments().expect("pairs").rate;
            if pair >= 50 && rate > best.0 {
                best = (rate, counts);
            }
        }
        let summary = summary(&best.1, 0.95).expect("pairs");
        plain += u32::from(summary.rate > 0.5);
        wilson += u32::from(summary.low <= 0.5);
        sequence += u32::from(summary.cs_low <= 0.5);
    }
    let fraction = |n: u32| f64::from(n) / f64::from(runs);
    assert!(fraction(plain) > 0.8, "the mean flatters: {}", fraction(plain));
    assert!(fraction(wilson) < 0.945, "an interval of a fixed number of games covers {}", fraction(wilson));
    assert!(fraction(sequence) >= 0.95 - tolerance(0.95, runs), "{}", fraction(sequence));
}

proptest! {
    /// Also for pairs that the rule would never have reached.
    #[test]
    fn estimates_exist_for_all_counts_and_are_in_order(
        counts in prop::array::uniform6(prop_oneof![Just(0_u64), 0_u64..40]), times in 1_u64..40,
    ) {
        let counts: PairCounts = counts.map(|count| times * count).into();
        prop_assume!(counts.pairs() > 0);
        let mirrored = <[u64; 6]>::from(counts);
        let mirrored: PairCounts = [mirrored[5], mirrored[4], mirrored[2], mirrored[3], mirrored[1], mirrored[0]].into();
        let test = Sprt::new(Hypotheses::Elo(-35.0, 35.0), 0.05, 0.05).expect("a test");
        for rule in [Rule::EValue { alpha: 0.05 }, Rule::Sprt(test)] {
            let of = |counts| rule.estimate(counts, 0.95).expect("a rule").expect("pairs");
            let (estimate, other) = (of(&counts), of(&mirrored));
            prop_assert!(estimate.low <= estimate.rate && estimate.rate <= estimate.high, "{estimate:?}");
            prop_assert!(estimate.low >= 0.0 && estimate.high <= 1.0, "{estimate:?}");
            for (one, other) in [(estimate.rate, other.rate), (estimate.low, other.high), (estimate.high, other.low)] {
                prop_assert!((one + other - 1.0).abs() < 1e-5, "{one} and {other} for the opponent");
            }
        }
    }
}
