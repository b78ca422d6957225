//! `gauntlet tune`: how tunes stand.

use super::columns::aligned;
use super::confirm::confirmation_text;
use super::print;
use super::target::{Target, TargetArgs, get, post, who};
use super::unknown::or_names;
use protocol::tune::{ImportRequest, Imported, Measured, Recommended, TuneStatus};
use protocol::words::counted;
use std::fmt::Write;
use tuner::{Known, Response, Value};

/// Shows what tunes recommend, and lets them learn from games of other experiments.
///
/// A tune is an experiment whose file has the section `[tune]`: it looks for the best setting of some parameters. `gauntlet plan`,
/// `run`, `apply`, `experiment` and `results` work with tunes as with other experiments.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TuneCommand {
    /// Shows the recommended setting, what was measured of it, and the response along each parameter.
    #[command(after_help = "\
Examples:
  gauntlet tune status my-tune
  gauntlet tune status my-tune --json | jq .recommendations[0].point")]
    Status {
        /// The experiment's name, its id, or the first digits of its id.
        experiment: String,
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

/// Runs the command.
pub(crate) async fn run(command: TuneCommand) -> anyhow::Result<()> {
    match command {
        TuneCommand::Status { experiment, json, target } => {
            let target = target.open().await?;
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
                "{experiment} learns from {games} games of {from}, at {}\n",
                counted(points, "point")
            ))
        }
    }
}

async fn import(target: &Target, key: &str, from: &str) -> anyhow::Result<Imported> {
    Ok(match target {
        Target::Database(coordinator) => coordinator.import_trials(key, from, &who()).await?,
        Target::Remote(remote, token) => {
            let request = ImportRequest { experiment: from.to_owned() };
            post((remote, token), &remote.path(&["experiments", key, "tune", "import"])?, &request).await?
        }
    })
}

async fn status(target: &Target, key: &str) -> anyhow::Result<TuneStatus> {
    Ok(match target {
        Target::Database(coordinator) => coordinator.tune_status(key).await?,
        Target::Remote(remote, token) => {
            get((remote, token), &remote.path(&["experiments", key, "tune"])?).await?
        }
    })
}

/// The status for people.
pub(crate) fn text(status: &TuneStatus) -> Result<String, std::fmt::Error> {
    let TuneStatus { name, state, tune, baseline, games_played, games_left, outstanding, imported, .. } =
        status;
    let mut out = format!("{name} ({state}): strategy {}, against {baseline}\n", tune.strategy_name());
    write!(out, "{games_played} of {} games played, {games_left} left", tune.games)?;
    write!(out, ", {} asked for and not finished", counted(*outstanding, "pair"))?;
    if *imported > 0 {
        write!(out, "; learns from {imported} games of other experiments, too")?;
    }
    out.push('\n');
    for recommended in &status.recommendations {
        out.push('\n');
        out += &recommendation(recommended)?;
    }
    for confirmation in &status.confirmations {
        write!(out, "\n{}", confirmation_text(confirmation)?)?;
    }
    if status.confirmations.is_empty()
        && let Some(ending) = &status.ending
    {
        writeln!(out, "\nNot confirmed: {ending}.")?;
    }
    if let Some(best) = status.recommendations.iter().find(|one| one.is_final) {
        let (name, case) = (quoted(name), quoted(&best.label));
        writeln!(out, "\n`gauntlet promote {name} {case} --as NAME` makes the setting a baseline.")?;
    }
    Ok(out)
}

/// A word for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.=/".contains(c);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

fn recommendation(recommended: &Recommended) -> Result<String, std::fmt::Error> {
    let found = &recommended.recommendation;
    let on = found.size.map_or(String::new(), |size| format!(" on size {size}"));
    let mut out = format!("Recommended{on}: {}\n{}\n\n", recommended.label, recommended.words);
    let mut rows =
        vec![["parameter", "recommended", "not told apart from", "response", "win rate"].map(str::to_owned)];
    for (name, value) in &found.point {
        let known = found.parameters.iter().find(|known| known.name == *name);
        let response = found.responses.iter().find(|response| response.name == *name);
        let (line, range) = response.map(picture).unwrap_or_default();
        rows.push([name.clone(), value.to_string(), known.map(alike).unwrap_or_default(), line, range]);
    }
    out += &aligned(&rows, 5);
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

fn measured(one: &Measured) -> [String; 5] {
    let size = one.size.map_or("all".to_owned(), |size| size.to_string());
    [size, one.games.to_string(), percent(one.rate.rate), percent(one.rate.low), percent(one.rate.high)]
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

/// The values that the model cannot tell from the best.
fn alike(known: &Known) -> String {
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
    use tuner::Rate;

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
    fn names_are_quoted_for_a_shell_where_they_must_be() {
        assert_eq!(quoted("my-tune"), "my-tune");
        assert_eq!(quoted("rave_k=5 keep_tree=true"), "'rave_k=5 keep_tree=true'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn numbers_that_are_alike_are_a_range_and_words_a_list() {
        let known = |values: Vec<Value>| alike(&Known { name: "x".into(), values });
        assert_eq!(known(vec![Value::Real(0.5), Value::Real(0.75)]), "0.5 to 0.75");
        assert_eq!(known(vec![Value::Flag(false), Value::Flag(true)]), "false, true");
        assert_eq!(known(vec![Value::Word("a".into())]), "a");
    }
}
