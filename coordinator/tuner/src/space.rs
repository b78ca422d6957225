//! The parameters that are tuned, and the points of their space.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunedValue"))]
pub enum Value {
    /// Of a flag.
    Flag(bool),
    /// Of a whole number.
    Whole(i64),
    /// Of a real number.
    Real(f64),
    /// Of a word.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

/// A value for every parameter, by name.
pub type Point = BTreeMap<String, Value>;

/// The scale on which equal steps of a number matter equally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunedScale"))]
pub enum Scale {
    /// Differences matter.
    #[default]
    Linear,
    /// Ratios matter.
    Log,
}

/// Up to this number, 2⁵³, whole numbers and their differences are exact as real ones.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunedKind"))]
pub enum Kind {
    /// A real number from `low` to `high`.
    Real {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
        /// The scale.
        #[serde(default)]
        scale: Scale,
    },
    /// A whole number from `low` to `high`.
    Whole {
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
        /// The scale.
        #[serde(default)]
        scale: Scale,
    },
    /// On or off.
    Flag {},
    /// One of some words, without an order.
    Word {
        /// The words.
        values: Vec<String>,
    },
}

/// A parameter matters only where another one has one of these values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunedCondition"))]
pub struct Condition {
    /// The other parameter, which must come before this one.
    pub parameter: String,
    /// The values of the other parameter.
    pub values: Vec<Value>,
}

/// A parameter that is tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunedParameter"))]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values.
    #[serde(flatten)]
    pub kind: Kind,
    /// The value where a tune begins. The parameter also has this value where its condition does not hold.
    pub start: Value,
    /// Where the parameter matters; everywhere without a condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_if: Option<Condition>,
}

/// Why a list of parameters is not a space, or values are not a point of it.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SpaceError {
    /// There is nothing to tune.
    #[error("there is no parameter to tune")]
    Empty,
    /// Two parameters have one name.
    #[error("two parameters have the name `{0}`")]
    Twice(String),
    /// A range or a list of words has no two values.
    #[error("`{name}`: {reason}")]
    Range {
        /// The parameter.
        name: String,
        /// The fault.
        reason: String,
    },
    /// A value does not belong to the parameter.
    #[error("`{name}` = {value}: {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// The value.
        value: String,
        /// The allowed values.
        expected: String,
    },
    /// A point lacks a parameter.
    #[error("the point has no value of `{0}`")]
    Missing(String),
    /// No parameter has this name.
    #[error("there is no parameter `{name}`{}", nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
    Unknown {
        /// The name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// A condition is on a parameter that does not come before.
    #[error(
        "`{name}`: its condition is on `{on}`, which must be a flag, word or whole number that stands before it"
    )]
    Condition {
        /// The parameter.
        name: String,
        /// The parameter of its condition.
        on: String,
    },
}

/// The most words of a parameter. Every strategy iterates over all of them.
const MOST_WORDS: usize = 1_000;

/// The coordinates of a point, one for each parameter: a number's place in its range from 0 to 1, or which of its values a
/// flag or word has.
pub(crate) type Coordinates = Vec<f64>;

/// The parameters of a tune.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Parameter>", into = "Vec<Parameter>")]
pub struct Space {
    parameters: Vec<Parameter>,
}

impl TryFrom<Vec<Parameter>> for Space {
    type Error = SpaceError;

    fn try_from(parameters: Vec<Parameter>) -> Result<Self, SpaceError> {
        Self::new(parameters)
    }
}

impl From<Space> for Vec<Parameter> {
    fn from(space: Space) -> Self {
        space.parameters
    }
}

impl Kind {
    /// How many values a flag or word has; none for numbers.
    pub(crate) fn choices(&self) -> Option<usize> {
        match self {
            Self::Flag {} => Some(2),
            Self::Word { values } => Some(values.len()),
            Self::Real { .. } | Self::Whole { .. } => None,
        }
    }

    /// The number of steps of a whole number on a linear scale; none for other parameters.
    pub(crate) fn steps(&self) -> Option<f64> {
        match self {
            Self::Whole { low, high, scale: Scale::Linear } => Some((high - low) as f64),
            _ => None,
        }
    }

    /// The coordinate of one of the two whole numbers around a coordinate: `chance`, from 0 to 1, decides, so that the mean of
    /// the numbers is right. None for other parameters.
    pub(crate) fn whole_by_chance(&self, coordinate: f64, chance: f64) -> Option<f64> {
        let Self::Whole { low, high, scale } = self else { return None };
        let [low, high] = [*low as f64, *high as f64];
        let whole = (real(coordinate, low, high, *scale) + chance).floor();
        unit(whole.clamp(low, high), low, high, *scale)
    }

