//! Adjudication of a dispute by hand: a trusted person replays the game where the database is.
//!
//! That person counts as one more machine: the play is judged, stored and compared like that of a third worker, and
//! nothing is decided unless two machines had the same moves.

use crate::checking::rechecks;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::intake::judge;
use crate::principal::Principal;
use crate::scheduling::Grant;
use crate::store::{Capabilities, Verdict, WriteBatch};
use crate::writer::changing;
use protocol::ids::{GameId, LeaseId, WorkerId};
use protocol::lease::Lease;
use protocol::result::FinishedGame;

/// A disputed game, leased to the person who replays it.
#[derive(Debug)]
pub struct Dispute {
    /// The lease, of one game.
    pub lease: Lease,
    /// The lease of the play under check.
    checked: LeaseId,
    worker: WorkerId,
}

/// The outcome of an adjudication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjudication {
    /// The counted play is right. The machines with other moves are in quarantine.
    Agreed {
        /// Where the others first differed, if that was noted.
        note: String,
    },
    /// The counted play is wrong. It is excluded, and its machine is in quarantine.
    Refuted {
        /// Where it first differed.
        note: String,
    },
    /// The moves differ again, so nothing is decided.
    Open {
        /// Where the plays first differ.
        note: String,
    },
}

impl Coordinator {
    /// Leases the game of a dispute to `who`, who plays it and passes it to [`Coordinator::adjudicate`]. Another
    /// machine that rechecks the game need not go on.
    ///
    /// # Errors
    /// When there is no such dispute, `who` has played the game already, or the database fails.
    pub fn lend_disputed(
        &self,
        game: GameId,
        who: &str,
    ) -> BoxFuture<'static, Result<Dispute, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            // All replays by one person count as those of one machine.
            let worker = WorkerId::of_hand(&who);
            let terms = inner.terms.clone();
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.put_hand(worker, &who, now_ms).await?;
                    let capabilities = Capabilities { sizes: i64::MAX, memory_mib: i64::MAX };
                    let mut batch = WriteBatch::new(tx, now_ms);
                    let principal = Principal::of_worker(worker);
                    let grant = Grant {
                        worker,
                        principal: &principal,
                        call: 0,
                        want: 1,
                        ahead: None,
                        capabilities,
                        terms: &terms,
                    };
                    let lent = rechecks::lend_disputed(&mut batch, game, &grant).await?;
                    batch.written().await?;
                    if let Some((lease, _)) = &lent {
                        let detail = format!("played again by hand, under lease {}", lease.id);
                        tx.note_change(&who, ("settle", &format!("game {game}"), &detail), now_ms).await?;
                    }
                    Ok(lent)
                })
            });
            let lent = inner.writer.change(change).await?;
            let (lease, checked) = lent.ok_or_else(|| {
                CoordinatorError::Refused(format!(
                    "there is no dispute about game {game} that you can settle: no two machines differ over it, the \
                     dispute was decided, or you have played the game already"
                ))
            })?;
            Ok(Dispute { lease, checked, worker })
        })
    }

    /// Stores the play of a disputed game, and decides if it agrees with another.
    ///
    /// # Errors
    /// When it is no game of that lease, or the database fails.
    pub fn adjudicate(
        &self,
        dispute: &Dispute,
        played: FinishedGame,
    ) -> BoxFuture<'static, Result<Adjudication, CoordinatorError>> {
        let inner = self.inner.clone();
        let Dispute { ref lease, checked, worker } = *dispute;
        let lease = lease.id;
        Box::pin(async move {
            let leased = inner.store.intake_conn().await?.leased_cells(&[lease]).await?;
            let judged = judge(&played, worker, leased.get(&played.lease));
            let (play, record) = judged.map_err(|why| CoordinatorError::Refused(why.to_string()))?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let mut batch = WriteBatch::new(tx, now_ms);
                    if !batch.has_play(play.id, play.lease).await? {
                        rechecks::take(&mut batch, (&play, &record), (checked, false)).await?;
                    }
                    batch.written().await?.recheck_verdict((play.id, checked)).await
                })
            });
            let (verdict, note) = inner.writer.change(change).await?;
            Ok(match verdict {
                Some(Verdict::Agreed) => Adjudication::Agreed { note },
                Some(Verdict::Refuted) => Adjudication::Refuted { note },
                Some(Verdict::GivenUp) | None => Adjudication::Open { note },
            })
        })
    }
}
