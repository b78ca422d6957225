//! When a commit is on disk.
//!
//! The writer commits asynchronously: a commit is visible to everybody and survives the end of every process. A task of
//! its own flushes the log to the disk for all groups that were committed meanwhile. An answer that says that something
//! is stored leaves after that flush. The next group need not wait for the disk, which may take a second at times.

use crate::metrics::Metrics;
use crate::store::{Store, StoreError, TRY_EVERY};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};

/// The pause after a flush, as a multiple of its time: other programs need the disk, too.
const PAUSE: u32 = 2;

/// How far the log is flushed, in numbers of committed groups.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// Groups whose flush has ended, with or without success.
    finished: u64,
    /// The flush of groups up to this one may have failed, for this reason. Later groups are on disk.
    failed: Option<(u64, String)>,
}

/// The end of the writer: it numbers the committed groups.
pub(crate) struct Commits {
    committed: watch::Sender<u64>,
    progress: watch::Receiver<Progress>,
}

/// The end of the flushing task: it reports the progress.
pub(crate) struct Disk(watch::Sender<Progress>);

impl Disk {
    /// Reports that the flush of the groups up to this one has ended.
    pub(crate) fn finish(&self, group: u64, flushed: Result<(), String>) {
        self.0.send_modify(|progress| {
            progress.finished = group;
            if let Err(why) = flushed {
                progress.failed = Some((group, why));
            }
        });
    }
}

/// A committed group that waits for its flush.
#[derive(Debug, Clone)]
pub(crate) struct Flushed {
    group: u64,
    progress: watch::Receiver<Progress>,
}

impl Commits {
    /// Starts the task. After each flush it pauses for a multiple of the time that the flush took, and for `longest` at
    /// most. It ends after the last flush when this value is dropped.
    pub(crate) fn start(
        store: Arc<Store>,
        metrics: Arc<Metrics>,
        longest: Duration,
    ) -> (Self, JoinHandle<()>) {
        let (committed, mut groups) = watch::channel(0);
        let (told, progress) = watch::channel(Progress::default());
        let disk = Disk(told);
        let task = tokio::spawn(async move {
            let mut next = Instant::now();
            while groups.changed().await.is_ok() {
                sleep_until(next).await;
                let finished = *groups.borrow_and_update();
                let began = Instant::now();
                let flushed = store.flush().await;
                let took = began.elapsed();
                metrics.flushed(took, flushed.is_ok());
                disk.finish(finished, flushed.clone());
                if let Err(why) = flushed {
                    tracing::error!("what was committed could not be carried to the disk: {why}");
                    // A server that crashed has lost what was committed meanwhile, too. Nobody waits until it is there again, and
                    // the writer may end before.
                    while store.connect_log().await.is_err() && groups.has_changed().is_ok() {
                        disk.finish(*groups.borrow_and_update(), Err(why.clone()));
                        sleep(TRY_EVERY).await;
                    }
                    disk.finish(*groups.borrow_and_update(), Err(why));
                }
                next = Instant::now() + (took * PAUSE).min(longest);
            }
        });
        (Self { committed, progress }, task)
    }

    /// Notes that a group was committed.
    pub(crate) fn committed(&self) -> Flushed {
        self.committed.send_modify(|group| *group += 1);
        Flushed { group: *self.committed.borrow(), progress: self.progress.clone() }
    }
}

impl Flushed {
    /// The first group, and the disk that it goes to.
    #[cfg(test)]
    pub(crate) fn watched() -> (Disk, Self) {
        let (told, progress) = watch::channel(Progress::default());
        (Disk(told), Self { group: 1, progress })
    }

    /// Waits until the group is on disk.
    ///
    /// # Errors
    /// When the flush failed. A caller that asks again learns whether the group is stored.
    pub(crate) async fn wait(mut self) -> Result<(), StoreError> {
        let finished = self.progress.wait_for(|progress| progress.finished >= self.group).await;
        let progress = finished.map_err(|_| StoreError::Closed)?;
        match &progress.failed {
            Some((last, why)) if self.group <= *last => Err(StoreError::NotFlushed(why.clone())),
            _ => Ok(()),
        }
    }
}
