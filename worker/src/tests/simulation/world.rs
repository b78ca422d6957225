//! One simulated run. All events and faults are drawn from the seed.
//!
//! The coordinator and its SQLite store are real. So are the workers' sessions, in-flight games, desks, slots and
//! spools, on a real file system, and the games themselves. The network, the clocks, the threads and the faults are
//! simulated:
//! - Calls are lost, repeated, late by minutes and out of order. Machines are cut off.
//! - Workers and the coordinator are killed and started again.
//! - A transaction fails at any table or at its commit.
//! - Disks are full. The coordinator's disk stalls.
//! - The coordinator's power is cut at any time, also during a stall. Its clock jumps.
//! - One worker lies.
//! - A machine holds a pair for so long that another one gets it.
//!
//! Then the faults end, and the run must finish with every game counted once.

use super::liar::Liar;
use super::machine::{Call, Machine};
use super::oracle::Oracle;
use super::server::{FAULTS, LEASE_MS, Server, TOKENS, experiments};
use crate::client::CallError;
use coordinator::CoordinatorError;
use engine::rng::Rng;
use protocol::sync::{SyncRequest, SyncResponse};
use std::collections::BTreeMap;
use std::path::Path;

/// Number of steps with faults.
const STORMY_STEPS: u32 = 220;
/// The largest number of steps without faults until the run has finished.
const CALM_STEPS: u32 = 4_000;
/// The number of the liar's token.
const LIAR: usize = TOKENS - 1;
/// The largest step of the coordinator's clock, in milliseconds.
const MOST_SET_MS: u32 = 86_400_000;
/// Time after which a worker gives a call up, in milliseconds.
const CALL_TIMEOUT_MS: i64 = 60_000;

/// A message in transit.
enum Message {
    /// A call to the coordinator. A repeated call (`copy`) gets no answer.
    Up { from: usize, number: u64, request: Box<SyncRequest>, copy: bool },
    /// An answer or a failure for the worker.
    Down { to: usize, number: u64, answer: Result<SyncResponse, CallError> },
}

/// The rates of the faults, which differ from seed to seed. A fault with the rate n has a chance of one in n.
struct FaultRates {
    lose: u32,
    repeat: u32,
    late: u32,
    crash: u32,
    database: u32,
    disk: u32,
}

/// Numbers of events, with which the tests check that the faults do occur.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) calls: u64,
    pub(super) lost: u64,
    pub(super) repeated: u64,
    pub(super) worker_kills: u64,
    /// The worker kills in the middle of a game.
    pub(super) killed_in_game: u64,
    /// Games that a later process resumed.
    pub(super) continued: u64,
    pub(super) coordinator_kills: u64,
    pub(super) power_cuts: u64,
    pub(super) clocks_set: u64,
    /// Answers with acknowledgements that did not leave, because the disk was stalled.
    pub(super) held_back: u64,
    pub(super) failed_transactions: u64,
    pub(super) refused: u64,
    /// Calls that arrived again, or after a later call of the same worker.
    pub(super) overtaken: u64,
    pub(super) full_disks: u64,
    pub(super) rejected: u64,
    pub(super) duplicates: u64,
    pub(super) superseded: u64,
    pub(super) counted: u64,
    /// Late plays that counted.
    pub(super) late: u64,
    /// Leases that were sent again, because the answer with them was lost.
    pub(super) again: u64,
    /// Pairs that were taken from a machine for another one, because a stopping rule waited for them.
    pub(super) handed_over: u64,
    /// A digest of all events in order. Equal seeds must give equal digests.
    pub(super) digest: u64,
}

/// The state of a run.
pub(super) struct World {
    rng: Rng,
    weather: FaultRates,
    server: Server,
    machines: Vec<Machine>,
    liar: Liar,
    oracle: Oracle,
    /// Messages by time of arrival and order of sending. The time is the simulation's own, which clock jumps do not
    /// change.
    under_way: BTreeMap<(i64, u64), Message>,
    now_ms: i64,
    numbers: u64,
    calm: bool,
    tally: Tally,
}

