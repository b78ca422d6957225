//! The analysis of a sweep in words and tables.

use super::{CaseResult, Claims, Field, ParameterCurve, RatingList, SweepAnalysis};
use crate::chi_square::ChiSquare;
use crate::curve::{Curve, Optimum, OptimumKind};
use crate::importance::{EffectModel, Importances};
use crate::normal::two_sided;
use crate::numbers::number;

/// Cells that are listed by name at most.
const MOST_CELLS: usize = 20;

impl SweepAnalysis {
    /// The analysis for people. `is_complete` says whether a number of games fixed beforehand is played: claims are then those of the adjusted
    /// p-values, which are valid once, and otherwise those of the e-values, which are valid at any look.
    #[must_use]
    pub fn text(&self, is_complete: bool) -> String {
        let mut parts = Vec::new();
        for field in &self.fields {
            parts.extend(field.text(self.confidence, is_complete));
        }
        parts.extend(self.ratings.iter().map(|list| list.text(self.confidence)));
        if parts.is_empty() {
            return "There are no complete pairs yet.\n".to_owned();
        }
        parts.push(legend(self.confidence, is_complete));
        parts.join("\n")
    }
}

fn legend(confidence: f64, is_complete: bool) -> String {
    let errors = 100.0 * (1.0 - confidence);
    let claims = if is_complete {
        format!(
            "The claims are those of Benjamini and Hochberg: at most {errors:.0} % of them are false on average. They are valid once, for the planned games."
        )
    } else {
        format!(
            "The claims are those of e-BH: at most {errors:.0} % of them are false on average, however often you look."
        )
    };
    format!(
        "The interval is right for a number of games that was fixed beforehand. That at any look holds for one case, however often you \
         look. Shrunken rates are moved towards the mean of all cases, as far as the differences may be luck; trust them for a \
         choice. {claims}\n"
    )
}

impl Field {
    fn text(&self, confidence: f64, is_complete: bool) -> Vec<String> {
        let budget = if self.budget.is_empty() { String::new() } else { format!(", {}", self.budget) };
        let mut parts = vec![format!(
            "Against {}{budget}: {} on {}\n",
            self.against,
            counted(self.cases.len(), "case"),
            match self.sizes.as_slice() {
                [one] => format!("size {one}"),
                sizes => format!("sizes {}", sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")),
            }
        )];
        parts.push(self.ranking(confidence, is_complete));
        parts.push(self.claimed_cells(is_complete));
        parts.extend(self.interaction.map(interaction_words));
        if !self.curves.is_empty() {
            parts.push(self.curves.iter().map(curve_words).collect::<Vec<_>>().join(""));
        }
        parts.extend(self.importance.as_ref().map(|found| importance_text(found, confidence)));
        parts
    }

    fn ranking(&self, confidence: f64, is_complete: bool) -> String {
        let interval = format!("{:.0} % interval", 100.0 * confidence);
        let mut rows = vec![
            [
                "case",
                "sizes",
                "pairs",
                "win rate",
                &interval,
                "at any look",
                "shrunken",
                "best",
                "against 50 %",
            ]
            .map(str::to_owned),
        ];
        rows.extend(self.cases.iter().map(|case| {
            [
                case.case.clone(),
                case.sizes.to_string(),
                case.pairs.to_string(),
                percent(case.rate),
                format!("{:.1} to {:.1} %", 100.0 * case.low, 100.0 * case.high),
                format!("{:.1} to {:.1} %", 100.0 * case.cs_low, 100.0 * case.cs_high),
                format!(
                    "{:.1} ± {:.1} %",
                    100.0 * case.shrunken,
                    100.0 * reach(confidence) * case.shrunken_deviation
                ),
                chance(case.prob_best),
                differs(case, is_complete).to_owned(),
            ]
        }));
        let mut text = table(&rows, 1);
        if self.cases.len() > 1 {
            text.push_str(&format!(
                "\nThe true win rates of the cases have a mean of {}{}. If all cases \
                 were equal, the best one of {} would look {:.1} points better by luck.\n",
                percent(self.mean),
                match self.spread {
                    0.0 => ", and no spread is found".to_owned(),
                    spread => format!(" and a standard deviation of {:.1} points", 100.0 * spread),
                },
                self.cases.len(),
                100.0 * self.luck_of_the_best
            ));
        }
        let uneven: Vec<&CaseResult> =
            self.cases.iter().filter(|case| (case.sizes as usize) < self.sizes.len()).collect();
        if !uneven.is_empty() {
            let names: Vec<&str> = uneven.iter().map(|case| case.case.as_str()).take(MOST_CELLS).collect();
            text.push_str(&format!(
                "Averages over other sizes than those of the rest: {}.\n",
                names.join(", ")
            ));
        }
        text
    }

    fn claimed_cells(&self, is_complete: bool) -> String {
        let claimed: Vec<_> =
            self.cells.iter().filter(|cell| is_claimed(&cell.claims, is_complete)).collect();
        let mut text = format!("{} of {} differ from 50 %", claimed.len(), counted(self.cells.len(), "cell"));
        let shown: Vec<String> = claimed
            .iter()
            .take(MOST_CELLS)
            .map(|cell| format!("{} on size {} ({})", cell.case, cell.size, percent(cell.rate)))
            .collect();
        if !shown.is_empty() {
            text.push_str(&format!(": {}", shown.join(", ")));
        }
        if claimed.len() > shown.len() {
            text.push_str(&format!(", and {} more", claimed.len() - shown.len()));
        }
        text + ".\n"
    }
}

fn is_claimed(claims: &Claims, is_complete: bool) -> bool {
    if is_complete { claims.complete } else { claims.running }
}

/// What is claimed of a case. The evidence while games are played is that of the sizes, which may lie on both sides. Then the side is that of
/// the sequence: the interval for a fixed number of games does not hold at any look.
fn differs(case: &CaseResult, is_complete: bool) -> &'static str {
    let is_one_sided = is_complete || case.cs_low > 0.5 || case.cs_high < 0.5;
    match (is_claimed(&case.claims, is_complete), is_one_sided, case.rate > 0.5) {
        (false, ..) => "open",
        (true, false, _) => "differs on some size",
        (true, true, true) => "better",
        (true, true, false) => "worse",
    }
}

