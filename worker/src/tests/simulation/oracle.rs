//! A model of the correct state, independent of the program under test: every game that was played, every answer that
//! was committed, and the holder of each pair.

use super::server::{LEASE_MS, SIMS, Server, experiments};
use engine::havannah::{Board, Notation, Outcome};
use engine::search::Budget;
use engine::selfplay::play;
use engine::side::Side;
use protocol::games::GameStatus;
use protocol::ids::{CellId, GameId, LeaseId, WorkerId};
use protocol::matchup::Matchup;
use protocol::result::{FinishedGame, MoveColumns};
use protocol::sync::{AckStatus, SyncRequest, SyncResponse};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

/// A play of a game. Another play of the same game has another lease.
pub(super) type PlayId = (GameId, LeaseId);
type Pair = (CellId, u32);

/// The state of a lease, as far as the workers were told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeaseStanding {
    Active { deadline_ms: i64 },
    Lapsed { deadline_ms: i64 },
    Over,
}

#[derive(Debug, Clone)]
struct LentLease {
    worker: WorkerId,
    pair: Pair,
    standing: LeaseStanding,
    /// The number of the board's cells, times the number of games.
    most_plies: u32,
}

/// The expected content of the database.
#[derive(Default, Clone)]
struct Expected {
    /// The first status of every play that a committed answer acknowledges.
    acked: HashMap<PlayId, AckStatus>,
    accepted: HashMap<GameId, LeaseId>,
    leases: HashMap<LeaseId, LentLease>,
    held: BTreeMap<Pair, LeaseId>,
    /// Plays that arrived while another worker held their pair under this lease, with their times. They count if the
    /// lease ends without plays of the same games.
    gave_way: BTreeMap<LeaseId, Vec<(i64, LeaseId, usize, PlayId)>>,
    /// The last processed call of every worker: the number of its process's start, and the call's number in that
    /// process.
    heard: HashMap<WorkerId, (u64, u64)>,
    superseded: u64,
    /// Late plays that counted, because the holder of their pair did not deliver their games.
    late: u64,
    /// Leases that were sent again, because the answer with them was lost.
    again: u64,
    /// Leases that were taken back for another machine.
    handed_over: u64,
}

/// The expected database, and the state of the workers.
#[derive(Default)]
pub(super) struct Oracle {
    expected: Expected,
    /// The expected database on the disk, while the disk is stalled.
    on_disk: Option<Expected>,
    /// Every finished play, with its worker.
    played: BTreeMap<PlayId, (WorkerId, FinishedGame)>,
    /// Plays that are only in memory, because the disk was full.
    in_memory: HashSet<PlayId>,
    /// Plays that were lost with their process: truncated on the disk, or only in memory.
    torn: HashSet<PlayId>,
    /// Reports of impossible games.
    lies: HashSet<(WorkerId, PlayId)>,
    /// Plays whose acknowledgement reached their worker.
    delivered: HashSet<PlayId>,
    games: HashMap<GameId, (CellId, u32, Side)>,
    /// Cells with a stopping rule.
    ruled: HashSet<CellId>,
    /// The number of every worker's newest start.
    newest: HashMap<WorkerId, u64>,
}

impl Oracle {
    pub(super) fn new() -> Self {
        let mut oracle = Self::default();
        for planned in experiments().iter().flat_map(|experiment| &experiment.cells) {
            let cell = planned.spec.id();
            if planned.stop.is_some() {
                oracle.ruled.insert(cell);
            }
            for pair in 0..planned.pairs {
                for side in Side::BOTH {
                    oracle.games.insert(GameId::of(cell, pair, side.index() as u8), (cell, pair, side));
                }
            }
        }
        oracle
    }

    /// Called when a process of a worker begins.
    pub(super) fn started(&mut self, worker: WorkerId, start: u64) {
        let before = self.newest.insert(worker, start);
        assert!(before.is_none_or(|before| before < start), "a later start has a larger number");
    }

    /// Whether this call, or a later one of its worker, was processed already.
    pub(super) fn is_overtaken(&self, request: &SyncRequest) -> bool {
        let heard = self.expected.heard.get(&request.worker);
        heard.is_some_and(|&last| (request.start, request.sequence) <= last)
    }