impl World {
    pub(super) fn new(seed: u64, home: &Path) -> Self {
        let mut rng = Rng::new(seed);
        let mut one_in = |rare: u32| if rng.below(3) == 0 { u32::MAX } else { 2 + rng.below(rare) };
        let weather = FaultRates {
            lose: one_in(20),
            repeat: one_in(12),
            late: one_in(12),
            crash: one_in(40),
            database: one_in(20),
            disk: one_in(20),
        };
        let machines = (0..2 + rng.below(2) as usize).map(|number| Machine::new(home, number)).collect();
        Self {
            rng,
            weather,
            server: Server::new(home),
            machines,
            liar: Liar::new(),
            oracle: Oracle::new(),
            under_way: BTreeMap::new(),
            now_ms: 0,
            numbers: 0,
            calm: false,
            tally: Tally::default(),
        }
    }

    /// Runs the steps with faults, then steps without faults until everything is counted, and checks the final state.
    pub(super) fn run(mut self) -> Tally {
        for _ in 0..STORMY_STEPS {
            self.step();
            // Everything acknowledged must be stored, also after a restart.
            if self.rng.below(60) == 0 && self.server.is_up() {
                self.oracle.check(&self.server);
            }
        }
        self.calm = true;
        self.flush();
        // All leases have lapsed by then, however the clock was set.
        self.pass(LEASE_MS);
        let mut steps = 0;
        while !self.is_at_rest() {
            self.step();
            steps += 1;
            assert!(
                steps < CALM_STEPS,
                "it never comes to rest: {} of {} games counted, {:?} in the spools, {:#?}",
                self.oracle.counted(),
                self.oracle.planned(),
                self.machines.iter().map(Machine::spooled).collect::<Vec<_>>(),
                self.tally
            );
        }
        // The repeated calls that are still in transit arrive.
        for message in std::mem::take(&mut self.under_way).into_values() {
            if let Message::Up { from, request, .. } = message {
                self.ask(from, &request).map(drop).unwrap_or_default();
            }
        }
        self.oracle.check_at_rest(&self.server);
        for machine in &mut self.machines {
            // A restart finds no undelivered game either.
            machine.kill(&mut Rng::new(0), &mut self.oracle);
            machine.start(&mut self.oracle);
            assert_eq!(machine.spooled(), 0);
        }
        self.server.kill();
        self.tally.continued = self.machines.iter().map(|machine| machine.continued).sum();
        (self.tally.late, self.tally.again) = self.oracle.late_and_again();
        self.tally.handed_over = self.oracle.handed_over();
        Tally { counted: self.oracle.counted() as u64, superseded: self.oracle.superseded(), ..self.tally }
    }

    fn is_at_rest(&self) -> bool {
        self.server.is_up()
            && self.oracle.counted() == self.oracle.planned()
            && self.machines.iter().all(|machine| machine.is_up() && machine.spooled() == 0)
            && self.oracle.nothing_is_held()
    }

    fn chance(&mut self, one_in: u32) -> bool {
        one_in != u32::MAX && !self.calm && self.rng.below(one_in) == 0
    }

    fn note(&mut self, what: u64) {
        self.tally.digest =
            engine::rng::mix(self.tally.digest ^ what).wrapping_add(self.now_ms.unsigned_abs());
    }

    fn pass(&mut self, ms: i64) {
        self.now_ms += ms;
        self.server.clock.advance(ms);
    }

    /// Advances the time, delivers the messages that are due, and lets one random event happen.
    fn step(&mut self) {
        let ms = i64::from(self.rng.below(if self.calm { 1_000 } else { 3_000 }));
        self.pass(ms);
        while let Some(entry) = self.under_way.first_entry().filter(|entry| entry.key().0 <= self.now_ms) {
            match entry.remove() {
                Message::Up { from, number, request, copy } => self.arrive(from, number, *request, copy),
                Message::Down { to, number, answer } => {
                    self.note(number);
                    self.machines[to].hear(number, answer, &mut self.oracle);
                }
            }
        }
        if self.server.is_stalled() {
            self.wait_for_the_disk();
        }
        let which = self.rng.below(self.machines.len() as u32) as usize;
        match self.rng.below(20) {
            0..8 => {
                let full = self.chance(self.weather.disk);
                self.tally.full_disks += u64::from(full && self.machines[which].is_up());
                self.machines[which].play(&mut self.rng, full, &mut self.oracle);
            }
            8..15 => self.call(which, false),
            15 => self.lapse(),
            16 => self.operate(which),
            17 if !self.calm => self.lie(),
            _ => self.misfortune(which),
        }
    }

