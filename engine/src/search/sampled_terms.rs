//! Terms of the selection formula that only some simulations use: each simulation draws whether it chooses with RAVE,
//! and whether with exploration.

use super::params::SearchParams;
use crate::rng::Rng;

/// The terms that the current simulation uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampledTerms {
    /// Whether simulations use different terms.
    pub(super) vary: bool,
    /// Whether the current simulation uses RAVE.
    pub(super) rave: bool,
    /// The exploration constant, or 0 without exploration.
    pub(super) exploration: f32,
}

impl SampledTerms {
    pub(super) fn new(params: &SearchParams) -> Self {
        let rave = params.uses_rave() && params.rave_probability < 1.0;
        let exploration = params.exploration > 0.0 && params.exploration_probability < 1.0;
        Self { vary: rave || exploration, rave: true, exploration: params.exploration as f32 }
    }

    /// Draws the terms of a new simulation. Probabilities 0 and 1 consume no random number.
    pub(super) fn draw(&mut self, params: &SearchParams, rng: &mut Rng) {
        if self.vary {
            self.rave = happens(params.rave_probability, rng);
            let explores = happens(params.exploration_probability, rng);
            self.exploration = if explores { params.exploration as f32 } else { 0.0 };
        }
    }
}

fn happens(probability: f64, rng: &mut Rng) -> bool {
    const STEPS: f64 = (1_u64 << 53) as f64;
    probability >= 1.0 || (probability > 0.0 && ((rng.next_u64() >> 11) as f64) < probability * STEPS)
}
