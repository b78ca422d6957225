//! Rechecks of games on another machine: agreement, disputes, lies, quarantine and release.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play_all, size,
};
use coordinator::{Adjudication, Clock, Coordinator};
use engine::selfplay::{self, play_counted};
use protocol::experiment::PlannedCell;
use protocol::games::{GameLine, GameStatus};
use protocol::lease::{Budget, Lease};
use protocol::life::ExperimentChange;
use protocol::matchup::Matchup;
use protocol::operate::{Machines, QuarantineRequest};
use protocol::result::{FinishedGame, MoveColumns};
use protocol::sync::{AckStatus, NoWorkCode};
use std::ops::ControlFlow;

/// A cell of one pair of quick games.
pub(crate) fn quick(budget: Budget) -> PlannedCell {
    let mut planned = cell(500, 3, 1, 1.0);
    planned.spec.budget = budget;
    planned
}

pub(crate) const SIMS: Budget = Budget::Sims(12);
/// A budget in time that allows about 15 simulations per move at the pace of [`honest`].
pub(crate) const TIME: Budget = Budget::ReferenceSeconds(0.001);

/// Plays a lease with the engine. With a budget in time, the simulations of a move vary with `pace`, as on a real
/// machine.
pub(crate) fn honest(lease: &Lease, pace: u64) -> Vec<FinishedGame> {
    let games = lease.games.iter().zip(play_all(lease, 1));
    let games = games.map(|(leased, random)| {
        let spec = Matchup::of_lease(lease, leased.case_side)
            .spec(engine::search::Budget::Sims(12))
            .expect("a game");
        let own: Vec<u64> = (0..60).map(|index| 10 + (index * pace) % 7).collect();
        let mut on_move = |_: &selfplay::MoveRecord| ControlFlow::Continue(());
        let record = match (&lease.sims, lease.budget) {
            (Some(sims), _) => play_counted(&spec, sims, &mut on_move),
            (None, Budget::Sims(_)) => selfplay::play(&spec, &mut on_move),
            (None, Budget::ReferenceSeconds(_)) => play_counted(&spec, &own, &mut on_move),
        };
        let record = record.expect("legal").expect("never stopped");
        let mut columns = MoveColumns::from_record(lease.size, &record);
        columns.cpu_us.fill(1_000);
        FinishedGame { outcome: record.outcome, record: columns, ..random }
    });
    games.collect()
}

/// Legal games that differ from the games that the lease determines.
pub(crate) fn lies(lease: &Lease, seed: u64) -> Vec<FinishedGame> {
    let mut games = play_all(lease, seed);
    games.iter_mut().for_each(|game| game.record.sims.fill(12));
    games
}

async fn all_checked(database: &Database, budget: Budget) -> (Coordinator, Clock) {
    let (coordinator, clock) = open_with(database, |config| config.replay_share = 1.0).await;
    coordinator.apply(&experiment("one", vec![quick(budget)])).await.expect("apply");
    (coordinator, clock)
}

/// Takes all leases that the worker can get, plays them, and delivers the games. Returns the status of each game.
pub(crate) async fn turn(
    coordinator: &Coordinator,
    worker: &mut Worker,
    play: impl Fn(&Lease) -> Vec<FinishedGame>,
) -> Vec<AckStatus> {
    let leases = worker.take(coordinator, 8).await;
    let games = leases.iter().flat_map(&play).collect();
    leases.iter().for_each(|lease| worker.drop_lease(lease));
    worker.report(coordinator, games).await
}

async fn games(coordinator: &Coordinator) -> Vec<GameLine> {
    coordinator.games("one", None, 100).await.expect("games").games
}

async fn quarantine(coordinator: &Coordinator, worker: &Worker) -> Option<String> {
    let overview = coordinator.overview().await.expect("overview");
    overview.workers.into_iter().find(|row| row.id == worker.id).and_then(|row| row.quarantine)
}

