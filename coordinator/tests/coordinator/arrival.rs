//! Results are the same, bit for bit, whatever the order in which games arrive, in which batches, and how often.

use crate::databases::{Database, on_both_databases};
use crate::play::{Random, Worker, assert_verified, cell, experiment, open, play};
use coordinator::Coordinator;
use protocol::experiment::{Experiment, Hypotheses, PlannedCell, Policy, StopInterval, StopRule};
use protocol::ids::WorkerId;
use protocol::result::FinishedGame;
use serde_json::Value;
use uuid::Uuid;

/// Pairs of each cell.
const PAIRS: u32 = 24;

/// Machines that play them. In every delivery, the same machine plays the same pair.
const MACHINES: u128 = 3;

/// A way to deliver the same games.
struct Delivery {
    seed: u64,
    /// Games of one call at most.
    batch: usize,
}

const DELIVERIES: [Delivery; 4] = [
    Delivery { seed: 0, batch: 1_000 },
    Delivery { seed: 1, batch: 1 },
    Delivery { seed: 2, batch: 7 },
    Delivery { seed: 3, batch: 40 },
];

/// Two sizes, of which cells end by tests, by precision, and by number; and a second experiment that shares some of them.
fn plans() -> [Experiment; 2] {
    let test = StopRule::Sprt { hypotheses: Hypotheses::Score([0.35, 0.65]), alpha: 0.05, beta: 0.05 };
    let precision = StopRule::HalfWidth { half_width: 0.2, interval: StopInterval::Wilson, confidence: 0.95 };
    let rules = [None, Some(test), Some(precision), None];
    let cells: Vec<PlannedCell> = [10, 50, 250, 1_000]
        .into_iter()
        .zip(rules)
        .flat_map(|(k, stop)| {
            [3, 4].map(|size| PlannedCell { stop, ..cell(k, size, PAIRS, f64::from(size)) })
        })
        .collect();
    let shared = cells.iter().take(4).map(|cell| PlannedCell { stop: None, ..cell.clone() }).collect();
    [
        Experiment { policy: Policy::Best, ..experiment("one", cells) },
        Experiment { weight: 3.0, ..experiment("two", shared) },
    ]
}

/// Leases every pair before the first result arrives; gives the games with the numbers of their workers. A game is the same
/// in every delivery.
async fn lease_everything(coordinator: &Coordinator, fleet: &mut [Worker]) -> Vec<(usize, FinishedGame)> {
    let mut games = Vec::new();
    loop {
        let before = games.len();
        for (number, worker) in fleet.iter_mut().enumerate() {
            for lease in worker.take(coordinator, 16).await {
                let played = lease.games.iter().map(|game| play(&lease, *game, game.id.0.as_u64_pair().0));
                games.extend(played.map(|game| (number, game)));
            }
        }
        if games.len() == before {
            break;
        }
    }
    games.sort_by_key(|(_, game)| game.game);
    games
}

/// Delivers these games of a fleet in the order and the batches of `random`, some of them again.
async fn deliver(
    coordinator: &Coordinator,
    fleet: &[Worker],
    mut games: Vec<(usize, FinishedGame)>,
    batch: usize,
    random: &mut Random,
) {
    for place in (1..games.len()).rev() {
        games.swap(place, random.below(place + 1));
    }
    let mut rest = &games[..];
    while !rest.is_empty() {
        let (now, later) = rest.split_at(rest.len().min(1 + random.below(batch)));
        rest = later;
        let again = 1 + usize::from(random.below(3) == 0);
        for (number, worker) in fleet.iter().enumerate() {
            let own = now.iter().filter(|(of, _)| *of == number).map(|(_, game)| game.clone());
            let own: Vec<FinishedGame> = own.collect();
            for _ in 0..if own.is_empty() { 0 } else { again } {
                worker.report(coordinator, own.clone()).await;
            }
        }
    }
}

