//! The analysis of an experiment as one question: `GET /api/v1/experiments/{id}/analysis`.

use crate::ids::{ExperimentId, PlayerId};
use crate::prefix::short;
use crate::words::{count, counted};
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};
use stats::PairedDifference;
use stats::sweep::SweepAnalysis;
use std::fmt::Write;

/// The analysis of an experiment. It is computed from counters and from the scores of pairs, and never from games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExperimentAnalysis {
    /// The experiment.
    pub id: ExperimentId,
    /// The experiment's name.
    pub name: String,
    /// The question that the experiment answers.
    pub question: String,
    /// The one board size that was asked for; absent for all sizes together. Ranking, claims and numbers of games are then those of this size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<u8>"))]
    pub size: Option<BoardSize>,
    /// Whether nothing more will be played. If not, all numbers may still change.
    pub has_ended: bool,
    /// Whether the games that were planned beforehand are all finished, and no rule, tune or change of the planned pairs may have looked at
    /// results on the way. Only then do the numbers for a fixed number of games hold.
    pub is_complete: bool,
    /// Games counted.
    pub games_done: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Rankings, claims, curves, importance of parameters and ratings. Cases that equal their baseline are left out: they are
    /// controls.
    pub sweep: SweepAnalysis,
    /// The names that the series of the experiment's report have here, in the order of the report.
    pub series: Vec<SeriesNames>,
    /// The best case of each field, by shrunken rates, compared with those that follow it. Empty unless the games are complete: the tests are
    /// those of a fixed number of openings.
    pub comparisons: Vec<Comparison>,
}

/// The names of a series. Here, each player has one name and each name is one player's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SeriesNames {
    /// The case.
    pub case: String,
    /// The baseline.
    pub against: String,
    /// The budget of a move.
    pub budget: String,
    /// The id of the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerId>,
    /// The id of the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<PlayerId>,
}

/// The difference between two cases, pair by pair: both met the same openings with the same seeds and the same baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The baseline of both.
    pub against: String,
    /// The budget of a move.
    pub budget: String,
    /// The best case of the field.
    pub best: String,
    /// The other case.
    pub case: String,
    /// The number of sizes with common openings.
    pub sizes: u32,
    /// The best case's rate less the other's, averaged over these sizes. It has no interval: the same games chose the best case, so that the
    /// difference looks too large.
    #[serde(flatten)]
    pub paired: PairedDifference,
    /// The p-value of the hypothesis that the other case is the best of the field. It allows for the choice of the best case by the
    /// same games: the cases with more than 0.05 contain a best one with a confidence of 95 %.
    pub adjusted_p_value: f64,
}

/// What an analysis says as long as games are missing.
pub const PRELIMINARY: &str = "The experiment is running: these results may still change.";

/// What the claims of one size leave out.
const OF_ONE_SIZE: &str = "The claims allow for the number of cases on this size. They do not allow for a choice of the size by its results.\n";

impl ExperimentAnalysis {
    /// The analysis for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{} ({}): {}\n", self.name, self.id.short(), self.question);
        let state = match (self.is_complete, self.has_ended) {
            (true, _) => "The planned games are complete.",
            (false, true) => {
                "It has ended. A rule or a person decided when or how many games to play, so the numbers are those that hold at any look. \
                 For intervals and tests of a fixed plan, apply the cases as a new experiment with another seed."
            }
            (false, false) => PRELIMINARY,
        };
        let alone = self.size.map_or_else(String::new, |size| format!(" on size {size} alone"));
        let _ = writeln!(
            text,
            "{} of {}{alone}. {state}\n",
            count(self.games_done),
            counted(self.games_planned, "game")
        );
        text.push_str(&self.sweep.text());
        if self.size.is_some() {
            text.push_str(OF_ONE_SIZE);
        }
        let mut heading = None;
        for comparison in &self.comparisons {
            let of = (&comparison.best, &comparison.against, &comparison.budget);
            if heading.replace(of) != Some(of) {
                let _ = writeln!(
                    text,
                    "\n{} less other cases against {}, {}, opening by opening. The same games chose it as the best case, so its lead \
                     looks too large, and no interval around it would hold. p is that of the other case being the best of all:",
                    comparison.best, comparison.against, comparison.budget
                );
            }
            let _ = writeln!(text, "{}", comparison.words());
        }
        text.push_str(&self.players());
        text
    }

    /// The ids of the players, a line each, baselines first.
    fn players(&self) -> String {
        let baselines = self.series.iter().map(|one| (one.baseline, &one.against));
        let cases = self.series.iter().map(|one| (one.player, &one.case));
        let mut players: Vec<(PlayerId, &String)> = Vec::new();
        for (id, name) in baselines.chain(cases) {
            if let Some(id) = id.filter(|id| players.iter().all(|(known, _)| known != id)) {
                players.push((id, name));
            }
        }
        let ids = short(&players.iter().map(|(id, _)| id.0).collect::<Vec<_>>());
        let lines: String =
            ids.iter().zip(players).map(|(id, (_, name))| format!("  {id}  {name}\n")).collect();
        if lines.is_empty() { lines } else { format!("\nPlayers and their ids:\n{lines}") }
    }
}

impl Comparison {
    fn words(&self) -> String {
        let PairedDifference { openings, difference, saved, .. } = self.paired;
        let saved = saved.map_or(String::new(), |saved| {
            let words = if saved >= 0.0 { "saved" } else { "cost" };
            format!("; common openings {words} {:.0} % of the games", 100.0 * saved.abs())
        });
        format!(
            "  {}: {:+.1} points from {openings} common openings, p = {:.3}{saved}",
            self.case,
            100.0 * difference,
            self.adjusted_p_value
        )
    }
}
