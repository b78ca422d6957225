//! `gauntlet tune`: how tunes stand.

use super::columns::aligned;
use super::confirm::confirmation_text;
use super::print;
use super::target::{Target, TargetArgs};
use super::unknown::or_names;
use engine::havannah::BoardSize;
use protocol::endpoints::{GetTune, GetTuneSurface, ImportTrials};
use protocol::query::SurfaceQuery;
use protocol::state::ExperimentState;
use protocol::tune::{ImportRequest, Imported, Measured, PastRecommendation, Recommended, TuneStatus};
use protocol::words::{count, counted};
use std::fmt::Write;
use std::time::Duration;
use tuner::{BestValue, Concentration, Rate, Recommendation, Response, Surface, Value};

/// Shows what tunes recommend, and lets them learn from games of other experiments.
///
/// A tune is an experiment whose file has the section `[tune]`: it looks for the best setting of some parameters.
/// `gauntlet plan`, `run`, `apply`, `experiment` and `results` work with tunes as with other experiments.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TuneCommand {
    /// Shows the recommended setting, what was measured of it, and the response along each parameter.
    #[command(after_help = "\
Examples:
  gauntlet tune status my-tune
  gauntlet tune status my-tune --json | jq .recommendations[0].point
  gauntlet tune status my-tune --pair rave_k exploration")]
    Status {
        /// The experiment's name, its id, or the first digits of its id.
        experiment: String,
        /// Print the fitted win rate over two parameters instead, with all others as recommended.
        #[arg(long, num_args = 2, value_names = ["X", "Y"])]
        pair: Vec<String>,
        /// With --pair and an optimum for each size: the size.
        #[arg(long, requires = "pair", value_parser = super::sizes::one)]
        size: Option<BoardSize>,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Lets a tune learn from the games of another experiment, such as a sweep. They cost none of its games.
    #[command(after_help = "\
Example:
  gauntlet tune import my-tune my-sweep")]
    Import {
        /// The tune: its name, its id, or the first digits of its id.
        experiment: String,
        /// The experiment whose games are taken, named likewise.
        from: String,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
}

pub(crate) async fn run(command: TuneCommand) -> anyhow::Result<()> {
    match command {
        TuneCommand::Status { experiment, pair, size, json, target } => {
            let target = target.open().await?;
            if let [x, y] = &pair[..] {
                let surface = surface(&target, &experiment, (x, y), size.map(BoardSize::get)).await;
                let surface = or_names(&target, &experiment, surface).await;
                target.close().await;
                let surface = surface?;
                let json = json.then(|| serde_json::to_string_pretty(&surface));
                return print(&json.transpose()?.map_or_else(|| grid(&surface), |json| json + "\n"));
            }
            let status = status(&target, &experiment).await;
            let status = or_names(&target, &experiment, status).await;
            target.close().await;
            let status = status?;
            print(&if json { serde_json::to_string_pretty(&status)? + "\n" } else { text(&status)? })
        }
        TuneCommand::Import { experiment, from, json, target } => {
            let target = target.open().await?;
            let imported = import(&target, &experiment, &from).await;
            target.close().await;
            let Imported { points, games } = imported?;
            if json {
                return print(&(serde_json::to_string_pretty(&Imported { points, games })? + "\n"));
            }
            print(&format!(
                "{experiment} learns from {} of {from}, at {}\n",
                counted(games, "game"),
                counted(points, "point")
            ))
        }
    }
}

async fn import(target: &Target, key: &str, from: &str) -> anyhow::Result<Imported> {
    let request = ImportRequest { experiment: from.to_owned() };
    target.change(ImportTrials, key, &request).await
}

/// A status is requested again after this time while its past recommendations are not complete.
const AGAIN: Duration = Duration::from_millis(20);

async fn status(target: &Target, key: &str) -> anyhow::Result<TuneStatus> {
    loop {
        let status = target.read(GetTune, key, &()).await?;
        // While games are played, another past recommendation is always due soon.
        if status.course_is_complete || status.state == ExperimentState::Active {
            return Ok(status);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn surface(
    target: &Target,
    key: &str,
    (x, y): (&str, &str),
    size: Option<u8>,
) -> anyhow::Result<Surface> {
    let query = SurfaceQuery { x: x.to_owned(), y: y.to_owned(), size };
    target.read(GetTuneSurface, key, &query).await
}

/// The status for people.
pub(crate) fn text(status: &TuneStatus) -> Result<String, std::fmt::Error> {
    let TuneStatus { name, state, tune, baseline, games_played, games_left, outstanding, imported, .. } =
        status;
    let mut out = format!("{name} ({state}): strategy {}, against {baseline}\n", tune.strategy_name());
    write!(
        out,
        "{} of {} played, {} left",
        count(*games_played),
        counted(tune.games, "game"),
        count(*games_left)
    )?;
    write!(out, ", {} asked for and not finished", counted(*outstanding, "pair"))?;
    if *imported > 0 {
        write!(out, "; learns from {} of other experiments, too", counted(*imported, "game"))?;
    }
    if status.given_up > 0 {
        write!(out, "; {} given up, at points that excluded games chose", counted(status.given_up, "game"))?;
    }
    out.push('\n');
    for (recommended, concentration) in status.recommendations.iter().zip(&status.concentrations) {
        out.push('\n');
        out += &recommendation(recommended, concentration)?;
        let size = recommended.recommendation.size;
        let course: Vec<&PastRecommendation> = status.course.iter().filter(|one| one.size == size).collect();
        if !course.is_empty() {
            write!(out, "\n{}", past(&course))?;
        }
    }
    for confirmation in &status.confirmations {
        write!(out, "\n{}", confirmation_text(confirmation)?)?;
    }
    if status.confirmations.is_empty()
        && let Some(ending) = &status.ending
    {
        writeln!(out, "\nNot confirmed: {ending}.")?;
    }
    for promote in status.recommendations.iter().filter_map(|one| one.promote.as_ref()) {
        writeln!(out, "\n`{promote}` makes the setting a baseline.")?;
    }
    Ok(out)
}

/// The lines of a tune in the progress of a run: its recommendation, the estimated rate, and the remaining games.
pub(crate) fn lines(status: &TuneStatus) -> Vec<String> {
    if status.games_played == 0 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for one in &status.recommendations {
        let on = one.recommendation.size.map_or(String::new(), |size| format!(", size {size}"));
        let so_far = if one.is_final || one.last_games_left.is_some() { "" } else { " so far" };
        let rate = match (&one.measured_overall, one.recommendation.overall) {
            (Some(measured), _) => {
                format!("measured {} in {}", with_interval(measured.rate), counted(measured.games, "game"))
            }
            (None, Some(rate)) => format!("expected {}", with_interval(rate)),
            (None, None) => format!("no games against {} yet that tell its win rate", status.baseline),
        };
        // The name comes last, because a narrow terminal cuts the line.
        lines.push(format!("recommended{so_far}{on}, {rate}: {}", one.label));
    }
    let last = 2 * status.tune.last_pairs(status.sizes.len()) as u64;
    let left = counted(status.games_left, "game");
    lines.extend(match status.games_left {
        0 => None,
        few if few <= last => Some(format!("still needs {left} that measure the setting")),
        _ => Some(format!("still needs {left}, of which the last {last} measure the setting")),
    });
    lines
}

pub(crate) fn with_interval(Rate { rate, low, high }: Rate) -> String {
    format!("{} ({:.1} to {})", percent(rate), 100.0 * low, percent(high))
}

/// The most past recommendations that are printed.
const MOST_LOOKS: usize = 8;

/// Past recommendations, evenly chosen.
pub(crate) fn past(course: &[&PastRecommendation]) -> String {
    let shown = course.len().min(MOST_LOOKS);
    let names: Vec<String> = course[0].point.keys().cloned().collect();
    let head = ["after games".to_owned(), "expected".to_owned()];
    let mut rows = vec![head.into_iter().chain(names).collect::<Vec<String>>()];
    for i in 0..shown {
        let one = course[if shown < 2 { 0 } else { i * (course.len() - 1) / (shown - 1) }];
        let rate = one.rate.map_or(String::new(), |rate| percent(rate.rate));
        let values = one.point.values().map(ToString::to_string);
        rows.push([one.games.to_string(), rate].into_iter().chain(values).collect());
    }
    aligned(&rows, 0)
}

/// The fitted win rate over two parameters: a row for each value of the second one, the greatest first.
fn grid(surface: &Surface) -> String {
    if surface.rates.is_empty() {
        return format!("No game against the baseline shows {} and {} yet.\n", surface.x, surface.y);
    }
    let corner = format!("{} / {}", surface.y, surface.x);
    let head = std::iter::once(corner).chain(surface.xs.iter().map(ToString::to_string));
    let mut rows = vec![head.collect::<Vec<String>>()];
    for (value, rates) in surface.ys.iter().zip(&surface.rates).rev() {
        let rates = rates.iter().map(|rate| format!("{:.0}", 100.0 * rate.rate));
        rows.push(std::iter::once(value.to_string()).chain(rates).collect());
    }
    let at = format!("{}={}, {}={}", surface.x, surface.at.0, surface.y, surface.at.1);
    format!("Win rate in % by the model, recommended: {at}\n\n{}", aligned(&rows, 0))
}

fn recommendation(
    recommended: &Recommended,
    concentration: &Concentration,
) -> Result<String, std::fmt::Error> {
    let found = &recommended.recommendation;
    let on = found.size.map_or(String::new(), |size| format!(" on size {size}"));
    let mut out = format!("Recommended{on}: {}\n{}\n\n", recommended.label, recommended.words);
    out += &setting(found, concentration)?;
    if !recommended.measured.is_empty() {
        let mut rows = vec![["size", "games", "measured", "from", "to"].map(str::to_owned)];
        rows.extend(recommended.measured.iter().chain(&recommended.measured_overall).map(measured));
        write!(out, "\n{}", aligned(&rows, 1))?;
    } else if !found.predicted.is_empty() {
        let mut rows = vec![["size", "expected by the model"].map(str::to_owned)];
        rows.extend(found.predicted.iter().map(|one| [one.size.to_string(), percent(one.rate.rate)]));
        write!(out, "\n{}", aligned(&rows, 1))?;
    }
    Ok(out)
}

/// The values of a setting with the response along each parameter, and how concentrated the weight of the fit is.
pub(crate) fn setting(
    found: &Recommendation,
    concentration: &Concentration,
) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let mut rows =
        vec![["parameter", "recommended", "not told apart from", "response", "win rate"].map(str::to_owned)];
    for (name, value) in &found.point {
        let known = found.parameters.iter().find(|known| known.name == *name);
        let response = found.responses.iter().find(|response| response.name == *name);
        let (line, range) = response.map(picture).unwrap_or_default();
        let is_used = known.is_none_or(|known| !known.values.is_empty());
        let value = if is_used { value.to_string() } else { "not in use".to_owned() };
        rows.push([name.clone(), value, known.map(alike).unwrap_or_default(), line, range]);
    }
    out += &aligned(&rows, 5);
    if concentration.points > 0 {
        writeln!(
            out,
            "\nThe weight is on {}, as if on {:.1} points of equal weight.",
            counted(concentration.points as u64, "point"),
            concentration.effective_points
        )?;
    }
    Ok(out)
}

fn measured(one: &Measured) -> [String; 5] {
    let size = one.size.map_or("all".to_owned(), |size| size.to_string());
    [size, one.games.to_string(), percent(one.rate.rate), percent(one.rate.low), percent(one.rate.high)]
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

/// The values that the model cannot tell from the best.
fn alike(known: &BestValue) -> String {
    let values: Vec<String> = known.values.iter().map(ToString::to_string).collect();
    match (&known.values[..], &values[..]) {
        ([Value::Real(_) | Value::Whole(_), _], [low, high]) => format!("{low} to {high}"),
        _ => values.join(", "),
    }
}

/// The modelled response as a line of bars from the least to the greatest value, and the rates of its ends.
fn picture(response: &Response) -> (String, String) {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let rates: Vec<f64> = response.rates.iter().map(|(_, rate)| rate.rate).collect();
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (Some((first, _)), Some((last, _))) = (response.rates.first(), response.rates.last()) else {
        return Default::default();
    };
    let bar = |rate: &f64| {
        let height = if most > least { (rate - least) / (most - least) } else { 0.0 };
        BARS[((height * 8.0) as usize).min(7)]
    };
    let bars: String = rates.iter().map(bar).collect();
    (format!("{first} {bars} {last}"), format!("{} to {}", percent(least), percent(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_drawn_from_its_least_to_its_greatest_rate() {
        let rate = |rate: f64| Rate { rate, low: rate - 0.1, high: rate + 0.1 };
        let at = |value: i64, one: f64| (Value::Whole(value), rate(one));
        let response = Response { name: "k".into(), rates: vec![at(1, 0.4), at(2, 0.6), at(3, 0.5)] };
        assert_eq!(picture(&response), ("1 ▁█▅ 3".to_owned(), "40.0 % to 60.0 %".to_owned()));
        let flat = Response { name: "k".into(), rates: vec![at(1, 0.5), at(2, 0.5)] };
        assert_eq!(picture(&flat).0, "1 ▁▁ 2");
        assert_eq!(picture(&Response { name: "k".into(), rates: Vec::new() }).0, "");
    }

    #[test]
    fn numbers_that_are_alike_are_a_range_and_words_a_list() {
        let known = |values: Vec<Value>| alike(&BestValue { name: "x".into(), values });
        assert_eq!(known(vec![Value::Real(0.5), Value::Real(0.75)]), "0.5 to 0.75");
        assert_eq!(known(vec![Value::Flag(false), Value::Flag(true)]), "false, true");
        assert_eq!(known(vec![Value::Word("a".into())]), "a");
    }
}
