//! `gauntlet plan FILE`: the cost of an experiment on this machine and the differences that it can show.

mod cost;

use anyhow::Context;
use cost::{Costs, hours};
use protocol::experiment::{Experiment, PlannedCell};
use protocol::lease::typical_plies;
use protocol::words::counted;
use stats::{Test, detectable, elo_difference};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Shows cells, games, expected time and the smallest difference an experiment can show; plays nothing.
///
/// `gauntlet help experiment-file` describes the file.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    /// The experiment file; - is standard input.
    file: PathBuf,
    /// Games played at once, on all machines together [default: the cores of this machine].
    #[arg(long, value_name = "N")]
    slots: Option<NonZeroUsize>,
}

/// Prints the plan of an experiment to standard output.
///
/// # Errors
/// When the file cannot be read or does not describe an experiment.
pub(crate) fn run(args: PlanArgs) -> anyhow::Result<()> {
    let experiment = super::read_experiment(&args.file)?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let costs = Costs::measure(&experiment, cores.get())?;
    let report = report(&experiment, &costs, args.slots.unwrap_or(cores).get())?;
    std::io::stdout().write_all(report.as_bytes()).context("cannot write to standard output")
}

/// The plan as text and tables.
fn report(experiment: &Experiment, costs: &Costs, slots: usize) -> anyhow::Result<String> {
    let cells = &experiment.cells;
    let games: u64 = cells.iter().map(games_of).sum();
    let mut out = String::new();
    writeln!(out, "{}: {}\n", experiment.name, experiment.question)?;

    for (group, labels) in cases(cells) {
        writeln!(out, "{group}: {labels}")?;
    }
    out.push('\n');

    let rows = |key: &dyn Fn(&PlannedCell) -> Vec<String>| {
        grouped(cells, key).into_iter().map(|(mut row, cells)| {
            let games: u64 = cells.iter().map(|cell| games_of(cell)).sum();
            let seconds: f64 =
                cells.iter().map(|cell| games_of(cell) as f64 * costs.game_seconds(cell)).sum();
            row.extend([cells.len().to_string(), games.to_string(), hours(seconds)]);
            row
        })
    };
    let played = rows(&|cell| {
        vec![cell.case.group.clone(), cell.baseline.label.clone(), format!("{} a move", cell.spec.budget)]
    });
    let headings = ["test", "against", "budget", "cells", "games", "core-hours"];
    table(&mut out, &headings, 3, played.collect());
    out.push('\n');

    let mut by_size: Vec<_> =
        rows(&|cell| vec![cell.spec.size.to_string(), typical_plies(cell.spec.size).to_string()]).collect();
    by_size.sort_by_key(|row| row[0].parse::<u8>().unwrap_or_default());
    let seconds: f64 = cells.iter().map(|cell| games_of(cell) as f64 * costs.game_seconds(cell)).sum();
    by_size.push(vec![
        "all".into(),
        String::new(),
        cells.len().to_string(),
        games.to_string(),
        hours(seconds),
    ]);
    table(&mut out, &["size", "plies", "cells", "games", "core-hours"], 1, by_size);
    out.push('\n');

    for pairs in cells.iter().map(|cell| cell.pairs).collect::<BTreeSet<_>>() {
        let n = 2 * pairs;
        match detectable(u64::from(pairs), 1.0, Test::STANDARD)? {
            Some(difference) => {
                let elo = elo_difference(0.5 + difference).map_or("∞".into(), |elo| format!("{elo:.0}"));
                writeln!(
                    out,
                    "A cell of {n} games can show a rate below {:.1} % or above {:.1} %, {elo} Elo to either side \
                     (5 % two-sided, 80 % power).",
                    100.0 * (0.5 - difference),
                    100.0 * (0.5 + difference)
                )?;
            }
            None => writeln!(out, "A cell of {n} games is too small to show any difference.")?,
        }
    }
    if let Some(rule) = cells.iter().find_map(|cell| cell.stop) {
        writeln!(out, "A cell ends earlier when its stopping rule decides: {rule}.")?;
    }
    let controls = cells.iter().filter(|cell| is_control(cell)).count();
    if controls > 0 {
        let play = if controls == 1 { "plays" } else { "play" };
        writeln!(
            out,
            "{} {play} a baseline against itself: a control that should show 50 %.",
            counted(controls as u64, "cell")
        )?;
    }
    for remark in experiment.remarks() {
        writeln!(out, "Note: {remark}.")?;
    }
    writeln!(out, "Order of play, policy `{0}`: {1}.", experiment.policy, experiment.policy.words())?;
    if experiment.weight != 1.0 {
        writeln!(
            out,
            "Weight {0}: {0} times the core time of an experiment of weight 1 that waits for the same workers.",
            experiment.weight
        )?;
    }
    writeln!(
        out,
        "With {} like this machine's: about {}.",
        counted(slots as u64, "core"),
        in_words(seconds / slots as f64)
    )?;
    writeln!(
        out,
        "Estimates, rather too high: games between unequal players are shorter than these, and later moves are faster \
         than from the empty board, where this machine's speed was measured."
    )?;
    Ok(out)
}

