//! Verification of totals: every kind of wrong counter is found.

use crate::databases::on_both_databases;
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all};
use engine::havannah::Outcome;

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
            ("UPDATE experiment_cell SET priority = 1", "UPDATE experiment_cell SET priority = 4.5", vec!["priority, in millionths"]),
            ("UPDATE experiment_cell SET state = 'full'", "UPDATE experiment_cell SET state = 'open'", vec!["open (1) or full (0)"]),
            ("UPDATE cell SET core_us = core_us + 1, games_timed = games_timed - 1", "UPDATE cell SET core_us = core_us - 1, games_timed = games_timed + 1", vec!["core_us", "games_timed"]),
            ("UPDATE experiment SET core_us = core_us + 1", "UPDATE experiment SET core_us = core_us - 1", vec!["core_us"]),
            ("UPDATE experiment SET prior_us = prior_us + 1", "UPDATE experiment SET prior_us = prior_us - 1", vec!["prior_us"]),
            ("UPDATE cell SET void_games = 2", "UPDATE cell SET void_games = 0", vec!["void_games"]),
            ("UPDATE worker_cell SET draws = draws + 1 WHERE half = 0", "UPDATE worker_cell SET draws = draws - 1 WHERE half = 0", vec!["draws of the machine"]),
            ("UPDATE worker_cell SET speed_total = speed_total + 1 WHERE half = 1", "UPDATE worker_cell SET speed_total = speed_total - 1 WHERE half = 1", vec!["sum of speeds"]),
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
        database.run("UPDATE cell_ending SET games = games - 9").await;
        assert!(!coordinator.verify().await.expect("a number below 0 is a wrong number").is_right());
        database.run("UPDATE cell_ending SET games = games + 9").await;
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

    async fn a_value_that_is_no_name_is_reported_and_guessed_at_nowhere(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        let games = play_all(&leases[0], 3);
        worker.report(&coordinator, games.clone()).await;
        let (game, lease) = (games[0].game, leases[0].id);
        let of_game = format!("game {game} under lease {lease}");
        let Outcome::Win { winner, kind } = games[0].outcome else { panic!("another seed") };
        let pair = format!("pair 0 of cell {}", leases[0].cell);
        let worker = format!("worker worker-{} ({})", &worker.id.to_string()[..8], worker.id);
        for (corrupt, repair, place, said) in [
            ("game SET winner = 'purple' WHERE half = 0", format!("game SET winner = '{winner}' WHERE half = 0"), &of_game, "winner is `purple`"),
            ("game SET winner = 'White' WHERE half = 0", format!("game SET winner = '{winner}' WHERE half = 0"), &of_game, "winner is `White`"),
            ("game SET winner = NULL WHERE half = 0", format!("game SET winner = '{winner}' WHERE half = 0"), &of_game, "winner is NULL"),
            ("game SET kind = 'rung' WHERE half = 0", format!("game SET kind = '{kind}' WHERE half = 0"), &of_game, "kind is `rung`"),
            ("game SET kind = '' WHERE half = 0", format!("game SET kind = '{kind}' WHERE half = 0"), &of_game, "kind is ``"),
            ("game SET kind = NULL WHERE half = 0", format!("game SET kind = '{kind}' WHERE half = 0"), &of_game, "kind is NULL"),
            ("game SET half = 2 WHERE half = 0", "game SET half = 0 WHERE half = 2".into(), &of_game, "half is 2"),
            ("game SET status = 'Counted' WHERE half = 0", "game SET status = 'counted'".into(), &of_game, "status is `Counted`"),
            ("pair SET state = 'gone' WHERE idx = 0", "pair SET state = 'done' WHERE idx = 0".into(), &pair, "state is `gone`"),
            ("lease SET state = 'finis' WHERE state = 'finished'", "lease SET state = 'finished' WHERE state = 'finis'".into(), &format!("lease {lease}"), "state is `finis`"),
            ("experiment SET policy = 'luck'", "experiment SET policy = 'coverage'".into(), &"experiment one (".into(), "policy is `luck`"),
            ("experiment_cell SET state = 'shut'", "experiment_cell SET state = 'open'".into(), &"row 0 of experiment".into(), "state is `shut`"),
            ("worker SET directive = 'dance'", "worker SET directive = 'work'".into(), &worker, "directive is `dance`"),
        ] {
            database.run_unchecked(&format!("UPDATE {corrupt}")).await;
            let found = coordinator.verify().await.expect("verify");
            assert!(!found.is_right(), "{corrupt}");
            let lines: Vec<String> = found.unknown.iter().map(ToString::to_string).collect();
            assert_eq!(lines.len(), 1, "{corrupt}: {lines:?}");
            assert!(lines[0].starts_with(place.as_str()) && lines[0].contains(said), "{corrupt}: {lines:?}");
            if said.starts_with("winner") || said.starts_with("kind") {
                let games: Vec<_> = found.differences.iter().filter(|it| it.counter == "games").collect();
                assert_eq!((games[0].stored, games[0].rebuilt), (2, 1), "{corrupt}: the game is in no total");
                let error = coordinator.game(game, None).await.expect_err("it cannot be played again").to_string();
                let (column, value) = said.split_once(" is ").expect("column is value");
                assert!(error.contains(&format!("{of_game} has the {column} {value}")), "{error}");
            }
            database.run_unchecked(&format!("UPDATE {repair}")).await;
            assert_verified(&coordinator).await;
        }
    }
}
