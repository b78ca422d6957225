//! The statistics of a cell for people.

use super::Cell;
use super::rules::{Corrected, EValue, HalfWidth, SequentialTest};
use protocol::words::count;

/// Width of the first column.
const WIDTH: usize = 24;

impl Cell {
    /// One line for each number or interval.
    pub(super) fn text(&self) -> String {
        let mut lines = Lines::default();
        let [ll, ld, wl, dd, wd, ww] = self.pair_counts;
        let [wins, draws, losses] = self.games;
        let level = format!("{} %", short(100.0 * self.confidence));
        lines.add("pairs", format!("{}: LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}", self.pairs));
        lines.add("games", format!("{}: {wins} won, {draws} drawn, {losses} lost", wins + draws + losses));
        lines.add(
            "win rate",
            format!("{} %, standard error {}", percent(self.rate), percent(self.standard_error)),
        );
        lines.add("draw rate", format!("{} %", percent(self.draw_rate)));
        lines.add(
            "variance",
            format!("{:.5} of a pair's score, {:.5} of a game's", self.pair_variance, self.game_variance),
        );
        lines.add(
            "design effect",
            format!("{:.3}; {:.0} effective games", self.design_effect, self.effective_games),
        );
        lines.title(&format!("Intervals of {level} for the win rate"));
        lines.add("if planned beforehand", range(self.intervals.wilson) + ", Wilson on effective games");
        lines.add("whenever you look", range(self.intervals.sequence) + ", confidence sequence");
        if let Some(ends) = self.intervals.asymptotic_sequence {
            lines.add("", range(ends) + ", asymptotic confidence sequence of the pairs");
        }
        lines.add("of independent games", range(self.intervals.jeffreys) + ", Jeffreys");
        lines.add("", range(self.intervals.clopper_pearson) + ", Clopper-Pearson");
        lines.add("", range(self.intervals.agresti_coull) + ", Agresti-Coull");
        lines.title("Strength");
        let error = self.elo.error.map_or(String::new(), |error| format!(" ± {error:.1}, {level}"));
        lines.add("Elo", elo(self.elo.elo) + &error);
        lines.add("if planned beforehand", elo_range(self.elo.wilson));
        lines.add("whenever you look", elo_range(self.elo.sequence));
        let error =
            self.normalised_elo_error.map_or(String::new(), |error| format!(" ± {error:.1}, {level}"));
        let normalised = self.normalised_elo.map_or("infinite".to_owned(), |value| format!("{value:+.1}"));
        lines.add("normalised Elo", normalised + &error);
        let intervals = &self.normalised_elo_intervals;
        for (name, ends, approximately) in [
            ("if planned beforehand", intervals.fixed, ""),
            ("whenever you look", intervals.sequence, ", approximately"),
        ] {
            lines.add(name, format!("{} normalised Elo{approximately}", end_range(ends)));
        }
        lines.add("superiority", format!("{} %, for a single look", percent(self.los)));
        if let Some(games) = self.games_to_detect {
            lines.add(
                "to plan for it",
                format!(
                    "{} independent games show this difference at 5 % with a power of 80 %",
                    count(games)
                ),
            );
        }
        lines.add(
            "e-value against 50 %",
            format!("{} (natural logarithm {:.3})", scientific(self.e_value), self.log_e_value),
        );
        lines.add("", format!("natural logarithm {:.3}, Dirichlet mixture", self.log_e_value_dirichlet));
        lines.add("verdict", self.verdict.replace('_', " "));
        if self.half_width_rule.is_some() || self.e_value_rule.is_some() {
            lines.title("Stopping rules");
        }
        if let Some(rule) = &self.half_width_rule {
            rule.write(&mut lines);
        }
        if let Some(rule) = &self.e_value_rule {
            rule.write(&mut lines);
        }
        if let Some(test) = &self.sprt {
            test.write(&mut lines);
        }
        if let Some(difference) = &self.difference {
            lines.title(&format!(
                "Difference of {} % and {} %",
                percent(difference.rate),
                percent(difference.other_rate)
            ));
            let (low, high) = difference.interval;
            let points = |x: f64| format!("{:+.2}", 100.0 * x);
            lines.add(
                "points",
                format!(
                    "{}, {level} from {} to {}",
                    points(difference.difference),
                    points(low),
                    points(high)
                ),
            );
        }
        format!("{}\n{}\n", lines.0, self.words)
    }
}

