//! Sequential tests of hypotheses that are far apart, or far from the truth: the likelihood ratio, the errors and the lengths.

use crate::random::Random;
use crate::simulated::tolerance;
use proptest::prelude::*;
use stats::*;

type Scale = fn(f64, f64) -> Hypotheses;

fn test_of(scale: Scale, low: f64, high: f64) -> Sprt {
    Sprt::new(scale(low, high), 0.05, 0.05).expect("a test")
}

/// Σ n·ln(p/q).
fn loss(counts: &[f64], q: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    if q.iter().any(|q| *q <= 0.0) {
        return f64::INFINITY;
    }
    counts.iter().zip(q).map(|(n, q)| n * (n / total / q).ln()).sum()
}

/// The least loss of lost, drawn and won games with this (μ − ½)/σ above 0. The mean decides all three probabilities, so that every
/// distribution is tried.
fn least_of_three(counts: [f64; 3], t: f64) -> f64 {
    let at = |mean: f64| {
        let square = mean * mean + ((mean - 0.5) / t).powi(2);
        // won + drawn/2 = mean, won + drawn/4 = square.
        let (drawn, won) = (4.0 * (mean - square), 2.0 * square - mean);
        loss(&counts, &[1.0 - drawn - won, drawn, won])
    };
    minimum(&at, 0.5, 1.0)
}

/// The same of pairs. For each mean, the loss with that mean and mean square is the largest Σ n·ln(1 + λ(a − μ) + κ(a² − ν)), a concave
/// function, by Newton's method.
fn least_of_five(counts: [f64; 5], t: f64) -> f64 {
    let at = |mean: f64| {
        let square = mean * mean + ((mean - 0.5) / t).powi(2);
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let value = |[x, y]: [f64; 2]| -> f64 {
            let terms = counts.iter().zip(scores).map(|(n, a)| {
                let inside = 1.0 + x * (a - mean) + y * (a * a - square);
                if inside > 0.0 { n * inside.ln() } else { f64::NEG_INFINITY }
            });
            terms.sum()
        };
        let mut place = [0.0; 2];
        for _ in 0..200 {
            let (mut g, mut h) = ([0.0; 2], [0.0; 3]);
            for (n, a) in counts.iter().zip(scores) {
                let of = [a - mean, a * a - square];
                let inside = 1.0 + place[0] * of[0] + place[1] * of[1];
                g = [g[0] + n * of[0] / inside, g[1] + n * of[1] / inside];
                let weight = n / (inside * inside);
                h = [
                    h[0] + weight * of[0] * of[0],
                    h[1] + weight * of[0] * of[1],
                    h[2] + weight * of[1] * of[1],
                ];
            }
            let determinant = h[0] * h[2] - h[1] * h[1];
            let step = [(h[2] * g[0] - h[1] * g[1]) / determinant, (h[0] * g[1] - h[1] * g[0]) / determinant];
            let mut scale = 1.0;
            let next = |scale: f64| [place[0] + scale * step[0], place[1] + scale * step[1]];
            while value(next(scale)) < value(place) && scale > 1e-12 {
                scale /= 2.0;
            }
            place = next(scale);
        }
        // Without a distribution of this mean and mean square, the function has no largest value.
        let largest = value(place);
        if largest.is_finite() && place.iter().all(|x| x.abs() < 1e7) { largest } else { f64::INFINITY }
    };
    minimum(&at, 0.5, 1.0)
}

/// The least value between two places: the best of many, and then ever closer ones around it.
fn minimum(of: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..9 {
        let step = (high - low) / 60.0;
        let places = (1..60).map(|place| low + f64::from(place) * step);
        let best = places.map(|x| (of(x), x)).min_by(|a, b| a.0.total_cmp(&b.0)).expect("places");
        least = least.min(best.0);
        (low, high) = (best.1 - 2.0 * step, best.1 + 2.0 * step);
    }
    least
}

