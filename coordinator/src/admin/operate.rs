//! What people change by hand. Every change is noted with the name of whoever made it.

use crate::access::id_of;
use crate::admission::{QUESTION, check_given, check_signed, check_text};
use crate::checking::quarantine;
use crate::coordinator::{Boxed, Coordinator};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{StoreError, Tx, WorkerRow, WriteBatch};
use crate::writer::changing;
use crate::{scheduling, tally};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};
use protocol::operate::{AuditEntry, AuditPage, Directed, DirectiveRequest, Machines, QuarantineRequest};
use protocol::report::Retried;
use protocol::sync::Directive;
use protocol::words::counted;
use std::collections::BTreeSet;

/// Changes in a page at most.
const LARGEST_PAGE: u32 = 1_000;

impl Coordinator {
    /// Takes a stored play out of the results, for `reason` and in the name of `who`: that of `lease`, or the counted
    /// one. It is kept, its game is played again, and [`Coordinator::restore`] undoes it.
    ///
    /// # Errors
    /// When there is no such play, a text is empty or too long, or the database fails.
    pub fn exclude(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        reason: &str,
        who: &str,
    ) -> Boxed<'static, Result<(), CoordinatorError>> {
        let coordinator = self.clone();
        let checked = check_signed(reason, who).map(|()| (reason.to_owned(), who.to_owned()));
        Box::pin(async move {
            let (reason, who) = checked?;
            let lease = coordinator.which_play(game, lease, GameStatus::Counted).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let mut batch = WriteBatch::new(tx, now_ms);
                    let done = tally::exclude(&mut batch, (game, lease), (&reason, &who)).await?;
                    if done {
                        let what = format!("game {game} under lease {lease}");
                        tx.note_change(&who, ("exclude", &what, &reason), now_ms).await?;
                    }
                    Ok(done)
                })
            });
            let done = coordinator.inner.writer.change(change).await?;
            if done { Ok(()) } else { Err(no_play(game, lease)) }
        })
    }

    /// Puts an excluded play back in the name of `who`: that of `lease`, or the only excluded one. It counts again
    /// unless another play of its game was counted meanwhile: gives what became of it.
    ///
    /// # Errors
    /// When there is no such play, or the database fails.
    pub fn restore(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        who: &str,
    ) -> Boxed<'static, Result<GameStatus, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        Box::pin(async move {
            let lease = coordinator.which_play(game, lease, GameStatus::Excluded).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let status = tally::restore(&mut WriteBatch::new(tx, now_ms), (game, lease)).await?;
                    if let Some(status) = status {
                        let what = format!("game {game} under lease {lease}");
                        tx.note_change(&who, ("restore", &what, &format!("now {status}")), now_ms).await?;
                    }
                    Ok(status)
                })
            });
            let status = coordinator.inner.writer.change(change).await?;
            status.ok_or_else(|| no_play(game, lease))
        })
    }

    /// The play of a game that is meant: the one named, or the only one with this status.
    async fn which_play(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        status: GameStatus,
    ) -> Result<LeaseId, CoordinatorError> {
        if let Some(lease) = lease {
            return Ok(lease);
        }
        let plays = self.inner.store.read().await?.play_statuses(game).await?;
        let fitting: Vec<LeaseId> =
            plays.iter().filter(|(_, found)| *found == status).map(|(lease, _)| *lease).collect();
        match fitting[..] {
            [lease] => Ok(lease),
            _ if plays.is_empty() => Err(CoordinatorError::NotFound { kind: "game", key: game.to_string() }),
            _ => {
                let list: Vec<String> =
                    plays.iter().map(|(lease, found)| format!("{lease} ({found})")).collect();
                Err(CoordinatorError::Refused(format!(
                    "game {game} has {} {status} plays: name one by its lease, of {}",
                    fitting.len(),
                    list.join(", ")
                )))
            }
        }
    }

    /// Hands out again what was set aside of an experiment's pairs, as if they had never failed.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn retry(&self, key: &str, who: &str) -> Boxed<'static, Result<Retried, CoordinatorError>> {
        let (inner, key, who) = (self.inner.clone(), key.to_owned(), who.to_owned());
        Box::pin(async move {
            let row = reporting::find(&mut inner.store.read().await?, &key).await?;
            let row = row.ok_or(CoordinatorError::NotFound { kind: "experiment", key })?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let pairs = scheduling::retry(&mut WriteBatch::new(tx, now_ms), row.id).await?;
                    if pairs > 0 {
                        let detail = format!("{} set aside, handed out again", counted(pairs, "pair"));
                        tx.note_change(&who, ("retry", &row.name, &detail), now_ms).await?;
                    }
                    Ok(pairs)
                })
            });
            Ok(Retried { pairs: inner.writer.change(change).await? })
        })
    }

    /// Tells machines what to do from their next call on; gives their number.
    ///
    /// # Errors
    /// When there are none, or the database fails.
    pub fn direct(
        &self,
        request: DirectiveRequest,
        who: &str,
    ) -> Boxed<'static, Result<Directed, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            let DirectiveRequest { machines, directive } = request;
            let meant = machines.clone();
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let mut told = 0;
                    for worker in tx.workers().await? {
                        if is_meant(&machines, &worker) {
                            tx.set_directive(worker.id, directive).await?;
                            told += 1;
                        }
                    }
                    if told > 0 {
                        let detail = format!("{} told", counted(told, "machine"));
                        let action = match directive {
                            Directive::Work => "resume".to_owned(),
                            order => order.to_string(),
                        };
                        tx.note_change(&who, (&action, &machines.to_string(), &detail), now_ms).await?;
                    }
                    Ok(told)
                })
            });
            match inner.writer.change(change).await? {
                0 => Err(nobody(&mut inner.store.read().await?, &meant).await?),
                machines => Ok(Directed { machines }),
            }
        })
    }

    /// Puts machines in quarantine, with the reason, or releases them; gives the number of those for which that is a
    /// change.
    ///
    /// # Errors
    /// When there are none, the reason is empty or too long, or the database fails.
    pub fn quarantine(
        &self,
        request: QuarantineRequest,
        who: &str,
    ) -> Boxed<'static, Result<Directed, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        let checked = request.why.as_deref().map_or(Ok(()), |why| {
            check_text("the reason", why, QUESTION).and_then(|()| check_given("the reason", why))
        });
        Box::pin(async move {
            checked?;
            let QuarantineRequest { machines, why } = request;
            let wanted = machines.clone();
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let (mut meant, mut changed) = (0, 0);
                    let rows = tx.workers().await?;
                    let mut batch = WriteBatch::new(tx, now_ms);
                    for row in rows.iter().filter(|row| is_meant(&machines, row)) {
                        let worker = (row.id, row.name.as_str());
                        meant += 1;
                        changed += u64::from(match &why {
                            Some(why) => quarantine::quarantine(&mut batch, worker, why, &who).await?,
                            None => quarantine::release(&mut batch, worker, &who).await?,
                        });
                    }
                    batch.written().await?;
                    Ok((meant, changed))
                })
            });
            match inner.writer.change(change).await? {
                (0, _) => Err(nobody(&mut inner.store.read().await?, &wanted).await?),
                (_, machines) => Ok(Directed { machines }),
            }
        })
    }

    /// Changes made by hand before number `before`, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn audit(
        &self,
        before: Option<i64>,
        limit: u32,
    ) -> Boxed<'static, Result<AuditPage, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let limit = limit.clamp(1, LARGEST_PAGE);
            let mut tx = inner.store.read().await?;
            let rows = tx.changes_noted(before.unwrap_or(i64::MAX), i64::from(limit)).await?;
            let next =
                rows.last().filter(|row| rows.len() == limit as usize && row.seq > 1).map(|row| row.seq);
            let entries = rows.into_iter().map(|row| AuditEntry {
                seq: row.seq,
                at_ms: row.at_ms,
                who: row.who,
                action: row.action,
                what: row.what,
                detail: row.detail,
            });
            Ok(AuditPage { entries: entries.collect(), next })
        })
    }
}

