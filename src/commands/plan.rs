//! `gauntlet plan FILE`: the cost of an experiment on this machine and the differences that it can show. No game is played for
//! it.

mod cost;
mod figures;
mod measured;
mod precision;
mod text;

use super::baseline::names;
use super::read_experiment;
use super::target::TargetArgs;
use cost::Costs;
use figures::Plan;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Shows cells, games, expected time and the smallest difference an experiment can show; plays nothing.
///
/// `gauntlet help experiment-file` describes the file. A coordinator or a database is asked only if the file uses a named
/// baseline.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet plan my-sweep.toml
  gauntlet plan my-sweep.toml --slots 64 --json | jq .core_seconds
  gauntlet plan my-tune.toml --precision")]
pub(crate) struct PlanArgs {
    /// The experiment file; - is standard input.
    file: PathBuf,
    /// Games played at once, on all machines together [default: the cores of this machine].
    #[arg(long, value_name = "N", value_parser = super::slots)]
    slots: Option<NonZeroUsize>,
    /// Simulate the tune, and tell how near to the best setting it comes. That takes seconds to minutes.
    #[arg(long)]
    precision: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the plan of an experiment to standard output.
///
/// # Errors
/// When the file cannot be read or does not describe an experiment.
pub(crate) async fn run(args: PlanArgs) -> anyhow::Result<()> {
    let experiment = read_experiment(&args.file, async || names(&args.target).await).await?;
    let cores = super::cores();
    let costs = Costs::of_this_machine(cores.get());
    let plan = Plan::of(&experiment, &costs, args.slots.unwrap_or(cores).get(), args.precision)?;
    super::print(&if args.json { serde_json::to_string_pretty(&plan)? + "\n" } else { plan.text() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::experiment::{Experiment, Hypotheses, PlannedCell, StopRule};
    use protocol::lease::Budget;

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

    /// On the machine on which games were measured.
    fn plan(experiment: &Experiment, slots: usize) -> Plan {
        Plan::of(experiment, &Costs::with_speed(1.0), slots, false).expect("a plan")
    }

    #[test]
    fn the_plan_adds_up_cells_games_and_hours() {
        let experiment = experiment();
        let report = plan(&experiment, 4).text();
        for line in [
            "trial: Does it work?\n\nk: rave_k=0, rave_k=200\n\n",
            "test  against  budget            cells  games  core-hours",
            "k     uct      1000 sims a move      4    400  ",
            "size  plies  cells  games  core-hours",
            "all             16   1600  ",
            "A cell is one case against one baseline",
            "A cell of 100 games can show a rate below 36.0 % or above 64.0 %, 100 Elo to either side",
            "4 cells play a baseline against itself",
            "Order of play, policy `coverage`: all cells progress evenly, by their weights.",
            "With 4 cores like this machine's: about ",
            "Nothing was played.",
        ] {
            assert!(report.contains(line), "`{line}` is missing from\n{report}");
        }
    }

    #[test]
    fn many_cases_are_told_by_what_they_are_made_of() {
        let with = |test: &str| {
            let text = format!(
                r#"
                experiment = {{ name = "many", question = "Does it work?" }}
                baseline = [{{ id = "uct", preset = "uct" }}]
                test = [{{ id = "k", {test} }}]
                sizes = {{ 4 = 1 }}
                budget = [{{ id = "s", sims = 1000 }}]
                play = {{ games_per_cell = 2 }}
                "#
            );
            plan(&Experiment::parse("many.toml", &text).expect("correct"), 1).text()
        };
        let values = |n: u32| (1..=n).map(|value| value.to_string()).collect::<Vec<_>>().join(", ");
        let report = with(&format!("sweep = {{ rave_k = [{}] }}", values(150)));
        assert!(
            report.contains("k: 150 cases, the values of\n  rave_k  150 values  1, 2, 3, 4, …, 149, 150\n"),
            "{report}"
        );
        let report = with(&format!("sweep = {{ rave_k = [{}], rollouts = [1, 2, 3] }}", values(20)));
        for line in [
            "k: 60 cases, all combinations of\n",
            "  rave_k    20 values  1, 2, 3, 4, …, 19, 20\n",
            "  rollouts  3 values   1, 2, 3\n",
        ] {
            assert!(report.contains(line), "`{line}` is missing from\n{report}");
        }
        assert!(with("sweep = { rave_k = [1, 2] }").contains("k: rave_k=1, rave_k=2\n"));
    }

    #[test]
    fn ten_thousand_cells_cost_what_each_of_them_costs() {
        let mut experiment = experiment();
        let cells = experiment.cells.clone();
        experiment.cells = cells.iter().cycle().take(10_000).cloned().collect();
        let plan = plan(&experiment, 2);
        assert_eq!(plan.all.cells, 10_000);
        let cost = |cells: &[PlannedCell]| -> f64 {
            let costs = Costs::with_speed(1.0);
            cells.iter().map(|cell| f64::from(2 * cell.pairs) * costs.game_seconds(cell)).sum()
        };
        let expected = 10_000.0 / cells.len() as f64 * cost(&cells);
        assert!((plan.all.core_seconds / expected - 1.0).abs() < 1e-9);
    }

    #[test]
    fn cheap_games_cost_what_the_harness_takes() {
        let mut experiment = experiment();
        for cell in &mut experiment.cells {
            cell.spec.budget = Budget::Sims(1);
        }
        let plan = plan(&experiment, 2);
        assert!(plan.all.harness_seconds > 0.5 * plan.all.core_seconds, "{plan:?}");
        assert!(plan.seconds > plan.all.core_seconds / 2.0 + plan.start_seconds);
    }

    #[test]
    fn a_cell_too_small_to_show_anything_is_called_so() {
        let mut experiment = experiment();
        experiment.cells.iter_mut().for_each(|cell| cell.pairs = 1);
        let report = plan(&experiment, 1).text();
        assert!(report.contains("A cell of 2 games is too small"), "{report}");
    }

    #[test]
    fn a_sequential_test_tells_how_long_it_takes() {
        let mut experiment = experiment();
        assert!(plan(&experiment, 1).sequential_test.is_empty());
        let (hypotheses, alpha, beta) = (Hypotheses::default(), 0.05, 0.05);
        experiment
            .cells
            .iter_mut()
            .for_each(|cell| cell.stop = Some(StopRule::Sprt { hypotheses, alpha, beta }));
        let short = plan(&experiment, 1);
        assert_eq!(short.sequential_test.len(), 3);
        let report = short.text();
        for words in
            ["   +20.0    52.9 %      95.0 %", "a cell of 100 games often ends before its test decides"]
        {
            assert!(report.contains(words), "`{words}` is missing from\n{report}");
        }
        experiment.cells.iter_mut().for_each(|cell| cell.pairs = 5000);
        let report = plan(&experiment, 1).text();
        assert!(report.contains("games on average") && !report.contains("often ends"), "{report}");
    }

    #[test]
    fn the_json_has_the_numbers_of_the_text() {
        let json = serde_json::to_value(plan(&experiment(), 4)).expect("JSON");
        assert_eq!(
            (&json["name"], &json["policy"], &json["controls"]),
            (&"trial".into(), &"coverage".into(), &4.into())
        );
        assert_eq!((&json["cells"], &json["games"], &json["slots"]), (&16.into(), &1600.into(), &4.into()));
        assert_eq!(
            json["tests"][0]["swept"],
            serde_json::json!([{ "parameter": "rave_k", "values": [0.0, 200.0] }])
        );
        assert_eq!(json["played"][0]["budget"], serde_json::json!({ "sims": 1000 }));
        assert_eq!(json["sizes"][0]["size"], 4);
        assert_eq!(json["detectable"][0]["games"], 100);
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let sum: f64 =
            json["sizes"].as_array().expect("a list").iter().map(|row| number(&row["core_seconds"])).sum();
        assert!((sum - number(&json["core_seconds"])).abs() < 1e-6 && sum > 36.0);
        assert!(number(&json["seconds"]) > sum / 4.0 && number(&json["start_seconds"]) > 0.0);
        assert_eq!(json["tests"][0]["cases"], serde_json::json!(["rave_k=0", "rave_k=200"]));
    }

    #[test]
    fn this_machine_has_a_speed() {
        let costs = Costs::of_this_machine(1);
        assert!((1e-3..1e3).contains(&costs.speed), "{}", costs.speed);
    }
}
