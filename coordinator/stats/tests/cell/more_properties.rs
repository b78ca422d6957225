//! What holds for the other numbers that are printed of every cell: intervals of independent games, the normal error of an Elo difference,
//! and likelihood ratios.

use crate::properties::{cells, mirrored};
use proptest::prelude::*;
use stats::*;

type Interval = fn(f64, f64, f64) -> Result<(f64, f64), OutsideUnitInterval>;

const INTERVALS: [(&str, Interval); 3] =
    [("jeffreys", jeffreys), ("clopper_pearson", clopper_pearson), ("agresti_coull", agresti_coull)];

/// Won and lost games, with half of the drawn ones each.
fn games(counts: [u64; 6]) -> (f64, f64) {
    let [wins, draws, losses] = PairCounts::from(counts).games();
    (wins + draws / 2.0, losses + draws / 2.0)
}

/// Tests on all scales, with the lower hypothesis first.
fn tests() -> impl Strategy<Value = Hypotheses> {
    (-900.0..800.0, 1.0..200.0, 0_usize..2).prop_map(|(low, width, scale)| match scale {
        0 => Hypotheses::Elo(low, low + width),
        _ => Hypotheses::Score(expected_score(low), expected_score(low + width)),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// One more won game moves the rate by at most 1/(n + 1), and an end by no more than the interval of one game is wide over n, times z².
    #[test]
    fn intervals_of_independent_games_are_honest(counts in cells(), confidence in 0.5..0.999_f64) {
        let (won, lost) = games(counts);
        let rate = won / (won + lost);
        for (name, interval) in INTERVALS {
            let of = |won, lost| interval(won, lost, confidence).expect("inside");
            let ((low, high), (other_low, other_high)) = (of(won, lost), of(lost, won));
            prop_assert!((low + other_high - 1.0).abs() < 1e-9 && (high + other_low - 1.0).abs() < 1e-9, "{name}");
            prop_assert!(0.0 <= low && low <= rate + 1e-9 && rate <= high + 1e-9 && high <= 1.0, "{name} {counts:?} {low} {high}");
            let mut worst = (low, high);
            for (more_won, more_lost) in [(won + 1.0, lost), (won + 1.0, (lost - 1.0).max(0.0))] {
                let (next_low, next_high) = of(more_won, more_lost);
                prop_assert!(next_low >= worst.0 - 1e-9 && next_high >= worst.1 - 1e-9, "{name}: {counts:?} {worst:?} {next_low} {next_high}");
                worst = (next_low, next_high);
                // The half-width z/2√n falls by at most z/4n√n a game, and the centre moves by at most 1/n for a game and z²/n² for its pull.
                let z = quantile(0.5 + confidence / 2.0).expect("inside");
                let most = 2.0 * (1.0 + z + z * z) / (won + lost + 1.0);
                prop_assert!((next_low - low).abs() <= most && (next_high - high).abs() <= most, "{name}: {counts:?}");
            }
        }
        // The exact interval is the set of the rates that neither tail excludes, so that it holds the approximate ones' middle.
        let exact = clopper_pearson(won, lost, confidence).expect("inside");
        let bayes = jeffreys(won, lost, confidence).expect("inside");
        prop_assert!(exact.0 <= bayes.0 + 1e-9 && bayes.1 <= exact.1 + 1e-9, "{exact:?} {bayes:?}");
    }

    #[test]
    fn the_normal_error_of_an_elo_difference_is_honest(rate in 0.0..=1.0_f64, error in 0.0..0.6_f64) {
        let found = elo_error(rate, error);
        prop_assert_eq!(found.is_some(), rate - error > 0.0 && rate + error < 1.0);
        let other = elo_error(1.0 - rate, error);
        if let (Some(found), Some(other)) = (found, other) {
            prop_assert!((found - other).abs() < 1e-6 * (1.0 + found) && found >= 0.0, "{found} {other}");
            // The curve of Elo over the rate is nowhere flatter than at one half, where a point of score is 400·4/(100 ln 10) Elo.
            prop_assert!(found >= error * 1600.0 / 10f64.ln() - 1e-6, "{found} {error}");
            let less = elo_error(rate, 0.9 * error).expect("a smaller error");
            prop_assert!(less <= found + 1e-9);
        }
        let cell = elo_difference(rate);
        prop_assert!(cell.is_none_or(|elo| (elo > 0.0) == (rate > 0.5) || rate == 0.5));
    }

    /// The ratio speaks for the hypothesis beyond which the rate is, for the mirrored one as much of the mirrored pairs, and twice as much of
    /// twice as many pairs.
    #[test]
    fn likelihood_ratios_are_honest(counts in cells(), hypotheses in tests()) {
        let (scores, opponent) = match hypotheses {
            Hypotheses::Score(low, high) => ((low, high), Hypotheses::Score(1.0 - high, 1.0 - low)),
            Hypotheses::Elo(low, high) => ((expected_score(low), expected_score(high)), Hypotheses::Elo(-high, -low)),
            other => ((0.0, 1.0), other),
        };
        let of = |hypotheses, counts: [u64; 6]| {
            Sprt::new(hypotheses, 0.05, 0.05).expect("a test").llr(&counts.into()).expect("a solution")
        };
        let ratio = of(hypotheses, counts);
        prop_assert!((ratio + of(opponent, mirrored(counts))).abs() < 1e-6 * (1.0 + ratio.abs()), "{ratio}");
        // Unseen scores count a thousandth of a pair, however many pairs there are.
        let slack = 0.05 + 0.01 * ratio.abs();
        prop_assert!((of(hypotheses, counts.map(|count| 2 * count)) - 2.0 * ratio).abs() < slack, "{ratio}");
        let rate = PairCounts::from(counts).moments().expect("pairs").rate;
        // The mean with a thousandth of a pair of each unseen score.
        let room = 0.005 / counts.iter().sum::<u64>() as f64;
        prop_assert!(rate - room < scores.1 || ratio >= 0.0, "{ratio} at {rate}");
        prop_assert!(rate + room > scores.0 || ratio <= 0.0, "{ratio} at {rate}");
    }

    /// The difference of two cells: that of the opponents is the opposite, and it rises with the first rate.
    #[test]
    fn differences_are_honest(one in cells(), other in cells()) {
        let of = |counts: [u64; 6]| {
            let cell = summary(&counts.into(), 0.95).expect("pairs");
            (cell.low, cell.rate, cell.high)
        };
        let (low, high) = newcombe(of(one), of(other));
        let (back_low, back_high) = newcombe(of(other), of(one));
        let difference = of(one).1 - of(other).1;
        prop_assert!((low + back_high).abs() < 1e-12 && (high + back_low).abs() < 1e-12);
        prop_assert!(-1.0 - 1e-12 <= low && low <= difference + 1e-12 && difference <= high + 1e-12 && high <= 1.0 + 1e-12, "{low} {high}");
    }
}
