//! The results of rechecks: all plays of a game, and the verdict.

use super::games::read_record;
use super::sql::{Columns, execute, row, rows};
use super::workers::IMPORTED;
use super::{StoreError, Tx};
use crate::principal::Principal;
use protocol::games::PlayRecord;
use protocol::ids::{GameId, LeaseId, WorkerId};

/// The author of decisions by comparison of games.
pub(crate) const BY_RECHECK: &str = "coordinator: replay";

/// The final verdict on a play under check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Another machine had the same moves.
    Agreed,
    /// Two other machines agree on other moves.
    Refuted,
    /// It cannot be compared.
    GivenUp,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Agreed => "agreed",
            Verdict::Refuted => "refuted",
            Verdict::GivenUp => "given_up",
        }
    }
}

/// A play of a game under check: the counted one, or a recheck.
#[derive(Debug, Clone)]
pub(crate) struct Witness {
    pub(crate) lease: LeaseId,
    pub(crate) worker: WorkerId,
    pub(crate) worker_name: String,
    /// The principal of its machine.
    pub(crate) principal: Principal,
    /// Distinguishes the machines of one principal: the token, if one is known.
    pub(crate) token: Option<String>,
    /// Whether its machine is in quarantine.
    pub(crate) quarantined: bool,
    /// Whether its machine never called here: its games were imported.
    pub(crate) imported: bool,
    /// None after the moves were dropped.
    pub(crate) record: Option<PlayRecord>,
}

/// The numbers of plays in each state, for `/metrics` and for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RecheckCounts {
    /// Waiting for a machine, or being rechecked.
    pub(crate) open: u64,
    /// Those of them that differed once and wait for a third machine.
    pub(crate) disputed: u64,
    pub(crate) agreed: u64,
    pub(crate) refuted: u64,
    pub(crate) given_up: u64,
}

impl Tx {
    /// The verdict on a play, if there is one, and where the play differed from another.
    pub(crate) async fn recheck_verdict(
        &mut self,
        (game, lease): (GameId, LeaseId),
    ) -> Result<(Option<Verdict>, String), StoreError> {
        let found = row!(
            &mut *self,
            |row| Ok((row.text("state")?, row.maybe_text("note")?)),
            "SELECT state, note FROM replay WHERE game = $1 AND lease = $2",
            game.0,
            lease.0,
        )?;
        let (state, note) = found.ok_or(StoreError::Null("replay"))?;
        let verdicts = [Verdict::Agreed, Verdict::Refuted, Verdict::GivenUp];
        let verdict = match state.as_str() {
            "wanted" | "lent" => None,
            state => Some(
                verdicts
                    .into_iter()
                    .find(|verdict| verdict.name() == state)
                    .ok_or_else(|| StoreError::unreadable("replay.state")(state))?,
            ),
        };
        Ok((verdict, note.unwrap_or_default()))
    }

    /// The lease of the present recheck of a play. The inner `None` means that no machine rechecks it now; the outer, that it is
    /// not under check or was decided.
    pub(crate) async fn open_recheck(
        &mut self,
        (game, lease): (GameId, LeaseId),
    ) -> Result<Option<Option<LeaseId>>, StoreError> {
        row!(
            &mut *self,
            |row| Ok(row.maybe_uuid("lent")?.map(LeaseId)),
            "SELECT lent FROM replay WHERE game = $1 AND lease = $2 AND state IN ('wanted', 'lent')",
            game.0,
            lease.0,
        )
    }

    /// The play under check and its rechecks, in the order of arrival.
    pub(crate) async fn witnesses(
        &mut self,
        (game, lease): (GameId, LeaseId),
    ) -> Result<Vec<Witness>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(Witness {
                lease: LeaseId(row.uuid("lease")?),
                worker: WorkerId(row.uuid("worker")?),
                worker_name: row.text("name")?,
                principal: Principal::read(row.maybe_text("principal")?, WorkerId(row.uuid("worker")?)),
                token: row.maybe_text("token")?,
                quarantined: row.maybe_text("quarantine")?.is_some(),
                imported: row.text("version")? == IMPORTED,
                record: read_record(row)?,
            }),
            "SELECT game.lease, game.worker, game.record, worker.name, worker.principal, worker.token, worker.quarantine, worker.version FROM game \
             JOIN lease ON lease.id = game.lease JOIN worker ON worker.id = game.worker \
             WHERE game.id = $1 AND (game.lease = $2 OR lease.replays = $2) ORDER BY game.received_ms, game.lease",
            game.0,
            lease.0,
        )
    }

    /// Stores the verdict on a play.
    pub(crate) async fn decide_recheck(
        &mut self,
        (game, lease): (GameId, LeaseId),
        verdict: Verdict,
        note: Option<&str>,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE replay SET state = $3, lent = NULL, note = COALESCE($4, note) WHERE game = $1 AND lease = $2",
            game.0,
            lease.0,
            verdict.name(),
            note,
        )?;
        Ok(())
    }

    /// Notes that moves differed, so that a third machine rechecks the game.
    pub(crate) async fn dispute_recheck(
        &mut self,
        (game, lease): (GameId, LeaseId),
        note: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE replay SET state = 'wanted', lent = NULL, disputed_ms = COALESCE(disputed_ms, $3), note = $4 \
             WHERE game = $1 AND lease = $2",
            game.0,
            lease.0,
            now_ms,
            note,
        )?;
        Ok(())
    }

    /// The numbers of a worker's plays, or of all, in each state.
    pub(crate) async fn recheck_counts(
        &mut self,
        worker: Option<WorkerId>,
    ) -> Result<RecheckCounts, StoreError> {
        let read = |row: &dyn Columns| Ok((row.text("state")?, row.count("plays")?, row.count("disputed")?));
        let found = match worker {
            None => rows!(
                &mut *self,
                read,
                "SELECT state, COUNT(*) AS plays, COUNT(disputed_ms) AS disputed FROM replay GROUP BY state",
            )?,
            Some(worker) => rows!(
                &mut *self,
                read,
                "SELECT state, COUNT(*) AS plays, COUNT(disputed_ms) AS disputed FROM replay WHERE worker = $1 \
                 GROUP BY state",
                worker.0,
            )?,
        };
        let mut counts = RecheckCounts::default();
        for (state, plays, disputed) in found {
            match state.as_str() {
                "agreed" => counts.agreed = plays,
                "refuted" => counts.refuted = plays,
                "given_up" => counts.given_up = plays,
                "wanted" | "lent" => {
                    counts.open += plays;
                    counts.disputed += disputed;
                }
                other => return Err(StoreError::unreadable("replay.state")(other)),
            }
        }
        Ok(counts)
    }
}
