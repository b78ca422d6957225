//! The trials of a tune, and the planned pairs of their cells.

use super::given_up::{PointChoice, given_up};
use crate::store::{Fate, TrialOrigin, TrialRow};
use protocol::ids::CellId;
use std::collections::{BTreeMap, HashMap, HashSet};
use tuner::StrategyName;

/// The trials by number, of which some were given up.
#[derive(Debug, Clone, Default)]
pub(super) struct Trials {
    rows: Vec<TrialRow>,
    /// The numbers of the standing trials: the log of the strategy, in this order.
    standing: Vec<usize>,
    /// Trials whose pairs were complete, held or set aside when the trials were read. It is used only for those that were given
    /// up.
    taken: HashSet<usize>,
    /// Such pairs of the cells that belonged to no trial: another experiment has the cell, too.
    beside: HashMap<CellId, Vec<i64>>,
    by_cell: HashMap<CellId, Vec<usize>>,
    /// The pairs of the standing trials.
    pairs: HashSet<(CellId, i64)>,
}

impl Trials {
    pub(super) fn push(&mut self, row: TrialRow) {
        let number = self.rows.len();
        if row.fate.given_up.is_none() {
            self.standing.push(number);
            self.pairs.insert((row.cell, row.idx));
        }
        self.by_cell.entry(row.cell).or_default().push(number);
        self.rows.push(row);
    }

    /// Removes the last trial, which must be standing.
    pub(super) fn pop(&mut self) {
        let Some(row) = self.rows.pop() else { return };
        self.standing.pop();
        self.pairs.remove(&(row.cell, row.idx));
        if let Some(numbers) = self.by_cell.get_mut(&row.cell) {
            numbers.pop();
        }
    }

    /// Notes which trials have pairs that are complete, held or set aside, and which such pairs of their cells belong to no
    /// trial.
    pub(super) fn take(&mut self, taken: &[i64], beside: &[(CellId, i64)]) {
        self.taken = taken.iter().map(|number| *number as usize).collect();
        self.beside.clear();
        for (cell, idx) in beside {
            self.beside.entry(*cell).or_default().push(*idx);
        }
    }

    /// The cells shared with another experiment in which a pair of a standing trial is to be played.
    pub(super) fn shared(&self) -> impl Iterator<Item = CellId> {
        let waits = |number: &&usize| !self.taken.contains(number);
        let cells = self.standing.iter().filter(waits).map(|number| self.rows[*number].cell);
        cells.filter(|cell| self.beside.contains_key(cell))
    }

