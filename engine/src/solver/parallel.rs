//! Proof-number search by several threads on one tree.

use super::arena::ROOT;
use super::plan::Plan;
use super::proof::{Answer, solve_by_questions};
use super::tree::{Children, Path, Step, Tree};
use super::{Limits, Meter, MoveFindings, Solution, Solver, Stop, Watch};
use crate::cpu::thread_time;
use crate::game::Game;
use crate::side::Side;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// [`super::ProofNumbers`] by several threads.
///
/// The tree has one lock. It is held to descend and to carry numbers back; the evaluation of a leaf's children, which
/// takes nearly all the time, runs outside. Threads spread because each makes the nodes it is inside less attractive
/// to the others. The verdict is that of one thread; nodes and the choice between equal moves may differ from run to
/// run.
#[derive(Debug, Clone)]
pub struct ParallelProofNumbers {
    plan: Plan,
    threads: NonZeroUsize,
}

impl ParallelProofNumbers {
    /// A solver with that many threads, the caller's included.
    #[must_use]
    pub const fn new(plan: Plan, threads: NonZeroUsize) -> Self {
        Self { plan, threads }
    }
}

impl<G: Game + Send + Sync> Solver<G> for ParallelProofNumbers {
    fn solve_with_moves(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> (Solution, Vec<MoveFindings>) {
        let mut meter = Meter::new(limits, watch);
        let mut helpers = Duration::ZERO;
        let (mut solution, moves) = solve_by_questions(position, &mut meter, |attacker, meter| {
            let (answer, cpu) = ask(position, self.plan, attacker, self.threads.get(), meter);
            helpers += cpu;
            answer
        });
        solution.cpu += helpers;
        (solution, moves)
    }
}

/// What the threads share.
struct Shared {
    tree: Tree,
    nodes: u64,
    depth: u16,
    /// Threads that wait for the bell.
    waiting: usize,
    /// Set once by whoever ends the search.
    end: Option<Result<(), Stop>>,
    /// CPU time of all threads but the caller's.
    helpers: Duration,
}

/// The shared state, and the bell that rings whenever a leaf has been expanded.
struct Search<'a, G> {
    root: &'a G,
    plan: Plan,
    attacker: Side,
    /// Nodes to look at.
    limit: u64,
    shared: Mutex<Shared>,
    expanded: Condvar,
}

fn ask<G: Game + Send + Sync>(
    root: &G,
    plan: Plan,
    attacker: Side,
    threads: usize,
    meter: &mut Meter<'_, '_>,
) -> (Result<Answer, Stop>, Duration) {
    let tree = match Tree::new(plan, attacker, meter.limits.memory) {
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
    let search = Search { root, plan, attacker, limit, shared: Mutex::new(shared), expanded: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| search.run(None));
        }
        search.run(Some(meter));
    });
    let shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    (meter.nodes, meter.depth) = (shared.nodes, shared.depth);
    meter.moves = shared.tree.moves(root.to_move());
    let end = shared.end.expect("every thread ends with the search");
    (end.map(|()| shared.tree.answer()), shared.helpers)
}

impl<G: Game + Send + Sync> Search<'_, G> {
    /// The work of one thread. The caller's also watches the limits.
    fn run(&self, mut meter: Option<&mut Meter<'_, '_>>) {
        // Should this thread panic, say in the caller's progress function, the others must not wait for it.
        let _end = EndOnDrop(self);
        let mut path = Path::new(self.root);
        let mut children = Children::new(self.root, self.plan);
        let mut shared = self.lock();
        shared.tree.enter(ROOT);
        while shared.end.is_none() {
            if let Some(meter) = meter.as_deref_mut() {
                (meter.nodes, meter.depth) = (shared.nodes, shared.depth);
                if let Err(stop) = meter.check(|| Some(shared.tree.root_numbers(self.root.to_move()))) {
                    shared.end = Some(Err(stop));
                    break;
                }
            }
            match shared.tree.descend(&mut path) {
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
                    shared.nodes += children.tested;
                    shared.depth = shared.depth.max(path.ply());
                    let attached = shared.tree.attach(&mut path, numbers, &children.nodes);
                    // The caller's thread may be waiting for the lock, so everyone watches the nodes.
                    let within = if shared.nodes < self.limit { Ok(()) } else { Err(Stop::Nodes) };
                    if let Err(stop) = attached.and(within) {
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

    /// The lock, which nobody holds for longer than a few microseconds: falling asleep and being woken would take
    /// longer than waiting awake.
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

/// Ends the search for all threads when one of them leaves.
struct EndOnDrop<'a, 'b, G: Game + Send + Sync>(&'a Search<'b, G>);

impl<G: Game + Send + Sync> Drop for EndOnDrop<'_, '_, G> {
    fn drop(&mut self) {
        self.0.lock().end.get_or_insert(Err(Stop::Cancelled));
        self.0.expanded.notify_all();
    }
}
