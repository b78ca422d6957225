//! What a lease is expected to cost.

use crate::store::{Contender, Counters};
use protocol::experiment::CellSpec;

/// The bounds of an estimate: a microsecond, and a year.
const ESTIMATES_US: (f64, f64) = (1.0, 366.0 * 86_400e6);

/// What a lease is expected to cost, in core microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeaseCost {
    /// What the experiment is charged.
    pub(crate) charge_us: i64,
    /// What the budget suggests for the reference machine.
    pub(crate) prior_us: i64,
}

/// The cost of `games` games of a cell. A game is expected to take as long as the cell's counted games. Before the first, it
/// takes what the budget suggests times `ratio`: what the experiment's games took, relative to what their budgets suggested.
pub(crate) fn expected(spec: &CellSpec, counters: &Counters, ratio: f64, games: usize) -> LeaseCost {
    let charge_us = match counters.games_timed {
        0 => us(games, ratio * budget_us(spec)),
        timed => us(games, counters.core_us as f64 / timed as f64),
    };
    LeaseCost { charge_us, prior_us: prior_us(spec, games) }
}

/// What the budget suggests for `games` games of a cell on the reference machine, in core microseconds.
pub(crate) fn prior_us(spec: &CellSpec, games: usize) -> i64 {
    us(games, budget_us(spec))
}

fn budget_us(spec: &CellSpec) -> f64 {
    1e6 * spec.reference_seconds()
}

fn us(games: usize, game_us: f64) -> i64 {
    (games as f64 * game_us).clamp(ESTIMATES_US.0, ESTIMATES_US.1) as i64
}

/// What games took relative to what their budgets suggested: games of the experiment, or else of the others that wait.
pub(crate) fn ratio<'a>(own: &Contender, others: impl Iterator<Item = &'a Contender>) -> f64 {
    let of = |(core_us, prior_us): (i64, i64)| (prior_us > 0).then(|| core_us as f64 / prior_us as f64);
    let all = || others.fold((0, 0), |sum, other| (sum.0 + other.core_us, sum.1 + other.prior_us));
    of((own.core_us, own.prior_us)).or_else(|| of(all())).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use protocol::lease::{Budget, ParamSet};

    #[test]
    fn an_estimate_is_the_mean_of_what_was_measured_and_before_that_the_budget() {
        let spec = CellSpec {
            semantics: engine::SEMANTICS,
            case: ParamSet::default(),
            baseline: ParamSet::default(),
            size: BoardSize::new(4).expect("a size"),
            budget: Budget::ReferenceSeconds(2.0),
            opening_plies: 2,
            book: None,
            seed: 1,
        };
        let none = Counters::default();
        // 17 plies without 2 of the opening, of 2 s each, on machines that are ten times as fast.
        let prior_us = 60_000_000;
        assert_eq!(expected(&spec, &none, 0.1, 2), LeaseCost { charge_us: prior_us / 10, prior_us });
        let counters = Counters { core_us: 900, games_timed: 3, games: 8, ..none };
        assert_eq!(expected(&spec, &counters, 0.1, 2), LeaseCost { charge_us: 600, prior_us });
        let free = Counters { core_us: 0, games_timed: 3, ..none };
        assert_eq!(expected(&spec, &free, 0.1, 2).charge_us, 1, "every lease moves the queue");
    }
}
