//! A dispute settled by hand: somebody who is trusted plays the game again where the database is.
//!
//! Whoever does is a machine like any other in what follows: its play is judged, stored and compared as a third
//! worker's is, and nothing is decided unless two had the same moves.

use crate::checking::rechecks;
use crate::coordinator::{Boxed, Coordinator};
use crate::error::CoordinatorError;
use crate::intake::judge;
use crate::principal::Principal;
use crate::scheduling::Grant;
use crate::store::{Capabilities, Verdict, WriteBatch};
use crate::writer::changing;
use protocol::ids::{GameId, LeaseId, WorkerId};
use protocol::lease::Lease;
use protocol::result::FinishedGame;

/// A disputed game, lent to whoever settles it.
#[derive(Debug)]
pub struct Dispute {
    /// What there is to play: one game.
    pub lease: Lease,
    /// The play under check, by its lease.
    checked: LeaseId,
    worker: WorkerId,
}

/// What became of a dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjudication {
    /// The counted play is right: those who had other moves are in quarantine.
    Agreed {
        /// Where the others first differed, if that was noted.
        note: String,
    },
    /// The counted play is wrong: it is taken out, and its machine in quarantine.
    Refuted {
        /// Where it first differed.
        note: String,
    },
    /// The moves were others again, and nobody was right yet.
    Open {
        /// Where the plays first differ.
        note: String,
    },
}

impl Coordinator {
    /// Lends the game of a dispute to `who`, who plays it and gives it to [`Coordinator::adjudicate`]. A machine that
    /// plays it again meanwhile need not go on.
    ///
    /// # Errors
    /// When there is no such dispute, `who` has played the game already, or the database fails.
    pub fn lend_disputed(
        &self,
        game: GameId,
        who: &str,
    ) -> Boxed<'static, Result<Dispute, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            // The same person at the same machine is one witness, however often.
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
                    "there is no dispute about game {game} that you can settle: no two machines are at odds over it, it \
                     was decided, or you have played it already"
                ))
            })?;
            Ok(Dispute { lease, checked, worker })
        })
    }

    /// Takes the play of a disputed game, and decides if it agrees with another.
    ///
    /// # Errors
    /// When it is no game of that lease, or the database fails.
    pub fn adjudicate(
        &self,
        dispute: &Dispute,
        played: FinishedGame,
    ) -> Boxed<'static, Result<Adjudication, CoordinatorError>> {
        let inner = self.inner.clone();
        let Dispute { ref lease, checked, worker } = *dispute;
        let lease = lease.id;
        Box::pin(async move {
            let leased = inner.store.look().await?.leased_cells(&[lease]).await?;
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
