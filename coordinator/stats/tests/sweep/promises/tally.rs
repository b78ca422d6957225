//! How often the numbers of sweeps are wrong.

use super::design::{Design, Ending, Truth};
use stats::sweep::{Basis, CaseResult, Field, analyse};
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Tally {
    /// Errors and trials, by what is claimed.
    counts: BTreeMap<&'static str, (f64, u32)>,
    squares: [f64; 3],
    luck: [f64; 2],
}

/// Rates that are closer are equal.
const EQUAL: f64 = 1e-9;

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
                missed[place(case)] |=
                    !(case.cs_low..=case.cs_high).contains(&average(place(case), &own_sizes(case)));
            }
        }
        missed.into_iter().for_each(|missed| self.is("range at any look", missed));
        self.count("better or worse at any look", ever_false);
        self.is("a best case ever ruled out", ever_lost);
        self.is("a false leader at any look", ever_leads);
        // What is shown at the end of a fixed plan.
        if design.ending != Ending::Plan {
            return;
        }
        let Some(field) = field(last, Basis::Complete) else { return };
        for case in &field.cases {
            let truth = average(place(case), &own_sizes(case));
            let (low, high) = (case.low.expect("complete"), case.high.expect("complete"));
            self.is("interval of a case", !(low..=high).contains(&truth));
            if let Some(shrunken) = case.shrunken {
                let (rate, whole) = (case.rate, average(place(case), &all));
                self.squares[0] += (rate - truth).powi(2);
                self.squares[1] += (shrunken - whole).powi(2);
                self.squares[2] += 1.0;
            }
        }
        for cell in &field.cells {
            let truth =
                played.rates[cell.case[1..].parse::<usize>().expect("a number")][usize::from(cell.size) - 4];
            self.is(
                "interval of a cell",
                !(cell.low.expect("complete")..=cell.high.expect("complete")).contains(&truth),
            );
        }
        self.count(
            "better or worse, complete",
            false_part(&field, |case| side(case.rate, average(place(case), &own_sizes(case)))),
        );
        self.is("a best case ruled out", best(&field, |case| average(place(case), &all)).is_none());
        let most = (0..design.cases).map(|case| average(case, &all)).fold(0.0, f64::max);
        for case in field.cases.iter().filter(|case| case.prob_best >= Some(0.95)) {
            self.is("a sure case that is not the best", average(place(case), &all) < most - EQUAL);
        }
        self.is("a false leader", leads_falsely(&field, |case| average(place(case), &all)));
        if design.truth == Truth::Equal {
            self.is("cases differ", field.difference.is_some_and(|test| test.p_value < 0.05));
            self.is(
                "curve",
                field.curves.iter().any(|curve| curve.size.is_none() && curve.curve.no_effect.p_value < 0.05),
            );
            if let (Some(luck), true) = (field.luck_of_the_best, design.missing == 0.0) {
                let top = field.cases.iter().map(|case| case.rate).fold(0.0, f64::max);
                self.luck[0] += luck - (top - average(0, &all));
                self.luck[1] += 1.0;
            }
        }
        if design.truth != Truth::Opposite && design.sizes.len() > 1 {
            self.is("interaction", field.interaction.is_some_and(|test| test.p_value < 0.05));
        }
        if let Some(peak) = design.peak() {
            let curve = field.curves.iter().find(|curve| curve.size.is_none()).expect("a curve");
            let optimum = &curve.curve.optimum;
            self.is("place of the peak", !(optimum.low..=optimum.high).contains(&peak));
        }
        let least = field
            .cases
            .iter()
            .filter_map(|case| case.heterogeneity)
            .filter(|test| test.p_value < 0.05)
            .count();
        if design.sizes.iter().all(|size| *size == design.sizes[0])
            && design.truth == Truth::Equal
            && design.sizes.len() > 1
        {
            self.count("sizes alike", least as f64 / field.cases.len() as f64);
        }
    }

    /// How often something errs, in how many trials, if the design has it.
    pub(crate) fn rate(&self, what: &str) -> Option<(f64, u32)> {
        self.counts.get(what).map(|(wrong, trials)| (wrong / f64::from(*trials), *trials))
    }

    /// Errors of rates and of shrunken rates, in points, where the design has a fixed plan.
    pub(crate) fn root_mean_squares(&self) -> Option<(f64, f64)> {
        let root = |sum: f64| 100.0 * (sum / self.squares[2]).sqrt();
        (self.squares[2] > 0.0).then(|| (root(self.squares[0]), root(self.squares[1])))
    }

    /// How much too large the luck of the best is, in points.
    pub(crate) fn luck(&self) -> f64 {
        100.0 * self.luck[0] / self.luck[1].max(1.0)
    }
}

fn field(rows: &[stats::sweep::Row], basis: Basis) -> Option<Field> {
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
