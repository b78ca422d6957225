//! How often the numbers of sweeps are wrong.

use super::design::{Design, Ending, Truth};
use stats::sweep::{Basis, CaseResult, Field, Row, analyse};
use stats::{
    RateEstimate, Summary, average_over_sizes, best_p_value, common_variance, paired_difference, shrink,
    summary,
};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Tally {
    /// Errors and trials, by what is claimed.
    counts: BTreeMap<&'static str, (f64, u32)>,
    /// The squared errors of rates, of shrunken rates and of those by a plug-in, and their number.
    squares: [f64; 3],
    shrunken: f64,
    luck: [f64; 2],
}

/// Rates that are closer are equal.
const EQUAL: f64 = 1e-9;

fn is_outside(truth: f64, low: f64, high: f64) -> bool {
    truth < low - EQUAL || truth > high + EQUAL
}

impl Tally {
    fn count(&mut self, what: &'static str, wrong: f64) {
        let own = self.counts.entry(what).or_insert((0.0, 0));
        own.0 += wrong;
        own.1 += 1;
    }

    fn is(&mut self, what: &'static str, wrong: bool) {
        self.count(what, f64::from(u8::from(wrong)));
    }

    pub(crate) fn add(&mut self, design: &Design, seed: u64) {
        let played = design.play(seed);
        let place = |case: &CaseResult| -> usize { case.case[1..].parse().expect("a number") };
        let average = |case: usize, sizes: &[u8]| {
            sizes.iter().map(|size| played.rates[case][usize::from(*size) - 4]).sum::<f64>()
                / sizes.len() as f64
        };
        let last = played.looks.last().expect("a look");
        let own_sizes = |case: &CaseResult| -> Vec<u8> {
            last.iter().filter(|row| row.case == case.case).map(|row| row.size).collect()
        };
        let side =
            |rate: f64, truth: f64| if rate > 0.5 { truth <= 0.5 + EQUAL } else { truth >= 0.5 - EQUAL };
        let all: Vec<u8> = (0..design.sizes.len()).map(|size| size as u8 + 4).collect();
        // What is shown while games come.
        let (mut ever_false, mut ever_lost, mut ever_leads) = (0.0_f64, false, false);
        let mut missed = vec![false; design.cases];
        for rows in &played.looks {
            let Some(field) = field(rows, Basis::AnyLook) else { continue };
            ever_false = ever_false
                .max(false_part(&field, |case| side(case.rate, average(place(case), &own_sizes(case)))));
            let best = best(&field, |case| average(place(case), &all));
            ever_lost |= best.is_none();
            ever_leads |= leads_falsely(&field, |case| average(place(case), &all));
            for case in &field.cases {
                let truth = average(place(case), &own_sizes(case));
                missed[place(case)] |= is_outside(truth, case.cs_low, case.cs_high);
            }
        }
        missed.into_iter().for_each(|missed| self.is("look: range", missed));
        self.count("look: better, worse", ever_false);
        self.is("look: best is out", ever_lost);
        self.is("look: leads", ever_leads);
        // What is shown at the end of a fixed plan.
        if design.ending != Ending::Plan {
            return;
        }
        let Some(field) = field(last, Basis::Complete) else { return };
        let plug_in = plug_in(last);
        for case in &field.cases {
            let truth = average(place(case), &own_sizes(case));
            let (low, high) = case.low.zip(case.high).expect("complete");
            self.is("claim: interval", is_outside(truth, low, high));
            if let Some(shrunken) = case.shrunken {
                let (rate, whole) = (case.rate, average(place(case), &all));
                self.squares[0] += (rate - truth).powi(2);
                self.squares[1] += (shrunken - whole).powi(2);
                self.squares[2] += (plug_in[&case.case] - truth).powi(2);
                self.shrunken += 1.0;
            }
        }
        for cell in &field.cells {
            let case: usize = cell.case[1..].parse().expect("a number");
            let (low, high) = cell.low.zip(cell.high).expect("complete");
            self.is(
                "claim: of a cell",
                is_outside(played.rates[case][usize::from(cell.size) - 4], low, high),
            );
        }
        self.count(
            "claim: better, worse",
            false_part(&field, |case| side(case.rate, average(place(case), &own_sizes(case)))),
        );
        self.is("claim: best is out", best(&field, |case| average(place(case), &all)).is_none());
        let most = (0..design.cases).map(|case| average(case, &all)).fold(0.0, f64::max);
        let (top, others) = field.cases.split_first().expect("cases");
        for other in others.iter().take(10) {
            let Some(found) = paired_difference(&played.joint(place(top), place(other))) else { continue };
            let p = best_p_value(found.p_value, found.difference > 0.0, field.cases.len());
            self.is("claim: pair by pair", p < 0.05 && average(place(other), &all) >= most - EQUAL);
        }
        if let Some(importance) = &field.importance {
            for own in &importance.parameters {
                let effect = design.effect(&own.parameter, |case| average(case, &all));
                if effect < EQUAL {
                    self.is("test: parameter", own.no_effect.p_value < 0.05);
                }
                self.is("claim: effect", is_outside(effect, own.effect_low, own.effect_high));
            }
            if design.truth != Truth::Together {
                self.is("test: together", importance.no_interaction.is_some_and(|test| test.p_value < 0.05));
            }
        }
        self.is("claim: leads", leads_falsely(&field, |case| average(place(case), &all)));
        if design.truth == Truth::Equal {
            self.is("test: cases differ", field.difference.is_some_and(|test| test.p_value < 0.05));
            for curve in &field.curves {
                self.is("test: curve", curve.curve.no_effect.p_value < 0.05);
            }
            if let (Some(luck), true) = (field.luck_of_the_best, design.missing == 0.0) {
                let top = field.cases.iter().map(|case| case.rate).fold(0.0, f64::max);
                self.luck[0] += luck;
                self.luck[1] += top - average(0, &all);
            }
        }
        let alike = design.sizes.iter().all(|size| *size == design.sizes[0]);
        // Of unequal cases on unequal sizes, the sums of logits are no sums of rates.
        if (design.truth == Truth::Equal || alike) && design.sizes.len() > 1 {
            self.is("test: size × case", field.interaction.is_some_and(|test| test.p_value < 0.05));
        }
        for curve in field.curves.iter().filter(|_| design.columns == 0) {
            let optimum = &curve.curve.optimum;
            if let Some(peak) = design.peak() {
                self.is("claim: peak", is_outside(peak, optimum.low, optimum.high));
            }
            if matches!(design.truth, Truth::Equal | Truth::Smooth) {
                self.is("test: misfit", curve.curve.misfit.is_some_and(|test| test.p_value < 0.05));
            }
        }
        if alike && design.truth == Truth::Equal && design.sizes.len() > 1 {
            for test in field.cases.iter().filter_map(|case| case.heterogeneity) {
                self.is("test: sizes alike", test.p_value < 0.05);
            }
        }
    }

