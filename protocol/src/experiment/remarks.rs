//! What people should know of a plan that is valid: cases that are the player they are measured against, or another case.

use super::{CellSpec, Experiment};
use crate::words::counted;
use std::collections::{HashMap, HashSet};

/// Remarks of one kind that are listed; more are counted.
const LISTED: usize = 5;

/// A cell with the names that a plan gives it.
#[derive(Debug, Clone, Copy)]
pub struct NamedCell<'p> {
    /// The test group.
    pub group: &'p str,
    /// The label of the case.
    pub case: &'p str,
    /// The label of the baseline.
    pub baseline: &'p str,
    /// The games.
    pub spec: &'p CellSpec,
}

impl Experiment {
    /// What people should know of the plan, in sentences without the last full stop. A tune may begin with its baseline.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        if self.tune.is_some() {
            return Vec::new();
        }
        remarks(self.cells.iter().map(|cell| NamedCell {
            group: &cell.case.group,
            case: &cell.case.label,
            baseline: &cell.baseline.label,
            spec: &cell.spec,
        }))
    }
}

/// As [`Experiment::remarks`], for cells from elsewhere.
#[must_use]
pub fn remarks<'p>(cells: impl Iterator<Item = NamedCell<'p>>) -> Vec<String> {
    let (mut controls, mut twins) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut players: HashMap<_, Vec<NamedCell<'p>>> = HashMap::new();
    for cell in cells {
        let NamedCell { group, case, baseline, spec } = cell;
        if !seen.insert((group, case, baseline)) {
            continue;
        }
        if spec.case == spec.baseline {
            controls.push(format!(
                "`{case}` of `{group}` is the same player as its baseline `{baseline}`: a control, which should show 50 %"
            ));
        }
        let alike = players.entry((spec.case.player_id(), spec.baseline.player_id())).or_default();
        if let Some(first) = alike.iter().find(|first| first.baseline == baseline) {
            twins.push(format!(
                "`{case}` of `{group}` is the same player as `{}` of `{}`, against `{baseline}`",
                first.case, first.group
            ));
        }
        alike.push(cell);
    }
    let mut remarks = Vec::new();
    for (mut list, kind) in [(controls, "control"), (twins, "equal case")] {
        let more = list.len().saturating_sub(LISTED);
        list.truncate(LISTED);
        remarks.extend(list);
        if more > 0 {
            let words = counted(more as u64, &format!("more {kind}"));
            remarks.push(format!("there {} {words}", if more == 1 { "is" } else { "are" }));
        }
    }
    remarks
}
