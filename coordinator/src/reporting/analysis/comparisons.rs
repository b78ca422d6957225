//! Comparisons of the best cases with the next ones, by their common openings.

use super::rows::Cell;
use crate::store::{StoreError, Tx};
use protocol::analysis::Comparison;
use protocol::experiment::CellSpec;
use protocol::lease::ParamSet;
use stats::sweep::{Field, SweepAnalysis};
use stats::{best_p_value, paired_difference};

/// The most cases with which the best one of a field is compared. Each takes one statement for every size.
const MOST_CASES: usize = 10;

/// The most fields with comparisons.
const MOST_FIELDS: usize = 4;

/// Compares the best case of each field with the next ones.
pub(super) async fn comparisons(
    tx: &mut Tx,
    sweep: &SweepAnalysis,
    cells: &[Cell<'_>],
) -> Result<Vec<Comparison>, StoreError> {
    let mut comparisons = Vec::new();
    for field in sweep.fields.iter().take(MOST_FIELDS) {
        let Some((best, others)) = field.cases.split_first() else { continue };
        for other in others.iter().take(MOST_CASES) {
            comparisons.extend(compare(tx, field, cells, (&best.case, &other.case)).await?);
        }
    }
    Ok(comparisons)
}

/// Compares two cases of a field; none without common openings.
async fn compare(
    tx: &mut Tx,
    field: &Field,
    cells: &[Cell<'_>],
    (best, case): (&str, &str),
) -> Result<Option<Comparison>, StoreError> {
    let of = |name: &str| -> Vec<&Cell> {
        let same = |cell: &&Cell| {
            (cell.row.case.as_str(), &cell.row.against, &cell.row.budget)
                == (name, &field.against, &field.budget)
        };
        cells.iter().filter(same).collect()
    };
    let others = of(case);
    let mut sizes = Vec::new();
    for one in of(best) {
        let Some(other) = others.iter().find(|other| openings(one) == openings(other)) else { continue };
        let joint = tx.joint_scores(one.planned.cell, other.planned.cell).await?;
        if joint.iter().flatten().sum::<u64>() > 1 {
            sizes.push((joint, one.row.weight));
        }
    }
    Ok(paired_difference(&sizes).map(|paired| Comparison {
        against: field.against.clone(),
        budget: field.budget.clone(),
        best: best.to_owned(),
        case: case.to_owned(),
        sizes: sizes.len() as u32,
        adjusted_p_value: best_p_value(paired.p_value, paired.difference > 0.0, field.cases.len()),
        paired,
    }))
}

/// The specification of a cell's games without the case: cells with the same one have common openings.
pub(super) fn openings(cell: &Cell<'_>) -> CellSpec {
    CellSpec { case: ParamSet::default(), ..cell.planned.spec.clone() }
}
