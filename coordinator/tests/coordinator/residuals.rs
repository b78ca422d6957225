//! Results and speeds of machines beside those of others.

use crate::databases::{Database, on_both_databases};
use crate::play::{Random, Worker, assert_verified, cell, experiment, open, play};
use coordinator::Coordinator;
use protocol::alarm::{Alarm, AlarmKind, Severity};
use protocol::experiment::PlannedCell;
use protocol::lease::Budget;
use protocol::operate::{ExcludeGamesRequest, Machines, RestoreGamesRequest};
use protocol::result::FinishedGame;

/// A machine that plays random moves. One that chooses plays a game up to `plays` times, until the case wins.
struct Machine {
    worker: Worker,
    plays: usize,
    /// Its CPU time for a simulation, relative to what it says.
    slowness: f64,
    random: Random,
    games: u64,
}

impl Machine {
    fn new(seed: u64, plays: usize) -> Self {
        let mut worker = Worker::new();
        worker.slots = 64;
        Self { worker, plays, slowness: 1.0, random: Random(seed), games: 0 }
    }

    async fn turn(&mut self, coordinator: &Coordinator, pairs: u32) {
        let leases = self.worker.take(coordinator, pairs).await;
        let mut games: Vec<FinishedGame> = Vec::new();
        for lease in &leases {
            for game in &lease.games {
                let mut played = play(lease, *game, self.random.next());
                for _ in 1..self.plays {
                    if played.outcome.winner() == Some(game.case_side) {
                        break;
                    }
                    played = play(lease, *game, self.random.next());
                }
                played.record.cpu_us.iter_mut().for_each(|us| *us = (*us as f64 * self.slowness) as u64);
                games.push(played);
            }
        }
        self.games += games.len() as u64;
        self.worker.held.clear();
        self.worker.report(coordinator, games).await;
    }
}

fn cells(pairs: u32) -> Vec<PlannedCell> {
    // The machine's choice is possible with a budget in time only.
    let timed = |k, board| {
        let mut planned = cell(k, board, pairs, 1.0);
        planned.spec.budget = Budget::ReferenceSeconds(0.01);
        planned
    };
    vec![timed(10, 3), timed(20, 3), timed(10, 4)]
}

async fn start(database: &Database, cells: Vec<PlannedCell>) -> Coordinator {
    let (coordinator, _) = open(database).await;
    coordinator.apply(&experiment("one", cells)).await.expect("apply");
    coordinator
}

async fn alarms(coordinator: &Coordinator) -> Vec<Alarm> {
    coordinator.look_for_alarms().await.expect("alarms").alarms
}

on_both_databases! {
    async fn a_machine_that_reports_the_best_of_several_plays_is_found(database: Database) {
        let coordinator = start(&database, cells(5_000)).await;
        // Of three plays one is won with a chance of 88 %.
        let mut fleet: Vec<Machine> = (0..4).map(|seed| Machine::new(seed, if seed == 2 { 3 } else { 1 })).collect();
        let found = loop {
            for machine in &mut fleet {
                machine.turn(&coordinator, 10).await;
            }
            let found = alarms(&coordinator).await;
            if found.iter().any(|alarm| alarm.severity == Severity::Red) {
                break found;
            }
            assert!(fleet[2].games < 800, "{found:?}");
        };
        let liar = fleet[2].worker.id;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].kind, found[0].worker), (AlarmKind::Results, Some(liar)));
        assert!(found[0].words.contains("the case scored 8"), "{}", found[0].words);
        assert!(fleet[2].games <= 500, "found after {} games", fleet[2].games);
        let why = coordinator.why(&liar.to_string()).await.expect("why").reasons.join("\n");
        assert!(why.contains("its results differ from those of other machines"), "{why}");
        assert_verified(&coordinator).await;

        let machines = Machines::Named(liar.to_string());
        let request = ExcludeGamesRequest { machines: machines.clone(), since_ms: None, why: "it chooses".into() };
        coordinator.exclude_games(request, "someone").await.expect("excluded");
        assert_eq!(alarms(&coordinator).await, [], "without its games nothing is wrong");
        assert_verified(&coordinator).await;
        coordinator.restore_games(RestoreGamesRequest { machines }, "someone").await.expect("restored");
        assert_eq!(alarms(&coordinator).await.len(), 1, "its games count again");
        assert_verified(&coordinator).await;
        let audit = coordinator.audit(None, 100).await.expect("audit").entries;
        assert!(audit.iter().filter(|entry| entry.action == "alarm").count() <= 2, "amber and red: {audit:?}");

        // An alarm that is over lowers no level: after very many looks the same evidence is too weak to raise one.
        let machines = Machines::Named(liar.to_string());
        let request = ExcludeGamesRequest { machines: machines.clone(), since_ms: None, why: "again".into() };
        coordinator.exclude_games(request, "someone").await.expect("excluded");
        assert_eq!(alarms(&coordinator).await, []);
        database.run("UPDATE worker SET looks = 1000000000").await;
        coordinator.restore_games(RestoreGamesRequest { machines }, "someone").await.expect("restored");
        assert_eq!(alarms(&coordinator).await, [], "judged as any other machine");
    }

    async fn honest_machines_of_different_speeds_are_left_alone(database: Database) {
        let coordinator = start(&database, cells(5_000)).await;
        let mut fleet: Vec<Machine> = (10..15).map(|seed| Machine::new(seed, 1)).collect();
        for (speed, machine) in fleet.iter_mut().enumerate() {
            for says in &mut machine.worker.speeds {
                says.sims_per_s *= 1.0 + speed as f64;
                says.factor /= 1.0 + speed as f64;
            }
        }
        for round in 0..20 {
            for (speed, machine) in fleet.iter_mut().enumerate() {
                machine.turn(&coordinator, 1 + 3 * speed as u32).await;
            }
            assert_eq!(alarms(&coordinator).await, [], "round {round}");
        }
        let why = coordinator.why(&fleet[4].worker.id.to_string()).await.expect("why").reasons.join("\n");
        let said = format!("in its {} games of cells that others play, too, the case scored", fleet[4].games);
        assert!(why.contains(&said) && why.contains("chi-square"), "{why}");
        assert!(fleet[4].games > 500 && fleet[0].games < 50);
        assert_verified(&coordinator).await;
    }

    async fn a_machine_that_measured_itself_wrong_is_found_by_the_speed_of_its_games(database: Database) {
        let mut planned = cells(5_000);
        planned.iter_mut().for_each(|cell| cell.spec.budget = Budget::Sims(100));
        let coordinator = start(&database, planned).await;
        let mut fleet: Vec<Machine> = (20..24).map(|seed| Machine::new(seed, 1)).collect();
        fleet[1].slowness = 1.8;
        fleet[3].slowness = 1.2;
        for _ in 0..4 {
            for machine in &mut fleet {
                machine.turn(&coordinator, 10).await;
            }
        }
        let found = alarms(&coordinator).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].kind, found[0].worker), (AlarmKind::Speed, Some(fleet[1].worker.id)));
        assert_eq!(found[0].severity, Severity::Amber);
        assert!(found[0].words.contains("times slower than it says"), "{}", found[0].words);
        assert_verified(&coordinator).await;
    }
}
