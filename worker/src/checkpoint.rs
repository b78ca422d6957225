//! Checkpoints: games under way on disk, so that a worker that was stopped or killed can continue them.
//!
//! Each lease has one checksummed file. It contains the lease and the progress as a line of JSON, then the players'
//! search states with their trees ([`GameUnderWay::search_states`]). It is rewritten after moves, no more often than
//! configured and for no more than a small share of the slot's time. With a budget in simulations the game ends exactly
//! as without the interruption. A file that cannot be decoded is removed with a warning, because the game can be played
//! again.

use crate::checksummed::{add_checksum, split_line, verify_checksum};
use crate::state::{StateError, at, create_private_dir, write_durably};
use engine::havannah::Outcome;
use engine::search::SNAPSHOT_FORMAT;
use engine::selfplay::{GameRecord, GameUnderWay};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::Lease;
use protocol::result::{MoveColumns, Speed};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tracing::{error, warn};

const SUFFIX: &str = "checkpoint";
const TEMPORARY_SUFFIX: &str = "part";

/// The shortest pause between two checkpoints, as a multiple of the time that the last one took to write.
const LEAST_REST: u32 = 50;

/// The build that writes checkpoints. Another build may play differently or store trees differently.
fn build() -> String {
    format!("{} {SNAPSHOT_FORMAT} {}", env!("CARGO_PKG_VERSION"), protocol::selftest::digest())
}

/// The progress of a lease.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kept {
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
    kept: Kept,
}

/// A stored game under way.
#[derive(Debug, PartialEq)]
pub(crate) struct Checkpoint {
    pub(crate) lease: Lease,
    pub(crate) unfinished: Unfinished,
}

/// A checkpoint without its lease.
#[derive(Debug, PartialEq)]
pub(crate) struct Unfinished {
    pub(crate) kept: Kept,
    /// [`GameUnderWay::search_states`].
    pub(crate) search_states: Vec<u8>,
}

/// The checkpoints of one worker.
#[derive(Debug, Clone)]
pub(crate) struct Checkpoints {
    dir: PathBuf,
    /// The shortest time between two checkpoints of a game.
    every: Duration,
}

