//! Bounds on the effort of a move. A game beyond what any machine can do is refused; a game beyond what any known machine does is
//! stored but does not count.
//!
//! With a budget in time every machine gives a player about the same number of simulations: the seconds of the reference machine
//! times [`reference_speed`], if plain UCT makes them. The bounds here are far from all measured values
//! (docs/results/plausible.md). They find gross falsifications by a machine that cannot be compared with others;
//! `checking/bounds.rs` finds the rest by comparison.

use super::rejection::Rejection;
use crate::effort::{EffortAnomaly, Work};
use engine::havannah::Params;
use protocol::experiment::CellSpec;
use protocol::lease::{BELIEVED_DRIFT, BELIEVED_SPEED, Budget, ParamSet, reference_speed};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use stats::{factor, level};
use std::ops::RangeInclusive;

/// The longest duration of a game that is believed: a year.
const LONGEST_MS: u64 = 366 * 24 * 3_600_000;

/// Relative tolerance for `factor` and for the time of a move, because of rounding.
const ROUNDING: f64 = 1e-6;

/// The part of its CPU time that a move uses at least, unless a proof ended it.
const LEAST_CPU: f64 = 0.9;

/// The CPU time of a move that is believed: four times its budget, and ten seconds to make room in a large tree.
const MOST_CPU: (f64, u64) = (4.0, 10_000_000);

/// Simulations of a move relative to what plain UCT makes in that time, for plain players. Measured: 0.31 to 3.1.
const PLAIN: RangeInclusive<f64> = 1.0 / 16.0..=16.0;

/// The same for other players, with the rollouts of a simulation counted singly. Measured: 0.08 to 5.0.
const OTHERS: RangeInclusive<f64> = 1.0 / 1024.0..=32.0;

/// Numbers of simulations up to this are always believed: clocks cannot tell such times apart.
const FEW: f64 = 1024.0;

/// A move's simulations relative to the middle one of its side in that game, for plain players with lookahead. Measured: 0.14 to
/// 2.4, and less in three of 84 000 games.
const WITHIN_A_GAME: f64 = 8.0;

/// The same for others, times their rollouts. Simulations that end in a proof need no playout: where playouts are dear, or no
/// lookahead proves the position sooner, they are many times as fast near the end. Measured: up to 8.4 with 20 rollouts, and 11.4
/// without lookahead.
const WITHIN_A_GAME_OF_OTHERS: f64 = 64.0;

/// Ratio of the two sides' simulations in a game of two plain players. Measured: 0.5 to 1.15.
const PLAIN_RATIO: f64 = 8.0;

/// Whether a machine can have this speed.
pub(crate) fn is_believed(speed: &Speed) -> bool {
    check_speed(speed).is_ok()
}

/// Refuses speeds that no machine has, and factors that do not follow from the speed.
pub(crate) fn check_speed(speed: &Speed) -> Result<(), Rejection> {
    let Speed { size, sims_per_s, factor, drift } = *speed;
    let reference = reference_speed(size);
    let (least, most) = (reference * BELIEVED_SPEED.start(), reference * BELIEVED_SPEED.end());
    if !(least..=most).contains(&sims_per_s) {
        return Err(Rejection::BadSpeed(format!(
            "speed.sims_per_s is {sims_per_s:e}: on size {size} machines make {least:.0} to {most:.0} simulations a second"
        )));
    }
    if !BELIEVED_DRIFT.contains(&drift) {
        let (least, most) = BELIEVED_DRIFT.into_inner();
        return Err(Rejection::BadSpeed(format!(
            "speed.drift is {drift:e}: it lies between {least} and {most}"
        )));
    }
    let follows = reference / sims_per_s / drift;
    if !is_near(factor, follows, ROUNDING * follows) {
        return Err(Rejection::BadSpeed(format!(
            "speed.factor is {factor:e}: from the other numbers follows {follows:e}"
        )));
    }
    Ok(())
}

/// Whether two numbers differ by at most `apart`. False for a number that is not one (NaN).
fn is_near(a: f64, b: f64, apart: f64) -> bool {
    (a - b).abs() <= apart
}

/// Refuses times that no game takes.
pub(crate) fn check_times(game: &FinishedGame, budget: Budget) -> Result<(), Rejection> {
    if game.wall_ms > LONGEST_MS {
        let ms = game.wall_ms;
        return Err(Rejection::BadSpeed(format!("wall_ms is {ms}: no game takes more than {LONGEST_MS}")));
    }
    let Budget::ReferenceSeconds(seconds) = budget else { return Ok(()) };
    let us = game.move_cpu_us.unwrap_or_default();
    if us == 0 {
        return Err(Rejection::BadSpeed(
            "the time of a move is missing: the budget is in reference seconds".into(),
        ));
    }
    let follows = seconds * game.speed.factor * 1e6;
    // The time was rounded down to a microsecond.
    if !is_near(us as f64 + 0.5, follows, 1.0 + ROUNDING * follows) {
        return Err(Rejection::BadSpeed(format!(
            "move_cpu_us is {us}: {seconds} reference seconds are {follows:.0} at the factor of this machine"
        )));
    }
    Ok(())
}

