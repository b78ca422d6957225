//! Drift: the machine's present speed relative to its speed when it was calibrated.
//!
//! Every game is also a benchmark of its baseline. For each kind of game (size, baseline, budget, phase) the reference is the
//! baseline's simulations per CPU second in the first games of the kind, divided by the drift of the board during these games;
//! recent games are compared with it. When a machine throttles or gets a noisy neighbour, its drift falls and its budgets follow.
//!
//! Only the first few moves of a game count. Late moves are faster, because playouts shorten as the board fills. With
//! whole games, a case that ends its games sooner would look like a slower machine; and the first games to finish after
//! calibration are the shortest.

use engine::havannah::BoardSize;
use engine::search::ProvenOutcome;
use engine::selfplay::MoveRecord;
use protocol::ids::PlayerId;
use protocol::lease::{BELIEVED_DRIFT, Budget};
use protocol::median::median;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Games whose median is the reference.
const FIRST_GAMES: usize = 8;
/// Games whose median is compared with the reference.
const RECENT_GAMES: usize = 16;
/// The fewest recent games for a comparison.
const ENOUGH_GAMES: usize = 8;
/// A kind without a game among the last so many on its board is no longer played.
const KIND_LASTS: u64 = 64;
/// The number of the baseline's moves that are measured: its first ones, so that all games measure the same phase.
const MEASURED_MOVES: usize = 3;
/// Weight of a new comparison in the exponential average.
const SMOOTHING: f64 = 0.2;
/// A move stopped by its budget has used at least this part of it; the rest is the granularity of the clock checks.
const WHOLE_BUDGET: f64 = 0.97;
/// A game is not measured if its measured moves took less time than this: caches and clocks would dominate.
const LEAST_CPU: Duration = Duration::from_millis(20);

/// A kind of game: games of one kind are comparable in speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GameKind {
    pub(crate) size: BoardSize,
    baseline: PlayerId,
    budget: BudgetKey,
    /// Plies before the baseline's first own move: those of the opening, and the case's first if that is White.
    plies_before: usize,
}

/// A budget that can be compared; seconds are compared by their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BudgetKey {
    Sims(u64),
    ReferenceSeconds(u64),
}

impl GameKind {
    pub(crate) fn new(size: BoardSize, baseline: PlayerId, budget: Budget, plies_before: usize) -> Self {
        let budget = match budget {
            Budget::Sims(sims) => BudgetKey::Sims(sims),
            Budget::ReferenceSeconds(seconds) => BudgetKey::ReferenceSeconds(seconds.to_bits()),
        };
        Self { size, baseline, budget, plies_before }
    }
}

/// The budget of a move on this machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Allowance {
    Sims(u64),
    CpuTime(Duration),
}

/// Simulations per CPU second over the first [`MEASURED_MOVES`] of a player's moves that used their whole budget; `None` if there
/// are fewer. Moves that a proof ended are left out: their few simulations have little information about the machine.
pub(crate) fn speed_of_moves<'a>(
    moves: impl IntoIterator<Item = &'a MoveRecord>,
    allowance: Allowance,
) -> Option<f64> {
    let whole = |played: &&MoveRecord| match allowance {
        Allowance::Sims(allowed) => played.sims >= allowed,
        Allowance::CpuTime(allowed) => played.cpu >= allowed.mul_f64(WHOLE_BUDGET),
    };
    let (mut counted, mut sims, mut cpu) = (0, 0, Duration::ZERO);
    let telling = moves.into_iter().filter(|played| played.claim == ProvenOutcome::Unknown).filter(whole);
    for played in telling.take(MEASURED_MOVES) {
        counted += 1;
        sims += played.sims;
        cpu += played.cpu;
    }
    (counted == MEASURED_MOVES && sims > 0 && cpu >= LEAST_CPU).then(|| sims as f64 / cpu.as_secs_f64())
}

