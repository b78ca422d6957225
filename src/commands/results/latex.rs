//! Results for LaTeX: a picture of win rates by board size for pgfplots, with error bars, and ParamLog's two tables.

use super::latex_text::escaped;
use protocol::report::{ExperimentReport, Point, Series};
use protocol::words::count;
use stats::{RateEstimate, Summary, average_over_sizes};
use std::fmt::{Result, Write as _};

/// The series against one baseline with one budget: a picture and a table.
struct Field<'r> {
    title: String,
    series: Vec<&'r Series>,
}

/// A figure, a table by size and a table of all cells, to be included by a document. `written` is the day.
pub(super) fn latex(report: &ExperimentReport, written: &str) -> String {
    let mut out = String::new();
    write(&mut out, report, written).expect("a string takes everything");
    out
}

fn write(out: &mut String, report: &ExperimentReport, written: &str) -> Result {
    let summary = &report.summary;
    let [name, question] = [&summary.name, &summary.question].map(|text| escaped(text));
    let source = format!(
        "{} of {} games; Gauntlet {}, engine semantics {}, {written}",
        escaped(&count(summary.games_done)),
        escaped(&count(summary.games_planned)),
        env!("CARGO_PKG_VERSION"),
        engine::SEMANTICS
    );
    writeln!(
        out,
        "% Needs \\usepackage[T1]{{fontenc}}, \\usepackage{{pgfplots,booktabs,longtable}} and \\pgfplotsset{{compat=1.16}}.\n\
         % Letters that pdfLaTeX does not know are printed by XeLaTeX and LuaLaTeX, with \\usepackage{{fontspec}} in place of fontenc and a \
         font that has them: \\setmainfont{{…}}."
    )?;
    writeln!(out, "\\begin{{figure}}\n  \\centering")?;
    let fields = fields(report);
    for field in &fields {
        picture(out, report, field)?;
    }
    let confidence = (100.0 * report.confidence).round();
    writeln!(
        out,
        "  \\caption{{{name}: {question} Narrow bars are intervals of {confidence}\\,\\% for a number of games that was fixed \
         beforehand; wide bars are confidence sequences, which hold at every look. {source}.}}\n\\end{{figure}}\n"
    )?;
    for field in &fields {
        by_size(
            out,
            report,
            field,
            &format!(
                "{name}, {}: win rates in \\% by board size, and their mean by the weights of the sizes. {source}.",
                field.title
            ),
        )?;
    }
    for field in &fields {
        every_cell(out, field, &format!("{name}, {}: every cell, rates in \\%. {source}.", field.title))?;
    }
    Ok(())
}

fn fields(report: &ExperimentReport) -> Vec<Field<'_>> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    for series in &report.series {
        let title = format!(
            "against {}, {} a move",
            escaped(&series.baseline_label),
            escaped(&series.budget.words())
        );
        match fields.iter_mut().find(|field| field.title == title) {
            Some(field) => field.series.push(series),
            None => fields.push(Field { title, series: vec![series] }),
        }
    }
    fields
}

/// An axis with a line for each series.
fn picture(out: &mut String, report: &ExperimentReport, field: &Field<'_>) -> Result {
    let sizes: Vec<String> = report.sizes.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "  \\begin{{tikzpicture}}\n    \\begin{{axis}}[\n      title={{{}}},\n      xlabel={{Board Size}}, ylabel={{Win Rate \
         (\\%)}},\n      xtick={{{}}}, ymin=0, ymax=100,\n      extra y ticks={{50}}, extra y tick labels={{}}, extra y tick \
         style={{grid=major}},\n      legend pos=outer north east, legend cell align=left,\n      error bars/y dir=both, \
         error bars/y explicit,\n    ]",
        field.title,
        sizes.join(",")
    )?;
    for series in &field.series {
        let wide = |estimate: &Summary| (estimate.cs_low, estimate.cs_high);
        let narrow = |estimate: &Summary| (estimate.low, estimate.high);
        bars(
            out,
            series,
            "forget plot, only marks, mark=none, error bars/error bar style={line width=3pt, opacity=0.25}",
            wide,
        )?;
        bars(out, series, "", narrow)?;
        writeln!(out, "      \\addlegendentry{{{}}}", escaped(series.title()))?;
    }
    writeln!(out, "    \\end{{axis}}\n  \\end{{tikzpicture}}")
}

