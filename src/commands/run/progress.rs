//! Progress of an experiment on standard error: bars on a terminal, otherwise a line now and then.

use crate::commands::columns::percent;
use crate::commands::time::rounded;
use crate::commands::tune::lines;
use crate::logging;
use indicatif::{ProgressBar, ProgressStyle};
use protocol::report::{ExperimentReport, ExperimentState, Series};
use protocol::tune::TuneStatus;
use protocol::words::{counted, operands};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The most lines of win rates, for all experiments together.
const MOST_SERIES: usize = 12;
/// The period of lines without a terminal, for each experiment.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows the progress of an experiment on standard error.
pub(crate) struct Progress {
    /// The most lines of win rates.
    most: usize,
    form: ProgressForm,
}

enum ProgressForm {
    /// A bar with lines below it.
    Bars {
        /// The games.
        games: ProgressBar,
        /// The results so far: see [`found`].
        lines: Vec<ProgressBar>,
    },
    /// A line now and then.
    Lines {
        /// When the last one was written, with how many games.
        last: Option<(Instant, u64)>,
        /// The shortest time between two.
        period: Duration,
        /// The prefix of the lines.
        title: String,
        /// Whether the end was printed.
        over: bool,
    },
}

impl Progress {
    /// Bars on a terminal, otherwise lines. Several `experiments` share the place, and their lines have the name.
    pub(crate) fn start(name: &str, experiments: usize) -> Self {
        let title = if experiments < 2 { String::new() } else { format!("{name}: ") };
        let most = MOST_SERIES / experiments.max(1);
        if !std::io::stderr().is_terminal() || logging::is_json() {
            let period = LINE_EVERY * u32::try_from(experiments).unwrap_or(u32::MAX).clamp(1, 60);
            return Self { most, form: ProgressForm::Lines { last: None, period, title, over: false } };
        }
        let style = ProgressStyle::with_template("{prefix}{bar:30} {pos}/{len} games  {msg}")
            .expect("a valid template");
        let games = logging::bars().add(ProgressBar::new(0).with_style(style).with_prefix(title));
        Self { most, form: ProgressForm::Bars { games, lines: Vec::new() } }
    }

    /// Shows the state of an experiment, and of the tune that it is.
    pub(crate) fn show(&mut self, report: &ExperimentReport, tune: Option<&TuneStatus>) {
        let summary = &report.summary;
        let most = self.most;
        match &mut self.form {
            ProgressForm::Bars { games, lines } => {
                games.set_length(summary.games_planned);
                games.set_position(summary.games_done);
                games.set_message(pace(report));
                let found = found(report, tune, most);
                // A revision may have taken some away.
                lines.drain(lines.len().min(found.len())..).for_each(|bar| bar.finish_and_clear());
                while lines.len() < found.len() {
                    let style = ProgressStyle::with_template("  {wide_msg}").expect("a valid template");
                    lines.push(logging::bars().add(ProgressBar::new(0).with_style(style)));
                }
                lines.iter().zip(found).for_each(|(bar, line)| bar.set_message(line));
            }
            ProgressForm::Lines { last, period, title, over } => {
                let done =
                    summary.games_done >= summary.games_planned || summary.state == ExperimentState::Finished;
                // Without new games there is no line, unless the run stalls.
                let is_old = |(at, games): (Instant, u64)| {
                    at.elapsed() < *period || games == summary.games_done && summary.stalled.is_none()
                };
                if *over || !done && last.is_some_and(is_old) {
                    return;
                }
                (*last, *over) = (Some((Instant::now(), summary.games_done)), done);
                eprintln!(
                    "{title}{} of {} games  {}",
                    summary.games_done,
                    summary.games_planned,
                    pace(report)
                );
                if summary.games_done > 0 {
                    found(report, tune, most).iter().for_each(|line| eprintln!("    {line}"));
                }
            }
        }
    }

    /// Removes the bars.
    pub(crate) fn end(self) {
        if let ProgressForm::Bars { games, lines } = self.form {
            lines.iter().for_each(ProgressBar::finish_and_clear);
            games.finish_and_clear();
        }
    }
}

/// The results so far: the recommendation of a tune, since its points have a pair or two each; otherwise a line per series, in
/// the order of the file, with its win rates.
fn found(report: &ExperimentReport, tune: Option<&TuneStatus>, most: usize) -> Vec<String> {
    if let Some(tune) = tune {
        return lines(tune);
    }
    let names = names(report);
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let line = |(series, name): (&Series, String)| format!("{name:<width$}  {}", rates(series));
    report.series.iter().zip(names).take(most).map(line).chain(left_out(report, most)).collect()
}

/// The line for series without a line of their own.
fn left_out(report: &ExperimentReport, most: usize) -> Option<String> {
    let more = report.series.len().saturating_sub(most);
    let lines = counted(more as u64, "line");
    (more > 0 && most > 0).then(|| {
        format!(
            "and {lines} more: `gauntlet results {}` and the page show all",
            operands(&[&report.summary.name])
        )
    })
}

/// The name of a series: the case, and the baseline and the budget if there are several.
fn names(report: &ExperimentReport) -> Vec<String> {
    let differ =
        |of: fn(&Series) -> String| report.series.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]));
    let baselines = differ(|series| series.baseline_label.clone());
    let budgets = differ(|series| series.budget.to_string());
    let name = |series: &Series| {
        let against = if baselines { format!(" against {}", series.baseline_label) } else { String::new() };
        let budget = if budgets { format!(", {}", series.budget.words()) } else { String::new() };
        format!("{}{against}{budget}", series.title())
    };
    report.series.iter().map(name).collect()
}

/// Games per minute and the time left.
fn pace(report: &ExperimentReport) -> String {
    let summary = &report.summary;
    if let Some(why) = &summary.stalled {
        return format!("stalled: {why}");
    }
    let left = summary.seconds_left.map_or(String::new(), |seconds| format!(", {} left", rounded(seconds)));
    if summary.games_per_minute > 0.0 {
        format!("{} a minute{left}", counted(summary.games_per_minute.round() as u64, "game"))
    } else {
        "measuring this machine, then the first games".to_owned()
    }
}

/// The win rate on each board.
fn rates(series: &Series) -> String {
    let rates = series
        .points
        .iter()
        .map(|point| format!("{}: {}", point.size, percent(point.estimate.map(|estimate| estimate.rate))));
    rates.collect::<Vec<_>>().join("   ")
}
