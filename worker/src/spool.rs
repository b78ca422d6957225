//! The spool: finished games on disk until the coordinator has committed them.
//!
//! A file is a checksummed list of games in JSON: of one, or of short ones that were written together. A file is renamed to its
//! final name only when all of it is on disk, and is deleted only when its last game is acknowledged. Two kinds of files are
//! moved and never deleted: damaged ones go to `damaged/`, because a human may want to look at them, and games that the
//! coordinator rejects go to `rejected/`, because they may belong to another coordinator. A file that the system cannot read at
//! the moment may be whole: it stays and is read again later.

use crate::checksummed::{add_checksum, verify_checksum};
use crate::state::{StateError, at, create_private_dir, write_durably};
use protocol::disk::free_in_words;
use protocol::ids::{GameId, LeaseId};
use protocol::result::FinishedGame;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::warn;

const SUFFIX: &str = "game";
const TEMPORARY_SUFFIX: &str = "part";
/// The suffix of the temporary file that tests for free space.
const ROOM_TEMPORARY: &str = "tried";

/// The size of a long game with all its columns, in bytes.
const LARGE_GAME: usize = 64 << 10;

/// The spool directory of one worker.
#[derive(Debug)]
pub(crate) struct Spool {
    dir: PathBuf,
    /// Files that could not be read yet.
    unread: Mutex<Vec<PathBuf>>,
    /// Why the last game could not be stored.
    trouble: Mutex<Option<String>>,
    /// Games that could not be stored and that the coordinator has not acknowledged.
    unstored: Mutex<Vec<FinishedGame>>,
    /// The file of each game that is not acknowledged. Games that were written together have the same one.
    stored: Mutex<HashMap<PlayId, Arc<Path>>>,
}

/// A game under the lease that it was played for.
type PlayId = (GameId, LeaseId);

/// The content of a file of the spool.
enum SpoolContent {
    Whole(Vec<FinishedGame>),
    /// The file contains no whole list of games, for this reason.
    Damaged(String),
    /// The system could not read the file.
    Unread(io::Error),
}

/// Attempts to read a file before it is left for later.
const TRIES: usize = 3;

impl Spool {
    /// Opens the spool and reads its games.
    pub(crate) fn open(dir: PathBuf) -> Result<(Self, Vec<FinishedGame>), StateError> {
        create_private_dir(&dir)?;
        let spool = Self {
            dir,
            unread: Mutex::default(),
            trouble: Mutex::default(),
            unstored: Mutex::default(),
            stored: Mutex::default(),
        };
        let mut paths = Vec::new();
        for entry in fs::read_dir(&spool.dir).map_err(at("list", &spool.dir))? {
            let path = entry.map_err(at("list", &spool.dir))?.path();
            if path == spool.room() || path == spool.room().with_extension(ROOM_TEMPORARY) {
                // A worker that was killed during the test for free space leaves this file. If it cannot be removed, it will be
                // overwritten.
                let _ = fs::remove_file(&path);
            } else if path.is_file() {
                paths.push(path);
            }
        }
        let games = spool.read_all(paths, read);
        Ok((spool, games))
    }

    /// Reads files. Damaged ones are moved. Those that cannot be read, renamed or moved now are remembered.
    fn read_all(&self, mut paths: Vec<PathBuf>, read: impl Fn(&Path) -> SpoolContent) -> Vec<FinishedGame> {
        paths.sort();
        let (mut games, mut unread, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            let unreadable = |content: &SpoolContent| matches!(content, SpoolContent::Unread(_));
            let mut content = read(&path);
            for _ in 1..TRIES {
                content = if unreadable(&content) { read(&path) } else { content };
            }
            match content {
                SpoolContent::Whole(found) => {
                    // A worker killed between writing and renaming leaves a whole file under its temporary name.
                    let name = self.path_of(&found);
                    match if path == name { Ok(()) } else { fs::rename(&path, &name) } {
                        Ok(()) => {
                            self.has_stored(&name, &found);
                            games.extend(found);
                        }
                        Err(error) => unread.push((path, error.to_string())),
                    }
                }
                SpoolContent::Damaged(why) => match self.move_to("damaged", &path) {
                    Ok(_) => damaged.push((path, why)),
                    Err(error) => unread.push((path, error.to_string())),
                },
                // The file was removed by a person or another program.
                SpoolContent::Unread(why) if why.kind() == io::ErrorKind::NotFound => {}
                SpoolContent::Unread(why) => unread.push((path, why.to_string())),
            }
        }
        if let Some((path, why)) = damaged.first() {
            warn!(
                "{} of the files in {} contained no whole game and were moved to damaged/ there; the first is {} ({why})",
                damaged.len(),
                self.dir.display(),
                path.display()
            );
        }
        if let Some((path, why)) = unread.first() {
            warn!(
                "{} of the files in {} cannot be read now and will be tried again later; the first is {} ({why})",
                unread.len(),
                self.dir.display(),
                path.display()
            );
        }
        *lock(&self.unread) = unread.into_iter().map(|(path, _)| path).collect();
        games.sort_by_key(|game| (game.game, game.lease));
        games.dedup_by_key(|game| (game.game, game.lease));
        games
    }

