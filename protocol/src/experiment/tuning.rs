//! What a tune is: the section `[tune]` of an experiment, its trials as cells, and its points as players.

use super::{CellSpec, Experiment, LabelledPlayer, PlannedCell};
use crate::lease::ParamSet;
use engine::havannah::{BoardSize, Params};
use engine::params::{ParamValue, SetParamError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tuner::{Aim, Objective, Opponent, Point, Proposal, SizeWeight, Space, StrategyName, Value};

/// The most games of a tune: each pair can be a cell of its own, and an experiment has at most
/// [`MAX_CELLS`](super::MAX_CELLS).
pub const MOST_GAMES: u64 = 20_000;

/// The fewest games of a tune.
pub(crate) const FEWEST_GAMES: u64 = 20;

/// One in so many trials plays the recommended setting at the end, so that its win rate is measured by games that did not choose it.
const LAST_SHARE: u64 = 20;

/// The group of the players that a tune makes.
pub const GROUP: &str = "tune";

/// The longest label of a point, in characters.
const LONGEST_LABEL: usize = 200;

/// What an experiment tunes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tune {
    /// The strategy that proposes points; absent if others propose them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyName>,
    /// The games that are played.
    pub games: u64,
    /// How the sizes of the experiment count.
    pub objective: Aim,
    /// The parameters that are tuned.
    #[cfg_attr(test, schemars(with = "Vec<tuner::Parameter>"))]
    pub parameters: Space,
    /// The values of numbers that may be off. Whether such a number is on is the flag [`switch`] of the space.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(test, schemars(with = "Option<BTreeMap<String, Value>>"))]
    pub off: BTreeMap<String, Value>,
    /// The player that points are changes of, as its differences from the engine's defaults. Also those that have no effect
    /// beside the start are there, because they may have one beside another point.
    pub base: ParamSet,
    /// The seed of the strategy.
    pub seed: u64,
    /// Whether the recommended point is confirmed when the games are played.
    pub confirm: bool,
}

impl Tune {
    /// The name of the strategy.
    #[must_use]
    pub fn strategy_name(&self) -> String {
        self.strategy.map_or_else(|| FOREIGN.to_owned(), |strategy| strategy.to_string())
    }

    /// A tune of these sizes and weights, without trials. Of points that others propose, the default strategy recommends one.
    ///
    /// # Errors
    /// When the sizes and weights are no objective.
    pub fn begin(&self, sizes: Vec<SizeWeight>) -> Result<tuner::Tune, tuner::ObjectiveError> {
        let objective = Objective::new(sizes, self.objective)?;
        let strategy = self.strategy.unwrap_or_default();
        Ok(tuner::Tune::new(self.parameters.clone(), objective, strategy, self.games, self.seed))
    }

    /// How many pairs at the end of a tune on so many sizes play the recommended setting.
    #[must_use]
    pub fn last_pairs(&self, sizes: usize) -> usize {
        sizes.max((self.games / 2 / LAST_SHARE) as usize)
    }

    /// The sizes, by their places, of the trials with which the tune ends: one in twenty, and each size at least once. They play the
    /// recommended setting against the baseline.
    #[must_use]
    pub fn last_trials(&self, cells: &[PlannedCell]) -> Vec<usize> {
        let count = self.last_pairs(cells.len());
        let sum: f64 = cells.iter().map(|cell| cell.weight).sum();
        let mut played = vec![0.0; cells.len()];
        let mut places = Vec::with_capacity(count);
        for number in 0..count {
            let lack = |place: usize| cells[place].weight / sum * (number + 1) as f64 - played[place];
            let next = (0..cells.len()).max_by(|a, b| lack(*a).total_cmp(&lack(*b)).then(b.cmp(a)));
            let place = if number < cells.len() { number } else { next.unwrap_or_default() };
            played[place] += 1.0;
            places.push(place);
        }
        places
    }

    /// The settings of a point, as the engine reads them.
    #[must_use]
    pub fn settings(&self, point: &Point) -> BTreeMap<String, ParamValue> {
        let is_off = |name: &str| point.get(&switch(name)) == Some(&Value::Flag(false));
        let played = |name: &String, value: &Value| match self.off.get(name).filter(|_| is_off(name)) {
            Some(off) => as_param(off),
            None => as_param(value),
        };
        let is_switch = |name: &String| self.off.keys().any(|number| switch(number) == *name);
        let known = point.iter().filter(|(name, _)| !is_switch(name));
        known.map(|(name, value)| (name.clone(), played(name, value))).collect()
    }

