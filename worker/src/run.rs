//! The worker's loop: one call that reports and asks, between the slots that play and the coordinator.

use crate::backoff::Backoff;
use crate::calibrate::{self, CalibrationError, Plan};
use crate::client::{CallError, ClientError, CoordinatorApi, HttpCoordinator};
use crate::ledger::Ledger;
use crate::reserve::Pace;
use crate::slot::{Desk, Event, Slot};
use crate::speed::SpeedBook;
use crate::spool::Spool;
use crate::state::{StateDir, StateError};
use engine::havannah::BoardSize;
use protocol::ids::SessionId;
use protocol::sync::{Ack, AckStatus, Directive, NoWork, NoWorkCode, SyncRequest, SyncResponse};
use std::collections::BTreeMap;
use std::future::Future;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

/// Calls are at least this far apart, however fast games end.
const GAP: Duration = Duration::from_millis(450);
/// Calls are at most this far apart, whatever the coordinator says: it judges us dead by our silence.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);
/// How long the last words may take.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long slots may take to notice the end. A slot in the middle of a long move is left behind.
const SLOTS_GRACE: Duration = Duration::from_secs(1);
/// Leases that turn out unplayable before the worker gives up.
const MOST_UNPLAYABLE: usize = 8;
/// The status line's period.
const STATUS_PERIOD: Duration = Duration::from_secs(60);

/// What a worker needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// The coordinator's address, such as `http://host:8437`.
    pub coordinator: String,
    /// The token that admits this worker.
    pub token: String,
    /// Its state directory, created if absent. One worker a directory.
    pub dir: PathBuf,
    /// Games played at once, one thread each.
    pub slots: NonZeroUsize,
    /// The machine's name, for people.
    pub name: String,
    /// How its speed is measured.
    pub calibration: Plan,
    /// Leaves after this many games, if given. Pairs begun are played to their end.
    pub max_games: Option<u64>,
    /// Takes no more work after this time, if given, and leaves when the games in hand are finished.
    pub max_time: Option<Duration>,
}

/// Why a worker stopped that was not told to.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The state directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The address or the token cannot be used.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The coordinator wants none of this worker.
    #[error("{why}")]
    Refused {
        /// In the coordinator's words.
        why: String,
    },
    /// The machine's speed cannot be measured.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// This program cannot play what the coordinator leases.
    #[error("{count} leases could not be played, the last because: {why}")]
    Unplayable {
        /// How many.
        count: usize,
        /// Why the last one was not.
        why: String,
    },
    /// The system gives no more threads.
    #[error("cannot start a slot")]
    Thread(#[source] std::io::Error),
}

/// Works for the coordinator over HTTP until cancelled, drained or refused. On cancellation the games in hand are
/// dropped within a moment, the spool is sent, and a last call returns the leases.
///
/// # Errors
/// See [`WorkerError`]. Being cancelled or drained is none, nor is an absent coordinator: the worker waits for it.
pub fn run(
    config: Config,
    cancel: CancellationToken,
) -> Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>> {
    Box::pin(async move {
        let api = HttpCoordinator::new(&config.coordinator, &config.token)?;
        run_against(api, config, cancel).await
    })
}

/// As [`run`], for any way of reaching a coordinator.
///
/// # Errors
/// As [`run`].
pub async fn run_against<A: CoordinatorApi>(
    api: A,
    config: Config,
    cancel: CancellationToken,
) -> Result<(), WorkerError> {
    let state = Arc::new(StateDir::open(&config.dir)?);
    let (spool, waiting) = Spool::open(state.spool_path())?;
    let (sender, events) = unbounded_channel();
    let desk = Arc::new(Desk::default());
    let slot = Slot {
        desk: desk.clone(),
        speeds: Arc::default(),
        spool: Arc::new(spool),
        spooled: Arc::new(AtomicUsize::new(waiting.len())),
        plan: config.calibration,
        events: sender,
    };
    info!(
        "worker {} ({}) for {}: {} slots, {} games in the spool, state in {}",
        config.name,
        state.worker(),
        config.coordinator,
        config.slots,
        waiting.len(),
        config.dir.display()
    );
    let now = Instant::now();
    let session = Session {
        api,
        state,
        id: SessionId::random(),
        desk,
        speeds: slot.speeds.clone(),
        spool: slot.spool.clone(),
        spooled: slot.spooled.clone(),
        ledger: Ledger::new(waiting),
        calibrating: BTreeMap::new(),
        pace: Pace::default(),
        backoff: Backoff::default(),
        contact: Contact::None,
        last_call: None,
        call_by: now,
        starved: false,
        news: false,
        no_work: None,
        reason: None,
        draining: false,
        leave_at: config.max_time.map(|time| now + time),
        games: 0,
        unplayable: 0,
        config,
    };
    session.run(slot, events, cancel).await
}