    fn call(&mut self, from: usize, leaving: bool) {
        self.numbers += 1;
        let Some(Call { number, request }) =
            self.machines[from].call(self.numbers, leaving, &mut self.oracle)
        else {
            return;
        };
        self.tally.calls += 1;
        let deadline = self.now_ms + CALL_TIMEOUT_MS;
        let cut_off = self.now_ms < self.machines[from].cut_off_until;
        if cut_off || self.chance(self.weather.lose) {
            self.tally.lost += 1;
            // The connection is refused at once, or the call times out.
            let at = if self.rng.below(2) == 0 { self.now_ms + 100 } else { deadline };
            return self.fail(from, number, at);
        }
        if self.chance(self.weather.repeat) {
            self.tally.repeated += 1;
            let again = self.now_ms + i64::from(self.rng.below(300_000));
            self.send(again, Message::Up { from, number, request: Box::new(request.clone()), copy: true });
        }
        let mut delay = i64::from(self.rng.below(400));
        if self.chance(self.weather.late) {
            delay = i64::from(self.rng.below(400_000));
        }
        self.fail(from, number, deadline);
        self.send(self.now_ms + delay, Message::Up { from, number, request: Box::new(request), copy: false });
    }

    fn send(&mut self, at_ms: i64, message: Message) {
        self.numbers += 1;
        self.under_way.insert((at_ms, self.numbers), message);
    }

    fn fail(&mut self, to: usize, number: u64, at_ms: i64) {
        let answer = Err(CallError::Retry { after: None, why: "no answer".into() });
        self.send(at_ms, Message::Down { to, number, answer });
    }

    /// Delivers a call to the coordinator, which may be down.
    fn arrive(&mut self, from: usize, number: u64, request: SyncRequest, copy: bool) {
        self.note(number);
        if self.chance(self.weather.crash) {
            self.kill_server();
        }
        let answer = self.ask(from, &request);
        // The coordinator dies after the commit and before it sends the answer.
        let dies = self.chance(self.weather.crash);
        if dies {
            self.kill_server();
        }
        let lost = dies || self.chance(self.weather.lose) || self.now_ms < self.machines[from].cut_off_until;
        if copy || lost {
            self.tally.lost += u64::from(lost);
            return;
        }
        let delay = if self.chance(self.weather.late) { 90_000 } else { 300 };
        let at = self.now_ms + i64::from(self.rng.below(delay));
        self.send(at, Message::Down { to: from, number, answer });
    }

    /// Makes a call with the token of this number, and updates the oracle. A database fault may hit the call.
    fn ask(&mut self, from: usize, request: &SyncRequest) -> Result<SyncResponse, CallError> {
        let retry = |why: String| Err(CallError::Retry { after: None, why });
        if !self.server.is_up() {
            return retry("no server listens".into());
        }
        let fault =
            self.chance(self.weather.database).then(|| FAULTS[self.rng.below(FAULTS.len() as u32) as usize]);
        if fault.is_some() {
            self.server.fail_at(fault);
        }
        let wire = serde_json::to_vec(request).expect("a request");
        let request: SyncRequest = serde_json::from_slice(&wire).expect("strict, and satisfied");
        let asked = request.clone();
        let stalled = self.server.is_stalled();
        let answer = self.server.ask(async |coordinator| {
            coordinator.sync_with(asked, coordinator.caller(Server::token(from)).await?).await
        });
        let answer = answer.expect("up");
        if fault.is_some() {
            self.server.fail_at(None);
        }
        match answer {
            Ok(answer) => {
                let count = |wanted| answer.acks.iter().filter(|ack| ack.status == wanted).count() as u64;
                self.tally.rejected += count(protocol::sync::AckStatus::Rejected);
                self.tally.duplicates += count(protocol::sync::AckStatus::Duplicate);
                self.tally.overtaken += u64::from(self.oracle.is_overtaken(&request));
                self.notice_the_clock();
                self.note(answer.acks.len() as u64 * 1_000 + answer.leases.len() as u64);
                let revoked = self.server.revoked();
                self.oracle.committed(&request, &answer, (self.server.now_ms(), &revoked));
                // A commit does not return while the disk is stalled.
                if stalled {
                    self.tally.held_back += u64::from(!answer.acks.is_empty());
                    return retry("no answer".into());
                }
                let wire = serde_json::to_vec(&answer).expect("an answer");
                Ok(serde_json::from_slice(&wire).expect("strict, and satisfied"))
            }
            Err(CoordinatorError::Refused(why)) => {
                self.tally.refused += 1;
                self.notice_the_clock();
                self.oracle.refused(&request, self.server.now_ms());
                Err(CallError::Stop { why })
            }
            Err(error) => {
                assert!(fault.is_some(), "no fault, and yet: {error}");
                self.tally.failed_transactions += 1;
                retry(error.to_string())
            }
        }
    }

