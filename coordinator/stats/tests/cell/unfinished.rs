//! Pairs that were begun and are not complete: what is claimed meanwhile is true however the missing games end.

use proptest::prelude::*;
use stats::*;

/// A cell, how many pairs of it are untouched, and the lost, drawn and won halves of others.
fn cells() -> impl Strategy<Value = ([u64; 6], u64, [u64; 3])> {
    let count = prop_oneof![2 => Just(0_u64), 2 => 1_u64..4, 2 => 0_u64..60, 1 => 0_u64..600];
    let counts = prop::array::uniform6(count).prop_filter("a pair", |counts| counts.iter().sum::<u64>() > 0);
    let halves = prop_oneof![2 => Just(0_u64), 3 => 0_u64..8];
    (counts, prop_oneof![1 => Just(0_u64), 3 => 0_u64..12], prop::array::uniform3(halves))
}

/// The pairs with all games, where the missing ones end by these draws: 0 lost, 1 drawn, 2 won.
fn ended(counts: [u64; 6], untouched: u64, halves: [u64; 3], ends: &[u8]) -> PairCounts {
    let mut all = PairCounts::from(counts);
    let mut ends = ends.iter().copied().cycle();
    let mut end = || ends.next().expect("an end");
    for (half, number) in (0..).zip(halves) {
        (0..number).for_each(|_| all.add(PairCounts::category(half, end())));
    }
    (0..untouched).for_each(|_| all.add(PairCounts::category(end(), end())));
    all
}

fn unfinished(untouched: u64, halves: [u64; 3]) -> Unfinished {
    Unfinished { pairs: untouched + halves.iter().sum::<u64>(), games: halves }
}

proptest! {
    #[test]
    fn what_is_claimed_is_true_of_every_end((counts, untouched, halves) in cells(), ends in prop::collection::vec(0_u8..3, 1..30)) {
        let missing = unfinished(untouched, halves);
        let live = live_summary(&counts.into(), &missing, 0.95).expect("pairs");
        let all = summary(&ended(counts, untouched, halves, &ends), 0.95).expect("pairs");
        prop_assert!((all.rate - live.rate).abs() <= live.reach + 1e-12, "{} is more than {} from {}", all.rate, live.reach, live.rate);
        // The interval of a cell is made monotone over forty pairs, so its ends may be off by a little beyond.
        prop_assert!(live.low <= all.low + 2e-3 && all.high <= live.high + 2e-3, "{live:?}\n{all:?}");
        prop_assert!(live.cs_low <= all.cs_low + 1e-9 && all.cs_high <= live.cs_high + 1e-9);
        prop_assert!(live.log_e_value <= all.log_e_value + 1e-9);
        let doubt = |cell: &Summary| (cell.superiority - 0.5).abs();
        prop_assert!(doubt(&live) <= doubt(&all) + 1e-9, "{} and then {}", live.superiority, all.superiority);
        prop_assert!(live.low <= live.rate && live.rate <= live.high);
    }

    #[test]
    fn the_opponent_sees_the_mirror((counts, untouched, halves) in cells()) {
        let [ll, ld, wl, dd, wd, ww] = counts;
        let [lost, drawn, won] = halves;
        let one = live_summary(&counts.into(), &unfinished(untouched, halves), 0.95).expect("pairs");
        let mirrored = [ww, wd, wl, dd, ld, ll].into();
        let other = live_summary(&mirrored, &unfinished(untouched, [won, drawn, lost]), 0.95).expect("pairs");
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        prop_assert!(near(one.low, 1.0 - other.high) && near(one.cs_low, 1.0 - other.cs_high));
        prop_assert!(near(one.superiority, 1.0 - other.superiority) && near(one.reach, other.reach) && near(one.log_e_value, other.log_e_value));
    }
}

/// P(|Z + b| > z·√(1 + b²)) for a normal Z is at most P(|Z| > z), from z = √3 on.
#[test]
fn an_error_that_allows_for_a_bias_is_no_more_often_too_small() {
    for z in [3f64.sqrt(), 1.96, 2.58, 3.3, 5.0] {
        let beyond = |bias: f64| {
            let bound = z * RateEstimate { rate: 0.5, variance: 1.0 }.allowing(bias).error();
            probability_below(bias - bound) + probability_below(-bias - bound)
        };
        for bias in (0..1_000).map(|step| f64::from(step) / 100.0) {
            assert!(
                beyond(bias) <= beyond(0.0) * (1.0 + 1e-9),
                "{z} {bias}: {} and {}",
                beyond(bias),
                beyond(0.0)
            );
        }
    }
}
