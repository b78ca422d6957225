//! What the worker has in hand: leases, and finished games the coordinator has not yet acknowledged.

use crate::checkpoint::{Checkpoint, Unfinished};
use crate::slot::{Assignment, Progress};
use protocol::ids::LeaseId;
use protocol::lease::Lease;
use protocol::result::FinishedGame;
use protocol::sync::{Ack, FailedLease, HeldLease};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Games sent up in one call at most: the spool of a long outage goes up in pieces.
const BATCH: usize = 100;

#[derive(Debug)]
struct Held {
    progress: Arc<Progress>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// Its games wait or are being played.
    Open,
    /// Its games are all played or dropped.
    Ended,
}

/// Leases and unacknowledged games.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    held: BTreeMap<LeaseId, Held>,
    unsent: VecDeque<FinishedGame>,
    /// Leases that cannot be played here, not yet given back.
    failed: Vec<FailedLease>,
}

impl Ledger {
    /// A ledger with the games found in the spool. Their leases are not held any more: what else was in them
    /// died with the process that played it.
    pub(crate) fn new(spooled: Vec<FinishedGame>) -> Self {
        Self { unsent: spooled.into(), ..Self::default() }
    }

    /// Takes a lease in hand and makes it ready for a slot.
    pub(crate) fn take(&mut self, lease: Lease) -> Assignment {
        self.hold(lease, None)
    }

    /// Takes a lease in hand that an earlier start of the worker left unfinished.
    pub(crate) fn resume(&mut self, checkpoint: Checkpoint) -> Assignment {
        self.hold(checkpoint.lease, Some(checkpoint.unfinished))
    }

    fn hold(&mut self, lease: Lease, unfinished: Option<Unfinished>) -> Assignment {
        let plies = unfinished.as_ref().map_or(0, |unfinished| unfinished.kept.plies);
        let progress = Arc::new(Progress::after(plies));
        self.held.insert(lease.id, Held { progress: progress.clone(), state: State::Open });
        Assignment { lease, unfinished, progress }
    }

    /// A game is finished. Its lease stays in hand until the game is acknowledged.
    pub(crate) fn finished(&mut self, game: FinishedGame) {
        self.unsent.push_back(game);
    }

    /// All games of a lease are finished or dropped.
    pub(crate) fn ended(&mut self, lease: LeaseId) {
        if let Some(held) = self.held.get_mut(&lease) {
            held.state = State::Ended;
        }
        self.forget_settled();
    }

    /// A lease that this program cannot play goes back with the reason.
    pub(crate) fn unplayable(&mut self, lease: LeaseId, why: String) {
        if self.held.remove(&lease).is_some() {
            self.failed.push(FailedLease { lease, why });
        }
    }

    /// Leases to give back in the next report because they cannot be played.
    pub(crate) fn failed(&self) -> Vec<FailedLease> {
        self.failed.clone()
    }

    /// The coordinator has heard of these failures.
    pub(crate) fn heard_of(&mut self, failed: &[FailedLease]) {
        self.failed.retain(|own| !failed.contains(own));
    }

    /// A lease goes back unplayed, or was taken away. Its finished games still go up. Whether games were
    /// dropped.
    pub(crate) fn give_up(&mut self, lease: LeaseId) -> bool {
        let Some(held) = self.held.remove(&lease) else { return false };
        held.progress.drop_games();
        held.state == State::Open
    }

    /// The coordinator has committed a game, whatever became of it.
    pub(crate) fn acknowledged(&mut self, ack: &Ack) {
        self.unsent.retain(|game| (game.game, game.lease) != (ack.game, ack.lease));
        self.forget_settled();
    }

    fn forget_settled(&mut self) {
        let unsent = &self.unsent;
        self.held
            .retain(|id, held| held.state != State::Ended || unsent.iter().any(|game| game.lease == *id));
    }

    /// Leases for the next report, with their progress.
    pub(crate) fn held(&self) -> Vec<HeldLease> {
        self.held.iter().map(|(&lease, held)| HeldLease { lease, plies: held.progress.plies() }).collect()
    }