    /// Called when a call was refused. Its games are stored, and nothing else changes.
    pub(super) fn refused(&mut self, request: &SyncRequest, now_ms: i64) {
        let (heard, _) = self.expected.heard[&request.worker];
        assert!(request.start < heard, "a process is refused only when a later one was heard");
        for game in &request.finished {
            let play = (game.game, game.lease);
            let status = if self.lies.contains(&(request.worker, play)) {
                AckStatus::Rejected
            } else if self.expected.acked.contains_key(&play) {
                AckStatus::Duplicate
            } else if self.expected.accepted.contains_key(&play.0)
                || self.is_lent_to_another(request.worker, play, now_ms).is_some()
            {
                AckStatus::Superseded
            } else {
                AckStatus::Accepted
            };
            self.acknowledged(request.worker, game, (status, None), now_ms);
        }
    }

    /// Called when a worker has finished a game. The game is on the disk unless the disk was full.
    pub(super) fn played(&mut self, worker: WorkerId, game: FinishedGame, on_disk: bool) -> PlayId {
        let id = (game.game, game.lease);
        if on_disk {
            self.in_memory.remove(&id);
        } else {
            self.in_memory.insert(id);
        }
        assert!(self.games.contains_key(&id.0), "only planned games are lent");
        if let Some((_, before)) = self.played.values().find(|(_, before)| before.game == id.0) {
            assert_eq!(before.record.moves, game.record.moves, "the same game, whoever plays it");
        }
        if self.played.insert(id, (worker, game)).is_some() {
            // The end of the game was lost, and a later process resumed it from its checkpoint.
            let lost = self.torn.remove(&id) || self.expected.acked.contains_key(&id);
            assert!(lost, "a game is played once under a lease");
            self.delivered.remove(&id);
        }
        id
    }

    /// Called when a process died before its game was completely on the disk.
    pub(super) fn torn(&mut self, play: PlayId) {
        self.torn.insert(play);
    }

    /// Whether a play is known.
    pub(super) fn knows(&self, play: PlayId) -> bool {
        self.played.contains_key(&play)
    }

    /// Called when the coordinator's disk stalls.
    pub(super) fn stalled(&mut self) {
        self.on_disk.get_or_insert_with(|| self.expected.clone());
    }

    /// Called when the coordinator's disk has everything that was written.
    pub(super) fn flushed(&mut self) {
        self.on_disk = None;
    }

    /// Called when the coordinator lost everything that was not on its disk.
    pub(super) fn power_cut(&mut self) {
        if let Some(expected) = self.on_disk.take() {
            self.expected = expected;
        }
        for play in &self.delivered {
            let known =
                self.expected.acked.contains_key(play) || self.lies.iter().any(|(_, lie)| lie == play);
            assert!(known, "a power cut took what was acknowledged: {play:?}");
        }
    }

    /// Called when a process ended. Unacknowledged plays that were only in its memory are lost.
    pub(super) fn died(&mut self, worker: WorkerId) {
        let acked = &self.on_disk.as_ref().unwrap_or(&self.expected).acked;
        let gone = |play: &&PlayId| self.played[*play].0 == worker && !acked.contains_key(*play);
        let gone: Vec<PlayId> = self.in_memory.iter().filter(gone).copied().collect();
        self.torn.extend(gone);
    }

    /// Called when a process has stored the plays that were only in its memory.
    pub(super) fn stored(&mut self, worker: WorkerId) {
        self.in_memory.retain(|play| self.played[play].0 != worker || self.torn.contains(play));
    }

    /// Called before a worker reports an impossible game.
    pub(super) fn lied(&mut self, worker: WorkerId, play: PlayId) {
        self.lies.insert((worker, play));
    }

    /// Whether a call of this worker was processed, so that the worker's id is bound to a token.
    pub(super) fn has_heard(&self, worker: WorkerId) -> bool {
        self.expected.heard.contains_key(&worker)
    }

    /// Called when an answer reaches its worker.
    pub(super) fn delivered(&mut self, answer: &SyncResponse) {
        self.delivered.extend(answer.acks.iter().map(|ack| (ack.game, ack.lease)));
    }

