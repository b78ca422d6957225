//! The objective of a tune: the win rate over board sizes.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the board sizes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneAim"))]
pub enum Aim {
    /// One setting with the best weighted mean over the sizes.
    #[default]
    Mean,
    /// A best setting for every size.
    Each,
    /// One setting whose worst size is as good as possible.
    Worst,
}

/// A board size and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneSize"))]
pub struct SizeWeight {
    /// The board size.
    pub size: u8,
    /// Its weight, of which only ratios matter.
    pub weight: f64,
}

/// The sizes that are played, and how they count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ObjectiveParts", into = "ObjectiveParts")]
pub struct Objective {
    sizes: Vec<SizeWeight>,
    aim: Aim,
}

#[derive(Serialize, Deserialize)]
struct ObjectiveParts {
    sizes: Vec<SizeWeight>,
    aim: Aim,
}

impl TryFrom<ObjectiveParts> for Objective {
    type Error = ObjectiveError;

    fn try_from(parts: ObjectiveParts) -> Result<Self, ObjectiveError> {
        Self::new(parts.sizes, parts.aim)
    }
}

impl From<Objective> for ObjectiveParts {
    fn from(Objective { sizes, aim }: Objective) -> Self {
        Self { sizes, aim }
    }
}

/// Why sizes and weights are no objective.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ObjectiveError {
    /// There is no size.
    #[error("there is no board size to tune on")]
    Empty,
    /// A size occurs twice.
    #[error("size {0} occurs twice")]
    Twice(u8),
    /// A weight is out of range.
    #[error("size {size} has weight {weight:e}; weights are from 1e-9 to 1e9")]
    Weight {
        /// The size.
        size: u8,
        /// Its weight.
        weight: f64,
    },
}

impl Objective {
    /// An objective over these sizes.
    ///
    /// # Errors
    /// When there is no size, a size occurs twice, or a weight is out of range.
    pub fn new(sizes: Vec<SizeWeight>, aim: Aim) -> Result<Self, ObjectiveError> {
        if sizes.is_empty() {
            return Err(ObjectiveError::Empty);
        }
        for (i, &SizeWeight { size, weight }) in sizes.iter().enumerate() {
            if sizes[..i].iter().any(|other| other.size == size) {
                return Err(ObjectiveError::Twice(size));
            }
            if !(1e-9..=1e9).contains(&weight) {
                return Err(ObjectiveError::Weight { size, weight });
            }
        }
        Ok(Self { sizes, aim })
    }

    /// The best setting on one size.
    #[must_use]
    pub fn on(size: u8) -> Self {
        Self { sizes: vec![SizeWeight { size, weight: 1.0 }], aim: Aim::Mean }
    }

    /// The sizes.
    #[must_use]
    pub fn sizes(&self) -> &[SizeWeight] {
        &self.sizes
    }

    /// How the sizes count.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The weights of the sizes, which sum to 1.
    #[must_use]
    pub fn weights(&self) -> Vec<f64> {
        let sum: f64 = self.sizes.iter().map(|one| one.weight).sum();
        self.sizes.iter().map(|one| one.weight / sum).collect()
    }

    /// The targets: one setting, or one for each size.
    pub(crate) fn targets(&self) -> Vec<Target> {
        let count = self.sizes.len();
        let only = |place: usize| (0..count).map(|i| f64::from(u8::from(i == place))).collect::<Vec<f64>>();
        match self.aim {
            Aim::Mean => vec![Target { size: None, mixes: vec![self.weights()] }],
            Aim::Worst => vec![Target { size: None, mixes: (0..count).map(only).collect() }],
            Aim::Each => {
                let target =
                    |place: usize| Target { size: Some(self.sizes[place].size), mixes: vec![only(place)] };
                (0..count).map(target).collect()
            }
        }
    }

    /// The place of a size in the list.
    pub(crate) fn place(&self, size: u8) -> Option<usize> {
        self.sizes.iter().position(|one| one.size == size)
    }

    /// The size that trial `number` is played on. After any number of trials, every size has had its share to within one.
    pub(crate) fn size_of(&self, number: usize) -> u8 {
        let weights = self.weights();
        let mut played = vec![0.0; weights.len()];
        let period = number % 1000;
        let mut next = 0;
        for n in 0..=period {
            let lack = |i: usize| weights[i] * (n + 1) as f64 - played[i];
            next =
                (0..weights.len()).max_by(|&a, &b| lack(a).total_cmp(&lack(b)).then(b.cmp(&a))).unwrap_or(0);
            played[next] += 1.0;
        }
        self.sizes[next].size
    }
}

/// A setting that is looked for: the one whose least weighted mean of the sizes' values is greatest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Target {
    /// The size it is for; none if it is for all.
    pub(crate) size: Option<u8>,
    /// Weights of the sizes. The value of a point is the least over these.
    pub(crate) mixes: Vec<Vec<f64>>,
}