/// The games of one kind: the reference and the recent ones.
#[derive(Debug, Default)]
struct History {
    /// The number of its last game among those on the board.
    last: u64,
    first: Vec<f64>,
    recent: VecDeque<f64>,
    /// The exponential average of ln(recent / first); `None` until there are enough games.
    log_drift: Option<f64>,
}

impl History {
    /// Adds the baseline's speed in a game, with the present drift of the board.
    fn add(&mut self, sims_per_s: f64, log_drift: f64) {
        if self.first.len() < FIRST_GAMES {
            self.first.push(sims_per_s / log_drift.exp());
            return;
        }
        if self.recent.len() == RECENT_GAMES {
            self.recent.pop_front();
        }
        self.recent.push_back(sims_per_s);
        if self.recent.len() < ENOUGH_GAMES {
            return;
        }
        let recent = median(self.recent.make_contiguous());
        if let (Some(first), Some(recent)) = (median(&self.first), recent) {
            self.log_drift = Some(smooth(self.log_drift, (recent / first).ln()));
        }
    }
}

/// Updates an exponential average; the first value becomes the average.
fn smooth(old: Option<f64>, new: f64) -> f64 {
    old.map_or(new, |old| old + SMOOTHING * (new - old))
}

/// The games on one board size.
#[derive(Debug, Default)]
struct SizeDrift {
    games: u64,
    kinds: BTreeMap<GameKind, History>,
    /// The median over the kinds that are played now; while none of them has enough games, that of the kinds before.
    log_drift: Option<f64>,
}

impl SizeDrift {
    fn add(&mut self, kind: GameKind, sims_per_s: f64) {
        self.games += 1;
        let history = self.kinds.entry(kind).or_default();
        history.last = self.games;
        history.add(sims_per_s, self.log_drift.unwrap_or(0.0));
        // A kind that is no longer played has only old measurements.
        self.kinds.retain(|_, history| self.games - history.last < KIND_LASTS);
        let logs: Vec<f64> = self.kinds.values().filter_map(|history| history.log_drift).collect();
        self.log_drift = median(&logs).or(self.log_drift);
    }
}

/// Drift on every board size, from the games of this session.
#[derive(Debug, Default)]
pub(crate) struct DriftTracker {
    sizes: BTreeMap<BoardSize, SizeDrift>,
}

impl DriftTracker {
    /// Adds the baseline's speed in a game.
    pub(crate) fn add(&mut self, kind: GameKind, sims_per_s: f64) {
        if sims_per_s.is_finite() && sims_per_s > 0.0 {
            self.sizes.entry(kind.size).or_default().add(kind, sims_per_s);
        }
    }

