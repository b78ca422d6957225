//! The lease book: a simulated coordinator in memory, which misbehaves on request.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use engine::havannah::BoardSize;
use engine::side::Side;
use protocol::ids::{CellId, GameId, LeaseId};
use protocol::lease::{Budget, Lease, LeasedGame, ParamSet};
use protocol::result::FinishedGame;
use protocol::selftest::trials;
use protocol::sync::{
    Ack, AckStatus, Directive, ErrorBody, ErrorDetail, NoWork, NoWorkCode, SyncRequest, SyncResponse,
};
use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use uuid::Uuid;
use worker::Config;
use worker::calibrate::Plan;

/// The behaviour of a lease book.
#[derive(Default)]
pub(crate) struct Behaviour {
    pub(crate) pairs: u32,
    pub(crate) sims: u64,
    /// One in this many calls is committed and then answered with an error instead of the acknowledgement.
    pub(crate) lose_every: usize,
    /// Rejects every game.
    pub(crate) reject: bool,
    /// Is of another build, so that its self-test games differ from the worker's.
    pub(crate) other_build: bool,
    /// The most leases of an answer. So a worker with short games does not hold all of them before it hears a directive.
    pub(crate) leases_per_call: Option<usize>,
    /// Tells workers to pause from this many counted games on.
    pub(crate) pause_at: Option<usize>,
    /// Refuses every call.
    pub(crate) refuse: bool,
    /// Tells workers to leave from this many counted games on.
    pub(crate) drain_at: Option<usize>,
    /// Revokes every lease that is reported with at least this many moves.
    pub(crate) revoke_at_plies: Option<u32>,
    pub(crate) case: ParamSet,
    /// Answers every call with an error once it has given out leases.
    pub(crate) deaf: bool,
    /// A further board size that comes into play after this many games.
    pub(crate) later: Option<(usize, BoardSize)>,
    /// Has no board size in play, as without experiments or after their end.
    pub(crate) nothing_in_play: bool,
    /// The board size, instead of the smallest, on which games are short.
    pub(crate) board: Option<BoardSize>,
}

#[derive(Default)]
pub(crate) struct Book {
    pub(crate) behaviour: Behaviour,
    pub(crate) calls: usize,
    /// Start and number of the last call. They increase with every call from one directory.
    pub(crate) numbers: (u64, u64),
    pub(crate) leased: BTreeMap<u32, LeaseId>,
    pub(crate) returned: Vec<u32>,
    pub(crate) games: BTreeMap<GameId, FinishedGame>,
    pub(crate) duplicates: usize,
    pub(crate) rejected: usize,
    /// Number of games in the last report that was answered with an error.
    pub(crate) unheard: usize,
    pub(crate) revoked: BTreeSet<LeaseId>,
    /// Leases that a call listed as held after an earlier answer had revoked them.
    pub(crate) held_though_revoked: Vec<LeaseId>,
    pub(crate) last_request: Option<SyncRequest>,
}

pub(crate) type Shared = Arc<(Mutex<Book>, Notify)>;

pub(crate) fn size() -> BoardSize {
    BoardSize::new(3).expect("valid")
}