/// The points of a series, each with its rate and the lengths of its bar.
fn bars(out: &mut String, series: &Series, style: &str, ends: impl Fn(&Summary) -> (f64, f64)) -> Result {
    writeln!(
        out,
        "      \\addplot+[{style}] table[x=size, y=rate, y error plus=above, y error minus=below] {{"
    )?;
    writeln!(out, "        size rate below above")?;
    for point in &series.points {
        if let Some(estimate) = &point.estimate {
            let (rate, (low, high)) = (estimate.rate, ends(estimate));
            let [rate, below, above] = [rate, rate - low, high - rate].map(|share| 100.0 * share);
            writeln!(out, "        {} {rate:.3} {below:.3} {above:.3}", point.size)?;
        }
    }
    writeln!(out, "      }};")
}

/// ParamLog's short table: a row for each series, its rate on each size, and their mean by the weights of the cells.
fn by_size(out: &mut String, report: &ExperimentReport, field: &Field<'_>, caption: &str) -> Result {
    let columns = "r".repeat(report.sizes.len() + 1);
    writeln!(out, "\\begin{{longtable}}{{l{columns}}}\n  \\caption{{{caption}}} \\\\\n  \\toprule")?;
    let sizes: String = report.sizes.iter().map(|size| format!("{size} & ")).collect();
    writeln!(out, "  case & {sizes}mean \\\\\n  \\midrule\n  \\endhead\n  \\bottomrule\n  \\endfoot")?;
    for series in &field.series {
        let on =
            |size| series.points.iter().find(|point| point.size == size).and_then(|point| point.estimate);
        let rates: Vec<Option<f64>> =
            report.sizes.iter().map(|size| on(*size).map(|estimate| estimate.rate)).collect();
        let mean = mean(series);
        let row: Vec<String> = rates.into_iter().chain([mean]).map(percent).collect();
        writeln!(out, "  {} & {} \\\\", escaped(series.title()), row.join(" & "))?;
    }
    writeln!(out, "\\end{{longtable}}\n")
}

/// The mean over the sizes by the weights of the cells, as in the ranking of the analysis.
fn mean(series: &Series) -> Option<f64> {
    let known = series.points.iter().filter_map(|point| {
        Some((RateEstimate::of(&point.pair_counts.into())?, point.weight.unwrap_or(1.0)))
    });
    average_over_sizes(&known.collect::<Vec<_>>()).map(|average| average.rate)
}

/// ParamLog's long table: a row for each cell.
fn every_cell(out: &mut String, field: &Field<'_>, caption: &str) -> Result {
    writeln!(out, "\\begin{{longtable}}{{lrrrrrrrrrr}}\n  \\caption{{{caption}}} \\\\\n  \\toprule")?;
    writeln!(
        out,
        "  case & size & rate & low & high & \\multicolumn{{2}}{{c}}{{at any look}} & won & drawn & lost & games \\\\\n  \
         \\midrule\n  \\endhead\n  \\bottomrule\n  \\endfoot"
    )?;
    for series in &field.series {
        for point in &series.points {
            let rates = match &point.estimate {
                Some(Summary { rate, low, high, cs_low, cs_high, .. }) => {
                    [rate, low, high, cs_low, cs_high].map(|x| Some(*x))
                }
                None => [None; 5],
            };
            let rates = rates.map(percent).join(" & ");
            let Point { size, wins, draws, losses, games, .. } = point;
            let case = escaped(series.title());
            writeln!(out, "  {case} & {size} & {rates} & {wins} & {draws} & {losses} & {games} \\\\")?;
        }
    }
    writeln!(out, "\\end{{longtable}}\n")
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or("--".to_owned(), |rate| format!("{:.1}", 100.0 * rate))
}
