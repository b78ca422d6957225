//! Pairs that a stopping rule waits for while later pairs are played in vain.
//!
//! A rule reads the pairs of a cell in their order. A machine that holds one pair keeps the rule waiting, and every pair that others
//! complete meanwhile may be one that the rule does not need. So a pair that many later ones have overtaken goes to another machine.
//! Its seed is fixed, so both machines play the same game where the budget is in simulations; the first result counts.

use super::ending::take_let_go;
use super::let_go::Machine;
use crate::store::{Candidate, Counters, LeaseState, PairRow, PairState, StoreError, WriteBatch};

/// Complete pairs behind the one that a rule waits for, before another machine may get that one.
const OVERTAKING: i64 = 16;

/// As many more for each pair of the cell that other machines play at the same time: while a machine plays a pair, each of them
/// completes about one.
const OVERTAKING_EACH: i64 = 4;

/// Takes back the pair that the cell's stopping rule waits for, if its holder was overtaken; gives the pair. Each time that it was
/// let go doubles, trebles and so on what is played meanwhile, and a machine that let it go does not get it back.
pub(super) async fn overtaken(
    batch: &mut WriteBatch<'_>,
    candidate: &Candidate,
    counters: Counters,
    (worker, _): Machine<'_>,
) -> Result<Option<PairRow>, StoreError> {
    let Some(read) = candidate.pairs_read else { return Ok(None) };
    let behind = counters.pairs_done - read;
    if behind < OVERTAKING {
        return Ok(None);
    }
    let idx = u32::try_from(read).map_err(StoreError::unreadable("experiment_cell.stop_ll"))?;
    let Some(pair) = batch.pair(candidate.cell, idx).await? else { return Ok(None) };
    let PairState::Leased(lease) = pair.state else { return Ok(None) };
    let Some(lease) = batch.lease(lease).await?.filter(|lease| lease.worker != worker) else {
        return Ok(None);
    };
    let held = batch.active_leases(lease.worker).await?;
    let held = held.iter().filter(|held| held.cell == candidate.cell && held.rechecks.is_none()).count();
    let others = (counters.pairs_in_flight - held as i64).max(0);
    if behind < (OVERTAKING + OVERTAKING_EACH * others).saturating_mul(1 + pair.let_go) {
        return Ok(None);
    }
    let let_go = batch.written().await?.let_go_by(candidate.cell, idx).await?;
    if let_go.iter().any(|note| note.worker == worker) {
        return Ok(None);
    }
    tracing::info!(lease.id = %lease.id, worker.id = %lease.worker, cell.id = %candidate.cell, "pair {idx} goes to another \
        machine: {behind} later pairs of its cell are complete, and the stopping rule waits for it");
    take_let_go(batch, &lease, LeaseState::Revoked).await?;
    let pair = batch.pair(candidate.cell, idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Open))
}
