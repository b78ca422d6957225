//! Brownian motion that stops at one of two bounds: the limit of a sequential test.

use crate::normal::probability_below;
use std::f64::consts::PI;

/// A drift of less than this many standard units is replaced by this, where the formulas would divide 0 by 0.
const LEAST_DRIFT: f64 = 1e-7;

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

    /// The probability of a better outcome than to be at `place` at `time`: the motion stopped at the upper bound before,
    /// or is above `place` at that time without having stopped. So outcomes are ordered from early stops at the lower
    /// bound through late ones to early stops at the upper bound.
    pub(crate) fn above(&self, time: f64, place: f64) -> f64 {
        if self.drift < 0.0 {
            let mirrored = Self { lower: -self.upper, upper: -self.lower, drift: -self.drift, ..*self };
            return 1.0 - mirrored.above(time, -place);
        }
        let width = self.upper - self.lower;
        let gamma = (self.drift / self.variance).max(LEAST_DRIFT / width);
        let spread = self.variance * time / (width * width);
        let place = place.clamp(self.lower, self.upper);
        // P(upper before) + P(running, above) with P(upper before) = P(upper ever) − P(running, upper later).
        let ever = (2.0 * gamma * self.lower).exp_m1() / (-2.0 * gamma * width).exp_m1();
        let rest =
            if spread < 0.2 { self.by_images(gamma, time, place) } else { self.by_waves(gamma, time, place) };
        (ever + rest).clamp(0.0, 1.0)
    }

    /// P(running, above `place`) − P(running, upper later), by the method of images. Few images matter early.
    fn by_images(&self, gamma: f64, time: f64, place: f64) -> f64 {
        let (a, b, width) = (self.lower, self.upper, self.upper - self.lower);
        let deviation = (self.variance * time).sqrt();
        let shift = gamma * self.variance * time;
        // The probability that a motion from `from` with this drift is between two places, times e^weight.
        let between = |weight: f64, mean: f64, low: f64, high: f64| {
            let below = |x: f64| probability_below((x - mean) / deviation);
            // The upper tail is the lower tail of the mirrored motion; a difference of values near 1 loses digits.
            let mass = if mean < low {
                probability_below((mean - low) / deviation) - probability_below((mean - high) / deviation)
            } else {
                below(high) - below(low)
            };
            if mass > 0.0 { (weight + mass.ln()).exp() } else { 0.0 }
        };
        let scale = -(-2.0 * gamma * width).exp_m1();
        let mut sum = 0.0;
        for k in -4..=4 {
            let move_by = 2.0 * f64::from(k) * width;
            for (source, sign) in [(move_by, 1.0), (2.0 * a + move_by, -1.0)] {
                let weight = gamma * source;
                sum += sign * between(weight, source + shift, place, b);
                let later = between(weight, source + shift, a, b)
                    - between(2.0 * gamma * a - weight, source - shift, a, b);
                sum -= sign * later / scale;
            }
        }
        sum
    }

    /// As [`Stopped::by_images`], by the eigenfunctions of the strip. Few of them matter late.
    fn by_waves(&self, gamma: f64, time: f64, place: f64) -> f64 {
        let (a, width) = (self.lower, self.upper - self.lower);
        let spread = self.variance * time;
        let scale = -(-2.0 * gamma * width).exp_m1();
        let mut sum = 0.0;
        for n in 1..=64 {
            let k = f64::from(n) * PI / width;
            // The density is 2/A · Σ e^(γx − (γ² + k²)σ²T/2) sin(−ka) sin(k(x − a)).
            let decay = (gamma * a - (gamma * gamma + k * k) * spread / 2.0).exp();
            if decay * (gamma * width).exp() < 1e-18 {
                break;
            }
            let weight = 2.0 / width * decay * (-k * a).sin();
            // The integral of e^(gt) sin(kt) from 0 to u.
            let integral = |g: f64, u: f64| {
                ((g * u).exp() * (g * (k * u).sin() - k * (k * u).cos()) + k) / (g * g + k * k)
            };
            let above = integral(gamma, width) - integral(gamma, place - a);
            let later = (integral(gamma, width) - integral(-gamma, width)) / scale;
            sum += weight * (above - later);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRIP: Stopped = Stopped { lower: -2.0, upper: 3.0, drift: 0.0, variance: 1.0 };

    #[test]
    fn images_and_waves_agree() {
        for drift in [1e-4, 0.1, 0.5, 2.0, 5.0] {
            for time in [1.0, 2.0, 5.0, 10.0] {
                for place in [-2.0, -1.5, 0.0, 1.0, 2.9, 3.0] {
                    let motion = Stopped { drift, ..STRIP };
                    let (a, b) = (motion.by_images(drift, time, place), motion.by_waves(drift, time, place));
                    assert!((a - b).abs() < 1e-8, "{drift} {time} {place}: {a} and {b}");
                }
            }
        }
    }

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

    #[test]
    fn outcomes_are_ordered_and_mirrored() {
        for drift in [-3.0, -0.2, 0.0, 0.3, 2.0] {
            let motion = Stopped { drift, ..STRIP };
            let mirror = Stopped { lower: -3.0, upper: 2.0, drift: -drift, ..STRIP };
            // From the worst outcome to the best: early at the lower bound, late, early at the upper bound.
            let outcomes = [
                (0.5, -2.0),
                (2.0, -2.0),
                (4.0, -2.0),
                (4.0, -1.0),
                (4.0, 2.0),
                (4.0, 3.0),
                (2.0, 3.0),
                (0.5, 3.0),
            ];
            let above = outcomes.map(|(time, place)| motion.above(time, place));
            assert!(above.windows(2).all(|two| two[0] >= two[1] - 1e-9), "{drift}: {above:?}");
            for ((time, place), above) in outcomes.into_iter().zip(above) {
                assert!((1.0 - mirror.above(time, -place) - above).abs() < 1e-7, "{drift} {time} {place}");
            }
        }
        assert!(
            (STRIP.above(500.0, 3.0) - 0.4).abs() < 1e-6,
            "in the end it is the chance of the upper bound"
        );
    }

    /// A random walk of small steps has the same outcomes.
    #[test]
    fn a_random_walk_has_the_same_outcomes() {
        let motion = Stopped { drift: 0.3, ..STRIP };
        let (step, runs) = (0.02_f64, 20_000);
        let up = (1.0 + motion.drift * step.sqrt()) / 2.0;
        let mut state = 11_u64;
        let mut passed = 0;
        for _ in 0..runs {
            let (mut place, mut time) = (0.0, 0.0);
            while time < 4.0 && place > motion.lower && place < motion.upper {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let high = (state >> 11) as f64 / 2f64.powi(53) < up;
                place += if high { step.sqrt() } else { -step.sqrt() };
                time += step;
            }
            passed += u32::from(place >= motion.upper);
        }
        let (found, expected) = (f64::from(passed) / f64::from(runs), motion.above(4.0, 3.0));
        // Four standard errors, and the overshoot of half a step of 0.14 beyond a bound.
        assert!((found - expected).abs() < 0.014 + 0.03, "{found} and {expected}");
    }
}
