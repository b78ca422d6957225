//! The table of an experiment as comma-separated values: one row a cell.

use protocol::report::ExperimentReport;

const HEADER: &str = "group,case,baseline,budget,size,games,games_planned,wins,draws,losses,pairs,ll,ld,wl,dd,wd,ww,\
                      rate,low,high,elo,design_effect,first_move_rate,forks,bridges,rings,mean_plies,cell";

/// Every point of every series, in the order of the report.
#[must_use]
pub fn csv(report: &ExperimentReport) -> String {
    let mut table = String::from(HEADER);
    table.push('\n');
    for line in &report.series {
        for point in &line.points {
            let optional = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let mut fields = vec![
                quoted(&line.group),
                quoted(&line.label),
                quoted(&line.baseline_label),
                line.budget.to_string(),
                point.size.to_string(),
            ];
            let counts =
                [point.games, point.games_planned, point.wins, point.draws, point.losses, point.pairs];
            fields.extend(counts.iter().chain(&point.pair_counts).map(u64::to_string));
            let measures =
                [point.rate, point.low, point.high, point.elo, point.design_effect, point.first_move_rate];
            fields.extend(measures.map(optional));
            fields.extend(point.win_kinds.iter().map(u64::to_string));
            fields.push(optional(point.mean_plies));
            fields.push(point.cell.to_string());
            table.push_str(&fields.join(","));
            table.push('\n');
        }
    }
    table
}

/// A field in quotes where RFC 4180 asks for them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