async fn release(coordinator: &Coordinator, worker: &Worker) -> u64 {
    let machines = Machines::Named(worker.id.to_string());
    let request = QuarantineRequest { machines, why: None };
    coordinator.quarantine(request, "ada").await.expect("released").machines
}

async fn actions(coordinator: &Coordinator) -> Vec<String> {
    let page = coordinator.audit(None, 100).await.expect("audit");
    page.entries.into_iter().rev().map(|entry| entry.action).collect()
}

use AckStatus::{Accepted, Duplicate, Superseded};

/// Two machines disagree, and one of them lies. A person who also lies decides nothing; an honest person decides the
/// dispute.
async fn settled_by_hand(database: &Database, budget: Budget, first_lies: bool) {
    let (coordinator, _) = all_checked(database, budget).await;
    let (mut first, mut second) = (Worker::new(), Worker::new());
    let play = |lease: &Lease, lies_now| if lies_now { lies(lease, 9) } else { honest(lease, 5) };
    turn(&coordinator, &mut first, |lease| play(lease, first_lies)).await;
    let game = games(&coordinator).await[0].id;
    let early = coordinator.lend_disputed(game, "ada").await.expect_err("nobody differs yet");
    assert!(early.to_string().contains("no dispute"), "{early}");
    turn(&coordinator, &mut second, |lease| play(lease, !first_lies)).await;
    let (liar, other) = if first_lies { (&first, &second) } else { (&second, &first) };
    assert_eq!(quarantine(&coordinator, liar).await, None);

    // A third sequence of moves decides nothing, however often the same person delivers it.
    let dispute = coordinator.lend_disputed(game, "bob").await.expect("lent");
    let others = lies(&dispute.lease, 77).remove(0);
    let settled = coordinator.adjudicate(&dispute, others.clone()).await.expect("heard");
    assert!(matches!(settled, Adjudication::Open { .. }), "{settled:?}");
    let again = coordinator.adjudicate(&dispute, others.clone()).await.expect("heard");
    assert!(matches!(again, Adjudication::Open { .. }), "{again:?}");
    coordinator.lend_disputed(game, "bob").await.expect_err("he had his say");

    let dispute = coordinator.lend_disputed(game, "ada").await.expect("lent");
    let foreign = coordinator.adjudicate(&dispute, others).await.expect_err("of another lease");
    assert!(
        foreign.to_string().contains("another worker") || foreign.to_string().contains("unknown"),
        "{foreign}"
    );
    let played = honest(&dispute.lease, 5).remove(0);
    let settled = coordinator.adjudicate(&dispute, played).await.expect("heard");
    match (&settled, first_lies) {
        (Adjudication::Refuted { note }, true) | (Adjudication::Agreed { note }, false) => {
            assert!(note.contains("move "), "{note}");
        }
        _ => panic!("{settled:?}"),
    }
    assert!(quarantine(&coordinator, liar).await.is_some_and(|why| why.contains(&game.to_string())));
    assert_eq!(quarantine(&coordinator, other).await, None);
    let plays = games(&coordinator).await.into_iter().filter(|line| line.id == game);
    let counted = plays.filter(|line| line.status == GameStatus::Counted).count();
    assert_eq!(counted, usize::from(!first_lies), "a play that was wrong is played once more");
    let done = actions(&coordinator).await;
    assert_eq!(done.iter().filter(|action| *action == "settle").count(), 2);
    coordinator.lend_disputed(game, "eve").await.expect_err("it is decided");
    assert_eq!(release(&coordinator, liar).await, 1, "reversibly");
    assert_verified(&coordinator).await;
}

