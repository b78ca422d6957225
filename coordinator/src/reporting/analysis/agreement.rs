//! The agreement of cases that play the same openings with the same seeds.

use super::comparisons::openings;
use super::rows::Cell;
use crate::store::{StoreError, Tx};
use protocol::ids::CellId;
use stats::agreement;
use std::collections::HashMap;

/// The most pairs of cases whose scores are compared on a size. Each takes one statement.
const MOST_PAIRS: usize = 6;

/// Fills in the agreement of the cells that have the same baseline, budget, size and openings.
pub(super) async fn fill_in(tx: &mut Tx, cells: &mut [Cell<'_>]) -> Result<(), StoreError> {
    let mut groups: HashMap<CellId, Vec<usize>> = HashMap::new();
    for (place, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.row.case != cell.row.against) {
        groups.entry(openings(cell).id()).or_default().push(place);
    }
    for group in groups.into_values() {
        let mut joint = Vec::new();
        for (one, other) in chosen(&group) {
            joint.push(tx.joint_scores(cells[one].planned.cell, cells[other].planned.cell).await?);
        }
        let found = agreement(&joint);
        group.into_iter().for_each(|place| cells[place].row.agreement = found);
    }
    Ok(())
}

/// Pairs of members that are far from each other: neighbours in a sweep are more alike than others.
fn chosen(group: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let half = group.len() / 2;
    let all = group.len() - half;
    let step = all.div_ceil(MOST_PAIRS).max(1);
    (0..all).step_by(step).filter(move |_| half > 0).map(move |first| (group[first], group[first + half]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_are_compared_are_apart_and_few() {
        let of = |members: usize| chosen(&Vec::from_iter(0..members)).collect::<Vec<_>>();
        assert_eq!((of(0), of(1), of(2)), (vec![], vec![], vec![(0, 1)]));
        assert_eq!((of(3), of(4)), (vec![(0, 1), (1, 2)], vec![(0, 2), (1, 3)]));
        assert_eq!(of(150).len(), 6);
        assert!(of(150).iter().all(|(one, other)| other - one == 75));
    }
}
