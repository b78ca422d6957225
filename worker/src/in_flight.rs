//! The state in flight: leases, and finished games that the coordinator has not yet acknowledged.

use crate::checkpoint::{Checkpoint, SavedGame};
use crate::prefetch::expected_us;
use crate::slot::{Assignment, Progress};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::Lease;
use protocol::result::FinishedGame;
use protocol::sync::{Ack, FailedLease, HeldLease, WatchedGame};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// The most games sent in one call: the spool of a long outage is sent in pieces.
pub(crate) const MOST_SENT: usize = 400;
/// A call with more moves than this has no further game, so that calls with long games are not larger than those with short ones.
const MANY_MOVES: usize = 16_000;

#[derive(Debug)]
struct TrackedLease {
    progress: Arc<Progress>,
    state: State,
    /// Games that are waiting or being played.
    unfinished: usize,
    /// Finished games that are not acknowledged.
    unsent: usize,
    expected_us: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// At least one of its games is waiting or being played.
    Open,
    /// All of its games are finished or dropped.
    Ended,
}

/// A game under the lease that it was played for.
type PlayId = (GameId, LeaseId);

/// Leases and unacknowledged games.
#[derive(Debug)]
pub(crate) struct InFlight {
    held: BTreeMap<LeaseId, TrackedLease>,
    /// Leases with games still to be played.
    open: usize,
    unsent: VecDeque<FinishedGame>,
    /// Moves of these games.
    unsent_moves: usize,
    /// Those among them that a second call delivers, with their moves.
    delivering: HashMap<PlayId, usize>,
    /// The most games in the next call. A slow connection may fit few into the time of a call.
    batch: usize,
    /// Leases that this program cannot play and that it has not yet returned.
    failed: Vec<FailedLease>,
}

impl InFlight {
    /// Starts with the games found in the spool. Their leases are no longer held: the rest of their games ended with the
    /// process that played them.
    pub(crate) fn new(spooled: Vec<FinishedGame>) -> Self {
        let unsent_moves = spooled.iter().map(moves).sum();
        Self {
            held: BTreeMap::new(),
            open: 0,
            unsent: spooled.into(),
            unsent_moves,
            delivering: HashMap::new(),
            batch: MOST_SENT,
            failed: Vec::new(),
        }
    }

    /// Holds a new lease and returns the work for a slot.
    pub(crate) fn take(&mut self, lease: Lease) -> Assignment {
        self.hold(lease, None)
    }

    /// Holds a lease that an earlier start of the worker left unfinished.
    pub(crate) fn resume(&mut self, checkpoint: Checkpoint) -> Assignment {
        self.hold(checkpoint.lease, Some(checkpoint.kept))
    }

    fn hold(&mut self, lease: Lease, unfinished: Option<SavedGame>) -> Assignment {
        let plies = unfinished.as_ref().map_or(0, |kept| kept.plies);
        let progress = Arc::new(Progress::after(plies));
        // A game of a resumed lease may be in the spool.
        let unsent = self.unsent.iter().filter(|game| game.lease == lease.id).count();
        let (state, expected_us) = (State::Open, expected_us(&lease));
        let assignment = Assignment { lease, unfinished, progress };
        let unfinished = assignment.lease.games.len() - assignment.first();
        let progress = assignment.progress.clone();
        let held = TrackedLease { progress, state, unfinished, unsent, expected_us };
        let before = self.held.insert(assignment.lease.id, held);
        self.open += usize::from(before.is_none_or(|before| before.state != State::Open));
        assignment
    }

    /// A game is finished. Its lease is held until the game is acknowledged.
    pub(crate) fn finished(&mut self, game: FinishedGame) {
        if let Some(held) = self.held.get_mut(&game.lease) {
            held.unfinished = held.unfinished.saturating_sub(1);
            held.unsent += 1;
        }
        self.unsent_moves += moves(&game);
        self.unsent.push_back(game);
    }

    /// All games of a lease are finished or dropped. Gives how long the lease was expected to take, in microseconds, if it was
    /// held.
    pub(crate) fn ended(&mut self, lease: LeaseId) -> Option<u64> {
        let held = self.held.get_mut(&lease)?;
        if std::mem::replace(&mut held.state, State::Ended) == State::Open {
            self.open -= 1;
        }
        let expected_us = held.expected_us;
        self.forget_if_complete(lease);
        Some(expected_us)
    }

    /// This program cannot play a lease; the next report returns the lease with the reason.
    pub(crate) fn unplayable(&mut self, lease: LeaseId, why: String) {
        if self.remove(lease).is_some() {
            self.failed.push(FailedLease { lease, why });
        }
    }