fn tested(test: &ChiSquare) -> String {
    let degrees = counted(test.degrees as usize, "degree");
    format!("χ² = {:.1} with {degrees} of freedom, {}", test.statistic, p_is(test.p_value))
}

fn interaction_words(test: ChiSquare) -> String {
    let verdict = if test.p_value < 0.05 {
        "The size matters for the comparison of the cases: look at the sizes, not only at the average"
    } else {
        "The cases compare alike on all sizes, as far as the games show"
    };
    format!("{verdict} ({}).\n", tested(&test))
}

fn curve_words(found: &ParameterCurve) -> String {
    let ParameterCurve { parameter, size, curve } = found;
    let place = size.map_or("over all sizes".to_owned(), |size| format!("on size {size}"));
    let Optimum { kind, at, low, high, rate, rate_low, rate_high } = &curve.optimum;
    let best = format!(
        "{parameter} = {} with {} ({:.1} to {:.1} %)",
        short(*at),
        percent(*rate),
        100.0 * rate_low,
        100.0 * rate_high
    );
    let words = match kind {
        OptimumKind::Inside => {
            format!("best at {best}; the best value is between {} and {}", short(*low), short(*high))
        }
        OptimumKind::Open => format!(
            "best at {best}, but the best value is known only to be between {} and {}, up to an end of the sweep",
            short(*low),
            short(*high)
        ),
        OptimumKind::LowerEnd => at_end("smallest", "smaller", &best, curve),
        OptimumKind::UpperEnd => at_end("largest", "larger", &best, curve),
        OptimumKind::Flat => {
            format!("no visible effect between {} and {}", short(curve.from), short(curve.to))
        }
    };
    let misfit = match &curve.misfit {
        Some(test) if test.p_value < 0.05 => " The curve does not fit the points well.".to_owned(),
        _ => String::new(),
    };
    format!("{parameter} {place}: {words} (effect: {}).{misfit}\n", p_is(curve.no_effect.p_value))
}

/// An optimum at an end of the sweep, and what the games do not exclude.
fn at_end(end: &str, beyond: &str, best: &str, curve: &Curve) -> String {
    let (low, high) = (curve.optimum.low, curve.optimum.high);
    if low >= high {
        return format!("no optimum inside the sweep: best at the {end} value, {best}; try {beyond} values");
    }
    let doubt = if low <= curve.from && high >= curve.to {
        "the other end of the sweep is not excluded".to_owned()
    } else {
        format!("the best value is known only to be between {} and {}", short(low), short(high))
    };
    format!("best at the {end} value, {best}, but {doubt}; try {beyond} values")
}

