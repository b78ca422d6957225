//! Time by phase, as in the table of the thesis.

use super::BenchArgs;
use engine::bench;
use engine::havannah::Params;
use engine::search::SearchParams;
use serde_json::{Value, json};

/// Prints and returns the shares of the phases.
pub(super) fn run(args: &BenchArgs, players: &[(String, Params)]) -> Value {
    args.say("Part of the time by phase, K rollouts a simulation, empty board, fresh tree");
    args.say("(choosing a child is descent; crediting children by RAVE, which chooses in the same pass, is back-propagation;");
    args.say(" timed: speed with the stopwatch running, whose own time is taken off)");
    args.say(" K  player  size      sims/s       timed   descent  expansion  playout  back-propagation");
    let mut rows = Vec::new();
    for &rollouts in &args.rollouts {
        for (name, params) in players {
            for size in args.sizes_or(&[5, 10]) {
                let params = Params { search: SearchParams { rollouts, ..params.search }, ..params.clone() };
                let plain = bench::search(size, &params, args.budget(), 1);
                let profile = bench::profile(size, &params, args.budget(), 1);
                let (speed, timed) = (plain.sims_per_s(), profile.measured.sims_per_s());
                let [descent, expansion, playout, back_up] = profile.shares;
                args.say(&format!(
                    "{rollouts:>2}  {name:<6}{size:>6}{speed:>12.0}{timed:>12.0}{:>9.1}%{:>10.1}%{:>8.1}%{:>17.1}%",
                    100.0 * descent,
                    100.0 * expansion,
                    100.0 * playout,
                    100.0 * back_up
                ));
                rows.push(json!({
                    "rollouts": rollouts, "player": name, "size": size, "sims_per_cpu_second": speed,
                    "sims_per_cpu_second_timed": timed, "stopwatch_share": profile.stopwatch,
                    "shares": { "descent": descent, "expansion": expansion, "playout": playout, "back_up": back_up },
                }));
            }
        }
    }
    json!({ "seconds": args.seconds, "sims": args.sims, "profiles": rows })
}
