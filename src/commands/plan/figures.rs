//! The numbers of a plan, as in the JSON.

use super::cost::Costs;
use super::precision::{TunePlan, with_all_games};
use crate::commands::test_length::{BETWEEN, ExpectedLength, expected};
use engine::havannah::{BoardSize, Params};
use engine::params::ParamValue;
use protocol::experiment::{Experiment, PlannedCell, Policy};
use protocol::ids::ExperimentId;
use protocol::lease::Budget;
use serde::Serialize;
use stats::{Rule, Test, detectable, elo_difference};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The cost of an experiment, and the effects that it can show.
#[derive(Debug, Serialize)]
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) question: String,
    /// The digest of the file's content.
    pub(super) id: ExperimentId,
    pub(super) weight: f64,
    pub(super) policy: Policy,
    /// The test groups, in the order of the file.
    pub(super) tests: Vec<TestGroup>,
    /// The games by test group, baseline and budget.
    pub(super) played: Vec<PlayedGames>,
    /// The games by board size.
    pub(super) sizes: Vec<OnSize>,
    #[serde(flatten)]
    pub(super) all: Cost,
    /// The smallest effect for each number of games that a cell has.
    pub(super) detectable: Vec<Detectable>,
    /// The stopping rule in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stop: Option<String>,
    /// The mean length of a sequential test if H0 is true, halfway to H1, and if H1 is true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequential_test: Vec<ExpectedLength>,
    /// What is tuned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tune: Option<TunePlan>,
    /// Cells whose case is their baseline.
    pub(super) controls: u64,
    /// Remarks for people, in sentences.
    pub(super) remarks: Vec<String>,
    /// Games played at once.
    pub(super) slots: usize,
    /// The expected time of `gauntlet run` with so many slots, from its start to its end.
    pub(super) seconds: f64,
    /// The part of it that measures the machine's speed, starts and ends.
    pub(super) start_seconds: f64,
    /// This machine's speed, relative to the one on which games were measured.
    pub(super) machine_speed: f64,
}

/// The cases of a test group. They show how a range was read.
#[derive(Debug, Serialize)]
pub(super) struct TestGroup {
    pub(super) test: String,
    pub(super) cases: Vec<String>,
    /// The parameters in which the cases differ.
    pub(super) swept: Vec<SweptParameter>,
}

impl TestGroup {
    /// Whether the cases are all combinations of the values.
    pub(super) fn is_complete(&self) -> bool {
        self.cases.len() == self.swept.iter().map(|swept| swept.values.len()).product::<usize>()
    }
}

/// The values of a parameter in the cases of a test group, in the order in which the cases have them.
#[derive(Debug, Serialize)]
pub(super) struct SweptParameter {
    pub(super) parameter: String,
    pub(super) values: Vec<ParamValue>,
}

