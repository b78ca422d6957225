//! The interval of a weighted mean of several rates.

/// A rate in a weighted mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    /// The weight of the rate. All of them sum to 1.
    pub(crate) weight: f64,
    pub(crate) rate: f64,
    /// So many independent games without draws would give the rate the same variance.
    pub(crate) games: f64,
}

/// The score interval of the mean Σ uⱼ·sⱼ, for numbers of games that were fixed beforehand. With one part it is Wilson's. `z` is
/// the normal quantile of the confidence.
///
/// A mean m is inside if the likeliest rates pⱼ of that mean give it a standard error of which z reach the mean of the games:
///
/// ```text
/// nⱼ(sⱼ − pⱼ) = λ·uⱼ·pⱼ(1 − pⱼ)          for a multiplier λ, with Σ uⱼ·pⱼ = m
/// Σ uⱼ(sⱼ − pⱼ) = λ·V,  V = Σ uⱼ²·pⱼ(1 − pⱼ)/nⱼ,  so that the ends are where λ²·V = z²
/// ```
///
/// The interval lies within 0 to 1, contains the mean of the games and has a width also where all of them were won.
///
/// Source: Miettinen, Nurminen, "Comparative analysis of two rates", Statistics in Medicine 4 (1985), for the score test with
/// restricted estimates; Yan, Su, "Stratified Wilson and Newcombe confidence intervals for multiple binomial proportions",
/// Statistics in Biopharmaceutical Research 2 (2010), for the purpose.
pub(crate) fn score_interval(parts: &[Part], z: f64) -> (f64, f64) {
    let mirrored: Vec<Part> = parts.iter().map(|part| Part { rate: 1.0 - part.rate, ..*part }).collect();
    (lower_end(parts, z), 1.0 - lower_end(&mirrored, z))
}

fn lower_end(parts: &[Part], z: f64) -> f64 {
    let at = |multiplier: f64| -> (f64, f64) {
        let of = |part: &Part| {
            let pulled = part.games + multiplier * part.weight;
            let root =
                (pulled * pulled - 4.0 * multiplier * part.weight * part.games * part.rate).max(0.0).sqrt();
            let rate = (2.0 * part.games * part.rate / (pulled + root)).clamp(0.0, 1.0);
            (part.weight * rate, part.weight * part.weight * rate * (1.0 - rate) / part.games)
        };
        parts.iter().map(of).fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    };
    let is_outside = |multiplier: f64| multiplier * multiplier * at(multiplier).1 >= z * z;
    let (mut inside, mut outside) = (0.0, 1.0);
    while !is_outside(outside) {
        if outside > 1e300 {
            return 0.0;
        }
        (inside, outside) = (outside, 2.0 * outside);
    }
    for _ in 0..100 {
        let middle = f64::midpoint(inside, outside);
        if is_outside(middle) { outside = middle } else { inside = middle }
    }
    at(outside).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wilson;

    #[test]
    fn one_part_and_equal_parts_have_wilsons_interval() {
        for (rate, games) in [(0.3, 20.0), (0.0, 7.0), (1.0, 40.0), (0.5, 1.0), (0.97, 3_000.0)] {
            let (low, high) = wilson(rate, 0.0, games, 1.96);
            let parts = |number: usize| {
                vec![Part { weight: 1.0 / number as f64, rate, games: games / number as f64 }; number]
            };
            for number in [1, 2, 7] {
                let found = score_interval(&parts(number), 1.96);
                assert!(
                    (found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9,
                    "{found:?} {low} {high}"
                );
            }
        }
    }

    /// Two won pairs on one size and thousand games on the other: the first may well be a size of 50 %.
    #[test]
    fn a_size_of_few_games_gives_way_first() {
        let few = Part { weight: 0.5, rate: 1.0, games: 4.0 };
        let many = Part { weight: 0.5, rate: 0.5, games: 2_000.0 };
        let (low, high) = score_interval(&[few, many], 1.96);
        assert!(
            (low - (0.25 + 0.5 * wilson(1.0, 0.0, 4.0, 1.96).0)).abs() < 0.02 && (0.75..0.78).contains(&high),
            "{low} {high}"
        );
        let weightless = Part { weight: 0.0, ..few };
        let (low, high) = score_interval(&[weightless, Part { weight: 1.0, ..many }], 1.96);
        assert!((low - 0.478).abs() < 1e-3 && (high - 0.522).abs() < 1e-3, "{low} {high}");
    }
}
