//! The cost of a game on this machine.

use anyhow::Context;
use engine::havannah::{BoardSize, Params};
use engine::search::Budget as EngineBudget;
use protocol::experiment::{Experiment, PlannedCell};
use protocol::ids::PlayerId;
use protocol::lease::{Budget, ParamSet, typical_plies};
use protocol::median::median;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use worker::calibrate;

/// Searches that measure one player on one board. The median counts, because other programs disturb single searches.
const RUNS: u32 = 3;
/// The longest and the shortest search.
const LONGEST: Duration = Duration::from_millis(100);
const SHORTEST: Duration = Duration::from_millis(5);
/// CPU time per core for all measurements of an experiment.
const TOGETHER: Duration = Duration::from_secs(4);

/// The speeds of an experiment's players on this machine.
#[derive(Debug)]
pub(super) struct Costs {
    /// Simulations per CPU second.
    speeds: HashMap<(PlayerId, BoardSize), f64>,
    /// The player that reference seconds are measured with.
    standard: PlayerId,
}

impl Costs {
    /// Measures every player of the experiment on `cores` cores at once, because a machine is slower when all of its cores
    /// are busy.
    pub(super) fn measure(experiment: &Experiment, cores: usize) -> anyhow::Result<Self> {
        let (standard, players) = players(experiment);
        let share = TOGETHER.mul_f64(cores as f64 / players.len().max(1) as f64);
        let budget = EngineBudget::CpuTime((share / RUNS).clamp(SHORTEST, LONGEST));
        let waiting = Mutex::new(players.into_iter());
        let next = || waiting.lock().ok().and_then(|mut waiting| waiting.next());
        let measure = || {
            let mut speeds = Vec::new();
            while let Some((key, params)) = next() {
                let params = params.resolve().context("a player of the experiment")?;
                let runs: Vec<f64> = (0..RUNS)
                    .map(|run| engine::bench::search(key.1, &params, budget, run.into()).sims_per_s())
                    .collect();
                // A search that proves the game at once says nothing about speed, and such games cost almost nothing.
                let speed = median(&runs).filter(|speed| *speed > 0.0);
                speeds.push((key, speed.unwrap_or(f64::INFINITY)));
            }
            anyhow::Ok(speeds)
        };
        let mut speeds = HashMap::new();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(measure)).collect();
            threads.into_iter().try_for_each(|thread| {
                speeds.extend(thread.join().expect("measuring does not panic")?);
                anyhow::Ok(())
            })
        })?;
        Ok(Self { speeds, standard })
    }

    /// Speeds from elsewhere, for tests.
    #[cfg(test)]
    pub(super) fn with_speed(experiment: &Experiment, speed: impl Fn(&ParamSet, BoardSize) -> f64) -> Self {
        let (standard, players) = players(experiment);
        let speeds = players.into_iter().map(|(key, params)| (key, speed(&params, key.1))).collect();
        Self { speeds, standard }
    }

    /// CPU seconds of one game of `cell`.
    pub(super) fn game_seconds(&self, cell: &PlannedCell) -> f64 {
        let size = cell.spec.size;
        let speed = |player| self.speeds.get(&(player, size)).copied().unwrap_or(f64::NAN);
        let move_seconds = match cell.spec.budget {
            Budget::ReferenceSeconds(seconds) => seconds * calibrate::factor(size, speed(self.standard)),
            Budget::Sims(sims) => {
                let [case, baseline] = [&cell.spec.case, &cell.spec.baseline]
                    .map(|player| sims as f64 / speed(player.player_id()));
                f64::midpoint(case, baseline)
            }
        };
        f64::from(typical_plies(size).saturating_sub(cell.spec.longest_opening())) * move_seconds
    }
}

/// The standard player, and every player and board whose speed matters.
fn players(experiment: &Experiment) -> (PlayerId, HashMap<(PlayerId, BoardSize), ParamSet>) {
    let standard = ParamSet::from(&Params::preset("uct").expect("the standard configuration is a preset"));
    let mut players = HashMap::new();
    for PlannedCell { spec, .. } in &experiment.cells {
        let needed = match spec.budget {
            Budget::ReferenceSeconds(_) => vec![&standard],
            Budget::Sims(_) => vec![&spec.case, &spec.baseline],
        };
        for player in needed {
            players.entry((player.player_id(), spec.size)).or_insert_with(|| player.clone());
        }
    }
    (standard.player_id(), players)
}

/// Core-hours for people.
pub(super) fn hours(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    let decimals = if hours < 0.1 {
        3
    } else if hours < 100.0 {
        2
    } else {
        0
    };
    format!("{hours:.decimals$}")
}