on_both_databases! {
    async fn a_game_is_checked_while_the_rest_of_its_pair_is_still_played(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let (mut first, mut second) = (Worker::new(), Worker::new());
        let leases = first.take(&coordinator, 8).await;
        let played = honest(&leases[0], 3);
        assert_eq!(first.report(&coordinator, played[..1].to_vec()).await, [Accepted]);
        let checks = second.take(&coordinator, 8).await;
        assert_eq!((checks.len(), checks[0].games.len()), (1, 2), "it looks like any other");
        assert_eq!(first.report(&coordinator, played[1..].to_vec()).await, [Accepted]);
        assert_eq!(second.report(&coordinator, honest(&checks[0], 5)).await, [Superseded; 2]);
        assert_verified(&coordinator).await;
    }

    async fn honest_machines_agree_and_a_play_again_never_counts(database: Database) {
        for budget in [SIMS, TIME] {
            let (coordinator, _) = all_checked(&database, budget).await;
            let (mut first, mut second) = (Worker::new(), Worker::new());
            assert_eq!(turn(&coordinator, &mut first, |lease| honest(lease, 3)).await, [Accepted; 2]);
            assert!(first.take(&coordinator, 8).await.is_empty(), "nobody checks its own games");
            let speeds = std::mem::take(&mut second.speeds);
            let sizes = second.sync(&coordinator, Vec::new(), 0).await.sizes;
            assert_eq!(sizes, [size(3)], "to be measured, though every planned game is finished");
            second.speeds = speeds;
            let leases = second.take(&coordinator, 8).await;
            // With a budget in simulations, the recheck has one lease for the pair, like any other lease.
            assert_eq!(leases.len(), if budget == SIMS { 1 } else { 2 });
            for lease in &leases {
                let told = lease.sims.is_some();
                assert_eq!(told, budget == TIME, "a game of so many simulations looks like any other");
            }
            let played: Vec<_> = leases.iter().flat_map(|lease| honest(lease, 5)).collect();
            assert_eq!(second.report(&coordinator, played.clone()).await, [Superseded; 2]);
            assert_eq!(second.report(&coordinator, played).await, [Duplicate; 2], "twice without harm");
            second.held.clear();
            assert!(second.take(&coordinator, 8).await.is_empty(), "they are decided");
            let workers = coordinator.overview().await.expect("overview").workers;
            assert!(workers.iter().all(|worker| worker.quarantine.is_none()), "{workers:#?}");
            let counted = |id| workers.iter().find(|worker| worker.id == id).map(|worker| worker.games);
            assert_eq!([first.id, second.id].map(counted), [Some(2), Some(0)]);
            assert_verified(&coordinator).await;
            coordinator.close().await;
        }
    }

    async fn nothing_is_checked_for_an_experiment_that_is_paused(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let (mut first, mut second) = (Worker::new(), Worker::new());
        assert_eq!(turn(&coordinator, &mut first, |lease| honest(lease, 3)).await, [Accepted; 2]);
        let change = async |change| drop(coordinator.change_experiment("one", change, "ada").await.expect("changed"));
        change(ExperimentChange::Pause).await;
        assert!(second.take(&coordinator, 8).await.is_empty());
        let unmeasured = Worker { speeds: Vec::new(), ..second.clone() };
        assert!(unmeasured.sync(&coordinator, Vec::new(), 0).await.sizes.is_empty(), "and nothing to measure for");
        change(ExperimentChange::Resume).await;
        change(ExperimentChange::Archive).await;
        assert!(second.take(&coordinator, 8).await.is_empty());
        change(ExperimentChange::Unarchive).await;
        assert_eq!(second.take(&coordinator, 8).await.len(), 1);
    }

    async fn a_machine_that_reports_legal_but_other_games_is_found_out_by_two_others(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let (mut liar, mut second, mut third) = (Worker::new(), Worker::new(), Worker::new());
        assert_eq!(turn(&coordinator, &mut liar, |lease| lies(lease, 9)).await, [Accepted; 2]);
        assert_eq!(turn(&coordinator, &mut second, |lease| honest(lease, 5)).await, [Superseded; 2]);
        assert!(quarantine(&coordinator, &liar).await.is_none(), "one word against another");
        assert!(second.take(&coordinator, 8).await.is_empty(), "who has played it is not asked again");
        let why = coordinator.why(&liar.id.to_string()).await.expect("why").reasons.join("\n");
        assert!(why.contains("2 are disputed"), "{why}");
        assert!(games(&coordinator).await.iter().any(|game| game.status == GameStatus::Counted));

        assert_eq!(turn(&coordinator, &mut third, |lease| honest(lease, 2)).await, [Superseded; 2]);
        let why = quarantine(&coordinator, &liar).await.expect("two against one");
        assert!(why.contains("had other moves on two other machines: move "), "{why}");
        for honest in [&second, &third] {
            assert_eq!(quarantine(&coordinator, honest).await, None);
        }
        let own = games(&coordinator).await.into_iter().filter(|game| game.worker == liar.id);
        let own: Vec<_> = own.map(|game| (game.status, game.reason)).collect();
        assert!(own.iter().all(|(status, why)| *status == GameStatus::Excluded && why.is_some()), "{own:?}");
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 0, "its games are to be played once more");

        let answer = liar.sync(&coordinator, Vec::new(), 4).await;
        assert!(answer.leases.is_empty());
        assert_eq!(answer.no_work.map(|no| no.code), Some(NoWorkCode::Quarantined));
        assert_eq!(turn(&coordinator, &mut third, |lease| honest(lease, 2)).await, [Accepted; 2]);
        assert_verified(&coordinator).await;
        let done = actions(&coordinator).await;
        let counted = |action: &str| done.iter().filter(|done| *done == action).count();
        assert_eq!(["dispute", "exclude", "quarantine"].map(counted), [2, 2, 1], "{done:?}");
        assert_eq!(release(&coordinator, &liar).await, 1);
        assert_eq!(release(&coordinator, &liar).await, 0, "once");
    }

    async fn a_game_that_counts_late_is_always_checked(database: Database) {
        let (coordinator, _) = open_with(&database, |config| config.replay_share = 1e-12).await;
        coordinator.apply(&experiment("one", vec![quick(SIMS)])).await.expect("apply");
        let (mut liar, mut accomplice) = (Worker::new(), Worker::new());
        let leases = liar.take(&coordinator, 8).await;
        leases.iter().for_each(|lease| liar.drop_lease(lease));
        liar.sync(&coordinator, Vec::new(), 0).await;
        let held = accomplice.take(&coordinator, 8).await;
        assert_eq!((leases.len(), held.len()), (1, 1));
        assert_eq!(liar.report(&coordinator, lies(&leases[0], 9)).await, [Superseded; 2]);
        accomplice.drop_lease(&held[0]);
        accomplice.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(games(&coordinator).await.iter().filter(|game| game.status == GameStatus::Counted).count(), 2);
        let (mut second, mut third) = (Worker::new(), Worker::new());
        assert_eq!(turn(&coordinator, &mut second, |lease| honest(lease, 5)).await, [Superseded; 2]);
        let disputed = coordinator.report("one").await.expect("report").warnings;
        assert!(disputed.len() == 1 && disputed[0].starts_with("2 games are disputed"), "{disputed:?}");
        assert_eq!(turn(&coordinator, &mut third, |lease| honest(lease, 2)).await, [Superseded; 2]);
        assert!(quarantine(&coordinator, &liar).await.is_some());
        assert_eq!(coordinator.report("one").await.expect("report").warnings, [""; 0]);
        assert_verified(&coordinator).await;
    }

    async fn games_of_a_machine_in_quarantine_that_count_are_a_warning(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![quick(SIMS)])).await.expect("apply");
        let mut suspect = Worker::new();
        assert_eq!(turn(&coordinator, &mut suspect, |lease| honest(lease, 5)).await, [Accepted; 2]);
        assert_eq!(coordinator.report("one").await.expect("report").warnings, [""; 0]);
        let machines = Machines::Named(suspect.id.to_string());
        let request = QuarantineRequest { machines, why: Some("hot".into()) };
        coordinator.quarantine(request, "ada").await.expect("quarantine");
        let warnings = coordinator.report("one").await.expect("report").warnings;
        assert!(warnings.len() == 1 && warnings[0].starts_with("2 games of machine "), "{warnings:?}");
        assert!(warnings[0].contains(&format!("gauntlet game exclude --worker {}", suspect.id)), "{warnings:?}");
        let why = coordinator.why("one").await.expect("why").reasons;
        assert!(why.contains(&warnings[0]), "{why:?}");
    }

    async fn a_machine_that_lies_about_the_games_of_others_harms_itself_only(database: Database) {
        let (coordinator, _) = all_checked(&database, TIME).await;
        let (mut first, mut liar, mut third) = (Worker::new(), Worker::new(), Worker::new());
        turn(&coordinator, &mut first, |lease| honest(lease, 3)).await;
        turn(&coordinator, &mut liar, |lease| lies(lease, 9)).await;
        turn(&coordinator, &mut third, |lease| honest(lease, 2)).await;
        assert!(quarantine(&coordinator, &liar).await.is_some());
        assert_eq!(quarantine(&coordinator, &first).await, None);
        let counted = games(&coordinator).await.into_iter().filter(|game| game.status == GameStatus::Counted);
        assert!(counted.map(|game| game.worker).eq([first.id; 2]));
        assert_verified(&coordinator).await;
    }

    async fn a_game_with_other_numbers_is_another_game(database: Database) {
        let change: [fn(&mut MoveColumns); 2] = [|record| record.nodes[3] += 1, |record| record.value[3] = 0.123];
        for (change, words) in change.into_iter().zip([" nodes", "with value 0.123"]) {
            let (coordinator, _) = all_checked(&database, TIME).await;
            let (mut liar, mut second, mut third) = (Worker::new(), Worker::new(), Worker::new());
            let changed = |lease: &Lease| {
                let mut games = honest(lease, 5);
                games.iter_mut().for_each(|game| change(&mut game.record));
                games
            };
            turn(&coordinator, &mut liar, changed).await;
            turn(&coordinator, &mut second, |lease| honest(lease, 5)).await;
            turn(&coordinator, &mut third, |lease| honest(lease, 5)).await;
            let why = quarantine(&coordinator, &liar).await.expect("its moves are right, and its numbers are not");
            assert!(why.contains("move 4 after the opening was ") && why.contains(words), "{why}");
            assert_eq!(quarantine(&coordinator, &second).await, None);
            assert_verified(&coordinator).await;
            coordinator.close().await;
        }
    }

    async fn a_full_queue_of_rechecks_lets_no_drawn_game_pass(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let planned = PlannedCell { pairs: 160, ..quick(SIMS) };
        coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
        let (mut first, mut second) = (Worker::new(), Worker::new());
        let leases = first.take(&coordinator, 160).await;
        assert_eq!(leases.len(), 160);
        let lied = leases.iter().flat_map(|lease| lies(lease, 1)).collect();
        leases.iter().for_each(|lease| first.drop_lease(lease));
        first.report(&coordinator, lied).await;
        let mut checked = std::collections::BTreeSet::new();
        loop {
            let leases = second.take(&coordinator, 400).await;
            checked.extend(leases.iter().flat_map(|lease| lease.games.iter().map(|game| game.id)));
            if leases.is_empty() {
                break;
            }
            let played = leases.iter().flat_map(|lease| honest(lease, 5)).collect();
            leases.iter().for_each(|lease| second.drop_lease(lease));
            second.report(&coordinator, played).await;
        }
        assert_eq!(checked.len(), 320, "more than may wait at once");
        assert_verified(&coordinator).await;
    }

    async fn a_machine_that_plays_fewer_simulations_than_it_says_is_found_out(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let (mut lazy, mut second, mut third) = (Worker::new(), Worker::new(), Worker::new());
        let little = |lease: &Lease| {
            let mut games = honest(&Lease { sims: Some(vec![1; 60]), ..clone(lease) }, 1);
            games.iter_mut().for_each(|game| game.record.sims.fill(12));
            games
        };
        turn(&coordinator, &mut lazy, little).await;
        turn(&coordinator, &mut second, |lease| honest(lease, 1)).await;
        turn(&coordinator, &mut third, |lease| honest(lease, 1)).await;
        assert!(quarantine(&coordinator, &lazy).await.is_some());
        assert_verified(&coordinator).await;
    }

    async fn what_a_machine_in_quarantine_sends_is_kept_apart_until_it_is_released(database: Database) {
        let (coordinator, _) = open_with(&database, |_| {}).await;
        let planned = PlannedCell { pairs: 3, ..quick(SIMS) };
        coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
        let (mut suspect, mut other) = (Worker::new(), Worker::new());
        let leases = suspect.take(&coordinator, 2).await;
        let machines = Machines::Named(suspect.id.to_string());
        let request = QuarantineRequest { machines, why: Some("its memory fails".into()) };
        assert_eq!(coordinator.quarantine(request, "ada").await.expect("told").machines, 1);
        let answer = suspect.sync(&coordinator, Vec::new(), 1).await;
        assert_eq!(answer.revoked.len(), 2, "its leases are gone");
        assert_verified(&coordinator).await;
        // Another machine plays one pair in the meantime.
        suspect.held.clear();
        let again = other.take(&coordinator, 1).await;
        other.report(&coordinator, honest(&again[0], 1)).await;
        let late: Vec<_> = leases.iter().flat_map(|lease| honest(lease, 1)).collect();
        assert_eq!(suspect.report(&coordinator, late.clone()).await, [Superseded; 4]);
        assert_eq!(suspect.report(&coordinator, late).await, [Duplicate; 4]);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 2, "only the other machine's");
        assert_verified(&coordinator).await;

        assert_eq!(release(&coordinator, &suspect).await, 1);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 4, "what nobody has played meanwhile counts");
        let statuses = games(&coordinator).await.into_iter().filter(|game| game.worker == suspect.id);
        let statuses: Vec<_> = statuses.map(|game| game.status).collect();
        assert_eq!(statuses.iter().filter(|status| **status == GameStatus::Counted).count(), 2, "{statuses:?}");
        assert_eq!(suspect.take(&coordinator, 1).await.len(), 1, "it works again");
        assert_eq!(actions(&coordinator).await, ["apply", "quarantine", "release"]);
        assert_verified(&coordinator).await;
    }

    async fn a_recheck_that_is_restored_does_not_count_either(database: Database) {
        let (coordinator, _) = all_checked(&database, SIMS).await;
        let (mut first, mut suspect) = (Worker::new(), Worker::new());
        assert_eq!(turn(&coordinator, &mut first, |lease| honest(lease, 3)).await, [Accepted; 2]);
        let checks = suspect.take(&coordinator, 8).await;
        let machines = Machines::Named(suspect.id.to_string());
        let request = QuarantineRequest { machines, why: Some("its memory fails".into()) };
        coordinator.quarantine(request, "ada").await.expect("quarantine");
        let late: Vec<_> = checks.iter().flat_map(|lease| honest(lease, 5)).collect();
        assert_eq!(suspect.report(&coordinator, late).await, [Superseded; 2]);
        // Nobody else's play of the games counts.
        let lines = games(&coordinator).await;
        for line in lines.iter().filter(|line| line.worker == first.id) {
            coordinator.exclude(line.id, None, "too hot", "ada").await.expect("excluded");
        }
        assert_verified(&coordinator).await;
        assert_eq!(release(&coordinator, &suspect).await, 1);
        let rechecks: Vec<_> = games(&coordinator).await.into_iter().filter(|line| line.worker == suspect.id).collect();
        assert!(rechecks.len() == 2 && rechecks.iter().all(|line| line.status == GameStatus::Superseded), "{rechecks:?}");
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 0, "the games are to be played");
        assert_verified(&coordinator).await;
        // People restore one of them no other way.
        let (game, lease) = (rechecks[0].id, rechecks[0].lease);
        coordinator.exclude(game, Some(lease), "too hot", "ada").await.expect("excluded");
        let status = coordinator.restore(game, Some(lease), "ada").await.expect("restored");
        assert_eq!(status, GameStatus::Superseded);
        assert_verified(&coordinator).await;
    }

    async fn a_lapsed_lease_goes_to_another_machine_and_its_late_game_decides_all_the_same(database: Database) {
        let (coordinator, clock) = all_checked(&database, TIME).await;
        let (mut first, mut slow, mut third) = (Worker::new(), Worker::new(), Worker::new());
        turn(&coordinator, &mut first, |lease| honest(lease, 3)).await;
        let leases = slow.take(&coordinator, 8).await;
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 2);
        assert_verified(&coordinator).await;
        let taken = third.take(&coordinator, 8).await;
        assert_eq!(taken.len(), 2, "they are lent to another");
        let late: Vec<_> = leases.iter().flat_map(|lease| honest(lease, 4)).collect();
        assert_eq!(slow.report(&coordinator, late).await, [Superseded; 2]);
        let answer = third.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(answer.revoked.len(), 2, "there is nothing left to find out");
        let late: Vec<_> = taken.iter().flat_map(|lease| lies(lease, 4)).collect();
        assert_eq!(third.report(&coordinator, late).await, [Superseded; 2]);
        assert_eq!(quarantine(&coordinator, &first).await, None);
        assert_verified(&coordinator).await;
    }

    async fn a_pair_may_be_lent_beside_a_lease_for_playing_it_again(database: Database) {
        let (coordinator, clock) = all_checked(&database, SIMS).await;
        let (mut first, mut second, mut third) = (Worker::new(), Worker::new(), Worker::new());
        turn(&coordinator, &mut first, |lease| honest(lease, 3)).await;
        let replays = second.take(&coordinator, 8).await;
        let game = replays[0].games[0].id;
        coordinator.exclude(game, None, "by hand", "ada").await.expect("exclude");
        let lent = third.take(&coordinator, 8).await;
        assert_eq!((lent.len(), lent[0].games[0].id), (1, game), "the game is wanted again");
        assert_verified(&coordinator).await;
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        // A lapsed recheck lease must not become active again as a lease of the open pair.
        assert_eq!(second.sync(&coordinator, Vec::new(), 0).await.revoked.len(), 1);
        let played = replays.iter().flat_map(|lease| honest(lease, 1)).collect();
        assert_eq!(second.report(&coordinator, played).await, [Superseded; 2], "it never counts");
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_done, 1);
        assert_verified(&coordinator).await;
    }

    async fn a_dispute_with_a_liar_is_settled_by_hand_as_by_a_third_machine(database: Database) {
        settled_by_hand(&database, SIMS, true).await;
    }

    async fn a_dispute_with_a_machine_that_checks_wrongly_is_settled_by_hand_too(database: Database) {
        settled_by_hand(&database, TIME, false).await;
    }

    async fn the_share_decides_how_many_games_are_chosen(database: Database) {
        let (coordinator, _) = open_with(&database, |config| config.replay_share = 0.25).await;
        let planned = PlannedCell { pairs: 200, ..quick(SIMS) };
        coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
        let (mut first, mut second) = (Worker::new(), Worker::new());
        let leases = first.take(&coordinator, 200).await;
        first.report(&coordinator, leases.iter().flat_map(|lease| lies(lease, 1)).collect()).await;
        let chosen = second.take(&coordinator, 400).await.len();
        // A pair is rechecked when one of its games is chosen. With a chance of 7/16, the mean of 200 pairs is 87.5,
        // and the bounds are six standard deviations of 7 away.
        assert!((45..=130).contains(&chosen), "{chosen}");
        assert_verified(&coordinator).await;
    }
}

/// Clones a lease. The type has no `Clone`, because only a liar plays a lease twice.
fn clone(lease: &Lease) -> Lease {
    serde_json::from_value(serde_json::to_value(lease).expect("JSON")).expect("a lease")
}
