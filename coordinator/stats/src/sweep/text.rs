//! The analysis of a sweep in words and tables.

use super::{Basis, CaseResult, Field, ParameterCurve, RatingList, SweepAnalysis};
use crate::chi_square::ChiSquare;
use crate::curve::{Curve, Optimum, OptimumKind};
use crate::importance::{EffectModel, Importances};
use crate::numbers::number;

/// The most cells that are listed by name.
const MOST_CELLS: usize = 20;

impl SweepAnalysis {
    /// The analysis for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = Vec::new();
        for field in &self.fields {
            parts.extend(field.text(self.confidence, self.basis));
        }
        parts.extend(self.ratings.iter().map(|list| list.text(self.confidence)));
        if parts.is_empty() {
            return "There are no complete pairs yet.\n".to_owned();
        }
        parts.push(legend(self.confidence, self.basis));
        parts.join("\n")
    }
}

fn legend(confidence: f64, basis: Basis) -> String {
    let (sure, errors) = (100.0 * confidence, 100.0 * (1.0 - confidence));
    let best = format!("With {sure:.0} % confidence, a best case is among those that may be the best.");
    match basis {
        Basis::Complete => format!(
            "All numbers but those at any look hold once, for the planned games. Of the claims of a difference from 50 %, at most \
             {errors:.0} % are false on average. {best} Shrunken rates are moved towards the mean of all cases, as far as the differences may be \
             luck: they are the best guess on these openings, and the interval says what is known on all.\n"
        ),
        Basis::AnyLook => format!(
            "All numbers hold however often you look, and however it was decided when to end. The range is that of one case. Of the claims of a \
             difference from 50 %, at most {errors:.0} % are false on average. {best} Intervals for a fixed number of games, shrunken rates, tests, \
             curves and ratings come when the planned games are complete and no rule looked at them.\n"
        ),
    }
}

impl Field {
    fn text(&self, confidence: f64, basis: Basis) -> Vec<String> {
        let budget = if self.budget.is_empty() { String::new() } else { format!(", {}", self.budget) };
        let mut parts = vec![format!(
            "Against {}{budget}: {} on {}\n",
            self.against,
            counted(self.cases.len(), "case"),
            sizes(&self.sizes)
        )];
        parts.extend(self.headline());
        parts.push(self.ranking(confidence, basis));
        parts.push(self.claimed_cells());
        parts.extend(self.interaction.map(interaction_words));
        if !self.curves.is_empty() {
            parts.push(self.curves.iter().map(curve_words).collect::<Vec<_>>().join(""));
        }
        parts.extend(self.importance.as_ref().map(|found| importance_text(found, confidence)));
        parts
    }

    fn ranking(&self, confidence: f64, basis: Basis) -> String {
        let is_led = self.leader().is_some();
        let mut text = match basis {
            Basis::AnyLook => {
                let head = ["case", "sizes", "pairs", "win rate", "at any look", "best", "against 50 %"];
                self.listed(head, |case| {
                    let [name, sizes, pairs, rate] = beginning(case);
                    let looks = range(case.cs_low, case.cs_high);
                    [name, sizes, pairs, rate, looks, self.standing(case, is_led), differs(case)]
                })
            }
            Basis::Complete => {
                let interval = format!("{:.0} % interval", 100.0 * confidence);
                let head = [
                    "case",
                    "sizes",
                    "pairs",
                    "win rate",
                    &interval,
                    "at any look",
                    "shrunken",
                    "best",
                    "against 50 %",
                ];
                self.listed(head, |case| {
                    let [name, sizes, pairs, rate] = beginning(case);
                    let fixed = case.low.zip(case.high).map_or_else(dash, |(low, high)| range(low, high));
                    let looks = range(case.cs_low, case.cs_high);
                    let shrunken = case.shrunken.map_or_else(dash, percent);
                    let standing = self.standing(case, is_led);
                    [name, sizes, pairs, rate, fixed, looks, shrunken, standing, differs(case)]
                })
            }
        };
        if let (Some(mean), Some(spread), Some(luck)) = (self.mean, self.spread, self.luck_of_the_best)
            && self.cases.len() > 1
        {
            text.push_str(&format!(
                "\nOn these openings, the cases have a mean of {}{}. If all cases \
                 were equal, the best one of {} would look {:.1} points better by luck.\n",
                percent(mean),
                if spread > 0.0 {
                    format!(" and a standard deviation of {:.1} points", 100.0 * spread)
                } else {
                    ", and no spread is found".to_owned()
                },
                self.cases.len(),
                100.0 * luck
            ));
            if let Some(test) = &self.difference {
                text.push_str(&format!("That all cases are equal has {}.\n", p_is(test.p_value)));
            }
        }
        text + &self.uneven(basis)
    }

    /// A table with a line for each case.
    fn listed<const N: usize>(&self, head: [&str; N], row: impl Fn(&CaseResult) -> [String; N]) -> String {
        let rows = std::iter::once(head.map(str::to_owned)).chain(self.cases.iter().map(row));
        table(&rows.collect::<Vec<_>>(), 1)
    }

