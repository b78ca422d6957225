//! The pair that a stopping rule waits for, for people.

use super::circumstances::WhyContext;
use crate::clock::long;
use crate::scheduling::{longest_held_ms, pairs_behind};
use crate::store::{PairState, PlannedCellState, StoreError, Tx};
use protocol::ids::CellId;
use protocol::words::counted;

/// The pair that the rule of a cell waits for, its holder, since when, and what happens next. None if no rule waits.
pub(super) async fn awaited(
    tx: &mut Tx,
    (cell, place): (CellId, &PlannedCellState),
    now: &WhyContext,
) -> Result<Option<String>, StoreError> {
    let waits = place.stopping.filter(|stopping| !stopping.is_decided() && place.closed.is_none());
    let Some(read) = waits.map(|stopping| stopping.reading.counts.pairs()) else { return Ok(None) };
    let behind = place.done.unsigned_abs().saturating_sub(read);
    let is_full = place.state == "full";
    if behind == 0 && !is_full {
        return Ok(None);
    }
    let Some(pair) = tx.pair(cell, u32::try_from(read).unwrap_or(u32::MAX)).await? else { return Ok(None) };
    let experiment = &place.experiment;
    let (begin, later) =
        (format!("the stopping rule of `{experiment}` waits for pair {read}"), counted(behind, "later pair"));
    let Some((holder, since_ms, expected_us)) = tx.holder(cell, i64::from(pair.idx)).await? else {
        let next = match pair.state {
            PairState::Suspended(_) => "which was set aside: `gauntlet retry` releases it",
            _ => "which is given out again with the next lease of the cell",
        };
        return Ok(Some(format!("{begin}, {next}; {later} complete")));
    };
    let held = long((now.now_ms - since_ms).max(0));
    let next = if is_full {
        let longest_ms = longest_held_ms(now.overtaking, expected_us, pair.abandoned);
        format!("another machine without other work gets it once it was held for {}", long(longest_ms))
    } else {
        let most = pairs_behind(now.overtaking, place.in_flight - 1, pair.abandoned);
        format!("the next other machine gets it when about {most} are complete")
    };
    Ok(Some(format!(
        "{begin}, which `{holder}` has held for {held}; {later} complete; {next}, or when the lease ends"
    )))
}
