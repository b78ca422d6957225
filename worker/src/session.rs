//! The session of a worker: the loop between the coordinator and the slots that play.

mod calls;
mod reason;

use crate::affinity;
use crate::backoff::Backoff;
use crate::calibrate;
use crate::checkpoint::Checkpoints;
use crate::client::{CallError, CoordinatorApi};
use crate::config::Config;
use crate::in_flight::InFlight;
use crate::prefetch::MeasuredPace;
use crate::quiet_hours::{QuietHours, local_minute};
use crate::slot::{Assignment, Event, Gathering, LeaseQueue, Slot};
use crate::speed::SpeedBook;
use crate::spool::Spool;
use crate::start::Start;
use crate::state::StateDir;
use crate::stop::{Stop, WorkerError};
use engine::havannah::BoardSize;
use protocol::ids::SessionId;
use protocol::lease::{Budget, Lease};
use protocol::median::median;
use protocol::sync::{NoWork, SyncResponse};
use protocol::words::counted;
use reason::Reason;
use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tracing::{error, info, warn};

/// The longest time for the last calls.
const FAREWELL: Duration = Duration::from_secs(5);
/// The longest wait for the slots to end. A slot in the middle of a long move is abandoned.
const SLOTS_GRACE: Duration = Duration::from_secs(1);
/// The worker gives up after this many unplayable leases without a finished game between them.
const MOST_UNPLAYABLE: usize = 8;
/// The period of checking for quiet hours.
const QUIET_CHECK: Duration = Duration::from_secs(20);
/// The status line's period.
const STATUS_PERIOD: Duration = Duration::from_secs(60);

/// The result of the last call.
#[derive(Debug, PartialEq)]
enum Contact {
    /// There was no call yet.
    None,
    /// The coordinator answered.
    Good,
    /// The calls have failed since then, the last one for this reason.
    Lost { since: Instant, why: String },
}

/// A call that only delivers games, beside the one that the loop makes.
type SecondCall = Pin<Box<dyn Future<Output = Result<SyncResponse, CallError>> + Send>>;

/// The answer to the second call, when there is one that is answered.
async fn answered(second: &mut Option<SecondCall>) -> Result<SyncResponse, CallError> {
    match second {
        None => std::future::pending().await,
        Some(call) => {
            let answer = call.await;
            *second = None;
            answer
        }
    }
}

/// The state of the loop.
pub(crate) struct Session<A> {
    api: Arc<A>,
    config: Config,
    state: Arc<StateDir>,
    id: SessionId,
    /// The number of this start of the worker.
    start: u64,
    /// Calls made so far.
    calls: u64,
    /// The number of the last call that was answered.
    heard: u64,
    queue: Arc<LeaseQueue>,
    speeds: Arc<Mutex<SpeedBook>>,
    spool: Arc<Spool>,
    /// The number of games in the spool, shared with the slots for their log lines.
    spooled: Arc<AtomicUsize>,
    checkpoints: Checkpoints,
    in_flight: InFlight,
    /// Games of an earlier start that wait until this machine's speed is measured.
    unfinished: Vec<Assignment>,
    /// Measurements under way: one list of speeds per slot that has finished.
    calibrating: BTreeMap<BoardSize, Vec<Vec<f64>>>,
    pace: MeasuredPace,
    backoff: Backoff,
    contact: Contact,
    last_call: Option<Instant>,
    /// When the next call is due even if there is nothing to report.
    call_by: Instant,
    /// The last answer contained fewer leases than were asked for, so that asking again before the next call is due would
    /// be useless.
    starved: bool,
    /// A client views this machine: the next call reports its state.
    looked_at: bool,
    /// There is an event to report besides finished games.
    news: bool,
    /// The same for the unanswered call.
    news_in_call: bool,
    no_work: Option<NoWork>,
    /// According to the last answer no board is in play, so that nothing must be measured before leases are asked for.
    nothing_in_play: bool,
    /// The last logged reason why there is no work.
    reason: Option<Reason>,
    draining: bool,
    /// Set while the worker leaves by the coordinator's order, which the coordinator can revoke. The value is the former
    /// `leave_at`.
    sent_away: Option<Option<Instant>>,
    /// The coordinator has paused this worker.
    paused: bool,
    /// The present quiet hours.
    quiet: Option<QuietHours>,
    /// Why finished games cannot be stored, if they cannot.
    full: Option<String>,
    /// Since when there has been nothing to play.
    idle_since: Option<Instant>,
    /// The end of the grace time, after the order to finish.
    grace_ends: Option<Instant>,
    leave_at: Option<Instant>,
    games: u64,
    /// The games already reported in the log's sums.
    told_games: u64,
    /// Unplayable leases since the last finished game.
    unplayable: usize,
}

