//! Proof-number search by several threads on one tree.

use super::arena::ROOT;
use super::config::ProofNumberConfig;
use super::questions::{Answer, solve_by_questions};
use super::tree::{Children, Path, Step, Tree};
use super::{Meter, Solution, Solver, Stop};
use crate::cpu::thread_time;
use crate::search::Game;
use crate::side::Side;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// [`super::ProofNumberSearch`] by several threads.
///
/// One lock guards the tree. A thread holds it while it descends and backs numbers up. It evaluates a leaf's children,
/// which takes nearly all the time, without the lock. Threads spread over the tree because a subtree is less attractive
/// while another thread searches it. The verdict is that of one thread; the count of nodes and the choice between equal
/// moves may differ from run to run.
#[derive(Debug, Clone)]
pub struct ParallelProofNumberSearch {
    config: ProofNumberConfig,
    threads: NonZeroUsize,
}

impl ParallelProofNumberSearch {
    /// A solver with this number of threads, which includes the caller's.
    #[must_use]
    pub const fn new(config: ProofNumberConfig, threads: NonZeroUsize) -> Self {
        Self { config, threads }
    }
}

impl<G: Game + Send + Sync> Solver<G> for ParallelProofNumberSearch {
    fn search(&mut self, position: &G, meter: &mut Meter<'_, '_>) -> Solution {
        let mut helpers = Duration::ZERO;
        let mut solution = solve_by_questions(position, meter, |attacker, meter| {
            let (answer, cpu) = ask(position, self.config, attacker, self.threads.get(), meter);
            helpers += cpu;
            answer
        });
        solution.cpu += helpers;
        solution
    }
}

/// What the threads share.
struct Shared {
    tree: Tree,
    nodes: u64,
    depth: u16,
    /// Threads that wait for an expansion.
    waiting: usize,
    /// Set once, by the thread that ends the search.
    end: Option<Result<(), Stop>>,
    /// CPU time of all threads except the caller's.
    helpers: Duration,
}

/// One question and the state that its threads share.
struct SharedSearch<'a, G> {
    root: &'a G,
    config: ProofNumberConfig,
    attacker: Side,
    /// Nodes to look at.
    limit: u64,
    shared: Mutex<Shared>,
    /// Notified after every expansion.
    expanded: Condvar,
}

fn ask<G: Game + Send + Sync>(
    root: &G,
    config: ProofNumberConfig,
    attacker: Side,
    threads: usize,
    meter: &mut Meter<'_, '_>,
) -> (Result<Answer, Stop>, Duration) {
    let tree = match Tree::new(config, attacker, meter.limits.memory) {
        Ok(tree) => tree,
        Err(stop) => return (Err(stop), Duration::ZERO),
    };
    let shared = Shared {
        tree,
        nodes: meter.nodes,
        depth: meter.depth,
        waiting: 0,
        end: None,
        helpers: Duration::ZERO,
    };
    let limit = meter.limits.nodes;
    let search =
        SharedSearch { root, config, attacker, limit, shared: Mutex::new(shared), expanded: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| search.run(None));
        }
        search.run(Some(meter));
    });
    let shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    (meter.nodes, meter.depth) = (shared.nodes, shared.depth);
    meter.moves = shared.tree.moves(root.to_move());
    let end = match shared.end.expect("every thread ends with the search") {
        // Another thread may have completed the proof after this one met the limit.
        Err(_) if shared.tree.is_solved() => Ok(()),
        end => end,
    };
    (end.map(|()| shared.tree.answer()), shared.helpers)
}

impl<G: Game + Send + Sync> SharedSearch<'_, G> {
    /// The work of one thread. The caller's thread also checks the limits.
    fn run(&self, mut meter: Option<&mut Meter<'_, '_>>) {
        // If this thread panics, for example in the caller's progress function, the others must not wait for it.
        let _end = EndOnDrop(self);
        let mut path = Path::new(self.root);
        let mut children = Children::new(self.root, self.config);
        let mut shared = self.lock();
        shared.tree.enter(ROOT);
        while shared.end.is_none() {
            let step = shared.tree.descend(&mut path);
            // A proof counts at a limit, too.
            if let Step::Busy | Step::Expand = step
                && let Err(stop) = self.check(&shared, meter.as_deref_mut())
            {
                shared.end = Some(Err(stop));
                break;
            }
            match step {
                Step::Solved => shared.end = Some(Ok(())),
                Step::Busy => {
                    shared.tree.retreat(&mut path);
                    shared.waiting += 1;
                    shared = self.expanded.wait(shared).unwrap_or_else(PoisonError::into_inner);
                    shared.waiting -= 1;
                }
                Step::Expand => {
                    drop(shared);
                    let numbers = children.evaluate(path.position(), self.attacker);
                    shared = self.lock();
                    shared.nodes += children.looked_at;
                    shared.depth = shared.depth.max(path.ply());
                    if let Err(stop) = shared.tree.attach(&mut path, numbers, &children.nodes) {
                        shared.end.get_or_insert(Err(stop));
                    }
                    if shared.waiting > 0 {
                        self.expanded.notify_all();
                    }
                }
            }
        }
        if meter.is_none() {
            shared.helpers += thread_time();
        }
    }

    /// Checks the limits. Every thread checks that of nodes: the caller's thread may be waiting for the lock.
    fn check(&self, shared: &Shared, meter: Option<&mut Meter<'_, '_>>) -> Result<(), Stop> {
        if let Some(meter) = meter {
            (meter.nodes, meter.depth) = (shared.nodes, shared.depth);
            meter.check(|| Some(shared.tree.root_numbers(self.root.to_move())))?;
        }
        if shared.nodes < self.limit { Ok(()) } else { Err(Stop::Nodes) }
    }

    /// Takes the lock. It spins first: threads hold the lock for a few microseconds, and sleeping would take longer.
    fn lock(&self) -> MutexGuard<'_, Shared> {
        const TRIES: usize = 1000;
        for _ in 0..TRIES {
            match self.shared.try_lock() {
                Ok(shared) => return shared,
                Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
                Err(TryLockError::Poisoned(_)) => break,
            }
        }
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the search for all threads when one thread returns or panics.
struct EndOnDrop<'a, 'b, G: Game + Send + Sync>(&'a SharedSearch<'b, G>);

impl<G: Game + Send + Sync> Drop for EndOnDrop<'_, '_, G> {
    fn drop(&mut self) {
        self.0.lock().end.get_or_insert(Err(Stop::Cancelled));
        self.0.expanded.notify_all();
    }
}
