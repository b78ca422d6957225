//! Claims about many cells at once.
//!
//! Of 350 cells without any effect, 17.5 differ from 50 % by their 95 % intervals. These corrections bound the errors
//! among the claims instead: the chance of a single false claim (Holm), or the expected fraction of false
//! claims among all claims, which is called the false-discovery rate (Benjamini-Hochberg, e-BH).

/// Holm's adjusted p-values. A claim where the result is at most α is false anywhere with a chance of at most α, whatever the dependence.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let (order, m) = (ascending(p_values), p_values.len());
    let mut adjusted = vec![1.0; m];
    let mut largest = 0.0_f64;
    for (place, &index) in order.iter().enumerate() {
        largest = largest.max(p_values[index] * (m - place) as f64).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
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
/// If the e-values are the present values of e-processes, the false-discovery rate is at most `alpha` at any moment at which
/// somebody looks, under any dependence.
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

/// Logarithms that are equal on paper differ by less.
const ROUNDING: f64 = 1e-12;
