//! The sync call: when it is made, its request, and the effects of its answer.

use super::{Contact, Session};
use crate::client::{CallError, CoordinatorApi};
use crate::prefetch::{LONGEST_GAP, Reserve};
use crate::slot::QueueState;
use crate::stop::WorkerError;
use protocol::result::FinishedGame;
use protocol::sync::MachineState;
use protocol::sync::{Ack, AckStatus, Directive, NoWorkCode, PrefetchDemand, SyncRequest, SyncResponse};
use protocol::words::counted;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};
use tokio::time::Instant;
use tracing::{debug, info, warn};

/// The longest time between two calls, even if the coordinator asks for more: after a long silence it considers a worker lost.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

impl<A: CoordinatorApi> Session<A> {
    /// The time of the next call: soon if there is something to report or leases to ask for, otherwise when due.
    pub(super) fn next_call(&self) -> Instant {
        let due = self.leave_at.map_or(self.call_by, |at| self.call_by.min(at));
        if matches!(self.contact, Contact::Lost { .. }) {
            return self.call_by;
        }
        let unsent = self.in_flight.unsent() > 0;
        let hungry = !self.starved && self.want().0 > 0;
        if !(hungry || self.news || unsent) {
            return due;
        }
        // The coordinator gives more leases to a machine that has delivered more games.
        let helps = hungry || (unsent && self.holds_enough());
        let QueueState { waiting, idle, .. } = self.queue.content();
        let gap = match () {
            () if self.in_flight.fills_a_call() => Duration::ZERO,
            () if helps && idle > waiting => self.pace.gap_of_idle_slots(),
            () => self.pace.gap(),
        };
        self.last_call.map_or(due, |last| due.min(last + gap))
    }

    /// Whether the last answer had fewer leases because this machine holds as many as it may.
    fn holds_enough(&self) -> bool {
        self.no_work.as_ref().is_some_and(|why| why.code == NoWorkCode::EnoughInHand)
    }

    /// The number of leases to ask for now, and which of them may wait.
    fn want(&self) -> (u32, Option<PrefetchDemand>) {
        // When nothing is in play there is nothing to measure; the answer will have the reason why there is no work.
        let speeds_known =
            self.calibrating.is_empty() && (self.nothing_in_play || !self.speeds(|book| book.is_empty()));
        if self.rests() || !speeds_known {
            return (0, None);
        }
        let QueueState { waiting, expected_us, idle } = self.queue.content();
        // Free slots take waiting leases at once.
        let free = idle.saturating_sub(waiting);
        let waiting = if idle < waiting { (waiting, expected_us) } else { (0, 0) };
        let count = |leases: usize| u32::try_from(leases).unwrap_or(u32::MAX);
        match self.pace.missing(self.config.slots.get(), self.in_flight.held_after_a_call(), waiting) {
            Some(Reserve { leases, expected_us }) => {
                (count(free + leases), Some(PrefetchDemand { free: count(free), expected_us }))
            }
            None => (count(free), None),
        }
    }

    /// The next call.
    pub(crate) fn request(&mut self) -> SyncRequest {
        self.calls += 1;
        self.check_disk();
        self.news_in_call = std::mem::take(&mut self.news);
        let (want, ahead) = self.want();
        SyncRequest {
            finished: self.in_flight.batch(),
            failed: self.in_flight.failed(),
            want,
            ahead,
            watched: self.in_flight.watched(),
            told: self.looked_at.then(|| self.machine_state()),
            ..self.nothing_new()
        }
    }

    /// A second call beside one that is not answered, if enough games wait: it only delivers games. It has the number of the
    /// first, and so the coordinator acknowledges its games and does nothing else. The coordinator checks them while it stores
    /// those of the first.
    pub(super) fn delivery(&mut self, first: &SyncRequest) -> Option<SyncRequest> {
        let finished = self.in_flight.deliver(&first.finished)?;
        Some(SyncRequest { finished, ..self.nothing_new() })
    }