impl Checkpoints {
    /// Opens the directory and reads what an earlier start left there.
    pub(crate) fn open(dir: PathBuf, every: Duration) -> Result<(Self, Vec<Checkpoint>), StateError> {
        create_private_dir(&dir)?;
        let mut found = Vec::new();
        for entry in fs::read_dir(&dir).map_err(at("list", &dir))? {
            let path = entry.map_err(at("list", &dir))?.path();
            if path.extension().is_some_and(|end| end == TEMPORARY_SUFFIX) {
                fs::remove_file(&path).map_err(at("remove", &path))?;
            } else if path.is_file() {
                let bytes = match fs::read(&path) {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        // It may be whole, and its lease given back by now when a later start can read it.
                        warn!("{} cannot be read now ({error}): its game starts again", path.display());
                        continue;
                    }
                };
                match decode(&bytes) {
                    Ok(checkpoint) => found.push(checkpoint),
                    Err(why) => {
                        warn!("{} is not a usable checkpoint ({why}): its game starts again", path.display());
                        fs::remove_file(&path).map_err(at("remove", &path))?;
                    }
                }
            }
        }
        found.sort_by_key(|checkpoint| checkpoint.lease.id);
        Ok((Self { dir, every }, found))
    }

    /// Stores a game under way in place of the lease's former checkpoint.
    fn put(&self, lease: &Lease, kept: Kept, search_states: &[u8]) -> io::Result<()> {
        let path = self.path_of(lease.id);
        write_durably(&path, &path.with_extension(TEMPORARY_SUFFIX), &encode(lease, kept, search_states))
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
pub(crate) struct Rhythm {
    /// When the next one is due.
    due: Instant,
    /// Writing failed, and the failure was logged.
    refused: bool,
}

impl Rhythm {
    pub(crate) fn new(checkpoints: &Checkpoints) -> Self {
        Self { due: Instant::now() + checkpoints.every, refused: false }
    }

    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Writes a checkpoint. A failure is logged once; the game goes on.
    pub(crate) fn write(
        &mut self,
        checkpoints: &Checkpoints,
        lease: &Lease,
        kept: Kept,
        search_states: &[u8],
    ) {
        let (began, game) = (Instant::now(), kept.game);
        if let Err(why) = checkpoints.put(lease, kept, search_states)
            && !std::mem::replace(&mut self.refused, true)
        {
            error!("cannot write a checkpoint of game {game}: {why}; after a restart the game starts again");
        }
        let every = checkpoints.every;
        let rest = if every.is_zero() { every } else { every.max(began.elapsed() * LEAST_REST) };
        self.due = Instant::now() + rest;
    }
}

/// The moves of a game under way as columns.
pub(crate) fn columns_so_far(lease: &Lease, game: &GameUnderWay) -> MoveColumns {
    // The columns do not contain the outcome.
    let record = GameRecord { moves: game.moves().to_vec(), outcome: Outcome::Draw };
    MoveColumns::from_record(lease.size, &record)
}

fn encode(lease: &Lease, kept: Kept, search_states: &[u8]) -> Vec<u8> {
    let header = Header { build: build(), lease, kept };
    let mut content = serde_json::to_vec(&header).expect("protocol types serialise");
    content.push(b'\n');
    content.extend_from_slice(search_states);
    add_checksum(&content)
}

fn decode(whole: &[u8]) -> Result<Checkpoint, String> {
    let (header, search_states) = split_line(verify_checksum(whole)?).ok_or("it has no header")?;
    let header: serde_json::Value = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    if header["build"] != build() {
        return Err("another build wrote it".into());
    }
    let Header { lease, kept, .. } = serde_json::from_value(header).map_err(|error| error.to_string())?;
    Ok(Checkpoint { lease, unfinished: Unfinished { kept, search_states: search_states.to_vec() } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use protocol::ids::CellId;
    use protocol::lease::{Budget, ParamSet};
    use std::path::Path;
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
        }
    }

    fn kept() -> Kept {
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
        Kept { game, record, speed, move_cpu_us: Some(7), wall_ms: 8, plies: 9 }
    }

    const STATES: &[u8] = b"what\nthey\0think\n";

    fn reopened(dir: &Path) -> Vec<Checkpoint> {
        Checkpoints::open(dir.to_owned(), Duration::ZERO).expect("opens").1
    }

    #[test]
    fn a_game_under_way_is_read_back_as_it_was_last_written_and_once_removed_is_gone() {
        let home = tempfile::tempdir().expect("a directory");
        let (checkpoints, found) =
            Checkpoints::open(home.path().join("checkpoints"), Duration::ZERO).expect("opens");
        assert_eq!(found, []);
        let lease = lease();
        checkpoints.put(&lease, kept(), b"before").expect("kept");
        checkpoints.put(&lease, kept(), STATES).expect("kept");
        assert!(checkpoints.has(lease.id));
        let id = lease.id;
        let unfinished = Unfinished { kept: kept(), search_states: STATES.to_vec() };
        assert_eq!(reopened(&checkpoints.dir), [Checkpoint { lease, unfinished }]);
        checkpoints.remove(id);
        checkpoints.remove(id);
        assert!(!checkpoints.has(id));
        assert_eq!(reopened(&checkpoints.dir), []);
    }

    #[test]
    fn what_is_cut_off_or_spoilt_or_of_another_build_is_removed() {
        let home = tempfile::tempdir().expect("a directory");
        let whole = encode(&lease(), kept(), STATES);
        let file = home.path().join("x.checkpoint");
        for at in (0..whole.len()).step_by(7) {
            let mut flipped = whole.clone();
            flipped[at] ^= 4;
            for content in [&whole[..at], &flipped] {
                std::fs::write(&file, content).expect("written");
                assert_eq!(reopened(home.path()), [], "at byte {at}");
                assert!(!file.exists());
            }
        }
        let content = verify_checksum(&whole).expect("whole");
        let older = String::from_utf8(content.to_vec()).expect("text").replacen(&build(), "an older one", 1);
        assert_eq!(decode(&add_checksum(older.as_bytes())), Err("another build wrote it".into()));
        assert!(decode(&whole).is_ok());
        std::fs::write(home.path().join("x.part"), &whole).expect("written");
        assert_eq!(reopened(home.path()), [], "it never got its name");
        assert!(!home.path().join("x.part").exists());
    }

    #[test]
    fn a_checkpoint_that_took_long_is_not_soon_followed_by_another() {
        let home = tempfile::tempdir().expect("a directory");
        let often = Duration::from_nanos(1);
        let (checkpoints, _) = Checkpoints::open(home.path().to_owned(), often).expect("opens");
        let mut rhythm = Rhythm::new(&checkpoints);
        let began = Instant::now();
        rhythm.write(&checkpoints, &lease(), kept(), &vec![7; 1 << 20]);
        let took = began.elapsed();
        assert!(rhythm.due > began + took, "{took:?}");
    }
}
