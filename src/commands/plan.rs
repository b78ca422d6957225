//! `gauntlet plan FILE`: the cost of an experiment on this machine and the differences that it can show.

mod cost;
mod figures;
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
/// `gauntlet help experiment-file` describes the file. A coordinator or a database is asked only if the file uses a named baseline.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet plan my-sweep.toml
  gauntlet plan my-sweep.toml --slots 64 --json | jq .core_seconds")]
pub(crate) struct PlanArgs {
    /// The experiment file; - is standard input.
    file: PathBuf,
    /// Games played at once, on all machines together [default: the cores of this machine].
    #[arg(long, value_name = "N")]
    slots: Option<NonZeroUsize>,
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
    let costs = Costs::measure(&experiment, cores.get())?;
    let plan = Plan::of(&experiment, &costs, args.slots.unwrap_or(cores).get())?;
    super::print(&if args.json { serde_json::to_string_pretty(&plan)? + "\n" } else { plan.text() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::experiment::{Experiment, Hypotheses, StopRule};

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

    /// With every player at 100 000 simulations per CPU second.
    fn plan(experiment: &Experiment, slots: usize) -> Plan {
        let costs = Costs::with_speed(experiment, |_, _| 100_000.0);
        Plan::of(experiment, &costs, slots).expect("a plan")
    }

    #[test]
    fn the_plan_adds_up_cells_games_and_hours() {
        let experiment = experiment();
        let report = plan(&experiment, 4).text();
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
        assert_eq!(json["tests"], serde_json::json!([{ "test": "k", "cases": ["rave_k=0", "rave_k=200"] }]));
        assert_eq!(json["played"][0]["budget"], serde_json::json!({ "sims": 1000 }));
        assert_eq!(json["sizes"][0]["size"], 4);
        assert_eq!(json["detectable"][0]["games"], 100);
        let number = |value: &serde_json::Value| value.as_f64().expect("a number");
        let sum: f64 =
            json["sizes"].as_array().expect("a list").iter().map(|row| number(&row["core_seconds"])).sum();
        assert!((sum - number(&json["core_seconds"])).abs() < 1e-6 && sum > 3600.0);
        assert!((number(&json["seconds"]) - sum / 4.0).abs() < 1e-6);
    }

    #[test]
    fn this_machine_can_plan_a_small_experiment() {
        let experiment = experiment();
        let costs = Costs::measure(&experiment, 1).expect("measurable");
        assert!(experiment.cells.iter().all(|cell| costs.game_seconds(cell) > 0.0));
    }
}
