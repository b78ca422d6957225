//! A machine that holds games back: what is said meanwhile, and what it costs.

use crate::choosing::game_with;
use crate::databases::on_both_databases;
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, play_all};
use coordinator::Coordinator;
use engine::rng::mix;
use protocol::experiment::{PlannedCell, StopInterval, StopRule};
use protocol::lease::Lease;
use protocol::report::{Point, StopOutcome, Verdict};
use protocol::result::FinishedGame;
use protocol::sync::AckStatus::{Accepted, Superseded};

async fn point(coordinator: &Coordinator) -> Point {
    coordinator.report("one").await.expect("report").series[0].points[0].clone()
}

/// Both games of a pair between equal players. The seed decides how they end.
fn games(lease: &Lease) -> [FinishedGame; 2] {
    [0, 1].map(|half| game_with(lease, half, if mix(lease.seed + half as u64) >> 63 == 0 { 0 } else { 2 }))
}

/// An e-value that decides when 50 % is out of the question.
fn ruled(pairs: u32) -> PlannedCell {
    let stop = StopRule::HalfWidth { half_width: 0.12, interval: StopInterval::Wilson, confidence: 0.95 };
    PlannedCell { stop: Some(stop), ..cell(500, 3, pairs, 1.0) }
}

on_both_databases! {
    async fn a_machine_that_delivers_the_halves_it_wins_and_holds_the_others_shows_nothing(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 60, 1.0)])).await.expect("apply");
        let mut holder = Worker { slots: 64, ..Worker::new() };
        let leases = holder.take(&coordinator, 60).await;
        assert_eq!(leases.len(), 60);
        let mut held = Vec::new();
        for lease in &leases {
            let [first, second] = games(lease);
            let is_won = |game: &FinishedGame| {
                let leased = lease.games.iter().find(|leased| leased.id == game.game).expect("its game");
                game.outcome.half_points(leased.case_side) == 2
            };
            let (won, lost): (Vec<_>, Vec<_>) = [first, second].into_iter().partition(is_won);
            if lost.is_empty() {
                holder.drop_lease(lease);
            }
            holder.report(&coordinator, won).await;
            held.extend(lost);
            let point = point(&coordinator).await;
            assert_eq!(point.verdict, Verdict::Open, "{:?}", point.words);
            let estimate = point.estimate;
            assert!(estimate.is_none_or(|found| found.cs_low < 0.5), "{:?}", point.words);
            assert!(estimate.is_none_or(|found| found.low < 0.5 && found.elo_low.is_none_or(|low| low < 0.0)), "{point:?}");
        }
        let live = point(&coordinator).await;
        assert!(live.pairs >= 8 && live.estimate.is_some_and(|found| found.rate == 1.0), "all complete pairs are won: {}", live.pairs);
        let missing = live.missing.expect("said at once");
        assert!(missing.pairs == 60 - live.pairs && missing.words.contains("begun and not finished"), "{missing:?}");
        assert!(missing.low < 0.5 && missing.high == 1.0, "{missing:?}");
        let whole = coordinator.cell(&live.cell.to_string()).await.expect("a cell");
        assert!(whole.finding.contains("is open") && whole.finding.contains("not finished"), "{}", whole.finding);
        let found = coordinator.analysis("one", None).await.expect("an analysis").sweep;
        let case = &found.fields[0].cases[0];
        assert!(case.cs_low < 0.5 && !case.differs && !found.fields[0].cells[0].differs, "{case:?}");
        assert!(case.low.is_none() && case.p_value.is_none(), "numbers of a fixed plan wait for its games: {case:?}");
        assert!(whole.colours.iter().all(|colour| colour.low.is_none_or(|low| low < 0.5)), "{:?}", whole.colours);
        let running = coordinator.running_cell(&live.cell.to_string()).await.expect("running");
        assert!(running.points.iter().all(|point| point.cs_low < 0.5 && point.low < 0.5), "{running:?}");

        // Whoever plays the others after the leases lapsed finds the games that were held back.
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        let mut other = Worker { slots: 64, ..Worker::new() };
        for lease in other.take(&coordinator, 60).await {
            let missing = |game: &FinishedGame| lease.games.iter().any(|leased| leased.id == game.game);
            let left = held.iter().filter(|game| missing(game)).cloned();
            let played = left.map(|game| FinishedGame { lease: lease.id, ..game }).collect();
            other.drop_lease(&lease);
            other.report(&coordinator, played).await;
        }
        let all = point(&coordinator).await;
        assert_eq!((all.pairs, all.missing, all.verdict), (60, None, Verdict::Open));
        let rate = all.estimate.map(|estimate| estimate.rate);
        assert!(rate.is_some_and(|rate| (0.3..0.7).contains(&rate)), "{rate:?}");
        assert_verified(&coordinator).await;
    }

    async fn a_held_pair_goes_to_another_machine_when_many_later_ones_are_complete(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![ruled(400)])).await.expect("apply");
        let mut holder = Worker::new();
        let held = holder.take(&coordinator, 1).await.remove(0);
        assert_eq!(held.pair, 0);
        let (mut next, mut third) = (Worker::new(), Worker::new());
        third.sync(&coordinator, Vec::new(), 0).await;
        let mut in_vain = 0;
        let given = loop {
            clock.advance(1_000);
            holder.sync(&coordinator, Vec::new(), 0).await;
            let lease = next.take(&coordinator, 1).await.pop().expect("a pair");
            if lease.pair == 0 {
                break lease;
            }
            in_vain += 1;
            assert!(in_vain <= 20, "{in_vain} pairs were played in vain");
            next.drop_lease(&lease);
            next.report(&coordinator, play_all(&lease, 9)).await;
        };
        let answer = holder.sync(&coordinator, Vec::new(), 1).await;
        assert_eq!(answer.revoked, [held.id]);
        assert_ne!(answer.leases[0].pair, 0, "the pair is another's now");
        holder.held.clear();
        holder.hold(&answer.leases);
        assert_eq!((given.seed, &given.opening), (held.seed, &held.opening), "both play the same games");

        // The second holder keeps it, too: the third machine gets it, and nobody gets it twice.
        let mut more = 0;
        let last = loop {
            clock.advance(1_000);
            for one in [&holder, &next] {
                one.sync(&coordinator, Vec::new(), 0).await;
            }
            let lease = third.take(&coordinator, 1).await.pop().expect("a pair");
            if lease.pair == 0 {
                break lease;
            }
            more += 1;
            assert!(more <= 60, "{more} more pairs were played in vain");
            third.drop_lease(&lease);
            third.report(&coordinator, play_all(&lease, 9)).await;
        };
        third.drop_lease(&last);
        assert_eq!(third.report(&coordinator, play_all(&last, 5)).await, [Accepted; 2]);
        assert_eq!(holder.report(&coordinator, play_all(&held, 5)).await, [Superseded; 2], "each game counts once");
        assert_verified(&coordinator).await;
    }

    async fn what_the_first_holder_delivers_after_all_counts_if_it_is_still_missing(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![ruled(400)])).await.expect("apply");
        let (mut holder, mut next) = (Worker::new(), Worker::new());
        let held = holder.take(&coordinator, 1).await.remove(0);
        let given = loop {
            let lease = next.take(&coordinator, 1).await.pop().expect("a pair");
            if lease.pair == 0 {
                break lease;
            }
            next.drop_lease(&lease);
            next.report(&coordinator, play_all(&lease, 9)).await;
        };
        // The present holder finishes the pair. If it gives up, the late games count.
        assert_eq!(holder.report(&coordinator, play_all(&held, 5)).await, [Superseded; 2]);
        next.held.retain(|held| held.lease != given.id);
        next.sync(&coordinator, Vec::new(), 0).await;
        let point = point(&coordinator).await;
        let rule = point.stopping.expect("a rule");
        assert!(point.missing.is_none() && rule.pairs == point.pairs, "{rule:?}");
        assert!(rule.outcome == StopOutcome::Open || rule.outcome == StopOutcome::Precise);
        assert_verified(&coordinator).await;
    }

    async fn a_pair_that_the_rule_of_a_full_cell_waits_for_goes_to_a_machine_without_work(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![ruled(8)])).await.expect("apply");
        let (mut holder, mut next) = (Worker::new(), Worker::new());
        let held = holder.take(&coordinator, 1).await.remove(0);
        let cell = point(&coordinator).await.cell.to_string();
        while let Some(lease) = next.take(&coordinator, 1).await.pop() {
            next.drop_lease(&lease);
            next.report(&coordinator, play_all(&lease, 9)).await;
        }
        let why = coordinator.why(&cell).await.expect("reasons").reasons.join("; ");
        let name = holder.request(Vec::new(), 0).name;
        assert!(why.contains(&format!("waits for pair 0, which `{name}` has held for 0 s; 7 later pairs complete")), "{why}");
        assert!(why.contains("gets it once it was held for 10 s, or when the lease ends"), "{why}");

        // A pair takes milliseconds here, so ten seconds are long. Nothing else is played meanwhile.
        let mut waited_s = 0;
        let given = loop {
            clock.advance(1_000);
            holder.sync(&coordinator, Vec::new(), 0).await;
            waited_s += 1;
            match next.take(&coordinator, 1).await.pop() {
                Some(lease) => break lease,
                None => assert!(waited_s < 11, "{waited_s} s"),
            }
        };
        assert_eq!((given.pair, given.seed, waited_s), (0, held.seed, 10));
        assert_eq!(holder.sync(&coordinator, Vec::new(), 1).await.revoked, [held.id]);
        holder.held.clear();
        next.drop_lease(&given);
        assert_eq!(next.report(&coordinator, play_all(&given, 5)).await, [Accepted; 2]);
        let point = point(&coordinator).await;
        assert_eq!(point.stopping.expect("a rule").pairs, 8);
        assert_verified(&coordinator).await;
    }
}