    /// Whether a worker heard what became of this play.
    pub(super) fn is_delivered(&self, play: PlayId) -> bool {
        self.delivered.contains(&play)
    }

    /// The plays that must be in a worker's spool when a process starts.
    pub(super) fn undelivered(&self, worker: WorkerId) -> BTreeSet<PlayId> {
        let own = self.played.iter().filter(|(_, (player, _))| *player == worker).map(|(play, _)| *play);
        let gone = |play: &PlayId| {
            [&self.torn, &self.in_memory, &self.delivered].iter().any(|set| set.contains(play))
        };
        own.filter(|play| !gone(play)).collect()
    }

    /// Leases that other workers hold, with their pairs.
    pub(super) fn others(&self, worker: WorkerId) -> Vec<(LeaseId, Pair)> {
        let held = self.expected.held.iter().map(|(pair, lease)| (*lease, *pair));
        held.filter(|(lease, _)| self.expected.leases[lease].worker != worker).collect()
    }

    /// Called when a call was answered. The content of the answer is committed, even if the answer is lost. `revoked` are the leases that
    /// the database says were taken back.
    pub(super) fn committed(
        &mut self,
        request: &SyncRequest,
        answer: &SyncResponse,
        (now_ms, revoked): (i64, &HashSet<LeaseId>),
    ) {
        let sent: Vec<PlayId> = request.finished.iter().map(|game| (game.game, game.lease)).collect();
        let acks: Vec<PlayId> = answer.acks.iter().map(|ack| (ack.game, ack.lease)).collect();
        assert_eq!(sent, acks, "every game sent gets one acknowledgement, in order");
        for (game, ack) in request.finished.iter().zip(&answer.acks) {
            self.acknowledged(request.worker, game, (ack.status, ack.message.as_deref()), now_ms);
        }
        if self.is_overtaken(request) {
            assert!(
                answer.leases.is_empty() && answer.revoked.is_empty(),
                "a call that was overtaken only delivers"
            );
            return;
        }
        self.expected.heard.insert(request.worker, (request.start, request.sequence));
        for failed in &request.failed {
            self.end_own(failed.lease, request.worker);
        }
        let listed: HashMap<LeaseId, u32> =
            request.held.iter().map(|held| (held.lease, held.plies)).collect();
        // Leases of lost answers are sent again.
        let again: HashSet<LeaseId> = answer
            .leases
            .iter()
            .map(|lease| lease.id)
            .filter(|id| self.expected.leases.contains_key(id))
            .collect();
        self.expected.again += again.len() as u64;
        assert!(again.iter().all(|lease| !listed.contains_key(lease)), "what a worker lists it has");
        assert!(
            again.is_empty() || request.heard.is_some(),
            "a worker that hears everything hears nothing twice"
        );
        let own: Vec<LeaseId> = self.expected.held.values().copied().collect();
        for lease in own {
            let kept = listed.contains_key(&lease) || again.contains(&lease);
            if self.expected.leases[&lease].worker == request.worker && !kept {
                self.end(lease);
            }
        }
        let renewed = LeaseStanding::Active { deadline_ms: now_ms + LEASE_MS };
        for (lease, plies) in listed.into_iter().chain(again.iter().map(|lease| (*lease, 0))) {
            if answer.revoked.contains(&lease) {
                self.end_own(lease, request.worker);
                continue;
            }
            let lent = self.expected.leases.get_mut(&lease).filter(|lent| lent.worker == request.worker);
            let lent = lent.unwrap_or_else(|| panic!("lease {lease} was not this worker's, and not revoked"));
            let possible = plies <= lent.most_plies;
            let until = match lent.standing {
                LeaseStanding::Active { deadline_ms } => deadline_ms,
                LeaseStanding::Lapsed { deadline_ms } => {
                    let pair = lent.pair;
                    let holder = self.expected.held.insert(pair, lease);
                    assert_eq!(
                        holder, None,
                        "a lapsed lease goes on though its pair is lent to somebody else"
                    );
                    deadline_ms
                }
                LeaseStanding::Over => panic!("lease {lease} was over, and not revoked"),
            };
            // An impossible number of moves does not extend the lease.
            let standing = if possible { renewed } else { LeaseStanding::Active { deadline_ms: until } };
            self.expected.leases.get_mut(&lease).expect("found above").standing = standing;
        }
        self.lapse(now_ms);
        self.handed_over_to(request.worker, revoked);
        for lease in &answer.leases {
            let pair = (lease.cell, lease.pair);
            if again.contains(&lease.id) {
                assert_eq!(
                    self.expected.held.get(&pair),
                    Some(&lease.id),
                    "only what is still held comes again"
                );
            } else {
                assert_eq!(
                    self.expected.held.insert(pair, lease.id),
                    None,
                    "a pair is lent to two workers at once"
                );
            }
            let missing: Vec<Side> =
                Side::BOTH.into_iter().filter(|side| !self.is_counted(pair, *side)).collect();
            let lent: Vec<Side> = lease.games.iter().map(|game| game.case_side).collect();
            assert!(!missing.is_empty(), "a complete pair is lent");
            assert_eq!(lent, missing, "a lease has the games that are missing");
            let before = self.expected.leases.get(&lease.id).map(|lent| lent.most_plies);
            let most_plies = before.unwrap_or((lease.size.cells() * lease.games.len()) as u32);
            let lent = LentLease { worker: request.worker, pair, standing: renewed, most_plies };
            self.expected.leases.insert(lease.id, lent);
        }
        assert!(answer.leases.len() <= request.want as usize);
    }