    /// A call with the present number, without results and requests.
    fn nothing_new(&self) -> SyncRequest {
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: self.state.worker(),
            session: self.id,
            start: self.start,
            sequence: self.calls,
            name: self.config.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: self.config.labels.clone(),
            slots: u32::try_from(self.config.slots.get()).unwrap_or(u32::MAX),
            memory: self.config.memory,
            speeds: self.speeds(|book| book.all()),
            held: self.in_flight.held(),
            finished: Vec::new(),
            failed: Vec::new(),
            want: 0,
            ahead: None,
            leaving: false,
            resting: self.resting(),
            heard: (self.heard + 1 < self.calls).then_some(self.heard),
            watched: Vec::new(),
            told: None,
        }
    }

    /// Handles the answer to a second call, or its failure. The first call reports a failure of the coordinator.
    pub(super) fn handle_delivery(&mut self, answer: Result<SyncResponse, CallError>) {
        match answer {
            Ok(answer) => self.acknowledged(&answer.acks),
            Err(error) => debug!("a second call failed, and its games are sent again: {error}"),
        }
        self.in_flight.delivered();
    }

    /// The report on this machine's state.
    fn machine_state(&self) -> MachineState {
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        MachineState {
            spooled: self.in_flight.unsent() as u64,
            clock_ms: i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX),
            log: self.config.log.without(&self.config.token),
        }
    }

    /// The last call of a worker. It returns all leases except those with a checkpoint, which the next start continues.
    pub(crate) fn last_request(&mut self) -> SyncRequest {
        let mut request = SyncRequest { want: 0, ahead: None, leaving: true, ..self.request() };
        request.held.retain(|held| self.in_flight.is_open(held.lease) && self.checkpoints.has(held.lease));
        request
    }

    /// Handles the answer to a call, or its failure, after this time.
    pub(crate) fn handle_answer(
        &mut self,
        request: &SyncRequest,
        answer: Result<SyncResponse, CallError>,
        (called, took): (Instant, Duration),
    ) -> Result<(), WorkerError> {
        self.last_call = Some(called);
        match answer {
            Ok(answer) => {
                self.pace.answered(took);
                self.backoff.succeeded();
                self.in_flight.call_succeeded();
                match std::mem::replace(&mut self.contact, Contact::Good) {
                    Contact::None => info!("the coordinator answers"),
                    Contact::Lost { .. } => info!("the coordinator answers again"),
                    Contact::Good => {}
                }
                self.apply_answer(request, answer);
            }
            Err(CallError::Untrusted { why }) if matches!(self.contact, Contact::None) => {
                return Err(WorkerError::Untrusted { why });
            }
            // A coordinator that has answered may get another certificate, and this worker has games to play meanwhile.
            Err(CallError::Untrusted { why }) => self.note_failed_call(None, why),
            Err(CallError::Retry { after, why }) => self.note_failed_call(after, why),
            Err(CallError::Stop { why }) => return Err(WorkerError::Refused { why }),
        }
        self.log_reason();
        Ok(())
    }

    /// A call failed, and the next one may succeed.
    fn note_failed_call(&mut self, after: Option<Duration>, why: String) {
        self.news |= self.news_in_call;
        let wait = self.backoff.after_failure(after);
        self.in_flight.call_failed();
        self.call_by = Instant::now() + wait;
        debug!("call failed: {why}; next attempt in {wait:?}");
        let since = match self.contact {
            Contact::Lost { since, .. } => since,
            Contact::None | Contact::Good => Instant::now(),
        };
        self.contact = Contact::Lost { since, why };
    }

    fn apply_answer(&mut self, request: &SyncRequest, answer: SyncResponse) {
        self.in_flight.failures_received(&request.failed);
        self.heard = request.sequence;
        self.in_flight.watch(&answer.watch);
        self.looked_at = answer.looked_at;
        let is_short = request.ahead.is_none() && answer.leases.len() < request.want as usize;
        self.starved = answer.no_work.is_some() || is_short;
        self.no_work = answer.no_work;
        self.nothing_in_play = answer.sizes.is_empty();
        self.call_by =
            Instant::now() + Duration::from_millis(answer.next_sync_ms).clamp(LONGEST_GAP, LONGEST_SILENCE);
        self.acknowledged(&answer.acks);
        let mut revoked = OutcomeSum::default();
        for lease in answer.revoked {
            self.queue.withdraw(|waiting| waiting.id == lease);
            self.unfinished.retain(|waiting| waiting.lease.id != lease);
            self.checkpoints.remove(lease);
            // A lease whose games were all in the same call is listed, too.
            match self.in_flight.give_up(lease) {
                0 => debug!(lease.id = %lease, "lease {lease} is over"),
                dropped => revoked.note(|| {
                    let games = if dropped == 1 { "1 game is".to_owned() } else { format!("{dropped} games are") };
                    format!(
                        "lease {lease} was revoked: {games} of it not played to the end; finished games are still sent"
                    )
                }),
            }
        }
        revoked.words("lease").inspect(|words| info!("{words}"));
        let unfinished = self.unfinished.iter().map(|waiting| waiting.lease.size);
        for size in answer.sizes.into_iter().chain(unfinished).collect::<Vec<_>>() {
            if self.speeds(|book| book.on(size)).is_none() && !self.calibrating.contains_key(&size) {
                info!(board.size = size.get(), "size {}: measuring this machine's speed", size.get());
                self.calibrating.insert(size, Vec::new());
                self.queue.calibrate(size);
            }
        }
        self.follow_dismissal(answer.directive == Directive::Drain);
        self.pause(answer.directive == Directive::Pause);
        for lease in answer.leases {
            if !self.rests() {
                let assignment = self.in_flight.take(lease);
                self.queue.push(assignment);
            }
        }
    }

    pub(super) fn acknowledged(&mut self, acks: &[Ack]) {
        let (mut rejected, mut superseded, mut stuck) =
            (OutcomeSum::default(), OutcomeSum::default(), OutcomeSum::default());
        for ack in acks {
            let game = self.in_flight.acknowledged(ack);
            if game.is_some() {
                self.spooled.fetch_sub(1, Ordering::Relaxed);
            }
            match (ack.status, game) {
                (AckStatus::Rejected, Some(game)) => {
                    let words = self.set_aside(ack, &game);
                    rejected.note(|| words);
                    continue;
                }
                (AckStatus::Rejected, None) | (AckStatus::Accepted, _) => {}
                (AckStatus::Duplicate, _) => debug!("game {} was counted before", ack.game),
                (AckStatus::Superseded, _) => {
                    superseded.note(|| format!("game {} came late: another play of it counts", ack.game));
                }
            }
            if let Err(error) = self.spool.remove(ack.game, ack.lease) {
                stuck.note(|| {
                    format!("cannot remove game {} from the spool: {error}; it will be sent again", ack.game)
                });
            }
        }
        rejected.words("game").inspect(|words| warn!("{words}"));
        superseded.words("game").inspect(|words| info!("{words}"));
        stuck.words("game").inspect(|words| warn!("{words}"));
    }

    /// Moves a rejected game out of the spool: it may belong to another coordinator. Gives the outcome in words.
    fn set_aside(&self, ack: &Ack, finished: &FinishedGame) -> String {
        let (game, why) = (ack.game, ack.message.as_deref().unwrap_or("no reason given"));
        match self.spool.reject(finished) {
            Ok(Some(path)) => format!("game {game} was rejected ({why}): kept as {}", path.display()),
            Ok(None) => format!("game {game} was rejected ({why}); it is not on disk and is lost"),
            Err(error) => format!("game {game} was rejected ({why}) and cannot be moved: {error}"),
        }
    }
}

/// One line in the log for all games or leases of an answer with the same outcome.
#[derive(Debug, Default)]
struct OutcomeSum {
    first: String,
    others: u64,
}

impl OutcomeSum {
    fn note(&mut self, words: impl FnOnce() -> String) {
        if self.first.is_empty() {
            self.first = words();
        } else {
            self.others += 1;
        }
    }

    /// The outcome of the first one, and the number of others; `None` if there is none.
    fn words(&self, noun: &str) -> Option<String> {
        let Self { first, others } = self;
        match (first.is_empty(), others) {
            (true, _) => None,
            (false, 0) => Some(first.clone()),
            (false, _) => {
                Some(format!("{first} (the same with {})", counted(*others, &format!("other {noun}"))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OutcomeSum;

    #[test]
    fn what_happens_to_many_games_is_one_line() {
        let mut sum = OutcomeSum::default();
        assert_eq!(sum.words("game"), None);
        sum.note(|| "game 1 came late".to_owned());
        assert_eq!(sum.words("game").as_deref(), Some("game 1 came late"));
        (0..399).for_each(|_| sum.note(|| unreachable!("only the first is told")));
        assert_eq!(sum.words("game").as_deref(), Some("game 1 came late (the same with 399 other games)"));
    }
}
