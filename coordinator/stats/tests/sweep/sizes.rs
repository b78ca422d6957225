//! Averages over sizes, and the test that the sizes agree.

use super::random::Random;
use stats::{
    Moments, PairCounts, RateEstimate, average_over_sizes, completed_averages, heterogeneity,
    interaction_of_pairs, weighted_average,
};

fn of(rate: f64, variance: f64) -> RateEstimate {
    RateEstimate { rate, variance }
}

#[test]
fn an_average_weighs_rates_and_squares_the_weights_of_variances() {
    let average = weighted_average(&[(of(0.6, 0.01), 3.0), (of(0.4, 0.02), 1.0)]).expect("weights");
    assert!((average.rate - 0.55).abs() < 1e-15);
    assert!((average.variance - (0.5625 * 0.01 + 0.0625 * 0.02)).abs() < 1e-15);
    assert_eq!(weighted_average(&[]), None);
    assert_eq!(weighted_average(&[(of(0.6, 0.01), 0.0)]), None);
    let off = average_over_sizes(&[(of(0.6, 0.01), 0.0), (of(0.4, 0.01), 0.0)]).expect("cells");
    assert!((off.rate - 0.5).abs() < 1e-15, "sizes that are switched off count alike");
    assert_eq!(average_over_sizes(&[(of(0.6, 0.01), 0.0), (of(0.4, 0.01), 2.0)]).expect("cells").rate, 0.4);
    assert_eq!(average_over_sizes(&[]), None);
}

#[test]
fn cochrans_q_is_the_sum_of_squares_around_the_precise_mean() {
    let test = heterogeneity(&[of(0.5, 0.01), of(0.6, 0.01), of(0.7, 0.005)]).expect("sizes");
    // The mean is 0.625, with weights 1 : 1 : 2.
    assert!((test.statistic - (0.015_625 / 0.01 + 0.000_625 / 0.01 + 0.005_625 / 0.005)).abs() < 1e-12);
    assert_eq!(test.degrees, 2);
    assert!((test.p_value - (-test.statistic / 2.0).exp()).abs() < 1e-12, "two degrees are exponential");
    assert_eq!(heterogeneity(&[of(0.5, 0.01)]), None);
    assert_eq!(heterogeneity(&[]), None);
}

#[test]
fn sizes_and_cases_may_have_effects_without_an_interaction() {
    // Of 1,000 pairs, a rate in thousandths.
    let additive = |case: u64, size: u64| {
        let won = 300 + case + size;
        complete(&PairCounts::from([1_000 - won, 0, 0, 0, 0, won]))
    };
    let mut cells: Vec<Vec<_>> = [0, 100, 250]
        .iter()
        .map(|case| [0, 200, 50].iter().map(|size| additive(*case, *size)).collect())
        .collect();
    let test = interaction_of_pairs(&cells).expect("a table");
    assert!(test.statistic < 1e-20 && test.degrees == 4, "{test:?}");
    cells[1][2] = None;
    assert_eq!(interaction_of_pairs(&cells).expect("a gap").degrees, 3);
    cells[2][1] = additive(600, 0);
    assert!(interaction_of_pairs(&cells).expect("a table").p_value < 1e-6);
    // Two blocks without a common size have interactions of their own.
    let blocks = vec![
        vec![additive(0, 0), additive(0, 200), None, None],
        vec![additive(100, 0), additive(100, 200), None, None],
        vec![None, None, additive(0, 0), additive(0, 100)],
        vec![None, None, additive(200, 0), additive(200, 100)],
    ];
    assert_eq!(interaction_of_pairs(&blocks).map(|test| test.degrees), Some(2));
    for none in [vec![], vec![vec![additive(0, 0)]], vec![vec![additive(0, 0), additive(0, 100)]]] {
        assert_eq!(interaction_of_pairs(&none), None, "as many effects as cells");
    }
}

fn complete(counts: &PairCounts) -> Option<Moments> {
    counts.moments()
}

