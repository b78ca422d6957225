//! The sync call of workers, `POST /api/v1/sync`. The request contains results and state, the answer acknowledgements,
//! leases and directives. A heartbeat is a sync without results.

use crate::ids::{GameId, LeaseId, SessionId, WorkerId};
use crate::lease::Lease;
use crate::memory::Mib;
use crate::result::{FinishedGame, MoveColumns, Speed};
use engine::havannah::BoardSize;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The largest number of a start or a call that can be stored.
pub const MOST_STARTS: u64 = i64::MAX as u64;

/// The most slots that a worker may report: twice the threads of the largest machines.
pub const MOST_SLOTS: u32 = 1024;

/// The most words of a list that are read: empty words take eight times the memory of their text.
const FEW: usize = 1_000;

fn few_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct WordsVisitor;

    impl<'de> Visitor<'de> for WordsVisitor {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a list of at most {FEW} words")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut words = Vec::new();
            while let Some(word) = list.next_element()? {
                if words.len() == FEW {
                    return Err(A::Error::invalid_length(FEW + 1, &self));
                }
                words.push(word);
            }
            Ok(words)
        }
    }

    deserializer.deserialize_seq(WordsVisitor)
}

/// The request of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// [`crate::PROTOCOL_VERSION`] of the worker.
    pub protocol: u32,
    /// `engine::SEMANTICS` of the worker. A worker with another number plays different games and is refused.
    pub semantics: u32,
    /// The machine's id, chosen at random once and stored in the state directory.
    pub worker: WorkerId,
    /// The id of this worker process.
    pub session: SessionId,
    /// The number of this start. Every start in a state directory has a larger number than all earlier ones; at most
    /// [`MOST_STARTS`].
    pub start: u64,
    /// The number of this call within the start, increasing from 1. A call that arrives after a later one of its worker only
    /// delivers games.
    pub sequence: u64,
    /// The machine's name, for people.
    pub name: String,
    /// Version of the worker's binary.
    pub version: String,
    /// [`crate::selftest::digest`] of the worker. A build that plays different games is refused.
    pub self_test: String,
    /// Group labels for commands to several machines.
    #[serde(deserialize_with = "few_words")]
    pub labels: Vec<String>,
    /// The number of games played at once.
    pub slots: u32,
    /// Memory per slot for the trees of a game's two players. The worker gets no games that may need more.
    pub memory: Mib,
    /// The speed on every calibrated board size.
    pub speeds: Vec<Speed>,
    /// Leases held by the worker, with the plies played so far in each. Leases of this worker that are missing here return to
    /// the pool.
    pub held: Vec<HeldLease>,
    /// Finished games that are not yet acknowledged.
    pub finished: Vec<FinishedGame>,
    /// Leases that the worker returns because it cannot play them.
    pub failed: Vec<FailedLease>,
    /// The largest number of leases wanted, for free slots and for prefetching.
    pub want: u32,
    /// How much play is wanted ahead, if fewer leases may suffice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<PrefetchDemand>,
    /// This is the last call of the process. The leases that it lists as held are on its disk for the next start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaving: bool,
    /// Why the worker wants no leases although it could play, for example quiet hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resting: Option<String>,
    /// The number of the last answered call of this start, if it is not the previous call; 0 if no call was answered.
    /// Leases of later answers never reached the worker, so the coordinator gives them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<u64>,
    /// Games under way of the leases that the last answer asked to [watch](SyncResponse::watch).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<WatchedGame>,
    /// The state of the machine, if a person [views](SyncResponse::looked_at) it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<MachineState>,
}

/// How much play a worker wants to keep waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PrefetchDemand {
    /// Slots without a lease: so many of the leases are played at once.
    pub free: u32,
    /// The others wait. There are enough of them when they are [expected](Lease::expected_us) to take so many microseconds.
    pub expected_us: u64,
}

