//! The table of an experiment as comma-separated values: one row a cell.

use protocol::report::ExperimentReport;
use std::fmt::{Display, Write};

/// The columns of [`csv`].
pub const CSV_HEADER: &str = "group,case,baseline,budget,size,games,games_planned,wins,draws,losses,pairs,ll,ld,wl,dd,wd,ww,\
                      rate,low,high,cs_low,cs_high,verdict,e_value,elo,elo_low,elo_high,cs_elo_low,cs_elo_high,normalised_elo,\
                      normalised_elo_error,draw_rate,effective_games,design_effect,first_move_rate,forks,bridges,rings,mean_plies,stop_outcome,stop_pairs,cell";

/// Every point of every series, in the order of the report.
#[must_use]
pub fn csv(report: &ExperimentReport) -> String {
    let mut table = String::from(CSV_HEADER);
    table.push('\n');
    for line in &report.series {
        let [group, case, baseline] =
            [&line.group, &line.label, &line.baseline_label].map(|text| quoted(text));
        let series = format!("{group},{case},{baseline},{}", line.budget);
        for point in &line.points {
            table.push_str(&series);
            put(&mut table, point.size);
            let counts =
                [point.games, point.games_planned, point.wins, point.draws, point.losses, point.pairs];
            counts.iter().chain(&point.pair_counts).for_each(|count| put(&mut table, count));
            let intervals = [point.rate, point.low, point.high, point.cs_low, point.cs_high];
            intervals.into_iter().for_each(|measure| put_if_any(&mut table, measure));
            put(&mut table, point.verdict.name());
            let measures = [
                point.e_value,
                point.elo,
                point.elo_low,
                point.elo_high,
                point.cs_elo_low,
                point.cs_elo_high,
                point.normalised_elo,
                point.normalised_elo_error,
                point.draw_rate,
                point.effective_games,
                point.design_effect,
                point.first_move_rate,
            ];
            measures.into_iter().for_each(|measure| put_if_any(&mut table, measure));
            point.win_kinds.iter().for_each(|count| put(&mut table, count));
            put_if_any(&mut table, point.mean_plies);
            match &point.stopping {
                Some(stopping) => {
                    put(&mut table, stopping.outcome.name());
                    put(&mut table, stopping.pairs);
                }
                None => table.push_str(",,"),
            }
            put(&mut table, point.cell);
            table.push('\n');
        }
    }
    table
}

/// Adds a field after others.
fn put(table: &mut String, field: impl Display) {
    write!(table, ",{field}").expect("a string takes everything");
}

fn put_if_any(table: &mut String, field: Option<f64>) {
    match field {
        Some(field) => put(table, field),
        None => table.push(','),
    }
}

/// A field in quotes where RFC 4180 asks for them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
