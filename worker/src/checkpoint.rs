//! Checkpoints: games under way on disk, so that a worker that was stopped or killed can continue them.
//!
//! Each lease has one checksummed file. It contains the lease and the progress as a line of JSON, then the players'
//! search states with their trees ([`GameUnderWay::write_search_states`]), which are written and read piece by piece: a slot
//! has no memory for a copy of a tree. It is rewritten after moves, no more often than
//! configured and for no more than a small share of the slot's time. With a budget in simulations the game ends exactly
//! as without the interruption. A file that cannot be decoded is removed with a warning, because the game can be played
//! again.

use crate::checksummed::{AT_ONCE, ChecksummedContent, write_checksummed};
use crate::state::{StateError, at, create_private_dir, write_durably_by};
use engine::havannah::Outcome;
use engine::search::SNAPSHOT_FORMAT;
use engine::selfplay::{GameRecord, GameUnderWay, ResumeError};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::Lease;
use protocol::result::{MoveColumns, Speed};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tracing::{error, warn};

const SUFFIX: &str = "checkpoint";
const TEMPORARY_SUFFIX: &str = "part";

/// More bytes than any header has.
const MOST_HEADER: u64 = 1 << 20;

/// The shortest pause between two checkpoints, as a multiple of the time that the last one took to write.
const LEAST_REST: u32 = 50;

/// The build that writes checkpoints. Another build may play differently or store trees differently.
fn build() -> String {
    format!("{} {SNAPSHOT_FORMAT} {}", env!("CARGO_PKG_VERSION"), protocol::selftest::digest())
}

/// The progress of a lease.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedGame {
    /// The game of the lease that is under way. Those before it are finished.
    pub(crate) game: GameId,
    pub(crate) record: MoveColumns,
    /// The machine's speed on this board when the game began.
    pub(crate) speed: Speed,
    /// CPU microseconds per move, when the budget is in reference seconds.
    pub(crate) move_cpu_us: Option<u64>,
    /// Wall-clock milliseconds of play so far.
    pub(crate) wall_ms: u64,
    /// Plies played in all games of the lease.
    pub(crate) plies: u32,
}

#[derive(Serialize, Deserialize)]
struct Header<L> {
    build: String,
    lease: L,
    kept: SavedGame,
}

/// A stored game under way.
#[derive(Debug, PartialEq)]
pub(crate) struct Checkpoint {
    pub(crate) lease: Lease,
    pub(crate) kept: SavedGame,
}

/// The checkpoints of one worker.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    dir: PathBuf,
    /// The shortest time between two checkpoints of a game.
    every: Duration,
}

impl Checkpoints {
    /// Opens the directory and finds what an earlier start left there.
    pub(crate) fn open(dir: PathBuf, every: Duration) -> Result<(Self, Vec<Checkpoint>), StateError> {
        create_private_dir(&dir)?;
        let checkpoints = Self { dir, every };
        let dir = &checkpoints.dir;
        let mut found = Vec::new();
        for entry in fs::read_dir(dir).map_err(at("list", dir))? {
            let path = entry.map_err(at("list", dir))?.path();
            if path.extension().is_some_and(|end| end == TEMPORARY_SUFFIX) {
                fs::remove_file(&path).map_err(at("remove", &path))?;
            } else if path.is_file() {
                match checkpoints.read(&path) {
                    Ok(checkpoint) => found.push(checkpoint),
                    Err(why) if is_damage(&why) => {
                        warn!("{} is not a usable checkpoint ({why}): its game starts again", path.display());
                        fs::remove_file(&path).map_err(at("remove", &path))?;
                    }
                    // The file may be valid and readable at a later start, when its lease may have been returned.
                    Err(why) => warn!("{} cannot be read now ({why}): its game starts again", path.display()),
                }
            }
        }
        found.sort_by_key(|checkpoint| checkpoint.lease.id);
        Ok((checkpoints, found))
    }

