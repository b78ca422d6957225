//! What a sweep's numbers promise, against simulated sweeps whose truth is known.
//!
//! The suite runs a few sweeps of each design. `cargo test --release -p stats --test sweep promises::table -- --ignored --nocapture` runs a
//! thousand, or `SWEEPS=N`, of every design, or of those with `DESIGN=TEXT` in the name, and prints the table of docs/results/sweeps.md.

mod design;
mod tally;

use design::{DESIGNS, Design};
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
    const SWEEPS: u32 = 24;
    for design in DESIGNS {
        let tally = played(design, SWEEPS);
        for (name, what) in NUMBERS {
            let Some((rate, trials)) = tally.rate(what) else { continue };
            // Trials of one sweep are dependent, so that the sweeps are counted.
            let error = (PROMISE * (1.0 - PROMISE) / f64::from(trials.min(SWEEPS))).sqrt();
            assert!(rate <= PROMISE + 3.5 * error, "{}: {name} err in {rate:.3}", design.name);
        }
    }
}

/// The numbers of a sweep with short names: those at any look, then those of a complete plan.
const NUMBERS: &[(&str, &str)] = &[
    ("range", "range at any look"),
    ("better, worse", "better or worse at any look"),
    ("best is out", "a best case ever ruled out"),
    ("leads", "a false leader at any look"),
    ("interval", "interval of a case"),
    ("of a cell", "interval of a cell"),
    ("better, worse", "better or worse, complete"),
    ("best is out", "a best case ruled out"),
    ("leads", "a false leader"),
    ("differ", "cases differ"),
    ("curve", "curve"),
    ("peak", "place of the peak"),
    ("size", "interaction"),
    ("sizes", "sizes alike"),
];

/// The table of docs/results/sweeps.md: a line for each design, with the errors of each number in per cent.
#[test]
#[ignore = "minutes: prints a table"]
fn table() {
    let sweeps = std::env::var("SWEEPS").map_or(1_000, |number| number.parse().expect("a number"));
    let names: Vec<&str> = NUMBERS.iter().map(|(name, _)| *name).collect();
    println!("| design | {} | rates | shrunken | luck |", names.join(" | "));
    println!("|---|{}", "--:|".repeat(NUMBERS.len() + 3));
    let wanted = std::env::var("DESIGN").unwrap_or_default();
    for design in DESIGNS.iter().filter(|design| design.name.contains(&wanted)) {
        let tally = played(design, sweeps);
        let rate = |(_, what): &(&str, &str)| {
            tally.rate(what).map_or(String::new(), |(rate, _)| format!("{:.1}", 100.0 * rate))
        };
        let rates: Vec<String> = NUMBERS.iter().map(rate).collect();
        let sizes = tally.root_mean_squares().map_or("| | ".to_owned(), |(raw, shrunken)| {
            format!("{raw:.2} | {shrunken:.2} | {:+.2}", tally.luck())
        });
        println!("| {} | {} | {sizes} |", design.name, rates.join(" | "));
    }
}
