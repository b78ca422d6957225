//! The expected distance of a tune's result from the best setting, by the same strategy on simulated games over the same space;
//! and the games of its confirmation.

use super::cost::{Costs, hours};
use crate::logging;
use indicatif::{ProgressBar, ProgressStyle};
use protocol::confirm::ConfirmRequest;
use protocol::experiment::Experiment;
use protocol::tune::{Tune, sizes};
use protocol::words::{count, counted};
use rayon::prelude::*;
use serde::Serialize;
use stats::{PairCounts, Rule};
use std::time::Duration;
use tuner::simulation::{Arrival, SimulationSettings, over, simulate};
use tuner::{Objective, StrategyName};

/// The number of simulated landscapes, which is smaller for tunes of many games.
const LANDSCAPES: u64 = 8;
const FEW_LANDSCAPES: u64 = 4;
const MANY_GAMES: u64 = 5_000;

/// Pairs without a result in the simulation.
const OUTSTANDING: usize = 8;

/// What a tune costs in points, and how precise its result is expected to be.
#[derive(Debug, Serialize)]
pub(super) struct TunePlan {
    pub(super) strategy: String,
    pub(super) parameters: usize,
    pub(super) games: u64,
    /// Pairs at the end that measure the recommended setting.
    pub(super) last_pairs: usize,
    /// Absent if others propose the points, and without `--precision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<ExpectedRegret>,
    /// Whether another program proposes the points.
    #[serde(skip)]
    is_foreign: bool,
    /// The confirmation that follows by itself, unless the file says `confirm = false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) confirmation: Option<Confirmation>,
}

/// What a confirmation of the recommended setting plays on average, if no game is drawn and the games of a pair are independent.
#[derive(Debug, Serialize)]
pub(super) struct Confirmation {
    /// The test of each cell in words.
    pub(super) rule: String,
    pub(super) cells: usize,
    /// If the upper hypothesis is true in every cell.
    pub(super) games: f64,
    /// Halfway between the hypotheses, where tests take longest.
    pub(super) most_games: f64,
    /// CPU seconds of these games on this machine.
    pub(super) core_seconds: f64,
    pub(super) most_core_seconds: f64,
}

impl Confirmation {
    fn of(experiment: &Experiment, costs: &Costs) -> anyhow::Result<Option<Self>> {
        // A finished tune begins its confirmation with the default test.
        let rule = ConfirmRequest::of("").rule();
        let Rule::Sprt(test) = coordinator::stopping_rule(&rule)? else { return Ok(None) };
        let pairs = test.expected_pairs(&PairCounts::default())?;
        let cells = experiment.cells.len();
        let a_game: f64 = experiment.cells.iter().map(|cell| costs.game_seconds(cell)).sum();
        let (games, most) = (2.0 * pairs.upper, 2.0 * pairs.between);
        Ok(Some(Self {
            rule: rule.to_string(),
            cells,
            games: games * cells as f64,
            most_games: most * cells as f64,
            core_seconds: games * a_game,
            most_core_seconds: most * a_game,
        }))
    }
}

/// Win rates that are lost to the best setting, as fractions, over simulated landscapes.
#[derive(Debug, Serialize)]
pub(super) struct ExpectedRegret {
    pub(super) landscapes: u64,
    /// Where the tune begins, on average.
    pub(super) start: f64,
    /// The recommended setting, on average.
    pub(super) mean: f64,
    /// On the worst of the landscapes.
    pub(super) worst: f64,
}

impl TunePlan {
    /// The plan of an experiment's tune, if it has one. Its precision is simulated only on request, because that takes long.
    pub(super) fn of(
        experiment: &Experiment,
        costs: &Costs,
        precision: bool,
    ) -> anyhow::Result<Option<Self>> {
        let Some(tune) = experiment.tune.as_ref() else { return Ok(None) };
        let objective = Objective::new(sizes(&experiment.cells), tune.objective)?;
        Ok(Some(Self {
            strategy: tune.strategy_name(),
            parameters: tune.parameters.parameters().len(),
            games: tune.games,
            last_pairs: tune.last_trials(&experiment.cells).len(),
            expected: tune
                .strategy
                .filter(|_| precision)
                .map(|strategy| expected(tune, &objective, strategy)),
            is_foreign: tune.strategy.is_none(),
            confirmation: if tune.confirm { Confirmation::of(experiment, costs)? } else { None },
        }))
    }

