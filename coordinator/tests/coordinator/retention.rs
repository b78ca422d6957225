//! Copies of whole databases between both kinds, and the retention of old games.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play_all, token,
};
use coordinator::{CoordinatorError, CopyError, copy};
use protocol::games::GamesPage;
use protocol::sync::AckStatus::{Accepted, Superseded};
use std::cell::Cell;
use std::time::Duration;

/// Fills a database with pairs and games in every state: finished, half-finished, leased, lapsed, suspended, excluded,
/// superseded.
async fn fill(database: &Database) -> Vec<protocol::ids::GameId> {
    let (coordinator, clock) = open_with(database, |config| config.most_failures = 1).await;
    let cells = vec![cell(500, 4, 700, 1.0), cell(100, 5, 3, 0.5)];
    coordinator.apply(&experiment("one", cells)).await.expect("apply");
    coordinator.apply(&experiment("two, \"quoted\"", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    token(&coordinator, "work").await.expect("token");
    let mut slow = Worker::new();
    let late = slow.take(&coordinator, 1).await.remove(0);
    clock.advance(LEASE_AND_A_BIT);
    coordinator.lapse().await.expect("lapse");
    coordinator.retry("one", "ada").await.expect("retry");
    let mut worker = Worker::new();
    // More pairs and games than one page of the copy holds.
    let mut games = Vec::new();
    for _ in 0..6 {
        let leases = worker.take(&coordinator, 100).await;
        worker.held.clear();
        let played: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, 7)).collect();
        games.extend(played.iter().map(|game| game.game));
        worker.report(&coordinator, played).await;
    }
    let late = slow.report(&coordinator, play_all(&late, 8)).await;
    assert_eq!(late, [Superseded, Superseded]);
    let half = worker.take(&coordinator, 2).await.remove(0);
    worker.report(&coordinator, play_all(&half, 9)[..1].to_vec()).await;
    coordinator.exclude(games[0], None, "too hot", "ada").await.expect("exclude");
    Worker::new().take(&coordinator, 2).await;
    assert_verified(&coordinator).await;
    coordinator.close().await;
    games
}

