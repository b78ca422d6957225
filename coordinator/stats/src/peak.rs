//! Where a function with one peak may have it, known only by noisy values at some places.

use crate::estimate::RateEstimate;
use crate::normal::quantile;

/// The places between which the peak lies, by the numbers of the values in ascending order of the parameter: gap 0 is before the
/// first value, gap i between value i and value i + 1 counted from 1, and the last gap behind the last value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// The first gap that is not excluded.
    pub(crate) first: usize,
    /// The last gap that is not excluded.
    pub(crate) last: usize,
}

/// The gaps that may have the peak, with this confidence, whatever shape the function has: it only rises before the peak and
/// falls behind it.
///
/// For a peak in gap g, the best fit rises over the first g values and falls over the others (isotonic regression). With the sum
/// of its squared standardised residuals R(g), gap g is out if R(g) − min R is larger than all but a part α of the same
/// differences in samples from the fit of gap g. Between the first and the last gap that is not excluded, none is. Where min R
/// itself is as rare as that, the function has no single peak, and no gap is excluded.
///
/// Sources: Robertson, Wright, Dykstra, *Order Restricted Statistical Inference* (1988), chapters 1 and 2; for the samples Efron,
/// Tibshirani, *An Introduction to the Bootstrap* (1993), section 16.4.
pub(crate) fn gaps(values: &[RateEstimate], confidence: f64) -> Gaps {
    let rates: Vec<f64> = values.iter().map(|value| value.rate).collect();
    let weights: Vec<f64> = values.iter().map(|value| 1.0 / value.variance).collect();
    let found = residuals(&rates, &weights);
    let (best, least) = smallest(&found);
    let everywhere = Gaps { first: 0, last: values.len() };
    let of_least = |sample: &[f64]| smallest(sample).1;
    if !happens_by_chance(best, least, of_least, &rates, &weights, confidence) {
        return everywhere;
    }
    let is_possible = |gap: &usize| {
        let further = |found: &[f64]| found[*gap] - smallest(found).1;
        happens_by_chance(*gap, further(&found), further, &rates, &weights, confidence)
    };
    let first = (0..found.len()).find(is_possible);
    let last = (0..found.len()).rev().find(is_possible);
    first.zip(last).map_or(everywhere, |(first, last)| Gaps { first, last })
}

fn smallest(of: &[f64]) -> (usize, f64) {
    let smaller =
        |best: (usize, f64), own: (usize, &f64)| if *own.1 < best.1 { (own.0, *own.1) } else { best };
    of.iter().enumerate().fold((0, f64::INFINITY), smaller)
}

/// Samples for one gap.
const SAMPLES: u32 = 999;

/// Whether samples from the fit with the peak in a gap reach `found` more often than in a part 1 − `confidence`. `distance` is
/// computed from the residuals of a sample for all gaps.
fn happens_by_chance(
    gap: usize,
    found: f64,
    distance: impl Fn(&[f64]) -> f64,
    rates: &[f64],
    weights: &[f64],
    confidence: f64,
) -> bool {
    if found <= 0.0 {
        return true;
    }
    let mut fit = fitted(&rates[..gap], &weights[..gap]);
    let falling = |of: &[f64]| -> Vec<f64> { of[gap..].iter().rev().copied().collect() };
    fit.extend(fitted(&falling(rates), &falling(weights)).into_iter().rev());
    let mut chance = NormalRandom(gap as u64 + 1);
    let most = (f64::from(SAMPLES + 1) * (1.0 - confidence)).floor() as u32;
    // One more than so many samples decide.
    let mut beyond = 1;
    for _ in 0..SAMPLES {
        let sample: Vec<f64> =
            fit.iter().zip(weights).map(|(rate, weight)| rate + chance.normal() / weight.sqrt()).collect();
        beyond += u32::from(distance(&residuals(&sample, weights)) >= found);
        if beyond > most {
            return true;
        }
    }
    false
}

/// A block of an isotonic fit: values that have one mean.
struct Block {
    weight: f64,
    mean: f64,
    squares: f64,
    values: usize,
}

/// The blocks of the best fit that never falls, and for each beginning of the values the sum of its squared residuals.
fn rising(rates: &[f64], weights: &[f64]) -> (Vec<Block>, Vec<f64>) {
    let (mut blocks, mut sums, mut sum) = (Vec::<Block>::new(), vec![0.0], 0.0);
    for (rate, weight) in rates.iter().zip(weights) {
        let mut own = Block { weight: *weight, mean: *rate, squares: 0.0, values: 1 };
        // Pool adjacent violators.
        while let Some(before) = blocks.pop_if(|before| before.mean >= own.mean) {
            sum -= before.squares;
            let weight = before.weight + own.weight;
            let between = before.weight * own.weight / weight * (own.mean - before.mean).powi(2);
            own = Block {
                weight,
                mean: (before.weight * before.mean + own.weight * own.mean) / weight,
                squares: before.squares + own.squares + between,
                values: before.values + own.values,
            };
        }
        sum += own.squares;
        blocks.push(own);
        sums.push(sum);
    }
    (blocks, sums)
}

fn fitted(rates: &[f64], weights: &[f64]) -> Vec<f64> {
    let (blocks, _) = rising(rates, weights);
    blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean, block.values)).collect()
}

/// For each gap, the sum of the squared standardised residuals of the fit with the peak there.
fn residuals(rates: &[f64], weights: &[f64]) -> Vec<f64> {
    let turned = |of: &[f64]| -> Vec<f64> { of.iter().rev().copied().collect() };
    let (_, before) = rising(rates, weights);
    let (_, behind) = rising(&turned(rates), &turned(weights));
    before.iter().zip(behind.iter().rev()).map(|(before, behind)| before + behind).collect()
}

/// Normal random numbers, the same in every run: SplitMix64 and the quantile function.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct NormalRandom(u64);

impl NormalRandom {
    fn normal(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let uniform = ((bits ^ (bits >> 31)) >> 11) as f64 + 0.5;
        quantile(uniform / (1_u64 << 53) as f64).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rates: &[f64], deviation: f64) -> (usize, usize) {
        let value = |rate: &f64| RateEstimate { rate: *rate, variance: deviation * deviation };
        let Gaps { first, last } = gaps(&rates.iter().map(value).collect::<Vec<_>>(), 0.95);
        (first, last)
    }

    #[test]
    fn a_clear_peak_is_beside_its_highest_value() {
        assert_eq!(found(&[0.1, 0.3, 0.5, 0.3, 0.1], 0.001), (2, 3));
        assert_eq!(
            found(&[0.1, 0.3, 0.5, 0.5, 0.1], 0.001),
            (2, 4),
            "the peak may be between, or at one of two equal values"
        );
        assert_eq!(found(&[0.5, 0.3, 0.1], 0.001), (0, 1), "or before the first value");
        assert_eq!(found(&[0.1, 0.3, 0.5], 0.001), (2, 3));
        assert_eq!(found(&[0.5, 0.5, 0.5], 0.1), (0, 3), "nothing is known");
        assert_eq!(found(&[0.7, 0.5, 0.5, 0.69], 0.001), (0, 4), "there are two peaks");
    }

    #[test]
    fn the_fit_pools_neighbours_in_the_wrong_order() {
        assert_eq!(fitted(&[1.0, 3.0, 2.0, 5.0], &[1.0, 1.0, 3.0, 1.0]), [1.0, 2.25, 2.25, 5.0]);
        let sums = residuals(&[1.0, 3.0, 2.0], &[1.0; 3]);
        let expected = [2.0, 0.0, 0.0, 0.5];
        assert!(
            sums.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
            "{sums:?}"
        );
    }
}