    /// The number of trials, including those that were given up.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn row(&self, number: usize) -> &TrialRow {
        &self.rows[number]
    }

    /// The numbers of the standing trials.
    pub(super) fn standing(&self) -> &[usize] {
        &self.standing
    }

    /// The standing trials, in the order of the strategy's log.
    pub(super) fn log(&self) -> impl DoubleEndedIterator<Item = &TrialRow> + ExactSizeIterator {
        self.standing.iter().map(|number| &self.rows[*number])
    }

    /// The index of a trial in the strategy's log.
    pub(super) fn place(&self, number: i64) -> Option<usize> {
        self.standing.binary_search(&(number as usize)).ok()
    }

    pub(super) fn pairs(&self) -> &HashSet<(CellId, i64)> {
        &self.pairs
    }

    fn of_cell(&self, cell: CellId) -> impl Iterator<Item = &TrialRow> {
        self.by_cell.get(&cell).into_iter().flatten().map(|number| &self.rows[*number])
    }

    /// The number of the next pair of a cell. The pairs of trials that were given up are used again, with the games that they
    /// have.
    pub(super) fn next_pair(&self, cell: CellId) -> i64 {
        if self.of_cell(cell).any(|row| row.fate.given_up.is_some()) {
            return (0..).find(|idx| !self.pairs.contains(&(cell, *idx))).unwrap_or_default();
        }
        self.of_cell(cell).map(|row| row.idx + 1).max().unwrap_or_default()
    }

    /// The number of pairs that the plan needs of a cell; none without a standing trial of the tune's own.
    ///
    /// A plan counts pairs, of which those that were begun and are open come first. Where trials were given up, these are the
    /// pairs of standing trials, the taken pairs whose trials were given up, and the pairs before a wanted one. Pairs of another
    /// experiment that are taken count, too: an earlier one of the tune may be open, because a game of it was excluded.
    pub(super) fn planned(&self, cell: CellId) -> Option<i64> {
        let own = |row: &&TrialRow| row.origin != TrialOrigin::Imported && row.fate.given_up.is_none();
        let last = self.of_cell(cell).filter(own).map(|row| row.idx + 1).max()?;
        let beside = self.beside.get(&cell).map_or(&[][..], Vec::as_slice);
        if self.of_cell(cell).all(|row| row.fate.given_up.is_none()) {
            return Some(last + beside.iter().filter(|idx| **idx >= last).count() as i64);
        }
        let is_lost = |row: &&TrialRow| {
            let is_free = row.fate.given_up.is_some() && !self.pairs.contains(&(cell, row.idx));
            is_free && (row.idx < last || self.taken.contains(&(row.number as usize)))
        };
        let lost: HashSet<i64> = self.of_cell(cell).filter(is_lost).map(|row| row.idx).collect();
        let standing = self.of_cell(cell).filter(|row| row.fate.given_up.is_none()).count();
        let beside = beside.iter().filter(|idx| !self.pairs.contains(&(cell, **idx))).count();
        Some((standing + lost.len() + beside) as i64)
    }

    pub(super) fn of(&self, cell: CellId) -> Option<&TrialRow> {
        self.of_cell(cell).next()
    }

    /// The trials after games of some of them were excluded or restored: `taken_out` has the number of excluded plays of each
    /// trial. At most `most` of the tune's own trials are restored for the strategy.
    pub(super) fn judged(
        &self,
        strategy: Option<StrategyName>,
        taken_out: &BTreeMap<i64, i64>,
        most: usize,
    ) -> Self {
        let mut rows = self.rows.clone();
        let now = rows.len() as i64;
        for row in &mut rows {
            let plays = taken_out.get(&row.number).copied().unwrap_or_default();
            if plays == 0 {
                row.fate.reach = None;
            } else if plays > row.taken_out {
                // A trial that was given up has influenced no choice since then.
                row.fate.reach = Some(row.fate.given_up.unwrap_or(now));
            }
            row.taken_out = plays;
        }
        let learns = strategy.is_some_and(StrategyName::learns);
        let choice = |row: &TrialRow| match row.origin {
            TrialOrigin::Strategy if learns => PointChoice::Results,
            TrialOrigin::Final => PointChoice::Recommended,
            _ => PointChoice::Free,
        };
        let trials: Vec<(PointChoice, Fate)> = rows.iter().map(|row| (choice(row), row.fate)).collect();
        let lost = given_up(&trials);
        let stays = |row: &&TrialRow| row.fate.given_up.is_none() && lost[row.number as usize].is_none();
        let is_own = |row: &&TrialRow| !matches!(row.origin, TrialOrigin::Imported | TrialOrigin::Final);
        let mut pairs: HashSet<(CellId, i64)> =
            rows.iter().filter(stays).map(|row| (row.cell, row.idx)).collect();
        let mut own = rows.iter().filter(stays).filter(is_own).count();
        let last = rows.iter().filter(stays).filter(is_own).map(|row| row.number).max();
        for (row, lost) in rows.iter_mut().zip(&lost) {
            let comes_back = row.fate.given_up.is_some() && lost.is_none();
            let may_come_back = match row.origin {
                // Only trials at the end are a recommendation.
                TrialOrigin::Final => last.is_none_or(|last| row.number > last),
                _ => own < most,
            };
            if !comes_back {
                row.fate.given_up = *lost;
            } else if may_come_back && pairs.insert((row.cell, row.idx)) {
                row.fate.given_up = None;
                own += usize::from(row.origin != TrialOrigin::Final);
            }
        }
        let mut after = Self::default();
        rows.into_iter().for_each(|row| after.push(row));
        after
    }
}