    /// Games for the next report, the oldest first.
    pub(crate) fn batch(&self) -> Vec<FinishedGame> {
        self.unsent.iter().take(BATCH).cloned().collect()
    }

    /// Games the coordinator has not acknowledged.
    pub(crate) fn unsent(&self) -> usize {
        self.unsent.len()
    }

    /// Whether this lease has games still to be played.
    pub(crate) fn is_open(&self, lease: LeaseId) -> bool {
        self.held.get(&lease).is_some_and(|held| held.state == State::Open)
    }

    /// Leases with games still to be played.
    pub(crate) fn open_leases(&self) -> usize {
        self.held.values().filter(|held| held.state == State::Open).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use engine::side::Outcome;
    use protocol::ids::{CellId, GameId};
    use protocol::lease::{Budget, ParamSet};
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
        }
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

    fn held(ledger: &Ledger) -> Vec<LeaseId> {
        ledger.held().iter().map(|held| held.lease).collect()
    }

    #[test]
    fn a_lease_is_held_until_its_last_game_is_acknowledged() {
        let mut ledger = Ledger::default();
        let id = ledger.take(lease()).lease.id;
        let games = [game(id, 0), game(id, 1)];
        ledger.finished(games[0].clone());
        ledger.acknowledged(&ack(&games[0]));
        assert_eq!(held(&ledger), [id], "one game is still to be played");
        ledger.finished(games[1].clone());
        ledger.ended(id);
        assert_eq!(ledger.open_leases(), 0);
        assert_eq!(held(&ledger), [id], "one game is not yet acknowledged");
        assert_eq!(ledger.batch(), [games[1].clone()]);
        ledger.acknowledged(&ack(&games[1]));
        assert!(held(&ledger).is_empty() && ledger.unsent() == 0);
    }

    #[test]
    fn a_revoked_lease_drops_its_play_and_keeps_its_finished_games() {
        let mut ledger = Ledger::default();
        let Assignment { lease, progress, .. } = ledger.take(lease());
        ledger.finished(game(lease.id, 0));
        assert!(ledger.give_up(lease.id));
        assert!(!ledger.give_up(lease.id), "once");
        assert!(held(&ledger).is_empty());
        assert!(format!("{progress:?}").contains("dropped: true"), "{progress:?}");
        assert_eq!(ledger.unsent(), 1);
        ledger.ended(lease.id);
        assert!(held(&ledger).is_empty());
    }

    #[test]
    fn an_unplayable_lease_goes_back_with_its_reason_until_that_was_heard() {
        let mut ledger = Ledger::default();
        let (id, open) = (ledger.take(lease()).lease.id, ledger.take(lease()).lease.id);
        ledger.unplayable(id, "no such engine".into());
        assert_eq!((ledger.open_leases(), held(&ledger)), (1, vec![open]));
        let said = ledger.failed();
        assert_eq!((said.len(), said[0].lease, said[0].why.as_str()), (1, id, "no such engine"));
        assert_eq!(ledger.failed(), said, "the answer may have been lost");
        ledger.heard_of(&said);
        assert!(ledger.failed().is_empty());
    }

    #[test]
    fn games_of_an_earlier_run_go_up_without_their_leases() {
        let old = game(LeaseId::random(), 1);
        let mut ledger = Ledger::new(vec![old.clone()]);
        assert!(held(&ledger).is_empty());
        assert_eq!(ledger.batch(), std::slice::from_ref(&old));
        ledger.acknowledged(&ack(&old));
        assert_eq!(ledger.unsent(), 0);
    }

    #[test]
    fn a_long_outage_goes_up_in_pieces_oldest_first() {
        let games: Vec<_> = (0..250).map(|_| game(LeaseId::random(), 0)).collect();
        let mut ledger = Ledger::new(games.clone());
        assert_eq!(ledger.batch(), games[..BATCH]);
        for sent in ledger.batch() {
            ledger.acknowledged(&ack(&sent));
        }
        assert_eq!(ledger.batch(), games[BATCH..2 * BATCH]);
    }
}
