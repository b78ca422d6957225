//! The one table of tunables: the struct, its defaults, parsing, ranges and help all come from it.
//!
//! To add a tunable, add its line to `params!` below, use the field, and give [`crate::bench::variants`] a value for
//! it, which moves the pinned signature. A tunable's default must switch its feature off or keep what was there
//! before, because a player is known by its differences from the defaults ([`Params::differences`]); then no game of
//! any player changes and [`crate::SEMANTICS`] stays. What has no effect under some other setting has its default there in
//! the canonical form ([`Params::canonical`]), so that players that play alike are one.

mod canonical;
mod presets;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
            ParamValue::Number(number) => number.fmt(f),
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
    #[error("there is no preset `{name}`; there are {}", Params::PRESETS.map(|p| p.0).join(", "))]
    UnknownPreset {
        /// The name asked for.
        name: String,
    },
}

/// A field type that can stand in the table.
trait Tunable: Sized {
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
            const WORDS: &'static [&'static str] = &[$($word),+];
        }
        impl Tunable for $name {
            fn read(value: &ParamValue, _: Domain) -> Option<Self> {
                match value { $(ParamValue::Word(word) if word == $word => Some(Self::$variant),)+ _ => None }
            }
            fn write(&self) -> ParamValue {
                ParamValue::Word(match self { $(Self::$variant => $word),+ }.to_owned())
            }
        }
    };
}

words! {
    /// Which moves of a playout a RAVE update credits.
    RaveCompat {
        /// Every move of the line, in the tree and in the rollout.
        Off = "off",
        /// As the program behind the thesis did from December 2010 to April 2014: rollout moves overwrite
        /// the tree's moves in the list, and its tail holds leftovers of older, longer playouts.
        Thesis2011 = "thesis2011",
    }
}

words! {
    /// How the move to play is chosen among the unproven children of the root.
    FinalMove {
        /// Most simulations.
        Visits = "visits",
        /// Most wins.
        Wins = "wins",
        /// Highest value with a RAVE equivalence of its own, less an exploration term: a lower bound.
        Value = "value",
    }
}

words! {
    /// Whether knowledge counts as described or as in the published program.
    KnowledgeCompat {
        /// As described.
        Off = "off",
        /// As the published program counted locality and group size.
        Published = "published",
    }
}

words! {
    /// How far distances to win are looked for.
    DistanceCompat {
        /// All over the board.
        Off = "off",
        /// As the published program did: n stones from each corner and side of a board of size n. What is further
        /// away is not found.
        Published = "published",
    }
}

words! {
    /// Where playouts look for a mate in one.
    MateInOneCompat {
        /// Around the opponent's last group: the published program's level 3.
        Off = "off",
        /// Everywhere for an own win, and the first cell of them is played. The opponent's are not stopped.
        Level1 = "level1",
        /// As level 1, and if there is none everywhere for a win of the opponent's: the last cell of them is taken.
        Level2 = "level2",
        /// Around the opponent's last group, but only after a stone on a corner or side: nearly all rings that
        /// threaten are left alone, and so are forks and bridges that are to be completed further inside.
        Level4 = "level4",
    }
}

words! {
    /// What playouts learn from earlier ones of the same search.
    LastGoodReply {
        /// Nothing.
        Off = "off",
        /// The winner's replies are kept until another takes their place.
        Keep = "lgr",
        /// The loser's replies are also forgotten.
        Forget = "lgrf",
    }
}

words! {
    /// Whether playouts follow their rules as described or as in the published program.
    PlayoutCompat {
        /// As described.
        Off = "off",
        /// As the published program looked for mates in one and counted the depth of rings.
        Published = "published",
    }
}

words! {
    /// How a ring that must have more than six stones, or permanent ones, is searched for in playouts.
    RingCompat {
        /// Exactly.
        Off = "off",
        /// As the published program did: from the new stone straight on or turning by 60 degrees, always to the left
        /// first, until a stone ahead is one that was passed. Only that stone is then looked at. It need not be the new
        /// one: the permanent stones on the way to the ring count as well, and the new one's need not be in it.
        Published = "published",
    }
}

macro_rules! params {
    ($($name:ident: $kind:ty = $default:expr, $domain:expr, $group:literal, $meaning:literal;)+) => {
        /// A player's complete parameter set. See [`Params::TABLE`] for ranges and groups.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Params { $(#[doc = $meaning] pub $name: $kind),+ }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl Params {
            /// Every tunable, in the order of the table.
            pub const TABLE: &'static [ParamInfo] =
                &[$(ParamInfo { name: stringify!($name), group: $group, domain: $domain, meaning: $meaning }),+];

            /// The value of a tunable.
            #[must_use]
            pub fn get(&self, name: &str) -> Option<ParamValue> {
                match name { $(stringify!($name) => Some(self.$name.write()),)+ _ => None }
            }

            /// Sets a tunable.
            ///
            /// # Errors
            /// Names the nearest tunable when there is none of this name, the domain when the value is outside.
            pub fn set(&mut self, name: &str, value: &ParamValue) -> Result<(), SetParamError> {
                match name {
                    $(stringify!($name) => {
                        self.$name = Tunable::read(value, $domain).ok_or(SetParamError::BadValue {
                            name: stringify!($name), domain: $domain, value: value.clone() })?;
                        Ok(())
                    })+
                    _ => Err(SetParamError::UnknownName { name: name.to_owned(), nearest: Self::nearest(name) }),
                }
            }
        }
    };
}

