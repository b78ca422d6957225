//! A sweep while machines hold games back: no case seems better, and no case seems to lead.

use super::random::Random;
use stats::sweep::{Basis, Field, Row, analyse};
use stats::{PairCounts, Unfinished};

/// A cell of equal players whose case seems to win: of each pair, the game that it lost is held back.
fn held(random: &mut Random, case: &str, size: u8, pairs: u32, holds: bool) -> Row {
    let (mut counts, mut unfinished) = (PairCounts::default(), Unfinished::default());
    for _ in 0..pairs {
        let won = [random.uniform() < 0.5, random.uniform() < 0.5];
        if holds && won != [true, true] {
            unfinished.pairs += 1;
            unfinished.games[2] += u64::from(won[0] || won[1]);
        } else {
            counts.add(PairCounts::category(2 * u8::from(won[0]), 2 * u8::from(won[1])));
        }
    }
    Row {
        case: case.to_owned(),
        against: "uct".to_owned(),
        budget: String::new(),
        size,
        weight: 1.0,
        counts,
        unfinished,
        agreement: 0.0,
        parameters: [("k".to_owned(), stats::Value::Number(case.len() as f64))].into(),
    }
}

/// Four cases of equal strength on three sizes; the first ones win all games that are delivered.
fn sweep(random: &mut Random, held_cases: usize) -> Field {
    let cases = ["a", "bb", "ccc", "dddd"];
    let cells = cases.iter().enumerate().flat_map(|(place, case)| [4, 5, 6].map(|size| (place, *case, size)));
    let rows: Vec<Row> =
        cells.map(|(place, case, size)| held(random, case, size, 60, place < held_cases)).collect();
    analyse(&rows, 0.95, Basis::AnyLook).expect("a sweep").fields.remove(0)
}

#[test]
fn games_that_are_held_back_make_no_case_better_and_no_case_lead() {
    let mut random = Random(77);
    for run in 0..100 {
        let field = sweep(&mut random, 1 + run % 4);
        assert!(field.cases.iter().all(|case| case.may_be_best && !case.differs), "{field:#?}");
        assert!(field.cases.iter().all(|case| case.cs_low < 0.5 && 0.5 < case.cs_high), "{field:#?}");
        assert!(field.cells.iter().all(|cell| !cell.differs), "{field:#?}");
        assert!(field.cases[0].rate > 0.9, "the case that holds games back seems to win: {field:#?}");
    }
}