    /// Reads a whole file, whose search states are left to [`Checkpoints::search_states`].
    fn read(&self, path: &Path) -> io::Result<Checkpoint> {
        let (Checkpoint { lease, kept }, search_states) = open(path)?;
        search_states.into_inner().verify()?;
        if path == self.path_of(lease.id) {
            Ok(Checkpoint { lease, kept })
        } else {
            Err(damage(format!("its name is not that of its lease, {}", lease.id)))
        }
    }

    /// Stores a game under way in place of the lease's former checkpoint.
    fn put(
        &self,
        lease: &Lease,
        kept: SavedGame,
        search_states: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.path_of(lease.id);
        let mut header =
            serde_json::to_vec(&Header { build: build(), lease, kept }).expect("protocol types serialise");
        header.push(b'\n');
        write_durably_by(&path, &path.with_extension(TEMPORARY_SUFFIX), |file| {
            write_checksummed(file, |out| {
                out.write_all(&header)?;
                search_states(out)
            })
        })
    }

    /// Applies `read` to the search states of this lease's checkpoint.
    pub(crate) fn search_states<T>(
        &self,
        lease: LeaseId,
        read: impl FnOnce(&mut dyn Read) -> Result<T, ResumeError>,
    ) -> Result<T, ResumeError> {
        let (_, mut search_states) = open(&self.path_of(lease))?;
        let read = read(&mut search_states)?;
        search_states.into_inner().verify()?;
        Ok(read)
    }

    /// Deletes the checkpoint of a lease, if there is one.
    pub(crate) fn remove(&self, lease: LeaseId) {
        match fs::remove_file(self.path_of(lease)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                warn!("cannot remove the checkpoint of lease {lease}: {error}");
            }
            _ => {}
        }
    }

    /// Whether this lease has a checkpoint.
    pub(crate) fn has(&self, lease: LeaseId) -> bool {
        self.path_of(lease).is_file()
    }

    fn path_of(&self, lease: LeaseId) -> PathBuf {
        self.dir.join(format!("{lease}.{SUFFIX}"))
    }
}

/// When the checkpoints of one game are written.
#[derive(Debug)]
pub(crate) struct CheckpointTimer {
    /// When the next one is due.
    due: Instant,
    /// Writing failed, and the failure was logged.
    refused: bool,
    /// A checkpoint was written.
    written: bool,
    /// The clock: tests have one of their own.
    now: fn() -> Instant,
}

impl CheckpointTimer {
    pub(crate) fn new(checkpoints: &Checkpoints) -> Self {
        Self::by(Instant::now, checkpoints)
    }

    fn by(now: fn() -> Instant, checkpoints: &Checkpoints) -> Self {
        Self { due: now() + checkpoints.every, refused: false, written: false, now }
    }

    pub(crate) fn is_due(&self) -> bool {
        (self.now)() >= self.due
    }

    /// Whether the game may have a checkpoint.
    pub(crate) fn has_written(&self) -> bool {
        self.written
    }

    /// Writes a checkpoint. A failure is logged once; the game continues.
    pub(crate) fn write(
        &mut self,
        checkpoints: &Checkpoints,
        lease: &Lease,
        kept: SavedGame,
        search_states: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) {
        let (began, game) = ((self.now)(), kept.game);
        self.written = true;
        if let Err(why) = checkpoints.put(lease, kept, search_states)
            && !std::mem::replace(&mut self.refused, true)
        {
            error!("cannot write a checkpoint of game {game}: {why}; after a restart the game starts again");
        }
        let every = checkpoints.every;
        let ended = (self.now)();
        let rest = if every.is_zero() { every } else { every.max((ended - began) * LEAST_REST) };
        self.due = ended + rest;
    }
}

/// The moves of a game under way as columns.
pub(crate) fn columns_so_far(lease: &Lease, game: &GameUnderWay) -> MoveColumns {
    // The columns do not contain the outcome.
    let record = GameRecord { moves: game.moves().to_vec(), outcome: Outcome::Draw };
    MoveColumns::from_record(lease.size, &record)
}