/// Everything that the API shows, except values that depend on the present.
async fn shown(database: &Database) -> String {
    let (coordinator, _) = open(database).await;
    let mut out = format!("{:?}", coordinator.overview().await.expect("overview"));
    for name in ["one", "two, \"quoted\""] {
        out += &format!("{:?}", coordinator.report(name).await.expect("report"));
        let mut after = None;
        loop {
            let page: GamesPage = coordinator.games(name, after.as_deref(), 500).await.expect("games");
            for game in page.games.iter().take(3) {
                out += &format!("{:?}", coordinator.game(game.id, Some(game.lease)).await.expect("game"));
            }
            out += &format!("{:?}", page.games);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
    }
    out += &format!("{:?}", coordinator.audit(None, 1_000).await.expect("audit"));
    out += &format!("{:?}", coordinator.tokens().await.expect("tokens"));
    coordinator.close().await;
    out
}

on_both_databases! {
    async fn a_copy_is_the_same_in_everything_and_goes_on_where_the_original_was(database: Database) {
        fill(&database).await;
        let original = shown(&database).await;
        let mut targets = vec![Database::sqlite()];
        targets.extend(Database::postgres().await);
        for target in targets {
            let (copied, verification) = copy(&database.address, &target.address).await.expect("copied");
            let rows = |name| copied.iter().find(|(table, _)| *table == name).expect("a table").1;
            assert!(rows("game") > 1_000 && rows("pair") > 500, "{copied:?}");
            assert_eq!((verification.differences.len(), verification.cells), (0, 2));
            assert_eq!(shown(&target).await, original);
            if target.address.starts_with("postgres") {
                // Postgres reports -1 for a table without statistics.
                let known = target.number("SELECT reltuples FROM pg_class WHERE oid = CAST('game' AS REGCLASS)").await;
                assert_eq!(known.unsigned_abs(), rows("game"), "Postgres plans with what was copied");
            }
            // The copy can be served.
            let (coordinator, _) = open(&target).await;
            let mut worker = Worker::new();
            let lease = worker.take(&coordinator, 1).await.remove(0);
            assert_eq!(worker.report(&coordinator, play_all(&lease, 3)).await, [Accepted; 2][..lease.games.len()]);
            assert_verified(&coordinator).await;
            coordinator.close().await;
            let again = copy(&database.address, &target.address).await.expect_err("it holds something now");
            assert!(matches!(again, CopyError::NotEmpty(_)), "{again}");
        }
        assert_eq!(shown(&database).await, original, "the original is untouched");
    }

    async fn a_copy_is_that_of_one_moment_while_games_go_on(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 100_000, 1.0)])).await.expect("apply");
        let target = Database::sqlite();
        let (is_copied, is_begun) = (Cell::new(false), tokio::sync::Notify::new());
        let copying = async {
            is_begun.notified().await;
            let copied = copy(&database.address, &target.address).await;
            is_copied.set(true);
            copied
        };
        let playing = async {
            let mut worker = Worker::new();
            let mut games = 0;
            loop {
                let over = is_copied.get();
                let leases = worker.take(&coordinator, 5).await;
                let played: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, 7)).collect();
                games += played.len() as u64;
                worker.report(&coordinator, played).await;
                is_begun.notify_one();
                if over {
                    return games;
                }
            }
        };
        let (copied, games) = tokio::join!(copying, playing);
        let (_, verification) = copied.expect("copied, with right totals");
        assert!((1..games).contains(&verification.games), "{} of {games}", verification.games);
        assert_verified(&coordinator).await;
    }

    async fn a_database_that_does_not_add_up_is_copied_with_its_wrong_totals(database: Database) {
        fill(&database).await;
        database.run("UPDATE cell SET plies = plies + 1").await;
        let elsewhere = Database::sqlite();
        let (_, verification) = copy(&database.address, &elsewhere.address).await.expect("copied");
        assert_eq!(verification.differences.len(), 2, "{verification:?}");
        let (copied, _) = open(&elsewhere).await;
        assert_eq!(copied.verify().await.expect("verified").differences, verification.differences);
        let absent = copy("nowhere.db", &Database::sqlite().address).await.expect_err("there is none");
        assert!(absent.to_string().contains("nowhere.db"), "{absent}");
    }

    async fn moves_of_old_games_are_dropped_and_their_results_kept(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 600, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let mut old_games = Vec::new();
        for _ in 0..2 {
            let leases = worker.take(&coordinator, 150).await;
            worker.held.clear();
            let old: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, 7)).collect();
            old_games.extend(old.iter().map(|game| game.game));
            worker.report(&coordinator, old).await;
        }
        let old_game = old_games[0];
        clock.advance(86_400_000);
        let young = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&young, 7)).await;
        let before = coordinator.report("one").await.expect("report").series;

        let dropped = coordinator.drop_records(Duration::from_secs(3600), "ada").await.expect("dropped");
        assert_eq!(dropped, 600, "in more than one transaction");
        assert_eq!(coordinator.drop_records(Duration::from_secs(3600), "ada").await.expect("nothing"), 0);
        assert_eq!(coordinator.report("one").await.expect("report").series, before);
        let gone = coordinator.game(old_game, None).await.expect_err("its moves are gone");
        assert!(matches!(gone, CoordinatorError::Dropped(game) if game == old_game), "{gone}");
        coordinator.game(young.games[0].id, None).await.expect("a young one is whole");
        let page = coordinator.games("one", None, 1_000).await.expect("games");
        assert_eq!(page.games.len(), 602, "the list has them all");
        coordinator.exclude(old_game, None, "still possible", "ada").await.expect("exclude");
        coordinator.restore(old_game, None, "ada").await.expect("restore");
        assert_verified(&coordinator).await;
        let noted = coordinator.audit(None, 9).await.expect("audit").entries;
        assert!(noted.iter().any(|entry| entry.action == "drop" && entry.detail == "600 games"), "{noted:?}");
    }
}
