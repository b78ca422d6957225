//! The cost of each parameter, changed from its default alone.

use super::BenchArgs;
use engine::bench;
use engine::havannah::{BoardSize, Params};
use engine::params::ParamValue;
use engine::search::Budget;
use protocol::median::median;
use serde_json::{Value, json};
use std::time::Duration;

/// The number of runs of the player and of its variant.
const TURNS: u32 = 5;

/// Prints and returns costs: the CPU time of a simulation with the parameter, divided by the time without it.
pub(super) fn run(args: &BenchArgs, players: &[(String, Params)]) -> Value {
    args.say("CPU time of a simulation with one tunable moved off its default, by the time without; runs take turns");
    args.say("(the median, and the least and the most of the turns)");
    let mut rows = Vec::new();
    for (name, params) in players {
        for size in args.sizes_or(&[5, 10]) {
            args.say(&format!("{name}, size {size}"));
            for (tunable, value) in bench::variants() {
                let mut variant = params.clone();
                variant.set(tunable, &value).expect("within range");
                if variant == *params {
                    continue;
                }
                let costs = costs(args, size, params, &variant);
                let (least, most) = costs
                    .iter()
                    .fold((f64::MAX, 0_f64), |(least, most), &cost| (least.min(cost), most.max(cost)));
                let cost = median(&costs).unwrap_or(f64::NAN);
                args.say(&format!("{:<34}{cost:>7.2}   {least:.2} to {most:.2}", shown(tunable, &value)));
                rows.push(json!({
                    "player": name, "size": size, "tunable": tunable, "value": value.to_string(), "cost": cost,
                    "least": least, "most": most,
                }));
            }
        }
    }
    json!({ "seconds": args.seconds, "sims": args.sims, "features": rows })
}

fn shown(tunable: &str, value: &ParamValue) -> String {
    format!("  {tunable} = {value}")
}

/// The relative CPU time of the variant per simulation, for each pair of runs.
fn costs(args: &BenchArgs, size: BoardSize, params: &Params, variant: &Params) -> Vec<f64> {
    let budget = match args.budget() {
        Budget::Sims(sims) => Budget::Sims(sims),
        Budget::CpuTime(time) => Budget::CpuTime((time / TURNS).max(Duration::from_millis(1))),
    };
    let speed = |params, turn: u32| bench::search(size, params, budget, turn.into()).sims_per_s();
    (0..TURNS).map(|turn| speed(params, turn) / speed(variant, turn)).collect()
}
