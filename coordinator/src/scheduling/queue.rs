//! The cells with the highest priority, for one group of calls: read once, and kept in order while pairs are leased.

use crate::store::{Candidate, Capabilities, Counters, ExperimentFilter, StoreError, WriteBatch};
use protocol::ids::CellId;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

/// Cells in the order of [`mod@super::grant`].
///
/// A new lease can only move its cell further back. So the queue never needs to read more cells than pairs will be
/// leased.
pub(crate) struct Queue {
    filter: ExperimentFilter,
    /// Pairs that will be leased at most.
    most: i64,
    /// One line of cells for each set of capabilities.
    lines: HashMap<Capabilities, Line>,
    /// The counters of the cells in all lines, with the leases of this group.
    counters: HashMap<CellId, Counters>,
}

/// Cells, and their places by priority and tie-break. The priority is held as its bits, which sort like the number from
/// 0 on.
#[derive(Default)]
struct Line {
    cells: Vec<Arc<Candidate>>,
    places: BinaryHeap<Reverse<(u64, i64, usize)>>,
}

impl Queue {
    /// A queue of the experiments that pass the filter, from which at most `most` pairs are leased.
    pub(crate) fn new(filter: ExperimentFilter, most: i64) -> Self {
        Self { filter, most, lines: HashMap::new(), counters: HashMap::new() }
    }

    /// The counters of a cell, to be changed when one of its pairs is leased.
    pub(crate) fn counters(&mut self, candidate: &Candidate) -> &mut Counters {
        self.counters.entry(candidate.cell).or_insert(candidate.counters)
    }

    /// The first open cell that a worker with these `capabilities` can play and that is not `barred`.
    pub(crate) async fn next(
        &mut self,
        batch: &mut WriteBatch<'_>,
        capabilities: Capabilities,
        barred: &HashSet<CellId>,
    ) -> Result<Option<Arc<Candidate>>, StoreError> {
        loop {
            let next = self.next_in_line(batch, capabilities, barred).await?;
            let read = self.lines.get(&capabilities).map_or(0, |line| line.cells.len() as i64);
            if next.is_some() || barred.is_empty() || read < self.most {
                return Ok(next);
            }
            // Cells beyond those that were read may have a pair for this worker.
            self.most += self.most.max(barred.len() as i64);
            self.lines.remove(&capabilities);
        }
    }

    async fn next_in_line(
        &mut self,
        batch: &mut WriteBatch<'_>,
        capabilities: Capabilities,
        barred: &HashSet<CellId>,
    ) -> Result<Option<Arc<Candidate>>, StoreError> {
        if !self.lines.contains_key(&capabilities) {
            let cells = batch.next_cells(capabilities, &self.filter, self.most).await?;
            self.counters.extend(cells.iter().map(|cell| (cell.cell, cell.counters)));
            self.lines.insert(capabilities, Line::of(cells));
        }
        let Some(line) = self.lines.get_mut(&capabilities) else { return Ok(None) };
        let mut passed = Vec::new();
        let mut next = None;
        while let Some(Reverse((priority, tie_break, index))) = line.places.pop() {
            let candidate = &line.cells[index];
            if barred.contains(&candidate.cell) {
                passed.push(Reverse((priority, tie_break, index)));
                continue;
            }
            let taken = self.counters.get(&candidate.cell).map_or(candidate.pairs, Counters::pairs_taken);
            if taken >= candidate.pairs {
                continue;
            }
            // The cell stays in line. The next caller finds that its place has changed, and moves it.
            let place = place(candidate, taken, index);
            line.places.push(Reverse(place));
            if priority == place.0 {
                next = Some(candidate.clone());
                break;
            }
        }
        line.places.extend(passed);
        Ok(next)
    }
}

impl Line {
    fn of(cells: Vec<Candidate>) -> Self {
        let places = cells
            .iter()
            .enumerate()
            .map(|(index, cell)| Reverse(place(cell, cell.counters.pairs_taken(), index)));
        Self { places: places.collect(), cells: cells.into_iter().map(Arc::new).collect() }
    }
}

fn place(cell: &Candidate, taken: i64, index: usize) -> (u64, i64, usize) {
    ((taken as f64 / cell.share).to_bits(), cell.tie_break, index)
}