    /// Leases that the next report returns because they cannot be played.
    pub(crate) fn failed(&self) -> Vec<FailedLease> {
        self.failed.clone()
    }

    /// The coordinator has received these failures.
    pub(crate) fn failures_received(&mut self, failed: &[FailedLease]) {
        self.failed.retain(|own| !failed.contains(own));
    }

    /// A lease is returned unplayed or was revoked. Its finished games are still sent. Returns how many games are
    /// dropped.
    pub(crate) fn give_up(&mut self, lease: LeaseId) -> usize {
        let Some(held) = self.remove(lease) else { return 0 };
        held.progress.drop_games();
        held.unfinished
    }

    fn remove(&mut self, lease: LeaseId) -> Option<TrackedLease> {
        let held = self.held.remove(&lease)?;
        self.open -= usize::from(held.state == State::Open);
        Some(held)
    }

    /// The coordinator has committed its decision on a game, whatever the decision was. Gives the game, if it was unacknowledged.
    pub(crate) fn acknowledged(&mut self, ack: &Ack) -> Option<FinishedGame> {
        // Games are acknowledged about in the order in which they were sent.
        let found = self.unsent.iter().position(|game| (game.game, game.lease) == (ack.game, ack.lease))?;
        let game = self.unsent.remove(found);
        self.unsent_moves -= game.as_ref().map_or(0, moves);
        self.delivering.remove(&(ack.game, ack.lease));
        if let Some(held) = self.held.get_mut(&ack.lease) {
            held.unsent -= 1;
        }
        self.forget_if_complete(ack.lease);
        game
    }

    fn forget_if_complete(&mut self, lease: LeaseId) {
        if self.held.get(&lease).is_some_and(|held| held.state == State::Ended && held.unsent == 0) {
            self.remove(lease);
        }
    }

    /// Leases for the next report, with their progress.
    pub(crate) fn held(&self) -> Vec<HeldLease> {
        self.held.iter().map(|(&lease, held)| HeldLease { lease, plies: held.progress.plies() }).collect()
    }

    /// Turns live viewing on for these leases, and off for all others.
    pub(crate) fn watch(&self, leases: &[LeaseId]) {
        self.held.iter().for_each(|(lease, held)| held.progress.watch(leases.contains(lease)));
    }

    /// The games in play that are viewed live.
    pub(crate) fn watched(&self) -> Vec<WatchedGame> {
        let seen = self.held.iter().filter_map(|(&lease, held)| {
            let (game, record) = held.progress.seen()?;
            Some(WatchedGame { lease, game, record })
        });
        seen.collect()
    }

    /// Games for the next report, the oldest first.
    pub(crate) fn batch(&self) -> Vec<FinishedGame> {
        self.batch_of(|game| !self.delivering.contains_key(&play_id(game)))
    }

    fn batch_of(&self, such: impl Fn(&FinishedGame) -> bool) -> Vec<FinishedGame> {
        let mut sum = 0;
        let is_room = |game: &&FinishedGame| {
            let is_room = sum < MANY_MOVES;
            sum += moves(game);
            is_room
        };
        self.unsent.iter().filter(|game| such(game)).take(self.batch).take_while(is_room).cloned().collect()
    }

    /// The games for a second call, beside one that delivers `first` and is not answered: none unless they are as many as a call
    /// may have, and no other second call is open. They are in no other call until [`InFlight::delivered`].
    pub(crate) fn deliver(&mut self, first: &[FinishedGame]) -> Option<Vec<FinishedGame>> {
        if !self.delivering.is_empty() || self.unsent.len() < first.len() + self.batch {
            return None;
        }
        let first: HashSet<PlayId> = first.iter().map(play_id).collect();
        let games = self.batch_of(|game| !first.contains(&play_id(game)));
        self.delivering = games.iter().map(|game| (play_id(game), moves(game))).collect();
        Some(games)
    }

    /// The second call has ended. Games of it that are not acknowledged are sent again.
    pub(crate) fn delivered(&mut self) {
        self.delivering.clear();
    }

    /// Games that no second call delivers.
    fn waiting(&self) -> usize {
        self.unsent.len() - self.delivering.len()
    }

    /// Whether the games for the next report fill a call, so that waiting for more saves no call.
    pub(crate) fn fills_a_call(&self) -> bool {
        let moves = || self.unsent_moves - self.delivering.values().sum::<usize>();
        self.waiting() >= self.batch || moves() >= MANY_MOVES
    }

    /// A call was answered: the next one may have twice as many games.
    pub(crate) fn call_succeeded(&mut self) {
        self.batch = (2 * self.batch).min(MOST_SENT);
    }

