//! Simulations per CPU second, with and without a tree, and the memory of a tree.

use super::BenchArgs;
use anyhow::Result;
use engine::bench::{self, Measurement};
use engine::havannah::{Board, Params};
use rayon::prelude::*;
use serde_json::{Value, json};

/// Prints and returns speeds and memory.
pub(super) fn run(args: &BenchArgs, players: &[(String, Params)]) -> Result<Value> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build()?;
    args.say(&format!(
        "Simulations per CPU second of one thread, {} at once, empty board, empty tree in memory used before \
         (playouts: without any tree)",
        args.threads
    ));
    args.say(
        "size  player        sims/s  playouts/s   bytes/node   bytes/sim    nodes   tree MiB  collections",
    );
    let mut rows = Vec::new();
    for size in args.sizes_or(&[4, 5, 6, 8, 10]) {
        for (name, params) in players {
            let runs: Vec<Measurement> = pool.install(|| {
                (0..args.threads)
                    .into_par_iter()
                    .map(|seed| {
                        // The first use of memory costs up to a fifth of the search. A game pays this in its first
                        // moves, a worker in its first game.
                        bench::search(size, params, args.budget(), u64::MAX);
                        bench::search(size, params, args.budget(), seed.into())
                    })
                    .collect()
            });
            let speed = runs.iter().map(Measurement::sims_per_s).sum::<f64>() / runs.len() as f64;
            let playouts = (!args.no_playouts)
                .then(|| bench::rollouts(&Board::new(size), params, args.budget(), 1).per_s());
            let shown = playouts.map_or("-".to_owned(), |speed| format!("{speed:.0}"));
            let first = &runs[0];
            let mib = first.bytes as f64 / f64::from(1 << 20);
            args.say(&format!(
                "{size:>4}  {name:<8}{speed:>12.0}{shown:>12}{:>13.0}{:>12.1}{:>9}{mib:>11.1}{:>13}",
                first.bytes_per_node(),
                first.bytes_per_sim(),
                first.nodes,
                first.collections,
            ));
            rows.push(json!({
                "size": size, "player": name, "sims_per_cpu_second": speed,
                "playouts_per_cpu_second": playouts, "sims": first.sims, "nodes": first.nodes,
                "bytes": first.bytes, "bytes_per_node": first.bytes_per_node(), "bytes_per_sim": first.bytes_per_sim(),
                "collections": first.collections,
            }));
        }
    }
    Ok(json!({ "seconds": args.seconds, "sims": args.sims, "threads": args.threads, "speeds": rows }))
}
