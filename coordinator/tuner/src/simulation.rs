//! Plays strategies on landscapes whose optimum is known.

mod drawn;
mod landscapes;

use crate::log::{Opponent, Outcome};
use crate::objective::{Aim, Objective, SizeWeight, Target};
use crate::rng::Rng;
use crate::space::{Coordinates, Point, Space};
use crate::strategy::StrategyName;
use crate::tune::Tune;
use serde::{Deserialize, Serialize};
use stats::sigmoid;
use std::time::Duration;

pub use drawn::{drawn, over};
pub use landscapes::landscapes;

/// The logit of beating the baseline at a place on a size.
type Strength = Box<dyn Fn(&[f64], u8) -> f64 + Send + Sync>;

/// A landscape with a known optimum. The first mover has an advantage of `first_move` logits in every game.
pub struct Landscape {
    /// Its name.
    pub name: String,
    /// What it is like.
    pub about: &'static str,
    space: Space,
    objective: Objective,
    strength: Strength,
    first_move: f64,
    draws: f64,
    /// The best place for each target.
    optimum: Vec<Coordinates>,
}

impl Landscape {
    /// The parameters.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The objective.
    #[must_use]
    pub fn objective(&self) -> &Objective {
        &self.objective
    }

    /// The expected score per game of an advantage in logits.
    fn score(&self, logit: f64) -> f64 {
        let decided = sigmoid(logit + self.first_move) + sigmoid(logit - self.first_move);
        self.draws / 2.0 + (1.0 - self.draws) * decided / 2.0
    }

    /// The value of places, one for each target: the mean over the targets of their scores by the objective.
    fn value(&self, places: &[Coordinates]) -> f64 {
        let targets = self.objective.targets();
        let values: Vec<f64> =
            targets.iter().zip(places).map(|(target, place)| self.value_for(place, target)).collect();
        if self.objective.aim() == Aim::Each {
            values.iter().zip(self.objective.weights()).map(|(value, weight)| value * weight).sum()
        } else {
            values[0]
        }
    }

    /// The value of a place for a target.
    fn value_for(&self, place: &[f64], target: &Target) -> f64 {
        let sizes = self.objective.sizes();
        let of = |mix: &Vec<f64>| -> f64 {
            let on =
                |(weight, one): (&f64, &SizeWeight)| weight * self.score((self.strength)(place, one.size));
            mix.iter().zip(sizes).map(on).sum()
        };
        target.mixes.iter().map(of).fold(f64::MAX, f64::min)
    }

    /// The best place for each target that coordinate searches from random places find.
    fn search(&self) -> Vec<Coordinates> {
        let mut rng = Rng::stream(1, 1);
        let of = |target: &Target| {
            let climbs = (0..20).map(|_| self.climb(self.space.draw(&mut rng), target));
            climbs.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| place).unwrap_or_default()
        };
        self.objective.targets().iter().map(of).collect()
    }

    /// Moves numbers by ever smaller steps and tries all values of flags and words, while that helps.
    fn climb(&self, mut place: Coordinates, target: &Target) -> (Coordinates, f64) {
        let mut best = self.value_for(&place, target);
        let mut step = 0.25;
        while step > 1e-6 {
            let mut moved = false;
            for (i, parameter) in self.space.parameters().iter().enumerate() {
                let others: Vec<f64> = match (parameter.kind.choices(), parameter.kind.steps()) {
                    (Some(values), _) => (0..values).map(|value| value as f64).collect(),
                    (None, Some(steps)) => vec![place[i] - 1.0 / steps, place[i] + 1.0 / steps],
                    (None, None) => vec![place[i] - step, place[i] + step],
                };
                for coordinate in others {
                    let mut other = place.clone();
                    other[i] = coordinate.max(0.0);
                    if parameter.kind.choices().is_none() {
                        other[i] = other[i].min(1.0);
                    }
                    self.space.settle(&mut other);
                    let value = self.value_for(&other, target);
                    if value > best + 1e-12 {
                        (place, best, moved) = (other, value, true);
                    }
                }
            }
            if !moved {
                step /= 2.0;
            }
        }
        (place, best)
    }

    fn with_searched_optimum(mut self) -> Self {
        self.optimum = self.search();
        self
    }

    /// The expected score at the optimum.
    #[must_use]
    pub fn best(&self) -> f64 {
        self.value(&self.optimum)
    }

    /// How much worse points are than the optimum, in expected score; one point for each target.
    #[must_use]
    pub fn regret(&self, points: &[Point]) -> f64 {
        let places: Vec<Coordinates> =
            points.iter().filter_map(|point| self.space.place(point).ok()).collect();
        self.best() - self.value(&places)
    }

    /// The regret of the point where tunes begin.
    #[must_use]
    pub fn regret_of_start(&self) -> f64 {
        let start = self.space.start();
        self.regret(&vec![start; self.objective.targets().len()])
    }

    /// Plays a pair.
    fn play(&self, point: &Point, opponent: &Opponent, size: u8, rng: &mut Rng) -> Outcome {
        let strength = |point: &Point| match self.space.place(point) {
            Ok(place) => (self.strength)(&place, size),
            Err(_) => f64::NAN,
        };
        let other = match opponent {
            Opponent::Baseline => 0.0,
            Opponent::Point(point) => strength(point),
        };
        let logit = strength(point) - other;
        let mut outcome = Outcome { wins: 0, draws: 0, losses: 0 };
        for first_move in [self.first_move, -self.first_move] {
            if rng.uniform() < self.draws {
                outcome.draws += 1;
            } else if rng.uniform() < sigmoid(logit + first_move) {
                outcome.wins += 1;
            } else {
                outcome.losses += 1;
            }
        }
        outcome
    }
}

