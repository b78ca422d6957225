//! Slots: the threads that play. A slot takes a lease from the queue, plays its games one after the other, and puts each game into
//! the spool before it continues. [Short](gathering) games are written there together.

mod gathering;
#[cfg(test)]
pub(crate) mod stepped;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use gathering::Gathering;
use gathering::GatheringSender;

use crate::calibrate::{self, CalibrationError, Plan};
use crate::checkpoint::{Checkpoints, SavedGame};
use crate::drift::{Allowance, GameKind, speed_of_moves};
use crate::prefetch::expected_us;
use crate::speed::SpeedBook;
use crate::spool::Spool;
use engine::havannah::{BoardSize, Outcome};
use engine::selfplay::{GameRecord, GameSpec};
use engine::side::Side;
use protocol::ids::{GameId, LeaseId};
use protocol::lease::{Budget, Lease, LeasedGame};
use protocol::matchup::{Matchup, MatchupError};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use table::{Played, Table};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tracing::info_span;

/// The progress of a lease, shared by the slot that plays it and the loop that reports it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    plies: AtomicU32,
    dropped: AtomicBool,
    /// Whether the lease's games are viewed live.
    is_watched: AtomicBool,
    /// The game in play, while it is viewed.
    seen: Mutex<Option<(GameId, MoveColumns)>>,
}

impl Progress {
    /// The progress of a lease of which this many plies were played before.
    pub(crate) fn after(plies: u32) -> Self {
        Self { plies: AtomicU32::new(plies), ..Self::default() }
    }

    /// Plies played so far in the lease's games.
    pub(crate) fn plies(&self) -> u32 {
        self.plies.load(Ordering::Relaxed)
    }

