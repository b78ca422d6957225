//! The control: whether a player scores 50 % against itself.

use crate::counts::PairCounts;
use crate::unfinished::{BegunPairs, Unfinished};

/// The state of the control, as a traffic light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrafficLight {
    /// There are too few games to speak for or against a score of 50 %.
    Grey,
    /// Nothing speaks against a score of 50 %.
    Green,
    /// Something does: a harness without fault ever shows this with a chance of at most 5 %.
    Amber,
    /// The score is not 50 %: a harness without fault ever shows this with a chance of at most 0.1 %.
    Red,
}

/// The e-value from which on the light is amber.
const AMBER: f64 = 20.0;

/// The e-value from which on the light is red.
const RED: f64 = 1000.0;

/// Fewer pairs find no fault but the grossest.
const FEW: u64 = 50;

/// The evidence of all control cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Control {
    /// The light.
    pub light: TrafficLight,
    /// Control cells with pairs.
    pub cells: u64,
    /// Their complete pairs.
    pub pairs: u64,
    /// The score over all of them. The case and the baseline are the same player, so the truth is 50 %.
    pub rate: f64,
    /// The natural logarithm of the e-value against 50 %.
    pub log_e_value: f64,
    /// The place of the cell with the largest e-value.
    pub worst: usize,
}

/// Judges control cells by their pairs. None without pairs.
///
/// Two kinds of evidence have half of the weight each: the e-value of all games together, which finds a harness that favours one
/// side everywhere, and the mean of the e-values of the cells, which finds one that favours different sides on different sizes or
/// budgets. Each is an e-process if the score is 50 % in every pair, and so is the mean of both. Its chance of ever reaching e is
/// at most 1/e (Ville's inequality), for a set of cells that does not depend on the results. Each is the smallest that the pairs
/// that were begun and are not complete may leave.
#[must_use]
pub fn control(cells: &[(PairCounts, Unfinished)]) -> Option<Control> {
    let pairs: u64 = cells.iter().map(|(counts, _)| counts.pairs()).sum();
    if pairs == 0 {
        return None;
    }
    let of_cell = |(counts, unfinished): &(PairCounts, Unfinished)| {
        unfinished.with(counts.points(), 2.0 * counts.pairs() as f64)
    };
    let begun: Vec<BegunPairs> = cells.iter().map(of_cell).collect();
    let points: f64 = cells.iter().map(|(counts, _)| counts.points()).sum();
    let none = BegunPairs { games: 0.0, least: 0.0, most: 0.0 };
    let all = begun.iter().fold(none, |sum, one| BegunPairs {
        games: sum.games + one.games,
        least: sum.least + one.least,
        most: sum.most + one.most,
    });
    let together = all.log_e_value();
    let each: Vec<f64> = begun.iter().map(BegunPairs::log_e_value).collect();
    let worst = (0..each.len()).rev().max_by(|&a, &b| each[a].total_cmp(&each[b]))?;
    let weighed = each.iter().map(|e| (e, 0.5 / each.len() as f64)).chain([(&together, 0.5)]);
    let largest = each[worst].max(together);
    let log_e_value = largest + weighed.map(|(e, weight)| weight * (e - largest).exp()).sum::<f64>().ln();
    let light = match log_e_value {
        log_e if log_e >= RED.ln() => TrafficLight::Red,
        log_e if log_e >= AMBER.ln() => TrafficLight::Amber,
        _ if pairs < FEW => TrafficLight::Grey,
        _ => TrafficLight::Green,
    };
    let played = cells.iter().filter(|(counts, _)| counts.pairs() > 0).count() as u64;
    Some(Control { light, cells: played, pairs, rate: points / (2.0 * pairs as f64), log_e_value, worst })
}

impl Control {
    /// The state in words. `worst` names the cell with the largest e-value.
    #[must_use]
    pub fn words(&self, worst: &str) -> String {
        let Self { light, pairs, rate, log_e_value, .. } = self;
        let score =
            format!("{:.1} % in {pairs} {}", 100.0 * rate, if *pairs == 1 { "pair" } else { "pairs" });
        match light {
            TrafficLight::Grey => {
                format!(
                    "players score {score} against themselves: too few games to speak for or against 50 %"
                )
            }
            TrafficLight::Green => {
                format!("players score {score} against themselves; nothing speaks against 50 %")
            }
            TrafficLight::Amber => format!(
                "players score {score} against themselves; by chance this deviation has at most 1 in {:.0}; look at {worst} first",
                log_e_value.exp()
            ),
            TrafficLight::Red => format!(
                "players do not score 50 % against themselves but {score}: something other than strength decides games; look at \
                 {worst} first"
            ),
        }
    }
}
