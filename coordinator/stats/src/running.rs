//! The mean of values that come one by one, and its interval.

use crate::normal::quantile;

/// Sums of values, by Welford's formulas: they lose no digits, however large the values are.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Running {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Running {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// The number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; none without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The mean and the ends of its normal interval at this confidence, such as 0.95. With one value the interval is the
    /// value itself: nothing is known of its spread. None without values, or when the confidence is not between 0 and 1.
    #[must_use]
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64, f64)> {
        let mean = self.mean()?;
        let z = quantile(0.5 + confidence / 2.0).ok()?;
        let variance = if self.count < 2 { 0.0 } else { self.squares / (self.count - 1) as f64 };
        let reach = z * (variance / self.count as f64).sqrt();
        Some((mean, mean - reach, mean + reach))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_interval_of_the_textbook() {
        let mut running = Running::default();
        assert_eq!((running.mean(), running.interval(0.95)), (None, None));
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| running.add(value));
        // Standard deviation √(32/7), so the error of the mean is √(32/56).
        let (mean, low, high) = running.interval(0.95).expect("values");
        assert!((mean - 5.0).abs() < 1e-12 && running.count() == 8);
        assert!((high - mean - 1.959_963_985 * (32.0_f64 / 56.0).sqrt()).abs() < 1e-8);
        assert!((mean - low - (high - mean)).abs() < 1e-12);
        assert_eq!(running.interval(1.5), None);
    }

    #[test]
    fn large_values_lose_no_digits_and_one_value_has_no_spread() {
        let mut running = Running::default();
        running.add(1e15 + 1.0);
        assert_eq!(running.interval(0.95), Some((1e15 + 1.0, 1e15 + 1.0, 1e15 + 1.0)));
        running.add(1e15 + 3.0);
        let (mean, low, high) = running.interval(0.682_689_492).expect("values");
        assert_eq!(mean, 1e15 + 2.0);
        assert!((high - low - 2.0).abs() < 0.3, "{low} {high}");
    }
}