    /// The games that could not be read before and can be read now.
    pub(crate) fn read_again(&self) -> Vec<FinishedGame> {
        let unread = std::mem::take(&mut *lock(&self.unread));
        if unread.is_empty() { Vec::new() } else { self.read_all(unread, read) }
    }

    /// Why games cannot be stored now, according to the last attempt.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// Stores the games that could not be stored. If there are none, and the last game could not be stored, tests whether one
    /// could be stored now.
    pub(crate) fn try_again(&self) -> Option<String> {
        let unstored = std::mem::take(&mut *lock(&self.unstored));
        if !unstored.is_empty() {
            // Games that still cannot be stored are kept for the next attempt.
            drop(self.put(&unstored));
            return self.trouble();
        }
        self.trouble()?;
        let path = self.room();
        let tried = write_durably(&path, &path.with_extension(ROOM_TEMPORARY), &[0x55; LARGE_GAME]);
        self.remember(&tried.and_then(|()| fs::remove_file(&path)));
        self.trouble()
    }

    fn remember<T>(&self, kept: &io::Result<T>) {
        *lock(&self.trouble) = kept.as_ref().err().map(|error| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                format!("{error}; {}", free_in_words(&self.room()))
            }
            _ => error.to_string(),
        });
    }

    /// Stores finished games in one file. When this returns, they survive a power cut.
    pub(crate) fn put(&self, games: &[FinishedGame]) -> io::Result<()> {
        if games.is_empty() {
            return Ok(());
        }
        let path = self.path_of(games);
        let kept = write_durably(&path, &path.with_extension(TEMPORARY_SUFFIX), &encode(games));
        self.remember(&kept);
        match kept {
            Ok(()) => self.has_stored(&path, games),
            Err(_) => lock(&self.unstored).extend_from_slice(games),
        }
        kept
    }

    fn has_stored(&self, path: &Path, games: &[FinishedGame]) {
        let path: Arc<Path> = path.into();
        lock(&self.stored).extend(games.iter().map(|game| ((game.game, game.lease), path.clone())));
    }

    /// Deletes an acknowledged game: its file, when no other game of the file is left. A missing game counts as deleted.
    pub(crate) fn remove(&self, game: GameId, lease: LeaseId) -> io::Result<()> {
        self.store_no_more(game, lease);
        let mut stored = lock(&self.stored);
        let last = stored.remove(&(game, lease)).filter(|path| Arc::strong_count(path) == 1);
        drop(stored);
        match last.map(fs::remove_file) {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes a game that waits for free space on the disk.
    fn store_no_more(&self, game: GameId, lease: LeaseId) {
        lock(&self.unstored).retain(|waits| (waits.game, waits.lease) != (game, lease));
    }

    /// Moves a rejected game to a file of its own in `rejected/` and returns the path; `None` if the game never was on disk.
    pub(crate) fn reject(&self, game: &FinishedGame) -> Result<Option<PathBuf>, StateError> {
        self.store_no_more(game.game, game.lease);
        if !lock(&self.stored).contains_key(&(game.game, game.lease)) {
            return Ok(None);
        }
        let game = std::slice::from_ref(game);
        let aside = self.free_name("rejected", &self.path_of(game))?;
        write_durably(&aside, &aside.with_extension(TEMPORARY_SUFFIX), &encode(game))
            .map_err(at("write", &aside))?;
        self.remove(game[0].game, game[0].lease).map_err(at("remove", &self.dir))?;
        Ok(Some(aside))
    }

    /// The file that is written to test for the space of a game.
    fn room(&self) -> PathBuf {
        self.dir.join("room")
    }

    /// The file of games that are written together.
    fn path_of(&self, games: &[FinishedGame]) -> PathBuf {
        let name = games.first().map(|first| format!("{}-{}.{SUFFIX}", first.game, first.lease));
        self.dir.join(name.unwrap_or_default())
    }

    /// Moves a file to a directory beside the games.
    fn move_to(&self, directory: &str, path: &Path) -> Result<PathBuf, StateError> {
        let target = self.free_name(directory, path)?;
        fs::rename(path, &target).map_err(at("set aside", path))?;
        Ok(target)
    }

    /// A path in a directory beside the games: with the name of this file or, if that is taken, a numbered one.
    fn free_name(&self, directory: &str, path: &Path) -> Result<PathBuf, StateError> {
        let directory = self.dir.join(directory);
        create_private_dir(&directory)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((0..u32::MAX)
            .map(|n| directory.join(if n == 0 { name.to_string() } else { format!("{name}.{n}") }))
            .find(|target| !target.exists())
            .expect("one of four billion names is free"))
    }
}

fn encode(games: &[FinishedGame]) -> Vec<u8> {
    add_checksum(&serde_json::to_vec(games).expect("protocol types serialise"))
}

fn decode(content: &[u8]) -> Result<Vec<FinishedGame>, String> {
    let games: Vec<FinishedGame> =
        serde_json::from_slice(verify_checksum(content)?).map_err(|error| error.to_string())?;
    if games.is_empty() { Err("it has no game".into()) } else { Ok(games) }
}

fn read(path: &Path) -> SpoolContent {
    match fs::read(path) {
        Err(error) => SpoolContent::Unread(error),
        Ok(bytes) => match decode(&bytes) {
            Ok(games) => SpoolContent::Whole(games),
            Err(why) => SpoolContent::Damaged(why),
        },
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::{BoardSize, Outcome};
    use protocol::ids::CellId;
    use protocol::result::{MoveColumns, Speed};
    use std::slice::from_ref;
    use uuid::Uuid;

    fn game(pair: u32) -> FinishedGame {
        let size = BoardSize::new(4).expect("valid");
        FinishedGame {
            game: GameId::of(CellId(Uuid::nil()), pair, 0),
            lease: LeaseId::random(),
            outcome: Outcome::Draw,
            record: MoveColumns {
                moves: "a1 b2".into(),
                value: vec![0.1, 1.0 / 3.0],
                claim: vec![engine::search::ProvenOutcome::Unknown; 2],
                sims: vec![u64::MAX, 7],
                nodes: vec![1, 2],
                cpu_us: vec![3, 4],
            },
            speed: Speed { size, sims_per_s: 0.1 + 0.2, factor: 1.0 / 3.0, drift: 1.0 },
            move_cpu_us: Some(5),
            wall_ms: 6,
        }
    }

    fn files(dir: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(dir).expect("there").map(|e| e.expect("entry").path()).collect();
        files.sort();
        files
    }

    fn reopened(dir: &Path) -> Vec<FinishedGame> {
        Spool::open(dir.to_owned()).expect("opens").1
    }

    #[test]
    fn a_game_waits_unchanged_until_it_is_removed() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("spool");
        let (spool, waiting) = Spool::open(dir.clone()).expect("opens");
        assert!(waiting.is_empty());
        let (one, two) = (game(1), game(2));
        spool.put(from_ref(&one)).expect("kept");
        spool.put(from_ref(&two)).expect("kept");
        spool.put(from_ref(&one)).expect("kept again");
        let mut expected = [one.clone(), two.clone()];
        expected.sort_by_key(|game| game.game);
        assert_eq!(reopened(&dir), expected);
        spool.remove(one.game, one.lease).expect("removed");
        spool.remove(one.game, one.lease).expect("gone already");
        assert_eq!(reopened(&dir), [two]);
    }

    #[test]
    fn games_that_share_a_file_are_each_kept_until_they_are_removed() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("spool");
        let (spool, _) = Spool::open(dir.clone()).expect("opens");
        let mut games = [game(1), game(2), game(3)];
        spool.put(&games).expect("kept");
        assert_eq!(files(&dir).len(), 1);
        games.sort_by_key(|game| game.game);
        // Another start finds them, and the coordinator gets two of them a second time if it ends before the third is
        // acknowledged.
        let (spool, found) = Spool::open(dir.clone()).expect("opens");
        assert_eq!(found, games);
        spool.remove(games[0].game, games[0].lease).expect("removed");
        let aside = spool.reject(&games[1]).expect("moved").expect("was there");
        assert!(matches!(read(&aside), SpoolContent::Whole(alone) if alone == games[1..2]));
        assert_eq!(reopened(&dir), games, "the third game is still there");
        spool.remove(games[2].game, games[2].lease).expect("removed");
        assert_eq!(reopened(&dir), []);
        assert_eq!(files(&dir), [dir.join("rejected")]);
    }

    #[test]
    fn a_file_cut_anywhere_is_set_aside_and_the_others_are_read() {
        let home = tempfile::tempdir().expect("a directory");
        let whole = encode(&[game(1)]);
        for cut in (0..whole.len()).step_by(37) {
            let dir = home.path().join(cut.to_string());
            let (spool, _) = Spool::open(dir.clone()).expect("opens");
            let kept = game(2);
            spool.put(from_ref(&kept)).expect("kept");
            fs::write(dir.join("0.game"), &whole[..cut]).expect("written");
            assert_eq!(reopened(&dir), [kept], "cut at {cut}");
            let aside = files(&dir.join("damaged"));
            assert_eq!(aside.len(), 1);
            assert_eq!(fs::read(&aside[0]).expect("kept").len(), cut);
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed_wherever_it_is() {
        let whole = encode(&[game(1)]);
        assert_eq!(decode(&whole).map(|games| games[0].wall_ms), Ok(6));
        for byte in 0..whole.len() {
            let mut spoilt = whole.clone();
            spoilt[byte] ^= 1;
            assert!(decode(&spoilt).is_err(), "byte {byte}");
        }
    }

    #[test]
    fn a_whole_file_under_its_temporary_name_is_a_game() {
        let home = tempfile::tempdir().expect("a directory");
        let finished = game(3);
        fs::write(home.path().join("x.part"), encode(from_ref(&finished))).expect("written");
        assert_eq!(reopened(home.path()), from_ref(&finished));
        assert_eq!(reopened(home.path()), [finished], "and stays one");
        fs::write(home.path().join("y.part"), "half").expect("written");
        assert_eq!(reopened(home.path()).len(), 1);
        assert_eq!(files(&home.path().join("damaged")).len(), 1);
    }

    #[test]
    fn a_rejected_game_is_kept_whole_and_not_sent_again() {
        let home = tempfile::tempdir().expect("a directory");
        let (spool, _) = Spool::open(home.path().to_owned()).expect("opens");
        let finished = game(4);
        for _ in 0..2 {
            spool.put(from_ref(&finished)).expect("kept");
            let aside = spool.reject(&finished).expect("moved").expect("was there");
            assert!(matches!(read(&aside), SpoolContent::Whole(games) if games == [finished.clone()]));
            assert!(reopened(home.path()).is_empty());
        }
        assert_eq!(files(&home.path().join("rejected")).len(), 2);
        assert_eq!(spool.reject(&finished).expect("nothing to do"), None);
    }

    #[test]
    fn a_game_that_cannot_be_read_for_a_while_stays_and_is_read_later() {
        let home = tempfile::tempdir().expect("a directory");
        let (spool, _) = Spool::open(home.path().to_owned()).expect("opens");
        let finished = game(5);
        spool.put(from_ref(&finished)).expect("kept");
        let path = spool.path_of(from_ref(&finished));
        // A disk that fails now and then, once and for longer.
        let failures = std::cell::Cell::new(1);
        let failing = |path: &Path| {
            if failures.replace(failures.get() - 1) > 0 {
                return SpoolContent::Unread(io::Error::from(io::ErrorKind::TimedOut));
            }
            read(path)
        };
        assert_eq!(spool.read_all(vec![path.clone()], failing), from_ref(&finished));
        failures.set(TRIES as i32);
        assert!(spool.read_all(vec![path.clone()], failing).is_empty());
        assert!(path.exists() && !home.path().join("damaged").exists(), "a good game stays where it is");
        assert_eq!(spool.read_again(), [finished]);
        assert!(spool.read_again().is_empty());
        failures.set(TRIES as i32);
        assert!(spool.read_all(vec![path.clone()], failing).is_empty());
        fs::remove_file(path).expect("taken away");
        assert!(spool.read_again().is_empty() && lock(&spool.unread).is_empty(), "nothing to wait for");
    }

    #[test]
    fn a_damaged_file_that_cannot_be_moved_keeps_no_game_back() {
        let home = tempfile::tempdir().expect("a directory");
        let (spool, _) = Spool::open(home.path().to_owned()).expect("opens");
        let finished = game(6);
        spool.put(from_ref(&finished)).expect("kept");
        let damaged = spool.path_of(&[game(5)]);
        fs::write(&damaged, "no game").expect("written");
        fs::write(home.path().join("damaged"), "in the way").expect("written");
        let paths = vec![damaged.clone(), spool.path_of(from_ref(&finished))];
        assert_eq!(spool.read_all(paths, read), [finished]);
        fs::remove_file(home.path().join("damaged")).expect("removed");
        assert!(spool.read_again().is_empty() && !damaged.exists(), "moved when it can be");
    }

    #[test]
    fn a_game_that_cannot_be_kept_leaves_nothing_and_says_so_until_there_is_room() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("spool");
        let (spool, _) = Spool::open(dir.clone()).expect("opens");
        let finished = game(6);
        // The name is taken by a directory: the content is written, and cannot get its name.
        let path = spool.path_of(from_ref(&finished));
        fs::create_dir(&path).expect("a directory");
        assert_eq!(spool.try_again(), None, "nothing was wrong");
        spool.put(from_ref(&finished)).expect_err("no name");
        assert_eq!(files(&dir), [path], "no part of it is left");
        assert!(spool.trouble().is_some());
        assert!(spool.try_again().is_some(), "still not");
        fs::remove_dir(spool.path_of(from_ref(&finished))).expect("removed");
        assert_eq!((spool.try_again(), spool.trouble()), (None, None));
        assert_eq!(reopened(&dir), [finished], "the game is stored after all");
    }

    #[test]
    fn without_a_game_to_store_another_file_shows_whether_there_is_room() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("spool");
        let (spool, _) = Spool::open(dir.clone()).expect("opens");
        let finished = game(7);
        let path = spool.path_of(from_ref(&finished));
        fs::create_dir(&path).expect("a directory");
        spool.put(from_ref(&finished)).expect_err("no name");
        fs::remove_dir(&path).expect("removed");
        spool.remove(finished.game, finished.lease).expect("the coordinator has it");
        fs::create_dir(dir.join("room")).expect("a directory");
        assert!(spool.try_again().is_some(), "still not");
        fs::remove_dir(dir.join("room")).expect("removed");
        assert_eq!((spool.try_again(), spool.trouble()), (None, None));
        assert!(files(&dir).is_empty(), "what the coordinator has is not stored again");
    }

    #[test]
    fn a_file_that_was_written_to_see_whether_there_is_room_is_no_damaged_game() {
        let home = tempfile::tempdir().expect("a directory");
        fs::write(home.path().join("room"), [0x55; LARGE_GAME]).expect("written");
        fs::write(home.path().join("room.tried"), [0x55; 7]).expect("written");
        assert!(reopened(home.path()).is_empty());
        assert!(files(home.path()).is_empty(), "{:?}", files(home.path()));
    }

    #[test]
    fn damaged_files_of_the_same_name_are_all_kept() {
        let home = tempfile::tempdir().expect("a directory");
        for text in ["one", "two", "three"] {
            fs::write(home.path().join("a.game"), text).expect("written");
            assert!(reopened(home.path()).is_empty());
        }
        assert_eq!(files(&home.path().join("damaged")).len(), 3);
    }
}