pub(crate) fn is_meant(machines: &Machines, worker: &WorkerRow) -> bool {
    match machines {
        Machines::All => true,
        Machines::Label(label) => worker.labels.contains(label),
        Machines::Named(key) => worker.id.to_string() == *key || worker.name == *key,
        Machines::Token(key) => worker.token.as_deref().is_some_and(|token| id_of(token) == *key),
    }
}

/// Machines that an error names at most.
const NAMED: usize = 10;

/// What to say when no machine is meant, with the names or labels there are.
pub(crate) async fn nobody(tx: &mut Tx, machines: &Machines) -> Result<CoordinatorError, StoreError> {
    let workers = tx.workers().await?;
    let (missing, known): (_, BTreeSet<&str>) = match machines {
        Machines::All => return Ok(CoordinatorError::Nobody("there is no worker yet".to_owned())),
        Machines::Named(name) => (
            format!("no worker is called `{name}`"),
            workers.iter().map(|worker| worker.name.as_str()).collect(),
        ),
        Machines::Label(label) => (
            format!("no worker has the label `{label}`"),
            workers.iter().flat_map(|worker| worker.labels.iter().map(String::as_str)).collect(),
        ),
        Machines::Token(id) => {
            return Ok(CoordinatorError::Nobody(format!(
                "no worker belongs to the token `{id}`; `gauntlet token list` shows the ids of tokens"
            )));
        }
    };
    let more = known.len().saturating_sub(NAMED);
    let mut list: Vec<&str> = known.into_iter().take(NAMED).collect();
    let rest = format!("{more} more");
    if more > 0 {
        list.push(&rest);
    }
    let known =
        if list.is_empty() { "there is none".to_owned() } else { format!("there are: {}", list.join(", ")) };
    Ok(CoordinatorError::Nobody(format!("{missing}; {known}")))
}

fn no_play(game: GameId, lease: LeaseId) -> CoordinatorError {
    CoordinatorError::NotFound { kind: "play", key: format!("{game} under lease {lease}") }
}