/// The cost of some cells.
#[derive(Debug, Serialize)]
pub(super) struct Cost {
    pub(super) cells: u64,
    pub(super) games: u64,
    /// Core seconds on this machine, with those of the harness.
    pub(super) core_seconds: f64,
    /// The part of them that the harness takes.
    pub(super) harness_seconds: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct PlayedGames {
    pub(super) test: String,
    pub(super) against: String,
    pub(super) budget: Budget,
    #[serde(flatten)]
    pub(super) cost: Cost,
}

#[derive(Debug, Serialize)]
pub(super) struct OnSize {
    pub(super) size: BoardSize,
    /// Moves of a typical game of these cells, without the opening.
    pub(super) plies: u32,
    #[serde(flatten)]
    pub(super) cost: Cost,
}

/// The smallest effect that a cell shows with a power of 80 % at a level of 5 %, two-sided.
#[derive(Debug, Serialize)]
pub(super) struct Detectable {
    /// Games of the cell.
    pub(super) games: u64,
    /// The distance of the rate from 0.5; absent if the cell is too small to show any.
    pub(super) difference: Option<f64>,
    /// The same in Elo; absent if it is infinite.
    pub(super) elo: Option<f64>,
}

impl Plan {
    /// The plan of an experiment with this number of slots. `precision`: simulates the tune, if there is one.
    pub(super) fn of(
        experiment: &Experiment,
        costs: &Costs,
        slots: usize,
        precision: bool,
    ) -> anyhow::Result<Self> {
        let with_games = with_all_games(experiment);
        let cells = &with_games.cells;
        let tune = TunePlan::of(experiment, costs, precision)?;
        let cost = |cells: &[&PlannedCell]| {
            let games: u64 = cells.iter().map(|cell| games_of(cell)).sum();
            Cost {
                cells: cells.len() as u64,
                games,
                core_seconds: cells.iter().map(|cell| games_of(cell) as f64 * costs.game_seconds(cell)).sum(),
                harness_seconds: games as f64 * costs.harness(),
            }
        };
        let plies = |cells: &[&PlannedCell]| {
            let sum: f64 = cells.iter().map(|cell| costs.game(cell).plies).sum();
            (sum / cells.len() as f64).round() as u32
        };
        let played =
            grouped(cells, |cell| (&cell.case.group, &cell.baseline.label, cell.spec.budget.to_string()));
        let played = played.into_iter().map(|((test, against, _), cells)| PlayedGames {
            test: test.clone(),
            against: against.clone(),
            budget: cells[0].spec.budget,
            cost: cost(&cells),
        });
        let mut sizes = grouped(cells, |cell| cell.spec.size);
        sizes.sort_by_key(|(size, _)| *size);
        let on_size =
            |(size, cells): (BoardSize, Vec<_>)| OnSize { size, plies: plies(&cells), cost: cost(&cells) };
        let all = cost(&cells.iter().collect::<Vec<_>>());
        // The points of a tune are judged together.
        let pairs = cells.iter().filter(|_| tune.is_none()).map(|cell| cell.pairs);
        let pairs: BTreeSet<u32> = pairs.collect();
        let detectable = pairs.into_iter().map(|pairs| {
            let difference = detectable(u64::from(pairs), 1.0, Test::STANDARD)?;
            let elo = difference.and_then(|difference| elo_difference(0.5 + difference));
            anyhow::Ok(Detectable { games: 2 * u64::from(pairs), difference, elo })
        });
        let stop = cells.iter().find_map(|cell| cell.stop);
        let rule = stop.map(|rule| coordinator::stopping_rule(&rule)).transpose()?;
        Ok(Self {
            name: experiment.name.clone(),
            question: experiment.question.clone(),
            id: experiment.id(),
            weight: experiment.weight,
            policy: experiment.policy,
            tests: tests(cells),
            played: played.collect(),
            sizes: sizes.into_iter().map(on_size).collect(),
            detectable: detectable.collect::<Result<_, _>>()?,
            stop: stop.map(|rule| rule.to_string()),
            sequential_test: match rule {
                Some(Rule::Sprt(test)) => expected(&test, &BETWEEN, &stats::Shape::independent(0.0))?,
                _ => Vec::new(),
            },
            controls: match &tune {
                Some(_) => 0,
                None => cells.iter().filter(|cell| cell.spec.case == cell.spec.baseline).count() as u64,
            },
            tune,
            remarks: experiment.remarks(),
            slots,
            seconds: costs.run_seconds(&with_games, all.core_seconds, slots),
            start_seconds: costs.start_seconds(experiment),
            machine_speed: costs.speed,
            all,
        })
    }
}

fn tests(cells: &[PlannedCell]) -> Vec<TestGroup> {
    let groups = grouped(cells, |cell| &cell.case.group).into_iter();
    let labels = |cells: Vec<&PlannedCell>| {
        let mut seen = HashSet::new();
        let labels = cells.into_iter().map(|cell| cell.case.label.clone());
        labels.filter(|label| seen.insert(label.clone())).collect()
    };
    let group = |(test, cells): (&String, Vec<&PlannedCell>)| TestGroup {
        test: test.clone(),
        swept: swept(&cells),
        cases: labels(cells),
    };
    groups.map(group).collect()
}

/// The parameters whose values name these cells' cases; none if people named the cases.
fn swept(cells: &[&PlannedCell]) -> Vec<SweptParameter> {
    let (mut swept, mut seen): (Vec<SweptParameter>, HashSet<&str>) = Default::default();
    for cell in cells {
        for pair in cell.case.label.split_whitespace() {
            let Some((name, value)) = pair.split_once('=').filter(|(name, _)| Params::info(name).is_some())
            else {
                return Vec::new();
            };
            if !seen.insert(pair) {
                continue;
            }
            let value: ParamValue = value.parse().unwrap_or_else(|never| match never {});
            match swept.iter_mut().find(|known| known.parameter == name) {
                Some(known) => known.values.push(value),
                None => swept.push(SweptParameter { parameter: name.to_owned(), values: vec![value] }),
            }
        }
    }
    swept
}

fn games_of(cell: &PlannedCell) -> u64 {
    2 * u64::from(cell.pairs)
}

/// Cells with the same key, in the order of first appearance.
fn grouped<'c, K: Clone + Eq + std::hash::Hash>(
    cells: &'c [PlannedCell],
    key: impl Fn(&'c PlannedCell) -> K,
) -> Vec<(K, Vec<&'c PlannedCell>)> {
    let mut places = HashMap::new();
    let mut groups: Vec<(K, Vec<&PlannedCell>)> = Vec::new();
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
