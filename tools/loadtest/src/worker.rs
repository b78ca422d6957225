//! A simulated worker: it joins, takes leases, and delivers games of the stock as if it had played them.

use crate::connection::{Address, Answer, Connection};
use crate::oracle::Entry;
use crate::stock::speeds;
use crate::test::Test;
use anyhow::bail;
use coordinator::Token;
use engine::havannah::BoardSize;
use protocol::access::JoinRequest;
use protocol::endpoints::{GetSelfTest, Join, SyncWorker};
use protocol::ids::{LeaseId, SessionId, WorkerId};
use protocol::lease::Lease;
use protocol::memory::Mib;
use protocol::result::FinishedGame;
use protocol::selftest::trials;
use protocol::sync::{HeldLease, SyncRequest, SyncResponse};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// One in this many calls with games is made twice, as if its answer had been lost.
const REPEAT_EVERY: u64 = 100;

/// A lease of the worker, with the games that it has not delivered yet.
struct LeasedGames {
    lease: LeaseId,
    size: BoardSize,
    plies: u32,
    games: VecDeque<Entry>,
}

/// A simulated worker.
pub(crate) struct Worker {
    connection: Connection,
    /// The worker's next call.
    about: SyncRequest,
    held: VecDeque<LeasedGames>,
    /// Number of calls with games so far. It starts with the worker's index, so that the repeated calls are spread.
    deliveries: u64,
}

impl Worker {
    /// A worker with this token, which must be valid or become valid by [`Worker::join`].
    pub(crate) fn new(address: Address, index: u64, token: &Token, slots: u32) -> anyhow::Result<Self> {
        let about = SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: WorkerId::random(),
            session: SessionId::random(),
            start: 1,
            sequence: 0,
            name: format!("simulated-{index}"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: vec!["loadtest".into()],
            slots,
            memory: Mib(8192),
            speeds: speeds()?,
            held: Vec::new(),
            finished: Vec::new(),
            failed: Vec::new(),
            want: 0,
            ahead: None,
            leaving: false,
            resting: None,
            heard: None,
            watched: Vec::new(),
            told: None,
        };
        let connection = Connection::new(address, token.reveal());
        Ok(Self { connection, about, held: VecDeque::new(), deliveries: index })
    }

    /// Joins with a code and compares builds, as `gauntlet work --join` does.
    pub(crate) async fn join(&mut self, code: &str, token: &Token) -> anyhow::Result<()> {
        let request = JoinRequest {
            code: code.to_owned(),
            worker: self.about.worker,
            name: self.about.name.clone(),
            token_sha256: Token::hash(token.reveal()),
        };
        self.connection.insist(Join, &(), &request).await?;
        if self.connection.fetch(GetSelfTest, &(), &()).await? != trials() {
            bail!("the coordinator is of another build than this test");
        }
        Ok(())
    }

    /// Number of leased games that are not delivered yet.
    pub(crate) fn games_in_hand(&self) -> usize {
        self.held.iter().map(|held| held.games.len()).sum()
    }

    /// Delivers up to `finish` games, and asks for as many leases as are missing to `leases`. The measured time begins
    /// when the call was due. Returns the number of games acknowledged.
    pub(crate) async fn call(
        &mut self,
        test: &Test,
        due: Instant,
        finish: usize,
        leases: usize,
    ) -> anyhow::Result<u64> {
        let (sent, finished) = self.finish(test, finish)?;
        self.about.finished = finished;
        self.about.want = leases.saturating_sub(self.held.len()) as u32;
        let answer = self.sync(test, &sent, false).await?;
        let acknowledged = answer.acks.len();
        test.answered(due.elapsed(), acknowledged);
        self.take(test, answer)?;
        if !sent.is_empty() {
            self.deliveries += 1;
            if self.deliveries.is_multiple_of(REPEAT_EVERY) {
                self.about.want = 0;
                self.sync(test, &sent, true).await?;
            }
        }
        self.about.finished.clear();
        Ok(acknowledged as u64)
    }

    /// Returns all leases with a last call.
    pub(crate) async fn leave(&mut self, test: &Test) -> anyhow::Result<()> {
        self.held.clear();
        self.about.want = 0;
        self.about.leaving = true;
        self.sync(test, &[], false).await.map(drop)
    }

    /// Repeats the call until there is an answer. The call delivers the games of `sent`; `again` means that they were delivered
    /// before.
    async fn sync(&mut self, test: &Test, sent: &[Entry], again: bool) -> anyhow::Result<SyncResponse> {
        let held = self.held.iter();
        self.about.held = held.map(|held| HeldLease { lease: held.lease, plies: held.plies }).collect();
        let mut known = again;
        loop {
            self.about.sequence += 1;
            match self.connection.post(SyncWorker, &(), &self.about).await? {
                Answer::Done(answer) => {
                    if answer.acks.len() != sent.len() {
                        bail!("{} games were sent, {} acknowledged", sent.len(), answer.acks.len());
                    }
                    test.oracle().hear(sent, &answer.acks, known);
                    return Ok(answer);
                }
                Answer::Again(after, why) => {
                    test.called_again(&why);
                    known = true;
                    tokio::time::sleep(after.max(Duration::from_millis(50))).await;
                }
            }
        }
    }

    fn finish(&mut self, test: &Test, games: usize) -> anyhow::Result<(Vec<Entry>, Vec<FinishedGame>)> {
        let (mut sent, mut finished) = (Vec::new(), Vec::new());
        while sent.len() < games
            && let Some(held) = self.held.front_mut()
        {
            if let Some(mut entry) = held.games.pop_front() {
                let Some(game) = test.stock.finished(entry.game, held.lease, held.size) else {
                    bail!("the stock has no game of size {}", held.size);
                };
                entry.outcome = game.outcome;
                held.plies = game.record.sims.len() as u32;
                sent.push(entry);
                finished.push(game);
            }
            if held.games.is_empty() {
                self.held.pop_front();
            }
        }
        Ok((sent, finished))
    }

    fn take(&mut self, test: &Test, answer: SyncResponse) -> anyhow::Result<()> {
        if !answer.revoked.is_empty() {
            test.oracle().complain(format!("{} leases in hand were revoked", answer.revoked.len()));
            self.held.retain(|held| !answer.revoked.contains(&held.lease));
        }
        for lease in answer.leases {
            if !test.cells.contains(&lease.cell) {
                bail!(
                    "the coordinator gave out a pair of `{}`, which is no cell of this test: no game was handed in for \
                     it; test a coordinator that has nothing else to play",
                    lease.case_label
                );
            }
            let Lease { id, cell, size, games, .. } = lease;
            let entry = |game: protocol::lease::LeasedGame| Entry {
                game: game.id,
                cell,
                case_side: game.case_side,
                outcome: engine::havannah::Outcome::Draw,
            };
            let games = games.into_iter().map(entry).collect();
            self.held.push_back(LeasedGames { lease: id, size, plies: 0, games });
        }
        Ok(())
    }
}
