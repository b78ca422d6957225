//! What a sweep's numbers promise, against simulated sweeps whose truth is known.
//!
//! The suite runs a few sweeps of each design. `cargo test --release -p stats --test sweep promises::table -- --ignored --nocapture` runs a
//! thousand, or `SWEEPS=N`, of every design, or of those with `DESIGN=TEXT` in the name, and prints the table of docs/results/sweeps.md.

mod design;
mod lists;
mod tally;

use design::{DESIGNS, Design};
use lists::{Errors, LISTS};
use tally::Tally;

fn played(design: &Design, sweeps: u32) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..sweeps {
        tally.add(design, u64::from(seed));
    }
    tally
}

/// At most one of twenty is promised to be wrong, of everything.
const PROMISE: f64 = 0.05;

#[test]
fn numbers_of_sweeps_keep_their_promises() {
    const SWEEPS: u32 = 6;
    for design in DESIGNS {
        let tally = played(design, SWEEPS);
        for name in NUMBERS.into_iter().flatten() {
            let Some((rate, trials)) = tally.rate(name) else { continue };
            // Trials of one sweep are dependent, so that the sweeps are counted.
            let error = (PROMISE * (1.0 - PROMISE) / f64::from(trials.min(SWEEPS))).sqrt();
            assert!(rate <= PROMISE + 3.5 * error, "{}: {name} err in {rate:.3}", design.name);
        }
    }
}

/// The numbers of a sweep, a line for each table.
const NUMBERS: [&[&str]; 3] = [
    &["look: range", "look: better, worse", "look: best is out", "look: leads"],
    &[
        "claim: interval",
        "claim: of a cell",
        "claim: peak",
        "claim: effect",
        "claim: better, worse",
        "claim: best is out",
        "claim: pair by pair",
        "claim: leads",
    ],
    &[
        "test: cases differ",
        "test: curve",
        "test: misfit",
        "test: size × case",
        "test: sizes alike",
        "test: parameter",
        "test: together",
    ],
];

#[test]
fn ratings_keep_their_promises() {
    const GAMES: u32 = 12;
    for design in LISTS {
        let errors = Errors::of(design, GAMES);
        for (name, [wrong, trials]) in
            [("intervals", errors.intervals), ("above", errors.above), ("fit", errors.fit)]
        {
            let error = (PROMISE * (1.0 - PROMISE) / f64::from(trials.clamp(1, GAMES))).sqrt();
            let rate = f64::from(wrong) / f64::from(trials.max(1));
            assert!(rate <= PROMISE + 3.5 * error, "{}: {name} err in {rate:.3}", design.name);
        }
    }
}

fn sweeps() -> u32 {
    std::env::var("SWEEPS").map_or(1_000, |number| number.parse().expect("a number"))
}

/// The tables of docs/results/sweeps.md: a line for each design, with the errors of each number in per cent.
#[test]
#[ignore = "minutes: prints tables"]
fn table() {
    let wanted = std::env::var("DESIGN").unwrap_or_default();
    let chosen = |all: &'static [Design]| all.iter().filter(|design| design.name.contains(&wanted));
    let tallies: Vec<(&str, Tally)> =
        chosen(DESIGNS).map(|design| (design.name, played(design, sweeps()))).collect();
    let percent = |rate: f64| format!("{:.1}", 100.0 * rate);
    for numbers in NUMBERS {
        let heading = |name: &&str| name.split_once(": ").map_or("", |(_, heading)| heading).to_owned();
        let row = |tally: &Tally| {
            numbers
                .iter()
                .map(|name| tally.rate(name).map_or(String::new(), |(rate, _)| percent(rate)))
                .collect()
        };
        print(numbers.iter().map(heading).collect(), tallies.iter().map(|(name, tally)| (*name, row(tally))));
    }
    let errors = |tally: &Tally| {
        let luck = tally.luck().map_or(String::new(), |luck| format!("{luck:.2}"));
        let roots = tally.root_mean_squares()?;
        Some(roots.iter().map(|root| format!("{root:.2}")).chain([luck]).collect())
    };
    let headings = ["rates", "shrunken", "by a plug-in", "luck"].map(str::to_owned).to_vec();
    print(headings, tallies.iter().filter_map(|(name, tally)| Some((*name, errors(tally)?))));
    let lists = chosen(LISTS).map(|design| {
        let Errors { intervals, above, fit } = Errors::of(design, sweeps());
        let part = |[wrong, trials]: [u32; 2]| percent(f64::from(wrong) / f64::from(trials.max(1)));
        (design.name, [intervals, above, fit].map(part).to_vec())
    });
    print(["rating", "above the next", "fit"].map(str::to_owned).to_vec(), lists);
}

#[expect(clippy::print_stdout, reason = "the tables are what the test is for")]
fn print<'d>(headings: Vec<String>, rows: impl Iterator<Item = (&'d str, Vec<String>)>) {
    println!("\n| design | {} |\n|---|{}", headings.join(" | "), "--:|".repeat(headings.len()));
    for (design, numbers) in rows.filter(|(_, numbers)| numbers.iter().any(|number| !number.is_empty())) {
        println!("| {design} | {} |", numbers.join(" | "));
    }
}
