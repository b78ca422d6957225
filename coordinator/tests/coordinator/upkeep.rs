//! Upkeep that keeps Postgres fast while the tables are new and busy.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, cell, experiment, open};
use futures_util::future::join_all;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_coordinator_that_serves_clears_away_the_old_versions_of_busy_rows() {
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = open(&database).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let stop = CancellationToken::new();
    let serving = tokio::spawn(coordinator.clone().serve(listener, stop.clone()));
    // `last_vacuum` covers vacuums by command only, not Postgres's automatic ones.
    let cleared = "SELECT COUNT(*) FROM pg_stat_user_tables WHERE schemaname = current_schema() \
                   AND relname IN ('cell', 'experiment', 'experiment_cell', 'recent_games', 'revision') \
                   AND last_vacuum IS NOT NULL";
    database.until(cleared, 5).await;
    stop.cancel();
    serving.await.expect("no panic").expect("served");
    coordinator.close().await;
}

on_both_databases! {
    async fn rates_of_long_ago_are_kept_by_the_hour_where_they_are_many(database: Database) {
        let (coordinator, _) = open(&database).await;
        for (name, from, buckets) in [("short", 0, 12), ("long", 100, 720)] {
            let cells = vec![cell(500 + buckets, 4, 2, 1.0)];
            coordinator.apply(&experiment(name, cells)).await.expect("apply");
            let last = from + buckets - 1;
            let rates = format!(
                "WITH RECURSIVE slice (bucket) AS (SELECT {from} UNION ALL SELECT bucket + 1 FROM slice WHERE bucket < {last}) \
                 INSERT INTO recent_games (experiment, bucket, games) \
                 SELECT id, bucket, 5 FROM experiment, slice WHERE name = '{name}'"
            );
            database.run(&rates).await;
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let stop = CancellationToken::new();
        let serving = tokio::spawn(coordinator.clone().serve(listener, stop.clone()));
        while database.count("SELECT COUNT(*) FROM past_games").await == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(database.count("SELECT COUNT(*) FROM recent_games").await, 0);
        // Two minutes stay twelve slices; two hours are the hours that they touch.
        for (games, slices) in [("buckets = 1 AND games = 5", 12), ("buckets = 360 AND games <= 1800", 3)] {
            let count = format!("SELECT COUNT(*) FROM past_games WHERE {games}");
            assert_eq!(database.count(&count).await, slices, "{games}");
        }
        let until = coordinator.history("short").await.expect("a history").games;
        let times: Vec<(i64, u64)> = until[1..].iter().map(|until| (until.at_ms, until.games)).collect();
        assert_eq!(times[..2], [(10_000, 5), (20_000, 10)]);
        assert_eq!((times.len(), times[11]), (12, (120_000, 60)));
        stop.cancel();
        serving.await.expect("no panic").expect("served");
        coordinator.close().await;
    }
}

#[tokio::test]
async fn calls_on_tables_that_were_empty_a_moment_ago_read_no_leases_of_other_workers() {
    const WORKERS: usize = 128;
    const LEASES: usize = 4;
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 10_000, 1.0)])).await.expect("apply");
    let mut fleet: Vec<Worker> = (0..WORKERS).map(|_| Worker::new()).collect();
    // Of eight concurrent calls, the first goes to the writer alone and the others together.
    for some in fleet.chunks_mut(8) {
        join_all(some.iter_mut().map(|worker| worker.take(&coordinator, LEASES as u32))).await;
    }
    for some in fleet.chunks(8) {
        join_all(some.iter().map(|worker| worker.sync(&coordinator, Vec::new(), 0))).await;
    }
    coordinator.close().await;
    // A Postgres connection reports its statistics when it ends, shortly after it was closed.
    let heard = "SELECT COALESCE(SUM(n_tup_upd), 0) FROM pg_stat_user_tables \
                 WHERE schemaname = current_schema() AND relname = 'worker'";
    database.until(heard, 2 * WORKERS as i64).await;
    let read = "SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes \
                WHERE schemaname = current_schema() AND indexrelname = 'lease_worker'";
    let theirs = (WORKERS * LEASES) as i64;
    database.until(read, theirs).await;
    let read = database.number(read).await;
    assert!((theirs..=2 * theirs).contains(&read), "{read} leases were read for {theirs} in hand");
}
