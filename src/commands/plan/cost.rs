//! The cost of a game on this machine, without playing one.

use super::measured::{self, Kind, PROBE_SIMS, PROBE_SPEED};
use engine::havannah::{BoardSize, Params};
use protocol::experiment::{Experiment, PlannedCell};
use protocol::ids::PlayerId;
use protocol::lease::{Budget, ParamSet, reference_speed};
use protocol::median::median;
use protocol::words::count;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use worker::calibrate;

/// Searches that measure this machine. The median counts, because other programs disturb single searches.
const PROBES: u32 = 3;
/// The largest number of cores that are measured at once.
const PROBED_CORES: usize = 8;

/// Core seconds that coordinator and worker spend on a game beside its searches: to hand it out, write it to disk twice, send it, check
/// and count it. Measured: docs/results/cheap-games.md.
const HARNESS: f64 = 0.000_23;
/// The part of the time that slots are busy, if the coordinator stores games as fast as they are played.
const BUSY: f64 = 0.95;
/// Seconds in which a coordinator stores a game, of the first ones and of those after many: it stores one call after another, so more slots
/// do not store faster. The more games there are, the fewer pages of an index have several games of one call.
const STORING: (f64, f64) = (0.000_15, 0.000_4);
/// The number of games after which a game takes the mean of the two.
const MANY_GAMES: f64 = 60_000.0;
/// Seconds of `gauntlet run` before the first game and after the last, beside the measuring of the machine's speed.
const START_AND_END: f64 = 0.8;

/// What games cost on this machine.
#[derive(Debug)]
pub(super) struct Costs {
    /// This machine's speed, relative to [`measured::MACHINE`].
    pub(super) speed: f64,
    /// Players and their costs relative to those that were measured, by board.
    players: RefCell<HashMap<(PlayerId, BoardSize), (Kind, f64)>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Game {
    /// Moves after the opening.
    pub(super) plies: f64,
    /// Core seconds of the searches.
    pub(super) seconds: f64,
}

impl Costs {
    /// Measures this machine by three short searches on each of `cores` cores at once, because a machine is slower when all of
    /// its cores are busy.
    pub(super) fn of_this_machine(cores: usize) -> Self {
        let probe = || -> Vec<f64> {
            let size = BoardSize::new(6).expect("a size");
            let params = Params::preset("uct").expect("the standard configuration is a preset");
            let search =
                |run: u32| engine::bench::from_empty(size, &params, PROBE_SIMS, run.into()).sims_per_s();
            (0..PROBES).map(search).collect()
        };
        let speeds: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..cores.min(PROBED_CORES)).map(|_| scope.spawn(probe)).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("measuring does not panic")).collect()
        });
        let speed = median(&speeds).filter(|speed| *speed > 0.0 && speed.is_finite()).unwrap_or(PROBE_SPEED);
        Self::with_speed(speed / PROBE_SPEED)
    }

    /// A machine of this speed relative to [`measured::MACHINE`].
    pub(super) fn with_speed(speed: f64) -> Self {
        Self { speed, players: RefCell::default() }
    }

    /// A typical game of `cell`.
    pub(super) fn game(&self, cell: &PlannedCell) -> Game {
        let size = cell.spec.size;
        let (plies, seconds) = match cell.spec.budget {
            // Whatever the players, they get the time in which the reference machine makes so many simulations of `uct`.
            Budget::ReferenceSeconds(seconds) => {
                measured::game(Kind::Uct, size, seconds * reference_speed(size))
            }
            Budget::Sims(sims) => {
                let of = |player: &ParamSet| {
                    let (kind, cost) = self.relative_cost(player, size);
                    let (plies, seconds) = measured::game(kind, size, sims as f64);
                    (plies, cost * seconds)
                };
                let [case, baseline] = [of(&cell.spec.case), of(&cell.spec.baseline)];
                (f64::midpoint(case.0, baseline.0), f64::midpoint(case.1, baseline.1))
            }
        };
        // An opening of a book is longer than the two random moves of the games that were measured.
        let left = (plies - f64::from(cell.spec.longest_opening())).max(1.0);
        Game { plies: left, seconds: seconds * left / (plies - MEASURED_OPENING).max(1.0) / self.speed }
    }

    /// Core seconds of one game of `cell`, with those of the harness.
    pub(super) fn game_seconds(&self, cell: &PlannedCell) -> f64 {
        self.game(cell).seconds + self.harness()
    }

    /// Core seconds of the harness for a game.
    pub(super) fn harness(&self) -> f64 {
        HARNESS / self.speed
    }

    /// Seconds from the start to the end of `gauntlet run` with so many slots.
    pub(super) fn run_seconds(&self, experiment: &Experiment, core_seconds: f64, slots: usize) -> f64 {
        // The games of a pair are played one after the other.
        let longest = experiment.cells.iter().map(|cell| 2.0 * self.game_seconds(cell)).fold(0.0, f64::max);
        let games: f64 = experiment.cells.iter().map(|cell| f64::from(2 * cell.pairs)).sum();
        let playing = core_seconds / BUSY / slots as f64;
        self.start_seconds(experiment) + playing.max(longest).max(storing_seconds(games) / self.speed)
    }

    /// Seconds of `gauntlet run` without games: mostly the measuring of the machine's speed.
    pub(super) fn start_seconds(&self, experiment: &Experiment) -> f64 {
        let sizes: BTreeSet<BoardSize> = experiment.cells.iter().map(|cell| cell.spec.size).collect();
        let plan = calibrate::Plan::default();
        let runs = f64::from(plan.runs.get());
        let measuring = sizes.into_iter().map(|size| {
            // A game's moves are searches from about half of the board on, which are faster than from the empty board.
            let (plies, seconds) = measured::game(Kind::Uct, size, 1_000.0);
            runs * plan.sims_on(size) as f64 * seconds / (plies * 1_000.0)
        });
        (START_AND_END + measuring.sum::<f64>()) / self.speed
    }

    fn relative_cost(&self, player: &ParamSet, size: BoardSize) -> (Kind, f64) {
        let key = (player.player_id(), size);
        if let Some(known) = self.players.borrow().get(&key) {
            return *known;
        }
        let cost = measured::relative_cost(player, size);
        self.players.borrow_mut().insert(key, cost);
        cost
    }
}

/// Seconds in which the coordinator stores so many games.
fn storing_seconds(games: f64) -> f64 {
    let (first, last) = STORING;
    first * games + (last - first) * (games - MANY_GAMES * (games / MANY_GAMES).ln_1p())
}

/// Random moves at the start of the games that were measured.
const MEASURED_OPENING: f64 = 2.0;

/// Seconds that the searches of [`Costs::of_this_machine`] took on a machine of this speed.
pub(super) fn probe_seconds(speed: f64) -> f64 {
    f64::from(PROBES) * PROBE_SIMS as f64 / (PROBE_SPEED * speed)
}

/// Core-hours for people, with two digits at least.
pub(super) fn hours(seconds: f64) -> String {
    let hours = seconds / 3600.0;
    if hours >= 1e4 {
        return count(hours.round() as u64);
    }
    let decimals = if hours >= 100.0 { 0.0 } else { (1.0 - hours.max(1e-6).log10().floor()).clamp(2.0, 6.0) };
    format!("{hours:.*}", decimals as usize)
}
