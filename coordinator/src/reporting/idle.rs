//! Why a machine idles, for its page and for lists of machines.

use crate::store::{ExperimentFilter, StoreError, Tx, WorkerRow};
use engine::havannah::BoardSize;
use protocol::sync::Directive;

/// The state from which the reasons of idle machines follow.
pub(super) struct Idle {
    sizes: Vec<BoardSize>,
    sync_ms: u64,
}

impl Idle {
    /// Reads what is to be played.
    pub(super) async fn read(
        tx: &mut Tx,
        filter: &ExperimentFilter,
        sync_ms: u64,
    ) -> Result<Self, StoreError> {
        Ok(Self { sizes: tx.sizes_in_play(engine::SEMANTICS, filter).await?, sync_ms })
    }

    /// Why a present machine holds no pair; none if it holds some, wants none, or was ordered not to work.
    pub(super) fn why(&self, worker: &WorkerRow) -> Option<String> {
        let is_kept =
            worker.directive != Directive::Work || worker.quarantine.is_some() || worker.resting.is_some();
        if worker.pairs_held > 0 || is_kept {
            return None;
        }
        if let Some(no_work) = &worker.no_work {
            return Some(format!("its last call brought no work: {no_work}"));
        }
        self.unmeasured(worker).or_else(|| {
            let seconds = self.sync_ms.div_ceil(1000);
            Some(format!(
                "it holds no pair: it asks for more with its next call, which comes within {seconds} s"
            ))
        })
    }

    /// Says that the machine has not measured its speed on some sizes that are played.
    pub(super) fn unmeasured(&self, worker: &WorkerRow) -> Option<String> {
        let measured = |size: &BoardSize| worker.speeds.iter().any(|speed| speed.size == *size);
        let list: Vec<String> =
            self.sizes.iter().filter(|size| !measured(size)).map(ToString::to_string).collect();
        let list = list.join(", ");
        (!list.is_empty()).then(|| {
            format!("it has not measured its speed on size {list}: it gets no games there until it has")
        })
    }
}