    /// The present speed on `size` relative to the speed just after calibration; below 1 is slower. It is the median over
    /// the kinds of games that are played on that board, and 1 until there are enough games.
    pub(crate) fn on(&self, size: BoardSize) -> f64 {
        let log = self.sizes.get(&size).and_then(|on| on.log_drift);
        log.map_or(1.0, |log| log.exp().clamp(*BELIEVED_DRIFT.start(), *BELIEVED_DRIFT.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::lease::ParamSet;

    fn size(n: u8) -> BoardSize {
        BoardSize::new(n).expect("valid")
    }

    fn kind(n: u8, seconds: f64) -> GameKind {
        GameKind::new(size(n), ParamSet::default().player_id(), Budget::ReferenceSeconds(seconds), 2)
    }

    fn played(sims: u64, millis: u64, claim: ProvenOutcome) -> MoveRecord {
        let cell = size(4).iter_cells().next().expect("a cell");
        MoveRecord { cell, value: 0.5, claim, sims, nodes: 1, cpu: Duration::from_millis(millis) }
    }

    #[test]
    fn moves_ended_by_a_proof_or_early_say_nothing_about_speed() {
        let moves = [
            played(1000, 100, ProvenOutcome::Unknown),
            played(9, 1, ProvenOutcome::Unknown),
            played(50_000, 100, ProvenOutcome::Win),
            played(1200, 98, ProvenOutcome::Unknown),
            played(1100, 102, ProvenOutcome::Unknown),
        ];
        for allowance in [Allowance::CpuTime(Duration::from_millis(100)), Allowance::Sims(1000)] {
            let speed = speed_of_moves(&moves, allowance).expect("three moves");
            assert!((speed - 3300.0 / 0.3).abs() < 1e-6, "{speed}");
            assert_eq!(speed_of_moves(&moves[1..], allowance), None, "two moves are too few");
        }
        assert_eq!(
            speed_of_moves(&moves, Allowance::Sims(1201)),
            None,
            "nor does a budget that no move used"
        );
        let short = [6, 6, 7].map(|millis| played(1000, millis, ProvenOutcome::Unknown));
        assert_eq!(speed_of_moves(&short, Allowance::Sims(1000)), None, "19 ms are too little");
    }

    /// The baseline's moves in a game of this length: 3 % faster with every one, as playouts shorten.
    fn game(moves: i32, machine: f64) -> Vec<MoveRecord> {
        (0..moves)
            .map(|i| played((machine * 1e4 * 1.03_f64.powi(i)) as u64, 100, ProvenOutcome::Unknown))
            .collect()
    }

    fn drift_over(games: impl IntoIterator<Item = (i32, f64)>) -> f64 {
        let mut drift = DriftTracker::default();
        for (moves, machine) in games {
            let allowance = Allowance::CpuTime(Duration::from_millis(100));
            if let Some(speed) = speed_of_moves(&game(moves, machine), allowance) {
                drift.add(kind(7, 1.0), speed);
            }
        }
        drift.on(size(7))
    }

    #[test]
    fn games_of_other_lengths_are_no_drift() {
        let longer = (0..8).map(|_| (8, 1.0)).chain((0..60).map(|i| (20 + i % 9, 1.0)));
        assert_eq!(drift_over(longer), 1.0);
        let shorter = (0..8).map(|_| (30, 1.0)).chain((0..60).map(|i| (2 + i % 9, 1.0)));
        assert_eq!(drift_over(shorter), 1.0);
    }

    #[test]
    fn a_slower_machine_is_drift_whatever_the_lengths_of_the_games() {
        let slower = (0..8).map(|_| (30, 1.0)).chain((0..60).map(|i| (3 + i % 9, 0.8)));
        let drift = drift_over(slower);
        assert!((drift - 0.8).abs() < 0.001, "{drift}");
    }

    #[test]
    fn games_with_longer_openings_are_not_compared_with_the_others() {
        let baseline = ParamSet::default().player_id();
        let kind = |plies| GameKind::new(size(7), baseline, Budget::ReferenceSeconds(1.0), plies);
        let mut drift = DriftTracker::default();
        (0..30).for_each(|_| drift.add(kind(2), 1000.0));
        (0..30).for_each(|_| drift.add(kind(8), 1200.0));
        assert_eq!(drift.on(size(7)), 1.0);
    }

    #[test]
    fn a_steady_machine_does_not_drift() {
        let mut drift = DriftTracker::default();
        for game in 0..200 {
            drift.add(kind(7, 1.0), 1000.0 + f64::from(game % 7));
        }
        assert!((drift.on(size(7)) - 1.0).abs() < 0.005, "{}", drift.on(size(7)));
    }

    #[test]
    fn there_is_no_drift_before_enough_games() {
        let mut drift = DriftTracker::default();
        for _ in 0..FIRST_GAMES {
            drift.add(kind(7, 1.0), 1000.0);
        }
        for _ in 0..ENOUGH_GAMES - 1 {
            drift.add(kind(7, 1.0), 500.0);
            assert_eq!(drift.on(size(7)), 1.0);
        }
        drift.add(kind(7, 1.0), 500.0);
        assert!((drift.on(size(7)) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_machine_that_slows_down_is_seen_and_its_recovery_too() {
        let mut drift = DriftTracker::default();
        let mut play = |speed: f64| {
            for _ in 0..60 {
                drift.add(kind(7, 1.0), speed);
            }
            drift.on(size(7))
        };
        play(1000.0);
        let slow = play(800.0);
        assert!((slow - 0.8).abs() < 0.01, "{slow}");
        let recovered = play(1000.0);
        assert!((recovered - 1.0).abs() < 0.01, "{recovered}");
    }

    #[test]
    fn a_kind_that_begins_on_a_slow_machine_does_not_hide_its_slowness() {
        let mut drift = DriftTracker::default();
        (0..40).for_each(|_| drift.add(kind(7, 1.0), 1000.0));
        (0..60).for_each(|_| drift.add(kind(7, 1.0), 700.0));
        for seconds in [2.0, 3.0, 4.0] {
            (0..100).for_each(|_| drift.add(kind(7, seconds), 1400.0));
            assert!((drift.on(size(7)) - 0.7).abs() < 0.01, "{}", drift.on(size(7)));
        }
        (0..100).for_each(|_| drift.add(kind(7, 4.0), 2000.0));
        assert!((drift.on(size(7)) - 1.0).abs() < 0.01, "{}", drift.on(size(7)));
    }

    #[test]
    fn one_disturbed_game_moves_nothing() {
        let mut drift = DriftTracker::default();
        for _ in 0..40 {
            drift.add(kind(7, 1.0), 1000.0);
        }
        drift.add(kind(7, 1.0), 10.0);
        assert_eq!(drift.on(size(7)), 1.0);
    }

    #[test]
    fn kinds_of_games_are_compared_with_themselves_only() {
        let mut drift = DriftTracker::default();
        for _ in 0..60 {
            drift.add(kind(7, 1.0), 1000.0);
            drift.add(kind(7, 5.0), 600.0);
            drift.add(kind(5, 1.0), 3000.0);
        }
        assert_eq!(drift.on(size(7)), 1.0);
        assert_eq!(drift.on(size(5)), 1.0);
        assert_eq!(drift.on(size(9)), 1.0);
    }

    #[test]
    fn games_of_experiments_that_have_ended_do_not_hide_a_drift() {
        let mut drift = DriftTracker::default();
        for kind in (1..=6).map(|seconds| kind(7, f64::from(seconds))) {
            (0..40).for_each(|_| drift.add(kind, 1000.0));
        }
        let throttled = |drift: &mut DriftTracker, games| {
            (0..games)
                .for_each(|_| [kind(7, 8.0), kind(7, 9.0)].iter().for_each(|one| drift.add(*one, 700.0)));
        };
        (0..8).for_each(|_| [kind(7, 8.0), kind(7, 9.0)].iter().for_each(|one| drift.add(*one, 1000.0)));
        throttled(&mut drift, 60);
        assert!((drift.on(size(7)) - 0.7).abs() < 0.01, "{}", drift.on(size(7)));
        assert!(drift.sizes[&size(7)].kinds.len() <= 3, "what has ended is forgotten");
        // Until games of another kind tell more, the machine is what it was.
        (0..70).for_each(|game| drift.add(kind(7, 100.0 + f64::from(game)), 1000.0));
        assert!((drift.on(size(7)) - 0.7).abs() < 0.01, "{}", drift.on(size(7)));
    }

    #[test]
    fn drift_stays_within_bounds_and_speeds_that_are_no_numbers_are_ignored() {
        let mut drift = DriftTracker::default();
        for _ in 0..20 {
            drift.add(kind(7, 1.0), 1000.0);
        }
        for _ in 0..200 {
            drift.add(kind(7, 1.0), 1e-3);
            drift.add(kind(7, 1.0), f64::NAN);
            drift.add(kind(7, 1.0), 0.0);
        }
        assert_eq!(drift.on(size(7)), *BELIEVED_DRIFT.start());
    }
}
