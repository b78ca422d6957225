//! The number of statements per call. A statement costs a network round trip on Postgres, and a change of threads on
//! SQLite.

use crate::cells::with_pairs;
use crate::databases::Database;
use crate::play::{Worker, cell, experiment, open, play_all};
use coordinator::Coordinator;
use protocol::result::FinishedGame;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ThreadId;
use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Counts the statements of one thread only, because other tests run at the same time.
#[derive(Clone)]
struct Statements(Arc<AtomicUsize>, ThreadId);

impl Subscriber for Statements {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut counts = std::thread::current().id() == self.1;
        // The statement that flushes the log to the disk does not count: it does not hold up the writer.
        event.record(&mut |_: &Field, value: &dyn Debug| {
            counts &= !format!("{value:?}").contains("emit_message")
        });
        self.0.fetch_add(usize::from(counts), Ordering::Relaxed);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn the_statements_of_calls_made_together_are_those_of_one_call_and_a_few() {
    let Some(database) = Database::postgres().await else { return };
    let (coordinator, _) = open(&database).await;
    let cells = (0..8).map(|k| cell(100 + k, 4, 100, 1.0)).collect();
    coordinator.apply(&experiment("one", cells)).await.expect("apply");
    let statements = Statements(Arc::default(), std::thread::current().id());
    tracing::subscriber::set_global_default(statements.clone()).expect("no other test listens");
    let mut fleet: Vec<Worker> = (0..64).map(|_| Worker::new()).collect();
    let mut games: Vec<Vec<FinishedGame>> = Vec::new();
    for worker in &mut fleet {
        games.push(play_all(&worker.take(&coordinator, 1).await[0], 7));
    }
    let counted = async |finished: &[Vec<FinishedGame>], want| {
        statements.0.store(0, Ordering::Relaxed);
        let calls = fleet.iter().zip(finished).map(|(worker, games)| {
            // A worker no longer holds the leases of the games that it delivers.
            let held = if games.is_empty() { worker.held.clone() } else { Vec::new() };
            let worker = Worker { held, ..worker.clone() };
            let coordinator = coordinator.clone();
            async move { worker.sync(&coordinator, games.clone(), want).await }
        });
        futures_util::future::join_all(calls).await;
        statements.0.load(Ordering::Relaxed)
    };
    let nothing = vec![Vec::new(); 64];
    let heartbeat = counted(&nothing[..1], 0).await;
    let heartbeats = counted(&nothing, 0).await;
    let pair = counted(&games[..1], 1).await;
    let pairs = counted(&games[1..], 1).await;
    assert!(heartbeat > 0 && heartbeat <= 10, "a heartbeat took {heartbeat} statements");
    assert!(heartbeats <= heartbeat + 1, "64 heartbeats took {heartbeats} statements, one takes {heartbeat}");
    assert!(pair <= 24, "a pair of games and a lease took {pair} statements");
    // Each call first looks up its leases on one of two connections, so that the calls reach the writer in several
    // groups: more of them, the more the writer and the lookups of other tests get in each other's way.
    assert!(pairs <= 63 * pair * 9 / 10, "63 pairs took {pairs} statements, one takes {pair}");
    a_value_added_to_a_large_experiment_takes_few(&coordinator, &statements).await;
    the_page_of_a_cell_takes_as_many_for_many_pairs_as_for_few(&statements).await;
}

async fn the_page_of_a_cell_takes_as_many_for_many_pairs_as_for_few(statements: &Statements) {
    let mut taken = Vec::new();
    for pairs in [40, 20_000] {
        let Some(database) = Database::postgres().await else { return };
        let (coordinator, id) = with_pairs(&database, pairs).await;
        statements.0.store(0, Ordering::Relaxed);
        let running = coordinator.running_cell(&id).await.expect("a cell");
        assert_eq!(running.pairs, u64::from(pairs) - 1);
        taken.push(statements.0.load(Ordering::Relaxed));
    }
    assert!(taken[0] > 0 && taken[0] == taken[1], "{taken:?} statements");
}

/// One cell that a revision adds to ten thousand takes as many statements as one that it adds to two; the new experiment takes few for
/// each cell.
async fn a_value_added_to_a_large_experiment_takes_few(coordinator: &Coordinator, statements: &Statements) {
    let counted = async |name: &str, cells: std::ops::Range<u32>| {
        statements.0.store(0, Ordering::Relaxed);
        let file = experiment(name, cells.map(|k| cell(k, 5, 1, 1.0)).collect());
        coordinator.apply(&file).await.expect("apply");
        statements.0.load(Ordering::Relaxed)
    };
    let two = (counted("small", 1..3).await, counted("small", 1..4).await);
    let many = (counted("large", 1..10_000).await, counted("large", 1..10_001).await);
    assert!(
        many.1 <= two.1 + 2 && many.1 <= 30,
        "one more cell took {} statements of 10,000, {} of 2",
        many.1,
        two.1
    );
    assert!(many.0 < 2_500, "10,000 cells took {} statements", many.0);
}
