//! A worker's call between its commit and its flush.

use super::flush::Flushed;
use crate::store::StoreError;
use protocol::sync::SyncResponse;

/// A worker's call that was committed.
#[derive(Debug)]
pub struct Committed {
    /// Its answer.
    pub answer: SyncResponse,
    pub(crate) flushed: Flushed,
}

impl Committed {
    /// The answer, after the games and leases in it are on disk.
    ///
    /// # Errors
    /// When nobody knows whether they are.
    pub async fn flushed(self) -> Result<SyncResponse, StoreError> {
        let Self { answer, flushed } = self;
        if !(answer.acks.is_empty() && answer.leases.is_empty()) {
            flushed.wait().await?;
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ids::{CellId, GameId, LeaseId};
    use protocol::sync::{Ack, AckStatus, Directive};
    use std::time::Duration;

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
            watch: Vec::new(),
            looked_at: false,
            no_work: None,
            deferred: false,
        };
        Committed { answer, flushed }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_told_of_before_it_is_on_disk() {
        let (disk, flushed) = Flushed::watched();
        let mut heartbeat = committed(flushed.clone());
        heartbeat.answer.acks.clear();
        heartbeat.flushed().await.expect("it tells of nothing");
        let told = tokio::spawn(committed(flushed).flushed());
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert!(!told.is_finished());
        disk.finish(1, Ok(()));
        assert_eq!(told.await.expect("no panic").expect("an answer").acks.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_of_which_nobody_knows_whether_it_is_on_disk_fails() {
        let (disk, flushed) = Flushed::watched();
        disk.finish(1, Err("the disk is gone".into()));
        let failed = committed(flushed.clone()).flushed().await;
        assert!(failed.expect_err("lost").to_string().contains("the disk is gone"));
        // What comes later does not bring it back.
        disk.finish(2, Ok(()));
        flushed.wait().await.expect_err("still not known");
    }
}
