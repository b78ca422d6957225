//! Experiments, workers and legal games for the tests.

use crate::databases::Database;
pub(crate) use crate::legal_games::{Random, play, speed};
use coordinator::{Clock, Config, Coordinator, CoordinatorError, OpenResults};
use engine::havannah::BoardSize;
use protocol::access::{Scopes, TokenRequest};
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell, Policy};
use protocol::ids::{SessionId, WorkerId};
use protocol::lease::{Budget, Lease, ParamSet};
use protocol::memory::Mib;
use protocol::result::{FinishedGame, Speed};
use protocol::sync::{AckStatus, HeldLease, SyncRequest, SyncResponse};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) fn size(n: u8) -> BoardSize {
    BoardSize::new(n).expect("a board size")
}

pub(crate) fn params(text: &str) -> ParamSet {
    let mut set = ParamSet::default();
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("name=value");
        set.0.insert(name.to_owned(), value.parse().expect("a value"));
    }
    set
}

/// A cell of `pairs` pairs: RAVE with this `rave_k` against plain UCT.
pub(crate) fn cell(rave_k: u32, board: u8, pairs: u32, weight: f64) -> PlannedCell {
    let case = params(&format!("rave_k={rave_k}"));
    let baseline = params("exploration=0.9 rave_k=0");
    PlannedCell {
        case: LabelledPlayer {
            group: "rave".into(),
            label: format!("rave_k={rave_k}"),
            params: case.clone(),
        },
        baseline: LabelledPlayer { group: "uct".into(), label: "uct".into(), params: baseline.clone() },
        spec: CellSpec {
            semantics: engine::SEMANTICS,
            case,
            baseline,
            size: size(board),
            budget: Budget::Sims(100),
            opening_plies: 2,
            book: None,
            seed: 1,
        },
        weight,
        pairs,
        stop: None,
    }
}

pub(crate) fn experiment(name: &str, cells: Vec<PlannedCell>) -> Experiment {
    Experiment {
        name: name.into(),
        question: "Which k is best?".into(),
        weight: 1.0,
        policy: Policy::Coverage,
        file: None,
        tune: None,
        cells,
    }
}

/// A coordinator on `database` whose clock stands still.
pub(crate) async fn open(database: &Database) -> (Coordinator, Clock) {
    open_with(database, |_| {}).await
}

pub(crate) async fn open_with(database: &Database, change: impl FnOnce(&mut Config)) -> (Coordinator, Clock) {
    let clock = Clock::manual(1_700_000_000_000);
    let mut config =
        Config { clock, open_results: OpenResults::ToEverybody, ..Config::new(&database.address) };
    change(&mut config);
    let clock = config.clock.clone();
    (Coordinator::open(config).await.expect("open"), clock)
}

/// Makes a token with these scopes.
pub(crate) async fn token(coordinator: &Coordinator, scopes: &str) -> Result<String, CoordinatorError> {
    let scopes: Scopes = scopes.parse().expect("scopes");
    let make = async |name: String| {
        let request = TokenRequest { name, scopes, expires_in_ms: None, machines: None };
        coordinator.create_token(request, "tester").await.map(|made| made.token)
    };
    // Only the first token of a test is called `test`, because valid tokens have different names.
    match make("test".to_owned()).await {
        Err(CoordinatorError::Refused(why)) if why.contains("is called") => {
            make(format!("test {}", CALLS.fetch_add(1, Ordering::Relaxed))).await
        }
        made => made,
    }
}

/// The default term of a lease and a little more, in milliseconds.
pub(crate) const LEASE_AND_A_BIT: i64 = 121_000;

/// The number of the next call, for all workers.
static CALLS: AtomicU64 = AtomicU64::new(1);

/// A worker that plays random moves.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) id: WorkerId,
    pub(crate) session: SessionId,
    /// The number of the process's start.
    pub(crate) start: u64,
    pub(crate) speeds: Vec<Speed>,
    /// The memory for the players of one game.
    pub(crate) memory: Mib,
    /// The reported number of simultaneous games.
    pub(crate) slots: u32,
    /// The leases that it lists as held.
    pub(crate) held: Vec<HeldLease>,
}

impl Worker {
    pub(crate) fn new() -> Self {
        Self {
            id: WorkerId::random(),
            session: SessionId::random(),
            start: 1,
            speeds: BoardSize::all().map(speed).collect(),
            memory: Mib(8192),
            slots: 8,
            held: Vec::new(),
        }
    }

    pub(crate) fn request(&self, finished: Vec<FinishedGame>, want: u32) -> SyncRequest {
        SyncRequest {
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: self.id,
            session: self.session,
            start: self.start,
            sequence: CALLS.fetch_add(1, Ordering::Relaxed),
            name: format!("worker-{}", &self.id.to_string()[..8]),
            version: "0.1.0".into(),
            self_test: protocol::selftest::digest().to_owned(),
            labels: Vec::new(),
            slots: self.slots,
            memory: self.memory,
            speeds: self.speeds.clone(),
            held: self.held.clone(),
            finished,
            failed: Vec::new(),
            want,
            ahead: None,
            leaving: false,
            resting: None,
            heard: None,
            watched: Vec::new(),
            told: None,
        }
    }

    /// Continues as a new process of the same machine, which holds no leases.
    pub(crate) fn start_anew(&mut self) {
        (self.session, self.start) = (SessionId::random(), self.start + 1);
        self.held.clear();
    }

    pub(crate) async fn sync(
        &self,
        coordinator: &Coordinator,
        finished: Vec<FinishedGame>,
        want: u32,
    ) -> SyncResponse {
        coordinator.sync(self.request(finished, want)).await.expect("sync")
    }

    /// Asks for leases and lists them as held from now on.
    pub(crate) async fn take(&mut self, coordinator: &Coordinator, want: u32) -> Vec<Lease> {
        let leases = self.sync(coordinator, Vec::new(), want).await.leases;
        self.hold(&leases);
        leases
    }

    pub(crate) fn hold(&mut self, leases: &[Lease]) {
        self.held.extend(leases.iter().map(|lease| HeldLease { lease: lease.id, plies: 0 }));
    }

    pub(crate) fn drop_lease(&mut self, lease: &Lease) {
        self.held.retain(|held| held.lease != lease.id);
    }

    /// Delivers games and returns the status of each.
    pub(crate) async fn report(&self, coordinator: &Coordinator, games: Vec<FinishedGame>) -> Vec<AckStatus> {
        self.sync(coordinator, games, 0).await.acks.iter().map(|ack| ack.status).collect()
    }
}

/// Plays all games of a lease.
pub(crate) fn play_all(lease: &Lease, seed: u64) -> Vec<FinishedGame> {
    lease.games.iter().zip(seed..).map(|(game, seed)| play(lease, *game, seed)).collect()
}

/// Fails with the list of differences when a counter is wrong.
pub(crate) async fn assert_verified(coordinator: &Coordinator) {
    let found = coordinator.verify().await.expect("verify");
    let lines: Vec<String> = found.differences.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{lines:#?}");
    assert!(found.is_right(), "{:#?}", found.unknown);
}