    /// A call failed, perhaps because it took too long: the next one has half as many games.
    pub(crate) fn call_failed(&mut self) {
        self.batch = (self.batch / 2).max(1);
    }

    /// Games the coordinator has not acknowledged.
    pub(crate) fn unsent(&self) -> usize {
        self.unsent.len()
    }

    /// Leases that are held when the games of the next call are acknowledged, if each is for a pair.
    pub(crate) fn held_after_a_call(&self) -> usize {
        self.held.len().saturating_sub(self.waiting().min(self.batch) / 2)
    }

    /// Whether this lease has games still to be played.
    pub(crate) fn is_open(&self, lease: LeaseId) -> bool {
        self.held.get(&lease).is_some_and(|held| held.state == State::Open)
    }

    /// Leases with games still to be played.
    pub(crate) fn open_leases(&self) -> usize {
        self.open
    }
}

fn play_id(game: &FinishedGame) -> PlayId {
    (game.game, game.lease)
}

fn moves(game: &FinishedGame) -> usize {
    game.record.sims.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::{BoardSize, Outcome};
    use engine::side::Side;
    use protocol::ids::{CellId, GameId};
    use protocol::lease::{Budget, LeasedGame, ParamSet};
    use protocol::result::{MoveColumns, Speed};
    use protocol::sync::AckStatus;
    use uuid::Uuid;

    fn size() -> BoardSize {
        BoardSize::new(3).expect("valid")
    }

    fn lease() -> Lease {
        Lease {
            id: LeaseId::random(),
            cell: CellId(Uuid::nil()),
            pair: 0,
            games: vec![],
            size: size(),
            opening: String::new(),
            seed: 0,
            budget: Budget::Sims(1),
            sims: None,
            case_label: String::new(),
            case: ParamSet::default(),
            baseline_label: String::new(),
            baseline: ParamSet::default(),
            expires_in_ms: 1,
            expected_us: 1,
        }
    }

    /// A lease of two games.
    fn pair() -> Lease {
        let leased = |half: u8| LeasedGame {
            id: GameId::of(CellId(Uuid::nil()), 0, half),
            case_side: if half == 0 { Side::White } else { Side::Black },
        };
        Lease { games: vec![leased(0), leased(1)], ..lease() }
    }

    fn game(lease: LeaseId, half: u8) -> FinishedGame {
        let columns = MoveColumns {
            moves: String::new(),
            value: vec![],
            claim: vec![],
            sims: vec![],
            nodes: vec![],
            cpu_us: vec![],
        };
        FinishedGame {
            game: GameId::of(CellId(Uuid::nil()), 0, half),
            lease,
            outcome: Outcome::Draw,
            record: columns,
            speed: Speed { size: size(), sims_per_s: 1.0, factor: 1.0, drift: 1.0 },
            move_cpu_us: None,
            wall_ms: 0,
        }
    }

    fn ack(game: &FinishedGame) -> Ack {
        Ack { game: game.game, lease: game.lease, status: AckStatus::Accepted, message: None }
    }

    fn held(in_flight: &InFlight) -> Vec<LeaseId> {
        in_flight.held().iter().map(|held| held.lease).collect()
    }

    #[test]
    fn a_lease_is_held_until_its_last_game_is_acknowledged() {
        let mut in_flight = InFlight::new(Vec::new());
        let id = in_flight.take(lease()).lease.id;
        let games = [game(id, 0), game(id, 1)];
        in_flight.finished(games[0].clone());
        in_flight.acknowledged(&ack(&games[0]));
        assert_eq!(held(&in_flight), [id], "one game is still to be played");
        in_flight.finished(games[1].clone());
        in_flight.ended(id);
        assert_eq!(in_flight.open_leases(), 0);
        assert_eq!(held(&in_flight), [id], "one game is not yet acknowledged");
        assert_eq!(in_flight.batch(), [games[1].clone()]);
        in_flight.acknowledged(&ack(&games[1]));
        assert!(held(&in_flight).is_empty() && in_flight.unsent() == 0);
    }

    #[test]
    fn a_revoked_lease_drops_its_play_and_keeps_its_finished_games() {
        let mut in_flight = InFlight::new(Vec::new());
        let Assignment { lease, progress, .. } = in_flight.take(pair());
        in_flight.finished(game(lease.id, 0));
        assert_eq!(in_flight.give_up(lease.id), 1);
        assert_eq!(in_flight.give_up(lease.id), 0, "once");
        assert!(held(&in_flight).is_empty());
        assert!(format!("{progress:?}").contains("dropped: true"), "{progress:?}");
        assert_eq!(in_flight.unsent(), 1);
        in_flight.ended(lease.id);
        assert!(held(&in_flight).is_empty());
    }

    /// The slot has told of both games, and not yet of the end of the lease.
    #[test]
    fn a_lease_whose_games_are_all_finished_drops_none() {
        let mut in_flight = InFlight::new(Vec::new());
        let id = in_flight.take(pair()).lease.id;
        in_flight.finished(game(id, 0));
        in_flight.finished(game(id, 1));
        assert_eq!((in_flight.give_up(id), in_flight.unsent()), (0, 2));
    }

    #[test]
    fn an_unplayable_lease_goes_back_with_its_reason_until_that_was_heard() {
        let mut in_flight = InFlight::new(Vec::new());
        let (id, open) = (in_flight.take(lease()).lease.id, in_flight.take(lease()).lease.id);
        in_flight.unplayable(id, "no such engine".into());
        assert_eq!((in_flight.open_leases(), held(&in_flight)), (1, vec![open]));
        let said = in_flight.failed();
        assert_eq!((said.len(), said[0].lease, said[0].why.as_str()), (1, id, "no such engine"));
        assert_eq!(in_flight.failed(), said, "the answer may have been lost");
        in_flight.failures_received(&said);
        assert!(in_flight.failed().is_empty());
    }

    #[test]
    fn a_lease_that_goes_on_counts_its_game_in_the_spool() {
        let lease = lease();
        let old = game(lease.id, 0);
        let mut in_flight = InFlight::new(vec![old.clone()]);
        let id = in_flight.take(lease).lease.id;
        in_flight.ended(id);
        assert_eq!(held(&in_flight), [id], "its first game is not yet acknowledged");
        in_flight.acknowledged(&ack(&old));
        assert!(held(&in_flight).is_empty());
    }

    #[test]
    fn games_of_an_earlier_run_go_up_without_their_leases() {
        let old = game(LeaseId::random(), 1);
        let mut in_flight = InFlight::new(vec![old.clone()]);
        assert!(held(&in_flight).is_empty());
        assert_eq!(in_flight.batch(), std::slice::from_ref(&old));
        in_flight.acknowledged(&ack(&old));
        assert_eq!(in_flight.unsent(), 0);
    }

    #[test]
    fn a_call_with_long_games_has_fewer_of_them() {
        let long = |_| {
            let game = game(LeaseId::random(), 0);
            FinishedGame { record: MoveColumns { sims: vec![1; 250], ..game.record }, ..game }
        };
        let in_flight = InFlight::new((0..100).map(long).collect());
        assert_eq!(in_flight.batch().len(), MANY_MOVES / 250);
    }

    #[test]
    fn a_second_call_brings_as_many_games_as_a_call_may_have_that_are_in_no_other() {
        let games: Vec<_> = (0..900).map(|_| game(LeaseId::random(), 0)).collect();
        let mut in_flight = InFlight::new(games[..799].to_vec());
        let first = in_flight.batch();
        assert!(in_flight.deliver(&first).is_none(), "one game too few");
        games[799..].iter().for_each(|game| in_flight.finished(game.clone()));
        assert_eq!(in_flight.deliver(&first).expect("enough"), games[400..800]);
        assert!(in_flight.deliver(&first).is_none(), "one second call at a time");
        first.iter().for_each(|game| drop(in_flight.acknowledged(&ack(game))));
        assert!(!in_flight.fills_a_call());
        assert_eq!(in_flight.batch(), games[800..]);
        in_flight.acknowledged(&ack(&games[400]));
        // The answer did not come, or did not acknowledge the others.
        in_flight.delivered();
        assert_eq!(in_flight.batch(), games[401..801]);
    }

    #[test]
    fn a_long_outage_goes_up_in_pieces_oldest_first() {
        let games: Vec<_> = (0..1000).map(|_| game(LeaseId::random(), 0)).collect();
        let mut in_flight = InFlight::new(games.clone());
        assert_eq!(in_flight.batch(), games[..MOST_SENT]);
        for sent in in_flight.batch() {
            in_flight.acknowledged(&ack(&sent));
        }
        assert_eq!(in_flight.batch(), games[MOST_SENT..2 * MOST_SENT]);
        let mut sizes = Vec::new();
        for _ in 0..8 {
            in_flight.call_failed();
            sizes.push(in_flight.batch().len());
        }
        assert_eq!(sizes, [200, 100, 50, 25, 12, 6, 3, 1], "a slow connection takes few games at once");
        (0..9).for_each(|_| in_flight.call_succeeded());
        assert_eq!(in_flight.batch().len(), MOST_SENT);
    }
}
