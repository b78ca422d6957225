//! The worker's loop over real HTTP against a lease book kept in memory, which answers as docs/PROTOCOL.md
//! says a coordinator does, and misbehaves where a test asks for it.

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
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use worker::calibrate::Plan;
use worker::{Config, Stop, WorkerError, run};

/// What a test wants of the lease book.
#[derive(Default)]
struct Behaviour {
    pairs: u32,
    sims: u64,
    /// Commits, then answers an error in place of the acknowledgement, every so many calls.
    lose_every: usize,
    /// Takes no game.
    reject: bool,
    /// Plays other games than any worker.
    other_build: bool,
    /// Pauses whoever has so many games, until told otherwise.
    pause_at: Option<usize>,
    /// Refuses every call.
    refuse: bool,
    /// Tells workers to leave from this many counted games on.
    drain_at: Option<usize>,
    /// Revokes every lease that has been reported with at least this many plies.
    revoke_at_plies: Option<u32>,
    case: ParamSet,
    /// Answers errors and takes nothing once it has given out leases.
    deaf: bool,
    /// A board that comes into play after so many games.
    later: Option<(usize, BoardSize)>,
    /// Has no board in play: all is played, or nothing was ever asked for.
    nothing_in_play: bool,
    /// The board, if not the smallest, where games end at once.
    board: Option<BoardSize>,
}

#[derive(Default)]
struct Book {
    behaviour: Behaviour,
    calls: usize,
    /// Start and number of the last call: every call of a directory has larger ones.
    numbers: (u64, u64),
    leased: BTreeMap<u32, LeaseId>,
    returned: Vec<u32>,
    games: BTreeMap<GameId, FinishedGame>,
    duplicates: usize,
    rejected: usize,
    /// Games in the last report that was not taken.
    unheard: usize,
    revoked: usize,
    last_request: Option<SyncRequest>,
}

type Shared = Arc<(Mutex<Book>, Notify)>;

fn size() -> BoardSize {
    BoardSize::new(3).expect("valid")
}

