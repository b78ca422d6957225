//! Games played again on another machine, and what follows when they go otherwise.
//!
//! Which plays are checked is drawn when they are counted, so that a machine cannot know it while it plays. A play
//! again is stored beside the others and never counts. Two machines that had the same moves are right; with only two
//! that differ nobody can say who lies, so a third is asked, and until then the play counts and is marked as
//! disputed. Who had other moves than two others goes into quarantine: it gets no work and what it sends is kept, but
//! does not count, until somebody releases it. A play that was refuted is excluded, as people exclude plays, and its
//! game is played once more.
//!
//! Whose word it is matters, not how many machines say it. All machines of one principal (see [`crate::principal`]) are
//! one witness against anybody else; against each other those that joined with one code are witnesses, too, so that the
//! broken machine of a fleet is found though one code let all of it in. Ids of one token are one witness everywhere.

use crate::ledger;
use crate::report::alive_since;
use crate::schedule::{Grant, described, sizes, take_all_back};
use crate::store::{
    ActiveLease, Books, Checker, LeaseState, Play, StoreError, Verdict, WantedReplay, Witness,
};
use engine::selfplay::Claim;
use engine::side::Side;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{GameId, LeaseId, WorkerId};
use protocol::lease::{Budget, Lease};
use protocol::result::MoveColumns;
use protocol::words::counted;
use std::collections::HashSet;

/// Plays that may wait to be played again; while so many do, no more are chosen. A single machine, whose games nobody
/// can play again, would leave ever more behind.
const MOST_WAITING: i64 = 256;

/// Failures of leases for playing again at which a machine is named that failed most of them, and every time as many
/// again.
const TELLING_FAILURES: i64 = 8;

/// Who decides by comparing games.
const BY_REPLAY: &str = "coordinator: replay";

/// A play, by its game and its lease.
type PlayId = (GameId, LeaseId);

/// Whether a play is checked: `share` of them are, drawn from the system's random numbers.
fn is_drawn(share: f64) -> bool {
    // The high half of a random id has four fixed bits, far from the top.
    let drawn = LeaseId::random().0.as_u64_pair().0 as f64 / 2f64.powi(64);
    drawn < share
}

/// Draws whether a play just counted is to be played again.
pub(crate) async fn draw(
    books: &mut Books<'_>,
    play: &Play,
    record: &PlayRecord,
    share: f64,
) -> Result<(), StoreError> {
    if is_drawn(share) {
        books.want_replay(play, sizes([record.speed.size]), MOST_WAITING).await?;
    }
    Ok(())
}

/// Lends out plays to be played again by a worker that has not played them.
pub(crate) async fn grant(
    books: &mut Books<'_>,
    grant: &Grant<'_>,
    checker: &Checker<'_>,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let alive_ms = alive_since(books.now_ms, grant.terms.sync_ms);
    while leases.len() < grant.want as usize {
        let tx = books.written().await?;
        let bounds = (alive_ms, grant.terms.most_failures);
        let Some(wanted) = tx.wanted_replay(checker, engine::SEMANTICS, bounds).await? else {
            break;
        };
        let play = (wanted.game, wanted.lease);
        match lend(books, wanted, grant, true).await? {
            Some(lease) => leases.push(lease),
            None => {
                let why = "its moves are not kept any more";
                books.tx().decide_replay(play, Verdict::GivenUp, Some(why)).await?;
            }
        }
    }
    Ok(())
}

/// Lends out a disputed play to a worker that has not played it, whoever else plays it again; gives the lease of the
/// play, too. None if there is no such dispute.
pub(crate) async fn lend_disputed(
    books: &mut Books<'_>,
    game: GameId,
    grant: &Grant<'_>,
) -> Result<Option<(Lease, LeaseId)>, StoreError> {
    let tx = books.written().await?;
    let Some(wanted) = tx.disputed_replay(grant.worker, engine::SEMANTICS, game).await? else {
        return Ok(None);
    };
    let checked = wanted.lease;
    let lent = books.tx().open_replay((game, checked)).await?.flatten();
    if let Some(lent) = lent {
        revoke(books, lent).await?;
    }
    Ok(lend(books, wanted, grant, false).await?.map(|lease| (lease, checked)))
}

/// Takes a lease for playing again back that is of no use any more. Another game under it is wanted again.
async fn revoke(books: &mut Books<'_>, lent: LeaseId) -> Result<(), StoreError> {
    let Some(lease) = books.lease(lent).await? else { return Ok(()) };
    books.set_lease_state(lent, LeaseState::Revoked).await?;
    let_go(books, &lease, None).await
}

