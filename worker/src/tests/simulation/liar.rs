//! A worker that lies: it takes leases like any other worker, and reports impossible games.

use super::oracle::Oracle;
use super::server::SIMS;
use crate::calibrate::reference_speed;
use engine::havannah::{BoardSize, Outcome};
use engine::rng::Rng;
use engine::search::{Budget, ProvenOutcome};
use engine::selfplay::play;
use protocol::ids::{GameId, LeaseId, SessionId, WorkerId};
use protocol::lease::Lease;
use protocol::matchup::Matchup;
use protocol::result::{FinishedGame, MoveColumns, Speed};
use protocol::sync::{FailedLease, HeldLease, MOST_STARTS, SyncRequest, SyncResponse};
use std::ops::ControlFlow;

pub(super) struct Liar {
    worker: WorkerId,
    session: SessionId,
    calls: u64,
    leases: Vec<Lease>,
}

impl Liar {
    pub(super) fn new() -> Self {
        Self { worker: WorkerId::random(), session: SessionId::random(), calls: 0, leases: Vec::new() }
    }

    /// The liar's next call. It may report an impossible game, or leases of other workers.
    pub(super) fn call(&mut self, rng: &mut Rng, oracle: &mut Oracle) -> SyncRequest {
        let speed = |size| Speed { size, sims_per_s: reference_speed(size), factor: 1.0, drift: 1.0 };
        let (mut finished, mut failed) = (Vec::new(), Vec::new());
        // It drops some leases, either silently or as failed.
        match rng.below(6) {
            0 => self.leases.retain(|_| rng.below(2) == 0),
            1 => {
                let gone = self.leases.iter().filter(|_| rng.below(2) == 0);
                let why = || "it is lost".to_owned();
                failed.extend(gone.map(|lease| FailedLease { lease: lease.id, why: why() }));
            }
            _ => {}
        }
        let most = if rng.below(4) == 0 { 10_000 } else { 9 };
        let mut held: Vec<HeldLease> =
            self.leases.iter().map(|lease| HeldLease { lease: lease.id, plies: rng.below(most) }).collect();
        if !self.leases.is_empty() && rng.below(4) > 0 {
            let lease = &self.leases[rng.below(self.leases.len() as u32) as usize];
            let lie = lie(lease, rng, oracle, self.worker);
            oracle.lied(self.worker, (lie.game, lie.lease));
            finished.push(lie);
        }
        let others = oracle.others(self.worker);
        if !others.is_empty() && rng.below(3) == 0 {
            let (lease, _) = others[rng.below(others.len() as u32) as usize];
            match rng.below(2) {
                0 => held.push(HeldLease { lease, plies: 3 }),
                _ => failed.push(FailedLease { lease, why: "not\u{0} mine".into() }),
            }
        }
        self.calls += 1;
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: self.worker,
            session: self.session,
            start: 1,
            sequence: self.calls,
            name: "liar".into(),
            version: "0".into(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: Vec::new(),
            slots: 1024,
            memory: protocol::memory::Mib(4096),
            speeds: BoardSize::all().map(speed).collect(),
            held,
            finished,
            failed,
            want: rng.below(3),
            ahead: None,
            leaving: false,
            resting: None,
            // Sometimes it claims to have heard no answer.
            heard: (rng.below(3) == 0).then_some(0),
            watched: Vec::new(),
            told: None,
        }
    }

    /// A call in the name of another machine. If accepted, it would end that machine's process, lock the machine out,
    /// or take its leases.
    pub(super) fn forge(&self, victim: WorkerId, rng: &mut Rng) -> SyncRequest {
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: victim,
            session: self.session,
            start: [1, 1 << 31, MOST_STARTS][rng.below(3) as usize],
            sequence: u64::from(rng.below(1 << 30)),
            name: "liar".into(),
            version: "0".into(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: Vec::new(),
            slots: 1,
            memory: protocol::memory::Mib(4096),
            speeds: Vec::new(),
            held: Vec::new(),
            finished: Vec::new(),
            failed: Vec::new(),
            want: rng.below(3),
            ahead: None,
            leaving: rng.below(2) == 0,
            resting: None,
            heard: None,
            watched: Vec::new(),
            told: None,
        }
    }

    /// Takes the new leases of an answer, and forgets the revoked ones.
    pub(super) fn hear(&mut self, answer: SyncResponse) {
        self.leases.retain(|lease| !answer.revoked.contains(&lease.id));
        self.leases.retain(|lease| answer.leases.iter().all(|again| again.id != lease.id));
        self.leases.extend(answer.leases);
    }
}

/// A game of this lease that is impossible in one way.
fn lie(lease: &Lease, rng: &mut Rng, oracle: &Oracle, worker: WorkerId) -> FinishedGame {
    let leased = lease.games[rng.below(lease.games.len() as u32) as usize];
    let spec = Matchup::of_lease(lease, leased.case_side).spec(Budget::Sims(SIMS)).expect("a matchup");
    let record = play(&spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("to its end");
    let size = lease.size;
    let mut game = FinishedGame {
        game: leased.id,
        lease: lease.id,
        outcome: record.outcome,
        record: MoveColumns::from_record(size, &record),
        speed: Speed { size, sims_per_s: reference_speed(size), factor: 1.0, drift: 1.0 },
        move_cpu_us: None,
        wall_ms: 1,
    };
    let mut moves = record.moves.clone();
    let columns = |moves| MoveColumns::from_record(size, &engine::selfplay::GameRecord { moves, ..record });
    match rng.below(18) {
        0 => {
            moves.pop();
            game.record = columns(moves);
        }
        1 => {
            moves.push(moves[0]);
            game.record = columns(moves);
        }
        2 => {
            moves[1] = moves[0];
            game.record = columns(moves);
        }
        3 => {
            game.outcome = match game.outcome {
                Outcome::Win { winner, kind } => Outcome::Win { winner: winner.other(), kind },
                Outcome::Draw => {
                    Outcome::Win { winner: leased.case_side, kind: engine::havannah::WinKind::Ring }
                }
            };
        }
        4 => match oracle.others(worker).first() {
            Some((other, (cell, pair))) => {
                game.lease = *other;
                game.game = GameId::of(*cell, *pair, 0);
            }
            None => game.lease = LeaseId::random(),
        },
        5 => game.record.sims[0] = u64::MAX,
        6 => game.record.value[0] = 7.0,
        7 => game.lease = LeaseId::random(),
        8 => game.game = GameId::of(lease.cell, lease.pair + 1, 0),
        9 => game.speed.factor = -1.0,
        // Fewer simulations than the budget demands.
        10 => {
            game.record.sims[0] = 0;
            game.record.claim[0] = ProvenOutcome::Unknown;
        }
        11 => {
            game.record.sims[0] = SIMS - 1;
            game.record.claim[0] = ProvenOutcome::AtLeastDraw;
        }
        // Implausible speeds and times.
        12 => game.speed.sims_per_s = 0.0,
        13 => game.speed = Speed { sims_per_s: 1e308, factor: reference_speed(size) / 1e308, ..game.speed },
        14 => game.speed.factor = 1e308,
        15 => game.speed.drift = 1e-9,
        16 => game.wall_ms = u64::MAX,
        _ => drop(game.record.nodes.pop()),
    }
    game
}