impl Book {
    fn sync(&mut self, request: SyncRequest) -> Result<SyncResponse, (StatusCode, &'static str)> {
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
        let mut revoked = Vec::new();
        if let Some(plies) = self.behaviour.revoke_at_plies {
            revoked = request.held.iter().filter(|held| held.plies >= plies).map(|held| held.lease).collect();
            self.revoked += revoked.len();
        }
        // Leases not listed come back, if a game of theirs is missing.
        let cell = CellId(Uuid::nil());
        let games = &self.games;
        let held = |id: &LeaseId| request.held.iter().any(|h| h.lease == *id) && !revoked.contains(id);
        let missing = |pair: u32| (0..2).any(|half| !games.contains_key(&GameId::of(cell, pair, half)));
        self.returned.extend(self.leased.iter().filter(|(p, id)| !held(id) && missing(**p)).map(|(p, _)| *p));
        self.leased.retain(|_, id| held(id));

        let mut leases = Vec::new();
        if !request.speeds.is_empty() {
            for pair in 0..self.behaviour.pairs {
                if leases.len() == request.want as usize {
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
            no_work,
        })
    }
}

async fn sync(State(shared): State<Shared>, Json(request): Json<SyncRequest>) -> Response {
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

async fn self_test(State(shared): State<Shared>) -> Response {
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

struct Coordinator {
    shared: Shared,
    url: String,
}

impl Coordinator {
    async fn start(behaviour: Behaviour) -> Self {
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

    fn config(&self, dir: &Path) -> Config {
        let slots = NonZeroUsize::new(2).expect("not zero");
        Config {
            calibration: Plan { runs: NonZeroU32::MIN, sims: 5_000 },
            ..Config::new(&self.url, "token", dir, "tester", slots)
        }
    }

    fn book<T>(&self, read: impl FnOnce(&Book) -> T) -> T {
        read(&self.shared.0.lock().expect("no panic"))
    }

    /// Waits until a call leaves the book as asked for.
    async fn until(&self, what: &str, holds: impl Fn(&Book) -> bool) {
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
        tokio::time::timeout(Duration::from_secs(60), wait).await.unwrap_or_else(|_| panic!("never: {what}"));
    }
}

fn spooled(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("spool")).map_or(0, Iterator::count)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_pair_is_played_and_the_spool_is_empty_at_the_end() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 12, sims: 20, ..Behaviour::default() }).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("all games", |book| book.games.len() == 24 && book.leased.is_empty()).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator.book(|book| {
        assert_eq!(book.duplicates, 0);
        assert!(book.returned.is_empty(), "{:?}", book.returned);
        for game in book.games.values() {
            let moves = game.record.to_moves(size()).expect("whole columns");
            assert!(moves.iter().all(|played| played.sims <= 20), "{game:?}");
            assert!(game.speed.sims_per_s > 0.0 && game.speed.factor > 0.0 && game.move_cpu_us.is_none());
        }
        let speeds = &book.last_request.as_ref().expect("called").speeds;
        assert_eq!(speeds.len(), 1);
    });
    assert_eq!(spooled(home.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_answers_lose_no_game() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 10, sims: 200, lose_every: 2, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    let done = |book: &Book| {
        let quiet = book.last_request.as_ref().is_some_and(|request| request.finished.is_empty());
        book.games.len() == 20 && book.duplicates > 0 && quiet
    };
    coordinator.until("all games, some twice", done).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    assert_eq!(spooled(home.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_worker_leaves_at_once_keeps_its_games_for_the_next_start_and_returns_the_rest() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour {
        pairs: 50,
        sims: 20_000,
        board: BoardSize::new(7).ok(),
        ..Behaviour::default()
    })
    .await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    let playing = |book: &Book| {
        book.last_request.as_ref().is_some_and(|request| request.held.iter().any(|held| held.plies > 0))
    };
    coordinator.until("a game in progress", playing).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator.book(|book| {
        let last = book.last_request.as_ref().expect("called");
        assert!(last.leaving && last.want == 0);
        let listed: Vec<LeaseId> = last.held.iter().map(|held| held.lease).collect();
        assert_eq!(listed, kept(home.path()));
        assert!(book.leased.values().all(|lease| listed.contains(lease)) && !book.returned.is_empty());
    });
    assert_eq!(spooled(home.path()), 0, "what was finished was sent");
}

/// The leases whose games are under way on disk.
fn kept(dir: &Path) -> Vec<LeaseId> {
    let entries = std::fs::read_dir(dir.join("checkpoints")).expect("a directory").flatten();
    let stem = |path: std::path::PathBuf| path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
    let mut leases: Vec<LeaseId> = entries.filter_map(|entry| stem(entry.path())).collect();
    leases.sort_unstable();
    leases
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_left_at_a_stop_goes_on_with_the_next_start_under_its_lease() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour =
        Behaviour { pairs: 2, sims: 3_000, board: BoardSize::new(6).ok(), ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let at_every_move = Config { checkpoint_every: Duration::ZERO, ..coordinator.config(home.path()) };
    let mut leases = Vec::new();
    for _ in 0..3 {
        let stop = Stop::default();
        let worker = tokio::spawn(run(at_every_move.clone(), stop.clone()));
        let under_way = async {
            while !home.path().join("checkpoints").is_dir() || kept(home.path()).is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), under_way).await.expect("a game under way");
        stop.leave.cancel();
        worker.await.expect("no panic").expect("a good end");
        // A slot in the middle of a measurement is left behind, and lets go of the directory when it is done.
        while worker::StateDir::open(home.path()).is_err() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        leases.extend(kept(home.path()));
    }
    let different: BTreeSet<&LeaseId> = leases.iter().collect();
    assert!(different.len() < leases.len(), "a lease goes on over several starts: {leases:?}");
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("all games", |book| book.games.len() == 4).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    assert_eq!(kept(home.path()), []);
    // The same games as a worker plays that nobody interrupts.
    let elsewhere = tempfile::tempdir().expect("a directory");
    let behaviour =
        Behaviour { pairs: 2, sims: 3_000, board: BoardSize::new(6).ok(), ..Behaviour::default() };
    let undisturbed = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(undisturbed.config(elsewhere.path()), cancel.clone()));
    undisturbed.until("all games", |book| book.games.len() == 4).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    let moves = |book: &Book| -> Vec<_> {
        let records = book.games.values().map(|game| &game.record);
        records.map(|it| (it.moves.clone(), it.nodes.clone(), it.sims.clone())).collect()
    };
    assert_eq!(coordinator.book(moves), undisturbed.book(moves));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_worker_stops_with_the_coordinators_words() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { refuse: true, ..Behaviour::default() }).await;
    let error = run(coordinator.config(home.path()), CancellationToken::new()).await.expect_err("refused");
    assert!(
        matches!(&error, WorkerError::Refused { why } if why.contains("this token is unknown")),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn games_the_coordinator_rejects_are_kept_for_the_one_they_belong_to() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 100, sims: 20, reject: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let config = Config { max_games: Some(4), ..coordinator.config(home.path()) };
    run(config, CancellationToken::new()).await.expect("a good end");
    let rejected = coordinator.book(|book| book.rejected);
    assert!(rejected >= 4, "{rejected}");
    let kept = std::fs::read_dir(home.path().join("spool/rejected")).expect("there").count();
    assert_eq!(kept, rejected);
    assert_eq!(spooled(home.path()), 1, "nothing but that directory");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_worker_finishes_its_games_and_leaves() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 10_000, sims: 20, drain_at: Some(8), ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    run(coordinator.config(home.path()), CancellationToken::new()).await.expect("a good end");
    coordinator.book(|book| {
        assert!(book.games.len() >= 8 && book.leased.is_empty());
        let has = |pair, half| book.games.contains_key(&GameId::of(CellId(Uuid::nil()), pair, half));
        assert!((0..10_000).all(|pair| has(pair, 0) == has(pair, 1)), "pairs begun are finished");
    });
    assert_eq!(spooled(home.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_a_limit_leaves_when_it_is_reached() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 10_000, sims: 20, ..Behaviour::default() }).await;
    let config = Config { max_games: Some(6), ..coordinator.config(home.path()) };
    run(config, CancellationToken::new()).await.expect("a good end");
    assert!(coordinator.book(|book| book.games.len()) >= 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_leases_are_dropped_in_mid_game() {
    let home = tempfile::tempdir().expect("a directory");
    let board = BoardSize::new(7).ok();
    let behaviour =
        Behaviour { pairs: 3, sims: 20_000, revoke_at_plies: Some(1), board, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("revocations", |book| book.revoked >= 4).await;
    let listed = |book: &Book| book.last_request.as_ref().map_or(0, |request| request.held.len());
    assert!(coordinator.book(listed) <= 3, "revoked leases are not listed again");
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_cannot_play_what_it_is_given_says_so_and_stops() {
    let home = tempfile::tempdir().expect("a directory");
    let mut case = ParamSet::default();
    case.0.insert("warp_drive".into(), engine::params::ParamValue::Flag(true));
    let coordinator =
        Coordinator::start(Behaviour { pairs: 100, sims: 20, case, ..Behaviour::default() }).await;
    let error = run(coordinator.config(home.path()), CancellationToken::new()).await.expect_err("unplayable");
    assert!(error.to_string().contains("warp_drive"), "{error}");
    assert!(coordinator.book(|book| book.games.is_empty()));
    assert!(coordinator.book(|book| book.leased.is_empty()), "the leases are given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_do_not_share_a_directory() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour::default()).await;
    let cancel = CancellationToken::new();
    let first = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("a first call", |book| book.calls > 0).await;
    let error = run(coordinator.config(home.path()), cancel.clone()).await.expect_err("taken");
    assert!(matches!(error, WorkerError::State(_)), "{error}");
    cancel.cancel();
    first.await.expect("no panic").expect("a good end");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_finished_while_the_coordinator_was_away_are_delivered_by_the_next_run() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 40, sims: 20, deaf: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("a report in vain", |book| book.unheard > 0).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    let waiting = spooled(home.path());
    assert!(waiting > 0, "finished games wait on disk");
    assert!(coordinator.book(|book| book.games.is_empty()));

    coordinator.shared.0.lock().expect("no panic").behaviour.deaf = false;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("all games", |book| book.games.len() == 80 && book.leased.is_empty()).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    assert_eq!(coordinator.book(|book| book.duplicates), 0, "what was on disk was not played again");
    assert_eq!(spooled(home.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_comes_into_play_later_is_measured_between_moves() {
    let home = tempfile::tempdir().expect("a directory");
    let later = BoardSize::new(4).expect("valid");
    let behaviour = Behaviour {
        pairs: 1_000,
        sims: 2_000,
        later: Some((2, later)),
        board: BoardSize::new(6).ok(),
        ..Behaviour::default()
    };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    let measured = |book: &Book| {
        let speeds = book.last_request.as_ref().map(|request| &request.speeds);
        speeds.is_some_and(|speeds| speeds.iter().any(|speed| speed.size == later))
    };
    coordinator.until("the later board's speed", measured).await;
    assert!(coordinator.book(|book| book.returned.is_empty()), "no game was given up for it");
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_plays_otherwise_does_not_work_and_shows_the_difference() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 9, sims: 20, other_build: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let error =
        run(coordinator.config(home.path()), CancellationToken::new()).await.expect_err("another build");
    assert!(matches!(error, WorkerError::SelfTest { .. }), "{error}");
    let words = error.to_string();
    assert!(words.contains("move 1: here") && words.contains("at the coordinator `a1/7`"), "{words}");
    assert_eq!(coordinator.book(|book| book.calls), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_told_to_finish_plays_its_pairs_to_their_end_and_leaves() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 10_000, sims: 20, ..Behaviour::default() }).await;
    let stop = Stop::default();
    let worker = tokio::spawn(run(coordinator.config(home.path()), stop.clone()));
    coordinator.until("some games", |book| book.games.len() >= 6).await;
    stop.finish.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator.book(|book| {
        let has = |pair, half| book.games.contains_key(&GameId::of(CellId(Uuid::nil()), pair, half));
        assert!((0..10_000).all(|pair| has(pair, 0) == has(pair, 1)), "pairs begun are finished");
        assert!(book.leased.is_empty());
        let resting = book.last_request.as_ref().and_then(|request| request.resting.as_deref());
        assert_eq!(resting, Some("it finishes its games and leaves"));
    });
    assert_eq!(spooled(home.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_do_not_end_within_the_grace_time_are_dropped_and_given_back() {
    let home = tempfile::tempdir().expect("a directory");
    let board = BoardSize::new(9).ok();
    let coordinator =
        Coordinator::start(Behaviour { pairs: 9, sims: 2_000_000, board, ..Behaviour::default() }).await;
    let stop = Stop::default();
    let config = Config { grace: Duration::ZERO, ..coordinator.config(home.path()) };
    let worker = tokio::spawn(run(config, stop.clone()));
    coordinator.until("leases", |book| !book.leased.is_empty()).await;
    stop.finish.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator
        .book(|book| assert!(book.leased.is_empty() && book.games.is_empty() && !book.returned.is_empty()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_worker_finishes_its_pairs_waits_and_goes_on_when_told_to() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 30, sims: 20, pause_at: Some(4), ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    let quiet = |book: &Book| {
        let last = book.last_request.as_ref();
        book.games.len() >= 4 && last.is_some_and(|request| request.held.is_empty() && request.want == 0)
    };
    coordinator.until("a pause", quiet).await;
    let played = coordinator.book(|book| book.games.len());
    assert!(played < 60);
    let calls = coordinator.book(|book| book.calls);
    coordinator.until("more calls", |book| book.calls > calls + 2).await;
    assert_eq!(coordinator.book(|book| book.games.len()), played, "nothing is played in between");
    coordinator.shared.0.lock().expect("no panic").behaviour.pause_at = None;
    coordinator.until("all games", |book| book.games.len() == 60).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_nothing_to_play_leaves_when_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 3, sims: 20, ..Behaviour::default() }).await;
    let config = Config { max_idle: Some(Duration::from_millis(300)), ..coordinator.config(home.path()) };
    run(config, CancellationToken::new()).await.expect("a good end");
    assert_eq!(coordinator.book(|book| book.games.len()), 6, "after everything was played");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_comes_when_all_is_played_asks_why_and_leaves_when_told_to() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { nothing_in_play: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let config = Config { max_idle: Some(Duration::ZERO), ..coordinator.config(home.path()) };
    let ended = tokio::time::timeout(Duration::from_secs(60), run(config, CancellationToken::new())).await;
    ended.expect("it does not wait for work").expect("a good end");
    let asked = |book: &Book| book.calls;
    assert!((2..6).contains(&coordinator.book(asked)), "{}", coordinator.book(asked));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_its_quiet_hours_a_worker_takes_nothing_and_says_why() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 3, sims: 20, ..Behaviour::default() }).await;
    // Between them they are the whole day, whatever the time is now.
    let quiet_hours = ["00:00-12:00", "12:00-24:00"].map(|hours| hours.parse().expect("hours")).to_vec();
    let config = Config { quiet_hours, ..coordinator.config(home.path()) };
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(config, cancel.clone()));
    let says = |book: &Book| {
        let last = book.last_request.as_ref();
        last.is_some_and(|last| !last.speeds.is_empty() && last.resting.is_some())
    };
    coordinator.until("a reason", says).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator.book(|book| {
        assert!(book.games.is_empty() && book.leased.is_empty());
        let resting = book.last_request.as_ref().and_then(|last| last.resting.clone()).expect("a reason");
        assert!(resting.starts_with("quiet hours until"), "{resting}");
    });
}
