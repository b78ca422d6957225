//! How much of an experiment's games each case gets, by the policies that judge whole cases.
//!
//! The attention of a case is a factor on the weights of its cells, with mean 1 in `best`. A cell's share is its weight times
//! the attention of its case, and cells are played in the order of pairs taken for the share. Attention is computed from
//! counters every few seconds, beside the writer, so a lease costs the same under every policy. The functions have no random
//! numbers: the same counters give the same attention.

#[cfg(test)]
mod simulation;

use crate::priority::{pair_variance, score_sum};
use crate::store::PlayedCell;
use protocol::experiment::Policy;
use protocol::ids::PlayerId;
use stats::{ocba, prob_best, top_two};
use std::collections::HashMap;

/// The part of all pairs that `best` plays evenly. It keeps every case in play, so that a mistake is found.
const COVERAGE: f64 = 0.05;

/// The smallest difference of scores with which `best` divides pairs among cases: telling closer scores apart would take every
/// pair and gain little.
const CLOSE: f64 = 0.01;

/// The attention of a rejected case in `race`: it is still played, so that a mistake is found.
const REJECTED: f64 = 0.1;

/// In `race`, a case is rejected when the e-value against "as good as the best-looking case" is at least this. So the chance that
/// a case is ever rejected in favour of one that is no better is at most 1/20, at any number of looks.
const EVIDENCE: f64 = 20.0;

/// The difference of scores that the e-value of `race` is most sensitive to.
const TYPICAL_DIFFERENCE: f64 = 0.05;

/// The score of a case over its cells, by their weights, and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct CaseScore {
    weight: f64,
    mean: f64,
    variance: f64,
}

impl CaseScore {
    /// Adds a cell. One pair with a score of one half is assumed, so that a cell without games counts as unknown.
    fn add(&mut self, cell: &PlayedCell) {
        let pairs = cell.pair_counts.iter().sum::<i64>() as f64 + 1.0;
        self.weight += cell.weight;
        self.mean += cell.weight * (score_sum(&cell.pair_counts) + 0.5) / pairs;
        self.variance += cell.weight.powi(2) * pair_variance(&cell.pair_counts) / pairs;
    }

    /// The weighted mean and its standard error.
    fn finish(self) -> (f64, f64) {
        (self.mean / self.weight, self.variance.sqrt() / self.weight)
    }
}

/// The share of each cell. Cases against one baseline with one budget are compared with each other, and with no others: a
/// score against another opponent is another scale.
pub(crate) fn shares(policy: Policy, cells: &[PlayedCell]) -> Vec<f64> {
    let mut fields: HashMap<&(PlayerId, String), Field> = HashMap::new();
    let mut of_cell = Vec::with_capacity(cells.len());
    for cell in cells {
        of_cell.push(fields.entry(&cell.against).or_default().add(cell));
    }
    let attention: HashMap<_, Vec<f64>> =
        fields.into_iter().map(|(against, field)| (against, field.attention(policy))).collect();
    cells.iter().zip(of_cell).map(|(cell, case)| cell.weight * attention[&cell.against][case]).collect()
}

/// The cases that are compared with each other.
#[derive(Default)]
struct Field {
    cases: HashMap<PlayerId, usize>,
    scores: Vec<CaseScore>,
}

impl Field {
    /// Adds a cell; gives the number of its case.
    fn add(&mut self, cell: &PlayedCell) -> usize {
        let case = *self.cases.entry(cell.case).or_insert(self.scores.len());
        if case == self.scores.len() {
            self.scores.push(CaseScore::default());
        }
        self.scores[case].add(cell);
        case
    }

    fn attention(self, policy: Policy) -> Vec<f64> {
        let (means, errors): (Vec<f64>, Vec<f64>) = self.scores.into_iter().map(CaseScore::finish).unzip();
        attention(policy, &means, &errors)
    }
}

