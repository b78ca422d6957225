//! Ids. An object with a description has a digest of the description as its id, so that equal content has the same id on
//! every machine. Ids of events are random.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    )+};
}

ids! {
    /// A player: the digest of its parameters' differences from the defaults.
    PlayerId;
    /// A cell: the digest of case, baseline, size, budget, openings, seed and engine semantics.
    CellId;
    /// A kind of move: the digest of a player's parameters, size, budget and engine semantics.
    KindId;
    /// An experiment: the digest of everything meaningful in its file.
    ExperimentId;
    /// A game, fixed when its pair is first leased: the digest of cell, pair and half.
    GameId;
    /// A lease of one pair to one worker.
    LeaseId;
    /// A worker machine.
    WorkerId;
    /// One run of a worker process.
    SessionId;
    /// A study of another program.
    StudyId;
}

/// A digest of `value`'s JSON as a version 8 UUID; `kind` keeps equal texts of different kinds apart.
///
/// # Panics
/// Never for the types of this crate: their JSON has string keys and finite numbers only.
pub(crate) fn content_id(kind: &str, value: &impl Serialize) -> Uuid {
    let text = serde_json::to_vec(value).expect("protocol types serialise");
    let digest = Sha256::new().chain_update(kind).chain_update([0]).chain_update(&text).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Uuid::new_v8(bytes)
}

impl GameId {
    /// The game of `pair` in `cell` in which the case plays White (`half` 0) or Black (`half` 1).
    #[must_use]
    pub fn of(cell: CellId, pair: u32, half: u8) -> Self {
        Self(content_id("game", &(cell, pair, half)))
    }
}

impl WorkerId {
    /// The id of a machine of another database, under which its games are imported. It is never that of a machine that calls here: who
    /// made a bundle chose the ids in it, and only a machine's own word may speak for it or against it.
    #[must_use]
    pub fn of_import(elsewhere: Self) -> Self {
        Self(content_id("import", &elsewhere))
    }

    /// The id of the machine under which a person plays games by hand: always the same for the same person.
    #[must_use]
    pub fn of_hand(who: &str) -> Self {
        Self(content_id("hand", &who))
    }
}

macro_rules! random {
    ($($name:ident)+) => {$(
        impl $name {
            /// A new random id.
            #[must_use]
            pub fn random() -> Self {
                Self(Uuid::new_v4())
            }
        }
    )+};
}
random!(LeaseId WorkerId SessionId StudyId);
