//! What a table of tunables is made of: values, their domains, and the macros that turn a table into a struct with
//! defaults, parsing, ranges and help.
//!
//! The tables are [`SearchParams`](crate::search::SearchParams), which every game has, and
//! [`HeuristicParams`](crate::havannah::HeuristicParams). CONTRIBUTING.md says how to add a row.

use crate::numbers;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A tunable's value as files, requests and commands write it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ParamValue {
    /// A switch.
    Flag(bool),
    /// A real or whole number.
    Number(f64),
    /// One of a list of words.
    Word(String),
}

impl std::fmt::Display for ParamValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParamValue::Flag(flag) => flag.fmt(f),
            ParamValue::Number(number) => f.write_str(&numbers::shortest(*number)),
            ParamValue::Word(word) => f.write_str(word),
        }
    }
}

impl std::str::FromStr for ParamValue {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "true" => ParamValue::Flag(true),
            "false" => ParamValue::Flag(false),
            _ => text.parse().map_or_else(|_| ParamValue::Word(text.to_owned()), ParamValue::Number),
        })
    }
}

/// What values a tunable takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// `true` or `false`.
    Flag,
    /// A whole number between two bounds, both included.
    Whole(f64, f64),
    /// A real number between two bounds, both included.
    Real(f64, f64),
    /// One of these words.
    Words(&'static [&'static str]),
}

impl std::fmt::Display for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Domain::Flag => f.write_str("true or false"),
            Domain::Whole(min, max) => write!(f, "a whole number from {min} to {max}"),
            Domain::Real(min, max) => write!(f, "a number from {min} to {max}"),
            Domain::Words(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct ParamInfo {
    /// Its name in files, commands and reports.
    pub name: &'static str,
    /// The part of the engine it belongs to.
    pub group: &'static str,
    /// What values it takes.
    pub domain: Domain,
    /// One line of meaning.
    pub meaning: &'static str,
    /// Values other than the default, as text, for tests: each is a player; see [`players`](crate::bench::players). A
    /// value that has no effect alone names its company: `0.5 exploration=0.9`.
    pub samples: &'static [&'static str],
}

impl ParamInfo {
    /// What a sample sets: this tunable, then its company.
    pub(crate) fn settings(&self, sample: &'static str) -> Vec<(&'static str, ParamValue)> {
        let value = |text: &str| text.parse().unwrap_or_else(|never| match never {});
        let (own, company) = sample.split_once(' ').unwrap_or((sample, ""));
        let company = company.split_whitespace().map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        std::iter::once((self.name, value(own)))
            .chain(company.map(|(name, text)| (name, value(text))))
            .collect()
    }
}

/// A setting the table refuses.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SetParamError {
    /// No tunable has this name.
    #[error("there is no parameter `{name}`{}", nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownName {
        /// The name asked for.
        name: String,
        /// The most similar name of the table.
        nearest: Option<&'static str>,
    },
    /// The value is outside the tunable's domain.
    #[error("`{name}` takes {domain}, not `{value}`")]
    BadValue {
        /// The tunable.
        name: &'static str,
        /// What it takes.
        domain: Domain,
        /// What it was given.
        value: ParamValue,
    },
    /// No preset has this name.
    #[error("there is no preset `{name}`; there are {}", presets.join(", "))]
    UnknownPreset {
        /// The name asked for.
        name: String,
        /// The names that there are.
        presets: Vec<&'static str>,
    },
}

/// A field type that can stand in the table.
pub(crate) trait Tunable: Sized {
    fn read(value: &ParamValue, domain: Domain) -> Option<Self>;
    fn write(&self) -> ParamValue;
}

impl Tunable for bool {
    fn read(value: &ParamValue, _: Domain) -> Option<Self> {
        if let ParamValue::Flag(flag) = value { Some(*flag) } else { None }
    }
    fn write(&self) -> ParamValue {
        ParamValue::Flag(*self)
    }
}

impl Tunable for f64 {
    fn read(value: &ParamValue, domain: Domain) -> Option<Self> {
        match (value, domain) {
            (ParamValue::Number(x), Domain::Real(min, max)) if (min..=max).contains(x) => Some(*x + 0.0),
            _ => None,
        }
    }
    fn write(&self) -> ParamValue {
        ParamValue::Number(*self)
    }
}

impl Tunable for u32 {
    fn read(value: &ParamValue, domain: Domain) -> Option<Self> {
        match (value, domain) {
            (ParamValue::Number(x), Domain::Whole(min, max))
                if (min..=max).contains(x) && x.fract() == 0.0 =>
            {
                Some(*x as u32)
            }
            _ => None,
        }
    }
    fn write(&self) -> ParamValue {
        ParamValue::Number(f64::from(*self))
    }
}

/// Declares an enum whose variants are words of the table.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }
        impl $name {
            pub(crate) const WORDS: &'static [&'static str] = &[$($word),+];
        }
        impl $crate::params::Tunable for $name {
            fn read(value: &$crate::params::ParamValue, _: $crate::params::Domain) -> Option<Self> {
                match value { $($crate::params::ParamValue::Word(word) if word == $word => Some(Self::$variant),)+ _ => None }
            }
            fn write(&self) -> $crate::params::ParamValue {
                $crate::params::ParamValue::Word(match self { $(Self::$variant => $word),+ }.to_owned())
            }
        }
    };
}
pub(crate) use words;

/// Declares a struct of tunables from its table. A row is
///
/// ```text
/// name: type = default, domain, [samples off the default], "group", "one line of meaning";
/// ```
macro_rules! params {
    (
        $(#[$meta:meta])*
        $Table:ident {
            $($name:ident: $kind:ty = $default:expr, $domain:expr, [$($sample:literal),*], $group:literal, $meaning:literal;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Table { $(#[doc = $meaning] pub $name: $kind),+ }

        impl Default for $Table {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl $Table {
            /// Every tunable, in the order of the table.
            pub const TABLE: &'static [$crate::params::ParamInfo] = &[$($crate::params::ParamInfo {
                name: stringify!($name), group: $group, domain: $domain, meaning: $meaning, samples: &[$($sample),*],
            }),+];

            /// The value of a tunable; none if the table has no row of this name.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<$crate::params::ParamValue> {
                match name { $(stringify!($name) => Some($crate::params::Tunable::write(&self.$name)),)+ _ => None }
            }

            /// Sets a tunable; none if the table has no row of this name.
            pub(crate) fn set_own(
                &mut self,
                name: &str,
                value: &$crate::params::ParamValue,
            ) -> Option<Result<(), $crate::params::SetParamError>> {
                match name {
                    $(stringify!($name) => Some(match $crate::params::Tunable::read(value, $domain) {
                        Some(read) => {
                            self.$name = read;
                            Ok(())
                        }
                        None => Err($crate::params::SetParamError::BadValue {
                            name: stringify!($name), domain: $domain, value: value.clone() }),
                    }),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use params;