impl<A: CoordinatorApi> Session<A> {
    /// A new session, the slot to clone for its threads, and the writer of their short games.
    pub(crate) fn new(api: A, start: Start, config: Config) -> (Self, Slot, Gathering) {
        let Start { state, number, waiting, unfinished, slot, gathering } = start;
        let now = Instant::now();
        let mut session = Self {
            api: Arc::new(api),
            state,
            id: SessionId::random(),
            start: number,
            calls: 0,
            heard: 0,
            queue: slot.queue.clone(),
            speeds: slot.speeds.clone(),
            spool: slot.spool.clone(),
            spooled: slot.spooled.clone(),
            checkpoints: slot.checkpoints.clone(),
            in_flight: InFlight::new(waiting),
            unfinished: Vec::new(),
            calibrating: BTreeMap::new(),
            pace: MeasuredPace::default(),
            backoff: Backoff::default(),
            contact: Contact::None,
            last_call: None,
            call_by: now,
            starved: false,
            looked_at: false,
            news: false,
            news_in_call: false,
            no_work: None,
            nothing_in_play: false,
            reason: None,
            draining: false,
            sent_away: None,
            paused: false,
            quiet: None,
            full: None,
            idle_since: None,
            grace_ends: None,
            leave_at: config.leave_at,
            games: 0,
            told_games: 0,
            unplayable: 0,
            config,
        };
        for checkpoint in unfinished {
            let assignment = session.in_flight.resume(checkpoint);
            session.unfinished.push(assignment);
        }
        session.resume_unfinished();
        (session, slot, gathering)
    }

    /// Works until cancelled, drained or refused. Then it stops the slots and returns its leases.
    pub(crate) async fn run(
        mut self,
        (slot, gathering): (Slot, Gathering),
        processors: Option<Vec<usize>>,
        mut events: UnboundedReceiver<Event>,
        stop: Stop,
    ) -> Result<(), WorkerError> {
        let result = match self.start_slots(slot, gathering, processors.as_deref()) {
            Ok(()) => self.work(&mut events, &stop).await,
            Err(error) => Err(error),
        };
        // A refused worker makes no last call: the coordinator would refuse that too.
        let refused = matches!(result, Err(WorkerError::Refused { .. }));
        self.leave(&mut events, !refused).await;
        result
    }

    fn start_slots(
        &self,
        slot: Slot,
        gathering: Gathering,
        processors: Option<&[usize]>,
    ) -> Result<(), WorkerError> {
        let state = self.state.clone();
        let body = move || {
            gathering.run();
            drop(state);
        };
        std::thread::Builder::new().name("spool".into()).spawn(body).map_err(WorkerError::Thread)?;
        for index in 0..self.config.slots.get() {
            let slot = slot.clone();
            // An abandoned slot may still write to the directory, so it keeps the lock.
            let state = self.state.clone();
            let (processor, niceness) = (processors.map(|list| list[index]), self.config.niceness);
            let body = move || {
                affinity::apply(processor, niceness);
                slot.run();
                drop(state);
            };
            std::thread::Builder::new()
                .name(format!("slot-{index}"))
                .spawn(body)
                .map_err(WorkerError::Thread)?;
        }
        Ok(())
    }

