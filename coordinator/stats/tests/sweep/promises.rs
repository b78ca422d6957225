//! What a sweep's numbers promise, against simulated sweeps whose truth is known.
//!
//! The suite runs a few sweeps of each design. `cargo test --release -p stats --test sweep promises::table -- --ignored --nocapture` runs a
//! thousand, or `SWEEPS=N`, of every design, or of those with `DESIGN=TEXT` in the name, and prints the table of docs/results/sweeps.md.

mod design;
mod tally;

use crate::random::Random;
use design::{DESIGNS, Design};
use stats::sweep::{Basis, RatingList, Row, analyse};
use stats::{PairCounts, Unfinished};
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
    ("P ≥ 95 %", "a sure case that is not the best"),
    ("differ", "cases differ"),
    ("curve", "curve"),
    ("peak", "place of the peak"),
    ("size", "interaction"),
    ("sizes", "sizes alike"),
];

/// Lists of five players against two baselines on two sizes, with a strong first move: an interval of a rating misses the rating of endless games
/// in one of twenty lists.
#[test]
fn ratings_cover_those_of_endless_games() {
    const PLAYERS: [(&str, f64); 5] = [("a", 0.6), ("b", 0.2), ("c", 0.0), ("d", -0.1), ("y", -0.4)];
    let list = |counts: &mut dyn FnMut(f64, f64) -> PairCounts| -> RatingList {
        let pairings = PLAYERS.iter().flat_map(|own| [("x", 0.0), PLAYERS[4]].map(|against| (*own, against)));
        let rows = pairings.filter(|(own, against)| own.0 != against.0).flat_map(
            |((case, own), (against, other))| {
                [(4, 1.2), (6, 0.6)].map(|(size, first_move)| (case, against, size, own - other, first_move))
            },
        );
        let row = |(case, against, size, strength, first_move): (&str, &str, u8, f64, f64)| Row {
            case: case.to_owned(),
            against: against.to_owned(),
            budget: String::new(),
            size,
            weight: 1.0,
            counts: counts(strength, first_move),
            unfinished: Unfinished::default(),
            agreement: 0.0,
            parameters: [].into(),
        };
        let rows: Vec<Row> = rows.map(row).collect();
        analyse(&rows, 0.95, Basis::Complete).expect("a sweep").ratings.remove(0)
    };
    let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
    let mut endless = |strength: f64, first_move: f64| {
        let (first, second) = (chance(strength + first_move), chance(strength - first_move));
        let of = |share: f64| (1e9 * share) as u64;
        let (ww, ll) = (of(first * second), of((1.0 - first) * (1.0 - second)));
        PairCounts::from([ll, 0, of(1.0) - ww - ll, 0, 0, ww])
    };
    let truth = list(&mut endless);
    let true_elo = |player: &str| truth.players.iter().find(|own| own.player == player).expect("rated").elo;
    let mut random = Random(91);
    let (lists, mut missed, mut first_is_sure) = (300, 0, [0, 0]);
    for _ in 0..lists {
        let found = list(&mut |strength, first_move| random.pairs(100, strength, first_move));
        for player in found.players.iter().filter(|player| player.player != found.anchor) {
            missed += u32::from(!(player.low..=player.high).contains(&true_elo(&player.player)));
        }
        for two in found.players.windows(2).filter(|two| two[0].superiority >= Some(0.95)) {
            first_is_sure[0] += 1;
            first_is_sure[1] += u32::from(true_elo(&two[0].player) < true_elo(&two[1].player));
        }
    }
    // Of 1,500 intervals 75 are expected. The five of a list are dependent, so that the standard deviation is up to 19.
    assert!((25..=75 + 60).contains(&missed), "{missed}");
    assert!(first_is_sure[0] > 100 && first_is_sure[1] * 20 <= first_is_sure[0], "{first_is_sure:?}");
}

/// The table of docs/results/sweeps.md: a line for each design, with the errors of each number in per cent.
#[test]
#[ignore = "minutes: prints a table"]
#[expect(clippy::print_stdout, reason = "the table is what the test is for")]
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