/// A machine let go of a lease for playing again; with `most_failures`, because it failed. One that fails these leases more
/// than others is named: it may do so for somebody whose games these are.
pub(crate) async fn let_go(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    most_failures: Option<i64>,
) -> Result<(), StoreError> {
    let (had, failed) = books.tx().want_replay_again(lease.id, lease.worker, most_failures).await?;
    if most_failures.is_some() && failed % TELLING_FAILURES == 0 && failed * 2 > had {
        let note =
            format!("it failed {failed} of the {had} leases for playing games of others again that it had");
        tracing::warn!(worker.id = %lease.worker, "a machine is conspicuous: {note}");
        let (now_ms, what) = (books.now_ms, format!("machine {}", lease.worker));
        books.tx().note_change(BY_REPLAY, ("conspicuous", &what, &note), now_ms).await?;
    }
    Ok(())
}

/// Lends out a play, and, if `whole`, the other game of its pair with it: a lease of one game would show what it is for.
/// The other game is checked, too, if it was played under the same lease.
async fn lend(
    books: &mut Books<'_>,
    wanted: WantedReplay,
    grant: &Grant<'_>,
    whole: bool,
) -> Result<Option<Lease>, StoreError> {
    let WantedReplay { game, lease: checked, cell, idx, case_side, spec, record, .. } = wanted;
    let Some(record) = record else { return Ok(None) };
    let id = LeaseId::random();
    let games = if whole && matches!(spec.budget, Budget::Sims(_)) { 2 } else { 1 };
    let new = grant.lease(id, (cell, idx), (spec.size, games), books.now_ms);
    books.put_lease(ActiveLease { replays: Some(checked), ..new });
    books.written().await?.lend_replay((game, checked), id).await?;
    let labels = (wanted.case_label, wanted.baseline_label);
    // With a budget in simulations the specification alone gives the game, and the lease looks like any other: who
    // plays fewer than it says is found out, too.
    let (sims, sides) = match spec.budget {
        Budget::Sims(_) if whole => {
            let other = GameId::of(cell, idx, case_side.other().index() as u8);
            let now_ms = books.now_ms;
            books.tx().lend_other_half((game, checked), other, id, now_ms).await?;
            (None, Side::BOTH.to_vec())
        }
        Budget::Sims(_) => (None, vec![case_side]),
        Budget::ReferenceSeconds(_) => (Some(record.record.sims), vec![case_side]),
    };
    let lease = described((id, grant.terms.lease_ms), (cell, idx), &spec, labels, sides);
    Ok(Some(Lease { sims, ..lease }))
}

/// Stores a game played again, and compares it with the play under the lease `checked`. Its own lease may be for the `whole`
/// pair.
pub(crate) async fn take(
    books: &mut Books<'_>,
    (play, record): (&Play, &PlayRecord),
    (checked, whole): (LeaseId, bool),
) -> Result<(), StoreError> {
    let now_ms = books.now_ms;
    let again = Play { status: GameStatus::Superseded, ..*play };
    books.insert_play(&again, record)?;
    let lease = books.lease(play.lease).await?;
    let other = GameId::of(play.cell, play.idx, play.case_side.other().index() as u8);
    let complete = !whole || books.has_play(other, play.lease).await?;
    if complete && lease.is_some_and(|lease| lease.state == LeaseState::Active) {
        books.set_lease_state(play.lease, LeaseState::Finished).await?;
    }
    // A result that is late may find the play decided; one that another machine is asked for by now is welcome.
    let checked = (play.id, checked);
    let tx = books.written().await?;
    let Some(lent) = tx.open_replay(checked).await? else { return Ok(()) };
    let witnesses = tx.witnesses(checked).await?;
    let trusted = witnesses.iter().filter(|witness| !witness.quarantined || witness.lease == checked.1);
    match weigh(&trusted.collect::<Vec<_>>(), checked.1) {
        Finding::Unknown => {
            if lent == Some(play.lease) {
                tx.unlend_replay(checked).await?;
            }
        }
        Finding::GivenUp(why) => tx.decide_replay(checked, Verdict::GivenUp, Some(why)).await?,
        Finding::Disputed(note) => {
            tracing::warn!(game.id = %checked.0, "played again, a game went otherwise, a third machine is asked: {note}");
            tx.dispute_replay(checked, &note, now_ms).await?;
            tx.note_change(BY_REPLAY, ("dispute", &named(checked), &note), now_ms).await?;
        }
        Finding::Decided { agreed, wrong, note } => {
            let verdict = if agreed { Verdict::Agreed } else { Verdict::Refuted };
            tx.decide_replay(checked, verdict, note.as_deref()).await?;
            let note = note.unwrap_or_default();
            if !agreed {
                refute(books, checked, &note).await?;
            }
            for (worker, name) in wrong {
                let why = format!("{} went otherwise on two other machines: {note}", named(checked));
                quarantine(books, (worker, &name), &why, BY_REPLAY).await?;
            }
        }
    }
    if let Some(other) = lent.filter(|lent| *lent != play.lease) {
        revoke_decided(books, checked, other).await?;
    }
    Ok(())
}