/// How the last call went.
#[derive(Debug, PartialEq)]
enum Contact {
    /// There was none yet.
    None,
    /// It was answered.
    Good,
    /// It was not.
    Lost(String),
}

/// Why there is no work.
#[derive(Debug)]
enum Reason {
    NoContact(String),
    NoWork(NoWork),
}

impl Reason {
    /// What must change for a new line in the log: the numbers in the words may change with every call.
    fn kind(&self) -> Option<NoWorkCode> {
        match self {
            Reason::NoContact(_) => None,
            Reason::NoWork(no_work) => Some(no_work.code),
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::NoContact(why) => write!(f, "the coordinator cannot be reached: {why}"),
            Reason::NoWork(no_work) => f.write_str(&no_work.message),
        }
    }
}

struct Session<A> {
    api: A,
    config: Config,
    state: Arc<StateDir>,
    id: SessionId,
    desk: Arc<Desk>,
    speeds: Arc<Mutex<SpeedBook>>,
    spool: Arc<Spool>,
    /// Games in the spool, shared with the slots for their log lines.
    spooled: Arc<AtomicUsize>,
    ledger: Ledger,
    /// What the slots have measured so far, a list a slot.
    calibrating: BTreeMap<BoardSize, Vec<Vec<f64>>>,
    pace: Pace,
    backoff: Backoff,
    contact: Contact,
    last_call: Option<Instant>,
    /// When the next call is due even if there is nothing to say.
    call_by: Instant,
    /// The last answer held fewer leases than were asked for: asking again before it is due would be pestering.
    starved: bool,
    /// There is something to say that is neither a game nor hunger.
    news: bool,
    no_work: Option<NoWork>,
    /// Why there is no work, as last seen.
    reason: Option<Reason>,
    draining: bool,
    leave_at: Option<Instant>,
    games: u64,
    unplayable: usize,
}

impl<A: CoordinatorApi> Session<A> {
    async fn run(
        mut self,
        slot: Slot,
        mut events: UnboundedReceiver<Event>,
        cancel: CancellationToken,
    ) -> Result<(), WorkerError> {
        let result = match self.start_slots(slot) {
            Ok(()) => self.work(&mut events, &cancel).await,
            Err(error) => Err(error),
        };
        // Who was refused has no more to say; everybody else gives the leases back.
        let refused = matches!(result, Err(WorkerError::Refused { .. }));
        self.leave(&mut events, !refused).await;
        result
    }

