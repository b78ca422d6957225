//! Void games: those that ended without a result that counts.

use crate::databases::on_both_databases;
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, play_all};
use coordinator::Coordinator;
use protocol::operate::{ExcludeGamesRequest, Machines, RestoreGamesRequest};
use protocol::report::Point;
use protocol::sync::FailedLease;

async fn point(coordinator: &Coordinator) -> Point {
    let mut report = coordinator.report("one").await.expect("report");
    report.series.remove(0).points.remove(0)
}

/// Why games are void, as the page of the cell says.
async fn reasons(coordinator: &Coordinator, point: &Point) -> Vec<(String, u64)> {
    let report = coordinator.cell(&point.cell.to_string()).await.expect("the cell");
    report.voids.into_iter().map(|void| (void.words, void.games)).collect()
}

on_both_databases! {
    async fn failures_and_excluded_plays_are_void_and_no_losses(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 3).await;
        worker.report(&coordinator, play_all(&leases[0], 1)).await;
        worker.drop_lease(&leases[0]);
        assert_eq!(point(&coordinator).await.void_games, 0);

        // The engine failed.
        let mut request = worker.request(Vec::new(), 0);
        request.held.retain(|held| held.lease != leases[1].id);
        request.failed = vec![FailedLease { lease: leases[1].id, why: "it crashed".into() }];
        coordinator.sync(request).await.expect("sync");
        worker.drop_lease(&leases[1]);
        let after = point(&coordinator).await;
        assert_eq!((after.games, after.void_games), (2, 1));
        let why = reasons(&coordinator, &after).await;
        assert!(matches!(&why[..], [(words, 1)] if words.ends_with("could not play it: it crashed")), "{why:?}");

        // The machine is silent until its lease lapses, and then goes on with the game: so it is not void after all.
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapsed");
        assert_eq!(point(&coordinator).await.void_games, 2);
        assert_verified(&coordinator).await;
        worker.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(point(&coordinator).await.void_games, 1);
        assert_verified(&coordinator).await;

        // A pair given back in good order is not void.
        worker.held.clear();
        worker.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(point(&coordinator).await.void_games, 1);

        let machines = Machines::Named(worker.id.to_string());
        let request = ExcludeGamesRequest { machines: machines.clone(), since_ms: None, why: "a test".into() };
        coordinator.exclude_games(request, "someone").await.expect("excluded");
        let after = point(&coordinator).await;
        assert_eq!((after.games, after.losses, after.void_games), (0, 0, 3));
        assert_eq!(reasons(&coordinator, &after).await[0], ("excluded: a test".to_owned(), 2));
        assert_verified(&coordinator).await;
        coordinator.restore_games(RestoreGamesRequest { machines }, "someone").await.expect("restored");
        let after = point(&coordinator).await;
        assert_eq!((after.games, after.void_games), (2, 1));
        coordinator.retry("one", "someone").await.expect("retried");
        assert_eq!(point(&coordinator).await.void_games, 1, "a retry does not undo what happened");
        assert_verified(&coordinator).await;
        let report = coordinator.report("one").await.expect("report");
        let analysis = coordinator.analysis("one", None).await.expect("an analysis");
        let table = protocol::table::cells(&report, &analysis).csv();
        let (header, row) = table.split_once('\n').expect("two lines");
        let column = header.split(',').position(|name| name == "void_games").expect("a column");
        assert_eq!(row.split(',').nth(column), Some("1"), "{table}");
    }
}
