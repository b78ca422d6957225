//! Fair shares: experiments get the workers' core time in the ratio of their weights, whatever their games cost, however
//! many cells they have, and whenever they arrive.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    Random, Worker, assert_verified, cell, experiment, open, open_with, play_all, size, speed,
};
use coordinator::{Clock, Coordinator};
use protocol::experiment::Experiment;
use protocol::lease::Lease;
use protocol::result::FinishedGame;
use std::collections::HashMap;

/// An experiment of so many cells on one board.
fn many(name: &str, cells: u32, board: u8, weight: f64) -> Experiment {
    let cells = (0..cells).map(|k| cell(u32::from(board) * 10_000 + k, board, 1_000, 1.0)).collect();
    Experiment { weight, ..experiment(name, cells) }
}

/// Core seconds of a game on a board, from half of the usual to one and a half times as much. A pair takes less than a lease, because
/// these machines send nothing in between.
fn seconds(board: u8, random: &mut Random) -> i64 {
    let usual = [4, 8, 20, 36][usize::from(board - 3)];
    usual / 2 + random.below(usual as usize + 1) as i64
}

/// The games of a lease, which took these core seconds each.
fn played(lease: &Lease, seconds: &[i64]) -> Vec<FinishedGame> {
    let mut games = play_all(lease, 7);
    for (game, seconds) in games.iter_mut().zip(seconds) {
        let moves = game.record.cpu_us.len() as u64;
        game.record.cpu_us.fill(seconds.unsigned_abs() * 1_000_000 / moves);
    }
    games
}

/// A machine with one slot, in the simulated time.
struct Machine {
    worker: Worker,
    /// Its coordinator.
    at: usize,
    lease: Option<(Lease, Vec<i64>)>,
    done_ms: i64,
}

/// Machines that play in simulated time, and the core seconds of their games.
struct Fleet {
    coordinators: Vec<Coordinator>,
    clock: Clock,
    machines: Vec<Machine>,
    random: Random,
    /// By the board of an experiment's cells.
    spent: HashMap<u8, i64>,
}

impl Fleet {
    async fn new(database: &Database, machines: usize) -> Self {
        let (first, clock) = open(database).await;
        let (random, spent) = (Random(9), HashMap::new());
        let mut fleet = Self { coordinators: vec![first], clock, machines: Vec::new(), random, spent };
        (0..machines).for_each(|_| fleet.join(Worker::new()));
        fleet
    }

    /// Another coordinator of the same database, with the same clock.
    async fn another(&mut self, database: &Database) {
        let clock = self.clock.clone();
        self.coordinators.push(open_with(database, |config| config.clock = clock).await.0);
    }

    fn join(&mut self, worker: Worker) {
        let at = self.machines.len();
        self.machines.push(Machine { worker, at, lease: None, done_ms: self.clock.now_ms() });
    }

    /// Plays for so many seconds; gives the core seconds of the boards since the last call.
    async fn play(&mut self, seconds_long: i64) -> HashMap<u8, i64> {
        let end_ms = self.clock.now_ms() + 1_000 * seconds_long;
        loop {
            let next = (0..self.machines.len()).min_by_key(|index| self.machines[*index].done_ms);
            let machine = &mut self.machines[next.expect("a machine")];
            if machine.done_ms > end_ms {
                break;
            }
            self.clock.advance((machine.done_ms - self.clock.now_ms()).max(0));
            let coordinator = &self.coordinators[machine.at % self.coordinators.len()];
            let mut games = Vec::new();
            machine.worker.held.clear();
            if let Some((lease, costs)) = machine.lease.take() {
                games = played(&lease, &costs);
                *self.spent.entry(lease.size.get()).or_default() += costs.iter().sum::<i64>();
            }
            let answer = machine.worker.sync(coordinator, games, 1).await;
            machine.worker.hold(&answer.leases);
            machine.done_ms = self.clock.now_ms() + 5_000;
            if let Some(lease) = answer.leases.into_iter().next() {
                let board = lease.size.get();
                let costs = vec![seconds(board, &mut self.random), seconds(board, &mut self.random)];
                machine.done_ms = self.clock.now_ms() + 1_000 * costs.iter().sum::<i64>();
                machine.lease = Some((lease, costs));
            }
        }
        self.clock.advance((end_ms - self.clock.now_ms()).max(0));
        std::mem::take(&mut self.spent)
    }
}

/// Fails unless the boards got core seconds in the ratio of these weights, within 5 %.
fn assert_shares(spent: &HashMap<u8, i64>, weights: &[(u8, f64)]) {
    let all: i64 = spent.values().sum();
    let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
    for (board, weight) in weights {
        let (got, due) = (spent.get(board).copied().unwrap_or(0) as f64 / all as f64, weight / sum);
        assert!(
            (got / due - 1.0).abs() < 0.05,
            "size {board} got {got:.3} of the time, not {due:.3}: {spent:?}"
        );
    }
}

