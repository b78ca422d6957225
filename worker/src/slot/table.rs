//! One game in a slot: a new one, or one that an earlier start of the worker left unfinished.

use super::{Assignment, Slot, allowance, baseline_speed, engine_budget, game_line, game_spec};
use crate::checkpoint::{CheckpointTimer, Checkpoints, SavedGame, columns_so_far};
use crate::drift::Allowance;
use crate::slot::Event;
use engine::search::Budget;
use engine::selfplay::{GameSpec, GameUnderWay};
use protocol::lease::{Budget as LeaseBudget, Lease, LeasedGame};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tracing::{debug, error, info, warn};

/// A game with a budget in time is continued only if a move gets about as much time as before, within this factor: the
/// state directory may have moved to another machine.
const SAME_MACHINE: f64 = 1.25;

/// How playing a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Played {
    /// The game is over and in the spool.
    Finished,
    /// The game is over, and goes to the spool together with others.
    Short,
    /// The game was dropped.
    Dropped,
    /// The worker ends. The game is on disk for the next start, if the disk has room.
    Parked,
}

/// A game in a slot.
pub(super) struct Table<'a> {
    slot: &'a Slot,
    assignment: &'a Assignment,
    leased: &'a LeasedGame,
    speed: Speed,
    allowance: Allowance,
    game: GameUnderWay,
    began: Instant,
    /// The time that earlier starts played.
    took_before: Duration,
    rhythm: CheckpointTimer,
}

impl<'a> Table<'a> {
    /// Prepares a game of the lease.
    pub(super) fn set(
        slot: &'a Slot,
        assignment: &'a Assignment,
        leased: &'a LeasedGame,
    ) -> Result<Self, String> {
        let lease = &assignment.lease;
        let speed = slot.speeds.lock().unwrap_or_else(PoisonError::into_inner).on(lease.size);
        let mut table = None;
        if let Some(kept) = assignment.unfinished.as_ref().filter(|kept| kept.game == leased.id) {
            match resumed(lease, leased, kept, &slot.checkpoints, speed) {
                Ok((game, speed, allowance)) => {
                    info!("game {:.8} goes on after move {}", leased.id.to_string(), game.moves().len());
                    let took_before = Duration::from_millis(kept.wall_ms);
                    table = Some((game, speed, allowance, took_before));
                }
                Err(why) => {
                    warn!("game {:.8} starts again: {why}", leased.id.to_string());
                    let lost = kept.record.sims.len() as u32;
                    assignment.progress.plies.fetch_sub(lost, Ordering::Relaxed);
                }
            }
        }
        let (game, speed, allowance, took_before) = match table {
            Some(table) => table,
            None => {
                // A lease that continues before this start has measured its speed has a budget in simulations.
                let before = assignment.unfinished.as_ref().map(|kept| kept.speed);
                let speed =
                    speed.or(before).ok_or("a lease came for a board whose speed was never measured")?;
                let allowance = allowance(lease.budget, &speed);
                let spec =
                    game_spec(lease, leased.case_side, allowance).map_err(|error| error.to_string())?;
                let game = GameUnderWay::begin(&spec).map_err(|error| error.to_string())?;
                (game, speed, allowance, Duration::ZERO)
            }
        };
        let (began, rhythm) = (Instant::now(), CheckpointTimer::new(&slot.checkpoints));
        Ok(Self { slot, assignment, leased, speed, allowance, game, began, took_before, rhythm })
    }

    /// Plays until the game ends or is dropped, or the slot must stop.
    pub(super) fn play(mut self, calibrated: &mut usize) -> Played {
        let Slot { queue, checkpoints, .. } = self.slot;
        while !self.play_move() {
            while let Some(size) = queue.next_calibration(calibrated) {
                self.slot.calibrate(size);
            }
            if self.assignment.progress.dropped.load(Ordering::Relaxed) {
                checkpoints.remove(self.assignment.lease.id);
                return Played::Dropped;
            }
            let stopping = queue.is_stopping();
            if stopping || self.rhythm.is_due() {
                self.keep();
            }
            if stopping {
                return Played::Parked;
            }
        }
        self.finish()
    }

    /// Plays one move. Returns whether the game is over.
    pub(super) fn play_move(&mut self) -> bool {
        let budget = match &self.assignment.lease.sims {
            None => engine_budget(self.allowance),
            Some(sims) => Budget::Sims(sims.get(self.game.moves().len()).copied().unwrap_or(1)),
        };
        self.game.play_move(budget);
        let progress = &self.assignment.progress;
        progress.plies.fetch_add(1, Ordering::Relaxed);
        progress.show(self.leased.id, || columns_so_far(&self.assignment.lease, &self.game));
        self.game.outcome().is_some()
    }

