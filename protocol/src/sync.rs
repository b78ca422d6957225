//! The one call of a worker, `POST /api/v1/sync`: results and state go up; acknowledgements, leases and
//! directives come down. A heartbeat is a sync with nothing in it.

use crate::ids::{GameId, LeaseId, SessionId, WorkerId};
use crate::lease::Lease;
use crate::memory::Mib;
use crate::result::{FinishedGame, Speed};
use engine::havannah::BoardSize;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The largest number of a start or a call that can be stored.
pub const MOST_STARTS: u64 = i64::MAX as u64;

/// The most games that a worker can say it plays at once: twice the threads of the largest machines.
pub const MOST_SLOTS: u32 = 1024;

/// Words of a list that are read at most: empty ones take eight times the memory of their text.
const FEW: usize = 1_000;

fn few_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Words;

    impl<'de> Visitor<'de> for Words {
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

    deserializer.deserialize_seq(Words)
}

/// What a worker sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// [`crate::PROTOCOL_VERSION`] of the worker.
    pub protocol: u32,
    /// `engine::SEMANTICS` of the worker: engines of another number play other games and are refused.
    pub semantics: u32,
    /// The machine, chosen at random once and kept in its state directory.
    pub worker: WorkerId,
    /// This run of the worker process.
    pub session: SessionId,
    /// Number of this run: every start in the machine's state directory has a larger one than those before.
    /// At most [`MOST_STARTS`].
    pub start: u64,
    /// Number of this call within the run, from 1: each has a larger one than those before. A call that was
    /// overtaken by a later one of its worker only delivers games.
    pub sequence: u64,
    /// The machine's name, for people.
    pub name: String,
    /// Version of the worker's binary.
    pub version: String,
    /// [`crate::selftest::digest`] of the worker: builds that play other games are refused.
    pub self_test: String,
    /// What the machine is called by, besides its name, when many are told something at once.
    #[serde(deserialize_with = "few_words")]
    pub labels: Vec<String>,
    /// Games it plays at once.
    pub slots: u32,
    /// What it has on each slot for the trees of a game's two players. It gets no games that may need more.
    pub memory: Mib,
    /// Its speed on every board size measured so far.
    pub speeds: Vec<Speed>,
    /// Leases in hand, playing or waiting, with the plies played so far in each. Leases of this worker that
    /// are missing here return to the pool.
    pub held: Vec<HeldLease>,
    /// Games finished and not yet acknowledged.
    pub finished: Vec<FinishedGame>,
    /// Leases that it gives back because their games cannot be played here.
    pub failed: Vec<FailedLease>,
    /// Leases it wants, for free slots and a reserve.
    pub want: u32,
    /// It is about to end, and this is its last call: what it lists as held waits on its disk for the next
    /// start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaving: bool,
    /// Why it wants none though it could play, in its own words: quiet hours, or because it is about to
    /// leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resting: Option<String>,
    /// Number of the last call of this run that got an answer, when it was not the call before this one: 0 when none did.
    /// Answers that were [put off](SyncResponse::put_off) are none. Leases given in later calls never reached the
    /// worker, which cannot list them as held: it gets them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<u64>,
}

/// Progress of one lease.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldLease {
    /// The lease.
    pub lease: LeaseId,
    /// Plies played in its games so far: a live heart with a stuck game is seen.
    pub plies: u32,
}

/// A lease whose games could not be played: a parameter that means nothing to the build, an engine that
/// panicked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedLease {
    /// The lease.
    pub lease: LeaseId,
    /// What happened, for people.
    pub why: String,
}

/// What the coordinator answers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct SyncResponse {
    /// One entry for every game sent up; or none at all, when the coordinator's database takes too long: see
    /// [`SyncResponse::put_off`].
    pub acks: Vec<Ack>,
    /// New leases.
    pub leases: Vec<Lease>,
    /// Leases that the worker listed and no longer holds: their games should be dropped.
    pub revoked: Vec<LeaseId>,
    /// What the worker should do.
    pub directive: Directive,
    /// Board sizes in play: leases are only given for sizes whose speed was reported.
    pub sizes: Vec<BoardSize>,
    /// Milliseconds until the next call, at the latest.
    pub next_sync_ms: u64,
    /// Why there are fewer leases than wanted.
    pub no_work: Option<NoWork>,
    /// The call goes on, and this is no answer to it: see [`SyncResponse::put_off`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub put_off: bool,
}

/// Milliseconds after which a worker calls again that was told nothing yet.
const AGAIN_MS: u64 = 500;

impl SyncResponse {
    /// The same answer before the disk has what it tells of: it tells of no game, gives no lease and takes none. The worker
    /// keeps its games and sends them again, and gets the leases with the next answer, because it says which it
    /// [heard](SyncRequest::heard) last.
    #[must_use]
    pub fn put_off(self) -> Self {
        let next_sync_ms = self.next_sync_ms.min(AGAIN_MS);
        Self {
            acks: Vec::new(),
            leases: Vec::new(),
            revoked: Vec::new(),
            next_sync_ms,
            put_off: true,
            ..self
        }
    }
}

/// What the worker should do from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Directive {
    /// Go on.
    Work,
    /// Finish the games in hand, take no more, and wait for another directive.
    Pause,
    /// Finish the games in hand, take no more, leave.
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

/// The fate of one game sent up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ack {
    /// The game.
    pub game: GameId,
    /// The lease it was played under.
    pub lease: LeaseId,
    /// What became of it.
    pub status: AckStatus,
    /// In words, when it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// What became of a game. The worker forgets it in every case: all are final and committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AckStatus {
    /// Counted.
    Accepted,
    /// Already had it: the same game under the same lease. Success, as the first time.
    Duplicate,
    /// Somebody else's play of the same game was counted before, or its pair is lent to somebody else by now; this
    /// one is kept, not counted.
    Superseded,
    /// Impossible: see the message.
    Rejected,
}

/// Why there is no work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoWork {
    /// For programs.
    pub code: NoWorkCode,
    /// For people, with what to do about it.
    pub message: String,
}

/// Why there is no work, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoWorkCode {
    /// No experiment is active.
    NoExperiment,
    /// Every planned game is finished.
    Finished,
    /// Every game still missing is being played by somebody.
    AllLeased,
    /// The worker has not measured its speed on the sizes that are left.
    NotCalibrated,
    /// What is left needs more memory than the worker has on a slot.
    TooLittleMemory,
    /// Every game still missing belongs to a pair that was set aside, because it failed again and again.
    SetAside,
    /// The worker holds as many leases as it may before it has delivered more games.
    EnoughInHand,
    /// Somebody paused this worker.
    Paused,
    /// Games of this worker went otherwise when others played them again, or somebody says that it cannot be
    /// trusted.
    Quarantined,
    /// A reason that this build does not know; the message says it.
    #[serde(other)]
    Other,
}

/// The body of every error answer, whatever the call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorDetail,
}

/// Code, words, and what to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorDetail {
    /// For programs, in snake case.
    pub code: String,
    /// For people.
    pub message: String,
    /// When a repeat makes sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}