    pub(super) fn text(&self) -> String {
        let Self { strategy, parameters, games, last_pairs, expected, is_foreign, confirmation } = self;
        let mut out = format!(
            "Tune: {games} games by strategy `{strategy}` over {parameters} parameters; the last {last_pairs} pairs measure the \
             recommended setting.\n"
        );
        match expected {
            Some(ExpectedRegret { landscapes, start, mean, worst }) => {
                out += &format!(
                    "On {landscapes} simulated landscapes over these parameters, the recommended setting lacks {:.1} percentage points \
                     of win rate to the best one on average, {:.1} at worst; the start lacks {:.1}.\n",
                    100.0 * mean,
                    100.0 * worst,
                    100.0 * start
                );
            }
            None if *is_foreign => {
                out += "Another program proposes the points, so nothing is known of the precision.\n";
            }
            None => {
                out += "`gauntlet plan --precision` plays this strategy on simulated landscapes, and tells how near to the best setting it \
                        comes: seconds for a small tune, minutes for one of many parameters and games.\n";
            }
        }
        if let Some(Confirmation { rule, cells, games, most_games, core_seconds, most_core_seconds }) =
            confirmation
        {
            out += &format!(
                "After the tune the recommended setting is tested against the baseline in {}, unless nothing better was found: {rule}. \
                 That takes {} to {} games on average, {} to {} core-hours beside those above. `confirm = false` \
                 leaves the tests out.\n",
                counted(*cells as u64, "cell"),
                count(games.round() as u64),
                count(most_games.round() as u64),
                hours(*core_seconds),
                hours(*most_core_seconds)
            );
        }
        out
    }
}

fn expected(tune: &Tune, objective: &Objective, strategy: StrategyName) -> ExpectedRegret {
    let landscapes = if tune.games > MANY_GAMES { FEW_LANDSCAPES } else { LANDSCAPES };
    // With many parameters and games this takes minutes.
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} simulated tunes, which tell the precision")
            .expect("a valid template");
    let bar = logging::bars().add(ProgressBar::new(landscapes).with_style(style));
    bar.tick();
    let play = |number: u64| {
        let landscape = over(&tune.parameters, objective, number);
        let run = SimulationSettings {
            strategy,
            seed: number,
            outstanding: OUTSTANDING,
            arrival: Arrival::AnyOrder,
        };
        let course = simulate(&landscape, run, &[tune.games], || Duration::ZERO);
        bar.inc(1);
        (landscape.regret_of_start(), course.regrets[0])
    };
    let found: Vec<(f64, f64)> = (1..=landscapes).into_par_iter().map(play).collect();
    bar.finish_and_clear();
    let mean = |of: fn(&(f64, f64)) -> f64| found.iter().map(of).sum::<f64>() / landscapes as f64;
    ExpectedRegret {
        landscapes,
        start: mean(|one| one.0),
        mean: mean(|one| one.1),
        worst: found.iter().map(|one| one.1).fold(0.0, f64::max),
    }
}

/// The experiment with as many pairs in the cells of its tune's start as the tune plays on each size: what the games cost.
pub(super) fn with_all_games(experiment: &Experiment) -> Experiment {
    let mut with_games = experiment.clone();
    if let Some(tune) = &experiment.tune {
        let sum: f64 = experiment.cells.iter().map(|cell| cell.weight).sum();
        for cell in &mut with_games.cells {
            cell.pairs = (tune.games as f64 / 2.0 * cell.weight / sum).round() as u32;
        }
    }
    with_games
}