    /// Turns live viewing on or off.
    pub(crate) fn watch(&self, is_watched: bool) {
        self.is_watched.store(is_watched, Ordering::Relaxed);
        if !is_watched {
            *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// Notes the moves so far, if the game is viewed.
    fn show(&self, game: GameId, moves: impl FnOnce() -> MoveColumns) {
        if self.is_watched.load(Ordering::Relaxed) {
            *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some((game, moves()));
        }
    }

    /// The game in play, if it is viewed and a move was made since the last call.
    pub(crate) fn seen(&self) -> Option<(GameId, MoveColumns)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The lease was revoked: its game ends at the next move.
    pub(crate) fn drop_games(&self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

/// A lease for a slot.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) lease: Lease,
    /// The lease's game that an earlier start of the worker left unfinished. Games before it are finished.
    pub(crate) unfinished: Option<SavedGame>,
    pub(crate) progress: Arc<Progress>,
}

impl Assignment {
    /// The index of the first game to play.
    pub(crate) fn first(&self) -> usize {
        let at = |kept: &SavedGame| self.lease.games.iter().position(|game| game.id == kept.game);
        self.unfinished.as_ref().and_then(at).unwrap_or(0)
    }
}

/// Events that slots send to the loop.
#[derive(Debug)]
pub(crate) enum Event {
    /// A slot took a lease from the queue, so that one prefetched lease less waits there.
    Took,
    /// A game is finished and in the spool.
    Finished {
        game: Box<FinishedGame>,
        /// The baseline's simulations per CPU second, if enough of its moves could be measured.
        baseline_speed: Option<(GameKind, f64)>,
    },
    /// All games of a lease are finished, or the lease was dropped.
    Ended { lease: LeaseId, took: Duration },
    /// This program cannot play a lease.
    Unplayable { lease: LeaseId, why: String },
    /// A slot has measured its speed: one number per run.
    Calibrated { size: BoardSize, speeds: Result<Vec<f64>, CalibrationError> },
}

#[derive(Debug, Default)]
struct QueueContent {
    waiting: VecDeque<Assignment>,
    /// The expected time of all waiting leases together, in microseconds.
    expected_us: u64,
    /// Sizes to measure, in order; every slot measures all of them.
    calibrations: Vec<BoardSize>,
    idle: usize,
}

/// The queue between the loop, which adds work, and the slots, which take it.
#[derive(Debug, Default)]
pub(crate) struct LeaseQueue {
    content: Mutex<QueueContent>,
    changed: Condvar,
    stopping: AtomicBool,
}

enum Task {
    Calibrate(BoardSize),
    Play(Box<Assignment>),
}

impl QueueContent {
    /// The next task of a slot that has done the first `calibrated` measurements, if there is one.
    fn take(&mut self, calibrated: &mut usize) -> Option<Task> {
        if let Some(&size) = self.calibrations.get(*calibrated) {
            *calibrated += 1;
            return Some(Task::Calibrate(size));
        }
        let assignment = self.waiting.pop_front()?;
        self.expected_us -= expected_us(&assignment.lease);
        Some(Task::Play(Box::new(assignment)))
    }
}

/// The content of the queue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueState {
    /// Leases that wait for a slot.
    pub(crate) waiting: usize,
    /// Their expected time together, in microseconds.
    pub(crate) expected_us: u64,
    /// Slots that wait for a lease.
    pub(crate) idle: usize,
}

impl LeaseQueue {
    fn locked(&self) -> MutexGuard<'_, QueueContent> {
        // No code panics while it holds this lock. If it did, the content would still be consistent.
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a lease.
    pub(crate) fn push(&self, assignment: Assignment) {
        let mut content = self.locked();
        content.expected_us += expected_us(&assignment.lease);
        content.waiting.push_back(assignment);
        drop(content);
        self.changed.notify_one();
    }

    /// Makes every slot measure its speed on `size`: idle slots at once, others before their next move. All cores stay
    /// busy meanwhile, with games or with measurements.
    pub(crate) fn calibrate(&self, size: BoardSize) {
        self.locked().calibrations.push(size);
        self.changed.notify_all();
    }

    /// The leases that wait for a slot, and the slots that wait for a lease.
    pub(crate) fn content(&self) -> QueueState {
        let content = self.locked();
        QueueState { waiting: content.waiting.len(), expected_us: content.expected_us, idle: content.idle }
    }

    /// Removes and returns the waiting leases that match.
    pub(crate) fn withdraw(&self, matches: impl Fn(&Lease) -> bool) -> Vec<Lease> {
        let mut content = self.locked();
        let (gone, kept) = content.waiting.drain(..).partition(|assignment| matches(&assignment.lease));
        content.waiting = kept;
        content.expected_us = content.waiting.iter().map(|assignment| expected_us(&assignment.lease)).sum();
        let gone: VecDeque<Assignment> = gone;
        gone.into_iter().map(|assignment| assignment.lease).collect()
    }

    /// Ends all slots: idle ones at once, the others at their next move.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        let _content = self.locked();
        self.changed.notify_all();
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// The next task of a slot that has done the first `calibrated` measurements, if it waits on the queue.
    fn waiting(&self, calibrated: &mut usize) -> Option<Task> {
        if self.is_stopping() { None } else { self.locked().take(calibrated) }
    }

    /// Waits for the next task of a slot that has done the first `calibrated` measurements; `None` when the slots end. Calls
    /// `idle` if no task is there.
    fn next(&self, calibrated: &mut usize, idle: impl FnOnce()) -> Option<Task> {
        if let Some(task) = self.waiting(calibrated) {
            return Some(task);
        }
        idle();
        // While the machine is paused, its memory is free for its owner.
        engine::search::release_pooled_memory();
        let mut content = self.locked();
        content.idle += 1;
        let task = loop {
            if self.is_stopping() {
                break None;
            }
            if let Some(task) = content.take(calibrated) {
                break Some(task);
            }
            content = self.changed.wait(content).unwrap_or_else(PoisonError::into_inner);
        };
        content.idle -= 1;
        task
    }

    /// A measurement that was requested while the slot plays.
    fn next_calibration(&self, calibrated: &mut usize) -> Option<BoardSize> {
        let size = *self.locked().calibrations.get(*calibrated)?;
        *calibrated += 1;
        Some(size)
    }
}

/// Shorter games are written together: a disk may take as long for each file.
const SHORT: Duration = Duration::from_secs(1);

/// While so many leases wait, it is no news that a slot takes one: the ends of their games are.
const FEW: usize = 16;

/// Everything that a slot needs to play.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) queue: Arc<LeaseQueue>,
    pub(crate) speeds: Arc<Mutex<SpeedBook>>,
    pub(crate) spool: Arc<Spool>,
    pub(crate) spooled: Arc<AtomicUsize>,
    pub(crate) checkpoints: Checkpoints,
    /// Games shorter than this are written together.
    pub(crate) short: Duration,
    plan: Plan,
    events: UnboundedSender<Event>,
    /// The sender to the thread that writes short games together.
    together: GatheringSender,
}

impl Slot {
    /// A slot at an empty queue, the writer of the short games of the slot and its clones, and their events. `spooled` is the
    /// number of games in the spool.
    pub(crate) fn new(
        spool: Spool,
        spooled: usize,
        checkpoints: Checkpoints,
        plan: Plan,
    ) -> (Self, Gathering, UnboundedReceiver<Event>) {
        let (sender, events) = unbounded_channel();
        let spool = Arc::new(spool);
        let (together, gathering) = gathering::start(spool.clone(), sender.clone());
        let slot = Self {
            queue: Arc::default(),
            speeds: Arc::default(),
            spool,
            spooled: Arc::new(AtomicUsize::new(spooled)),
            checkpoints,
            short: SHORT,
            plan,
            events: sender,
            together,
        };
        (slot, gathering, events)
    }

    /// Works until the queue stops.
    pub(crate) fn run(self) {
        let mut calibrated = 0;
        while let Some(task) = self.queue.next(&mut calibrated, || self.together.hurry()) {
            match task {
                Task::Calibrate(size) => self.calibrate(size),
                Task::Play(assignment) => self.play_lease(&assignment, &mut calibrated),
            }
        }
    }

