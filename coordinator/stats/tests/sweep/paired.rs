//! Comparison of cases by common openings.

use super::random::Random;
use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};
use stats::{JointCounts, paired_difference};

fn one_size(joint: &JointCounts) -> Option<stats::PairedDifference> {
    paired_difference(&[(*joint, 1.0)])
}

/// The scores of two cases from one opening, which favours both by the same amount.
fn opening(random: &mut Random, shared: f64, strengths: [f64; 2]) -> (usize, usize) {
    let luck = shared * random.normal();
    let [x, y] = strengths.map(|strength| random.pair(strength + luck, 0.5));
    (x, y)
}

fn joint(random: &mut Random, openings: usize, shared: f64, strengths: [f64; 2]) -> JointCounts {
    let mut counts = [[0; 5]; 5];
    for _ in 0..openings {
        let (x, y) = opening(random, shared, strengths);
        counts[x][y] += 1;
    }
    counts
}

#[test]
fn the_test_is_students_for_the_differences() {
    // Differences 1/2, 0, 0, −1/2, 1/2, 1/2: mean 1/6, sum of squares 1, variance (1 − 6/36)/5 = 1/6.
    let mut counts = JointCounts::default();
    for (x, y) in [(4, 2), (2, 2), (4, 4), (0, 2), (2, 0), (4, 2)] {
        counts[x][y] += 1;
    }
    let found = one_size(&counts).expect("openings");
    assert_eq!(found.openings, 6);
    assert!((found.difference - 1.0 / 6.0).abs() < 1e-15);
    assert!((found.p_value - 0.363_217_468).abs() < 1e-8, "t = 1: {found:?}");
}

#[test]
fn equal_openings_save_games_and_independent_ones_save_none() {
    let mut random = Random(51);
    let same = one_size(&joint(&mut random, 4_000, 2.0, [0.1, 0.1])).expect("openings");
    assert!(same.saved.expect("variance") > 0.2, "{same:?}");
    let apart = one_size(&joint(&mut random, 4_000, 0.0, [0.1, 0.1])).expect("openings");
    // The fraction is the correlation for equal variances, whose standard error with 4000 independent pairs is 0.016.
    assert!(apart.saved.expect("variance").abs() < 0.064, "{apart:?}");
}

#[test]
fn too_few_openings_and_constant_scores_are_no_surprise() {
    assert_eq!(one_size(&JointCounts::default()), None);
    let mut counts = JointCounts::default();
    counts[2][2] = 1;
    assert_eq!(one_size(&counts), None);
    counts[2][2] = 20;
    let constant = one_size(&counts).expect("openings");
    assert_eq!((constant.difference, constant.saved), (0.0, None));
    assert!(constant.p_value > 0.99, "{constant:?}");
}

#[test]
fn sizes_are_averaged_by_weight_with_the_degrees_of_welch_and_satterthwaite() {
    let mut random = Random(53);
    let (small, large) = (joint(&mut random, 10, 0.0, [0.4, 0.0]), joint(&mut random, 500, 0.0, [0.0, 0.0]));
    let [one, other] = [small, large].map(|counts| one_size(&counts).expect("openings"));
    let both =
        paired_difference(&[(small, 3.0), (large, 1.0), (JointCounts::default(), 5.0)]).expect("openings");
    assert!((both.difference - 0.75 * one.difference - 0.25 * other.difference).abs() < 1e-15);
    assert_eq!(both.openings, 510);
    let (a, b) = (0.5625 * variance(&small), 0.0625 * variance(&large));
    let degrees = (a + b).powi(2) / (a * a / 9.0 + b * b / 499.0);
    let student = StudentsT::new(0.0, 1.0, degrees).expect("degrees");
    let expected = 2.0 * student.sf(both.difference.abs() / (a + b).sqrt());
    assert!((both.p_value - expected).abs() < 1e-12, "{both:?} {expected}");
    assert_eq!(paired_difference(&[(small, 0.0)]), None);
}

/// The variance of the mean difference of the scores.
fn variance(counts: &JointCounts) -> f64 {
    let differences: Vec<f64> = (0..25)
        .flat_map(|at| {
            std::iter::repeat_n(
                (at / 5) as f64 / 4.0 - (at % 5) as f64 / 4.0,
                counts[at / 5][at % 5] as usize,
            )
        })
        .collect();
    let openings = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / openings;
    differences.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / (openings - 1.0) / openings
}

/// Two equal cases seem to differ in one run of twenty.
#[test]
fn the_test_keeps_its_level() {
    let mut random = Random(52);
    let (runs, mut wrong) = (2_000, 0);
    for _ in 0..runs {
        let found = one_size(&joint(&mut random, 60, 1.0, [0.3, 0.3])).expect("openings");
        wrong += u32::from(found.p_value < 0.05);
    }
    // 100 are expected, with a standard deviation of 10; scores of few values make it a little more or less.
    assert!((60..=145).contains(&wrong), "{wrong} of {runs}");
}

/// Two cases whose scores agree as openings and chance make them: the agreement is their correlation, and 0 without anything common.
#[test]
fn the_agreement_is_the_correlation_of_the_scores() {
    let mut random = Random(54);
    let of = |random: &mut Random, openings, shared| {
        stats::agreement(&(0..5).map(|_| joint(random, openings, shared, [0.1, 0.0])).collect::<Vec<_>>())
    };
    assert!(of(&mut random, 4_000, 0.0) < 0.03);
    let (some, much) = (of(&mut random, 4_000, 1.0), of(&mut random, 4_000, 2.0));
    let saved =
        one_size(&joint(&mut random, 20_000, 2.0, [0.1, 0.0])).and_then(|one| one.saved).expect("variance");
    assert!(0.05 < some && some < much && (much - saved).abs() < 0.04, "{some} {much} {saved}");
    let few = of(&mut random, 3, 2.0);
    assert!(few < much, "few openings show little: {few}");
    assert_eq!(stats::agreement(&[]), 0.0);
}

proptest! {
    #[test]
    fn exchanging_the_cases_turns_the_sign(counts in prop::array::uniform5(prop::array::uniform5(0_u64..30))) {
        let mut mirrored = JointCounts::default();
        for (x, row) in counts.iter().enumerate() {
            for (y, n) in row.iter().enumerate() {
                mirrored[y][x] = *n;
            }
        }
        match (one_size(&counts), one_size(&mirrored)) {
            (Some(one), Some(other)) => {
                prop_assert_eq!(one.difference, -other.difference);
                prop_assert_eq!(one.p_value, other.p_value);
                prop_assert!((0.0..=1.0).contains(&one.p_value) && one.saved.is_none_or(|saved| saved <= 1.0));
            }
            (one, other) => prop_assert!(one.is_none() && other.is_none()),
        }
    }
}
