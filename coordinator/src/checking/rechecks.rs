//! Rechecks: games played again on another machine, and the consequences of a difference.
//!
//! Every play, delivered or imported, draws a number when it is stored, so that a machine cannot know the number while it plays.
//! Counted plays that drew less than the share of rechecks are rechecked. A recheck is stored beside the other plays and never
//! counts. If two machines had the same moves, these moves are right. If two plays differ, either may be wrong, so a third
//! machine plays the game; until then the play counts and is marked as disputed. A machine whose moves differ from those of two
//! others goes into quarantine: it gets no work, and its games are kept but do not count until a person releases it. A refuted
//! play is excluded, as people exclude plays, and its game is played once more.
//!
//! Votes count by principal, not by machine. All machines of one principal (see [`crate::principal`]) are one witness against a
//! machine of another principal. Against each other, the machines that joined with one code are separate witnesses, so that a
//! broken machine of a fleet is found although the whole fleet joined with one code. All ids of one token are one witness
//! everywhere.

use super::agreement::{PlayComparison, weigh};
use super::quarantine::quarantine;
use crate::log_sums::Event;
use crate::scheduling::{Grant, abandon_recheck, described, prior_us};
use crate::store::{
    BY_RECHECK, Checker, LeaseRow, LeaseState, Play, StoreError, Verdict, WantedRecheck, WriteBatch,
};
use crate::tally;
use crate::terms::alive_since;
use engine::side::Side;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::{Budget, Lease};

/// A play, by its game and its lease.
type PlayId = (GameId, LeaseId);

/// The most plays that wait for a recheck. Further drawn plays are taken later: the queue of a single machine, whose games no
/// other can recheck, would otherwise grow without bound.
const MOST_WAITING: i64 = 256;

/// Takes a `share` of the counted plays for rechecks: those that drew the lowest numbers. Plays of this group are taken by a
/// later call.
pub(crate) async fn choose(batch: &mut WriteBatch<'_>, share: f64) -> Result<(), StoreError> {
    let now_ms = batch.now_ms;
    let tx = batch.tx();
    if !tx.is_any_drawn(share).await? {
        return Ok(());
    }
    let room = MOST_WAITING - tx.waiting_rechecks(MOST_WAITING).await?;
    if room > 0 {
        let drawn = tx.drawn_plays(share, room).await?;
        tx.take_drawn(&drawn, engine::SEMANTICS, now_ms).await?;
    }
    Ok(())
}

/// Leases rechecks to a worker that has not played the games.
pub(crate) async fn grant(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    checker: &Checker<'_>,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let alive_ms = alive_since(batch.now_ms, grant.terms.sync_ms);
    while !grant.is_satisfied(leases) {
        let tx = batch.written().await?;
        let bounds = (alive_ms, grant.terms.most_failures);
        let Some(wanted) = tx.wanted_recheck(checker, engine::SEMANTICS, bounds).await? else {
            break;
        };
        let play = (wanted.game, wanted.lease);
        match lend(batch, wanted, grant, true).await? {
            Some(lease) => leases.push(lease),
            None => {
                let why = "its moves were deleted";
                batch.tx().decide_recheck(play, Verdict::GivenUp, Some(why)).await?;
            }
        }
    }
    Ok(())
}

/// Leases the recheck of a disputed play to a worker that has not played the game, also while another machine rechecks it. Gives
/// the lease of the play, too; none if there is no such dispute.
pub(crate) async fn lend_disputed(
    batch: &mut WriteBatch<'_>,
    game: GameId,
    grant: &Grant<'_>,
) -> Result<Option<(Lease, LeaseId)>, StoreError> {
    let tx = batch.written().await?;
    let Some(wanted) = tx.disputed_recheck(grant.worker, engine::SEMANTICS, game).await? else {
        return Ok(None);
    };
    let checked = wanted.lease;
    let lent = batch.tx().open_recheck((game, checked)).await?.flatten();
    if let Some(lent) = lent {
        revoke(batch, lent).await?;
    }
    Ok(lend(batch, wanted, grant, false).await?.map(|lease| (lease, checked)))
}

/// Ends the lease of a recheck that is no longer needed. If the lease holds another game, that game needs a recheck
/// again.
async fn revoke(batch: &mut WriteBatch<'_>, lent: LeaseId) -> Result<(), StoreError> {
    let Some(lease) = batch.lease(lent).await? else { return Ok(()) };
    batch.set_lease_state(lent, LeaseState::Revoked).await?;
    abandon_recheck(batch, &lease, None).await
}