/// The cases of each test group, in the order of the file. They show how a range was read.
fn cases(cells: &[PlannedCell]) -> Vec<(String, String)> {
    const SHOWN: usize = 12;
    let groups = grouped(cells, &|cell| vec![cell.case.group.clone()]);
    let list = |cells: Vec<&PlannedCell>| {
        let mut seen = HashSet::new();
        let mut labels: Vec<&str> = cells.into_iter().map(|cell| cell.case.label.as_str()).collect();
        labels.retain(|label| seen.insert(*label));
        let more = labels.len().saturating_sub(SHOWN);
        labels.truncate(SHOWN);
        let shown = labels.join(", ");
        if more > 0 { format!("{shown}, and {more} more") } else { shown }
    };
    groups.into_iter().map(|(group, cells)| (group.concat(), list(cells))).collect()
}

/// Whether both players are the same.
fn is_control(cell: &PlannedCell) -> bool {
    cell.spec.case == cell.spec.baseline
}

/// Games planned for a cell.
fn games_of(cell: &PlannedCell) -> u64 {
    2 * u64::from(cell.pairs)
}

/// Cells with the same key, in the order of first appearance.
fn grouped<'c>(
    cells: &'c [PlannedCell],
    key: &dyn Fn(&PlannedCell) -> Vec<String>,
) -> Vec<(Vec<String>, Vec<&'c PlannedCell>)> {
    let mut places = HashMap::new();
    let mut groups: Vec<(Vec<String>, Vec<&PlannedCell>)> = Vec::new();
    for cell in cells {
        let key = key(cell);
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(cell);
    }
    groups
}

/// Appends a table: the first `words` columns to the left, numbers to the right.
fn table(out: &mut String, headings: &[&str], words: usize, rows: Vec<Vec<String>>) {
    let headings: Vec<String> = headings.iter().map(|&heading| heading.to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(headings).chain(rows).collect();
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for line in &lines {
        let cells = line.iter().enumerate().map(|(column, cell)| {
            let width = width(column);
            if column < words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
}

/// A duration for people.
fn in_words(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment() -> Experiment {
        let text = r#"
            experiment = { name = "trial", question = "Does it work?" }
            baseline = [{ id = "uct", preset = "uct" }, { id = "rave", preset = "rave" }]
            test = [{ id = "k", sweep = { rave_k = [0, 200] } }]
            sizes = { 10 = 1, 4 = 2 }
            budget = [{ id = "s", sims = 1000 }, { id = "t", reference_seconds = 2 }]
            play = { games_per_cell = 100 }
        "#;
        Experiment::parse("trial.toml", text).expect("correct")
    }

    /// Every player at 100 000 simulations per CPU second.
    fn costs(experiment: &Experiment) -> Costs {
        Costs::with_speed(experiment, |_, _| 100_000.0)
    }

    #[test]
    fn the_plan_adds_up_cells_games_and_hours() {
        let experiment = experiment();
        let report = report(&experiment, &costs(&experiment), 4).expect("writes");
        // 2 cases × 2 baselines × 2 budgets of 100 games; a game on size 4 has 17 moves, of 1000 simulations = 0.01 s
        // or of 2 × 45 454.5 / 100 000 = 0.909 s: 4 × 100 × 17 × 0.919 s = 1.74 h. On size 10: 79 moves of 0.01 s or
        // 2 × 10 219 / 100 000 = 0.204 s, 1.88 h.
        for line in [
            "trial: Does it work?\n\nk: rave_k=0, rave_k=200\n\n",
            "test  against  budget            cells  games  core-hours",
            "k     uct      1000 sims a move      4    400       0.053",
            "size  plies  cells  games  core-hours",
            "4        17      8    800        1.74",
            "10       79      8    800        1.88",
            "all             16   1600        3.62",
            "A cell of 100 games can show a rate below 36.0 % or above 64.0 %, 100 Elo to either side",
            "4 cells play a baseline against itself",
            "Order of play, policy `coverage`: all cells progress evenly, by their weights.",
            "With 4 cores like this machine's: about 54 min.",
        ] {
            assert!(report.contains(line), "`{line}` is missing from\n{report}");
        }
    }

    #[test]
    fn a_cell_too_small_to_show_anything_is_called_so() {
        let mut experiment = experiment();
        experiment.cells.iter_mut().for_each(|cell| cell.pairs = 1);
        let report = report(&experiment, &costs(&experiment), 1).expect("writes");
        assert!(report.contains("A cell of 2 games is too small"), "{report}");
    }

    #[test]
    fn durations_are_in_the_unit_people_use() {
        let words = [5.0, 300.0, 7200.0, 864_000.0].map(in_words);
        assert_eq!(words, ["5 s", "5 min", "2.0 h", "10.0 days"]);
    }

    #[test]
    fn this_machine_can_plan_a_small_experiment() {
        let experiment = experiment();
        let costs = Costs::measure(&experiment, 1).expect("measurable");
        assert!(experiment.cells.iter().all(|cell| costs.game_seconds(cell) > 0.0));
    }
}
