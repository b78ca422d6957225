//! Roots of functions of one variable. A search that finds none says so.

use thiserror::Error;

/// A search that ended without a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the search for {0} found no solution")]
pub struct NoSolution(pub &'static str);

/// Steps after which a search is given up. Halving alone needs 53 for all digits of a number.
const MOST_STEPS: usize = 300;

/// The place between `low` and `high` at which the function changes its sign, to within `tolerance`. The function may rise or
/// fall.
///
/// Regula falsi with halved weights ("Illinois"); every third step halves the bracket, so that the search always ends.
pub(crate) fn crossing(
    of: &mut dyn FnMut(f64) -> f64,
    (mut low, mut high): (f64, f64),
    tolerance: f64,
) -> Option<f64> {
    let (mut low_value, mut high_value) = (of(low), of(high));
    if low_value == 0.0 {
        return Some(low);
    }
    if high_value == 0.0 {
        return Some(high);
    }
    let (falls, rises) = (low_value > 0.0 && high_value < 0.0, low_value < 0.0 && high_value > 0.0);
    if !(falls || rises) {
        return None;
    }
    for step in 0..MOST_STEPS {
        let half = f64::midpoint(low, high);
        if high - low <= tolerance || half <= low || half >= high {
            return Some(half);
        }
        let secant = (low * high_value - high * low_value) / (high_value - low_value);
        let next = if step % 3 < 2 && secant > low && secant < high { secant } else { half };
        let value = of(next);
        if value.is_nan() {
            return None;
        }
        if value == 0.0 {
            return Some(next);
        }
        if (value > 0.0) == rises {
            (high, high_value, low_value) = (next, value, low_value / 2.0);
        } else {
            (low, low_value, high_value) = (next, value, high_value / 2.0);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_found_and_its_absence_is_said() {
        let root = |of: fn(f64) -> f64, range| crossing(&mut { of }, range, 1e-13);
        assert!((root(|x| x * x - 2.0, (0.0, 2.0)).expect("a root") - 2f64.sqrt()).abs() < 1e-12);
        assert!((root(|x| 1.0 - x.powi(41), (0.0, 3.0)).expect("a root") - 1.0).abs() < 1e-12);
        assert!(root(f64::signum, (-1.0, 3.0)).expect("a jump").abs() < 1e-12);
        assert_eq!(root(|x| x * x + 1.0, (-1.0, 1.0)), None);
        assert_eq!(root(|x| x, (1.0, 2.0)), None);
        assert_eq!(root(|_| f64::NAN, (0.0, 1.0)), None);
        assert_eq!(root(|x| if x == 0.5 { f64::NAN } else { x - 0.5 }, (0.0, 1.0)), None);
    }
}
