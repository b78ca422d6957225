//! How a worker ends, pauses and resumes.

use crate::book::{Behaviour, Book, Coordinator, kept, spooled};
use engine::havannah::BoardSize;
use protocol::ids::{CellId, GameId, LeaseId};
use protocol::selftest::{Trial, trials};
use protocol::sync::{SyncRequest, SyncResponse};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use worker::client::{CallError, CoordinatorApi};
use worker::{Config, Stop, WorkerError, run, run_against};

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
        tokio::time::timeout(crate::PATIENCE, under_way).await.expect("a game under way");
        stop.leave.cancel();
        worker.await.expect("no panic").expect("a good end");
        // A slot that is still measuring outlives the worker, and releases the directory when it is done.
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
    // The games must equal those of an uninterrupted worker.
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
async fn a_worker_told_to_leave_and_then_to_pause_stays() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour =
        Behaviour { pairs: 50, sims: 20_000, board: BoardSize::new(8).ok(), ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("leases", |book| !book.leased.is_empty()).await;
    let tell = |drain_at, pause_at| {
        let mut book = coordinator.shared.0.lock().expect("no panic");
        (book.behaviour.drain_at, book.behaviour.pause_at) = (drain_at, pause_at);
        book.calls
    };
    let says = |book: &Book| book.last_request.as_ref().and_then(|last| last.resting.clone());
    tell(Some(0), None);
    coordinator.until("it leaves", |book| says(book).is_some_and(|why| why.contains("leaves"))).await;
    let calls = tell(None, Some(0));
    let stays = |book: &Book| book.calls > calls + 2 && says(book).is_none();
    coordinator.until("it only pauses", stays).await;
    assert_eq!(coordinator.book(|book| book.last_request.as_ref().map(|last| last.want)), Some(0));
    tell(None, None);
    coordinator
        .until("it wants work", |book| book.last_request.as_ref().is_some_and(|last| last.want > 0))
        .await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
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

/// A coordinator that is connected and never answers a report.
struct Silent;

impl CoordinatorApi for Silent {
    async fn sync(&self, _: &SyncRequest) -> Result<SyncResponse, CallError> {
        std::future::pending().await
    }

    async fn self_test(&self) -> Result<Vec<Trial>, CallError> {
        Ok(trials().to_vec())
    }
}

#[tokio::test(start_paused = true)]
async fn a_worker_hears_a_stop_while_a_call_waits_for_its_answer() {
    let home = tempfile::tempdir().expect("a directory");
    let grace = Duration::from_secs(600);
    let one = NonZeroUsize::new(1).expect("a slot");
    let config = Config { grace, ..Config::new("", "", home.path().to_path_buf(), "silent".to_owned(), one) };
    let stop = Stop::default();
    let told = stop.finish.clone();
    let worker = tokio::spawn(run_against(Silent, config, stop));
    tokio::time::sleep(Duration::from_secs(5)).await;
    told.cancel();
    // The clock of this test jumps from one timer to the next.
    let ended = tokio::time::timeout(2 * grace, worker).await.expect("the grace time ends the wait");
    ended.expect("no panic").expect("a good end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_worker_finishes_its_pairs_waits_and_goes_on_when_told_to() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour {
        pairs: 30,
        sims: 20,
        pause_at: Some(4),
        leases_per_call: Some(3),
        ..Behaviour::default()
    };
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
async fn a_worker_does_not_wait_for_an_absent_coordinator_beyond_its_time() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: 30, sims: 200, deaf: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let nobody = "http://127.0.0.1:9".to_owned();
    let brief = Some(Duration::from_millis(300));
    let of = |time: Option<Duration>, max_idle| {
        let leave_at = time.map(|time| Instant::now() + time);
        Config { leave_at, max_idle, ..coordinator.config(home.path()) }
    };
    for config in [of(brief, None), of(None, brief)] {
        let config = Config { coordinator: nobody.clone(), ..config };
        let ended = tokio::time::timeout(crate::PATIENCE, run(config, CancellationToken::new())).await;
        ended.expect("it does not wait for ever").expect("a good end");
    }

    // With finished games that nobody takes, it waits for the grace time.
    let config = Config { max_games: Some(2), grace: Duration::from_millis(200), ..of(None, None) };
    let ended = tokio::time::timeout(crate::PATIENCE, run(config, CancellationToken::new())).await;
    ended.expect("it does not wait for ever").expect("a good end");
    assert!(coordinator.book(|book| book.games.is_empty() && !book.leased.is_empty()));
    let spool = std::fs::read_dir(home.path().join("spool")).expect("the spool");
    assert!(spool.count() > 0, "the games wait for the next start");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_comes_when_all_is_played_asks_why_and_leaves_when_told_to() {
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { nothing_in_play: true, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let config = Config { max_idle: Some(Duration::ZERO), ..coordinator.config(home.path()) };
    let ended = tokio::time::timeout(crate::PATIENCE, run(config, CancellationToken::new())).await;
    ended.expect("it does not wait for work").expect("a good end");
    let asked = |book: &Book| book.calls;
    assert!((2..6).contains(&coordinator.book(asked)), "{}", coordinator.book(asked));
}

#[tokio::test(flavor = "multi_thread")]
async fn in_its_quiet_hours_a_worker_takes_nothing_and_says_why() {
    let home = tempfile::tempdir().expect("a directory");
    let coordinator = Coordinator::start(Behaviour { pairs: 3, sims: 20, ..Behaviour::default() }).await;
    // Together the two intervals cover the whole day.
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

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_cannot_keep_games_says_so_takes_no_more_and_goes_on_when_it_can() {
    /// More pairs than a worker holds at once.
    const PAIRS: u32 = 300;
    let home = tempfile::tempdir().expect("a directory");
    let behaviour = Behaviour { pairs: PAIRS, sims: 30, leases_per_call: Some(8), ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("a game", |book| !book.games.is_empty()).await;
    // The worker cannot write to its spool, as on a full disk.
    let (spool, away) = (home.path().join("spool"), home.path().join("away"));
    std::fs::rename(&spool, &away).expect("moved away");
    let rests = |book: &Book| {
        let last = book.last_request.as_ref().expect("called");
        last.want == 0
            && last.resting.as_deref().is_some_and(|why| why.contains("cannot be kept on its disk"))
    };
    coordinator.until("a worker that rests", rests).await;
    // The worker still plays and delivers its leased games, and takes no new leases.
    let in_hand = |book: &Book| book.last_request.as_ref().is_some_and(|last| last.held.is_empty());
    coordinator.until("empty hands", in_hand).await;
    let games = coordinator.book(|book| book.games.len());
    assert!(games < 2 * PAIRS as usize, "it rests before everything is played");
    std::fs::rename(&away, &spool).expect("moved back");
    coordinator.shared.0.lock().expect("no panic").behaviour.leases_per_call = None;
    coordinator.until("all games", |book| book.games.len() == 2 * PAIRS as usize).await;
    cancel.cancel();
    worker.await.expect("no panic").expect("a good end");
    coordinator.book(|book| assert_eq!(book.last_request.as_ref().expect("called").resting, None));
}
