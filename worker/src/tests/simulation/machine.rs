//! A machine of a simulation: the worker's real session, in-flight games, queue and spool in a real directory, without
//! threads. The worker may die at any moment, even while it writes a file, and be started again.

use super::oracle::{Oracle, PlayId};
use crate::client::{CallError, CoordinatorApi};
use crate::config::Config;
use crate::session::Session;
use crate::slot::stepped::SteppedSlot;
use crate::slot::{Event, Gathering};
use crate::start::Start;
use crate::state::StateDir;
use engine::rng::Rng;
use protocol::ids::WorkerId;
use protocol::memory::Mib;
use protocol::result::FinishedGame;
use protocol::selftest::Trial;
use protocol::sync::{SyncRequest, SyncResponse};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Instant;

/// How long a machine plays a lease, as far as it measures: what it asks for depends on that, and a seed is a run on any machine.
const LEASE_TIME: Duration = Duration::from_millis(40);

/// CPU microseconds of a move whose budget is in simulations, as far as machines measure them.
const MOVE_CPU_US: u64 = 1_000;

/// The session's client, which is never called: the simulation transports the calls itself.
struct NoNetwork;

impl CoordinatorApi for NoNetwork {
    async fn sync(&self, _: &SyncRequest) -> Result<SyncResponse, CallError> {
        unreachable!("the simulation carries the calls")
    }

    async fn self_test(&self) -> Result<Vec<Trial>, CallError> {
        unreachable!("the simulation carries the calls")
    }
}

/// A call that has no answer yet.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) number: u64,
    pub(super) request: SyncRequest,
}

/// A running worker.
struct Process {
    session: Session<NoNetwork>,
    slots: Vec<SteppedSlot>,
    gathering: Gathering,
    events: UnboundedReceiver<Event>,
    /// The file that was written last and its games, until the loop learns of them.
    just_written: Option<(PathBuf, Vec<PlayId>)>,
}

/// A machine with its disk.
pub(super) struct Machine {
    dir: PathBuf,
    pub(super) worker: WorkerId,
    slots: usize,
    process: Option<Process>,
    /// The call that has no answer yet.
    open: Option<Call>,
    /// Whether the open call is the process's last.
    leaving: bool,
    /// Number of games that a later process resumed.
    pub(super) continued: u64,
    /// Until this time of the simulation, in milliseconds, the machine's calls and their answers are lost.
    pub(super) cut_off_until: i64,
}

/// A game with other measured times, which are the same in every run: what the coordinator expects of a lease depends on them.
fn measured(mut game: FinishedGame) -> FinishedGame {
    game.record.cpu_us.fill(game.move_cpu_us.unwrap_or(MOVE_CPU_US));
    game.wall_ms = game.record.cpu_us.iter().sum::<u64>() / 1_000;
    game
}

impl Machine {
    pub(super) fn new(home: &Path, number: usize) -> Self {
        let dir = home.join(format!("machine-{number}"));
        let worker = StateDir::open(&dir).expect("a directory").worker();
        Self {
            dir,
            worker,
            slots: 1 + number % 2,
            process: None,
            open: None,
            leaving: false,
            continued: 0,
            cut_off_until: 0,
        }
    }

    pub(super) fn is_up(&self) -> bool {
        self.process.is_some()
    }

    /// Starts the worker as `work` of `run.rs` does, and compares the spool with the games that were played.
    pub(super) fn start(&mut self, oracle: &mut Oracle) {
        let slots = NonZeroUsize::new(self.slots).expect("not zero");
        // No checkpoint is due by time: the times would differ from run to run.
        let config = Config {
            checkpoint_every: Duration::from_secs(86_400),
            memory: Mib(4096),
            ..Config::new("simulated", "", &self.dir, "machine", slots)
        };
        let state = StateDir::open(&self.dir).expect("the directory is free");
        let (start, events) = Start::new(state, &config).expect("it starts");
        oracle.started(self.worker, start.number);
        self.continued += start.unfinished.len() as u64;
        let found: BTreeSet<PlayId> = start.waiting.iter().map(|game| (game.game, game.lease)).collect();
        let undelivered = oracle.undelivered(self.worker);
        assert!(found.is_superset(&undelivered), "the spool holds what is not known to be delivered");
        // A game that shares its file with one that is not delivered is sent again.
        let others = found.difference(&undelivered);
        assert!(
            others.into_iter().all(|play| oracle.is_delivered(*play)),
            "what was lost is not in the spool"
        );
        let (session, mut slot, gathering) = Session::new(NoNetwork, start, config);
        // Every game is a short one, however slow the simulating machine is.
        slot.short = Duration::MAX;
        let slots = (0..self.slots).map(|_| SteppedSlot::new(slot.clone())).collect();
        self.process = Some(Process { session, slots, gathering, events, just_written: None });
    }

    /// Kills the worker. A file that was just written may be left truncated or complete under its temporary name. The
    /// games of a truncated file are lost; those of a complete one must not be.
    pub(super) fn kill(&mut self, rng: &mut Rng, oracle: &mut Oracle) {
        self.open = None;
        self.leaving = false;
        let Some(process) = self.process.take() else { return };
        oracle.died(self.worker);
        let Some((path, games)) = process.just_written else { return };
        let temporary = path.with_extension("part");
        match rng.below(3) {
            0 => {}
            1 => std::fs::rename(&path, &temporary).expect("renamed back"),
            _ => {
                let content = std::fs::read(&path).expect("games");
                let half = rng.below(content.len() as u32) as usize;
                std::fs::write(&temporary, &content[..half]).expect("torn");
                std::fs::remove_file(&path).expect("removed");
                games.into_iter().for_each(|play| oracle.torn(play));
            }
        }
    }