    fn tell(&self, event: Event) {
        // The receiver is gone only when the process ends; finished games are in the spool.
        let _ = self.events.send(event);
    }

    fn calibrate(&self, size: BoardSize) {
        let speeds = calibrate::measure(size, &self.plan, || self.queue.is_stopping());
        // A game may be under way, whose players have all of the slot's memory.
        engine::search::release_pooled_memory();
        self.tell(Event::Calibrated { size, speeds });
    }

    fn play_lease(&self, assignment: &Assignment, calibrated: &mut usize) {
        if self.queue.content().waiting < FEW {
            self.tell(Event::Took);
        }
        let lease = &assignment.lease;
        let span = info_span!("lease", lease.id = %lease.id, board.size = lease.size.get());
        let _entered = span.enter();
        let (began, mut is_short) = (Instant::now(), false);
        for leased in &lease.games[assignment.first()..] {
            // A panic in the engine may cost a lease, but not a slot.
            let played = catch_unwind(AssertUnwindSafe(|| self.play_game(assignment, leased, calibrated)));
            match played.unwrap_or_else(|_| Err("the engine panicked; its message is above".into())) {
                Ok(Played::Finished) => {}
                Ok(Played::Short) => is_short = true,
                Ok(Played::Dropped) => break,
                // The next start continues it.
                Ok(Played::Parked) => return,
                Err(why) => {
                    self.checkpoints.remove(lease.id);
                    return self.tell(Event::Unplayable { lease: lease.id, why });
                }
            }
        }
        self.end(lease.id, began.elapsed(), is_short);
    }

    /// Reports the end of a lease, after that of its games. `is_short`: some of them are written together with others.
    fn end(&self, lease: LeaseId, took: Duration, is_short: bool) {
        let event = Event::Ended { lease, took };
        if is_short { self.together.send(event) } else { self.tell(event) }
    }

    /// Plays one game of the lease.
    fn play_game(
        &self,
        assignment: &Assignment,
        leased: &LeasedGame,
        calibrated: &mut usize,
    ) -> Result<Played, String> {
        Ok(Table::set(self, assignment, leased)?.play(calibrated))
    }
}

/// The budget of a move of this lease on a machine of this speed.
fn allowance(budget: Budget, speed: &Speed) -> Allowance {
    match budget {
        Budget::Sims(sims) => Allowance::Sims(sims),
        Budget::ReferenceSeconds(seconds) => {
            Allowance::CpuTime(Duration::try_from_secs_f64(seconds * speed.factor).unwrap_or(Duration::ZERO))
        }
    }
}

/// The specification of a leased game on this machine.
fn game_spec(lease: &Lease, case_side: Side, allowance: Allowance) -> Result<GameSpec, MatchupError> {
    Matchup::of_lease(lease, case_side).spec(engine_budget(allowance))
}

fn engine_budget(allowance: Allowance) -> engine::search::Budget {
    match allowance {
        Allowance::Sims(sims) => engine::search::Budget::Sims(sims),
        Allowance::CpuTime(time) => engine::search::Budget::CpuTime(time),
    }
}

/// The baseline's speed in a game, for measuring the drift.
fn baseline_speed(
    lease: &Lease,
    case_side: Side,
    record: &GameRecord,
    allowance: Allowance,
) -> Option<(GameKind, f64)> {
    let opening = lease.opening.split_whitespace().count();
    let plies_before = opening + usize::from(Side::to_move_after(opening) == case_side);
    let own = record.moves.iter().skip(plies_before - opening).step_by(2);
    let sims_per_s = speed_of_moves(own, allowance)?;
    Some((GameKind::new(lease.size, lease.baseline.player_id(), lease.budget, plies_before), sims_per_s))
}

/// The log line of a finished game. It names White first; `speed` is the drift.
fn game_line(
    lease: &Lease,
    leased: &LeasedGame,
    record: &GameRecord,
    speed: &Speed,
    took: Duration,
    spooled: usize,
) -> String {
    let mut names = [&lease.case_label, &lease.baseline_label];
    if leased.case_side == Side::Black {
        names.reverse();
    }
    let result = match record.outcome {
        Outcome::Win { winner: Side::White, kind } => format!("W+ {kind}"),
        Outcome::Win { winner: Side::Black, kind } => format!("B+ {kind}"),
        Outcome::Draw => "draw".to_owned(),
    };
    format!(
        "g {:.8}  size {}  {} vs {}  {result}  {} moves  {:.1} s  speed {:.2}  spool {spooled}",
        leased.id.to_string(),
        lease.size.get(),
        names[0],
        names[1],
        record.moves.len() + lease.opening.split_whitespace().count(),
        took.as_secs_f64(),
        speed.drift,
    )
}
