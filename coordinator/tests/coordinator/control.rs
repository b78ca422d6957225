//! The control in the overview.

use crate::databases::on_both_databases;
use crate::play::{Worker, cell, experiment, open, play};
use coordinator::Coordinator;
use protocol::alarm::{AlarmKind, Severity};
use protocol::experiment::PlannedCell;
use protocol::report::{ControlReport, Light};
use protocol::result::FinishedGame;

/// A player against itself.
fn itself(size: u8, pairs: u32) -> PlannedCell {
    let mut cell = cell(1, size, pairs, 1.0);
    cell.case = cell.baseline.clone();
    cell.spec.case = cell.spec.baseline.clone();
    cell
}

async fn control(coordinator: &Coordinator) -> Option<ControlReport> {
    coordinator.overview().await.expect("overview").control
}

/// Plays pairs. A game is tried again until the case has won, if `is_biased`.
async fn deliver(coordinator: &Coordinator, pairs: u32, is_biased: bool) {
    let mut worker = Worker::new();
    for round in 0..pairs.div_ceil(8) {
        let leases = worker.take(coordinator, 8).await;
        let games: Vec<FinishedGame> = leases
            .iter()
            .flat_map(|lease| lease.games.iter().map(move |game| (lease, *game)))
            .map(|(lease, game)| {
                let seeds = u64::from(round * 100_000 + lease.pair * 500)..;
                let played = seeds.map(|seed| play(lease, game, seed));
                let mut played =
                    played.skip_while(|played| is_biased && played.outcome.winner() != Some(game.case_side));
                played.next().expect("seeds without end")
            })
            .collect();
        worker.held.clear();
        worker.report(coordinator, games).await;
    }
}

on_both_databases! {
    async fn the_light_is_grey_for_few_fair_games_and_not_for_games_that_the_case_always_wins(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("sweep", vec![cell(10, 3, 8, 1.0)])).await.expect("apply");
        deliver(&coordinator, 8, true).await;
        assert_eq!(control(&coordinator).await, None, "a case that is not its baseline may win");
        coordinator.apply(&experiment("fair", vec![itself(3, 16), itself(4, 16)])).await.expect("apply");
        deliver(&coordinator, 32, false).await;
        let found = control(&coordinator).await.expect("control games");
        assert_eq!((found.light, found.cells, found.pairs), (Light::Grey, 2, 32), "{found:?}");
        let mut biased = itself(3, 8);
        biased.spec.seed = 99;
        coordinator.apply(&experiment("biased", vec![biased])).await.expect("apply");
        deliver(&coordinator, 8, true).await;
        let found = control(&coordinator).await.expect("control games");
        assert_eq!((found.cells, found.pairs), (3, 40));
        let page = coordinator.control_page().await.expect("the control");
        assert_eq!(page.control.as_ref(), Some(&found));
        let pairs: u64 = page.cells.iter().map(|cell| cell.point.pairs).sum();
        assert_eq!((page.cells.len(), pairs), (3, 40), "every cell, and no other");
        assert!(page.cells.iter().all(|cell| cell.label == "uct" && cell.point.estimate.is_some()));
        assert_eq!(found.light, Light::Amber, "16 wins of 16 in one of three cells: {found:?}");
        let alarms = coordinator.look_for_alarms().await.expect("alarms").alarms;
        assert_eq!(alarms.iter().map(|alarm| (alarm.kind, alarm.severity)).collect::<Vec<_>>(), [(AlarmKind::Control, Severity::Amber)]);
        assert_eq!((alarms[0].subject.as_str(), &alarms[0].words), ("control", &found.words));
        assert!(found.words.contains("look at uct on size 3 with 100 sims per move first"), "{}", found.words);
    }
}