params! {
    exploration: f64 = 0.0, Domain::Real(0.0, 10.0), "tree",
        "UCB exploration constant c: a child's value gains c·√(ln N / (n + 1)).";
    rave_k: f64 = 500.0, Domain::Real(0.0, 1e6), "tree",
        "RAVE equivalence k: the RAVE mean weighs k/(k + n) in a child with n playouts; 0 switches RAVE off.";
    rave_k_per_empty: f64 = 0.0, Domain::Real(0.0, 1e5), "tree",
        "Added to rave_k for every empty cell at the node, so that k falls as the board fills.";
    rave_compat: RaveCompat = RaveCompat::Off, Domain::Words(RaveCompat::WORDS), "compatibility",
        "Which moves a RAVE update credits: `off` is correct, `thesis2011` repeats the thesis' defect.";
    rave_probability: f64 = 1.0, Domain::Real(0.0, 1.0), "tree",
        "Probability that a simulation chooses its way down the tree with RAVE.";
    exploration_probability: f64 = 1.0, Domain::Real(0.0, 1.0), "tree",
        "Probability that a simulation chooses its way down the tree with exploration.";
    widening: f64 = 0.0, Domain::Real(0.0, 1000.0), "tree",
        "Above 1, looks only at the first 2 + ⌊ln N / ln w⌋ unproven children by knowledge; up to 1 at all of them.";
    fpu: f64 = 1.0, Domain::Real(0.0, 10.0), "tree",
        "First-play urgency: the value of a child without playouts or RAVE playouts.";
    expand_visits: u32 = 1, Domain::Whole(0.0, 1e6), "tree",
        "Playouts a leaf has before it is expanded; 1 expands at the second visit.";
    lookahead: u32 = 2, Domain::Whole(0.0, 2.0), "tree",
        "Plies searched for wins at expansion: 0 none, 1 own wins, 2 also forced replies and double threats.";
    draw_detection: bool = false, Domain::Flag, "tree",
        "Looks at expansion whether either side could still win: if neither, a draw; if one, the other cannot.";
    keep_tree: bool = true, Domain::Flag, "tree",
        "Keeps the subtree of the moves played for the next search.";
    rollouts: u32 = 1, Domain::Whole(1.0, 1000.0), "tree",
        "Rollouts from the same leaf in one simulation.";
    final_move: FinalMove = FinalMove::Visits, Domain::Words(FinalMove::WORDS), "tree",
        "How the move to play is chosen among unproven children.";
    final_rave_k: f64 = 0.0, Domain::Real(0.0, 1e6), "tree",
        "RAVE equivalence k of the final move by `value`.";
    final_exploration: f64 = 1.0, Domain::Real(0.0, 10.0), "tree",
        "Constant E of the final move by `value`: a child loses E·√(ln N / (n + 1)).";
    memory_mib: u32 = 1000, Domain::Whole(1.0, 4096.0), "tree",
        "Memory of the tree in MiB, all told: a full tree drops the children of the nodes with the fewest playouts.";
    maintain_vc: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of replies that keep a virtual connection just intruded on: hundredths of a win.";
    locality: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of nearness to own stones: 3 points adjacent, 2 at a two-bridge, 1 straight at distance two.";
    locality_any: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of nearness to stones of either side, with the points of `locality`.";
    local_reply: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of nearness to the opponent's last move: 3, 2 and 1 points at distance 1, 2 and 3.";
    connectivity: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of each corner and side touched by the group that the move would belong to.";
    group_size: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of each stone of the groups that the move would join.";
    distance: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of each stone fewer than 2n - 1 that the mover needs to win through the cell.";
    distance_both: f64 = 0.0, Domain::Real(-1000.0, 1000.0), "knowledge",
        "Weight of the same for whichever side needs fewer.";
    distance_compat: DistanceCompat = DistanceCompat::Off, Domain::Words(DistanceCompat::WORDS), "compatibility",
        "How far distances to win are looked for: `off` everywhere, `published` n stones from each corner and side.";
    knowledge_compat: KnowledgeCompat = KnowledgeCompat::Off, Domain::Words(KnowledgeCompat::WORDS), "compatibility",
        "How locality and group size are counted: `off` as described, `published` as the published program did.";
    mate_in_one: u32 = 0, Domain::Whole(0.0, 1000.0), "playouts",
        "Choices of a playout at which the opponent's last group is kept from winning at once; 271 or more are all.";
    mate_in_one_per_size: f64 = 0.0, Domain::Real(0.0, 100.0), "playouts",
        "Added to mate_in_one for each cell on a side of the board.";
    mate_in_one_compat: MateInOneCompat = MateInOneCompat::Off, Domain::Words(MateInOneCompat::WORDS), "compatibility",
        "Mates in one looked for: `off` the last group's, `level1` own, `level2` both sides', `level4` those at the rim.";
    vc_replies: bool = false, Domain::Flag, "playouts",
        "Whether playouts answer an intrusion into a virtual connection.";
    last_good_reply: LastGoodReply = LastGoodReply::Off, Domain::Words(LastGoodReply::WORDS), "playouts",
        "Replies that won earlier playouts of the search: `lgr` plays them again, `lgrf` also forgets those that lost.";
    ring_probability: f64 = 1.0, Domain::Real(0.0, 1.0), "playouts",
        "Share of the playouts in which rings count.";
    ring_depth: u32 = 1000, Domain::Whole(0.0, 1000.0), "playouts",
        "Moves of a playout in which rings count; 271 or more are all.";
    ring_depth_share: f64 = 1.0, Domain::Real(0.0, 1.0), "playouts",
        "The same as a share of its empty cells; rings count while both limits allow it.";
    ring_size: u32 = 6, Domain::Whole(6.0, 271.0), "playouts",
        "Stones that a ring needs to count in a playout.";
    ring_growth: u32 = 0, Domain::Whole(0.0, 1000.0), "playouts",
        "Moves of a playout after each of which a ring needs a stone more; 0 for never.";
    ring_growth_share: f64 = 0.0, Domain::Real(0.0, 1.0), "playouts",
        "The same as a share of its empty cells; rings grow by both.";
    ring_permanent: u32 = 0, Domain::Whole(0.0, 271.0), "playouts",
        "Stones from before the playout that a ring needs to count in it.";
    ring_compat: RingCompat = RingCompat::Off, Domain::Words(RingCompat::WORDS), "compatibility",
        "How playouts search for rings with enough stones: `off` exactly, `published` takes lassos for rings.";
    playout_compat: PlayoutCompat = PlayoutCompat::Off, Domain::Words(PlayoutCompat::WORDS), "compatibility",
        "How playouts look for mates in one and count the depth of rings: `off` as described, or as `published`.";
}

