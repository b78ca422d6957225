//! Instructions per simulation, counted by valgrind. Unlike times they hardly differ from run to run.

use super::BenchArgs;
use anyhow::{Context, Result, ensure};
use engine::havannah::BoardSize;
use serde_json::{Value, json};
use std::process::Command;

/// The default number of simulations.
const SIMS: u64 = 10_000;

/// Searches per measurement: the first one warms up the memory.
const SEARCHES: u64 = 2;

/// Prints and returns instructions per simulation. The instructions of searches with one simulation are subtracted.
pub(super) fn run(args: &BenchArgs) -> Result<Value> {
    let sims = args.sims.unwrap_or(SIMS);
    ensure!(sims > 1, "--sims: two simulations at least");
    args.say(&format!("Instructions a simulation, the first {sims} from the empty board"));
    args.say("size  player    instructions");
    let mut rows = Vec::new();
    for size in args.sizes_or(&[4, 5, 6, 8, 10]) {
        for name in &args.players {
            let count = |sims| instructions(args, size, name, sims);
            let ((many, made), (few, one)) = (count(sims)?, count(1)?);
            ensure!(made > one, "size {size}, {name}: the first simulation proves the position");
            let each = (many as f64 - few as f64) / (SEARCHES * (made - one)) as f64;
            args.say(&format!("{size:>4}  {name:<8}{each:>14.0}"));
            rows.push(json!({ "size": size, "player": name, "instructions_per_sim": each }));
        }
    }
    Ok(json!({ "sims": sims, "instructions": rows }))
}

/// The instructions of this program for one measurement, and the simulations of a search, which a proof may end early.
fn instructions(args: &BenchArgs, size: BoardSize, player: &str, sims: u64) -> Result<(u64, u64)> {
    let program = std::env::current_exe().context("this program's file")?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["bench", "--json", "--no-playouts", "--sizes", &size.to_string(), "--players", player]);
    command.args(["--sims", &sims.to_string()]);
    for pair in &args.set {
        command.args(["--set", pair]);
    }
    let output = command.output().context("cannot run valgrind; is it installed?")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed:\n{said}");
    let count = said.lines().find_map(|line| line.split_once("Collected :"));
    let count = count.and_then(|(_, number)| number.trim().parse().ok());
    let count = count.with_context(|| format!("valgrind counted nothing:\n{said}"))?;
    let result: Value = serde_json::from_slice(&output.stdout).context("the measurement's output")?;
    let made = result["speeds"][0]["sims"].as_u64().context("the measurement's simulations")?;
    Ok((count, made))
}