/// The order in which results arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// First asked, first told.
    InOrder,
    /// Any of the outstanding trials comes next.
    AnyOrder,
}

/// How a tune is simulated.
#[derive(Debug, Clone, Copy)]
pub struct SimulationSettings {
    /// The strategy.
    pub strategy: StrategyName,
    /// Seed of the strategy and of the games.
    pub seed: u64,
    /// How many trials are without a result at most.
    pub outstanding: usize,
    /// The order of results.
    pub arrival: Arrival,
}

/// What came of a simulated tune.
#[derive(Debug, Clone)]
pub struct SimulatedTune {
    /// The regret after each of the numbers of games that were asked for.
    pub regrets: Vec<f64>,
    /// The time that the strategy took for its points.
    pub time: Duration,
    /// How many predictions of the win rate were made at the end: one for each target, if there were games against the
    /// baseline.
    pub predictions: u32,
    /// How many of their 95 % intervals contain the true win rate of the recommended point.
    pub covered: u32,
}

/// Plays a tune. `checkpoints` are ascending numbers of games; the last one is the budget. `clock` tells the time that the
/// thread has used.
///
/// # Panics
/// When a strategy takes back a result, which none does.
#[must_use]
pub fn simulate(
    landscape: &Landscape,
    run: SimulationSettings,
    checkpoints: &[u64],
    clock: fn() -> Duration,
) -> SimulatedTune {
    let budget = checkpoints.last().copied().unwrap_or(0);
    let (space, objective) = (landscape.space.clone(), landscape.objective.clone());
    let mut tune = Tune::new(space, objective, run.strategy, budget, run.seed);
    let mut rng = Rng::stream(!run.seed, 0);
    let mut waiting = std::collections::VecDeque::new();
    let mut course = SimulatedTune { regrets: Vec::new(), time: Duration::ZERO, predictions: 0, covered: 0 };
    let mut games = 0;
    for &checkpoint in checkpoints {
        while games < checkpoint {
            let began = clock();
            while waiting.len() < run.outstanding {
                let (number, proposal) = tune.ask();
                let outcome = landscape.play(&proposal.point, &proposal.opponent, proposal.size, &mut rng);
                waiting.push_back((number, outcome));
            }
            let next = match run.arrival {
                Arrival::InOrder => 0,
                Arrival::AnyOrder => rng.below(waiting.len()),
            };
            if let Some((number, outcome)) = waiting.remove(next) {
                tune.tell(number, outcome).expect("each trial is told once");
            }
            course.time += clock() - began;
            games += 2;
        }
        course.regrets.push(landscape.regret(&tune.best()));
    }
    for (recommended, target) in tune.recommend().iter().zip(landscape.objective.targets()) {
        let place = landscape.space.place(&recommended.point);
        if let (Some(rate), Ok(place)) = (recommended.overall, place) {
            course.predictions += 1;
            course.covered +=
                u32::from((rate.low..=rate.high).contains(&landscape.value_for(&place, &target)));
        }
    }
    course
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_landscapes_have_their_published_figures() {
        let all = landscapes();
        for (name, best, start) in
            [("log5", 0.619_233, 0.163_622), ("ill2", 0.524_979, 0.086_521), ("hav10", 0.624_103, 0.216_183)]
        {
            let landscape = all.iter().find(|one| one.name == name).expect("a landscape");
            assert!((landscape.best() - best).abs() < 1e-6, "{name}: {}", landscape.best());
            assert!(
                (landscape.regret_of_start() - start).abs() < 1e-6,
                "{name}: {}",
                landscape.regret_of_start()
            );
        }
    }

    #[test]
    fn no_search_finds_a_better_place_than_the_optimum() {
        for landscape in landscapes() {
            let found = landscape.value(&landscape.search());
            assert!(found <= landscape.best() + 1e-9, "{}: {found} > {}", landscape.name, landscape.best());
            assert!(landscape.regret_of_start() > 0.01, "{} begins at its optimum", landscape.name);
        }
    }
}
