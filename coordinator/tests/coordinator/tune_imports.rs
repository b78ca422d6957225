//! Tunes that learn from the games of a sweep.

use crate::databases::{Database, on_both_databases};
use crate::play::{Random, assert_verified, open};
use crate::tunes::{FILE, file, play_pairs, status};
use coordinator::Coordinator;
use protocol::experiment::Experiment;
use protocol::life::ExperimentChange;
use protocol::operate::{ExcludeGamesRequest, Machines};
use protocol::tune::TuneStatus;
use tuner::Value;

/// Cases in and outside the space of the tune, on its sizes and another one.
fn sweep() -> Experiment {
    let text = FILE.split("[tune]").next().expect("the first sections").replace("\"tune\"", "\"sweep\"")
        + "[[test]]\nid = \"k\"\nsweep = { rave_k = [300, 700, 5000], keep_tree = [true, false] }\n[sizes]\n3 = 1\n4 = 1\n5 = 1\n\
           [[budget]]\nid = \"quick\"\nsims = 100\n[play]\nseed = 4\ngames_per_cell = 20\n";
    Experiment::parse("sweep.toml", &text).expect("a sweep")
}

/// A coordinator with a sweep whose games are played.
async fn with_a_sweep(database: &Database, seed: u64) -> (Coordinator, Random) {
    let (coordinator, _) = open(database).await;
    coordinator.apply(&sweep()).await.expect("applied");
    let mut random = Random(seed);
    play_pairs(&coordinator, &mut random, 500).await;
    (coordinator, random)
}

on_both_databases! {
    async fn a_tune_does_not_wait_for_imported_games_that_were_excluded(database: Database) {
        let (coordinator, mut random) = with_a_sweep(&database, 15).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        coordinator.import_trials("tune", "sweep", "ada").await.expect("imported");
        let request = ExcludeGamesRequest { machines: Machines::All, since_ms: None, why: "too hot".into() };
        coordinator.exclude_games(request, "ada").await.expect("excluded");
        coordinator.change_experiment("sweep", ExperimentChange::Stop, "ada").await.expect("stopped");
        assert_eq!(status(&coordinator).await.imported, 0);
        play_pairs(&coordinator, &mut random, 20).await;
        assert!(status(&coordinator).await.games_played >= 40);
        assert_verified(&coordinator).await;
    }

    async fn a_finished_tune_keeps_its_result_when_games_are_imported(database: Database) {
        let (coordinator, mut random) = with_a_sweep(&database, 16).await;
        coordinator.apply(&file(&[("240", "60")])).await.expect("applied");
        // The confirmation begins with the end of the tune.
        while status(&coordinator).await.games_left > 0 {
            assert!(play_pairs(&coordinator, &mut random, 1).await > 0);
        }
        let before = status(&coordinator).await;
        let measured = |status: &TuneStatus| {
            let best = &status.recommendations[0];
            (best.is_final, best.label.clone(), best.measured.clone())
        };
        assert!(measured(&before).0, "{before:?}");
        coordinator.import_trials("tune", "sweep", "ada").await.expect("imported");
        assert_eq!(measured(&status(&coordinator).await), measured(&before));
        assert_verified(&coordinator).await;
    }

    async fn a_tune_learns_from_the_games_of_a_sweep(database: Database) {
        let (coordinator, mut random) = with_a_sweep(&database, 14).await;
        coordinator.apply(&file(&[])).await.expect("applied");
        let scheduled = file(&[("\"tune\"", "\"rounds\""), ("games = 240", "games = 240\nstrategy = \"halving\"")]);
        coordinator.apply(&scheduled).await.expect("applied");
        let refused = coordinator.import_trials("rounds", "sweep", "ada").await.expect_err("refused").to_string();
        assert!(refused.contains("the strategy `halving` of `rounds` follows the number of its games"), "{refused}");
        coordinator.change_experiment("rounds", ExperimentChange::Stop, "ada").await.expect("stopped");
        let imported = coordinator.import_trials("tune", "sweep", "ada").await.expect("imported");
        // Not those outside the range, and not those on size 5.
        assert_eq!((imported.points, imported.games), (4, 4 * 2 * 20));
        let again = coordinator.import_trials("tune", "sweep", "ada").await.expect_err("nothing new").to_string();
        assert!(again.contains("no game of `sweep` is new to `tune`"), "{again}");
        assert!(again.contains("6 cells on size 5, which the tune does not play"), "{again}");
        assert!(again.contains("4 cells with a value of `rave_k` that it does not try"), "{again}");
        assert!(again.contains("8 cells with no game that is new"), "{again}");
        let before = status(&coordinator).await;
        assert_eq!((before.imported, before.games_played, before.games_left), (160, 0, 240));
        assert_eq!(before.recommendations[0].recommendation.point["keep_tree"], Value::Flag(true), "the sweep says so");
        play_pairs(&coordinator, &mut random, 20).await;
        assert!(status(&coordinator).await.games_played >= 40);
        let text = FILE.replace("\"tune\"", "\"slow\"").replace("sims = 100", "sims = 200");
        coordinator.apply(&Experiment::parse("slow.toml", &text).expect("a tune")).await.expect("applied");
        let slow = coordinator.import_trials("slow", "sweep", "ada").await.expect_err("other sims").to_string();
        assert!(slow.contains("12 cells with 100 sims a move, not 200 sims"), "{slow}");
        assert_verified(&coordinator).await;
    }
}