/// Leases the recheck of a play. If `whole`, the lease holds both games of the pair, because a lease of one game would
/// reveal that it is a recheck. The other game is rechecked, too, if it was played under the same lease.
async fn lend(
    batch: &mut WriteBatch<'_>,
    wanted: WantedRecheck,
    grant: &Grant<'_>,
    whole: bool,
) -> Result<Option<Lease>, StoreError> {
    let WantedRecheck { game, lease: checked, cell, idx, case_side, spec, record, .. } = wanted;
    let Some(record) = record else { return Ok(None) };
    let id = LeaseId::random();
    let games = if whole && matches!(spec.budget, Budget::Sims(_)) { 2 } else { 1 };
    let new = grant.lease(id, (cell, idx), (spec.size, games), batch.now_ms);
    batch.put_lease(LeaseRow { rechecks: Some(checked), ..new });
    batch.written().await?.lend_recheck((game, checked), id).await?;
    let labels = (wanted.case_label, wanted.baseline_label);
    // With a budget in simulations the specification alone determines the game, and the lease looks like any other. So
    // a machine that makes fewer simulations than the budget is also found.
    let (sims, sides) = match spec.budget {
        Budget::Sims(_) if whole => {
            let other = GameId::of(cell, idx, case_side.other().index() as u8);
            let now_ms = batch.now_ms;
            batch.tx().lend_other_half((game, checked), other, id, now_ms).await?;
            (None, Side::BOTH.to_vec())
        }
        Budget::Sims(_) => (None, vec![case_side]),
        Budget::ReferenceSeconds(_) => (Some(record.record.sims), vec![case_side]),
    };
    let expected_us = prior_us(&spec, sides.len());
    let lease = described((id, grant.terms.lease_ms, expected_us), (cell, idx), &spec, labels, sides);
    Ok(Some(Lease { sims, ..lease }))
}

/// Stores the game of a recheck, and compares it with the play under the lease `checked`. The lease of the recheck may
/// be for the `whole` pair.
pub(crate) async fn take(
    batch: &mut WriteBatch<'_>,
    (play, record): (&Play, &PlayRecord),
    (checked, whole): (LeaseId, bool),
) -> Result<(), StoreError> {
    let now_ms = batch.now_ms;
    let again = Play { status: GameStatus::Superseded, ..*play };
    batch.insert_play(&again, record)?;
    let lease = batch.lease(play.lease).await?;
    let other = GameId::of(play.cell, play.idx, play.case_side.other().index() as u8);
    let complete = !whole || batch.has_play(other, play.lease).await?;
    if complete && lease.is_some_and(|lease| lease.state == LeaseState::Active) {
        batch.set_lease_state(play.lease, LeaseState::Finished).await?;
    }
    // A late result may find the play decided. It is still of use if another machine was asked meanwhile.
    let checked = (play.id, checked);
    let tx = batch.written().await?;
    let Some(lent) = tx.open_recheck(checked).await? else { return Ok(()) };
    let witnesses = tx.witnesses(checked).await?;
    let trusted = witnesses.iter().filter(|witness| !witness.quarantined || witness.lease == checked.1);
    match weigh(&trusted.collect::<Vec<_>>(), checked.1) {
        PlayComparison::Unknown => {
            if lent == Some(play.lease) {
                tx.unlend_recheck(checked).await?;
            }
        }
        PlayComparison::GivenUp(why) => tx.decide_recheck(checked, Verdict::GivenUp, Some(why)).await?,
        PlayComparison::Disputed(note) => {
            tx.dispute_recheck(checked, &note, now_ms).await?;
            tx.note_change(BY_RECHECK, ("dispute", &named(checked), &note), now_ms).await?;
            batch.log.note(Event::Disputed, play.worker, || format!("{}: {note}", named(checked)));
        }
        PlayComparison::Decided { agreed, wrong, note } => {
            let verdict = if agreed { Verdict::Agreed } else { Verdict::Refuted };
            tx.decide_recheck(checked, verdict, note.as_deref()).await?;
            let note = note.unwrap_or_default();
            if !agreed {
                refute(batch, checked, &note).await?;
            }
            for (worker, name) in wrong {
                let why = format!("{} had other moves on two other machines: {note}", named(checked));
                quarantine(batch, (worker, &name), &why, BY_RECHECK).await?;
            }
        }
    }
    if let Some(other) = lent.filter(|lent| *lent != play.lease) {
        revoke_decided(batch, checked, other).await?;
    }
    Ok(())
}

/// Ends the lease of a recheck when a late result of another machine has decided the play.
async fn revoke_decided(
    batch: &mut WriteBatch<'_>,
    checked: PlayId,
    lent: LeaseId,
) -> Result<(), StoreError> {
    if batch.tx().open_recheck(checked).await? != Some(Some(lent)) {
        revoke(batch, lent).await?;
    }
    Ok(())
}

fn named((game, lease): PlayId) -> String {
    format!("game {game} under lease {lease}")
}

/// Excludes a refuted play, unless it is excluded already.
async fn refute(batch: &mut WriteBatch<'_>, (game, lease): PlayId, note: &str) -> Result<(), StoreError> {
    let play = batch.written().await?.play(game, lease).await?;
    if play.is_some_and(|play| play.status == GameStatus::Counted) {
        let reason = format!("two other machines played it again, with other moves: {note}");
        tally::exclude(batch, (game, lease), (&reason, BY_RECHECK)).await?;
        let now_ms = batch.now_ms;
        batch.tx().note_change(BY_RECHECK, ("exclude", &named((game, lease)), &reason), now_ms).await?;
    }
    Ok(())
}
