//! Averages over sizes, and the test that the sizes agree.

use super::random::Random;
use stats::{PairCounts, RateEstimate, heterogeneity, interaction, weighted_average};

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
    let additive = |case: f64, size: f64| Some(of(0.3 + case + size, 0.000_1 + case / 1_000.0));
    let mut cells: Vec<Vec<_>> = [0.0, 0.1, 0.25]
        .iter()
        .map(|case| [0.0, 0.2, 0.05].iter().map(|size| additive(*case, *size)).collect())
        .collect();
    let test = interaction(&cells).expect("a table");
    assert!(test.statistic < 1e-20 && test.degrees == 4, "{test:?}");
    cells[1][2] = None;
    assert_eq!(interaction(&cells).expect("a gap").degrees, 3);
    cells[2][1] = Some(of(0.9, 0.000_1));
    assert!(interaction(&cells).expect("a table").p_value < 1e-6);
    // Two blocks without a common size have interactions of their own.
    let blocks = vec![
        vec![additive(0.0, 0.0), additive(0.0, 0.2), None, None],
        vec![additive(0.1, 0.0), additive(0.1, 0.2), None, None],
        vec![None, None, additive(0.0, 0.0), additive(0.0, 0.1)],
        vec![None, None, additive(0.2, 0.0), additive(0.2, 0.1)],
    ];
    assert_eq!(interaction(&blocks).map(|test| test.degrees), Some(2));
    for none in [vec![], vec![vec![additive(0.0, 0.0)]], vec![vec![additive(0.0, 0.0), additive(0.0, 0.1)]]] {
        assert_eq!(interaction(&none), None, "as many effects as cells");
    }
}

#[test]
fn for_two_cases_and_two_sizes_the_interaction_is_the_difference_of_differences() {
    let cells = vec![
        vec![Some(of(0.5, 0.01)), Some(of(0.6, 0.02))],
        vec![Some(of(0.55, 0.005)), Some(of(0.8, 0.015))],
    ];
    let test = interaction(&cells).expect("a table");
    assert!((test.statistic - (0.25 - 0.1_f64).powi(2) / 0.05).abs() < 1e-12, "{test:?}");
}

/// Five cases on seven sizes that differ in size only: an interaction is seen in one sweep of twenty.
#[test]
fn without_an_interaction_one_sweep_in_twenty_seems_to_have_one() {
    let mut random = Random(41);
    let (runs, mut seen, mut uneven) = (1_500, 0, 0);
    for _ in 0..runs {
        let case = |random: &mut Random| -> Vec<Option<RateEstimate>> {
            (0..7)
                .map(|size| RateEstimate::of(&random.pairs(150, 0.0, 1.2 - 0.15 * f64::from(size))))
                .collect()
        };
        let cells: Vec<_> = (0..5).map(|_| case(&mut random)).collect();
        seen += u32::from(interaction(&cells).expect("a table").p_value < 0.05);
        let first: Vec<RateEstimate> = cells[0].iter().flatten().copied().collect();
        uneven += u32::from(heterogeneity(&first).expect("sizes").p_value < 0.05);
    }
    // 75 are expected with a standard deviation of 8.4. Variances estimated from 150 pairs raise the expectation to about 85.
    assert!((45..=120).contains(&seen), "{seen} of {runs}");
    assert!((45..=120).contains(&uneven), "{uneven} of {runs}");
}

#[test]
fn a_cell_without_pairs_has_no_estimate() {
    assert_eq!(RateEstimate::of(&PairCounts::default()), None);
    let sure = RateEstimate::of(&PairCounts::from([0, 0, 0, 0, 0, 50])).expect("pairs");
    assert!((sure.effective_games() - 100.0).abs() < 3.0, "{}", sure.effective_games());
}