    /// Kills the worker in the middle of a game, and sometimes damages the checkpoints. Returns whether the worker was
    /// in a game.
    pub(super) fn kill_in_game(&mut self, rng: &mut Rng, oracle: &mut Oracle) -> bool {
        let Some(process) = &mut self.process else { return false };
        let (written, lost) = (rng.below(5), rng.below(3));
        let was_in_game = process.slots.iter_mut().any(|slot| slot.interrupt_game(written, lost));
        self.kill(rng, oracle);
        if rng.below(4) == 0 {
            for path in files(&self.dir.join("checkpoints")) {
                let mut content = std::fs::read(&path).expect("a checkpoint");
                let at = rng.below(content.len() as u32) as usize;
                content[at] ^= 1;
                content.truncate(at + rng.below(2) as usize * content.len());
                std::fs::write(&path, content).expect("spoilt");
            }
        }
        was_in_game
    }

    /// Lets a random slot do one step, and sometimes lets the finished games be written. When the disk is full, nothing can be written.
    pub(super) fn play(&mut self, rng: &mut Rng, disk_is_full: bool, oracle: &mut Oracle) {
        if self.leaving {
            return;
        }
        let Some(process) = &self.process else { return };
        let slot = rng.below(process.slots.len() as u32) as usize;
        self.write(disk_is_full, oracle, |process| process.slots[slot].step());
        if rng.below(2) == 0 {
            self.write(disk_is_full, oracle, |process| process.gathering.write_arrived());
        }
    }

    /// Does what may write a file of games, and notes its games.
    fn write(&mut self, disk_is_full: bool, oracle: &mut Oracle, what: impl FnOnce(&mut Process)) {
        let Some(process) = self.process.as_mut() else { return };
        let before = spooled(&self.dir);
        let (spool, away) = (self.dir.join("spool"), self.dir.join("away"));
        if disk_is_full {
            std::fs::rename(&spool, &away).expect("moved away");
        }
        what(process);
        if disk_is_full {
            std::fs::rename(&away, &spool).expect("moved back");
        }
        if let Some(path) = spooled(&self.dir).into_iter().find(|path| !before.contains(path)) {
            let content = std::fs::read(&path).expect("games");
            let json = content.splitn(2, |&byte| byte == b'\n').nth(1).expect("a checksum and games");
            let games: Vec<FinishedGame> = serde_json::from_slice(json).expect("games");
            let played = games.into_iter().map(|game| oracle.played(self.worker, measured(game), true));
            process.just_written = Some((path, played.collect()));
        }
    }

    /// Lets the loop process the slots' events and make a call, unless a call is open.
    pub(super) fn call(&mut self, number: u64, leaving: bool, oracle: &mut Oracle) -> Option<Call> {
        self.process.as_ref().filter(|_| self.open.is_none())?;
        if leaving {
            // A process that is told to leave waits for what writes its games.
            self.write(false, oracle, |process| process.gathering.write_arrived());
        }
        let process = self.process.as_mut()?;
        process.just_written = None;
        while let Ok(mut event) = process.events.try_recv() {
            if let Event::Ended { took, .. } = &mut event {
                *took = LEASE_TIME;
            }
            if let Event::Finished { game, .. } = &event
                && !oracle.knows((game.game, game.lease))
            {
                oracle.played(self.worker, measured(game.as_ref().clone()), false);
            }
            process.session.handle_event(event).expect("a coordinator's leases can be played");
        }
        let mut request = if leaving { process.session.last_request() } else { process.session.request() };
        request.finished = request.finished.into_iter().map(measured).collect();
        // The disk has room again, and the call stores what is only in memory.
        oracle.stored(self.worker);
        self.leaving = leaving;
        self.open = Some(Call { number, request });
        self.open.clone()
    }

    /// Delivers the answer to a call, unless the machine has given this call up.
    pub(super) fn hear(&mut self, number: u64, answer: Result<SyncResponse, CallError>, oracle: &mut Oracle) {
        let (Some(process), true) =
            (&mut self.process, self.open.as_ref().is_some_and(|call| call.number == number))
        else {
            return;
        };
        let call = self.open.take().expect("looked at above");
        if let Ok(answer) = &answer {
            oracle.delivered(answer);
        }
        let heard = process.session.handle_answer(&call.request, answer, (Instant::now(), Duration::ZERO));
        heard.expect("a machine has one process at a time, and nobody takes its place");
        if std::mem::take(&mut self.leaving) {
            oracle.died(self.worker);
            self.process = None;
        }
    }

    /// Number of files in the spool.
    pub(super) fn spooled(&self) -> usize {
        spooled(&self.dir).len()
    }
}

fn spooled(dir: &Path) -> BTreeSet<PathBuf> {
    let is_game = |path: &PathBuf| path.extension().is_some_and(|end| end == "game");
    files(&dir.join("spool")).filter(is_game).collect()
}

fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}