    fn start_slots(&self, slot: Slot) -> Result<(), WorkerError> {
        for index in 0..self.config.slots.get() {
            let slot = slot.clone();
            // A slot left behind in a long move still owns the directory it may write to.
            let state = self.state.clone();
            let body = move || {
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

    async fn work(
        &mut self,
        events: &mut UnboundedReceiver<Event>,
        cancel: &CancellationToken,
    ) -> Result<(), WorkerError> {
        let mut status = tokio::time::interval(STATUS_PERIOD);
        status.tick().await;
        loop {
            while let Ok(event) = events.try_recv() {
                self.absorb(event)?;
            }
            if self.leave_at.is_some_and(|at| Instant::now() >= at) {
                self.drain("its time is up");
            }
            if self.draining && self.ledger.open_leases() == 0 && self.ledger.unsent() == 0 {
                info!("all games in hand are delivered");
                return Ok(());
            }
            let due = self.next_call();
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(()),
                Some(event) = events.recv() => self.absorb(event)?,
                _ = status.tick() => self.log_status(),
                () = sleep_until(due) => {
                    let request = self.request();
                    let called = Instant::now();
                    let answer = tokio::select! {
                        biased;
                        () = cancel.cancelled() => return Ok(()),
                        answer = self.api.sync(&request) => answer,
                    };
                    self.hear(&request, answer, called)?;
                }
            }
        }
    }

    /// When to call next: soon if there is something to say or to ask, else when due.
    fn next_call(&self) -> Instant {
        let due = self.leave_at.map_or(self.call_by, |at| self.call_by.min(at));
        if matches!(self.contact, Contact::Lost(_)) {
            return self.call_by;
        }
        let hungry = !self.starved && self.want() > 0;
        if hungry || self.news || self.ledger.unsent() > 0 {
            self.last_call.map_or(due, |last| due.min(last + GAP))
        } else {
            due
        }
    }

    fn absorb(&mut self, event: Event) -> Result<(), WorkerError> {
        match event {
            Event::Took => {}
            Event::Finished { game, baseline_speed } => {
                self.games += 1;
                if let Some((kind, sims_per_s)) = baseline_speed
                    && let Some(speed) = self.speeds(|book| book.played(kind, sims_per_s))
                {
                    info!(
                        board.size = speed.size.get(),
                        drift = speed.drift,
                        "size {}: this machine now plays at {:.0} % of its calibrated speed; its factor becomes {:.4}",
                        speed.size.get(),
                        100.0 * speed.drift,
                        speed.factor
                    );
                }
                self.ledger.finished(*game);
                if self.config.max_games.is_some_and(|most| self.games >= most) {
                    self.drain("it has played all its games");
                }
            }
            Event::Ended { lease, took } => {
                self.pace.played(took);
                self.ledger.ended(lease);
            }
            Event::Unplayable { lease, why } => {
                // Kept in hand: given back, it would return at once.
                self.unplayable += 1;
                self.ledger.unplayable(lease);
                error!(lease.id = %lease, "lease {lease} cannot be played: {why}");
                if self.unplayable >= MOST_UNPLAYABLE {
                    return Err(WorkerError::Unplayable { count: self.unplayable, why });
                }
            }
            Event::Calibrated { size, speeds } => self.calibrated(size, speeds?),
        }
        Ok(())
    }

    fn calibrated(&mut self, size: BoardSize, speeds: Vec<f64>) {
        let Some(slots) = self.calibrating.get_mut(&size) else { return };
        slots.push(speeds);
        if slots.len() < self.config.slots.get() {
            return;
        }
        let runs = self.calibrating.remove(&size).unwrap_or_default().concat();
        if let Some(sims_per_s) = calibrate::median(&runs) {
            self.speeds(|book| book.calibrated(size, sims_per_s));
            self.news = true;
            info!(
                board.size = size.get(),
                sims_per_s,
                "size {}: {sims_per_s:.0} simulations per CPU second on each slot; a reference second is {:.4} s here",
                size.get(),
                calibrate::factor(size, sims_per_s)
            );
        }
    }

    /// Leases to ask for now.
    fn want(&self) -> usize {
        let speeds_known = self.calibrating.is_empty() && !self.speeds(|book| book.is_empty());
        if self.draining || !speeds_known {
            return 0;
        }
        let (waiting, idle) = self.desk.waiting_and_idle();
        (idle + self.pace.reserve(self.config.slots.get(), GAP)).saturating_sub(waiting)
    }

    fn request(&self) -> SyncRequest {
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: self.state.worker(),
            session: self.id,
            name: self.config.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            slots: u32::try_from(self.config.slots.get()).unwrap_or(u32::MAX),
            speeds: self.speeds(|book| book.all()),
            held: self.ledger.held(),
            finished: self.ledger.batch(),
            want: u32::try_from(self.want()).unwrap_or(u32::MAX),
        }
    }

    /// Takes the answer to a call, or its failure.
    fn hear(
        &mut self,
        request: &SyncRequest,
        answer: Result<SyncResponse, CallError>,
        called: Instant,
    ) -> Result<(), WorkerError> {
        self.last_call = Some(called);
        match answer {
            Ok(answer) => {
                self.pace.answered(called.elapsed());
                self.backoff.succeeded();
                match std::mem::replace(&mut self.contact, Contact::Good) {
                    Contact::None => info!("the coordinator answers"),
                    Contact::Lost(_) => info!("the coordinator answers again"),
                    Contact::Good => {}
                }
                self.obey(request, answer);
            }
            Err(CallError::Retry { after, why }) => {
                let wait = self.backoff.after_failure(after);
                self.call_by = Instant::now() + wait;
                debug!("call failed: {why}; next in {wait:?}");
                self.contact = Contact::Lost(why);
            }
            Err(CallError::Stop { why }) => return Err(WorkerError::Refused { why }),
        }
        self.log_reason();
        Ok(())
    }

    fn obey(&mut self, request: &SyncRequest, answer: SyncResponse) {
        self.news = false;
        self.starved = answer.no_work.is_some() || answer.leases.len() < request.want as usize;
        self.no_work = answer.no_work;
        self.call_by =
            Instant::now() + Duration::from_millis(answer.next_sync_ms).clamp(GAP, LONGEST_SILENCE);
        for ack in &answer.acks {
            self.acknowledged(ack);
        }
        for lease in answer.revoked {
            self.desk.withdraw(|waiting| waiting.id == lease);
            // A lease whose last game goes up in the same call is listed too: nothing is dropped then.
            if self.ledger.give_up(lease) {
                info!(lease.id = %lease, "lease {lease} was revoked: its games are dropped");
            }
        }
        for size in answer.sizes {
            if self.speeds(|book| book.on(size)).is_none() && !self.calibrating.contains_key(&size) {
                info!(board.size = size.get(), "size {}: measuring this machine's speed", size.get());
                self.calibrating.insert(size, Vec::new());
                self.desk.calibrate(size);
            }
        }
        if answer.directive == Directive::Drain {
            self.drain("the coordinator says so");
        }
        for lease in answer.leases {
            if !self.draining {
                let assignment = self.ledger.take(lease);
                self.desk.push(assignment);
            }
        }
    }

    fn acknowledged(&mut self, ack: &Ack) {
        let message = ack.message.as_deref().unwrap_or("no reason given");
        match ack.status {
            AckStatus::Accepted => {}
            AckStatus::Duplicate => debug!("game {} was counted before", ack.game),
            AckStatus::Superseded => info!("game {} came late: another play of it counts", ack.game),
            AckStatus::Rejected => error!("game {} was rejected: {message}", ack.game),
        }
        let before = self.ledger.unsent();
        self.ledger.acknowledged(ack);
        if self.ledger.unsent() < before {
            self.spooled.fetch_sub(1, Ordering::Relaxed);
        }
        if let Err(error) = self.spool.remove(ack.game, ack.lease) {
            warn!("cannot remove game {} from the spool: {error}; it will be sent again", ack.game);
        }
    }

    /// Takes no more work, gives back what no slot has begun, and leaves when the rest is delivered.
    fn drain(&mut self, why: &str) {
        if self.draining {
            return;
        }
        self.draining = true;
        self.leave_at = None;
        self.news = true;
        for lease in self.desk.withdraw(|_| true) {
            self.ledger.give_up(lease.id);
        }
        info!(
            "this worker leaves because {why}; {} pairs are played to their end",
            self.ledger.open_leases()
        );
    }

    /// Logs why there is no work, once per change of the kind of reason.
    fn log_reason(&mut self) {
        let reason = match &self.contact {
            Contact::Lost(why) => Some(Reason::NoContact(why.clone())),
            _ if self.draining => None,
            _ => self.no_work.clone().filter(|_| self.calibrating.is_empty()).map(Reason::NoWork),
        };
        let kind = |reason: &Option<Reason>| reason.as_ref().map(Reason::kind);
        if kind(&reason) != kind(&self.reason) {
            match &reason {
                Some(reason) => info!("no new work: {reason} ({})", self.activity()),
                None => info!("there is work again"),
            }
        }
        self.reason = reason;
    }

    /// What the slots do.
    fn activity(&self) -> String {
        let (waiting, idle) = self.desk.waiting_and_idle();
        let slots = self.config.slots.get();
        format!("playing on {} of {slots} slots, {waiting} pairs waiting", slots.saturating_sub(idle))
    }

    fn log_status(&self) {
        info!(
            "{}, {} games finished, spool {}{}",
            self.activity(),
            self.games,
            self.ledger.unsent(),
            self.reason.as_ref().map(|reason| format!("; no new work: {reason}")).unwrap_or_default()
        );
    }

    /// Stops the slots, sends what is in the spool, and returns the leases.
    async fn leave(mut self, events: &mut UnboundedReceiver<Event>, last_words: bool) {
        self.desk.stop();
        let grace = Instant::now() + SLOTS_GRACE;
        // The channel closes when the last slot has ended.
        while let Ok(Some(event)) = timeout_at(grace, events.recv()).await {
            if let Event::Finished { game, .. } = event {
                self.ledger.finished(*game);
            }
        }
        if last_words && timeout(FAREWELL, self.farewell()).await.is_err() {
            warn!("the coordinator did not answer the last call: it will notice by itself");
        }
        if self.ledger.unsent() > 0 {
            info!(
                "{} finished games stay in the spool in {} until the next start",
                self.ledger.unsent(),
                self.config.dir.display()
            );
        }
    }

    async fn farewell(&mut self) {
        loop {
            let before = self.ledger.unsent();
            let request = SyncRequest { held: Vec::new(), want: 0, ..self.request() };
            match self.api.sync(&request).await {
                Ok(answer) => answer.acks.iter().for_each(|ack| self.acknowledged(ack)),
                Err(error) => return info!("the last call failed: {error}"),
            }
            if self.ledger.unsent() == 0 || self.ledger.unsent() == before {
                return;
            }
        }
    }

    /// Reads or writes the speeds. A closure, so that the lock cannot outlive the expression it serves.
    fn speeds<T>(&self, f: impl FnOnce(&mut SpeedBook) -> T) -> T {
        f(&mut self.speeds.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
