//! A worker's call between its commit and its answer.

use crate::flush::Flushed;
use crate::metrics::Metrics;
use crate::store::StoreError;
use protocol::sync::SyncResponse;
use std::time::Duration;

/// A worker's call that was committed.
#[derive(Debug)]
pub struct Committed {
    /// Its answer.
    pub answer: SyncResponse,
    pub(crate) flushed: Flushed,
}

impl Committed {
    /// The answer, when what it tells of is on disk.
    ///
    /// # Errors
    /// When nobody knows whether it is.
    pub async fn flushed(self) -> Result<SyncResponse, StoreError> {
        self.flushed.wait().await?;
        Ok(self.answer)
    }

    /// The answer as it may leave after so much time at most.
    pub(crate) async fn within(
        self,
        patience: Duration,
        metrics: &Metrics,
    ) -> Result<SyncResponse, StoreError> {
        let Self { answer, flushed } = self;
        if answer.acks.is_empty() && answer.leases.is_empty() {
            return Ok(answer);
        }
        match tokio::time::timeout(patience, flushed.wait()).await {
            Ok(flushed) => flushed.map(|()| answer),
            Err(_) => {
                metrics.put_off(answer.acks.len());
                Ok(answer.put_off())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ids::{CellId, GameId, LeaseId};
    use protocol::sync::{Ack, AckStatus, Directive};

    fn committed(flushed: Flushed) -> Committed {
        let game = GameId::of(CellId(uuid::Uuid::nil()), 0, 0);
        let ack = Ack { game, lease: LeaseId::random(), status: AckStatus::Accepted, message: None };
        let answer = SyncResponse {
            acks: vec![ack],
            leases: Vec::new(),
            revoked: Vec::new(),
            directive: Directive::Work,
            sizes: Vec::new(),
            next_sync_ms: 10_000,
            no_work: None,
        };
        Committed { answer, flushed }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_told_of_before_it_is_on_disk() {
        let metrics = Metrics::default();
        let (disk, flushed) = Flushed::watched();
        let patience = Duration::from_millis(20);
        let put_off = committed(flushed.clone()).within(patience, &metrics).await.expect("an answer");
        assert!(put_off.acks.is_empty() && put_off.next_sync_ms <= 500, "{put_off:?}");
        // Whoever waits as long as it takes is told.
        let leaving = tokio::spawn(async move { committed(flushed).within(Duration::MAX, &metrics).await });
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert!(!leaving.is_finished());
        disk.settle(1, Ok(()));
        assert_eq!(leaving.await.expect("no panic").expect("an answer").acks.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_of_which_nobody_knows_whether_it_is_on_disk_fails() {
        let (disk, flushed) = Flushed::watched();
        disk.settle(1, Err(StoreError::NotFlushed("the disk is gone".into())));
        let failed = committed(flushed.clone()).within(Duration::MAX, &Metrics::default()).await;
        assert!(failed.expect_err("lost").to_string().contains("the disk is gone"));
        // What comes later does not bring it back.
        disk.settle(2, Ok(()));
        flushed.wait().await.expect_err("still not known");
    }
}