on_both_databases! {
    async fn experiments_that_arrive_at_different_times_get_their_weights_shares_of_core_seconds(database: Database) {
        let mut fleet = Fleet::new(&database, 6).await;
        if database.address.starts_with("postgres") {
            fleet.another(&database).await;
            fleet.another(&database).await;
        }
        let apply = async |fleet: &Fleet, at: usize, experiment: &Experiment| {
            let coordinator = &fleet.coordinators[at % fleet.coordinators.len()];
            coordinator.apply(experiment).await.expect("apply");
        };
        apply(&fleet, 0, &many("ten", 10, 6, 1.0)).await;
        assert_shares(&fleet.play(600).await, &[(6, 1.0)]);
        apply(&fleet, 1, &many("thousand", 1_000, 4, 2.0)).await;
        assert_shares(&fleet.play(3_000).await, &[(6, 1.0), (4, 2.0)]);
        apply(&fleet, 2, &many("hundred", 100, 5, 3.0)).await;
        assert_shares(&fleet.play(4_500).await, &[(6, 1.0), (4, 2.0), (5, 3.0)]);
        for coordinator in &fleet.coordinators {
            assert_verified(coordinator).await;
        }
        let summary = fleet.coordinators[0].report("hundred").await.expect("report").summary;
        assert_eq!((summary.weight, summary.share), (3.0, Some(0.5)));
        assert!(summary.core_seconds > 0.9 * 0.5 * 6.0 * 4_500.0, "{summary:?}");
    }

    async fn who_did_not_wait_for_a_time_has_no_claim_to_the_time(database: Database) {
        let mut fleet = Fleet::new(&database, 4).await;
        fleet.coordinators[0].apply(&many("stays", 8, 4, 1.0)).await.expect("apply");
        fleet.coordinators[0].apply(&many("rests", 8, 5, 1.0)).await.expect("apply");
        assert_shares(&fleet.play(2_500).await, &[(4, 1.0), (5, 1.0)]);
        let set = |from, to| format!("UPDATE experiment_cell SET state = '{to}' WHERE size = 5 AND state = '{from}'");
        database.run(&set("open", "off")).await;
        fleet.play(200).await;
        assert_shares(&fleet.play(1_000).await, &[(4, 1.0)]);
        database.run(&set("off", "open")).await;
        assert_shares(&fleet.play(2_500).await, &[(4, 1.0), (5, 1.0)]);
        assert_verified(&fleet.coordinators[0]).await;
    }

    async fn an_experiment_that_few_workers_can_play_gets_those_and_the_others_share_the_rest(database: Database) {
        let mut fleet = Fleet::new(&database, 1).await;
        for _ in 0..3 {
            fleet.join(Worker { speeds: vec![speed(size(4)), speed(size(5))], ..Worker::new() });
        }
        for (name, board) in [("few", 6), ("one", 4), ("two", 5)] {
            fleet.coordinators[0].apply(&many(name, 5, board, 1.0)).await.expect("apply");
        }
        // A third of the time is more than the one machine has that can play size 6.
        assert_shares(&fleet.play(4_000).await, &[(6, 0.25), (4, 0.375), (5, 0.375)]);
        // A newcomer does not start where the experiment is that lags behind.
        fleet.coordinators[0].apply(&many("new", 5, 3, 1.0)).await.expect("apply");
        fleet.machines.iter_mut().for_each(|machine| {
            if machine.worker.speeds.len() == 2 {
                machine.worker.speeds.push(speed(size(3)));
            }
        });
        assert_shares(&fleet.play(4_000).await, &[(6, 0.25), (4, 0.25), (5, 0.25), (3, 0.25)]);
        assert_verified(&fleet.coordinators[0]).await;
    }

    async fn a_lease_is_charged_to_the_experiment_that_got_it_and_what_was_not_played_is_taken_back(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let shared = cell(500, 4, 100, 1.0);
        coordinator.apply(&experiment("one", vec![shared.clone()])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![shared])).await.expect("apply");
        let charged = async |name: &str| coordinator.report(name).await.expect("report").summary.core_seconds;
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        let (one, two) = (charged("one").await, charged("two").await);
        assert!(one > 0.0 && one == two, "one pair each: {one} and {two}");
        clock.advance(100_000);
        worker.drop_lease(&leases[0]);
        worker.sync(&coordinator, played(&leases[0], &[30, 40]), 0).await;
        assert_verified(&coordinator).await;
        worker.held.clear();
        worker.sync(&coordinator, Vec::new(), 0).await;
        let mut both = [charged("one").await, charged("two").await];
        both.sort_by(f64::total_cmp);
        assert!(both[0] == 0.0 && (both[1] - 70.0).abs() < 0.01, "{both:?}");
        assert_verified(&coordinator).await;
    }

    async fn no_machine_makes_its_experiment_pay_for_more_than_it_was_given(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 100, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        clock.advance(10_000);
        worker.held.clear();
        worker.sync(&coordinator, played(&lease, &[1_000_000, 1_000_000]), 0).await;
        let charged = coordinator.report("one").await.expect("report").summary.core_seconds;
        assert!(charged <= 21.0, "ten seconds on two cores are charged with {charged}");
        assert_verified(&coordinator).await;
    }
}
