//! `gauntlet stats`: the statistics of a cell or of a sweep from pair counts, by the functions that the page uses.

mod planned;
mod rules;
mod sweep;
mod text;

use super::number::within;
use super::print;
use planned::Planned;
use rules::{EValue, HalfWidth, SequentialTest};
use serde::Serialize;
use stats::sweep::{Basis, analyse};
use stats::{Hypotheses, OutsideUnitInterval, PairCounts, Reading, Rule, Sprt, Summary, Verdict};
use std::path::PathBuf;

/// Computes every statistic of a cell from the numbers of its pairs, or of a sweep from a table of cells; tells how long a
/// sequential test takes.
///
/// A pair is two games of the same players from the same opening with swapped colours. LL counts the pairs in which the
/// case lost both games, LD one lost and one drawn, WL one won and one lost, DD both drawn, WD one won and one drawn, WW
/// both won. `gauntlet results --format csv` has these columns.
///
/// The table of a sweep is a CSV file with the columns case (or label), size, ll, ld, wl, dd, wd and ww, and possibly baseline
/// (or against), budget, weight (of the size in averages) and agreement (from 0 to below 1: the correlation of the scores of two
/// cases from the same opening on the size; 0 if it is missing). Where it has the ids of players (player and baseline_player),
/// equal ids are one player. Other columns are parameters: a number or a word for each case. The columns of
/// `gauntlet results --format csv` that are not needed are skipped. With `--complete` all numbers of a sweep are printed; without
/// it, those that hold at any look.
///
/// `--sprt` without pairs tells how often the test accepts H1, and after how many games it ends on average, at several true
/// strengths. It takes the games of a pair for independent, and as many games for drawn as `--draws` says. Played tests agree to
/// within 5 %. A test is shorter where the first move wins often.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet stats --sprt 0,20
  gauntlet stats --sprt 0,200 --draws 0.5
  gauntlet stats --pairs 34,54,31,32,64,75
  gauntlet stats --pairs 34,54,31,32,64,75 --sprt 0,10 --json
  gauntlet stats --pairs 120,0,700,0,0,180 --sprt 0.5,0.53 --scale score
  gauntlet stats --pairs 120,0,700,0,0,180 --half-width 0.02 --e-value 0.05
  gauntlet stats --pairs 120,0,700,0,0,180 --against 150,0,700,0,0,150
  gauntlet stats --sweep rows.csv
  gauntlet results my-sweep --format csv | gauntlet stats --sweep - --complete --json")]
pub(crate) struct StatsArgs {
    /// The numbers of pairs.
    #[arg(long, value_name = "LL,LD,WL,DD,WD,WW", value_parser = pair_counts, required_unless_present_any = ["sweep", "sprt"])]
    pairs: Option<PairCounts>,
    /// The cells of a sweep instead of one cell; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "against", "sprt", "half_width", "e_value"])]
    sweep: Option<PathBuf>,
    /// The planned games of the sweep are complete, and no rule or person looked at results to decide when to end. Then
    /// intervals, tests, shrunken rates, curves and ratings for a fixed number of games hold; without it, only the numbers that
    /// hold at any look are printed.
    #[arg(long, requires = "sweep")]
    complete: bool,
    /// A second cell; the difference of both rates is printed.
    #[arg(long, value_name = "LL,LD,WL,DD,WD,WW", value_parser = pair_counts, requires = "pairs")]
    against: Option<PairCounts>,
    /// A sequential test of the second hypothesis against the first one, both in Elo or in the unit of --scale; without --pairs,
    /// how long the test takes.
    #[arg(long, value_name = "H0,H1", value_parser = two_numbers, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// The unit of --sprt.
    #[arg(long, value_enum, default_value_t, requires = "sprt")]
    scale: Scale,
    /// The chance that the test accepts H1 where H0 is true, above 0 and below 0.5.
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "RATE", value_parser = within(0.0, 0.5))]
    alpha: f64,
    /// The chance that the test accepts H0 where H1 is true, above 0 and below 0.5.
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_name = "RATE", value_parser = within(0.0, 0.5))]
    beta: f64,
    /// The fraction of the games between equal players that is drawn, from 0 to below 1. Fewer are where one player is stronger.
    #[arg(long, default_value_t = 0.0, requires = "sprt", conflicts_with = "pairs", value_name = "RATE", value_parser = draws)]
    draws: f64,
    /// The rule that stops when the interval of the rate is this narrow to either side: 0.02 is two percentage points.
    #[arg(long, value_name = "RATE", value_parser = between_0_and_1, requires = "pairs")]
    half_width: Option<f64>,
    /// The interval of --half-width.
    #[arg(long, value_enum, default_value_t, requires = "half_width")]
    interval: WhichInterval,
    /// The rule that stops when the e-value against 50 % reaches 1/ALPHA. ALPHA is the chance that a cell of 50 % is ever called
    /// different.
    #[arg(long, value_name = "ALPHA", value_parser = between_0_and_1, requires = "pairs")]
    e_value: Option<f64>,
    /// The confidence of all intervals, above 0 and below 1.
    #[arg(long, default_value_t = 0.95, value_name = "LEVEL", value_parser = confidence)]
    confidence: f64,
    /// Print JSON; rates are fractions from 0 to 1.
    #[arg(long)]
    json: bool,
}

