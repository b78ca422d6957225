//! Games of another database are imported.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, open_with, play_all};
use crate::rechecks::{SIMS, TIME, honest, lies, quick, turn};
use coordinator::{Coordinator, Imported};
use protocol::bundle::BundledGame;
use protocol::ids::WorkerId;
use protocol::sync::AckStatus;

/// All games of the experiment, as a bundle has them.
async fn bundled(coordinator: &Coordinator) -> Vec<BundledGame> {
    let mut bundled = Vec::new();
    for line in coordinator.games("one", None, 100).await.expect("games").games {
        let game = coordinator.game(line.id, Some(line.lease)).await.expect("a game");
        let (opening, seed) = (game.opening, game.seed);
        bundled.push(BundledGame { line: game.line, spec: game.spec, opening, seed, play: Some(game.play) });
    }
    bundled
}

async fn report(coordinator: &Coordinator) -> protocol::report::ExperimentReport {
    coordinator.report("one").await.expect("a report")
}

on_both_databases! {
    /// The process that imports knows nothing of the share of rechecks, and the experiment is over when the coordinator starts.
    async fn invented_games_that_are_imported_are_found_by_rechecks(database: Database) {
        for budget in [SIMS, TIME] {
            let plan = experiment("one", vec![quick(budget)]);
            let elsewhere = Database::sqlite();
            let (there, _) = open(&elsewhere).await;
            there.apply(&plan).await.expect("apply");
            let mut liar = Worker::new();
            turn(&there, &mut liar, |lease| lies(lease, 9)).await;
            let games = bundled(&there).await;

            let here = Database::sqlite();
            let here = if budget == SIMS { &database } else { &here };
            let (importing, _) = open(here).await;
            importing.apply(&plan).await.expect("apply");
            let imported = importing.import_games("one", games).await.expect("imported");
            assert_eq!(imported, Imported { counted: 2, ..Imported::default() });
            importing.close().await;

            let (serving, _) = open_with(here, |config| config.replay_share = 1.0).await;
            let (mut second, mut third) = (Worker::new(), Worker::new());
            let unmeasured = Worker { speeds: Vec::new(), ..second.clone() };
            let sizes = unmeasured.sync(&serving, Vec::new(), 0).await.sizes;
            assert_eq!(sizes.len(), 1, "to be measured, though nothing but rechecks is missing");
            for checker in [&mut second, &mut third] {
                let checked = turn(&serving, checker, |lease| honest(lease, 5)).await;
                assert_eq!(checked, [AckStatus::Superseded; 2]);
            }
            let why = serving.why(&WorkerId::of_import(liar.id).to_string()).await.expect("why").reasons.join("\n");
            assert!(why.contains("had other moves on two other machines"), "{why}");
            assert_eq!(report(&serving).await.summary.games_done, 0, "to be played once more");
            assert_verified(&serving).await;
        }
    }

    /// A bundle says that an honest machine of this fleet played what nobody played, and an accomplice in the fleet agrees with it.
    async fn a_forged_bundle_with_the_id_of_a_local_machine_convicts_no_honest_one(database: Database) {
        let plan = experiment("one", vec![quick(SIMS)]);
        let elsewhere = Database::sqlite();
        let (there, _) = open(&elsewhere).await;
        there.apply(&plan).await.expect("apply");
        let mut named = Worker::new();
        turn(&there, &mut named, |lease| lies(lease, 9)).await;
        let forged = bundled(&there).await;

        let (here, _) = open_with(&database, |config| config.replay_share = 1.0).await;
        here.apply(&plan).await.expect("apply");
        let (mut accused, mut accomplice, mut other) = (Worker { id: named.id, ..Worker::new() }, Worker::new(), Worker::new());
        for machine in [&accused, &accomplice, &other] {
            machine.sync(&here, Vec::new(), 0).await;
        }
        let imported = here.import_games("one", forged.clone()).await.expect("imported");
        assert_eq!(imported, Imported { counted: 2, ..Imported::default() });
        let quarantined = async || {
            let overview = here.overview().await.expect("overview");
            let rows = overview.workers.into_iter().filter(|row| row.quarantine.is_some());
            rows.map(|row| row.id).collect::<Vec<_>>()
        };
        turn(&here, &mut accused, |lease| honest(lease, 5)).await;
        turn(&here, &mut accomplice, |lease| lies(lease, 9)).await;
        assert_eq!(quarantined().await, [], "the bundle and one machine are no two machines of this fleet");
        assert_eq!(turn(&here, &mut other, |lease| honest(lease, 5)).await.len(), 2, "the dispute goes on");
        let mut found = quarantined().await;
        found.retain(|id| *id != WorkerId::of_import(named.id));
        assert_eq!(found, [accomplice.id]);
        assert_eq!(report(&here).await.summary.games_done, 0, "to be played once more");
        assert_verified(&here).await;
    }

    async fn an_imported_play_that_differs_from_the_one_that_counts_is_refused_and_that_one_is_rechecked(database: Database) {
        let plan = experiment("one", vec![quick(SIMS)]);
        let elsewhere = Database::sqlite();
        let (there, _) = open(&elsewhere).await;
        there.apply(&plan).await.expect("apply");
        turn(&there, &mut Worker::new(), |lease| lies(lease, 9)).await;
        let forged = bundled(&there).await;
        // Hardly any game is rechecked by chance.
        let (here, _) = open_with(&database, |config| config.replay_share = 1e-9).await;
        here.apply(&plan).await.expect("apply");
        turn(&here, &mut Worker::new(), |lease| honest(lease, 5)).await;
        let imported = here.import_games("one", forged).await.expect("imported");
        assert_eq!((imported.superseded, imported.refused.len()), (0, 2), "{imported:?}");
        assert!(imported.refused[0].contains("another play of it counts, which is rechecked now: move 1"), "{imported:?}");
        assert_verified(&here).await;
        let checked = turn(&here, &mut Worker::new(), |lease| honest(lease, 5)).await;
        assert_eq!(checked, [AckStatus::Superseded; 2], "a recheck of both games");
        assert_eq!(report(&here).await.summary.games_done, 2);
    }

    async fn a_game_that_was_changed_since_it_was_stored_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![quick(SIMS)])).await.expect("apply");
        turn(&coordinator, &mut Worker::new(), |lease| honest(lease, 5)).await;
        let mut games = bundled(&coordinator).await;
        games[0].play.as_mut().expect("moves").record.nodes[0] += 1;
        let imported = coordinator.import_games("one", games).await.expect("imported");
        assert_eq!((imported.known, imported.refused.len()), (1, 1));
        let expected = "another play is stored under its lease: move 1 after the opening was ";
        assert!(imported.refused[0].contains(expected), "{imported:?}");
        assert_verified(&coordinator).await;
    }

    async fn imported_games_count_once_and_play_goes_on_after_them(database: Database) {
        let plan = experiment("one", vec![cell(500, 3, 9, 1.0)]);
        let elsewhere = Database::sqlite();
        let (there, _) = open(&elsewhere).await;
        there.apply(&plan).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&there, 4).await;
        for lease in [&leases[0], &leases[3]] {
            worker.report(&there, play_all(lease, 1)).await;
        }
        let games = bundled(&there).await;
        assert_eq!(games.len(), 4);

        let (here, _) = open(&database).await;
        here.apply(&plan).await.expect("apply");
        let mut own = Worker::new();
        let held = own.take(&here, 1).await.remove(0);
        let imported = here.import_games("one", games.clone()).await.expect("imported");
        assert_eq!(imported, Imported { counted: 4, ..Imported::default() });
        assert_verified(&here).await;
        let after = report(&here).await;
        assert_eq!((after.summary.games_done, after.summary.pairs_in_flight), (4, 0));
        // Pairs that were in flight there are missing here, until they are played.
        let mut elsewhere = report(&there).await.series;
        elsewhere[0].points[0].pairs_in_flight = 0;
        elsewhere[0].points[0].missing = after.series[0].points[0].missing.clone();
        assert_eq!(after.series, elsewhere);
        assert!((after.summary.core_seconds - report(&there).await.summary.core_seconds).abs() < 60.0);
        let again = here.import_games("one", games.clone()).await.expect("imported");
        assert_eq!(again, Imported { known: 4, ..Imported::default() });
        // A machine whose games were brought never called here, and so it has not left.
        let fleet = here.overview().await.expect("overview").fleet;
        assert_eq!((fleet.workers, fleet.alive, fleet.others), (1, 1, 1));

        // The pair that was in play here is complete, and what comes for it is superseded.
        let late = own.report(&here, play_all(&held, 2)).await;
        assert!(late.iter().all(|status| *status == AckStatus::Superseded), "{late:?}");
        own.drop_lease(&held);
        // Pairs 1 and 2 were begun there. They come first, and then pair 4.
        let next: Vec<u32> = own.take(&here, 3).await.iter().map(|lease| lease.pair).collect();
        assert_eq!(next, [1, 2, 4]);
        assert_verified(&here).await;

        // What cannot be imported.
        let changed = |change: fn(&mut BundledGame)| {
            let mut game = games[0].clone();
            game.line.lease = protocol::ids::LeaseId::random();
            change(&mut game);
            here.import_games("one", vec![game])
        };
        let without = changed(|game| game.play = None).await.expect("imported");
        assert_eq!(without, Imported { without_moves: 1, ..Imported::default() });
        let uncounted = changed(|game| game.line.status = protocol::games::GameStatus::Superseded).await;
        assert_eq!(uncounted.expect("imported"), Imported { uncounted: 1, ..Imported::default() });
        let unplanned = changed(|game| game.line.cell = protocol::ids::CellId(protocol::ids::LeaseId::random().0)).await;
        assert_eq!(unplanned.expect("imported"), Imported { unplanned: 1, ..Imported::default() });
        let twice = changed(|_| {}).await.expect("imported");
        assert_eq!(twice, Imported { superseded: 1, ..Imported::default() });
        assert!(here.import_games("none", Vec::new()).await.is_err());
        assert_verified(&here).await;
    }
}