/// How many games a rule needs, in words.
fn needed(games: Option<u64>) -> String {
    games.map_or("it never decides at this rate".to_owned(), |games| {
        format!("{} games at this rate", count(games))
    })
}

impl HalfWidth {
    fn write(&self, lines: &mut Lines) {
        let decision = if self.decision.is_some() { "narrow enough" } else { "not narrow enough" };
        lines.add(
            "half-width",
            format!("{} points, bound {}: {decision}", percent(self.now), percent(self.half_width)),
        );
        lines.add("games needed", needed(self.games_needed));
        if let Some(games) = self.independent_games {
            lines.add(
                "",
                format!("{} if the games were independent and none drawn, normal interval", count(games)),
            );
        }
        self.estimate.write(lines);
    }
}

impl EValue {
    fn write(&self, lines: &mut Lines) {
        let decision =
            self.decision.map_or("no decision yet".to_owned(), |which| format!("{which} than 50 %"));
        lines.add("e-value", format!("bound {}: {decision}", short(1.0 / self.alpha)));
        lines.add("games needed", needed(self.games_needed));
        self.estimate.write(lines);
    }
}

impl Corrected {
    fn write(&self, lines: &mut Lines) {
        let correction =
            if self.is_corrected { "corrected for the stop" } else { "a mean that needs no correction" };
        let text = format!("{} %, {}, {correction}", percent(self.rate), range(self.interval));
        lines.add("if it ended here", text);
        lines.add("", format!("{}, {}", elo(self.elo), elo_range(self.elo_interval)));
    }
}

impl SequentialTest {
    fn write(&self, lines: &mut Lines) {
        let (s0, s1) = self.scores;
        lines.title(&format!("Sequential test of {} % against {} %", percent(s1), percent(s0)));
        let decision = match self.decision {
            Some("accept_h1") => "H1 is accepted",
            Some(_) => "H0 is accepted",
            None => "no decision yet",
        };
        let (lower, upper) = self.bounds;
        lines.add(
            "likelihood ratio",
            format!("{:.3}, bounds {lower:.3} and {upper:.3}: {decision}", self.llr),
        );
        self.estimate.write(lines);
        for expected in &self.expected {
            let at = match expected.at {
                "h0" => "if H0 is true",
                "h1" => "if H1 is true",
                "middle" => "in the middle",
                _ => "at the observed rate",
            };
            lines.add(
                at,
                format!(
                    "{} % accept H1, after {:.0} games on average",
                    percent(expected.pass),
                    2.0 * expected.pairs
                ),
            );
        }
    }
}

/// Lines of two columns.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, text: String) {
        self.0 += &format!("{name:<WIDTH$}{text}\n");
    }

    fn title(&mut self, title: &str) {
        self.0 += &format!("\n{title}\n");
    }
}

/// A fraction in per cent with two digits.
fn percent(rate: f64) -> String {
    format!("{:.2}", 100.0 * rate)
}

fn range((low, high): (f64, f64)) -> String {
    format!("{} to {} %", percent(low), percent(high))
}

fn elo(elo: Option<f64>) -> String {
    elo.map_or("infinite".to_owned(), |elo| format!("{elo:+.1} Elo"))
}

fn elo_range(ends: (Option<f64>, Option<f64>)) -> String {
    end_range(ends) + " Elo"
}

fn end_range((low, high): (Option<f64>, Option<f64>)) -> String {
    let end = |end: Option<f64>, infinite: &str| end.map_or(infinite.to_owned(), |elo| format!("{elo:+.1}"));
    format!("{} to {}", end(low, "-∞"), end(high, "+∞"))
}

/// A number without superfluous digits.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn scientific(number: f64) -> String {
    if (0.001..1e6).contains(&number) { format!("{number:.3}") } else { format!("{number:.3e}") }
}