/// The unit of hypotheses.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum Scale {
    /// Logistic Elo.
    #[default]
    Elo,
    /// Scores from 0 to 1.
    Score,
    /// Normalised Elo, in which the length of a test depends on neither draws nor colours.
    NormalisedElo,
}

/// An interval of the rate.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(super) enum WhichInterval {
    /// Wilson's on effective games, for a number of games that was fixed beforehand.
    #[default]
    Wilson,
    /// The confidence sequence, which holds at every look.
    Sequence,
}

/// Prints the statistics.
pub(crate) fn run(args: &StatsArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.sweep {
        let basis = if args.complete { Basis::Complete } else { Basis::AnyLook };
        let found = analyse(&sweep::read(path)?, args.confidence, basis)?;
        return args.say(&found, || found.text());
    }
    if let (None, Some(hypotheses)) = (args.pairs, args.sprt) {
        let planned = Planned::of(&args.test(hypotheses)?, args)?;
        return args.say(&planned, || planned.text());
    }
    let cell = Cell::of(args)?;
    args.say(&cell, || cell.text())
}

/// All numbers of a cell, as in the JSON. Intervals are [low, high]; an infinite number is null.
#[derive(Debug, Serialize)]
struct Cell {
    pairs: u64,
    /// LL, LD, WL, DD, WD, WW.
    pair_counts: [u64; 6],
    /// Won, drawn, lost.
    games: [f64; 3],
    rate: f64,
    standard_error: f64,
    draw_rate: f64,
    pair_variance: f64,
    game_variance: f64,
    design_effect: f64,
    effective_games: f64,
    confidence: f64,
    intervals: Intervals,
    elo: Elo,
    normalised_elo: Option<f64>,
    normalised_elo_error: Option<f64>,
    normalised_elo_intervals: NormalisedElo,
    /// Likelihood of superiority, for a single look.
    los: f64,
    /// Against a rate of 50 %; the natural logarithms of the e-values.
    log_e_value: f64,
    log_e_value_dirichlet: f64,
    e_value: f64,
    /// Better, worse, not_better, not_worse or open: by the sequential test if that excludes 50 %, or else by the confidence
    /// sequence.
    verdict: &'static str,
    /// Independent games that show a difference as large as the observed one, in a plan of 5 % significance and 80 % power.
    games_to_detect: Option<u64>,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    half_width_rule: Option<HalfWidth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    e_value_rule: Option<EValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SequentialTest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

/// Intervals of the rate.
#[derive(Debug, Serialize)]
struct Intervals {
    /// Wilson's interval on effective games, for a number of games that was fixed beforehand.
    wilson: (f64, f64),
    /// The confidence sequence, which holds at every look.
    sequence: (f64, f64),
    /// The asymptotic confidence sequence of the pairs; from 100 pairs on.
    asymptotic_sequence: Option<(f64, f64)>,
    /// The last three treat the games as independent, and a draw as half a win and half a loss.
    jeffreys: (f64, f64),
    clopper_pearson: (f64, f64),
    agresti_coull: (f64, f64),
}

#[derive(Debug, Serialize)]
struct Elo {
    elo: Option<f64>,
    /// Half the width of the normal approximation.
    error: Option<f64>,
    wilson: (Option<f64>, Option<f64>),
    sequence: (Option<f64>, Option<f64>),
}

/// Normalised Elo at the ends of the intervals.
#[derive(Debug, Serialize)]
struct NormalisedElo {
    fixed: (Option<f64>, Option<f64>),
    sequence: (Option<f64>, Option<f64>),
}

/// This cell's rate minus that of the second one, with Newcombe's interval.
#[derive(Debug, Serialize)]
struct Difference {
    rate: f64,
    other_rate: f64,
    difference: f64,
    interval: (f64, f64),
}

impl Cell {
    fn of(args: &StatsArgs) -> anyhow::Result<Self> {
        // Without --pairs, there is --sweep or only --sprt.
        let counts = args.pairs.unwrap_or_default();
        let none = "there are no pairs: all six counts of --pairs are 0";
        let summary = stats::summary(&counts, args.confidence).ok_or_else(|| anyhow::anyhow!(none))?;
        let moments = counts.moments().ok_or_else(|| anyhow::anyhow!(none))?;
        let test = args.sprt.map(|hypotheses| args.test(hypotheses)).transpose()?;
        let sprt = test.map(|test| SequentialTest::of(args, test, &summary)).transpose()?;
        let difference = args.against.map(|other| Difference::of(&summary, &other)).transpose()?;
        Ok(Self {
            pairs: counts.pairs(),
            pair_counts: counts.into(),
            games: counts.games(),
            rate: summary.rate,
            standard_error: summary.standard_error,
            draw_rate: summary.draw_rate,
            pair_variance: moments.pair_variance,
            game_variance: moments.game_variance,
            design_effect: summary.design_effect,
            effective_games: summary.effective_games,
            confidence: args.confidence,
            intervals: Intervals::of(&counts, &summary)?,
            elo: Elo {
                elo: summary.elo,
                error: summary.elo_error,
                wilson: (summary.elo_low, summary.elo_high),
                sequence: (summary.cs_elo_low, summary.cs_elo_high),
            },
            normalised_elo: summary.normalised_elo,
            normalised_elo_error: summary.normalised_elo_error,
            normalised_elo_intervals: NormalisedElo {
                fixed: (summary.normalised_elo_low, summary.normalised_elo_high),
                sequence: (summary.cs_normalised_elo_low, summary.cs_normalised_elo_high),
            },
            los: summary.superiority,
            log_e_value: summary.log_e_value,
            log_e_value_dirichlet: stats::dirichlet_log_e_value(&counts.by_score(), 0.5, 0.5)?,
            e_value: summary.e_value,
            verdict: verdict(&summary, &counts, test)?,
            games_to_detect: stats::games_to_detect((summary.rate - 0.5).abs(), stats::Test::STANDARD).ok(),
            words: stats::sequence_words(&summary),
            half_width_rule: args.half_width.map(|width| HalfWidth::of(args, width, &counts)).transpose()?,
            e_value_rule: args.e_value.map(|alpha| EValue::of(args, alpha, &counts)).transpose()?,
            sprt,
            difference,
        })
    }
}

impl Intervals {
    fn of(counts: &PairCounts, summary: &Summary) -> Result<Self, OutsideUnitInterval> {
        let [wins, draws, losses] = counts.games();
        let (wins, losses, confidence) = (wins + draws / 2.0, losses + draws / 2.0, summary.confidence);
        let pairs = counts.pairs() as f64;
        // At least that of one pair with another score.
        let variance =
            counts.moments().map_or(0.0, |moments| moments.pair_variance).max(1.0 / (16.0 * pairs));
        let asymptotic =
            stats::asymptotic_sequence(summary.rate, variance, pairs, stats::ASYMPTOTIC_OPTIMUM, confidence)?;
        Ok(Self {
            wilson: (summary.low, summary.high),
            sequence: (summary.cs_low, summary.cs_high),
            asymptotic_sequence: asymptotic
                .filter(|_| counts.pairs() >= 100)
                .map(|(low, high)| (low.max(0.0), high.min(1.0))),
            jeffreys: stats::jeffreys(wins, losses, confidence)?,
            clopper_pearson: stats::clopper_pearson(wins, losses, confidence)?,
            agresti_coull: stats::agresti_coull(wins, losses, confidence)?,
        })
    }
}

impl StatsArgs {
    /// Prints the results, as JSON or as text.
    fn say(&self, found: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        print(&if self.json { serde_json::to_string_pretty(found)? + "\n" } else { text() })
    }

