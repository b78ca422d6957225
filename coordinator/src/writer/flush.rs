//! When what was committed is on disk.
//!
//! The writer commits asynchronously: a commit is visible to everybody and survives the end of every process, and one
//! task of its own carries the log to the disk for all groups committed meanwhile. Nobody who is told that something
//! is stored is told before that. But the next group need not wait for the disk, which may take a second at times.

use crate::metrics::Metrics;
use crate::store::{Store, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// How many times as long as a flush took the disk is left alone afterwards, for whoever else needs it.
const PAUSE: u32 = 2;

/// How far the log was carried, in numbers of committed groups.
#[derive(Debug, Clone, Default)]
struct Progress {
    /// Groups of which it is known what became of them.
    finished: u64,
    /// Up to this one it may have failed, for this reason. Later ones are on disk.
    failed: Option<(u64, String)>,
}

/// The writer's end: it numbers the groups that it commits.
pub(crate) struct Commits {
    committed: watch::Sender<u64>,
    progress: watch::Receiver<Progress>,
}

/// The disk's end: it tells how far it is.
pub(crate) struct Disk(watch::Sender<Progress>);

impl Disk {
    /// It is known what became of the groups up to this one.
    pub(crate) fn finish(&self, group: u64, flushed: Result<(), StoreError>) {
        self.0.send_modify(|progress| {
            progress.finished = group;
            if let Err(error) = flushed {
                tracing::error!("what was committed could not be carried to the disk: {error}");
                progress.failed = Some((group, error.to_string()));
            }
        });
    }
}

/// A committed group on its way to the disk.
#[derive(Debug, Clone)]
pub(crate) struct Flushed {
    group: u64,
    progress: watch::Receiver<Progress>,
}

impl Commits {
    /// Starts the task, which pauses after every flush for a multiple of the time it took, and for `longest` at most. It
    /// ends after the last flush when this is dropped.
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
                disk.finish(finished, flushed);
                next = Instant::now() + (took * PAUSE).min(longest);
            }
        });
        (Self { committed, progress }, task)
    }

    /// A group was committed.
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
    /// When nobody knows whether it is. Whoever asks again learns what became of it.
    pub(crate) async fn wait(mut self) -> Result<(), StoreError> {
        let finished = self.progress.wait_for(|progress| progress.finished >= self.group).await;
        let progress = finished.map_err(|_| StoreError::Closed)?;
        match &progress.failed {
            Some((last, why)) if self.group <= *last => Err(StoreError::NotFlushed(why.clone())),
            _ => Ok(()),
        }
    }
}