/// The attention of each case, from its mean score and the standard error of the mean.
fn attention(policy: Policy, means: &[f64], errors: &[f64]) -> Vec<f64> {
    match policy {
        Policy::Coverage | Policy::Error => vec![1.0; means.len()],
        Policy::Best => {
            let sampled = top_two(&prob_best(means, errors), 0.5);
            let cases = means.len() as f64;
            let played = sampled.iter().zip(divided(means)).map(|(a, b)| (a + b) / 2.0);
            played.map(|part| COVERAGE + (1.0 - COVERAGE) * cases * part).collect()
        }
        Policy::Race => {
            let leader = (0..means.len()).max_by(|a, b| means[*a].total_cmp(&means[*b])).unwrap_or_default();
            (0..means.len())
                .map(|case| {
                    let behind = means[leader] - means[case];
                    let variance = errors[leader].powi(2) + errors[case].powi(2);
                    let rejected = case != leader && ln_e_value(behind, variance) >= EVIDENCE.ln();
                    if rejected { REJECTED } else { 1.0 }
                })
                .collect()
        }
    }
}

/// The parts of all pairs by OCBA, for pairs of equal variance: a case gets as many as it takes to tell it from the best one.
/// The mean over the best ones, if several have the best score exactly.
fn divided(means: &[f64]) -> Vec<f64> {
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let leaders: Vec<usize> = (0..means.len()).filter(|case| means[*case] == best).collect();
    let mut parts = vec![0.0; means.len()];
    for leader in &leaders {
        let apart = |case: usize| if case == *leader { best } else { means[case].min(best - CLOSE) };
        let apart: Vec<f64> = (0..means.len()).map(apart).collect();
        for (sum, part) in parts.iter_mut().zip(ocba(&apart, &vec![1.0; means.len()])) {
            *sum += part / leaders.len() as f64;
        }
    }
    parts
}