    /// The sequential test of these hypotheses.
    fn test(&self, (h0, h1): (f64, f64)) -> anyhow::Result<Sprt> {
        let hypotheses = match self.scale {
            Scale::Elo => Hypotheses::Elo(h0, h1),
            Scale::Score => Hypotheses::Score(h0, h1),
            Scale::NormalisedElo => Hypotheses::NormalisedElo(h0, h1),
        };
        Sprt::new(hypotheses, self.alpha, self.beta)
            .map_err(|error| anyhow::anyhow!("there is no test `--sprt {h0},{h1}`: {error}"))
    }
}

/// The verdict on a cell whose test, if there is one, reads all of these pairs.
fn verdict(summary: &Summary, counts: &PairCounts, test: Option<Sprt>) -> anyhow::Result<&'static str> {
    let rule = test.map(Rule::Sprt);
    let decision = rule.map(|rule| rule.decide(counts)).transpose()?.flatten();
    let reading = Reading { counts: *counts, decision };
    Ok(word(stats::verdict(summary, rule.as_ref().map(|rule| (rule, &reading)))))
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::NotBetter => "not_better",
        Verdict::NotWorse => "not_worse",
        Verdict::Open => "open",
    }
}

impl Difference {
    fn of(cell: &Summary, other: &PairCounts) -> anyhow::Result<Self> {
        let other = stats::summary(other, cell.confidence);
        let other =
            other.ok_or_else(|| anyhow::anyhow!("there are no pairs: all six counts of --against are 0"))?;
        let ends = |of: &Summary| (of.low, of.rate, of.high);
        Ok(Self {
            rate: cell.rate,
            other_rate: other.rate,
            difference: cell.rate - other.rate,
            interval: stats::newcombe(ends(cell), ends(&other)),
        })
    }
}

