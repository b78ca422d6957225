//! What keeping the tree costs.

use super::BenchArgs;
use engine::bench;
use engine::havannah::Params;
use serde_json::{Value, json};
use std::time::Duration;

/// Simulations a move: about those of RAVE in five reference seconds on size 8.
const SIMS: u64 = 50_000;

/// Prints and returns the time between moves for the time of searches.
pub(super) fn run(args: &BenchArgs, players: &[(String, Params)]) -> Value {
    let sims = args.sims.unwrap_or(SIMS);
    args.say(&format!(
        "CPU time of keeping the tree between moves, for 100 s of search; {sims} simulations a move,"
    ));
    args.say("whole games of the player against itself");
    args.say("player  size    keeping");
    let mut rows = Vec::new();
    for (name, params) in players {
        for size in args.sizes_or(&[4, 5, 6, 8, 10]) {
            let found = bench::keeping(size, params, sims, Duration::from_secs_f64(args.seconds));
            args.say(&format!("{name:<6}{size:>6}{:>9.1} s", 100.0 * found.share()));
            rows.push(json!({
                "player": name, "size": size, "searching_s": found.searching.as_secs_f64(),
                "keeping_s": found.keeping.as_secs_f64(),
            }));
        }
    }
    json!({ "sims": sims, "keeping": rows })
}