fn importance_text(found: &Importances, confidence: f64) -> String {
    let mut rows = vec![["parameter", "share", "effect", "interval", "p", "best value"].map(str::to_owned)];
    rows.extend(found.parameters.iter().map(|one| {
        let best = one.levels.iter().max_by(|a, b| a.effect.total_cmp(&b.effect));
        [
            one.parameter.clone(),
            format!("{:.0} %", 100.0 * one.share),
            format!("{:.1}", 100.0 * one.effect),
            format!("{:.1} to {:.1}", 100.0 * one.effect_low, 100.0 * one.effect_high),
            p(one.no_effect.p_value),
            match (one.model, best) {
                (EffectModel::Levels, Some(level)) => {
                    format!(
                        "{} ({:+.1} ± {:.1})",
                        level.value,
                        100.0 * level.effect,
                        50.0 * (level.high - level.low)
                    )
                }
                _ => "a curve".to_owned(),
            },
        ]
    }));
    let interactions = found.no_interaction.as_ref().map_or(String::new(), |test| {
        format!(
            "Interactions between parameters: {:.0} % ({}).\n",
            100.0 * found.interaction_share,
            tested(test)
        )
    });
    format!(
        "Importance of the parameters: share of the variance between cases, and standard deviation of the effect in points \
         with its {:.0} % interval\n{}{interactions}",
        100.0 * confidence,
        table(&rows, 1)
    )
}

/// Half of an interval, in standard deviations: what follows a ±.
fn reach(confidence: f64) -> f64 {
    two_sided(confidence).unwrap_or(f64::INFINITY)
}

impl RatingList {
    fn text(&self, confidence: f64) -> String {
        let budget = if self.budget.is_empty() { String::new() } else { format!(", {}", self.budget) };
        let interval = format!("{:.0} % interval", 100.0 * confidence);
        let mut rows = vec![["player", "Elo", &interval, "above the next"].map(str::to_owned)];
        rows.extend(self.players.iter().map(|player| {
            let superiority =
                player.superiority.map_or("-".to_owned(), |los| format!("{:.1} %", 100.0 * los));
            [
                if player.connected {
                    player.player.clone()
                } else {
                    format!("{} (not connected)", player.player)
                },
                format!("{:+.0}", player.elo),
                if player.player == self.anchor {
                    "anchor".to_owned()
                } else {
                    format!("{:+.0} to {:+.0}", player.low, player.high)
                },
                superiority,
            ]
        }));
        let mut text = format!(
            "Ratings{budget}: averages over sizes, Elo points above {}\n{}",
            self.anchor,
            table(&rows, 1)
        );
        if !self.first_move.is_empty() {
            let sizes: Vec<String> = self
                .first_move
                .iter()
                .map(|(size, elo, error)| {
                    format!("{elo:+.0} ± {:.0} on size {size}", reach(confidence) * error)
                })
                .collect();
            text.push_str(&format!("First move: {} Elo.\n", sizes.join(", ")));
        }
        for (size, test) in self.fit.iter().filter(|(_, test)| test.p_value < 0.05) {
            text.push_str(&format!(
                "On size {size}, one number for each player does not explain the results ({}).\n",
                tested(test)
            ));
        }
        text
    }
}

/// A table with two spaces between columns. The first `words` columns are left-aligned.
fn table<const N: usize>(rows: &[[String; N]], words: usize) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let field = |(column, (field, width)): (usize, (&String, &usize))| {
            if column < words { format!("{field:<width$}") } else { format!("{field:>width$}") }
        };
        let fields: Vec<String> = row.iter().zip(&widths).enumerate().map(field).collect();
        fields.join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn counted(number: usize, what: &str) -> String {
    crate::counted(number as u64, what)
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

fn chance(probability: f64) -> String {
    match probability {
        p if p < 0.0005 => "< 0.1 %".to_owned(),
        p if p > 0.9995 => "> 99.9 %".to_owned(),
        p => percent(p),
    }
}

fn p(p_value: f64) -> String {
    if p_value < 0.001 { "< 0.001".to_owned() } else { format!("{p_value:.3}") }
}

fn p_is(p_value: f64) -> String {
    if p_value < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p_value:.3}") }
}

/// A parameter's value with three significant digits or as a whole number.
fn short(x: f64) -> String {
    let rounded = if x.abs() >= 1000.0 { x.round() } else { format!("{x:.2e}").parse().unwrap_or(x) };
    number(if x == x.round() { x } else { rounded })
}
