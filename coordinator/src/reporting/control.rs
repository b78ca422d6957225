//! The state of the control: cells whose case is their baseline.

use super::browse::about::{CellAbout, CellNameCache};
use super::plans::point;
use crate::store::{StoreError, Tx};
use protocol::report::{ControlCell, ControlPage, ControlReport, Light};

/// All control cells with their results, and the judgement of all together.
pub(crate) async fn control_page(tx: &mut Tx) -> Result<ControlPage, StoreError> {
    let rows = tx.control_cells().await?;
    let ids: Vec<_> = rows.iter().map(|row| row.cell).collect();
    let mut counters = tx.counters_of_cells(&ids).await?;
    let mut about = CellNameCache::default();
    about.read(tx, ids).await?;
    let mut cells = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(counters) = counters.remove(&row.cell) else { continue };
        let planned = (row.cell, row.spec.size, counters.pairs_started.unsigned_abs());
        cells.push(ControlCell {
            label: row.label,
            budget: row.spec.budget,
            experiments: about.get(row.cell).map(CellAbout::experiments).unwrap_or_default(),
            point: point(planned, &counters, (None, false))?,
        });
    }
    Ok(ControlPage { control: control(tx).await?, cells })
}

/// Judges all control cells together; none without complete pairs.
pub(crate) async fn control(tx: &mut Tx) -> Result<Option<ControlReport>, StoreError> {
    let cells = tx.control_cells().await?;
    let counters = tx.counters_of_cells(&cells.iter().map(|cell| cell.cell).collect::<Vec<_>>()).await?;
    let counts: Vec<_> = cells
        .iter()
        .map(|cell| counters.get(&cell.cell).copied().unwrap_or_default())
        .map(|counters| (counters.complete(), counters.unfinished()))
        .collect();
    Ok(stats::control(&counts).map(|found| {
        let worst = &cells[found.worst];
        let worst = format!(
            "{} on size {} with {} per move",
            worst.label,
            worst.spec.size,
            worst.spec.budget.words()
        );
        ControlReport {
            light: match found.light {
                stats::TrafficLight::Grey => Light::Grey,
                stats::TrafficLight::Green => Light::Green,
                stats::TrafficLight::Amber => Light::Amber,
                stats::TrafficLight::Red => Light::Red,
            },
            words: found.words(&worst),
            cells: found.cells,
            pairs: found.pairs,
            rate: found.rate,
            log_e_value: found.log_e_value,
        }
    }))
}
