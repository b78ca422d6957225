//! Exact tests for few pairs, where normal approximations claim too much.
//!
//! Source: Fisher, *The Design of Experiments* (1935), section 21; Pitman, "Significance tests which may be applied to samples
//! from any populations", JRSS Supplement 4 (1937).

use crate::counts::PairCounts;
use crate::sequence::{PRIOR, log_e_value};
use statrs::function::beta::beta_reg;
use statrs::function::gamma::ln_gamma;

/// Terms of a sum beyond so many standard deviations of the binomial distribution are left out.
const DEVIATIONS: f64 = 12.0;

/// The two-sided p-value of equal players: of the pairs' distances from ½, each could have had the other sign with the same
/// chance. It is exact for any number of pairs, whatever openings and draws do. 1 without a pair that scores more or less than ½.
pub(crate) fn sign_flip_p_value(counts: &PairCounts) -> f64 {
    let [ll, ld, _, wd, ww] = counts.by_score();
    let (near, far) = (ld + wd, ll + ww);
    let distance = (wd - ld + 2.0 * (ww - ll)).abs();
    if distance == 0.0 {
        return 1.0;
    }
    // With x of the near pairs and y of the far ones above ½, the distance is 2x − near + 2·(2y − far).
    let above = if near <= far {
        over(near, |x| at_least((distance - 2.0 * x + near + 2.0 * far) / 4.0, far))
    } else {
        over(far, |y| at_least((distance + near - 4.0 * y + 2.0 * far) / 2.0, near))
    };
    (2.0 * above).min(1.0)
}

/// Whether exact tests of the pairs allow a rate of ½ at this level: [`sign_flip_p_value`] is above it, and the e-value of the
/// games, which the confidence sequence has, below its inverse.
pub(crate) fn allows_half(counts: &PairCounts, alpha: f64) -> bool {
    let [ll, ld, _, wd, ww] = counts.by_score();
    let distance = wd - ld + 2.0 * (ww - ll);
    let squares = ld + wd + 4.0 * (ll + ww);
    // The sum of signs has a chance of at most exp(−d²/2Σ) on each side (Hoeffding 1963), which is sooner computed.
    2.0 * (-distance * distance / (2.0 * squares)).exp() > alpha
        && log_e_value(counts.points(), 2.0 * counts.pairs() as f64, 0.5, PRIOR) < -alpha.ln()
        && sign_flip_p_value(counts) > alpha
}

/// The mean of a function of the heads of so many coins.
fn over(coins: f64, of: impl Fn(f64) -> f64) -> f64 {
    let reach = DEVIATIONS * coins.sqrt() / 2.0 + 1.0;
    let (first, last) = ((coins / 2.0 - reach).max(0.0).floor(), (coins / 2.0 + reach).min(coins).ceil());
    let chance = |heads: f64| (ln_choose(coins, heads) - coins * 2f64.ln()).exp();
    (first as u64..=last as u64).map(|heads| heads as f64).map(|heads| chance(heads) * of(heads)).sum()
}

/// The chance of at least so many heads.
fn at_least(heads: f64, coins: f64) -> f64 {
    let heads = heads.ceil();
    if heads <= 0.0 {
        1.0
    } else if heads > coins {
        0.0
    } else {
        beta_reg(heads, coins - heads + 1.0, 0.5)
    }
}

fn ln_choose(n: f64, k: f64) -> f64 {
    ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0)
}

/// The least p-value that [`sign_flip_p_value`] can have: that of pairs which all lie on one side of ½.
pub(crate) fn least_of_signs<'c>(cells: impl IntoIterator<Item = &'c PairCounts>) -> f64 {
    let apart = |cell: &PairCounts| cell.pairs() - cell.wl - cell.dd;
    let pairs = cells.into_iter().map(apart).fold(0, u64::saturating_add);
    2f64.powf(1.0 - pairs as f64).min(1.0)
}

/// The logarithm of the number of ways to deal the pairs of all groups to groups of these sizes.
pub(crate) fn ln_deals(groups: &[f64]) -> f64 {
    ln_gamma(groups.iter().sum::<f64>() + 1.0) - groups.iter().map(|pairs| ln_gamma(pairs + 1.0)).sum::<f64>()
}

