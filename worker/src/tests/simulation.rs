//! Simulation of the delivery contract. [`world`] lists its real and its simulated parts.
//!
//! The simulation was validated by breaking the contract. Each of these defects fails within the first seeds:
//! - The coordinator does not look for stored plays, or counts a game of a pair twice.
//! - The coordinator answers before the commit, or acknowledges games that a power cut can take.
//! - The worker ignores its spool at the start, or a game under its temporary name.
//! - The coordinator accepts another worker's lease, or a wrong outcome.
//! - A lapsed lease continues although its pair was leased again.
//! - Leases that their worker does not list are kept.
//! - An overtaken call takes leases back.
//! - A live process is refused because of a late call of the process before it.
//!
//! `GAUNTLET_SEEDS=n` runs n seeds, `GAUNTLET_SEED=n` runs the seed n, and `GAUNTLET_THOROUGH=1` runs as many seeds as
//! `./test --thorough`.

mod liar;
mod machine;
mod oracle;
mod server;
mod world;

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;
use std::time::Instant;
use world::{Tally, World};

/// Number of seeds, unless `GAUNTLET_SEEDS` gives another.
const SEEDS: u64 = 200;
/// Number of seeds in `./test --thorough`.
const THOROUGH_SEEDS: u64 = 2_000;

/// Runs one seed, on a file system in memory if there is one.
fn simulate(seed: u64) -> Tally {
    let memory = Path::new("/dev/shm");
    let home = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let home = home.expect("a directory");
    World::new(seed, home.path()).run()
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not `{text}`")))
}

/// Runs these seeds on all processors. The first failure stops all runs, and the error names the seed.
fn simulate_all(seeds: std::ops::Range<u64>) -> BTreeMap<u64, Tally> {
    let (next, tallies) = (AtomicU64::new(seeds.start), Mutex::new(BTreeMap::new()));
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    match catch_unwind(|| simulate(seed)) {
                        Ok(tally) => drop(tallies.lock().expect("no panic").insert(seed, tally)),
                        Err(_) => {
                            failed.lock().expect("no panic").get_or_insert(seed);
                            next.store(seeds.end, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    if let Some(seed) = failed.into_inner().expect("no panic") {
        panic!(
            "seed {seed} failed, as above; again: GAUNTLET_SEED={seed} cargo test -p worker --lib simulation"
        );
    }
    tallies.into_inner().expect("no panic")
}

#[test]
fn whatever_fails_every_game_is_counted_once() {
    let began = Instant::now();
    let seeds = match number("GAUNTLET_SEED") {
        Some(seed) => seed..seed + 1,
        None => {
            let usual = if std::env::var_os("GAUNTLET_THOROUGH").is_some() { THOROUGH_SEEDS } else { SEEDS };
            0..number("GAUNTLET_SEEDS").unwrap_or(usual)
        }
    };
    let tallies = simulate_all(seeds);
    let sum = |of: fn(&Tally) -> u64| tallies.values().map(of).sum::<u64>();
    eprintln!(
        "{} seeds in {:.1} s: {} games counted, {} superseded, {} repeated; {} calls, {} lost; {} workers ({} in mid-game, {} games went on) and {} \
         coordinators killed, {} power cuts, {} clocks set, {} answers held back, {} transactions failed, {} calls of dead processes refused, {} overtaken, {} \
         games kept in memory only, {} lies rejected, {} late games counted, {} leases told of again, {} pairs handed over",
        tallies.len(),
        began.elapsed().as_secs_f64(),
        sum(|t| t.counted),
        sum(|t| t.superseded),
        sum(|t| t.duplicates),
        sum(|t| t.calls),
        sum(|t| t.lost),
        sum(|t| t.worker_kills),
        sum(|t| t.killed_in_game),
        sum(|t| t.continued),
        sum(|t| t.coordinator_kills),
        sum(|t| t.power_cuts),
        sum(|t| t.clocks_set),
        sum(|t| t.held_back),
        sum(|t| t.failed_transactions),
        sum(|t| t.refused),
        sum(|t| t.overtaken),
        sum(|t| t.full_disks),
        sum(|t| t.rejected),
        sum(|t| t.late),
        sum(|t| t.again),
        sum(|t| t.handed_over),
    );
    if tallies.len() as u64 >= SEEDS {
        // Every kind of fault must have occurred: without faults, the simulation proves nothing.
        let happened: [fn(&Tally) -> u64; 18] = [
            |t| t.clocks_set,
            |t| t.superseded,
            |t| t.duplicates,
            |t| t.lost,
            |t| t.repeated,
            |t| t.worker_kills,
            |t| t.killed_in_game,
            |t| t.continued,
            |t| t.coordinator_kills,
            |t| t.power_cuts,
            |t| t.held_back,
            |t| t.failed_transactions,
            |t| t.refused,
            |t| t.overtaken,
            |t| t.rejected,
            |t| t.late,
            |t| t.again,
            |t| t.handed_over,
        ];
        assert!(happened.into_iter().all(|of| sum(of) > 0));
    }
}

#[test]
fn a_seed_is_a_run() {
    for seed in 0..4 {
        assert_eq!(simulate(seed), simulate(seed), "seed {seed}");
    }
}
