//! The fate of leases and games.

use crate::book::{Behaviour, Book, Coordinator, size, spooled};
use engine::havannah::BoardSize;
use protocol::lease::ParamSet;
use tokio_util::sync::CancellationToken;
use worker::{Config, WorkerError, run};

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
async fn revoked_leases_are_dropped_in_mid_game() {
    let home = tempfile::tempdir().expect("a directory");
    let board = BoardSize::new(7).ok();
    let behaviour =
        Behaviour { pairs: 3, sims: 20_000, revoke_at_plies: Some(1), board, ..Behaviour::default() };
    let coordinator = Coordinator::start(behaviour).await;
    let cancel = CancellationToken::new();
    let worker = tokio::spawn(run(coordinator.config(home.path()), cancel.clone()));
    coordinator.until("revocations", |book| book.revoked.len() >= 4).await;
    // The next call tells what became of the last of them.
    let calls = coordinator.book(|book| book.calls);
    coordinator.until("another call", |book| book.calls > calls).await;
    coordinator.book(|book| assert_eq!(book.held_though_revoked, [], "revoked leases are not listed again"));
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