/// Takes out what says when something happened or how long it took.
fn without_clocks(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_clock = |name: &str| {
                name.ends_with("_ms") || ["core_seconds", "games_per_minute", "seconds_left"].contains(&name)
            };
            fields.retain(|name, _| !is_clock(name));
            fields.values_mut().for_each(without_clocks);
        }
        Value::Array(values) => values.iter_mut().for_each(without_clocks),
        _ => {}
    }
}

/// Everything that is computed from games, as the API serialises it, with the names of the parts.
async fn shown(coordinator: &Coordinator) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    for plan in plans() {
        let name = &plan.name;
        let report = coordinator.report(name).await.expect("report");
        parts.push((format!("report of {name}"), serde_json::to_value(report)));
        let analysis = coordinator.analysis(name, None).await.expect("analysis");
        parts.push((format!("analysis of {name}"), serde_json::to_value(&analysis)));
        parts.push((format!("analysis of {name} in words"), Ok(analysis.text().into())));
    }
    for cell in &plans()[0].cells {
        let id = cell.spec.id().to_string();
        parts.push((format!("cell {id}"), serde_json::to_value(coordinator.cell(&id).await.expect("cell"))));
        let running = coordinator.running_cell(&id).await.expect("running");
        parts.push((format!("course of {id}"), serde_json::to_value(running)));
    }
    let written = parts.into_iter().map(|(name, value)| {
        let mut value = value.expect("serialises");
        without_clocks(&mut value);
        (name, value.to_string())
    });
    written.collect()
}

/// What is shown after six of seven games and after all of them.
async fn after(database: &Database, delivery: &Delivery) -> [Vec<(String, String)>; 2] {
    let (coordinator, clock) = open(database).await;
    for plan in plans() {
        coordinator.apply(&plan).await.expect("apply");
    }
    let machine = |id| Worker { id: WorkerId(Uuid::from_u128(id << 96)), slots: 256, ..Worker::new() };
    let mut fleet: Vec<Worker> = (1..=MACHINES).map(machine).collect();
    let games = lease_everything(&coordinator, &mut fleet).await;
    assert_eq!(games.len(), 8 * 2 * PAIRS as usize, "all pairs are leased");
    let mut random = Random(delivery.seed);
    let (late, early): (Vec<_>, Vec<_>) =
        games.into_iter().partition(|(_, game)| game.game.0.as_u64_pair().1.is_multiple_of(7));
    assert!(late.len() > 20, "{}", late.len());
    deliver(&coordinator, &fleet, early.clone(), delivery.batch, &mut random).await;
    let first = shown(&coordinator).await;
    clock.advance(1_000 * delivery.seed as i64);
    deliver(&coordinator, &fleet, late, delivery.batch, &mut random).await;
    deliver(&coordinator, &fleet, early, delivery.batch, &mut random).await;
    assert_verified(&coordinator).await;
    [first, shown(&coordinator).await]
}

/// Another empty database of the same kind.
async fn another(database: &Database) -> Database {
    if database.address.starts_with("postgres") {
        Database::postgres().await.expect("Postgres is there")
    } else {
        Database::sqlite()
    }
}

on_both_databases! {
    async fn everything_that_is_shown_is_the_same_bit_for_bit_after_any_order_of_arrival(database: Database) {
        let expected = after(&database, &DELIVERIES[0]).await;
        assert_ne!(expected[0], expected[1]);
        for delivery in &DELIVERIES[1..] {
            let found = after(&another(&database).await, delivery).await;
            for (part, (found, expected)) in found.iter().flatten().zip(expected.iter().flatten()).enumerate() {
                let differs = found.1.bytes().zip(expected.1.bytes()).position(|(a, b)| a != b);
                let near = differs.unwrap_or(0).saturating_sub(150);
                let text = |text: &str| text.chars().skip(near).take(300).collect::<String>();
                assert!(
                    found == expected,
                    "delivery {}, part {part}, {}:\n{}\ninstead of\n{}",
                    delivery.seed,
                    found.0,
                    text(&found.1),
                    text(&expected.1)
                );
            }
        }
    }
}