#[test]
fn the_ratio_of_normalised_elo_is_that_of_an_exhaustive_search() {
    let games = [[90.0, 1.0, 9.0], [3.0, 0.5, 40.0], [10.0, 20.0, 10.0], [1.0, 50.0, 1.0], [1e-3, 4.0, 30.0]];
    for counts in games {
        for (low, high) in [(20.0, 250.0), (230.0, 500.0), (500.0, 1000.0)] {
            let expected =
                least_of_three(counts, low / NORMALISED_ELO) - least_of_three(counts, high / NORMALISED_ELO);
            let found = llr_of_normalised_elo(&counts, low, high).expect("a solution");
            assert!(
                (found - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                "{found}, {expected}: {counts:?} {low} {high}"
            );
        }
    }
    let pairs = [
        [9.0, 1.0, 1e-3, 1e-3, 1e-3],
        [1e-3, 1e-3, 5.0, 20.0, 75.0],
        [1e-3, 1e-3, 2.0, 30.0, 1e-3],
        [5.0, 9.0, 30.0, 20.0, 7.0],
    ];
    for counts in pairs {
        for (low, high) in [(20.0, 250.0), (500.0, 1000.0)] {
            let t = |elo: f64| elo / NORMALISED_ELO * 2f64.sqrt();
            let expected = least_of_five(counts, t(low)) - least_of_five(counts, t(high));
            let found = llr_of_normalised_elo(&counts, low, high).expect("a solution");
            assert!(
                (found - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                "{found}, {expected}: {counts:?} {low} {high}"
            );
        }
    }
}

#[test]
fn few_wins_never_accept_the_higher_hypothesis() {
    let decide = |counts: [u64; 6], low, high| {
        Rule::Sprt(test_of(Hypotheses::NormalisedElo, low, high)).decide(&counts.into()).expect("a rule")
    };
    for (low, high) in
        [(0.0, 230.0), (0.0, 250.0), (100.0, 300.0), (500.0, 1000.0), (0.0, 1000.0), (-100.0, 900.0)]
    {
        assert_eq!(decide([9, 1, 0, 0, 0, 0], low, high), Some(Decision::AcceptH0), "{low} {high}");
        assert_eq!(decide([0, 0, 0, 0, 1, 9], -high, -low), Some(Decision::AcceptH1), "{low} {high}");
    }
    assert_eq!(decide([0, 0, 5, 0, 20, 75], -500.0, 0.0), Some(Decision::AcceptH1));
    assert_eq!(decide([75, 20, 5, 0, 0, 0], 0.0, 500.0), Some(Decision::AcceptH0));
    // The rate of 99 % has 1711 normalised Elo if games are independent.
    assert_eq!(decide([0, 0, 10, 0, 0, 490], 500.0, 1000.0), Some(Decision::AcceptH1));
}

proptest! {
    /// Beyond both hypotheses, the ratio speaks for the closer one.
    #[test]
    fn the_ratio_has_the_direction_of_the_pairs(
        counts in prop::array::uniform6(prop_oneof![Just(0_u64), 0_u64..40, 0_u64..2000]),
        low in -1000.0..950.0, width in 1.0..1000.0,
    ) {
        let high = f64::min(low + width, 1000.0);
        let counts = PairCounts::from(counts);
        prop_assume!(counts.pairs() > 0);
        // Unseen scores count a thousandth, as in the ratio.
        let n = counts.by_score().map(|count| if count == 0.0 { 1e-3 } else { count });
        let total: f64 = n.iter().sum();
        let mean = |of: &dyn Fn(f64) -> f64| (0..5).map(|i| n[i] / total * of(i as f64 / 4.0)).sum::<f64>();
        let rate = mean(&|score| score);
        let variance = mean(&|score| (score - rate).powi(2));
        let elo = normalised_elo(rate, (2.0 * variance).sqrt()).expect("a deviation");
        let ratio = test_of(Hypotheses::NormalisedElo, low, high).llr(&counts).expect("a solution");
        prop_assert!(ratio.is_finite());
        prop_assert!(elo < high || ratio >= -1e-9, "{ratio} at {elo}");
        prop_assert!(elo > low || ratio <= 1e-9, "{ratio} at {elo}");
    }
}

/// Plays tests with pairs of this kind: how many accept H1, and their mean number of pairs with its standard error.
fn play(test: &Sprt, truth: &Shape, tests: u32, random: &mut Random) -> (f64, f64, f64) {
    let (rule, p) = (Rule::Sprt(*test), truth.probabilities());
    let (mut passed, mut lengths) = (0, Running::default());
    for _ in 0..tests {
        let mut reading = Reading::default();
        while reading.decision.is_none() {
            let mut rest = random.uniform();
            let score = (0..4).find(|score| {
                rest -= p[*score];
                rest < 0.0
            });
            reading.read(&rule, [[0, 1, 2, 4, 5][score.unwrap_or(4)]]).expect("a rule");
        }
        passed += u32::from(reading.decision == Some(Decision::AcceptH1));
        lengths.add(reading.counts.pairs() as f64);
    }
    let (mean, low, high) = lengths.interval(0.682_689_492).expect("tests");
    (f64::from(passed) / f64::from(tests), mean, (high - low) / 2.0)
}

const SCALES: [(Scale, f64, f64); 8] = [
    (Hypotheses::Elo, 0.0, 60.0),
    (Hypotheses::Elo, 0.0, 200.0),
    (Hypotheses::Elo, -400.0, 0.0),
    (Hypotheses::Elo, 200.0, 400.0),
    (Hypotheses::Score, 0.6, 0.9),
    (Hypotheses::NormalisedElo, 0.0, 250.0),
    (Hypotheses::NormalisedElo, -230.0, -50.0),
    (Hypotheses::NormalisedElo, 500.0, 1000.0),
];

fn thorough(modest: u32) -> u32 {
    if std::env::var_os("GAUNTLET_THOROUGH").is_some() { 20 * modest } else { modest }
}

/// Errors are at most 5 %, up to what a jump past a bound adds, and four standard errors. Lengths agree to 5 % and four standard errors.
#[test]
fn wide_tests_err_and_last_as_said() {
    let mut random = Random(12);
    for (scale, low, high) in SCALES {
        let test = test_of(scale, low, high);
        for draws in [0.0, 0.5] {
            let kind = Shape::independent(draws);
            let (h0, h1) = test.rates(&kind).expect("rates");
            let truths = [h0, h1].map(|rate| kind.with_mean(rate).expect("pairs"));
            let said = test.characteristics(&truths).expect("lengths");
            for (place, (truth, said)) in truths.iter().zip(said).enumerate() {
                let tests = thorough(if said.pairs > 30.0 { 80 } else { 160 });
                let (passed, mean, error) = play(&test, truth, tests, &mut random);
                let wrong = if place == 0 { passed } else { 1.0 - passed };
                let what = format!(
                    "{:?} {draws} {place}: {said:?}, played {passed} {mean} ± {error}",
                    scale(low, high)
                );
                assert!(wrong <= 0.06 + tolerance(0.05, tests), "{what}");
                assert!(
                    (said.pass - passed).abs() <= 0.01 + tolerance(said.pass.clamp(0.05, 0.95), tests),
                    "{what}"
                );
                assert!((said.pairs - mean).abs() <= 0.05 * mean + 4.0 * error, "{what}");
            }
        }
    }
}

/// Narrow and wide tests, near 50 % and far from it, with few and many draws. Far from 50 % the ratio is not its tangent at the truth: the
/// chance of an error was said to be 0 to 1 % where played tests err in 4 to 5 %.
#[test]
fn errors_are_as_frequent_as_said_also_far_from_half() {
    let mut random = Random(44);
    let tests = thorough(1_000);
    for (low, high, draws) in [
        (0.0, 60.0, 0.0),
        (0.0, 60.0, 0.5),
        (-60.0, 0.0, 0.5),
        (200.0, 260.0, 0.9),
        (-400.0, -340.0, 0.9),
        (-600.0, -500.0, 0.5),
    ] {
        let (test, kind) = (test_of(Hypotheses::Elo, low, high), Shape::independent(draws));
        for rate in [expected_score(low), expected_score(high)] {
            let truth = kind.with_mean(rate).expect("pairs");
            let said = test.characteristics(&[truth]).expect("a length")[0];
            let (passed, mean, error) = play(&test, &truth, tests, &mut random);
            let what = format!("{low} {high} {draws} at {rate}: {said:?}, played {passed} {mean} ± {error}");
            // Four standard errors, and 0.8 points, by which the method may be off.
            assert!((said.pass - passed).abs() <= 0.008 + tolerance(0.05, tests), "{what}");
            assert!((said.pairs - mean).abs() <= 0.05 * mean + 4.0 * error, "{what}");
        }
    }
}

#[test]
fn mirrored_tests_have_mirrored_lengths_and_rates() {
    for (scale, low, high) in [(Hypotheses::Elo as Scale, 0.0, 60.0), (Hypotheses::NormalisedElo, 10.0, 40.0)]
    {
        let (test, mirrored) = (test_of(scale, low, high), test_of(scale, -high, -low));
        let kind = Shape::independent(0.3);
        let ((h0, h1), (m0, m1)) = (test.rates(&kind).expect("rates"), mirrored.rates(&kind).expect("rates"));
        assert!((h0 + m1 - 1.0).abs() < 1e-9 && (h1 + m0 - 1.0).abs() < 1e-9);
        let of = |test: &Sprt, rate: f64| {
            test.characteristics(&[kind.with_mean(rate).expect("pairs")]).expect("a length")[0]
        };
        let (one, other) = (of(&test, h1), of(&mirrored, m0));
        assert!((one.pairs / other.pairs - 1.0).abs() < 0.03, "{one:?} {other:?}");
        assert!((one.pass + other.pass - 1.0).abs() < 0.015, "{one:?} {other:?}");
    }
}
