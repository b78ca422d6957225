//! Several coordinators on one database.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play, play_all, token,
};
use coordinator::{Clock, Coordinator};
use protocol::sync::AckStatus::{Accepted, Duplicate};
use std::collections::HashSet;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A coordinator that serves until it is stopped.
struct Serving {
    coordinator: Coordinator,
    address: std::net::SocketAddr,
    stop: CancellationToken,
    task: JoinHandle<std::io::Result<()>>,
}

async fn serve(coordinator: Coordinator) -> Serving {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let stop = CancellationToken::new();
    let task = tokio::spawn(coordinator.serve(listener, stop.clone()));
    Serving { coordinator, address, stop, task }
}

impl Serving {
    /// The lines of the event stream, read with a token.
    async fn events(&self, token: &str) -> Lines<BufReader<TcpStream>> {
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        let request = format!(
            "GET /api/v1/events HTTP/1.1\r\nHost: lab\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        BufReader::new(stream).lines()
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.expect("no panic").expect("served");
        self.coordinator.close().await;
    }
}

/// Reads until the event of this revision or a later one.
async fn revision_from(lines: &mut Lines<BufReader<TcpStream>>, wanted: i64) {
    while let Some(line) = lines.next_line().await.expect("a line") {
        let number = line.strip_prefix("data: {\"revision\":").and_then(|rest| rest.strip_suffix('}'));
        if number.and_then(|number| number.parse::<i64>().ok()).is_some_and(|number| number >= wanted) {
            return;
        }
    }
    panic!("the stream ended before revision {wanted}");
}

on_both_databases! {
    async fn a_worker_goes_from_one_coordinator_to_another_and_loses_nothing(database: Database) {
        let (first, clock) = open(&database).await;
        let (second, _) = open_with(&database, |config| config.clock = clock.clone()).await;
        first.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&first, 2).await;
        let game = play(&leases[0], leases[0].games[0], 7);
        assert_eq!(worker.report(&first, vec![game.clone()]).await, [Accepted]);
        // The answer is lost. The worker delivers the same game to the other coordinator, with the rest of the pair.
        let rest = play(&leases[0], leases[0].games[1], 7);
        assert_eq!(worker.report(&second, vec![game.clone(), rest]).await, [Duplicate, Accepted]);
        worker.drop_lease(&leases[0]);
        assert!(worker.sync(&second, Vec::new(), 0).await.revoked.is_empty(), "the other lease is still held");
        assert_eq!(worker.report(&first, vec![game]).await, [Duplicate]);

        // Both coordinators know a new process at once, and both refuse the old process.
        let old = worker.clone();
        worker.start_anew();
        worker.held.clone_from(&old.held);
        worker.sync(&second, Vec::new(), 0).await;
        let refused = first.sync(old.request(Vec::new(), 1)).await.expect_err("another took its place");
        assert!(refused.to_string().contains("another process"), "{refused}");

        // One coordinator takes the lapsed lease back, and the other finds nothing to do.
        clock.advance(LEASE_AND_A_BIT);
        let lapsed = tokio::join!(first.lapse(), second.lapse());
        assert_eq!(lapsed.0.expect("lapse") + lapsed.1.expect("lapse"), 1);
        assert_verified(&first).await;
        assert_verified(&second).await;
    }

    async fn totals_are_exact_when_two_take_results_of_the_same_pairs_at_once(database: Database) {
        let (first, _) = open(&database).await;
        let (second, _) = open(&database).await;
        let cells = (0..3).map(|k| cell(100 + k, 3, 10, 1.0)).collect();
        first.apply(&experiment("one", cells)).await.expect("apply");
        let mut seen = HashSet::new();
        let mut accepted = 0;
        for round in 0..5 {
            let mut workers = [Worker::new(), Worker::new()];
            let mut games = Vec::new();
            for (worker, coordinator) in workers.iter_mut().zip([&first, &second]) {
                for lease in worker.take(coordinator, 3).await {
                    assert!(seen.insert((lease.cell, lease.pair)), "{lease:?}");
                    games.push((worker.clone(), play_all(&lease, round)));
                }
            }
            // Every call is made to both coordinators at once.
            let calls = games.iter().flat_map(|(worker, games)| {
                [&first, &second].map(|coordinator| worker.report(coordinator, games.clone()))
            });
            let answers = futures_util::future::join_all(calls).await;
            for pair in answers.chunks(2) {
                for (one, other) in pair[0].iter().zip(&pair[1]) {
                    accepted += 1;
                    let both = [one, other];
                    assert!(both.contains(&&Accepted) && both.contains(&&Duplicate), "{both:?}");
                }
            }
        }
        assert_eq!(accepted, 60);
        for coordinator in [&first, &second] {
            assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 60);
            assert_verified(coordinator).await;
        }
    }

    async fn a_page_of_one_hears_of_results_that_another_took_until_its_token_is_revoked(database: Database) {
        let (first, _) = open(&database).await;
        let (second, _) = open(&database).await;
        let serving = serve(second).await;
        first.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let reader = token(&first, "read").await.expect("token");
        let mut lines = serving.events(&reader).await;
        revision_from(&mut lines, 0).await;
        let before = *first.changes().borrow();
        let mut worker = Worker::new();
        let lease = worker.take(&first, 1).await.remove(0);
        worker.report(&first, play_all(&lease, 7)).await;
        revision_from(&mut lines, before + 2).await;

        first.revoke_token("test", "ada").await.expect("revoked");
        // The revocation ends the stream; otherwise this loop would not end.
        while lines.next_line().await.expect("a line").is_some() {}
        let mut again = serving.events(&reader).await;
        let answer = again.next_line().await.expect("a line").expect("an answer");
        assert!(answer.contains("401"), "{answer}");
        serving.end().await;
    }

    async fn whoever_runs_while_a_newer_program_changes_the_schema_stops(database: Database) {
        let (old, _) = open(&database).await;
        old.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&old, 1).await.remove(0);
        let serving = serve(old).await;
        database
            .run(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 SELECT 999, 'future', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1",
            )
            .await;
        let refused = serving.coordinator.sync(worker.request(play_all(&lease, 7), 1)).await;
        let refused = refused.expect_err("it does not know what it would write").to_string();
        assert!(refused.contains("version 999"), "{refused}");
        let why = serving.task.await.expect("no panic").expect_err("it ends by itself").to_string();
        assert!(why.contains("newer Gauntlet") && why.contains("version 999"), "{why}");
        database.run("DELETE FROM _sqlx_migrations WHERE version = 999").await;
        assert_eq!(worker.report(&serving.coordinator, play_all(&lease, 7)).await, [Accepted; 2]);
    }

}

#[tokio::test]
async fn a_coordinator_whose_machine_is_ahead_takes_nothing_back_before_its_time() {
    let Some(database) = Database::postgres().await else { return };
    let (first, _) = open_with(&database, |config| config.clock = Clock::System).await;
    first.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    assert_eq!(worker.take(&first, 2).await.len(), 2);
    let ahead = Clock::shifted(3_600_000);
    let (second, _) = open_with(&database, |config| config.clock = ahead.clone()).await;
    assert!((ahead.now_ms() - Clock::System.now_ms()).abs() < 600_000, "it goes by the database's clock");
    assert_eq!(second.lapse().await.expect("lapse"), 0);
    let overview = second.overview().await.expect("overview");
    assert_eq!(overview.workers[0].pairs_held, 2);
}
