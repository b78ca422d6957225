//! Pages about experiments with many cells.

use crate::databases::on_both_databases;
use crate::play::{Worker, cell, experiment, open, play_all};
use protocol::ids::CellId;
use protocol::report::ExperimentReport;
use std::collections::{BTreeMap, BTreeSet};

on_both_databases! {
    async fn every_one_of_many_cells_has_its_own_games_in_the_report_and_in_the_list(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", (0..150).map(|k| cell(k, 4, 9, 1.0)).collect());
        coordinator.apply(&file).await.expect("apply");
        // Another experiment shares some of the cells. Its other cells must not appear in this report.
        let others = (140..170).map(|k| cell(k, 4, 9, 5.0)).collect();
        coordinator.apply(&experiment("other", others)).await.expect("apply");
        let mut worker = Worker::new();
        let mut played: BTreeMap<CellId, BTreeSet<_>> = BTreeMap::new();
        for seed in 0..2 {
            for lease in worker.take(&coordinator, 70).await {
                let games = play_all(&lease, seed);
                played.entry(lease.cell).or_default().extend(games.iter().map(|game| game.game));
                worker.report(&coordinator, games).await;
                worker.drop_lease(&lease);
            }
        }
        let planned: Vec<CellId> = file.cells.iter().map(|cell| cell.spec.id()).collect();
        played.retain(|cell, _| planned.contains(cell));
        assert!((20..150).contains(&played.len()), "{} of the cells have games", played.len());

        let report = coordinator.report("one").await.expect("report");
        let points: Vec<_> = report.series.iter().flat_map(|line| &line.points).collect();
        assert_eq!(
            points.iter().map(|point| point.cell).collect::<Vec<_>>(),
            planned,
            "in the order of the file"
        );
        for point in points {
            let games = played.get(&point.cell).map_or(0, BTreeSet::len) as u64;
            assert_eq!((point.games, 2 * point.pairs), (games, games), "cell {}", point.cell);
            assert_eq!(point.win_kinds.iter().sum::<u64>(), point.wins + point.losses);
            assert_eq!(point.mean_plies.is_some(), games > 0);
        }

        let mut listed: Vec<(CellId, _)> = Vec::new();
        let mut after = None;
        loop {
            let page = coordinator.games("one", after.as_deref(), 7).await.expect("games");
            listed.extend(page.games.iter().map(|game| (game.cell, game.id)));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert!(listed.is_sorted_by_key(|(cell, _)| *cell), "cell by cell");
        let mut found: BTreeMap<CellId, BTreeSet<_>> = BTreeMap::new();
        for (cell, game) in &listed {
            found.entry(*cell).or_default().insert(*game);
        }
        assert_eq!(found, played);
        assert_eq!(listed.len(), played.values().map(BTreeSet::len).sum::<usize>(), "each once");
    }

    async fn whoever_looked_before_gets_the_points_that_have_changed(database: Database) {
        let (coordinator, _) = open(&database).await;
        let plan = |cells| experiment("one", (0..cells).map(|k| cell(k, 4, 9, 1.0)).collect());
        coordinator.apply(&plan(20)).await.expect("apply");
        let since = async |edition: &str| coordinator.report_since("one", edition).await.expect("a report");
        let first = since("").await;
        let known = first.edition.clone().expect("an edition");
        let complete = coordinator.report("one").await.expect("a report");
        assert_eq!((&first.series, &first.since), (&complete.series, &None));
        let nothing = since(&known).await;
        assert_eq!((nothing.series.len(), nothing.edition, nothing.since), (0, Some(known.clone()), Some(known.clone())));

        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let begun = since(&known).await;
        worker.report(&coordinator, play_all(&lease, 1)).await;
        let cells = |report: &ExperimentReport| {
            report.series.iter().flat_map(|line| &line.points).map(|point| point.cell).collect::<Vec<_>>()
        };
        assert_eq!(cells(&begun), [lease.cell], "its pair was in flight");
        for edition in [&known, begun.edition.as_ref().expect("an edition")] {
            let played = since(edition).await;
            assert_eq!((cells(&played), played.series[0].points[0].games), (vec![lease.cell], 2));
        }

        // A changed plan and an unknown edition: everything again.
        coordinator.apply(&plan(21)).await.expect("apply");
        for edition in [&known, "0-1", "nonsense"] {
            let report = since(edition).await;
            assert_eq!((report.series.len(), report.since), (21, None));
        }
    }
}