    /// Ends the leases that were taken back for a worker. Which ones is the coordinator's choice, among the pairs for which a stopping rule
    /// waits. The worker gets the pair, unless a play that gave way to the lease has completed it.
    fn handed_over_to(&mut self, worker: WorkerId, revoked: &HashSet<LeaseId>) {
        let taken: Vec<LeaseId> =
            self.expected.held.values().filter(|lease| revoked.contains(lease)).copied().collect();
        for lease in taken {
            let LentLease { worker: holder, pair: (cell, idx), .. } = self.expected.leases[&lease];
            assert_ne!(holder, worker, "a worker is told of its own lease");
            assert!(self.ruled.contains(&cell), "no rule waits in this cell");
            let is_complete = |pair| Side::BOTH.into_iter().all(|side| self.is_counted((cell, pair), side));
            assert!((0..idx).all(is_complete), "the rule waits for an earlier pair");
            self.expected.handed_over += 1;
            self.end(lease);
        }
    }

    /// The active lease of another worker on the pair of a play, if there is one.
    fn is_lent_to_another(&self, worker: WorkerId, (game, lease): PlayId, now_ms: i64) -> Option<LeaseId> {
        let (cell, pair, _) = self.games.get(&game)?;
        let holder = *self.expected.held.get(&(*cell, *pair))?;
        let lent = &self.expected.leases[&holder];
        let alive = matches!(lent.standing, LeaseStanding::Active { deadline_ms } if deadline_ms >= now_ms);
        (holder != lease && lent.worker != worker && alive).then_some(holder)
    }

    /// Counts the plays that gave way to a lease that has ended.
    fn count_late(&mut self, ended: LeaseId) {
        let mut late = self.expected.gave_way.remove(&ended).unwrap_or_default();
        late.sort_unstable();
        for (.., (game, lease)) in late {
            if let std::collections::hash_map::Entry::Vacant(missing) = self.expected.accepted.entry(game) {
                missing.insert(lease);
                self.expected.acked.insert((game, lease), AckStatus::Accepted);
                (self.expected.superseded, self.expected.late) =
                    (self.expected.superseded - 1, self.expected.late + 1);
            }
        }
    }