/// A game under way that a person views.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WatchedGame {
    /// Its lease.
    pub lease: LeaseId,
    /// The game of the lease that is played at the moment.
    pub game: GameId,
    /// The moves so far.
    pub record: MoveColumns,
}

/// The progress of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeldLease {
    /// The lease.
    pub lease: LeaseId,
    /// Plies played in its games so far. They show a stuck game of a worker that still calls.
    pub plies: u32,
}

/// A lease whose games could not be played, for example because of an unknown parameter or a panic of the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FailedLease {
    /// The lease.
    pub lease: LeaseId,
    /// The reason, for people.
    pub why: String,
}

/// The state of a machine, as it tells it in a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MachineState {
    /// Finished games on its disk that are not acknowledged yet.
    pub spooled: u64,
    /// Its clock in milliseconds since 1970, when the call was made.
    pub clock_ms: i64,
    /// The last lines of its log, oldest first.
    pub log: Vec<String>,
}

/// The coordinator's answer.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SyncResponse {
    /// One entry for every game of the request.
    pub acks: Vec<Ack>,
    /// New leases.
    pub leases: Vec<Lease>,
    /// Leases that the worker listed and no longer holds. It should drop their games.
    pub revoked: Vec<LeaseId>,
    /// The directive.
    pub directive: Directive,
    /// Board sizes in play. Leases are given only for sizes whose speed the worker has reported.
    #[cfg_attr(test, schemars(with = "Vec<u8>"))]
    pub sizes: Vec<BoardSize>,
    /// The longest time until the next call, in milliseconds.
    pub next_sync_ms: u64,
    /// Why there are fewer leases than wanted, if there are.
    pub no_work: Option<NoWork>,
    /// Leases of the worker that a person views: its next calls send their moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watch: Vec<LeaseId>,
    /// A person views this machine: its next call sends its state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looked_at: bool,
}

/// What the worker should do from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Directive {
    /// Work.
    Work,
    /// Finish the games under way, take no more, and wait for another directive.
    Pause,
    /// Finish the games under way, take no more, and leave.
    Drain,
}

impl std::fmt::Display for Directive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Directive::Work => "work",
            Directive::Pause => "pause",
            Directive::Drain => "drain",
        })
    }
}

/// The acknowledgement of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ack {
    /// The game.
    pub game: GameId,
    /// The lease under which the game was played.
    pub lease: LeaseId,
    /// The decision.
    pub status: AckStatus,
    /// The reason, when the game was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The decision on a game. It is final and committed, so that the worker can delete the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AckStatus {
    /// Counted.
    Accepted,
    /// The same game under the same lease was stored before: a success, like the first time.
    Duplicate,
    /// Another play of the same game was counted before, or the pair is now leased to another worker. This play is stored and
    /// does not count.
    Superseded,
    /// The game is impossible; see the message.
    Rejected,
}

/// Why there is no work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NoWork {
    /// The code, for programs.
    pub code: NoWorkCode,
    /// The message for people, with what to do.
    pub message: String,
}

/// Why there is no work, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoWorkCode {
    /// No experiment is active.
    NoExperiment,
    /// Every planned game is finished.
    Finished,
    /// Every missing game is being played.
    AllLeased,
    /// The worker has not measured its speed on the remaining sizes.
    NotCalibrated,
    /// The remaining games need more memory than the worker has per slot.
    TooLittleMemory,
    /// Every missing game belongs to a pair that was set aside after repeated failures.
    SetAside,
    /// The worker holds as many leases as it may until it delivers more games.
    EnoughInHand,
    /// A person paused this worker.
    Paused,
    /// The worker is in quarantine: its games differed from the replays of others, or a person decided so.
    Quarantined,
    /// A reason that this build does not know; see the message.
    #[serde(other)]
    Other,
}

/// The body of every error answer, whatever the call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
}

/// An error with its code and message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// The code for programs, in snake case.
    pub code: String,
    /// The message for people.
    pub message: String,
    /// When to retry, if a retry makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}
