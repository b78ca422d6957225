//! The contract of delivery: every game is counted at most once.

use crate::databases::on_both_databases;
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, play, play_all, size};
use engine::havannah::{Notation, Outcome, WinKind};
use engine::side::Side;
use protocol::book::Book;
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};
use protocol::report::ExperimentState;
use protocol::sync::AckStatus::{Accepted, Duplicate, Rejected, Superseded};
use std::collections::BTreeSet;

on_both_databases! {
    async fn a_lease_carries_both_games_of_a_pair_and_its_opening(database: Database) {
        let (coordinator, _) = open(&database).await;
        let planned = cell(500, 4, 2, 1.0);
        coordinator.apply(&experiment("one", vec![planned.clone()])).await.expect("apply");
        let leases = Worker::new().take(&coordinator, 1).await;
        let [lease] = leases.as_slice() else { panic!("{leases:?}") };
        assert_eq!(lease.cell, planned.spec.id());
        assert_eq!((lease.pair, lease.size, lease.budget), (0, planned.spec.size, planned.spec.budget));
        assert_eq!((&lease.case, &lease.baseline), (&planned.spec.case, &planned.spec.baseline));
        assert_eq!((lease.case_label.as_str(), lease.baseline_label.as_str()), ("rave_k=500", "uct"));
        assert_eq!(lease.opening.split(' ').count(), 2);
        let sides: Vec<Side> = lease.games.iter().map(|game| game.case_side).collect();
        assert_eq!(sides, Side::BOTH);
        for (half, game) in (0..).zip(&lease.games) {
            assert_eq!(game.id, GameId::of(lease.cell, 0, half));
        }
    }

    async fn games_of_a_book_begin_with_its_openings(database: Database) {
        let (coordinator, _) = open(&database).await;
        let from_book = |board: u8| {
            let mut planned = cell(500, board, 2, 1.0);
            (planned.spec.opening_plies, planned.spec.book) = (0, Book::named("balanced", size(board)));
            planned
        };
        coordinator.apply(&experiment("one", vec![from_book(4), from_book(5)])).await.expect("apply");
        let mut worker = Worker::new();
        let mut openings = BTreeSet::new();
        for lease in worker.take(&coordinator, 4).await {
            let book = Book::named("balanced", lease.size).expect("a book");
            let moves = Notation::Gui.read_list(lease.size, &lease.opening).expect("cells");
            assert!(book.openings().contains(&moves), "{}", lease.opening);
            openings.insert((lease.size, moves));
            assert_eq!(worker.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        }
        assert_eq!(openings.len(), 4, "the pairs of a cell take the openings in turn");
        let report = coordinator.report("one").await.expect("report");
        assert_eq!((report.series.len(), report.series[0].points.len()), (1, 2), "the sizes of a book are one line");
        assert_verified(&coordinator).await;
    }

    async fn finished_games_move_every_counter(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let games = play_all(&lease, 7);
        assert_eq!(worker.report(&coordinator, games.clone()).await, [Accepted, Accepted]);

        let report = coordinator.report("one").await.expect("report");
        let point = &report.series[0].points[0];
        let points: Vec<u8> = games.iter().zip(Side::BOTH).map(|(game, side)| game.outcome.half_points(side)).collect();
        let count = |wanted: u8| points.iter().filter(|points| **points == wanted).count() as u64;
        assert_eq!((point.games, point.games_planned), (2, 4));
        assert_eq!((point.wins, point.draws, point.losses), (count(2), count(1), count(0)));
        assert_eq!(point.pairs, 1);
        assert_eq!(point.pair_counts[stats::PairCounts::category(points[0], points[1])], 1);
        assert_eq!(point.estimate.map(|estimate| estimate.rate), Some(f64::from(points[0] + points[1]) / 4.0));
        assert_eq!(point.pairs_in_flight, 0);
        let plies: usize = games.iter().map(|game| 2 + game.record.sims.len()).sum();
        assert_eq!(point.mean_plies, Some(plies as f64 / 2.0));
        let kinds = |kind| games.iter().filter(|game| game.outcome.kind() == Some(kind)).count() as u64;
        assert_eq!(point.win_kinds, [WinKind::Fork, WinKind::Bridge, WinKind::Ring].map(kinds));
        let first = games.iter().filter(|game| game.outcome.winner() == Some(Side::White)).count();
        assert_eq!(point.first_move_rate, Some(first as f64 / 2.0));
        assert_eq!((report.summary.games_done, report.summary.games_planned), (2, 4));
        let overview = coordinator.overview().await.expect("overview");
        assert_eq!(overview.workers[0].games, 2);
        assert_verified(&coordinator).await;
    }

    async fn a_repeated_result_gets_success_again_and_counts_once(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let games = play_all(&lease, 7);
        assert_eq!(worker.report(&coordinator, vec![games[0].clone()]).await, [Accepted]);
        let all = [games.clone(), games.clone()].concat();
        assert_eq!(worker.report(&coordinator, all).await, [Duplicate, Accepted, Duplicate, Duplicate]);
        assert_eq!(worker.report(&coordinator, games).await, [Duplicate, Duplicate]);
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 2);
        assert_verified(&coordinator).await;
    }

    async fn halves_may_come_in_any_order_and_in_different_calls(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let games = play_all(&lease, 7);
        assert_eq!(worker.report(&coordinator, vec![games[1].clone()]).await, [Accepted]);
        let point = coordinator.report("one").await.expect("report").series[0].points[0].clone();
        assert_eq!((point.games, point.pairs, point.pairs_in_flight, point.estimate), (1, 0, 1, None));
        assert_eq!(worker.report(&coordinator, vec![games[0].clone()]).await, [Accepted]);
        let point = coordinator.report("one").await.expect("report").series[0].points[0].clone();
        assert_eq!((point.games, point.pairs, point.pairs_in_flight), (2, 1, 0));
        assert_verified(&coordinator).await;
    }

    async fn a_late_result_counts_while_its_game_is_missing(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut slow, mut quick) = (Worker::new(), Worker::new());
        let lease = slow.take(&coordinator, 1).await.remove(0);
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
        slow.held.clear();
        let games = play_all(&lease, 7);
        assert_eq!(slow.report(&coordinator, vec![games[0].clone()]).await, [Accepted]);
        // The other game of the pair is leased to another worker, and only once.
        let rest = quick.take(&coordinator, 5).await;
        assert_eq!(rest.len(), 1);
        assert_eq!(rest[0].games.len(), 1);
        assert_eq!(rest[0].games[0].case_side, Side::Black);
        // From now on the game belongs to the present holder: a late play is stored and does not count.
        assert_eq!(slow.report(&coordinator, vec![games[1].clone()]).await, [Superseded]);
        let answer = quick.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(answer.revoked, []);
        quick.held.clear();
        assert_eq!(quick.report(&coordinator, play_all(&rest[0], 8)).await, [Accepted]);
        assert_eq!(quick.report(&coordinator, play_all(&rest[0], 8)).await, [Duplicate]);
        assert_eq!(slow.report(&coordinator, vec![games[1].clone()]).await, [Duplicate]);
        let report = coordinator.report("one").await.expect("report");
        assert_eq!((report.summary.games_done, report.summary.state), (2, ExperimentState::Finished));
        let game = coordinator.game(games[1].game, None).await.expect("game");
        assert_eq!((game.line.lease, game.other_plays), (rest[0].id, vec![lease.id]));
        assert_verified(&coordinator).await;
    }

    async fn a_late_result_of_a_game_counted_meanwhile_is_kept_as_superseded(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut slow, mut quick) = (Worker::new(), Worker::new());
        let old = slow.take(&coordinator, 1).await.remove(0);
        clock.advance(LEASE_AND_A_BIT);
        let new = quick.take(&coordinator, 1).await.remove(0);
        assert_eq!((new.cell, new.pair, &new.games), (old.cell, old.pair, &old.games));
        assert_eq!((new.opening.as_str(), new.seed), (old.opening.as_str(), old.seed));
        assert_eq!(quick.report(&coordinator, play_all(&new, 7)).await, [Accepted, Accepted]);
        assert_eq!(slow.report(&coordinator, play_all(&old, 9)).await, [Superseded, Superseded]);
        assert_eq!(coordinator.report("one").await.expect("report").series[0].points[0].games, 2);
        let page = coordinator.games("one", None, 10).await.expect("games");
        assert_eq!(page.games.len(), 4);
        assert_verified(&coordinator).await;
    }

    async fn impossible_games_are_rejected_with_the_reason(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut worker, stranger) = (Worker::new(), Worker::new());
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let good = play(&lease, lease.games[0], 7);
        let broken = |change: &dyn Fn(&mut protocol::result::FinishedGame)| {
            let mut game = good.clone();
            change(&mut game);
            game
        };
        let other = match good.outcome {
            Outcome::Draw => Outcome::Win { winner: Side::White, kind: WinKind::Ring },
            Outcome::Win { .. } => Outcome::Draw,
        };
        let shorten = |game: &mut protocol::result::FinishedGame| {
            let record = &mut game.record;
            let end = record.moves.rfind(' ').expect("several moves");
            record.moves.truncate(end);
            record.value.pop();
            record.claim.pop();
            record.sims.pop();
            record.nodes.pop();
            record.cpu_us.pop();
        };
        let repeat_first = |game: &mut protocol::result::FinishedGame| {
            let first = lease.opening.split(' ').next().expect("an opening").to_owned();
            let rest = game.record.moves.split_once(' ').expect("several moves").1.to_owned();
            game.record.moves = format!("{first} {rest}");
        };
        for (game, reason) in [
            (broken(&|game| game.outcome = other), "by the rules"),
            (broken(&shorten), "not over"),
            (broken(&repeat_first), "move 3"),
            (broken(&|game| game.record.moves = game.record.moves.replacen(' ', " z9 ", 1)), "z9"),
            (broken(&|game| game.record.sims.push(1)), "column `sims`"),
            (broken(&|game| game.record.sims[0] = 101), "at most 100"),
            (broken(&|game| game.record.value[1] = 1.5), "value 1.5"),
            (broken(&|game| game.lease = LeaseId::random()), "unknown"),
            (broken(&|game| game.game = GameId::of(lease.cell, 1, 0)), "does not belong to this lease"),
            (broken(&|game| game.speed.size = crate::play::size(5)), "speed is of size 5"),
        ] {
            let answer = worker.sync(&coordinator, vec![game], 0).await;
            assert_eq!(answer.acks[0].status, Rejected, "{reason}");
            let message = answer.acks[0].message.as_deref().expect("a reason");
            assert!(message.contains(reason), "{message} lacks {reason}");
        }
        let answer = stranger.sync(&coordinator, vec![good.clone()], 0).await;
        assert_eq!(answer.acks[0].message.as_deref(), Some("the lease belongs to another worker"));
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 0);
        // The first impossible game revokes the lease. The possible game still counts.
        assert_eq!(worker.report(&coordinator, vec![good]).await, [Accepted]);
        assert_verified(&coordinator).await;
    }

    async fn a_game_that_goes_on_after_its_end_is_rejected(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 5, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let mut game = play(&lease, lease.games[0], 7);
        let played: Vec<&str> = lease.opening.split(' ').chain(game.record.moves.split(' ')).collect();
        let names = lease.size.iter_cells().map(|cell| engine::havannah::Notation::Gui.write(lease.size, cell));
        let free = names.into_iter().find(|name| !played.contains(&name.as_str())).expect("a free cell");
        game.record.moves = format!("{} {free}", game.record.moves);
        game.record.value.push(0.5);
        game.record.claim.push(engine::search::ProvenOutcome::Unknown);
        game.record.sims.push(1);
        game.record.nodes.push(1);
        game.record.cpu_us.push(1);
        let answer = worker.sync(&coordinator, vec![game], 0).await;
        assert_eq!(answer.acks[0].status, Rejected);
        assert!(answer.acks[0].message.as_deref().is_some_and(|text| text.contains("goes on")), "{answer:?}");
    }

    async fn an_excluded_game_stops_counting_is_played_again_and_can_be_put_back(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let games = play_all(&lease, 7);
        worker.report(&coordinator, games.clone()).await;
        worker.held.clear();
        let before = coordinator.report("one").await.expect("report").series;

        coordinator.exclude(games[1].game, Some(lease.id), "the machine was overheating", "ada").await.expect("exclude");
        let report = coordinator.report("one").await.expect("report");
        let point = &report.series[0].points[0];
        assert_eq!((point.games, point.pairs, report.summary.games_done), (1, 0, 1));
        assert_eq!(report.summary.state, ExperimentState::Active);
        let line = coordinator.game(games[1].game, None).await.expect("game").line;
        assert_eq!((line.status, line.reason.as_deref()), (GameStatus::Excluded, Some("the machine was overheating")));
        assert_eq!(worker.report(&coordinator, games.clone()).await, [Duplicate, Duplicate]);
        assert_verified(&coordinator).await;

        let status = coordinator.restore(games[1].game, Some(lease.id), "ada").await.expect("restore");
        assert_eq!(status, GameStatus::Counted);
        assert_eq!(coordinator.report("one").await.expect("report").series, before);
        assert_verified(&coordinator).await;

        // The game is played again in the meantime, so the first play does not count when it is restored.
        coordinator.exclude(games[1].game, Some(lease.id), "once more", "ada").await.expect("exclude");
        let again = worker.take(&coordinator, 5).await;
        assert_eq!((again.len(), again[0].pair), (1, lease.pair));
        assert_eq!(again[0].games, [lease.games[1]]);
        assert_eq!(worker.report(&coordinator, play_all(&again[0], 9)).await, [Accepted]);
        let status = coordinator.restore(games[1].game, Some(lease.id), "ada").await.expect("restore");
        assert_eq!(status, GameStatus::Superseded);
        coordinator.exclude(games[1].game, Some(lease.id), "it never counted", "ada").await.expect("exclude");
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 2);
        assert_verified(&coordinator).await;

        let nobody = coordinator.exclude(games[1].game, Some(lease.id), "once more", " ").await;
        assert!(nobody.expect_err("a name is needed").to_string().contains("the name"));
        let nothing = coordinator.exclude(games[1].game, Some(LeaseId::random()), "once more", "ada").await;
        assert!(nothing.expect_err("no such play").to_string().contains("no play"));
    }
}
