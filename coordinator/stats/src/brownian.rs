//! Brownian motion that stops at one of two bounds: the limit of a sequential test.

/// Brownian motion from 0 with drift, stopped at `lower` below 0 or at `upper` above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stopped {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// Mean change per unit of time.
    pub(crate) drift: f64,
    /// Variance of the change per unit of time, above 0.
    pub(crate) variance: f64,
}

impl Stopped {
    /// The probability of stopping at the upper bound: (1 − e^(−ha)) / (e^(−hb) − e^(−ha)) with h = 2·drift/variance.
    pub(crate) fn pass(&self) -> f64 {
        let h = 2.0 * self.drift / self.variance;
        let (a, b) = (self.lower, self.upper);
        if (h * (b - a)).abs() < 1e-9 {
            -a / (b - a)
        } else if h > 0.0 {
            (h * a).exp_m1() / (h * (a - b)).exp_m1()
        } else {
            -(-h * a).exp_m1() / ((-h * b).exp() - (-h * a).exp())
        }
    }

    /// The mean time to the stop: (a(1 − P) + bP) / drift.
    pub(crate) fn mean_time(&self) -> f64 {
        let (a, b) = (self.lower, self.upper);
        let h = 2.0 * self.drift / self.variance;
        if (h * (b - a)).abs() < 1e-6 {
            return -a * b / self.variance;
        }
        let pass = self.pass();
        (a * (1.0 - pass) + b * pass) / self.drift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratio of a test near 50 % has the drift (s − (s₀ + s₁)/2)(s₁ − s₀)/v and the variance (s₁ − s₀)²/v.
    #[test]
    fn probabilities_and_times_equal_the_reference() {
        let text = include_str!("../tests/data/stats_reference.json");
        let reference: serde_json::Value = serde_json::from_str(text).expect("JSON");
        for row in reference["sprt_operating_characteristics"].as_array().expect("rows") {
            let of = |key: &str| row[key].as_f64().expect("a number");
            let (s0, s1) = (crate::expected_score(of("elo0")), crate::expected_score(of("elo1")));
            let p: [f64; 5] = std::array::from_fn(|i| row["penta_probs"][i].as_f64().expect("a number"));
            let rate: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
            let pair_variance: f64 = (0..5).map(|i| p[i] * (i as f64 / 4.0 - rate).powi(2)).sum();
            let motion = Stopped {
                lower: (of("beta") / (1.0 - of("alpha"))).ln(),
                upper: ((1.0 - of("beta")) / of("alpha")).ln(),
                drift: (rate - f64::midpoint(s0, s1)) * (s1 - s0) / pair_variance,
                variance: (s1 - s0).powi(2) / pair_variance,
            };
            for (found, key) in
                [(motion.pass(), "brownian_pass"), (2.0 * motion.mean_time(), "brownian_games")]
            {
                assert!((found - of(key)).abs() <= 1e-5 * of(key), "{found} instead of {row}");
            }
        }
    }
}
