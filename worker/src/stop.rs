//! How a worker stops: by an order, or by an error.

use crate::affinity::AffinityError;
use crate::calibrate::CalibrationError;
use crate::client::ClientError;
use crate::state::StateError;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// The two ways to stop a worker.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// Take no more work, finish the games under way within the grace time, and leave.
    pub finish: CancellationToken,
    /// Leave at once: keep checkpoints of the games under way for the next start and return the other leases.
    pub leave: CancellationToken,
}

impl From<CancellationToken> for Stop {
    fn from(leave: CancellationToken) -> Self {
        Self { leave, ..Self::default() }
    }
}

/// Why a worker stopped without an order.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The state directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The address or the token cannot be used.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The coordinator refuses this worker.
    #[error("{why}")]
    Refused {
        /// The coordinator's reason.
        why: String,
    },
    /// TLS does not trust the coordinator's certificate.
    #[error("cannot trust the coordinator: {why}")]
    Untrusted {
        /// The cause, and what to change.
        why: String,
    },
    /// The machine's speed cannot be measured.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// This program cannot play what the coordinator leases.
    #[error("{count} leases in a row could not be played, the last because: {why}")]
    Unplayable {
        /// The number of leases.
        count: usize,
        /// The reason for the last one.
        why: String,
    },
    /// This build plays other games than the coordinator's.
    #[error("{why}")]
    SelfTest {
        /// The differences, move by move.
        why: String,
    },
    /// The slots cannot be pinned as configured.
    #[error(transparent)]
    Affinity(#[from] AffinityError),
    /// The system cannot start another thread.
    #[error("cannot start a slot")]
    Thread(#[source] std::io::Error),
}
