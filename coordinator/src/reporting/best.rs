//! The strongest series of a report, for a small picture.

use protocol::lease::Budget;
use protocol::report::{ExperimentReport, Series};

/// Keeps the `most` strongest series for each baseline and budget, order unchanged.
pub fn keep_best(report: &mut ExperimentReport, most: usize) {
    let evidence: Vec<f64> = report.series.iter().map(evidence).collect();
    let panel = |series: &Series| -> (String, Budget) { (series.baseline_label.clone(), series.budget) };
    let panels: Vec<_> = report.series.iter().map(panel).collect();
    let rank = |place: usize| {
        let better = |other: &usize| {
            panels[*other] == panels[place]
                && (evidence[*other].total_cmp(&evidence[place]).then(place.cmp(other))).is_gt()
        };
        (0..evidence.len()).filter(better).take(most).count()
    };
    let mut places = 0..;
    report.series.retain(|_| places.next().is_some_and(|place| rank(place) < most));
}

/// The mean of the lower ends of a series' intervals, 0 for a size without games. So neither a lucky pair nor one easy size makes
/// a series the strongest.
fn evidence(series: &Series) -> f64 {
    let ends = series.points.iter().map(|point| point.estimate.map_or(0.0, |estimate| estimate.low));
    ends.sum::<f64>() / series.points.len().max(1) as f64
}