/// The number of sweeps in which an interaction is seen, and in which the first case seems to differ between sizes: of 1,000
/// sweeps of cases on seven sizes that differ in size only.
fn seen_in_a_thousand(seed: u64, cases: usize, pairs: usize) -> (u32, u32) {
    let mut random = Random(seed);
    let (mut seen, mut uneven) = (0, 0);
    for _ in 0..1_000 {
        let case = |random: &mut Random| -> Vec<PairCounts> {
            (0..7).map(|size| random.pairs(pairs, 0.0, 1.2 - 0.15 * f64::from(size))).collect()
        };
        let counts: Vec<Vec<PairCounts>> = (0..cases).map(|_| case(&mut random)).collect();
        let cells: Vec<Vec<_>> = counts.iter().map(|row| row.iter().map(complete).collect()).collect();
        seen += u32::from(interaction_of_pairs(&cells).expect("a table").p_value < 0.05);
        let first: Vec<RateEstimate> = counts[0].iter().filter_map(RateEstimate::of).collect();
        uneven += u32::from(heterogeneity(&first).expect("sizes").p_value < 0.05);
    }
    (seen, uneven)
}

/// 50 are expected, with a standard deviation of 7.
#[test]
fn without_an_interaction_one_sweep_in_twenty_seems_to_have_one() {
    let (seen, uneven) = seen_in_a_thousand(41, 5, 150);
    assert!((28..=78).contains(&seen), "{seen}");
    assert!((28..=78).contains(&uneven), "{uneven}");
}

/// With the cells' own variances an interaction was seen in most sweeps of many cases with few pairs.
#[test]
fn few_pairs_a_cell_show_no_interaction_that_is_not_there() {
    for (seed, cases, pairs) in [(42, 40, 1), (43, 40, 3), (44, 40, 12), (45, 5, 12)] {
        let (seen, _) = seen_in_a_thousand(seed, cases, pairs);
        assert!(seen <= 95, "{seen} with {cases} cases of {pairs} pairs");
    }
}

#[test]
fn an_interaction_that_is_there_is_seen() {
    let even: PairCounts = [5, 0, 20, 0, 0, 5].into();
    let mut cells = vec![vec![complete(&even); 7]; 10];
    assert!(interaction_of_pairs(&cells).expect("a table").p_value > 0.999);
    for row in &mut cells[..3] {
        row[5] = complete(&PairCounts::from([0, 0, 4, 0, 0, 26]));
    }
    let test = interaction_of_pairs(&cells).expect("a table");
    assert!(test.degrees == 54 && test.p_value < 0.01, "{test:?}");
}

/// A case that missed the hard size is completed by what the others lost there.
#[test]
fn a_missing_size_counts_as_hard_as_it_is_for_the_others() {
    let cell = |rate| Some(of(rate, 0.001));
    let cells = [vec![cell(0.6), cell(0.4)], vec![cell(0.7), cell(0.5)], vec![cell(0.62), None]];
    let found = completed_averages(&cells, &[1.0, 1.0]).expect("common sizes");
    let rates: Vec<f64> = found.iter().map(|one| one.rate).collect();
    for (found, expected) in rates.iter().zip([0.5, 0.6, 0.52]) {
        assert!((found - expected).abs() < 1e-12, "{rates:?}");
    }
    // Each of two others knows the difference of the sizes with the variance 0.002, and half of it is added to its own rate.
    assert!(
        (found[2].variance - 0.001 - 0.001 / 4.0).abs() < 1e-12 && found[0].variance < 0.001,
        "{found:?}"
    );
    // A size of no weight is not missed, and sizes that no case connects cannot be completed.
    let alone = completed_averages(&[vec![cell(0.6), None], vec![None, cell(0.5)]], &[1.0, 1.0]);
    assert_eq!(alone, None);
    let off = completed_averages(&[vec![cell(0.6), None], vec![cell(0.5), cell(0.1)]], &[1.0, 0.0])
        .expect("one size");
    assert_eq!(off.iter().map(|one| one.rate).collect::<Vec<_>>(), [0.6, 0.5]);
}