    fn check(&self) -> Result<(), String> {
        let (low, high, scale) = match self {
            Self::Real { low, high, scale } => (*low, *high, *scale),
            Self::Whole { low, high, scale } => (*low as f64, *high as f64, *scale),
            Self::Flag {} => return Ok(()),
            Self::Word { values } if values.len() > MOST_WORDS => {
                return Err(format!("a parameter has at most {MOST_WORDS} words, not {}", values.len()));
            }
            Self::Word { values } => {
                let different: std::collections::BTreeSet<&String> = values.iter().collect();
                return if values.len() < 2 || different.len() < values.len() {
                    Err("give two or more different words".to_owned())
                } else {
                    Ok(())
                };
            }
        };
        if low > high {
            Err(format!("the range {low} to {high} begins above its end: write the lower end first"))
        } else if !(low < high && (high - low).is_finite()) {
            Err(format!("the range {low} to {high} has no two values"))
        } else if scale == Scale::Log && low <= 0.0 {
            Err(format!("a range on a log scale begins above 0, not at {low}"))
        } else if scale == Scale::Log && !(high / low).is_finite() {
            Err(format!("a range on a log scale cannot span {low:e} to {high:e}"))
        } else if matches!(self, Self::Whole { .. }) && low.abs().max(high.abs()) > LARGEST_WHOLE {
            Err(format!("whole numbers go from -{LARGEST_WHOLE} to {LARGEST_WHOLE}"))
        } else {
            Ok(())
        }
    }

    /// The default start of a search: the middle of a range, off, or the first word.
    ///
    /// # Errors
    /// When there are no two values.
    pub fn usual_start(&self) -> Result<Value, String> {
        self.check()?;
        Ok(self.value(if self.choices().is_some() { 0.0 } else { 0.5 }))
    }

    /// Whether a value belongs to the kind.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        self.coordinate(value).is_some()
    }

    /// The coordinate of a value; none for a value that does not belong to the kind.
    pub(crate) fn coordinate(&self, value: &Value) -> Option<f64> {
        match (self, value) {
            (Self::Real { low, high, scale }, Value::Real(x)) => unit(*x, *low, *high, *scale),
            (Self::Real { low, high, scale }, Value::Whole(x)) => unit(*x as f64, *low, *high, *scale),
            (Self::Whole { low, high, scale }, Value::Whole(x)) => {
                unit(*x as f64, *low as f64, *high as f64, *scale)
            }
            (Self::Flag {}, Value::Flag(on)) => Some(f64::from(u8::from(*on))),
            (Self::Word { values }, Value::Word(word)) => {
                values.iter().position(|one| one == word).map(|place| place as f64)
            }
            _ => None,
        }
    }

    /// The same value; a whole number that is the value of a real parameter becomes a real one.
    fn exact(&self, value: &Value) -> Value {
        match (self, value) {
            (Self::Real { .. }, Value::Whole(number)) => Value::Real(*number as f64),
            _ => value.clone(),
        }
    }

    /// The value nearest to a coordinate, for real numbers to five digits, or more where the range is narrow.
    pub(crate) fn value(&self, coordinate: f64) -> Value {
        match self {
            Self::Real { low, high, scale } => {
                let digits = 4.0 + (low.abs().max(high.abs()) / (high - low)).log10().max(0.0).floor();
                Value::Real(short(real(coordinate, *low, *high, *scale), digits as usize).clamp(*low, *high))
            }
            Self::Whole { low, high, scale } => {
                let exact = real(coordinate, *low as f64, *high as f64, *scale);
                Value::Whole((exact.round() as i64).clamp(*low, *high))
            }
            Self::Flag {} => Value::Flag(coordinate >= 0.5),
            Self::Word { values } => {
                Value::Word(values[(coordinate.round() as usize).min(values.len() - 1)].clone())
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Real { low, high, .. } => format!("a real number from {low} to {high} is expected"),
            Self::Whole { low, high, .. } => format!("a whole number from {low} to {high} is expected"),
            Self::Flag {} => "true or false is expected".to_owned(),
            Self::Word { values } => format!("one of {} is expected", values.join(", ")),
        }
    }
}

/// The place of a number in its range; none outside.
fn unit(x: f64, low: f64, high: f64, scale: Scale) -> Option<f64> {
    (low..=high).contains(&x).then(|| match scale {
        Scale::Linear => (x - low) / (high - low),
        Scale::Log => (x / low).ln() / (high / low).ln(),
    })
}

/// The number to so many significant digits after the first.
fn short(x: f64, digits: usize) -> f64 {
    format!("{x:.digits$e}").parse().unwrap_or(x)
}

/// The inverse of [`unit`].
fn real(coordinate: f64, low: f64, high: f64, scale: Scale) -> f64 {
    let t = coordinate.clamp(0.0, 1.0);
    match scale {
        Scale::Linear => low + t * (high - low),
        Scale::Log => low * (high / low).powf(t),
    }
    .clamp(low, high)
}

