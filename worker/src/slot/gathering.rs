//! Batches short games for the spool: the games that all slots finish within a tenth of a second share a file and a flush. A
//! batch ends sooner when it is large, or when a slot has nothing to play: the next leases may depend on these games. The slots
//! continue meanwhile, so a crash of the process loses these games. Games of a second or more are written at once.

use super::Event;
use crate::spool::Spool;
use protocol::result::FinishedGame;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tracing::error;

/// How long games are gathered, from the first one on.
const GATHERING: Duration = Duration::from_millis(100);
/// The number of games and ends of leases that ends a batch: a third of the games in a call.
const MANY: usize = 200;

/// The sender of short games to the thread that writes them.
#[derive(Debug, Clone)]
pub(super) struct GatheringSender {
    events: Sender<Event>,
    /// Events that are not written.
    waiting: Arc<AtomicUsize>,
    hurry: SyncSender<()>,
}

impl GatheringSender {
    /// Sends an event: after the games before it are written.
    pub(super) fn send(&self, event: Event) {
        // Before the event is sent, because the writer subtracts it.
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        // Without the receiver no game can be written.
        let _ = self.events.send(event);
        if before + 1 == MANY {
            self.hurry();
        }
    }

    /// Ends the batch, so that it is written now.
    pub(super) fn hurry(&self) {
        if self.waiting.load(Ordering::Relaxed) > 0 {
            // A full channel has the same effect.
            let _ = self.hurry.try_send(());
        }
    }
}

/// Writes short games, and reports them when they are on disk.
#[derive(Debug)]
pub(crate) struct Gathering {
    arriving: Receiver<Event>,
    waiting: Arc<AtomicUsize>,
    hurry: Receiver<()>,
    spool: Arc<Spool>,
    events: UnboundedSender<Event>,
}

/// The writer of short games, and its sender.
pub(super) fn start(spool: Arc<Spool>, events: UnboundedSender<Event>) -> (GatheringSender, Gathering) {
    let ((sender, arriving), (hurrying, hurry)) = (channel(), sync_channel(1));
    let waiting = Arc::<AtomicUsize>::default();
    let together = GatheringSender { events: sender, waiting: waiting.clone(), hurry: hurrying };
    (together, Gathering { arriving, waiting, hurry, spool, events })
}

impl Gathering {
    /// Works until the last slot has ended.
    pub(crate) fn run(self) {
        while let Ok(first) = self.arriving.recv() {
            // The slots need not wake this thread for each game.
            let _ = self.hurry.recv_timeout(GATHERING);
            // A later request to end the batch belongs to the next one.
            let _ = self.hurry.try_recv();
            self.write(std::iter::once(first).chain(self.arriving.try_iter()).collect());
        }
    }

    /// Writes what has arrived.
    #[cfg(test)]
    pub(crate) fn write_arrived(&self) {
        self.write(self.arriving.try_iter().collect());
    }

    fn write(&self, events: Vec<Event>) {
        self.waiting.fetch_sub(events.len(), Ordering::Relaxed);
        let game = |event: &Event| match event {
            Event::Finished { game, .. } => Some(FinishedGame::clone(game)),
            _ => None,
        };
        let games: Vec<FinishedGame> = events.iter().filter_map(game).collect();
        if let Err(error) = self.spool.put(&games) {
            error!(
                "cannot spool {} games: {error}; they are kept in memory and lost if this worker dies",
                games.len()
            );
        }
        for event in events {
            // The receiver is gone only when the process ends.
            let _ = self.events.send(event);
        }
    }
}
