//! Many workers with many kinds of faults, against an oracle that counts independently.

use crate::databases::on_both_databases;
use crate::play::{Random, Worker, assert_verified, cell, experiment, open, play};
use coordinator::{Clock, Coordinator};
use engine::havannah::Outcome;
use protocol::games::GameStatus;
use protocol::ids::{CellId, GameId, LeaseId};
use protocol::lease::Lease;
use protocol::result::FinishedGame;
use protocol::sync::{AckStatus, SyncResponse};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The expected totals, from the acknowledgements alone.
#[derive(Default)]
struct Oracle {
    counted: HashMap<GameId, (CellId, u32, usize, Outcome)>,
    stored: HashSet<(GameId, LeaseId)>,
    /// Plays that arrived while another worker held their pair. They count if that worker does not deliver their games.
    late: HashMap<(GameId, LeaseId), (CellId, u32, usize, Outcome)>,
}

impl Oracle {
    fn hear(&mut self, sent: &[(Origin, FinishedGame)], answer: &SyncResponse) {
        assert_eq!(sent.len(), answer.acks.len());
        for ((lease, game), ack) in sent.iter().zip(&answer.acks) {
            assert_eq!((ack.game, ack.lease), (game.game, game.lease));
            let half = usize::from(game.game != GameId::of(lease.cell, lease.pair, 0));
            let play = (lease.cell, lease.pair, half, game.outcome);
            let expected = match self.counted.entry(game.game) {
                _ if !self.stored.insert((game.game, game.lease)) => AckStatus::Duplicate,
                Entry::Occupied(_) => AckStatus::Superseded,
                Entry::Vacant(_) if ack.status == AckStatus::Superseded => {
                    self.late.insert((game.game, game.lease), play);
                    continue;
                }
                Entry::Vacant(missing) => {
                    missing.insert(play);
                    AckStatus::Accepted
                }
            };
            assert_eq!(ack.status, expected);
        }
    }
}

/// The cell and pair of a game, copied from the lease, which has no `Clone`.
#[derive(Clone, Copy)]
struct Origin {
    cell: CellId,
    pair: u32,
}

/// A worker that loses answers, repeats calls, forgets leases and is absent for long times.
struct Careless {
    worker: Worker,
    leases: Vec<(Lease, usize)>,
    spool: Vec<(Origin, FinishedGame)>,
}

impl Careless {
    async fn step(
        &mut self,
        coordinator: &Coordinator,
        clock: &Clock,
        random: &mut Random,
        oracle: &mut Oracle,
    ) {
        // Play some of the leased games.
        for (lease, played) in &mut self.leases {
            if *played < lease.games.len() && random.below(3) > 0 {
                let about = Origin { cell: lease.cell, pair: lease.pair };
                self.spool.push((about, play(lease, lease.games[*played], random.next())));
                *played += 1;
            }
        }
        if random.below(8) == 0 && !self.leases.is_empty() {
            // The process is lost: unspooled games are gone, and no lease is listed any more.
            self.leases.clear();
        }
        self.worker.held = self
            .leases
            .iter()
            .filter(|(lease, played)| *played < lease.games.len())
            .map(|(lease, played)| protocol::sync::HeldLease { lease: lease.id, plies: *played as u32 })
            .collect();
        if random.below(4) == 0 {
            let from = random.below(self.spool.len() + 1);
            self.spool.rotate_left(from);
        }
        let sent = self.spool.clone();
        let finished = sent.iter().map(|(_, game)| game.clone()).collect();
        let answer = self.worker.sync(coordinator, finished, random.below(4) as u32).await;
        oracle.hear(&sent, &answer);
        self.leases
            .retain(|(lease, played)| *played < lease.games.len() && !answer.revoked.contains(&lease.id));
        // When the answer is lost, the same games are delivered again, and the new leases are unknown to the worker.
        if random.below(5) > 0 {
            self.spool.clear();
            self.leases.extend(answer.leases.into_iter().map(|lease| (lease, 0)));
        }
        clock.advance(random.below(20_000) as i64);
        if random.below(12) == 0 {
            clock.advance(130_000);
        }
    }
}

on_both_databases! {
    async fn totals_are_exact_after_a_storm(database: Database) {
        for seed in 0..3 {
            let (coordinator, clock) = open(&database).await;
            let name = format!("storm {seed}");
            let mut cells: Vec<_> = (0..4).map(|k| cell(100 + k, 3, 12, f64::from(k + 1))).collect();
            for planned in &mut cells {
                planned.spec.seed = seed;
            }
            coordinator.apply(&experiment(&name, cells)).await.expect("apply");
            let mut random = Random(seed);
            let mut oracle = Oracle::default();
            let mut workers: Vec<Careless> = (0..5)
                .map(|_| Careless { worker: Worker::new(), leases: Vec::new(), spool: Vec::new() })
                .collect();
            let mut steps = 0;
            while coordinator.report(&name).await.expect("report").summary.games_done < 96 {
                let worker = random.below(workers.len());
                workers[worker].step(&coordinator, &clock, &mut random, &mut oracle).await;
                steps += 1;
                assert!(steps < 5_000, "the experiment does not end");
                if steps % 40 == 0 {
                    assert_verified(&coordinator).await;
                }
            }
            compare(&coordinator, &name, &mut oracle).await;
            assert_verified(&coordinator).await;
            coordinator.close().await;
        }
    }
}

/// Compares the report with the oracle.
async fn compare(coordinator: &Coordinator, name: &str, oracle: &mut Oracle) {
    let mut stored = 0;
    let mut after = None;
    loop {
        let page = coordinator.games(name, after.as_deref(), 17).await.expect("games");
        stored += page.games.len();
        for line in page.games.iter().filter(|line| line.status == GameStatus::Counted) {
            if let (Some(play), Entry::Vacant(missing)) =
                (oracle.late.get(&(line.id, line.lease)), oracle.counted.entry(line.id))
            {
                missing.insert(*play);
            }
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(stored, oracle.stored.len(), "every play that was acknowledged is there");
    let report = coordinator.report(name).await.expect("report");
    assert_eq!(oracle.counted.len(), 96);
    for point in report.series.iter().flat_map(|line| &line.points) {
        let games: Vec<_> = oracle.counted.values().filter(|play| play.0 == point.cell).collect();
        let points =
            |play: &(CellId, u32, usize, Outcome)| play.3.half_points(engine::side::Side::BOTH[play.2]);
        let count = |wanted: u8| games.iter().filter(|play| points(play) == wanted).count() as u64;
        assert_eq!((point.wins, point.draws, point.losses), (count(2), count(1), count(0)));
        let mut pairs: HashMap<u32, Vec<u8>> = HashMap::new();
        for play in &games {
            pairs.entry(play.1).or_default().push(points(play));
        }
        let mut pair_counts = [0; 6];
        for pair in pairs.values() {
            pair_counts[stats::PairCounts::category(pair[0], pair[1])] += 1;
        }
        assert_eq!(point.pair_counts, pair_counts);
    }
}