/// A file that has no usable checkpoint.
fn damage(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

/// Whether an error of reading a file means that the file has no usable checkpoint, now or later.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// Opens a file: a checkpoint, and its search states, which are still to be read and verified.
fn open(path: &Path) -> io::Result<(Checkpoint, BufReader<ChecksummedContent>)> {
    let mut content = BufReader::with_capacity(AT_ONCE, ChecksummedContent::of(fs::File::open(path)?)?);
    let mut header = Vec::new();
    content.by_ref().take(MOST_HEADER).read_until(b'\n', &mut header)?;
    if header.pop() != Some(b'\n') {
        return Err(damage("it has no header"));
    }
    let header: serde_json::Value =
        serde_json::from_slice(&header).map_err(|error| damage(error.to_string()))?;
    if header["build"] != build() {
        return Err(damage("another build wrote it"));
    }
    let Header { lease, kept, .. } =
        serde_json::from_value(header).map_err(|error| damage(error.to_string()))?;
    Ok((Checkpoint { lease, kept }, content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksummed::{add_checksum, verify_checksum};
    use engine::havannah::BoardSize;
    use protocol::ids::CellId;
    use protocol::lease::{Budget, ParamSet};
    use std::cell::Cell;
    use uuid::Uuid;

    fn lease() -> Lease {
        Lease {
            id: LeaseId::random(),
            cell: CellId(Uuid::nil()),
            pair: 3,
            games: Vec::new(),
            size: BoardSize::MIN,
            opening: "a1".into(),
            seed: u64::MAX,
            budget: Budget::ReferenceSeconds(0.1),
            sims: Some(vec![1, 2]),
            case_label: "case".into(),
            case: ParamSet::default(),
            baseline_label: "base".into(),
            baseline: ParamSet::default(),
            expires_in_ms: 1,
            expected_us: 1,
        }
    }

    fn kept() -> SavedGame {
        let record = MoveColumns {
            moves: "b2".into(),
            value: vec![0.1],
            claim: vec![engine::search::ProvenOutcome::Unknown],
            sims: vec![5],
            nodes: vec![4],
            cpu_us: vec![9],
        };
        let speed = Speed { size: BoardSize::MIN, sims_per_s: 0.1 + 0.2, factor: 1.0 / 3.0, drift: 1.0 };
        let game = GameId::of(CellId(Uuid::nil()), 3, 1);
        SavedGame { game, record, speed, move_cpu_us: Some(7), wall_ms: 8, plies: 9 }
    }

    const STATES: &[u8] = b"what\nthey\0think\n";

    fn put(checkpoints: &Checkpoints, lease: &Lease, states: &[u8]) {
        checkpoints.put(lease, kept(), |out| out.write_all(states)).expect("kept");
    }

    fn states(checkpoints: &Checkpoints, lease: LeaseId) -> Result<Vec<u8>, String> {
        let mut states = Vec::new();
        let read = checkpoints.search_states(lease, |input| Ok(input.read_to_end(&mut states)?));
        read.map(|_| states).map_err(|error| error.to_string())
    }

    fn opened(dir: &Path) -> (Checkpoints, Vec<Checkpoint>) {
        Checkpoints::open(dir.to_owned(), Duration::ZERO).expect("opens")
    }

    #[test]
    fn a_game_under_way_is_read_back_as_it_was_last_written_and_once_removed_is_gone() {
        let home = tempfile::tempdir().expect("a directory");
        let (checkpoints, found) = opened(&home.path().join("checkpoints"));
        assert_eq!(found, []);
        let (lease, large) = (lease(), STATES.repeat(10_000));
        put(&checkpoints, &lease, b"before");
        put(&checkpoints, &lease, &large);
        assert!(checkpoints.has(lease.id));
        let id = lease.id;
        assert_eq!(opened(&checkpoints.dir).1, [Checkpoint { lease, kept: kept() }]);
        assert!(states(&checkpoints, id).expect("whole") == large);
        checkpoints.remove(id);
        checkpoints.remove(id);
        assert!(!checkpoints.has(id));
        assert_eq!(opened(&checkpoints.dir).1, []);
    }

    #[test]
    fn what_is_cut_off_or_spoilt_or_of_another_build_or_name_is_removed() {
        let home = tempfile::tempdir().expect("a directory");
        let (checkpoints, _) = opened(home.path());
        let lease = lease();
        put(&checkpoints, &lease, STATES);
        let file = checkpoints.path_of(lease.id);
        let whole = fs::read(&file).expect("written");
        let refused = |file: &Path, content: &[u8]| {
            fs::write(file, content).expect("written");
            let why = checkpoints.read(file).expect_err("refused");
            assert_eq!(opened(home.path()).1, [], "{why}");
            assert!(!file.exists(), "{why}");
            why.to_string()
        };
        for at in (0..whole.len()).step_by(7) {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            for content in [&whole[..at], &flipped] {
                refused(&file, content);
            }
        }
        let content = String::from_utf8(verify_checksum(&whole).expect("whole").to_vec()).expect("text");
        let older = content.replacen(&build(), "an older one", 1);
        assert_eq!(refused(&file, &add_checksum(older.as_bytes())), "another build wrote it");
        assert_eq!(refused(&file, &add_checksum(&vec![b'7'; 2 << 20])), "it has no header");
        let why = refused(&home.path().join("x.checkpoint"), &whole);
        assert!(why.contains("its name"), "{why}");
        fs::write(home.path().join("x.part"), &whole).expect("written");
        assert_eq!(opened(home.path()).1, [], "it never got its name");
        assert!(!home.path().join("x.part").exists());
    }

    #[test]
    fn search_states_that_were_spoilt_since_the_start_are_refused() {
        let home = tempfile::tempdir().expect("a directory");
        let (checkpoints, _) = opened(home.path());
        let lease = lease();
        put(&checkpoints, &lease, STATES);
        let file = checkpoints.path_of(lease.id);
        let mut content = fs::read(&file).expect("written");
        *content.last_mut().expect("not empty") ^= 1;
        fs::write(&file, content).expect("written");
        assert_eq!(states(&checkpoints, lease.id), Err("its checksum does not match".into()));
        checkpoints.remove(lease.id);
        assert!(states(&checkpoints, lease.id).is_err());
    }

    #[test]
    fn a_checkpoint_that_cannot_be_written_leaves_the_former_one() {
        let home = tempfile::tempdir().expect("a directory");
        let (checkpoints, _) = opened(home.path());
        let lease = lease();
        put(&checkpoints, &lease, STATES);
        let full = checkpoints.put(&lease, kept(), |out| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(full.expect_err("no room").kind(), io::ErrorKind::StorageFull);
        assert_eq!(states(&checkpoints, lease.id), Ok(STATES.to_vec()));
        assert_eq!(fs::read_dir(home.path()).expect("there").count(), 1, "no part of the new one is left");
    }

    thread_local! {
        /// A clock that only [`wait`] moves.
        static CLOCK: Cell<Instant> = Cell::new(Instant::now());
    }

    fn wait(seconds: u64) {
        CLOCK.set(CLOCK.get() + Duration::from_secs(seconds));
    }

    #[test]
    fn a_checkpoint_that_took_long_is_not_soon_followed_by_another() {
        let home = tempfile::tempdir().expect("a directory");
        let every = Duration::from_secs(60);
        let (checkpoints, _) = Checkpoints::open(home.path().to_owned(), every).expect("opens");
        let mut rhythm = CheckpointTimer::by(|| CLOCK.get(), &checkpoints);
        for (took, rest) in [(1, 60), (3, 150)] {
            rhythm.write(&checkpoints, &lease(), kept(), |out| {
                wait(took);
                out.write_all(STATES)
            });
            wait(rest - 1);
            assert!(!rhythm.is_due(), "{took} s");
            wait(1);
            assert!(rhythm.is_due(), "{took} s");
        }
    }
}
