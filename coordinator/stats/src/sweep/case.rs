//! A case of a sweep.

use super::cell::Cell;
use crate::estimate::RateEstimate;

/// A case with its cells.
pub(super) struct Case<'a> {
    pub(super) name: &'a str,
    pub(super) cells: Vec<Cell<'a>>,
    /// The average over the sizes of the case.
    pub(super) average: RateEstimate,
    /// The average over all sizes of the field, without the variance of common luck.
    pub(super) apart: RateEstimate,
    /// That average with the variance that it has if all cases are equal.
    pub(super) equal: RateEstimate,
}

impl<'a> Case<'a> {
    pub(super) fn on(&self, size: u8) -> Option<&Cell<'a>> {
        self.cells.iter().find(|cell| cell.row.size == size)
    }

    /// Complete pairs on all sizes.
    pub(super) fn pairs(&self) -> f64 {
        self.cells.iter().map(Cell::pairs).sum()
    }
}