/// Reads LL,LD,WL,DD,WD,WW.
fn pair_counts(text: &str) -> Result<PairCounts, String> {
    const NAMES: [&str; 6] = ["LL", "LD", "WL", "DD", "WD", "WW"];
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut counts = [0; 6];
    for ((field, name), count) in fields.iter().zip(NAMES).zip(&mut counts) {
        *count = engine::numbers::whole(field)
            .ok_or_else(|| format!("{name} is `{field}`; a count is a whole number from 0 on"))?;
    }
    match fields.len() {
        6 => Ok(counts.into()),
        5 => {
            Err("these are 5 counts; WL and DD, with the same score, are two counts here: LL,LD,WL,DD,WD,WW"
                .to_owned())
        }
        number => Err(format!("these are {number} counts, and there are six: LL,LD,WL,DD,WD,WW")),
    }
}

/// Reads two numbers with a comma.
pub(super) fn two_numbers(text: &str) -> Result<(f64, f64), String> {
    let number = |field: &str| {
        let parsed = field.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        parsed.ok_or_else(|| format!("`{}` is not a number", field.trim()))
    };
    let (first, second) = text.split_once(',').ok_or("two numbers are needed, such as 0,20")?;
    Ok((number(first)?, number(second)?))
}

fn between_0_and_1(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| format!("`{text}` is no number above 0 and below 1, such as 0.05"))
}

fn draws(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..1.0).contains(number));
    number.ok_or_else(|| format!("`{text}` is no number from 0 to below 1, such as 0.3"))
}