    /// How often something errs, in how many trials, if the design has it.
    pub(crate) fn rate(&self, what: &str) -> Option<(f64, u32)> {
        self.counts.get(what).map(|(wrong, trials)| (wrong / f64::from(*trials), *trials))
    }

    /// Errors of rates, of shrunken rates and of those by a plug-in, in points, where the design has a fixed plan.
    pub(crate) fn root_mean_squares(&self) -> Option<[f64; 3]> {
        (self.shrunken > 0.0).then(|| self.squares.map(|sum| 100.0 * (sum / self.shrunken).sqrt()))
    }

    /// The luck of the best that is said, divided by that of equal cases.
    pub(crate) fn luck(&self) -> Option<f64> {
        (self.luck[1] != 0.0).then(|| self.luck[0] / self.luck[1])
    }
}

/// The rates shrunken by the method of moments: the variance of all cells of a size together, and the spread of Paule and Mandel taken as known.
/// This is what the posterior of the spread replaced.
fn plug_in(rows: &[Row]) -> BTreeMap<String, f64> {
    let mut by_size: BTreeMap<u8, Vec<(&Row, Summary)>> = BTreeMap::new();
    for row in rows {
        by_size.entry(row.size).or_default().push((row, summary(&row.counts, 0.95).expect("pairs")));
    }
    let mut cells: BTreeMap<&str, Vec<(RateEstimate, f64)>> = BTreeMap::new();
    for on in by_size.values() {
        let variance = common_variance(on.iter().map(|(_, own)| own));
        for (row, own) in on {
            cells.entry(&row.case).or_default().push((RateEstimate::under(variance, own), row.weight));
        }
    }
    let cases: Vec<RateEstimate> = cells.values().filter_map(|cells| average_over_sizes(cells)).collect();
    let (rates, variances): (Vec<f64>, Vec<f64>) =
        cases.iter().map(|case| (case.rate, case.variance)).unzip();
    let spread = shrink(&rates, &variances).expect("variances").spread.powi(2);
    let weights = || variances.iter().map(|variance| 1.0 / (variance + spread));
    let mean =
        rates.iter().zip(weights()).map(|(rate, weight)| rate * weight).sum::<f64>() / weights().sum::<f64>();
    let shrunken = cases.iter().map(|case| mean + spread / (spread + case.variance) * (case.rate - mean));
    cells.keys().map(|case| (*case).to_owned()).zip(shrunken).collect()
}

fn field(rows: &[Row], basis: Basis) -> Option<Field> {
    analyse(rows, 0.95, basis).expect("a sweep").fields.pop()
}

/// The false part of the claims that cases are better or worse.
fn false_part(field: &Field, is_false: impl Fn(&CaseResult) -> bool) -> f64 {
    let claimed: Vec<&CaseResult> = field.cases.iter().filter(|case| case.differs).collect();
    claimed.iter().filter(|case| is_false(case)).count() as f64 / claimed.len().max(1) as f64
}

/// A best case that may be the best by the numbers.
fn best(field: &Field, truth: impl Fn(&CaseResult) -> f64) -> Option<&CaseResult> {
    let most = field.cases.iter().map(&truth).fold(0.0, f64::max);
    field.cases.iter().find(|case| case.may_be_best && truth(case) >= most - EQUAL)
}

/// Whether a case leads that is not better than all others.
fn leads_falsely(field: &Field, truth: impl Fn(&CaseResult) -> f64) -> bool {
    let leaders: Vec<&CaseResult> = field.cases.iter().filter(|case| case.may_be_best).collect();
    let [leader] = leaders[..] else { return false };
    field.cases.len() > 1
        && field.cases.iter().any(|case| case.case != leader.case && truth(case) >= truth(leader) - EQUAL)
}