    fn acknowledged(
        &mut self,
        worker: WorkerId,
        game: &FinishedGame,
        (status, why): (AckStatus, Option<&str>),
        now_ms: i64,
    ) {
        let play = (game.game, game.lease);
        if status == AckStatus::Rejected {
            assert!(self.lies.contains(&(worker, play)), "an honest game was rejected: {why:?}");
            return self.end_own(game.lease, worker);
        }
        assert!(!self.lies.contains(&(worker, play)), "a lie was {status:?}");
        let lent_to_another = self.is_lent_to_another(worker, play, now_ms);
        match self.expected.acked.insert(play, status) {
            Some(before) => {
                assert_eq!(status, AckStatus::Duplicate, "a repeat is told so");
                self.expected.acked.insert(play, before);
            }
            None if status == AckStatus::Accepted => {
                assert_eq!(lent_to_another, None, "a late play takes the place of the present holder's");
                let before = self.expected.accepted.insert(play.0, play.1);
                assert_eq!(before, None, "a game is counted twice");
                let (cell, pair, _) = self.games[&play.0];
                let complete = Side::BOTH.into_iter().all(|side| self.is_counted((cell, pair), side));
                if let Some(lease) = self.expected.held.get(&(cell, pair)).copied().filter(|_| complete) {
                    self.end(lease);
                }
            }
            None if status == AckStatus::Superseded => {
                self.expected.superseded += 1;
                let counted = self.expected.accepted.get(&play.0);
                match lent_to_another {
                    Some(holder) => {
                        let half = self.games[&play.0].2.index();
                        self.expected.gave_way.entry(holder).or_default().push((now_ms, play.1, half, play));
                    }
                    None => assert!(counted.is_some_and(|lease| *lease != play.1), "superseded by nothing"),
                }
            }
            None => panic!("a game never heard of is a duplicate"),
        }
    }

    fn is_counted(&self, (cell, pair): Pair, side: Side) -> bool {
        self.expected.accepted.contains_key(&GameId::of(cell, pair, side.index() as u8))
    }

    fn end(&mut self, lease: LeaseId) {
        let Some(lent) = self.expected.leases.get_mut(&lease) else { return };
        lent.standing = LeaseStanding::Over;
        if self.expected.held.get(&lent.pair) == Some(&lease) {
            self.expected.held.remove(&lent.pair);
        }
        self.count_late(lease);
    }

    fn end_own(&mut self, lease: LeaseId, worker: WorkerId) {
        // A lapsed lease stays lapsed.
        let active =
            |lent: &LentLease| lent.worker == worker && matches!(lent.standing, LeaseStanding::Active { .. });
        if self.expected.leases.get(&lease).is_some_and(active) {
            self.end(lease);
        }
    }

    /// Takes back leases whose deadline has passed.
    pub(super) fn lapse(&mut self, now_ms: i64) {
        let mut ended = Vec::new();
        let leases = &mut self.expected.leases;
        self.expected.held.retain(|_, lease| {
            let lent = leases.get_mut(lease).expect("lent");
            match lent.standing {
                LeaseStanding::Active { deadline_ms } if deadline_ms < now_ms => {
                    lent.standing = LeaseStanding::Lapsed { deadline_ms };
                    ended.push(*lease);
                    false
                }
                _ => true,
            }
        });
        ended.into_iter().for_each(|lease| self.count_late(lease));
    }

    /// Called when a coordinator started, or noticed a change of its clock: every active lease now has exactly a full
    /// term.
    pub(super) fn renewed(&mut self, now_ms: i64) {
        for lent in self.expected.leases.values_mut() {
            if let LeaseStanding::Active { deadline_ms } = &mut lent.standing {
                *deadline_ms = now_ms + LEASE_MS;
            }
        }
    }

    /// Number of late plays that did not count.
    pub(super) fn superseded(&self) -> u64 {
        self.expected.superseded
    }

    /// Numbers of late plays that counted, and of leases that were sent again.
    pub(super) fn late_and_again(&self) -> (u64, u64) {
        (self.expected.late, self.expected.again)
    }

    /// Number of pairs that were taken from a machine for another one.
    pub(super) fn handed_over(&self) -> u64 {
        self.expected.handed_over
    }

    /// Number of games counted so far.
    pub(super) fn counted(&self) -> usize {
        self.expected.accepted.len()
    }

    pub(super) fn nothing_is_held(&self) -> bool {
        self.expected.held.is_empty()
    }

    /// Number of planned games.
    pub(super) fn planned(&self) -> usize {
        self.games.len()
    }