/// Takes a lease for playing again back that is of no use any more, because a late result decided the play.
async fn revoke_decided(books: &mut Books<'_>, checked: PlayId, lent: LeaseId) -> Result<(), StoreError> {
    if books.tx().open_replay(checked).await? != Some(Some(lent)) {
        revoke(books, lent).await?;
    }
    Ok(())
}

fn named((game, lease): PlayId) -> String {
    format!("game {game} under lease {lease}")
}

/// Takes a refuted play out of the results, unless somebody did already.
async fn refute(books: &mut Books<'_>, (game, lease): PlayId, note: &str) -> Result<(), StoreError> {
    let play = books.written().await?.play(game, lease).await?;
    if play.is_some_and(|play| play.status == GameStatus::Counted) {
        let reason = format!("two other machines played it again, and it went otherwise: {note}");
        ledger::exclude(books, (game, lease), (&reason, BY_REPLAY)).await?;
        let now_ms = books.now_ms;
        books.tx().note_change(BY_REPLAY, ("exclude", &named((game, lease)), &reason), now_ms).await?;
    }
    Ok(())
}

/// What the plays of a game say together.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    /// There is one machine's play only.
    Unknown,
    /// The play under check has lost its moves.
    GivenUp(&'static str),
    /// All machines differ.
    Disputed(String),
    /// Two machines had the same moves.
    Decided {
        /// So had the play under check.
        agreed: bool,
        /// Those with other moves.
        wrong: Vec<(WorkerId, String)>,
        /// Where the first of them differs.
        note: Option<String>,
    },
}

/// Weighs the plays of a game of which the one under `checked` was counted.
fn weigh(witnesses: &[&Witness], checked: LeaseId) -> Finding {
    let Some(own) = witnesses.iter().find(|witness| witness.lease == checked) else {
        return Finding::GivenUp("the play is gone");
    };
    if own.record.is_none() {
        return Finding::GivenUp("its moves are not kept any more");
    }
    let with_moves: Vec<_> =
        witnesses.iter().filter_map(|witness| Some((*witness, witness.record.as_ref()?))).collect();
    let same = |a: &PlayRecord, b: &PlayRecord| difference(a, b).is_none();
    let right = with_moves.iter().find(|(_, record)| {
        let (alike, others): (Vec<_>, Vec<_>) = with_moves
            .iter()
            .map(|(witness, other)| (*witness, same(record, other)))
            .partition(|(_, same)| *same);
        let alike: Vec<&Witness> = alike.into_iter().map(|(witness, _)| witness).collect();
        let machines = alike.iter().map(|witness| machine(witness)).collect::<HashSet<_>>();
        machines.len() >= 2 && others.iter().all(|(other, _)| voices(&alike, other) >= 2)
    });
    let Some((_, right)) = right else {
        let other = with_moves.iter().find(|(witness, _)| witness.worker != own.worker);
        let difference = other.and_then(|(witness, record)| {
            let moves = difference(own.record.as_ref()?, record)?;
            Some(format!("{moves}; the first by {}, then by {}", own.worker_name, witness.worker_name))
        });
        return difference.map_or(Finding::Unknown, Finding::Disputed);
    };
    let differs: Vec<_> = with_moves.iter().filter(|(_, record)| !same(right, record)).collect();
    let mut wrong: Vec<(WorkerId, String)> = Vec::new();
    for (witness, _) in &differs {
        // It may be there twice: under a lease that lapsed, and under a later one.
        if wrong.iter().all(|(worker, _)| *worker != witness.worker) {
            wrong.push((witness.worker, witness.worker_name.clone()));
        }
    }
    Finding::Decided {
        agreed: differs.iter().all(|(witness, _)| witness.lease != checked),
        note: differs.first().and_then(|(_, record)| difference(record, right)),
        wrong,
    }
}

/// What tells machines apart: ids of one token are one.
fn machine(witness: &Witness) -> (Option<&str>, Option<WorkerId>) {
    match &witness.token {
        Some(token) => (Some(token), None),
        None => (None, Some(witness.worker)),
    }
}

/// How many of those with the same moves count against a machine with others: one for each principal, and every machine of
/// its own.
fn voices(alike: &[&Witness], against: &Witness) -> usize {
    let own = |witness: &Witness| witness.principal == against.principal;
    let voices = alike.iter().map(|witness| (&witness.principal, own(witness).then(|| machine(witness))));
    voices.collect::<HashSet<_>>().len()
}

