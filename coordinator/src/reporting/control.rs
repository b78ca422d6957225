//! The state of the control: cells whose case is their baseline.

use crate::store::{StoreError, Tx};
use protocol::report::{ControlReport, Light};
use stats::PairCounts;

/// Judges all control cells together; none without complete pairs.
pub(crate) async fn control(tx: &mut Tx) -> Result<Option<ControlReport>, StoreError> {
    let cells = tx.control_cells().await?;
    let counts: Vec<PairCounts> = cells.iter().map(|cell| cell.counts).collect();
    Ok(stats::control(&counts).map(|found| {
        let worst = &cells[found.worst];
        let worst =
            format!("{} on size {} with {} per move", worst.label, worst.spec.size, worst.spec.budget);
        ControlReport {
            light: match found.light {
                stats::Light::Green => Light::Green,
                stats::Light::Amber => Light::Amber,
                stats::Light::Red => Light::Red,
            },
            words: found.words(&worst),
            cells: found.cells,
            pairs: found.pairs,
            rate: found.rate,
            log_e_value: found.log_e_value,
        }
    }))
}