    /// The point whose values a player has; none if a value is none of the space.
    #[must_use]
    pub fn point_of(&self, player: &ParamSet) -> Option<Point> {
        let params = player.resolve().ok()?;
        let mut point = self.parameters.start();
        for parameter in self.parameters.parameters() {
            // A switch gets its value with its number.
            let Some(value) = params.get(&parameter.name) else { continue };
            let value = match (value, &parameter.kind) {
                (ParamValue::Flag(flag), _) => Value::Flag(flag),
                (ParamValue::Word(word), _) => Value::Word(word),
                (ParamValue::Number(number), tuner::Kind::Whole { .. }) => Value::Whole(number as i64),
                (ParamValue::Number(number), _) => Value::Real(number),
            };
            let off = self.off.get(&parameter.name);
            if off.is_some() {
                point.insert(switch(&parameter.name), Value::Flag(off != Some(&value)));
            }
            if off != Some(&value) {
                point.insert(parameter.name.clone(), value);
            }
        }
        Some(point)
    }

    /// The player of a point.
    ///
    /// # Errors
    /// When the engine refuses a value.
    pub fn player(&self, point: &Point) -> Result<LabelledPlayer, SetParamError> {
        let mut params = self.base.resolve()?;
        let settings = self.settings(point);
        settings.iter().try_for_each(|(name, value)| params.set(name, value))?;
        let params = ParamSet::from(&params);
        Ok(LabelledPlayer { group: GROUP.to_owned(), label: label(&settings, &params), params })
    }

    /// The pair of games that a trial is, in the cell of its size where the tune began. Cells of other players have seeds of their
    /// own: most points of a tune play one pair, and with a common seed all of them would play the same opening.
    ///
    /// # Errors
    /// When the engine refuses a value of a point.
    pub fn cell(&self, first: &PlannedCell, proposal: &Proposal) -> Result<PlannedCell, SetParamError> {
        let case = self.player(&proposal.point)?;
        let baseline = match &proposal.opponent {
            Opponent::Baseline => first.baseline.clone(),
            Opponent::Point(point) => self.player(point)?,
        };
        let mut cell = first.clone();
        (cell.spec.case, cell.spec.baseline) = (case.params.clone(), baseline.params.clone());
        if cell.spec != first.spec {
            // The seed is of the players and the openings: a point has the same one on every size, unless these are of a book.
            let id = CellSpec { size: BoardSize::MIN, ..cell.spec.clone() }.id().0.as_u128();
            // Seeds are positive numbers of 64 bits with a sign.
            cell.spec.seed = (id as u64 ^ (id >> 64) as u64) >> 1;
        }
        (cell.case, cell.baseline) = (case, baseline);
        Ok(cell)
    }
}

/// The name of the flag that tells whether a number is on.
#[must_use]
pub fn switch(number: &str) -> String {
    format!("{number}_on")
}

fn as_param(value: &Value) -> ParamValue {
    match value {
        Value::Flag(flag) => ParamValue::Flag(*flag),
        Value::Whole(number) => ParamValue::Number(*number as f64),
        Value::Real(number) => ParamValue::Number(*number),
        Value::Word(word) => ParamValue::Word(word.clone()),
    }
}

/// What files call the strategy of points that others propose.
pub(crate) const FOREIGN: &str = "foreign";

/// The sizes of a tune's first cells, with their weights.
#[must_use]
pub fn sizes(cells: &[PlannedCell]) -> Vec<SizeWeight> {
    cells.iter().map(|cell| SizeWeight { size: cell.spec.size.get(), weight: cell.weight }).collect()
}

/// The first trials of a tune: where it begins, against the baseline, on each size.
#[must_use]
pub fn first_trials(tune: &Tune, cells: &[PlannedCell]) -> Vec<Proposal> {
    let trial = |cell: &PlannedCell| Proposal {
        point: tune.parameters.start(),
        opponent: Opponent::Baseline,
        size: cell.spec.size.get(),
    };
    cells.iter().map(trial).collect()
}