    /// Writes a checkpoint of the game.
    pub(super) fn keep(&mut self) {
        let lease = &self.assignment.lease;
        let kept = SavedGame {
            game: self.leased.id,
            record: columns_so_far(lease, &self.game),
            speed: self.speed,
            move_cpu_us: move_cpu_us(self.allowance),
            wall_ms: self.took().as_millis() as u64,
            plies: self.assignment.progress.plies(),
        };
        self.rhythm.write(&self.slot.checkpoints, lease, kept, |out| self.game.write_search_states(out));
    }

    fn took(&self) -> Duration {
        self.took_before + self.began.elapsed()
    }

    /// Puts the finished game into the spool and reports it. A short one is stored later.
    fn finish(self) -> Played {
        let took = self.took();
        let is_resumed = !self.took_before.is_zero();
        let Self { slot, assignment, leased, speed, allowance, game, rhythm, .. } = self;
        let Assignment { lease, unfinished: kept, .. } = assignment;
        // A checkpoint is removed when its game is on disk, and the lease's next game may have one by then.
        let may_have_checkpoint =
            rhythm.has_written() || kept.as_ref().is_some_and(|kept| kept.game == leased.id);
        let is_short = took < slot.short && !may_have_checkpoint;
        let Some(record) = game.into_record() else { return Played::Dropped };
        let game = FinishedGame {
            game: leased.id,
            lease: lease.id,
            outcome: record.outcome,
            record: MoveColumns::from_record(lease.size, &record),
            speed,
            move_cpu_us: move_cpu_us(allowance),
            wall_ms: took.as_millis() as u64,
        };
        if !is_short {
            match slot.spool.put(std::slice::from_ref(&game)) {
                Ok(()) => slot.checkpoints.remove(lease.id),
                Err(error) => error!(
                    "cannot spool game {}: {error}; it is kept in memory and lost if this worker dies",
                    game.game
                ),
            }
        }
        let spooled = slot.spooled.fetch_add(1, Ordering::Relaxed) + 1;
        debug!("{}", game_line(lease, leased, &record, &speed, took, spooled));
        // Moves that did not use the time of the budget are no measure of this machine's speed, nor are those of an earlier
        // start.
        let baseline_speed = match lease.sims {
            None if !is_resumed => baseline_speed(lease, leased.case_side, &record, allowance),
            None | Some(_) => None,
        };
        let finished = Event::Finished { game: Box::new(game), baseline_speed };
        if is_short {
            slot.together.send(finished);
            Played::Short
        } else {
            slot.tell(finished);
            Played::Finished
        }
    }
}

fn move_cpu_us(allowance: Allowance) -> Option<u64> {
    match allowance {
        Allowance::Sims(_) => None,
        Allowance::CpuTime(time) => Some(time.as_micros() as u64),
    }
}

/// A game that continues, with the speed and the time per move that it began with. `now` is the machine's present speed.
fn resumed(
    lease: &Lease,
    leased: &LeasedGame,
    kept: &SavedGame,
    checkpoints: &Checkpoints,
    now: Option<Speed>,
) -> Result<(GameUnderWay, Speed, Allowance), String> {
    let mut given = allowance(lease.budget, &kept.speed);
    if let (LeaseBudget::ReferenceSeconds(_), Some(us)) = (lease.budget, kept.move_cpu_us) {
        given = Allowance::CpuTime(Duration::from_micros(us));
        let now = now.ok_or("this machine's speed is not known yet")?;
        let ratio = now.factor / kept.speed.factor;
        if lease.sims.is_none() && !(1.0 / SAME_MACHINE..=SAME_MACHINE).contains(&ratio) {
            return Err(format!("a move gets {ratio:.2} times the time here that it got where it began"));
        }
    }
    let spec: GameSpec = game_spec(lease, leased.case_side, given).map_err(|error| error.to_string())?;
    let moves = kept.record.to_moves(lease.size).map_err(|error| error.to_string())?;
    let game = checkpoints
        .search_states(lease.id, |states| GameUnderWay::resume(&spec, moves, states))
        .map_err(|error| error.to_string())?;
    Ok((game, kept.speed, given))
}