/// The logarithm of an e-value against equal scores, from a difference with this variance: the normal mixture of Robbins,
///
/// ```text
/// ln E = ½ ln(v / (v + τ²)) + d² τ² / (2 v (v + τ²))
/// ```
fn ln_e_value(difference: f64, variance: f64) -> f64 {
    let typical = TYPICAL_DIFFERENCE.powi(2);
    let both = variance + typical;
    0.5 * (variance / both).ln() + difference.powi(2) * typical / (2.0 * variance * both)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn cell(case: usize, weight: f64, pair_counts: [i64; 6]) -> PlayedCell {
        let player = |number: usize| PlayerId(Uuid::from_u128(number as u128));
        let against = (player(usize::MAX), "100 sims".into());
        PlayedCell { position: 0, share: weight, case: player(case), against, weight, pair_counts }
    }

    /// The cell with another baseline, or with another budget.
    fn against(opponent: u128, budget: &str, cell: PlayedCell) -> PlayedCell {
        PlayedCell { against: (PlayerId(Uuid::from_u128(opponent)), budget.into()), ..cell }
    }

    #[test]
    fn every_policy_gives_equal_shares_before_the_first_pair() {
        let cells: Vec<_> = (0..20).map(|number| cell(number / 2, 1.0, [0; 6])).collect();
        for policy in Policy::ALL {
            for share in shares(policy, &cells) {
                assert!((share - 1.0).abs() < 1e-6, "{policy}: {share}");
            }
        }
    }

    #[test]
    fn best_plays_those_that_may_be_the_best_and_nobody_less_than_the_coverage() {
        let counts =
            [[10, 0, 40, 0, 0, 50], [12, 0, 40, 0, 0, 48], [60, 0, 30, 0, 0, 10], [90, 0, 10, 0, 0, 0]];
        let cells = [0, 1, 2, 3].map(|case| cell(case, 1.0, counts[case]));
        let found = shares(Policy::Best, &cells);
        // Of two contenders, one leads and the other challenges it, whichever of them leads.
        assert!((found[0] - found[1]).abs() < 0.1 && found[1] > 1.8, "{found:?}");
        assert!(found[2..].iter().all(|share| (COVERAGE..COVERAGE + 0.02).contains(share)), "{found:?}");
        assert!(found[2] > found[3], "who is closer to the best one gets more: {found:?}");
        assert!((found.iter().sum::<f64>() - 4.0).abs() < 1e-6, "the mean attention is 1: {found:?}");
    }

    #[test]
    fn cases_with_the_same_score_get_the_same_however_many_lead() {
        let counts =
            [[10, 0, 40, 0, 0, 50], [10, 0, 40, 0, 0, 50], [40, 0, 40, 0, 0, 20], [40, 0, 40, 0, 0, 20]];
        let cells = [0, 1, 2, 3].map(|case| cell(case, 1.0, counts[case]));
        let found = shares(Policy::Best, &cells);
        assert!((found[0] - found[1]).abs() < 1e-9 && (found[2] - found[3]).abs() < 1e-9, "{found:?}");
        assert!(found[0] > 1.8, "{found:?}");
    }

    #[test]
    fn a_case_is_judged_over_all_its_cells_by_their_weights() {
        let (won, lost) = ([0, 0, 0, 0, 0, 40], [40, 0, 0, 0, 0, 0]);
        let even = [10, 0, 20, 0, 0, 10];
        // The first case wins on the heavy size, the second on the light one.
        let cells = [
            cell(0, 3.0, won),
            cell(0, 1.0, lost),
            cell(1, 3.0, lost),
            cell(1, 1.0, won),
            cell(2, 3.0, even),
            cell(2, 1.0, even),
        ];
        let found = shares(Policy::Best, &cells);
        assert!(found[0] > 3.0 && (found[0] / found[1] - 3.0).abs() < 1e-9, "{found:?}");
        assert!(found[2] < 1.0, "{found:?}");
    }

    #[test]
    fn cases_are_compared_with_those_of_the_same_baseline_and_budget_only() {
        let (won, lost) = ([5, 0, 30, 0, 0, 65], [65, 0, 30, 0, 0, 5]);
        let (first, second) = ([won, [20, 0, 40, 0, 0, 40]], [lost, [50, 0, 40, 0, 0, 10]]);
        let field = |cells: [[i64; 6]; 2], opponent, budget: &'static str| {
            let cells = cells.into_iter().enumerate();
            cells
                .map(move |(case, counts)| against(opponent, budget, cell(case, 1.0, counts)))
                .collect::<Vec<_>>()
        };
        for policy in [Policy::Best, Policy::Race] {
            for (opponent, budget) in [(1, "200 sims"), (2, "100 sims")] {
                let alone = [field(first, 1, "100 sims"), field(second, opponent, budget)];
                let apart = alone.each_ref().map(|cells| shares(policy, cells)).concat();
                assert_eq!(
                    shares(policy, &alone.concat()),
                    apart,
                    "{policy}: a weak opponent makes nobody better"
                );
                // Both fields have a best case, whatever the level of its scores.
                let best = [apart[0].max(apart[1]), apart[2].max(apart[3])];
                assert!(best.iter().all(|share| *share >= 1.0), "{policy}: {apart:?}");
            }
        }
    }

    #[test]
    fn race_rejects_what_is_worse_for_certain_and_takes_it_back() {
        let cells = [cell(0, 1.0, [10, 0, 40, 0, 0, 50]), cell(1, 1.0, [40, 0, 40, 0, 0, 20])];
        assert_eq!(shares(Policy::Race, &cells), [1.0, REJECTED]);
        let few = [cell(0, 1.0, [1, 0, 4, 0, 0, 5]), cell(1, 1.0, [4, 0, 4, 0, 0, 2])];
        assert_eq!(shares(Policy::Race, &few), [1.0, 1.0], "ten pairs show nothing");
    }

    #[test]
    fn an_e_value_is_one_on_average_when_nothing_differs() {
        // E[exp(ln E)] over a normal difference of this variance, by the trapezoidal rule.
        for variance in [1e-4, 1e-3, 1e-2] {
            let sd = f64::sqrt(variance);
            let step = sd / 100.0;
            // Far out the density is too small for a number, and the e-value too large; their product is neither.
            let ln_density = |d: f64| -d * d / (2.0 * variance) - (sd * std::f64::consts::TAU.sqrt()).ln();
            let mean: f64 = (-4_000..=4_000)
                .map(|k| f64::from(k) * step)
                .map(|d| step * (ln_density(d) + ln_e_value(d, variance)).exp())
                .sum();
            assert!((mean - 1.0).abs() < 1e-3, "{variance}: {mean}");
        }
    }

    #[test]
    fn the_attention_of_many_cases_is_finite_and_above_zero() {
        let counts = |case: i64| [case % 7, 0, case % 11, 0, 0, case % 13];
        let cells: Vec<_> = (0..2_000).map(|case| cell(case as usize, 1.0, counts(case))).collect();
        for policy in Policy::ALL {
            assert!(shares(policy, &cells).iter().all(|share| share.is_finite() && *share > 0.0), "{policy}");
        }
    }
}
