//! How playouts end: kinds of wins and lengths, as in the tables of the thesis.

use super::BenchArgs;
use engine::bench::{self, PlayoutEnds};
use engine::havannah::Params;
use serde_json::{Value, json};

/// Prints and returns how playouts end.
pub(super) fn run(args: &BenchArgs, players: &[(String, Params)], sims: u64) -> Value {
    let seeds = args.seeds.unwrap_or(1);
    args.say(&format!(
        "How {sims} simulations from the empty board end, or fewer where a proof ends the search, and after how many plies on \
         average (searches: {seeds})"
    ));
    args.say("player  size      fork    bridge      ring     draws   plies: fork  bridge    ring");
    let mut rows = Vec::new();
    for (name, params) in players {
        for size in args.sizes_or(&[4, 5, 6, 7, 8, 9, 10]) {
            let runs: Vec<PlayoutEnds> =
                (1..=seeds).map(|seed| bench::playout_ends(size, params, sims, seed)).collect();
            let sum = |of: &dyn Fn(&PlayoutEnds) -> u64| runs.iter().map(of).sum::<u64>() as f64;
            let wins: [f64; 3] = std::array::from_fn(|kind| sum(&|run| run.wins[kind]));
            let plies: [f64; 3] =
                std::array::from_fn(|kind| sum(&|run| run.plies[kind]) / wins[kind].max(1.0));
            let wins = wins.map(|wins| wins / runs.len() as f64);
            let draws = sum(&|run| run.draws) / runs.len() as f64;
            args.say(&format!(
                "{name:<6}{size:>6}{:>10.0}{:>10.0}{:>10.0}{draws:>10.0}{:>14.2}{:>8.2}{:>8.2}",
                wins[0], wins[1], wins[2], plies[0], plies[1], plies[2]
            ));
            rows.push(json!({
                "player": name, "size": size, "draws": draws,
                "wins": { "fork": wins[0], "bridge": wins[1], "ring": wins[2] },
                "mean_plies": { "fork": plies[0], "bridge": plies[1], "ring": plies[2] },
            }));
        }
    }
    json!({ "sims": sims, "seeds": seeds, "playouts": rows })
}