    async fn work(&mut self, events: &mut UnboundedReceiver<Event>, stop: &Stop) -> Result<(), WorkerError> {
        let mut status = tokio::time::interval(STATUS_PERIOD);
        status.tick().await;
        let mut second: Option<SecondCall> = None;
        loop {
            while let Ok(event) = events.try_recv() {
                self.handle_event(event)?;
            }
            self.check_clock();
            if self.grace_ends.is_some_and(|at| Instant::now() >= at) {
                warn!(
                    "the grace time is over with {} unfinished: games under way wait for the next start, the other \
                     leases are returned",
                    counted(self.in_flight.open_leases() as u64, "pair")
                );
                return Ok(());
            }
            if self.draining && self.in_flight.open_leases() == 0 {
                match self.in_flight.unsent() as u64 {
                    0 => {
                        info!("all games are delivered: {} finished here", counted(self.games, "game"));
                        return Ok(());
                    }
                    unsent if self.is_alone() => {
                        warn!(
                            "the coordinator has not answered for the grace time: {} left in the spool for the next start",
                            counted(unsent, "finished game")
                        );
                        return Ok(());
                    }
                    _ => {}
                }
            }
            let due = self.next_clock_check().min(self.next_call());
            tokio::select! {
                biased;
                () = stop.leave.cancelled() => return Ok(()),
                () = stop.finish.cancelled(), if self.grace_ends.is_none() => self.finish(),
                answer = answered(&mut second) => self.handle_delivery(answer),
                Some(event) = events.recv() => self.handle_event(event)?,
                _ = status.tick() => {
                    self.log_status();
                    self.read_again();
                }
                () = sleep_until(due) => {
                    if Instant::now() < self.next_call() {
                        continue;
                    }
                    let request = self.request();
                    let called = Instant::now();
                    let api = self.api.clone();
                    let mut call = pin!(api.sync(&request));
                    // A silent coordinator must not delay a stop.
                    let answer = loop {
                        let grace_ends = self.grace_ends;
                        tokio::select! {
                            biased;
                            () = stop.leave.cancelled() => return Ok(()),
                            () = stop.finish.cancelled(), if grace_ends.is_none() => self.finish(),
                            answer = &mut call => break Some(answer),
                            answer = answered(&mut second) => self.handle_delivery(answer),
                            Some(event) = events.recv() => {
                                self.handle_event(event)?;
                                while let Ok(event) = events.try_recv() {
                                    self.handle_event(event)?;
                                }
                                if second.is_none() && let Some(request) = self.delivery(&request) {
                                    let api = self.api.clone();
                                    second = Some(Box::pin(async move { api.sync(&request).await }));
                                }
                            }
                            () = sleep_until(grace_ends.unwrap_or(called)), if grace_ends.is_some() => break None,
                        }
                    };
                    if let Some(answer) = answer {
                        self.handle_answer(&request, answer, (called, called.elapsed()))?;
                    }
                }
            }
        }
    }

    pub(crate) fn handle_event(&mut self, event: Event) -> Result<(), WorkerError> {
        match event {
            Event::Took => {}
            Event::Finished { game, baseline_speed } => {
                self.games += 1;
                self.unplayable = 0;
                if let Some((kind, sims_per_s)) = baseline_speed
                    && let Some(speed) = self.speeds(|book| book.played(kind, sims_per_s))
                {
                    info!(
                        board.size = speed.size.get(),
                        drift = (speed.drift * 1e4).round() / 1e4,
                        "size {}: this machine now plays at {:.0} % of its calibrated speed; its factor becomes {:.4}",
                        speed.size.get(),
                        100.0 * speed.drift,
                        speed.factor
                    );
                }
                self.in_flight.finished(*game);
                if self.config.max_games.is_some_and(|most| self.games >= most) {
                    self.drain("it has played all its games");
                }
            }
            Event::Ended { lease, took } => {
                if let Some(expected_us) = self.in_flight.ended(lease) {
                    self.pace.played(took, expected_us);
                }
            }
            Event::Unplayable { lease, why } => {
                error!(lease.id = %lease, "lease {lease} cannot be played and is returned: {why}");
                self.in_flight.unplayable(lease, why.clone());
                self.news = true;
                self.unplayable += 1;
                if self.unplayable >= MOST_UNPLAYABLE {
                    return Err(WorkerError::Unplayable { count: self.unplayable, why });
                }
            }
            Event::Calibrated { size, speeds } => self.calibrated(size, speeds?),
        }
        Ok(())
    }