    /// Which case to take, as far as the games show. None with one case.
    fn headline(&self) -> Option<String> {
        let (first, cases) = (self.cases.first()?, self.cases.len());
        let best = self.cases.iter().filter(|case| case.may_be_best).count();
        (cases > 1).then(|| match self.leader() {
            Some(leader) => format!("{} leads: every other case is shown to be worse.\n", leader.case),
            None if best == cases => {
                format!("No case leads: any of them may be the best one. {} is the best guess.\n", first.case)
            }
            None => format!(
                "No case leads: {best} of {cases} may be the best one. {} is the best guess.\n",
                first.case
            ),
        })
    }

    /// Whether a case leads or may be the best one.
    fn standing(&self, case: &CaseResult, is_led: bool) -> String {
        let words = match (case.may_be_best, is_led) {
            _ if self.cases.len() == 1 => "-",
            (true, true) => "leads",
            (true, false) => "may be",
            (false, _) => "no",
        };
        words.to_owned()
    }

    /// The sentence about cases that miss sizes.
    fn uneven(&self, basis: Basis) -> String {
        let uneven: Vec<&str> = self
            .cases
            .iter()
            .filter(|case| (case.sizes as usize) < self.sizes.len())
            .map(|case| case.case.as_str())
            .collect();
        if uneven.is_empty() {
            return String::new();
        }
        let names = uneven.iter().take(MOST_CELLS).copied().collect::<Vec<_>>().join(", ");
        let more = if uneven.len() > MOST_CELLS {
            format!(" and {} more", uneven.len() - MOST_CELLS)
        } else {
            String::new()
        };
        let compared = match (basis, self.comparable) {
            (Basis::AnyLook, _) => "They are not compared with the others.",
            (Basis::Complete, true) => {
                "Comparisons and shrunken rates complete them: a missing size counts as hard for the case as for those that played it."
            }
            (Basis::Complete, false) => {
                "No chain of common sizes connects all cases, so that they are not compared."
            }
        };
        format!("The win rate is that of fewer sizes for {names}{more}. {compared}\n")
    }

    fn claimed_cells(&self) -> String {
        let claimed: Vec<_> = self.cells.iter().filter(|cell| cell.differs).collect();
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

fn beginning(case: &CaseResult) -> [String; 4] {
    [case.case.clone(), case.sizes.to_string(), case.pairs.to_string(), percent(case.rate)]
}

/// The claim about the average of a case.
fn differs(case: &CaseResult) -> String {
    let words = match (case.differs, case.rate > 0.5) {
        (false, _) => "open",
        (true, true) => "better",
        (true, false) => "worse",
    };
    words.to_owned()
}

fn range(low: f64, high: f64) -> String {
    format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high)
}

fn dash() -> String {
    "-".to_owned()
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
    let Optimum { kind, at, low, high, rate } = &curve.optimum;
    let best = format!("{parameter} = {}, with {} by the curve", short(*at), percent(*rate));
    let words = match kind {
        OptimumKind::Inside => {
            format!(
                "best at {best}; if there is one peak, it is between {} and {}",
                short(*low),
                short(*high)
            )
        }
        OptimumKind::Open => format!(
            "best at {best}; if there is one peak, it is known only to be between {} and {}, up to an end of the sweep",
            short(*low),
            short(*high)
        ),
        OptimumKind::LowerEnd => at_end("smallest", "smaller", &best, curve),
        OptimumKind::UpperEnd => at_end("largest", "larger", &best, curve),
        OptimumKind::Flat => {
            format!("no visible effect between {} and {}", short(*low), short(*high))
        }
    };
    let misfit = match &curve.misfit {
        Some(test) if test.p_value < 0.05 => " The curve does not fit the points well.".to_owned(),
        _ => String::new(),
    };
    format!("{parameter} {place}: {words} (effect: {}).{misfit}\n", p_is(curve.no_effect.p_value))
}

/// The sentence about an optimum at an end of the sweep, and about the values that the games do not exclude.
fn at_end(end: &str, beyond: &str, best: &str, curve: &Curve) -> String {
    let (low, high) = (curve.optimum.low, curve.optimum.high);
    let doubt = if low <= curve.from && high >= curve.to {
        "; the other end of the sweep is not excluded".to_owned()
    } else {
        format!(
            "; if there is one peak, it is between {} and {}, or beyond that end",
            short(low),
            short(high)
        )
    };
    format!("best at the {end} value, {best}{doubt}; try {beyond} values")
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
                    format!("{} ({:+.1})", level.value, 100.0 * level.effect)
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

fn sizes(sizes: &[u8]) -> String {
    match sizes {
        [one] => format!("size {one}"),
        sizes => format!("sizes {}", sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")),
    }
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
            "Ratings{budget}: Elo points above {} on {}\n{}",
            self.anchor,
            sizes(&self.sizes),
            table(&rows, 1)
        );
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
