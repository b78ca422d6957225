//! Claims about many cells at once.
//!
//! Of 350 cells without any effect, 17.5 differ from 50 % by their 95 % intervals. These corrections bound the errors
//! among the claims instead: the expected fraction of false claims among all claims, which is called the false-discovery rate
//! (Benjamini-Hochberg, e-BH), or the chance to give up the best of several cases.

/// The p-value of the hypothesis that a case is the best of `cases`, from the two-sided p-value of its difference to the case
/// that scored most. `leads` says whether that case leads here, too.
///
/// Under the hypothesis no case is better, so whichever of the others scored most, its one-sided p-value is at most α/(cases − 1)
/// with a chance of at most α. The cases whose p-value here is above α so contain a best one with a confidence of 1 − α.
///
/// Sources: Gupta, "On some multiple decision (selection and ranking) rules", Technometrics 7 (1965); Hsu, "Simultaneous
/// confidence intervals for all distances from the \"best\"", Annals of Statistics 9 (1981); with Bonferroni's inequality.
#[must_use]
pub fn best_p_value(p_value: f64, leads: bool, cases: usize) -> f64 {
    let one_sided = if leads { p_value / 2.0 } else { 1.0 - p_value / 2.0 };
    (one_sided * cases.saturating_sub(1).max(1) as f64).min(1.0)
}

/// Benjamini and Hochberg's adjusted p-values: the running minimum, from the largest p-value down, of p₍ᵢ₎·m/i. Claims where
/// the result is at most α have a false-discovery rate of at most α, if the p-values are independent or positively
/// dependent. For p-values of a fixed number of games only: repeated looks need [`e_bh`].
///
/// Source: Benjamini, Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical Society B 57
/// (1995).
#[must_use]
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let (order, m) = (ascending(p_values), p_values.len() as f64);
    let mut adjusted = vec![1.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (place, &index) in order.iter().enumerate().rev() {
        smallest = smallest.min(p_values[index] * m / (place + 1) as f64);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Indices by ascending value; equal values in their given order, and what is not a number last.
fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

/// The e-BH procedure on the natural logarithms of e-values: which of them are claims. The k largest e-values are claims for
/// the largest k whose k-th largest is at least m/(α·k).
///
/// If the e-values are the present values of e-processes, the false-discovery rate is at most `alpha` at every look, under any
/// dependence.
///
/// Source: Wang, Ramdas, "False discovery rate control with e-values", Journal of the Royal Statistical Society B 84 (2022).
#[must_use]
pub fn e_bh(ln_e_values: &[f64], alpha: f64) -> Vec<bool> {
    let m = ln_e_values.len() as f64;
    let order = ascending(ln_e_values);
    let enough = |place: usize| {
        ln_e_values[order[order.len() - place]] + (place as f64).ln() >= (m / alpha).ln() - ROUNDING
    };
    let claims = (1..=order.len()).rev().find(|&place| enough(place)).unwrap_or(0);
    let mut claimed = vec![false; order.len()];
    for &index in order.iter().rev().take(claims) {
        claimed[index] = true;
    }
    claimed
}

/// Mathematically equal logarithms differ by less.
const ROUNDING: f64 = 1e-12;
