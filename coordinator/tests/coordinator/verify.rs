//! Totals are provable: a wrong counter is found, whichever it is.

use crate::databases::on_both_databases;
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all};

on_both_databases! {
    async fn every_wrong_counter_is_found(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        for lease in worker.take(&coordinator, 4).await.into_iter().take(3) {
            worker.report(&coordinator, play_all(&lease, u64::from(lease.pair))).await;
        }
        assert_verified(&coordinator).await;
        for (corrupt, repair, found) in [
            ("UPDATE cell SET games = games + 1, draws = draws + 1", "UPDATE cell SET games = games - 1, draws = draws - 1", vec!["games", "draws"]),
            ("UPDATE cell SET ll = ll + 1, pairs_done = pairs_done + 1, pairs_started = pairs_started + 1", "UPDATE cell SET ll = ll - 1, pairs_done = pairs_done - 1, pairs_started = pairs_started - 1", vec!["ll", "pairs_started", "pairs_done"]),
            ("UPDATE cell SET plies = plies + 5", "UPDATE cell SET plies = plies - 5", vec!["plies"]),
            ("UPDATE cell SET pairs_in_flight = 0", "UPDATE cell SET pairs_in_flight = 1", vec!["pairs_in_flight"]),
            ("UPDATE experiment SET games_done = 7", "UPDATE experiment SET games_done = 6", vec!["games_done"]),
            ("UPDATE experiment SET pairs_in_flight = 3", "UPDATE experiment SET pairs_in_flight = 1", vec!["pairs_in_flight"]),
            ("UPDATE experiment_cell SET priority = 1", "UPDATE experiment_cell SET priority = 4", vec!["priority × share"]),
            ("UPDATE experiment_cell SET state = 'full'", "UPDATE experiment_cell SET state = 'open'", vec!["open (1) or full (0)"]),
            ("UPDATE worker SET games = 5", "UPDATE worker SET games = 6", vec!["games"]),
        ] {
            database.run(corrupt).await;
            let differences = coordinator.verify().await.expect("verify").differences;
            let counters: Vec<&str> = differences.iter().map(|difference| difference.counter.as_str()).collect();
            assert_eq!(counters, found, "{corrupt}");
            database.run(repair).await;
            assert_verified(&coordinator).await;
        }
    }

    async fn a_game_that_vanished_is_found(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 3)).await;
        database.run("DELETE FROM game WHERE half = 1").await;
        let verification = coordinator.verify().await.expect("verify");
        assert_eq!((verification.cells, verification.pairs, verification.games), (1, 1, 1));
        let places: Vec<String> = verification.differences.iter().map(ToString::to_string).collect();
        for wanted in [
            format!("pair 0 of cell {}: state (0 open, 1 leased, 2 done) is 2, the games give 0", lease.cell),
            format!("cell {}: games is 2, the games give 1", lease.cell),
            "experiment one: games_done is 2, the games give 1".into(),
        ] {
            assert!(places.contains(&wanted), "{wanted} is not in {places:#?}");
        }
    }
}
