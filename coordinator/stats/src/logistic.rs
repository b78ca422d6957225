//! Logistic regression on rates.

use crate::matrix::Symmetric;

/// An observed rate with its explanatory variables.
#[derive(Debug, Clone)]
pub(crate) struct Observation {
    /// The explanatory variables, the constant included.
    pub(crate) x: Vec<f64>,
    /// The rate, from 0 to 1.
    pub(crate) rate: f64,
    /// Effective games, which need not be whole.
    pub(crate) games: f64,
}

/// Precision of the normal prior around 0 of each coefficient. It keeps coefficients finite where the winner is always the
/// same, and moves other estimates by less than a millionth of their standard error.
const PRIOR: f64 = 1e-6;

const MOST_STEPS: usize = 100;

/// The search has converged if its last step added less than this to the logarithm of the likelihood.
pub(crate) const CONVERGED: f64 = 1e-10;

/// The coefficients in logits of logit(rate) = Σ coefficient·x, by Newton's method. None when the variables depend on each other, or the search did not converge.
///
/// Source: McCullagh, Nelder, *Generalized Linear Models* (1989), section 4.4. The rates may be averages of draws and of
/// dependent pairs: only their mean and variance enter (quasi-likelihood, chapter 9).
pub(crate) fn logistic(observations: &[Observation]) -> Option<Vec<f64>> {
    let size = observations.first()?.x.len();
    let mut coefficients = vec![0.0; size];
    let mut value = objective(observations, &coefficients);
    let mut gain = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (gradient, information) = derivatives(observations, &coefficients);
        let step = information.cholesky()?.solve(&gradient);
        let mut scale = 1.0;
        let moved = loop {
            let next: Vec<f64> = coefficients.iter().zip(&step).map(|(c, s)| c + scale * s).collect();
            let reached = objective(observations, &next);
            // The objective is concave, so a short enough step improves it, down to rounding.
            if reached >= value - 1e-9 * value.abs() || scale < 1e-6 {
                value = reached;
                break next;
            }
            scale /= 2.0;
        };
        let change = moved.iter().zip(&coefficients).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        coefficients = moved;
        gain = gain_of(&gradient, &step);
        if change < 1e-12 {
            break;
        }
    }
    (gain < CONVERGED).then_some(coefficients)
}

/// What a step of Newton's method adds to the logarithm of the likelihood, up to terms of the third order.
pub(crate) fn gain_of(gradient: &[f64], step: &[f64]) -> f64 {
    gradient.iter().zip(step).map(|(gradient, step)| gradient * step).sum::<f64>() / 2.0
}

/// The probability 1/(1 + e^−x).
#[must_use]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + e^x) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn logit(x: &[f64], coefficients: &[f64]) -> f64 {
    x.iter().zip(coefficients).map(|(x, c)| x * c).sum()
}

/// The logarithm of the likelihood, without a constant.
fn log_likelihood(observations: &[Observation], coefficients: &[f64]) -> f64 {
    let of = |row: &Observation| {
        let logit = logit(&row.x, coefficients);
        row.games * (row.rate * logit - softplus(logit))
    };
    observations.iter().map(of).sum()
}

fn objective(observations: &[Observation], coefficients: &[f64]) -> f64 {
    let prior: f64 = coefficients.iter().map(|c| c * c).sum();
    log_likelihood(observations, coefficients) - PRIOR / 2.0 * prior
}

fn derivatives(observations: &[Observation], coefficients: &[f64]) -> (Vec<f64>, Symmetric) {
    let mut gradient: Vec<f64> = coefficients.iter().map(|c| -PRIOR * c).collect();
    let mut information = Symmetric::zeros(coefficients.len());
    for i in 0..coefficients.len() {
        information.add(i, i, PRIOR);
    }
    for row in observations {
        let p = sigmoid(logit(&row.x, coefficients));
        for (g, x) in gradient.iter_mut().zip(&row.x) {
            *g += row.games * (row.rate - p) * x;
        }
        information.add_square(&row.x, row.games * p * (1.0 - p));
    }
    (gradient, information)
}
