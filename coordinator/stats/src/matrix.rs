//! Symmetric matrices and their Cholesky decomposition, for regressions and ratings of up to some hundred unknowns.

/// A symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    size: usize,
    /// Row by row. Only the lower triangle is used.
    entries: Vec<f64>,
}

impl Symmetric {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    /// The entry in row `i` and column `j`.
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i.max(j) * self.size + i.min(j)]
    }

    /// Adds to the entry in row `i` and column `j`, and to its mirror image.
    pub fn add(&mut self, i: usize, j: usize, more: f64) {
        self.entries[i.max(j) * self.size + i.min(j)] += more;
    }

    /// Adds `weight`·x·xᵀ.
    pub fn add_square(&mut self, x: &[f64], weight: f64) {
        for (i, a) in x.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            let row = &mut self.entries[i * self.size..=i * self.size + i];
            for (entry, b) in row.iter_mut().zip(x) {
                *entry += weight * a * b;
            }
        }
    }

    /// xᵀ·A·x, such as the variance of the contrast `x` of a covariance matrix.
    #[must_use]
    pub fn quadratic(&self, x: &[f64]) -> f64 {
        let row = |i: usize| -> f64 { x.iter().enumerate().map(|(j, b)| self.at(i, j) * b).sum() };
        x.iter().enumerate().map(|(i, a)| a * row(i)).sum()
    }

    /// The rows and columns `of`, in this order.
    #[must_use]
    pub fn part(&self, of: &[usize]) -> Self {
        let mut part = Self::zeros(of.len());
        for (a, &i) in of.iter().enumerate() {
            for (b, &j) in of.iter().enumerate().take(a + 1) {
                part.add(a, b, self.at(i, j));
            }
        }
        part
    }

    /// The decomposition of a positive definite matrix; none if a pivot is not above rounding errors.
    #[must_use]
    pub fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = vec![0.0; self.size * self.size];
        for i in 0..self.size {
            for j in 0..=i {
                let (row, other) = (&lower[i * self.size..], &lower[j * self.size..]);
                let product: f64 = row[..j].iter().zip(&other[..j]).map(|(a, b)| a * b).sum();
                let rest = self.at(i, j) - product;
                lower[i * self.size + j] = if i == j {
                    let positive = rest > self.at(i, i) * SINGULAR && rest.is_finite();
                    positive.then(|| rest.sqrt())?
                } else {
                    rest / lower[j * self.size + j]
                };
            }
        }
        Some(Cholesky { size: self.size, lower })
    }
}

/// A pivot below this fraction of its diagonal entry is rounding: the unknown depends on the earlier ones.
const SINGULAR: f64 = 1e-11;

/// A lower triangular matrix L with L·Lᵀ = A.
#[derive(Debug, Clone)]
pub struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// The solution of A·x = b.
    #[must_use]
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = b.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|j| self.lower[i * n + j] * x[j]).sum();
            x[i] = (x[i] - known) / self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| self.lower[j * n + i] * x[j]).sum();
            x[i] = (x[i] - known) / self.lower[i * n + i];
        }
        x
    }

    /// The inverse of A.
    #[must_use]
    pub fn inverse(&self) -> Symmetric {
        let mut inverse = Symmetric::zeros(self.size);
        for j in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[j] = 1.0;
            for (i, value) in self.solve(&unit).into_iter().enumerate().skip(j) {
                inverse.add(i, j, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hilbert(size: usize) -> Symmetric {
        let mut matrix = Symmetric::zeros(size);
        for i in 0..size {
            for j in 0..=i {
                matrix.add(i, j, 1.0 / (i + j + 1) as f64);
            }
        }
        matrix
    }

    #[test]
    fn a_solution_solves_and_the_inverse_of_a_hilbert_matrix_is_known() {
        let matrix = hilbert(4);
        let cholesky = matrix.cholesky().expect("positive definite");
        let x = cholesky.solve(&[1.0, -2.0, 3.0, 0.5]);
        for (i, expected) in [1.0, -2.0, 3.0, 0.5].into_iter().enumerate() {
            let found: f64 = (0..4).map(|j| matrix.at(i, j) * x[j]).sum();
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
        let inverse = cholesky.inverse();
        for (i, j, expected) in [(0, 0, 16.0), (1, 0, -120.0), (2, 3, -4200.0), (3, 3, 2800.0)] {
            assert!((inverse.at(i, j) - expected).abs() < 1e-7, "{i} {j}: {}", inverse.at(i, j));
        }
    }

    #[test]
    fn a_matrix_with_dependent_rows_has_no_decomposition() {
        let mut matrix = Symmetric::zeros(3);
        for x in [[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]] {
            matrix.add_square(&x, 1.0);
        }
        assert!(matrix.cholesky().is_none());
        assert!(matrix.part(&[0, 1]).cholesky().is_some());
        assert_eq!(matrix.part(&[2, 0]).at(0, 1), 3.0);
        assert_eq!(matrix.quadratic(&[1.0, 0.0, -1.0]), 5.0);
    }
}