    /// Sometimes ends a stall of the disk, either with everything written or with a power cut.
    fn wait_for_the_disk(&mut self) {
        match self.rng.below(24) {
            0 => self.flush(),
            1 => self.cut_power(),
            _ => {}
        }
    }

    fn stall(&mut self) {
        self.server.stall();
        self.oracle.stalled();
    }

    fn flush(&mut self) {
        self.server.flush();
        self.oracle.flushed();
    }

    fn cut_power(&mut self) {
        self.tally.power_cuts += 1;
        self.server.cut_power();
        self.oracle.power_cut();
    }

    /// Called after a commit. If the clock was set before the commit, every lease got a full term.
    fn notice_the_clock(&mut self) {
        if self.server.notices_the_clock() {
            self.oracle.renewed(self.server.now_ms());
        }
    }

    fn lapse(&mut self) {
        if self.server.is_stalled() {
            return;
        }
        if let Some(lapsed) = self.server.ask(async |coordinator| coordinator.lapse().await) {
            lapsed.expect("no fault is armed");
            self.notice_the_clock();
            self.oracle.lapse(self.server.now_ms());
        }
    }

    /// The work of the operators: they start stopped processes, and put suspended pairs back into play.
    fn operate(&mut self, which: usize) {
        // These operations would wait for the stalled disk.
        if self.server.is_stalled() {
            return;
        }
        if !self.server.is_up() {
            self.server.start();
            self.oracle.renewed(self.server.now_ms());
        }
        if !self.machines[which].is_up() {
            self.machines[which].start(&mut self.oracle);
        }
        if self.calm || self.rng.below(4) == 0 {
            for experiment in experiments() {
                self.server.get(async |coordinator| coordinator.retry(&experiment.name, "somebody").await);
                self.notice_the_clock();
            }
        }
    }

    fn lie(&mut self) {
        if !self.server.is_up() {
            return;
        }
        let victim = &self.machines[self.rng.below(self.machines.len() as u32) as usize];
        if self.oracle.has_heard(victim.worker) {
            let forged = self.liar.forge(victim.worker, &mut self.rng);
            let answer = self.server.ask(async |coordinator| {
                coordinator.sync_with(forged, coordinator.caller(Server::token(LIAR)).await?).await
            });
            assert!(
                matches!(answer, Some(Err(CoordinatorError::Forbidden(_)))),
                "a machine is called by its own token only"
            );
            self.notice_the_clock();
        }
        let request = self.liar.call(&mut self.rng, &mut self.oracle);
        if let Ok(answer) = self.ask(LIAR, &request) {
            self.liar.hear(answer);
        }
    }

    fn kill_server(&mut self) {
        if self.server.is_up() {
            self.tally.coordinator_kills += 1;
            self.server.kill();
        }
    }

    fn misfortune(&mut self, which: usize) {
        if self.calm {
            return;
        }
        match self.rng.below(24) {
            0 => self.kill_server(),
            1..4 => {
                self.tally.worker_kills += u64::from(self.machines[which].is_up());
                self.machines[which].kill(&mut self.rng, &mut self.oracle);
            }
            4 => {
                let long = i64::from(self.rng.below(400_000));
                self.machines[which].cut_off_until = self.now_ms + long;
            }
            5 => {
                // The clock of the coordinator's machine is set forward or back by up to a day.
                let jump = i64::from(self.rng.below(2 * MOST_SET_MS)) - i64::from(MOST_SET_MS);
                self.server.set_clock(jump);
                self.tally.clocks_set += 1;
            }
            6 => self.pass(150_000),
            8..12 => {
                let killed = self.machines[which].is_up();
                self.tally.worker_kills += u64::from(killed);
                let in_game = self.machines[which].kill_in_game(&mut self.rng, &mut self.oracle);
                self.tally.killed_in_game += u64::from(in_game);
            }
            7 => self.call(which, true),
            12..14 => self.stall(),
            14 => self.cut_power(),
            _ => {}
        }
    }
}
