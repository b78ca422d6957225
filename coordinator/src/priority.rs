//! The order of an experiment's cells.

use protocol::experiment::Policy;
use stats::PairCounts;

/// The prior variance of a pair's score: that of two independent games without draws.
const PRIOR_VARIANCE: f64 = 0.125;

/// The weight of the prior, in pairs.
const PRIOR_PAIRS: f64 = 2.0;

/// The pairs of a cell. No counter is below 0: CHECK constraints in the database ensure it.
fn counted(pair_counts: &[i64; 6]) -> PairCounts {
    pair_counts.map(i64::unsigned_abs).into()
}

/// The sum of the pairs' scores.
pub(crate) fn score_sum(pair_counts: &[i64; 6]) -> f64 {
    // A pair scores the mean of its two games.
    counted(pair_counts).points() / 2.0
}

/// The variance of a pair's score: the mean of the counted pairs, shrunk towards [`PRIOR_VARIANCE`]. It is never 0, so a
/// cell with nothing but wins is still played.
pub(crate) fn pair_variance(pair_counts: &[i64; 6]) -> f64 {
    let moments = counted(pair_counts).moments();
    let (pairs, squares) =
        moments.map_or((0.0, 0.0), |found| (found.pairs, found.pairs * found.pair_variance));
    (squares + PRIOR_PAIRS * PRIOR_VARIANCE) / (pairs + PRIOR_PAIRS)
}

/// The priority of a cell in its experiment, at least 0: the cell with the smallest number is played next.
///
/// `pairs_taken` are the pairs that are leased, done or suspended. `share` is the cell's weight times the attention that
/// the policy gives its case; above 0. A lease never makes the number smaller.
///
/// * `coverage`: half a pair more than was taken, divided by the share. With the half, which is Webster's method of
///   apportionment, shares count from the first pair on. Without the half, every cell would come before the second pair of any
///   other, as in ParamLog.
/// * `best`, `race`: pairs divided by the share. Every case gets a pair before any is judged.
/// * `error`: the reciprocal of what one more pair takes off the squared error of the cell's score, which is
///   share × variance / (N (N + 1)) after N pairs.
pub(crate) fn priority(policy: Policy, pairs_taken: i64, pair_counts: &[i64; 6], share: f64) -> f64 {
    let taken = pairs_taken.max(0) as f64;
    match policy {
        Policy::Coverage => (taken + 0.5) / share,
        Policy::Best | Policy::Race => taken / share,
        Policy::Error => taken * (taken + 1.0) / (share * pair_variance(pair_counts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_ordered_by_pairs_for_the_share() {
        for policy in [Policy::Best, Policy::Race] {
            assert_eq!(priority(policy, 6, &[0, 0, 0, 0, 0, 6], 3.0), 2.0, "{policy}");
        }
        let coverage = |taken, share| priority(Policy::Coverage, taken, &[0; 6], share);
        assert_eq!(coverage(1, 3.0), 0.5);
        assert!(coverage(9, 1.0) < coverage(0, 0.05), "a light cell waits from the start");
        assert!(coverage(11, 1.0) > coverage(0, 0.05), "and gets its share");
    }

    #[test]
    fn error_prefers_noisy_cells_heavy_cells_and_cells_with_few_pairs() {
        let even = [25, 0, 50, 0, 0, 25];
        let won = [0, 0, 0, 0, 0, 100];
        let of = |taken, counts, share| priority(Policy::Error, taken, counts, share);
        assert!(of(100, &even, 1.0) < of(100, &won, 1.0));
        assert!(of(100, &even, 2.0) < of(100, &even, 1.0));
        assert!(of(10, &even, 1.0) < of(100, &even, 1.0));
        assert!(of(100_000, &won, 1.0).is_finite(), "a cell with wins only is played, too");
        // 100 pairs of variance 0.125, with the prior of 2 pairs of 0.125.
        assert!((of(100, &even, 1.0) - 100.0 * 101.0 / 0.125).abs() < 1e-6);
    }

    #[test]
    fn a_lease_never_moves_a_cell_forward() {
        let counts = [3, 1, 4, 1, 5, 9];
        for policy in Policy::ALL {
            let places: Vec<f64> = (0..40).map(|taken| priority(policy, taken, &counts, 0.7)).collect();
            let first = if policy == Policy::Coverage { 0.5 / 0.7 } else { 0.0 };
            assert!(places.is_sorted() && places[0] == first, "{policy}: {places:?}");
        }
    }
}