    /// Reads the games in the spool again that could not be read before.
    fn read_again(&mut self) {
        let games = self.spool.read_again();
        self.spooled.fetch_add(games.len(), Ordering::Relaxed);
        games.into_iter().for_each(|game| self.in_flight.finished(game));
    }

    fn calibrated(&mut self, size: BoardSize, speeds: Vec<f64>) {
        let Some(slots) = self.calibrating.get_mut(&size) else { return };
        slots.push(speeds);
        if slots.len() < self.config.slots.get() {
            return;
        }
        let runs = self.calibrating.remove(&size).unwrap_or_default().concat();
        if let Some(sims_per_s) = median(&runs) {
            self.speeds(|book| book.calibrated(size, sims_per_s));
            self.news = true;
            self.resume_unfinished();
            info!(
                board.size = size.get(),
                sims_per_s,
                "size {}: {sims_per_s:.0} simulations per CPU second on each slot; a reference second is {:.4} s here",
                size.get(),
                calibrate::factor(size, sims_per_s)
            );
        }
    }

    /// Gives the slots the games that an earlier start left unfinished. A game with a budget in time waits until the speed
    /// is measured, because the machine may be another one.
    fn resume_unfinished(&mut self) {
        let unfinished = std::mem::take(&mut self.unfinished).into_iter();
        let is_ready = |waiting: &Assignment| {
            let Lease { budget, size, .. } = waiting.lease;
            matches!(budget, Budget::Sims(_)) || self.speeds(|book| book.on(size)).is_some()
        };
        let (ready, waiting): (Vec<_>, _) = unfinished.partition(is_ready);
        self.unfinished = waiting;
        ready.into_iter().for_each(|assignment| self.queue.push(assignment));
    }

    /// Handles changes with time: quiet hours, the end of the worker's time, and idleness.
    fn check_clock(&mut self) {
        let now = Instant::now();
        if self.leave_at.is_some_and(|at| now >= at) {
            self.drain("its time is up");
        }
        let minute = local_minute();
        let quiet = self.config.quiet_hours.iter().find(|hours| hours.contain(minute)).copied();
        if quiet != self.quiet {
            self.quiet = quiet;
            match quiet {
                Some(hours) => {
                    self.return_waiting();
                    info!("quiet hours until {}: no more work is taken", hours.end());
                }
                None => {
                    self.starved = false;
                    info!("the quiet hours are over");
                }
            }
        }
        let busy = self.in_flight.open_leases() > 0 || !self.calibrating.is_empty();
        // Between two calls a worker may hold no lease although there is work. It is idle only if it asked in vain.
        let in_vain =
            self.starved || self.paused || quiet.is_some() || matches!(self.contact, Contact::Lost { .. });
        if busy || !in_vain || self.draining {
            self.idle_since = None;
        } else {
            let since = *self.idle_since.get_or_insert(now);
            if self.config.max_idle.is_some_and(|most| now - since >= most) {
                self.drain("there was nothing to play for long enough");
            }
        }
    }

    /// Whether the coordinator has not answered for the grace time.
    fn is_alone(&self) -> bool {
        matches!(self.contact, Contact::Lost { since, .. } if since.elapsed() >= self.config.grace)
    }

    /// When to check the clock again if nothing else happens.
    fn next_clock_check(&self) -> Instant {
        let idle = self.config.max_idle.and_then(|most| self.idle_since.map(|since| since + most));
        let quiet = (!self.config.quiet_hours.is_empty()).then(|| Instant::now() + QUIET_CHECK);
        let far = Instant::now() + STATUS_PERIOD;
        [idle, quiet, self.grace_ends].into_iter().flatten().fold(far, Instant::min)
    }

    /// Follows the coordinator's last directive to leave or to stay. A worker that leaves for a reason of its own does not
    /// stay.
    fn follow_dismissal(&mut self, sent: bool) {
        match (sent, self.sent_away) {
            (true, None) if !self.draining => {
                let leave_at = self.leave_at;
                self.drain("the coordinator says so");
                self.sent_away = Some(leave_at);
            }
            (false, Some(leave_at)) => {
                (self.sent_away, self.draining, self.leave_at) = (None, false, leave_at);
                self.starved = false;
                info!("the coordinator says to stay");
            }
            _ => {}
        }
    }

