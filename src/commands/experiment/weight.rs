//! `gauntlet experiment weight`.

use super::change::{look_all, make};
use super::{Cells, Several};
use crate::commands::results::report_of;
use crate::commands::target::TargetArgs;
use anyhow::bail;
use protocol::experiment::nearest;
use protocol::ids::CellId;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentReport, Series};
use std::collections::BTreeSet;

impl Cells {
    fn are_all(&self) -> bool {
        self.cases.is_empty() && self.against.is_empty() && self.sizes.is_empty()
    }

    /// The cells of a report that are meant.
    fn of(&self, report: &ExperimentReport) -> anyhow::Result<Vec<CellId>> {
        let name = &report.summary.name;
        let all = |label: fn(&Series) -> &str| report.series.iter().map(label).collect::<BTreeSet<_>>();
        known(&self.cases, &all(|series| &series.label), name, "case")?;
        known(&self.against, &all(|series| &series.baseline_label), name, "baseline")?;
        for size in &self.sizes {
            if !report.sizes.contains(size) {
                bail!("`{name}` is not played on size {size}");
            }
        }
        let is_meant = |wanted: &[String], label| wanted.is_empty() || wanted.contains(label);
        let cells: Vec<CellId> = report
            .series
            .iter()
            .filter(|series| {
                is_meant(&self.cases, &series.label) && is_meant(&self.against, &series.baseline_label)
            })
            .flat_map(|series| &series.points)
            .filter(|point| self.sizes.is_empty() || self.sizes.contains(&point.size))
            .map(|point| point.cell)
            .collect();
        if cells.is_empty() {
            bail!("`{name}` has no such cells");
        }
        Ok(cells)
    }
}

/// Refuses words that are no label.
fn known(wanted: &[String], labels: &BTreeSet<&str>, experiment: &str, kind: &str) -> anyhow::Result<()> {
    if let Some(unknown) = wanted.iter().find(|word| !labels.contains(word.as_str())) {
        let labels: Vec<&str> = labels.iter().copied().collect();
        bail!("`{experiment}` has no {kind} `{unknown}`; {}", nearest(unknown, &labels));
    }
    Ok(())
}

/// Sets the weights of experiments, or of some of their cells.
pub(super) async fn run(
    experiments: Several,
    weight: f64,
    cells: Cells,
    target: TargetArgs,
) -> anyhow::Result<()> {
    if cells.are_all() {
        return super::change::run(experiments, ExperimentChange::Weight(weight), target).await;
    }
    let target = target.open().await?;
    let done = async {
        let mut changes = Vec::new();
        for one in look_all(&target, &experiments).await? {
            let cells = cells.of(&report_of(&target, &one.id.to_string()).await?)?;
            changes.push((one, ExperimentChange::CellWeights { cells, factor: weight }));
        }
        for (one, wanted) in changes {
            make(&target, &one, &wanted).await?;
        }
        anyhow::Ok(())
    }
    .await;
    target.close().await;
    done
}
