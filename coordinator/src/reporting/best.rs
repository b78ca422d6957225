//! The best lines of a report, for a small picture.

use protocol::lease::Budget;
use protocol::report::{ExperimentReport, Series};

/// Keeps the lines of the highest mean rates, at most so many for each baseline and budget, in their order.
pub(crate) fn keep_best(report: &mut ExperimentReport, most: usize) {
    let means: Vec<f64> = report.series.iter().map(mean).collect();
    let panel = |series: &Series| -> (String, Budget) { (series.baseline_label.clone(), series.budget) };
    let panels: Vec<_> = report.series.iter().map(panel).collect();
    let rank = |place: usize| {
        let better = |other: &usize| {
            panels[*other] == panels[place]
                && (means[*other].total_cmp(&means[place]).then(place.cmp(other))).is_gt()
        };
        (0..means.len()).filter(better).take(most).count()
    };
    let mut places = 0..;
    report.series.retain(|_| places.next().is_some_and(|place| rank(place) < most));
}

/// The mean rate of a line over its sizes; below every rate without one.
fn mean(series: &Series) -> f64 {
    let rates: Vec<f64> = series.points.iter().filter_map(|point| point.rate).collect();
    if rates.is_empty() { -1.0 } else { rates.iter().sum::<f64>() / rates.len() as f64 }
}
