//! Some cells of an experiment: by case, by baseline and by board size.

use crate::commands::sizes::{self, Sizes};
use anyhow::bail;
use engine::havannah::BoardSize;
use protocol::experiment::nearest;
use protocol::report::ExperimentReport;
use std::collections::BTreeSet;

/// Some cells of an experiment.
#[derive(Debug, clap::Args)]
pub(crate) struct Cells {
    /// Only the cells of this case, by its label or by its name in the results; may be repeated.
    #[arg(long = "case", value_name = "CASE")]
    cases: Vec<String>,
    /// Only the cells against this baseline; may be repeated.
    #[arg(long, value_name = "BASELINE")]
    against: Vec<String>,
    /// Only the cells of these board sizes, such as 6, or 5-7, or 4,6-8; may be repeated.
    #[arg(long = "size", value_name = "SIZES", value_parser = sizes::sizes)]
    sizes: Vec<Sizes>,
}

impl Cells {
    /// Whether nothing is left out.
    pub(crate) fn are_all(&self) -> bool {
        self.cases.is_empty() && self.against.is_empty() && self.sizes.is_empty()
    }

    /// The one size that is asked for, or all cells; an error if other cells are left out.
    pub(crate) fn one_size(&self) -> anyhow::Result<Option<BoardSize>> {
        match (self.cases.is_empty() && self.against.is_empty(), sizes::all(&self.sizes).as_slice()) {
            (true, []) => Ok(None),
            (true, [size]) => Ok(Some(*size)),
            _ => bail!(
                "an analysis is of all cells or of one size: leave out --case and --against, and name one --size"
            ),
        }
    }

    /// Leaves only these cells in the series of a report. Its summary stays that of the whole experiment.
    ///
    /// # Errors
    /// When the experiment has no such case, baseline, size or cells.
    pub(crate) fn keep(&self, report: &mut ExperimentReport) -> anyhow::Result<()> {
        let name = &report.summary.name;
        let series = || report.series.iter();
        let cases = series().flat_map(|series| [series.label.as_str(), series.title()]);
        known(&self.cases, &cases.collect(), name, "case")?;
        known(
            &self.against,
            &series().map(|series| series.baseline_label.as_str()).collect(),
            name,
            "baseline",
        )?;
        let sizes = sizes::all(&self.sizes);
        for size in &sizes {
            if !report.sizes.contains(size) {
                bail!("`{name}` is not played on size {size}");
            }
        }
        let is_meant = |wanted: &[String], names: &[&str]| {
            wanted.is_empty() || wanted.iter().any(|word| names.contains(&word.as_str()))
        };
        report.series.retain_mut(|series| {
            series.points.retain(|point| sizes.is_empty() || sizes.contains(&point.size));
            is_meant(&self.cases, &[&series.label, series.title()])
                && is_meant(&self.against, &[&series.baseline_label])
                && !series.points.is_empty()
        });
        if report.series.is_empty() {
            bail!("`{name}` has no such cells");
        }
        let points = || report.series.iter().flat_map(|series| &series.points);
        report.sizes.retain(|size| points().any(|point| point.size == *size));
        Ok(())
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
