//! Points without chance, for tests: those of the crate, and those in `tests/`.

/// The van der Corput sequence.
pub(crate) fn halton(mut i: usize, base: usize) -> f64 {
    let (mut digit, mut sum) = (1.0, 0.0);
    while i > 0 {
        digit /= base as f64;
        sum += digit * (i % base) as f64;
        i /= base;
    }
    sum
}