    /// Finishes the games under way, within the grace time.
    fn finish(&mut self) {
        self.grace_ends = Some(Instant::now() + self.config.grace);
        self.drain("it was told to");
    }

    /// Takes no more work while finished games cannot be stored: a game in memory is lost with the process.
    fn check_disk(&mut self) {
        let full = self.spool.try_again();
        match (&full, self.full.is_some()) {
            (Some(why), false) => {
                warn!("no more work is taken until finished games can be stored again: {why}");
                self.return_waiting();
            }
            (None, true) => {
                info!("finished games can be stored again");
                self.starved = false;
            }
            _ => {}
        }
        self.full = full;
    }

    /// Whether a worker that could play takes no work.
    fn rests(&self) -> bool {
        self.draining || self.paused || self.quiet.is_some() || self.full.is_some()
    }

    /// Why a worker that could play takes no work; the coordinator shows this to people.
    fn resting(&self) -> Option<String> {
        match (self.quiet, &self.full) {
            _ if self.draining => Some("it finishes its games and leaves".into()),
            (_, Some(why)) => Some(format!("finished games cannot be kept on its disk: {why}")),
            (Some(hours), None) => Some(format!("quiet hours until {} of its clock", hours.end())),
            (None, None) => None,
        }
    }

    /// Takes no more work, returns leases that no slot has begun, and leaves when the rest is delivered.
    fn drain(&mut self, why: &str) {
        // From now on the coordinator cannot revoke the leaving.
        self.sent_away = None;
        if self.draining {
            return;
        }
        self.draining = true;
        self.leave_at = None;
        self.return_waiting();
        info!(
            "this worker leaves because {why}; first it plays {} to the end",
            counted(self.in_flight.open_leases() as u64, "pair")
        );
    }

    /// Takes no more work while `paused`, and returns leases that no slot has begun.
    fn pause(&mut self, paused: bool) {
        if std::mem::replace(&mut self.paused, paused) == paused {
            return;
        }
        if paused {
            self.return_waiting();
            let pairs = counted(self.in_flight.open_leases() as u64, "pair");
            info!("paused by the coordinator; first it plays {pairs} to the end");
        } else {
            self.starved = false;
            info!("the coordinator says to go on");
        }
    }

    /// Returns the leases that no slot has begun.
    fn return_waiting(&mut self) {
        self.news = true;
        // Leases with a checkpoint were begun by an earlier start.
        for lease in self.queue.withdraw(|lease| !self.checkpoints.has(lease.id)) {
            self.in_flight.give_up(lease.id);
        }
    }

    /// Stops the slots, sends what is in the spool, and returns the leases.
    async fn leave(mut self, events: &mut UnboundedReceiver<Event>, last_words: bool) {
        self.in_flight.delivered();
        self.queue.stop();
        let grace = Instant::now() + SLOTS_GRACE;
        // The channel closes when the last slot has ended.
        while let Ok(Some(event)) = timeout_at(grace, events.recv()).await {
            if let Event::Finished { game, .. } = event {
                self.in_flight.finished(*game);
            }
        }
        if last_words && timeout(FAREWELL, self.send_last_calls()).await.is_err() {
            warn!("the coordinator did not answer the last call; it will notice the end by itself");
        }
        if self.in_flight.unsent() > 0 {
            info!(
                "the spool in {} keeps {} until the next start",
                self.config.dir.display(),
                counted(self.in_flight.unsent() as u64, "finished game")
            );
        }
    }

    async fn send_last_calls(&mut self) {
        loop {
            let before = self.in_flight.unsent();
            let request = self.last_request();
            match self.api.sync(&request).await {
                Ok(answer) => {
                    self.in_flight.failures_received(&request.failed);
                    self.acknowledged(&answer.acks);
                }
                Err(error) => return info!("the last call failed: {error}"),
            }
            if self.in_flight.unsent() == 0 || self.in_flight.unsent() == before {
                return;
            }
        }
    }

    /// Reads or writes the speeds. A closure, so that the lock ends with the expression.
    fn speeds<T>(&self, f: impl FnOnce(&mut SpeedBook) -> T) -> T {
        f(&mut self.speeds.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