/// Where two plays differ first, in moves or in the simulations and proofs that led to them.
fn difference(a: &PlayRecord, b: &PlayRecord) -> Option<String> {
    let (a, b) = (&a.record, &b.record);
    let moves = |text: &'_ str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (a_moves, b_moves) = (moves(&a.moves), moves(&b.moves));
    let shown = |moves: &[String], sims: &[u64], claim: &[Claim], index: usize| {
        let proof = match claim.get(index) {
            None | Some(Claim::None) => String::new(),
            Some(claim) => format!(" and the proof {claim:?}"),
        };
        match (moves.get(index), sims.get(index)) {
            (Some(cell), Some(sims)) => format!("{cell} after {sims} simulations{proof}"),
            (Some(cell), None) => cell.clone(),
            (None, _) => "the end".to_owned(),
        }
    };
    // A move may have fewer simulations than its budget where something was proved: so proofs are compared, too.
    let at = |moves: &[String], record: &MoveColumns, index: usize| {
        (moves.get(index).cloned(), record.sims.get(index).copied(), record.claim.get(index).copied())
    };
    let index = (0..a_moves.len().max(b_moves.len()))
        .find(|&index| at(&a_moves, a, index) != at(&b_moves, b, index))?;
    let first = shown(&a_moves, &a.sims, &a.claim, index);
    let second = shown(&b_moves, &b.sims, &b.claim, index);
    Some(format!("move {} after the opening was {first}, then {second}", index + 1))
}

/// Puts a machine in quarantine, and all others of its token, takes their leases back, and notes that; gives whether it was
/// not there before.
pub(crate) async fn quarantine(
    books: &mut Books<'_>,
    (worker, name): (WorkerId, &str),
    why: &str,
    who: &str,
) -> Result<bool, StoreError> {
    if books.tx().quarantine(worker).await?.is_some() {
        return Ok(false);
    }
    tracing::error!(worker.id = %worker, worker.name = name, "a machine is in quarantine: {why}. `gauntlet fleet release` \
        takes it back");
    books.tx().set_quarantine(worker, Some(why)).await?;
    take_all_back(books, worker).await?;
    follow_quarantine(books, worker).await?;
    let now_ms = books.now_ms;
    books.tx().note_change(who, ("quarantine", &format!("machine {name} ({worker})"), why), now_ms).await?;
    Ok(true)
}

/// Puts all machines of a worker's token in quarantine if one of them is; gives whether they are. A machine escapes neither
/// with another id nor with another token.
pub(crate) async fn follow_quarantine(books: &mut Books<'_>, worker: WorkerId) -> Result<bool, StoreError> {
    let machines = books.tx().of_same_token(worker).await?;
    let Some(why) = machines.iter().find_map(|(_, _, why)| why.clone()) else { return Ok(false) };
    for (other, name, _) in machines.into_iter().filter(|(_, _, quarantine)| quarantine.is_none()) {
        tracing::error!(worker.id = %other, worker.name = name, "a machine is in quarantine with others of its token: {why}");
        books.tx().set_quarantine(other, Some(&why)).await?;
        take_all_back(books, other).await?;
    }
    Ok(true)
}

/// Takes a machine out of quarantine, and all others of its token, and puts back what they sent meanwhile; gives whether it
/// was in quarantine.
pub(crate) async fn release(
    books: &mut Books<'_>,
    (worker, name): (WorkerId, &str),
    who: &str,
) -> Result<bool, StoreError> {
    if books.tx().quarantine(worker).await?.is_none() {
        return Ok(false);
    }
    let mut kept = 0_u64;
    for (machine, _, _) in books.tx().of_same_token(worker).await? {
        books.tx().set_quarantine(machine, None).await?;
        for play in books.written().await?.plays_in_quarantine(machine).await? {
            ledger::restore(books, play).await?;
            kept += 1;
        }
    }
    let detail = format!("put back what it sent meanwhile: {}", counted(kept, "game"));
    let now_ms = books.now_ms;
    books.tx().note_change(who, ("release", &format!("machine {name} ({worker})"), &detail), now_ms).await?;
    Ok(true)
}

/// Stores a game that does not count before somebody puts it back, with the reason and who says so.
pub(crate) async fn keep_apart(
    books: &mut Books<'_>,
    play: &Play,
    record: &PlayRecord,
    why: (&str, &str),
) -> Result<(), StoreError> {
    let apart = Play { status: GameStatus::Superseded, ..*play };
    books.insert_play(&apart, record)?;
    books.written().await?.set_play_status(play.id, play.lease, GameStatus::Excluded, Some(why)).await
}