    /// Compares the database with the expected content.
    pub(super) fn check(&self, server: &Server) {
        let verification = server.get(async |coordinator| coordinator.verify().await);
        assert!(verification.is_right(), "{:#?}", (verification.differences, verification.unknown));
        let mut stored = BTreeMap::new();
        for experiment in experiments() {
            let name = experiment.name.as_str();
            let report = server.get(async |coordinator| coordinator.report(name).await);
            for point in report.series.iter().flat_map(|series| &series.points) {
                let mut points = [0; 3];
                for (game, lease) in &self.expected.accepted {
                    let (cell, _, side) = self.games[game];
                    if cell == point.cell {
                        points[usize::from(self.outcome((*game, *lease)).half_points(side))] += 1;
                    }
                }
                let lent = self.expected.held.keys().filter(|(cell, _)| *cell == point.cell).count() as u64;
                assert_eq!(point.pairs_in_flight, lent, "pairs in somebody's hands");
                if point.games_planned == self.most_planned(point.cell) {
                    assert_eq!([point.losses, point.draws, point.wins], points, "totals of {name}");
                }
            }
            for line in server.all_games(name) {
                stored.insert((line.id, line.lease), line);
            }
        }
        for (play, status) in &self.expected.acked {
            let line = stored.get(play).unwrap_or_else(|| panic!("{status:?} and not stored: {play:?}"));
            let expected = match status {
                AckStatus::Accepted => GameStatus::Counted,
                _ => GameStatus::Superseded,
            };
            assert_eq!((line.status, line.outcome), (expected, self.outcome(*play)));
        }
        assert_eq!(
            stored.len(),
            self.expected.acked.len(),
            "something is stored that was never acknowledged"
        );
    }

    fn most_planned(&self, cell: CellId) -> u64 {
        self.games.values().filter(|(of, _, _)| *of == cell).count() as u64
    }

    fn outcome(&self, play: PlayId) -> Outcome {
        self.played[&play].1.outcome
    }

    /// Checks the final state, after the faults have ended and every game is counted.
    pub(super) fn check_at_rest(&self, server: &Server) {
        self.check(server);
        assert_eq!(self.expected.accepted.len(), self.games.len(), "every planned game is counted");
        assert!(self.expected.held.is_empty(), "nothing is in anybody's hands");
        for play in self.played.keys().filter(|play| !self.torn.contains(*play)) {
            assert!(self.expected.acked.contains_key(play), "a finished game is lost: {play:?}");
        }
        let specs: HashMap<CellId, _> = experiments()
            .into_iter()
            .flat_map(|experiment| experiment.cells)
            .map(|planned| (planned.spec.id(), planned.spec))
            .collect();
        for (&game, &lease) in &self.expected.accepted {
            let stored = server.get(async |coordinator| coordinator.game(game, None).await);
            assert_eq!(stored.line.lease, lease);
            assert_eq!(
                stored.play.record,
                self.played[&(game, lease)].1.record,
                "the moves are those played"
            );
            let spec = &specs[&stored.line.cell];
            let opening = Notation::Gui.read_list(spec.size, &stored.opening).expect("cells");
            assert_eq!(opening.len(), usize::from(spec.opening_plies));
            let moves = Notation::Gui.read_list(spec.size, &stored.play.record.moves).expect("cells");
            let mut board = Board::new(spec.size);
            for cell in opening.into_iter().chain(moves) {
                assert_eq!(board.outcome(), None, "nobody plays on after the end");
                board.play(cell).expect("a legal move");
            }
            assert_eq!(board.outcome(), Some(stored.line.outcome), "by the rules");
            // An uninterrupted game has the same moves, however often the stored one was interrupted and resumed.
            let game = Matchup::of_stored(&stored).spec(Budget::Sims(SIMS)).expect("known parameters");
            let whole = play(&game, &mut |_| ControlFlow::Continue(())).expect("legal").expect("to its end");
            let MoveColumns { moves, value, claim, sims, nodes, .. } =
                MoveColumns::from_record(spec.size, &whole);
            let played = &stored.play.record;
            assert_eq!(
                (moves, value, claim, sims, nodes),
                (
                    played.moves.clone(),
                    played.value.clone(),
                    played.claim.clone(),
                    played.sims.clone(),
                    played.nodes.clone()
                ),
                "the game that is played when nobody is cut off"
            );
        }
    }
}