impl Params {
    /// What differs from the defaults in the canonical form. Players that play alike have equal differences, and a
    /// tunable added later does not change an older player's.
    #[must_use]
    pub fn differences(&self) -> BTreeMap<&'static str, ParamValue> {
        let (default, canonical) = (Self::default(), self.canonical());
        Self::TABLE
            .iter()
            .filter_map(|info| {
                let value = canonical.get(info.name)?;
                (default.get(info.name).as_ref() != Some(&value)).then_some((info.name, value))
            })
            .collect()
    }

    /// The table's line of a tunable.
    #[must_use]
    pub fn info(name: &str) -> Option<&'static ParamInfo> {
        Self::TABLE.iter().find(|info| info.name == name)
    }

    /// The most similar name of the table, if any is similar at all.
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        crate::spelling::closest(name, Self::TABLE.iter().map(|info| info.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_inside_their_domains_and_survive_a_round_trip() {
        let default = Params::default();
        for info in Params::TABLE {
            let value = default.get(info.name).expect("listed");
            let mut other = Params::default();
            other.set(info.name, &value).expect(info.name);
            assert_eq!(other, default, "{}", info.name);
            let text: ParamValue = value.to_string().parse().expect("infallible");
            assert_eq!(text, value, "{}", info.name);
        }
    }

    #[test]
    fn a_misspelt_name_names_the_nearest_one() {
        let error = Params::default().set("rave_kk", &ParamValue::Number(1.0)).expect_err("unknown");
        assert!(error.to_string().contains("did you mean `rave_k`"), "{error}");
    }

    #[test]
    fn values_outside_the_domain_are_refused_with_the_domain() {
        let mut params = Params::default();
        for (name, value) in [
            ("lookahead", ParamValue::Number(3.0)),
            ("lookahead", ParamValue::Number(1.5)),
            ("exploration", ParamValue::Number(f64::NAN)),
            ("exploration", ParamValue::Number(-0.1)),
            ("keep_tree", ParamValue::Number(1.0)),
            ("rave_compat", ParamValue::Word("on".into())),
        ] {
            let error = params.set(name, &value).expect_err(name);
            assert!(error.to_string().contains("takes"), "{error}");
        }
        assert_eq!(params, Params::default());
    }
}