/// Refuses moves that no search makes within this budget: too few simulations without a proof, and CPU times far from
/// the budget. The columns have equal lengths.
pub(crate) fn check_moves(record: &MoveColumns, budget: Budget, move_cpu_us: u64) -> Result<(), Rejection> {
    for (index, claim) in record.claim.iter().enumerate() {
        let (sims, cpu_us) = (record.sims[index], record.cpu_us[index]);
        let insane = |what: String| Err(Rejection::Insane { number: index + 1, what });
        match budget {
            Budget::Sims(needed) if !claim.is_solved() && sims < needed.max(1) => {
                return insane(format!("{sims} simulations of {needed}, and nothing is proved"));
            }
            Budget::Sims(_) => {}
            Budget::ReferenceSeconds(_) if !claim.is_solved() && sims == 0 => {
                return insane("no simulation, and nothing is proved".into());
            }
            Budget::ReferenceSeconds(_) => {
                let (least, most) = (LEAST_CPU * move_cpu_us as f64, MOST_CPU.0 * move_cpu_us as f64);
                if !claim.is_solved() && (cpu_us as f64) < least {
                    return insane(format!(
                        "{cpu_us} CPU microseconds of {move_cpu_us}, and nothing is proved"
                    ));
                }
                if cpu_us as f64 > most + MOST_CPU.1 as f64 {
                    return insane(format!("{cpu_us} CPU microseconds, where {move_cpu_us} were given"));
                }
            }
        }
    }
    Ok(())
}

/// The effort of both sides of a game with a budget in time, if each made a move that no proof ended, and what is odd about it.
/// `case_first`: whether the case made the first move after the opening.
pub(crate) fn weigh(
    record: &MoveColumns,
    spec: &CellSpec,
    seconds: f64,
    case_first: bool,
) -> (Option<Work>, Option<EffortAnomaly>) {
    let expected = seconds * reference_speed(spec.size);
    let players = [SimulationCost::of(&spec.case), SimulationCost::of(&spec.baseline)];
    let mut levels = [None; 2];
    for (side, cost) in players.iter().enumerate() {
        let first = usize::from((side == 0) != case_first);
        let searched = |index: &usize| !record.claim[*index].is_solved();
        let moves: Vec<usize> = (first..record.sims.len()).step_by(2).filter(searched).collect();
        let mut sorted: Vec<u64> = moves.iter().map(|index| record.sims[*index]).collect();
        sorted.sort_unstable();
        let Some(&usual) = sorted.get(sorted.len() / 2) else { continue };
        for &index in &moves {
            let (number, sims) = (index + 1, record.sims[index]);
            let (count, middle) = (sims as f64, usual as f64);
            let few = count.max(middle) <= FEW;
            let within = cost.within_a_game();
            if !few && !(1.0 / within..=within).contains(&(count / middle.max(1.0))) {
                return (None, Some(EffortAnomaly::Uneven { number, sims, usual }));
            }
            if !cost.allows(count, expected) {
                return (None, Some(EffortAnomaly::Move { number, sims, expected }));
            }
        }
        levels[side] = level(sorted.iter().map(|&sims| sims as f64 / expected));
    }
    let [Some(case), Some(baseline)] = levels else { return (None, None) };
    let ratio = factor(case - baseline);
    let few = expected <= FEW;
    if !few && players.iter().all(|cost| cost.plain) && !(1.0 / PLAIN_RATIO..=PLAIN_RATIO).contains(&ratio) {
        return (None, Some(EffortAnomaly::Sides(ratio)));
    }
    (Some(Work { kinds: spec.kinds(), levels: [case, baseline] }), None)
}

/// What a simulation of a player costs.
struct SimulationCost {
    /// It has no knowledge, and plain playouts.
    plain: bool,
    /// It has lookahead.
    looks_ahead: bool,
    rollouts: f64,
}

impl SimulationCost {
    fn of(player: &ParamSet) -> Self {
        let params = player.resolve().unwrap_or_default();
        let in_tree = |name: &&str| Params::info(name).is_some_and(|info| info.group == "tree");
        // Trees that are not grown cost next to nothing.
        let plain = params.search.rollouts == 1
            && params.search.expand_visits <= 10
            && params.differences().keys().all(in_tree);
        let looks_ahead = params.search.lookahead >= 1;
        Self { plain, looks_ahead, rollouts: f64::from(params.search.rollouts) }
    }

    fn within_a_game(&self) -> f64 {
        if self.plain && self.looks_ahead { WITHIN_A_GAME } else { WITHIN_A_GAME_OF_OTHERS * self.rollouts }
    }

    fn allows(&self, sims: f64, expected: f64) -> bool {
        let (range, sims) = if self.plain { (PLAIN, sims) } else { (OTHERS, sims * self.rollouts) };
        sims >= 1.0
            && sims <= range.end() * expected + FEW * self.rollouts
            && sims + FEW >= range.start() * expected
    }
}