fn confidence(text: &str) -> Result<f64, String> {
    let level: f64 =
        text.parse().map_err(|_| "a confidence is between 0 and 1; write 0.95 for 95 %".to_owned())?;
    match level {
        level if level > 0.0 && level < 1.0 => Ok(level),
        level if (1.0..100.0).contains(&level) => {
            Err(format!("a confidence is between 0 and 1; write {} for {level} %", level / 100.0))
        }
        _ => Err("a confidence is between 0 and 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(pairs: &str) -> StatsArgs {
        StatsArgs {
            pairs: Some(pair_counts(pairs).expect("counts")),
            sweep: None,
            complete: false,
            against: None,
            sprt: Some((0.0, 10.0)),
            scale: Scale::Elo,
            alpha: 0.05,
            beta: 0.05,
            draws: 0.0,
            half_width: None,
            interval: WhichInterval::Wilson,
            e_value: None,
            confidence: 0.95,
            json: true,
        }
    }

    #[test]
    fn a_test_without_pairs_tells_its_length() {
        let args = args("0,0,1,0,0,0");
        let test = args.test((0.0, 20.0)).expect("a test");
        let text = Planned::of(&test, &args).expect("lengths").text();
        for line in ["ends the test at -2.944 (H0) and 2.944 (H1)", "   +10.0    51.4 %      50."] {
            assert!(text.contains(line), "`{line}` is missing from\n{text}");
        }
    }

    /// The values are those of fishtest's and fastchess's own code for these counts.
    #[test]
    fn the_numbers_are_those_of_the_library() {
        let cell = Cell::of(&args("34,54,31,32,64,75")).expect("a cell");
        let near =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6 * expected.abs(), "{found}");
        near(cell.elo.elo.expect("finite"), 55.579_780_42);
        near(cell.elo.error.expect("finite"), 27.653_429_51);
        near(cell.normalised_elo.expect("finite"), 57.935_599_94);
        let test = cell.sprt.as_ref().expect("a test");
        near(test.llr, 2.551_066_995);
        near(test.estimate.elo.expect("finite"), 55.529_208_27);
        assert_eq!(test.decision, None);
        let json = serde_json::to_value(&cell).expect("JSON");
        assert_eq!(json["pair_counts"], serde_json::json!([34, 54, 31, 32, 64, 75]));
        let text = cell.text();
        for part in ["+55.6 Elo", "2.55", "57.93 %", "However often you look"] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
    }

    #[test]
    fn rules_say_what_they_decide_and_what_they_need() {
        let rules = StatsArgs {
            sprt: None,
            half_width: Some(0.02),
            e_value: Some(0.05),
            ..args("120,0,700,0,0,180")
        };
        let cell = Cell::of(&rules).expect("a cell");
        let width = cell.half_width_rule.as_ref().expect("a rule");
        assert_eq!((width.decision, width.independent_games), (Some("precise"), Some(2393)));
        assert!(width.now < 0.02 && width.games_needed.is_some_and(|games| games < 2000), "{width:?}");
        let e_value = cell.e_value_rule.as_ref().expect("a rule");
        assert_eq!(e_value.decision, None);
        assert!(e_value.games_needed.is_some_and(|games| games > 2000), "{e_value:?}");
        assert_eq!((cell.verdict, cell.games_to_detect), ("open", Some(2181)));
        assert!(!width.estimate.is_corrected && e_value.estimate.is_corrected);
        let text = cell.text();
        for part in [
            "narrow enough",
            "a mean that needs no correction",
            "corrected for the stop",
            "3830 games at this rate",
            "-9.5 to +63.9 normalised Elo, approximately",
            "Dirichlet",
        ] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        let tested = StatsArgs { sprt: Some((0.0, 20.0)), ..rules };
        assert_eq!(Cell::of(&tested).expect("a cell").verdict, "better", "the test excludes 50 %");
        let lost =
            Cell::of(&StatsArgs { sprt: Some((0.0, 20.0)), ..args("300,0,700,0,0,150") }).expect("a cell");
        assert_eq!(lost.verdict, "not_better", "the test accepts its lower hypothesis");
        assert!(lost.text().contains("not better"), "{}", lost.text());
        let even =
            Cell::of(&StatsArgs { sprt: None, e_value: Some(0.05), ..args("5,0,5,0,0,5") }).expect("a cell");
        assert_eq!(even.e_value_rule.expect("a rule").games_needed, None);
        assert!(between_0_and_1("1").is_err() && between_0_and_1("nan").is_err());
    }

    #[test]
    fn extreme_cells_have_statistics_too() {
        for pairs in ["0,0,0,0,0,1", "5,0,0,0,0,0", "0,0,0,7,0,0", "0,0,9,0,0,0", "3,0,5,0,0,100000000"] {
            let rules = StatsArgs {
                sprt: Some((0.0, 20.0)),
                half_width: Some(0.05),
                e_value: Some(0.05),
                ..args(pairs)
            };
            let cell = Cell::of(&rules).expect("a cell");
            assert!(!cell.text().contains("NaN") && !cell.text().contains("inf "), "{}", cell.text());
            assert!(!serde_json::to_string(&cell).expect("JSON").contains("NaN"));
        }
        assert!(Cell::of(&args("0,0,0,0,0,0")).is_err());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        assert_eq!(
            pair_counts("1,2,x,4,5,6").expect_err("no"),
            "WL is `x`; a count is a whole number from 0 on"
        );
        assert!(pair_counts("1,2,3,4,5").expect_err("no").contains("WL and DD"));
        assert!(pair_counts("1").expect_err("no").starts_with("these are 1 counts"));
        assert_eq!(two_numbers("0;20").expect_err("no"), "two numbers are needed, such as 0,20");
        assert_eq!(two_numbers("0,inf").expect_err("no"), "`inf` is not a number");
        assert_eq!(confidence("95").expect_err("no"), "a confidence is between 0 and 1; write 0.95 for 95 %");
    }
}