impl Experiment {
    /// Why this is no tune that can be played, if it has a tune.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn check_tune(&self) -> Result<(), String> {
        let Some(tune) = &self.tune else { return Ok(()) };
        if !(FEWEST_GAMES..=MOST_GAMES).contains(&tune.games) || !tune.games.is_multiple_of(2) {
            return Err(format!(
                "a tune has an even number of games from {FEWEST_GAMES} to {MOST_GAMES}, not {}",
                tune.games
            ));
        }
        let fewest = 6 * self.cells.len() as u64;
        if tune.games < fewest {
            return Err(format!(
                "a tune has six games for each size at least, which are {fewest} here, not {}",
                tune.games
            ));
        }
        let is_number =
            |one: &tuner::Parameter| matches!(one.kind, tuner::Kind::Real { .. } | tuner::Kind::Whole { .. });
        if tune.strategy == Some(StrategyName::Spsa) && !tune.parameters.parameters().iter().any(is_number) {
            return Err("the strategy `spsa` moves numbers, and this tune has none".to_owned());
        }
        tune.begin(sizes(&self.cells)).map_err(|error| error.to_string())?;
        for trial in extremes(&tune.parameters) {
            let refuse = |error: &dyn std::fmt::Display| format!("a point of the tune: {error}");
            let player = tune.player(&trial).map_err(|error| refuse(&error))?;
            for cell in &self.cells {
                let mut spec = cell.spec.clone();
                spec.case.clone_from(&player.params);
                spec.check_sims().map_err(|(_, error)| refuse(&error))?;
            }
        }
        let start = tune.player(&tune.parameters.start()).map_err(|error| error.to_string())?;
        let first = |cell: &PlannedCell| cell.pairs == 1 && cell.stop.is_none() && cell.case == start;
        let alike = self.cells.windows(2).all(|pair| {
            let other = |cell: &PlannedCell| {
                (cell.spec.budget, cell.spec.opening_plies, cell.spec.seed, cell.baseline.clone())
            };
            other(&pair[0]) == other(&pair[1])
        });
        if !alike || !self.cells.iter().all(first) {
            return Err(
                "the cells of a tune are one pair of its start against its baseline on each size".to_owned()
            );
        }
        Ok(())
    }
}

/// The start, and the start with one parameter at each of its ends or at each of its words, where its condition holds.
pub(crate) fn extremes(space: &Space) -> Vec<Point> {
    let start = space.start();
    let mut points = vec![start.clone()];
    for parameter in space.parameters() {
        let values = match &parameter.kind {
            tuner::Kind::Real { low, high, .. } => vec![Value::Real(*low), Value::Real(*high)],
            tuner::Kind::Whole { low, high, .. } => vec![Value::Whole(*low), Value::Whole(*high)],
            tuner::Kind::Flag {} => vec![Value::Flag(false), Value::Flag(true)],
            tuner::Kind::Word { values } => values.iter().cloned().map(Value::Word).collect(),
        };
        for value in values {
            let mut point = start.clone();
            if let Some(condition) = &parameter.only_if {
                point.extend(
                    condition.values.first().map(|value| (condition.parameter.clone(), value.clone())),
                );
            }
            point.insert(parameter.name.clone(), value);
            points.push(point);
        }
    }
    points
}

/// The settings as in the labels of sweeps. A longer label ends with the digest of the player.
fn label(settings: &BTreeMap<String, ParamValue>, params: &ParamSet) -> String {
    let all: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let label = all.join(" ");
    if label.chars().count() <= LONGEST_LABEL {
        return label;
    }
    let digest: String = params.player_id().to_string().chars().take(8).collect();
    let kept: String = label.chars().take(LONGEST_LABEL - digest.len() - 2).collect();
    format!("{kept}… {digest}")
}

/// The differences of parameters from the engine's defaults, also of those that have no effect.
pub(crate) fn all_differences(params: &Params) -> ParamSet {
    let default = Params::default();
    let different = |name: &str| params.get(name).filter(|value| default.get(name).as_ref() != Some(value));
    ParamSet(
        Params::TABLE.iter().filter_map(|info| Some((info.name.to_owned(), different(info.name)?))).collect(),
    )
}