/// The least p-value that a permutation test of equal groups can have: of all deals, those are as extreme in which groups of the
/// same size are exchanged.
pub(crate) fn least_of_groups(groups: &[f64]) -> f64 {
    let mut sizes = groups.to_vec();
    sizes.sort_by(f64::total_cmp);
    let alike: f64 = sizes.chunk_by(|a, b| a == b).map(|alike| ln_gamma(alike.len() as f64 + 1.0)).sum();
    (alike - ln_deals(groups)).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(counts: [u64; 6]) -> f64 {
        sign_flip_p_value(&counts.into())
    }

    #[test]
    fn p_values_are_those_of_all_signs() {
        for (counts, expected) in [
            ([0, 0, 0, 0, 0, 2], 0.5),
            ([0, 0, 5, 0, 0, 3], 0.25),
            ([1, 0, 0, 0, 0, 3], 0.625),
            ([0, 0, 3, 4, 0, 0], 1.0),
            // ±¼ ±½ ±½ is at least 5/4 in one of eight cases, and at least 3/4 in two.
            ([0, 0, 0, 0, 1, 2], 0.25),
            ([0, 1, 0, 0, 0, 2], 0.5),
            ([0, 0, 0, 0, 2, 1], 0.25),
        ] {
            assert!((p(counts) - expected).abs() < 1e-12, "{counts:?}: {}", p(counts));
        }
    }

    /// Every sign of some pairs, one by one.
    #[test]
    fn p_values_equal_an_enumeration() {
        for counts in [[2, 3, 1, 0, 4, 5_u64], [0, 7, 0, 0, 6, 2], [4, 1, 0, 0, 0, 7], [1, 5, 0, 2, 8, 0]] {
            let [ll, ld, _, _, wd, ww] = counts;
            let distances: Vec<i64> = std::iter::repeat_n(1, (ld + wd) as usize)
                .chain(std::iter::repeat_n(2, (ll + ww) as usize))
                .collect();
            let observed = (wd as i64 - ld as i64 + 2 * (ww as i64 - ll as i64)).abs();
            let extreme = (0..1_u32 << distances.len())
                .filter(|signs| {
                    let sum: i64 = distances
                        .iter()
                        .enumerate()
                        .map(|(i, d)| if signs >> i & 1 == 1 { *d } else { -d })
                        .sum();
                    sum.abs() >= observed
                })
                .count();
            let expected = extreme as f64 / f64::from(1_u32 << distances.len());
            assert!((p(counts) - expected).abs() < 1e-12, "{counts:?}: {} and {expected}", p(counts));
        }
    }

    /// Of many pairs, it is that of the normal distribution, with half a step taken off.
    #[test]
    fn many_pairs_have_the_normal_p_value() {
        for counts in [[4_900, 0, 20_000, 0, 0, 5_100_u64], [300, 20_000, 9, 0, 20_300, 310]] {
            let [ll, ld, _, _, wd, ww] = counts.map(|count| count as f64);
            let (sum, squares) = (wd - ld + 2.0 * (ww - ll), wd + ld + 4.0 * (ww + ll));
            let half = if ld + wd > 0.0 { 1.0 } else { 2.0 };
            let expected = 2.0 * crate::probability_below(-(sum - half) / squares.sqrt());
            assert!((p(counts) / expected - 1.0).abs() < 0.01, "{} and {expected}", p(counts));
        }
    }

    #[test]
    fn few_pairs_have_few_deals() {
        assert!((least_of_groups(&[2.0, 2.0]) - 2.0 / 6.0).abs() < 1e-12);
        assert!((least_of_groups(&[3.0, 1.0]) - 0.25).abs() < 1e-12);
        assert_eq!(least_of_groups(&[1.0, 1.0, 1.0]), 1.0);
        assert_eq!(least_of_signs(&[PairCounts::from([0, 0, 9, 0, 1, 1])]), 0.5);
    }
}