impl Space {
    /// A space of these parameters.
    ///
    /// # Errors
    /// When a range is empty, a name occurs twice, a start is outside, or a condition is on a parameter that does not come
    /// before.
    pub fn new(mut parameters: Vec<Parameter>) -> Result<Self, SpaceError> {
        if parameters.is_empty() {
            return Err(SpaceError::Empty);
        }
        for (i, one) in parameters.iter().enumerate() {
            let name = one.name.clone();
            let before = &parameters[..i];
            if before.iter().any(|other| other.name == name) {
                return Err(SpaceError::Twice(name));
            }
            one.kind.check().map_err(|reason| SpaceError::Range { name: name.clone(), reason })?;
            one.coordinate(&one.start)?;
            let Some(condition) = &one.only_if else { continue };
            let on = before.iter().find(|other| other.name == condition.parameter);
            let on = on.filter(|on| !matches!(on.kind, Kind::Real { .. }));
            let on =
                on.ok_or(SpaceError::Condition { name: name.clone(), on: condition.parameter.clone() })?;
            if condition.values.is_empty() {
                return Err(SpaceError::Range { name, reason: "its condition has no value".to_owned() });
            }
            for value in &condition.values {
                on.coordinate(value)?;
            }
        }
        for one in &mut parameters {
            one.start = one.kind.exact(&one.start);
        }
        Ok(Self { parameters })
    }

    /// The parameters, in order.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The point where a tune begins.
    #[must_use]
    pub fn start(&self) -> Point {
        self.parameters.iter().map(|one| (one.name.clone(), one.start.clone())).collect()
    }

    /// The same point with the start values of all parameters whose conditions do not hold. Points that play the same are then
    /// equal.
    ///
    /// # Errors
    /// When a value is missing, outside its range, or belongs to no parameter.
    pub fn canonical(&self, point: &Point) -> Result<Point, SpaceError> {
        let place = self.place(point)?;
        let value = |(i, one): (usize, &Parameter)| {
            let own = point.get(&one.name).filter(|_| self.is_active(i, &place));
            (one.name.clone(), one.kind.exact(own.unwrap_or(&one.start)))
        };
        Ok(self.parameters.iter().enumerate().map(value).collect())
    }

    /// The place of a parameter in the list.
    pub(crate) fn index(&self, name: &str) -> Result<usize, SpaceError> {
        self.parameters.iter().position(|one| one.name == name).ok_or_else(|| {
            let similar = self.parameters.iter().map(|one| one.name.clone());
            let nearest = similar
                .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
            SpaceError::Unknown { name: name.to_owned(), nearest }
        })
    }

    /// The coordinates of a point. A parameter whose condition does not hold has the coordinate of its start.
    pub(crate) fn place(&self, point: &Point) -> Result<Coordinates, SpaceError> {
        for name in point.keys() {
            self.index(name)?;
        }
        let coordinate = |one: &Parameter| {
            one.coordinate(point.get(&one.name).ok_or_else(|| SpaceError::Missing(one.name.clone()))?)
        };
        let mut place = self.parameters.iter().map(coordinate).collect::<Result<Coordinates, _>>()?;
        self.settle(&mut place);
        Ok(place)
    }

    /// The point nearest to these coordinates, with numbers rounded as they are played.
    pub(crate) fn point(&self, place: &[f64]) -> Point {
        let mut place = place.to_vec();
        self.settle(&mut place);
        let value = |(i, one): (usize, &Parameter)| {
            let value = if self.is_active(i, &place) { one.kind.value(place[i]) } else { one.start.clone() };
            (one.name.clone(), value)
        };
        self.parameters.iter().enumerate().map(value).collect()
    }

    /// Rounds whole numbers, and gives parameters whose conditions do not hold their start.
    pub(crate) fn settle(&self, place: &mut [f64]) {
        for (i, one) in self.parameters.iter().enumerate() {
            let value = if self.is_active(i, place) { one.kind.value(place[i]) } else { one.start.clone() };
            place[i] = one.kind.coordinate(&value).unwrap_or(place[i]);
        }
    }

    /// Whether a parameter matters at a place.
    pub(crate) fn is_active(&self, parameter: usize, place: &[f64]) -> bool {
        let Some(condition) = &self.parameters[parameter].only_if else { return true };
        let on = self.parameters.iter().position(|other| other.name == condition.parameter);
        on.is_some_and(|on| {
            self.is_active(on, place) && condition.values.contains(&self.parameters[on].kind.value(place[on]))
        })
    }

    /// A place drawn uniformly.
    pub(crate) fn draw(&self, rng: &mut crate::rng::Rng) -> Coordinates {
        let draw = |one: &Parameter| match one.kind.choices() {
            Some(choices) => rng.below(choices) as f64,
            None => rng.uniform(),
        };
        let mut place: Coordinates = self.parameters.iter().map(draw).collect();
        self.settle(&mut place);
        place
    }
}

impl Parameter {
    fn coordinate(&self, value: &Value) -> Result<f64, SpaceError> {
        self.kind.coordinate(value).ok_or_else(|| SpaceError::Value {
            name: self.name.clone(),
            value: value.to_string(),
            expected: self.kind.words(),
        })
    }
}