impl Book {
    pub(crate) fn sync(&mut self, request: SyncRequest) -> Result<SyncResponse, (StatusCode, &'static str)> {
        self.calls += 1;
        let number = (request.start, request.sequence);
        assert!(self.numbers < number, "{number:?} after {:?}", self.numbers);
        self.numbers = number;
        if self.behaviour.refuse {
            return Err((StatusCode::UNAUTHORIZED, "this token is unknown"));
        }
        if self.behaviour.deaf && !self.leased.is_empty() {
            self.unheard = request.finished.len();
            return Err((StatusCode::SERVICE_UNAVAILABLE, "not now"));
        }
        let mut acks = Vec::new();
        for game in &request.finished {
            if self.behaviour.reject {
                self.rejected += 1;
                let message = Some("there is no such lease".into());
                acks.push(Ack { game: game.game, lease: game.lease, status: AckStatus::Rejected, message });
                continue;
            }
            let known = self.games.insert(game.game, game.clone()).is_some();
            self.duplicates += usize::from(known);
            let status = if known { AckStatus::Duplicate } else { AckStatus::Accepted };
            acks.push(Ack { game: game.game, lease: game.lease, status, message: None });
        }
        let held_again = request.held.iter().map(|held| held.lease).filter(|id| self.revoked.contains(id));
        self.held_though_revoked.extend(held_again);
        let mut revoked = Vec::new();
        if let Some(plies) = self.behaviour.revoke_at_plies {
            revoked = request.held.iter().filter(|held| held.plies >= plies).map(|held| held.lease).collect();
            self.revoked.extend(&revoked);
        }
        // Leases that are not listed are returned, if one of their games is missing.
        let cell = CellId(Uuid::nil());
        let games = &self.games;
        let held = |id: &LeaseId| request.held.iter().any(|h| h.lease == *id) && !revoked.contains(id);
        let missing = |pair: u32| (0..2).any(|half| !games.contains_key(&GameId::of(cell, pair, half)));
        self.returned.extend(self.leased.iter().filter(|(p, id)| !held(id) && missing(**p)).map(|(p, _)| *p));
        self.leased.retain(|_, id| held(id));

        let mut leases = Vec::new();
        let most = self.behaviour.leases_per_call.unwrap_or(usize::MAX).min(request.want as usize);
        if !request.speeds.is_empty() {
            for pair in 0..self.behaviour.pairs {
                if leases.len() == most {
                    break;
                }
                if self.leased.contains_key(&pair) || !missing(pair) {
                    continue;
                }
                let id = LeaseId::random();
                self.leased.insert(pair, id);
                let halves = [(0, Side::White), (1, Side::Black)];
                leases.push(Lease {
                    id,
                    cell,
                    pair,
                    games: halves
                        .map(|(half, case_side)| LeasedGame { id: GameId::of(cell, pair, half), case_side })
                        .into_iter()
                        .filter(|game| !games.contains_key(&game.id))
                        .collect(),
                    size: self.behaviour.board.unwrap_or(size()),
                    opening: "c3".into(),
                    seed: u64::from(pair),
                    budget: Budget::Sims(self.behaviour.sims),
                    sims: None,
                    case_label: "case".into(),
                    case: self.behaviour.case.clone(),
                    baseline_label: "base".into(),
                    baseline: ParamSet::default(),
                    expires_in_ms: 60_000,
                    expected_us: 1_000,
                });
            }
        }
        let no_work = (leases.len() < request.want as usize)
            .then(|| NoWork { code: NoWorkCode::Finished, message: "every planned game is finished".into() });
        let drain = self.behaviour.drain_at.is_some_and(|at| self.games.len() >= at);
        let later =
            self.behaviour.later.filter(|(games, _)| self.games.len() >= *games).map(|(_, size)| size);
        self.last_request = Some(request);
        if self.behaviour.lose_every > 0 && self.calls.is_multiple_of(self.behaviour.lose_every) {
            return Err((StatusCode::INTERNAL_SERVER_ERROR, "the answer is lost"));
        }
        Ok(SyncResponse {
            acks,
            leases,
            revoked,
            directive: match self.behaviour.pause_at {
                _ if drain => Directive::Drain,
                Some(games) if self.games.len() >= games => Directive::Pause,
                _ => Directive::Work,
            },
            sizes: if self.behaviour.nothing_in_play {
                Vec::new()
            } else {
                [self.behaviour.board.unwrap_or(size())].into_iter().chain(later).collect()
            },
            next_sync_ms: 200,
            watch: Vec::new(),
            looked_at: false,
            no_work,
        })
    }
}

pub(crate) async fn sync(State(shared): State<Shared>, Json(request): Json<SyncRequest>) -> Response {
    let answer = shared.0.lock().expect("no panic").sync(request);
    shared.1.notify_waiters();
    match answer {
        Ok(answer) => Json(answer).into_response(),
        Err((status, message)) => {
            let detail = ErrorDetail { code: "test".into(), message: message.into(), retry_after_ms: None };
            (status, Json(ErrorBody { error: detail })).into_response()
        }
    }
}

pub(crate) async fn self_test(State(shared): State<Shared>) -> Response {
    let (refuse, wrong) = {
        let book = shared.0.lock().expect("no panic");
        (book.behaviour.refuse, book.behaviour.other_build)
    };
    let mut trials = trials().to_vec();
    if wrong {
        trials[0].game.insert_str(0, "a1/7 ");
    }
    if refuse {
        let message = "this token is unknown".into();
        let detail = ErrorDetail { code: "test".into(), message, retry_after_ms: None };
        return (StatusCode::UNAUTHORIZED, Json(ErrorBody { error: detail })).into_response();
    }
    Json(trials).into_response()
}

pub(crate) struct Coordinator {
    pub(crate) shared: Shared,
    pub(crate) url: String,
}

impl Coordinator {
    pub(crate) async fn start(behaviour: Behaviour) -> Self {
        let shared: Shared = Arc::new((Mutex::new(Book { behaviour, ..Book::default() }), Notify::new()));
        let app = Router::new()
            .route("/api/v1/sync", post(sync))
            .route("/api/v1/self-test", get(self_test))
            .with_state(shared.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { shared, url }
    }

    pub(crate) fn config(&self, dir: &Path) -> Config {
        let slots = NonZeroUsize::new(2).expect("not zero");
        Config {
            calibration: Plan { runs: NonZeroU32::MIN, sims: 5_000 },
            ..Config::new(&self.url, "token", dir, "tester", slots)
        }
    }

    pub(crate) fn book<T>(&self, read: impl FnOnce(&Book) -> T) -> T {
        read(&self.shared.0.lock().expect("no panic"))
    }

    /// Waits until a call leaves the book in a state for which `holds` is true.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Book) -> bool) {
        let wait = async {
            loop {
                let mut called = std::pin::pin!(self.shared.1.notified());
                called.as_mut().enable();
                if self.book(&holds) {
                    return;
                }
                called.await;
            }
        };
        tokio::time::timeout(crate::PATIENCE, wait).await.unwrap_or_else(|_| panic!("never: {what}"));
    }
}

pub(crate) fn spooled(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("spool")).map_or(0, Iterator::count)
}

/// The leases with a checkpoint in this directory, sorted.
pub(crate) fn kept(dir: &Path) -> Vec<LeaseId> {
    let entries = std::fs::read_dir(dir.join("checkpoints")).expect("a directory").flatten();
    let stem = |path: std::path::PathBuf| path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
    let mut leases: Vec<LeaseId> = entries.filter_map(|entry| stem(entry.path())).collect();
    leases.sort_unstable();
    leases
}
