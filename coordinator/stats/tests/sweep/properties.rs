//! What holds for the numbers of every sweep: they mirror, they do not fall with a win, they contain their estimates, and few pairs claim little.

use proptest::prelude::*;
use stats::sweep::{Basis, CaseResult, Field, Row, analyse};
use stats::{Unfinished, Value};

type Cells = Vec<Vec<[u64; 6]>>;

/// One to four cases on one to three sizes, of up to some thousand pairs. Half of the kinds are missing, or rare.
fn sweeps(most: u64) -> impl Strategy<Value = Cells> {
    let count =
        prop_oneof![4 => Just(0_u64), 2 => 1_u64..4, 2 => 0..most.div_ceil(25).max(2), 1 => 0..most.max(2)];
    let cell = prop::array::uniform6(count).prop_filter("a pair", |counts| counts.iter().sum::<u64>() > 0);
    (1_usize..=3)
        .prop_flat_map(move |sizes| prop::collection::vec(prop::collection::vec(cell.clone(), sizes), 1..=4))
}

fn mirrored(cells: &Cells) -> Cells {
    let mirror = |[ll, ld, wl, dd, wd, ww]: [u64; 6]| [ww, wd, wl, dd, ld, ll];
    cells.iter().map(|case| case.iter().map(|cell| mirror(*cell)).collect()).collect()
}

/// The only field, of a complete plan. Cases have a number as a parameter.
fn analysed(cells: &Cells) -> Field {
    with_basis(cells, Basis::Complete)
}

fn with_basis(cells: &Cells, basis: Basis) -> Field {
    let rows: Vec<Row> = cells
        .iter()
        .enumerate()
        .flat_map(|(case, sizes)| {
            sizes.iter().enumerate().map(move |(size, counts)| Row {
                case: format!("case {case}"),
                against: "baseline".to_owned(),
                budget: String::new(),
                size: 4 + size as u8,
                weight: 1.0 + size as f64,
                counts: (*counts).into(),
                unfinished: Unfinished::default(),
                agreement: 0.0,
                parameters: [("k".to_owned(), Value::Number(case as f64))].into(),
            })
        })
        .collect();
    analyse(&rows, 0.95, basis).expect("a sweep").fields.remove(0)
}

fn case(field: &Field, number: usize) -> &CaseResult {
    field.cases.iter().find(|case| case.case == format!("case {number}")).expect("a case")
}

/// The two-sided p-value of so many won and lost games, with drawn games left out: 2·P(at least so many heads).
fn binomial(won: u64, lost: u64) -> f64 {
    let (all, most) = (won + lost, won.max(lost));
    let ways = |k: u64| (0..k).fold(1.0, |ways, i| ways * (all - i) as f64 / (i + 1) as f64);
    f64::min(1.0, 2.0 * (most..=all).map(ways).sum::<f64>() / 2f64.powi(all as i32))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_mirrored_sweep_has_the_mirrored_answer(cells in sweeps(1_500)) {
        let (one, other) = (analysed(&cells), analysed(&mirrored(&cells)));
        let close = |a: f64, b: f64| (a - b).abs() < 1e-5;
        for number in 0..cells.len() {
            let (a, b) = (case(&one, number), case(&other, number));
            for (a, b) in [(a.rate, b.rate), (a.cs_low, b.cs_high), (a.cs_high, b.cs_low)] {
                prop_assert!(close(a, 1.0 - b), "{a} {b}: {cells:?}");
            }
            for (a, b) in [(a.low, b.high), (a.high, b.low), (a.shrunken, b.shrunken)] {
                prop_assert!(a.zip(b).is_some_and(|(a, b)| close(a, 1.0 - b)), "{a:?} {b:?}: {cells:?}");
            }
            for (a, b) in [(a.p_value, b.p_value), (a.error, b.error)] {
                prop_assert!(a.zip(b).is_some_and(|(a, b)| close(a, b)), "{a:?} {b:?}: {cells:?}");
            }
            prop_assert_eq!(a.differs, b.differs);
            prop_assert!((a.log_e_value - b.log_e_value).abs() < 1e-6 * (1.0 + a.log_e_value.abs()));
            prop_assert_eq!(a.heterogeneity.is_some(), b.heterogeneity.is_some());
        }
        for a in &one.cells {
            let b = other.cells.iter().find(|b| (&b.case, b.size) == (&a.case, a.size)).expect("the same cells");
            let of = |cell: &stats::sweep::CellResult| Some([cell.rate, cell.low?, cell.high?, cell.shrunken?, cell.p_value?]);
            let (a, b) = (of(a).expect("complete"), of(b).expect("complete"));
            prop_assert!(close(a[0], 1.0 - b[0]) && close(a[1], 1.0 - b[2]) && close(a[2], 1.0 - b[1]));
            prop_assert!(close(a[3], 1.0 - b[3]) && close(a[4], b[4]), "{a:?} {b:?}");
        }
        prop_assert!(one.mean.zip(other.mean).is_some_and(|(a, b)| close(a, 1.0 - b)));
        prop_assert!(one.spread.zip(other.spread).is_some_and(|(a, b)| close(a, b)));
        for (a, b) in [(one.difference, other.difference), (one.interaction, other.interaction)] {
            prop_assert!(a.zip(b).is_none_or(|(a, b)| close(a.p_value, b.p_value)), "{a:?} {b:?}");
        }
    }

    /// A pair that was not won is won. The rate rises by the weight of the cell over its pairs, and so do all numbers of a cell.
    #[test]
    fn more_wins_lower_neither_the_case_nor_the_cell(cells in sweeps(1_500), at in 0_usize..12, kind in 0_usize..5) {
        let mut better = cells.clone();
        let number = at % cells.len();
        let size = at / cells.len() % cells[number].len();
        let cell = &mut better[number][size];
        if cell[kind] > 0 { cell[kind] -= 1 }
        cell[5] += 1;
        let (before, after) = (analysed(&cells), analysed(&better));
        let (a, b) = (case(&before, number), case(&after, number));
        prop_assert!(b.rate >= a.rate, "{} {}: {cells:?} {better:?}", a.rate, b.rate);
        let place = |field: &Field| {
            let name = format!("case {number}");
            let cell = field.cells.iter().find(|cell| cell.case == name && usize::from(cell.size) == 4 + size);
            cell.and_then(|cell| Some([cell.rate, cell.low?, cell.high?])).expect("a cell")
        };
        prop_assert!(place(&after).iter().zip(place(&before)).all(|(after, before)| *after >= before - 1e-7));
        for other in (0..cells.len()).filter(|other| *other != number) {
            let (a, b) = (case(&before, other), case(&after, other));
            prop_assert_eq!((a.rate, a.low, a.high, a.p_value), (b.rate, b.low, b.high, b.p_value));
        }
    }

    #[test]
    fn intervals_contain_their_estimates_and_stay_in_range(cells in sweeps(1_500)) {
        let field = analysed(&cells);
        let is_chance = |value: Option<f64>| value.is_some_and(|value| (0.0..=1.0).contains(&value));
        for found in &field.cases {
            for (low, high) in [(found.low, found.high), (Some(found.cs_low), Some(found.cs_high))] {
                let (low, high) = low.zip(high).expect("complete");
                prop_assert!(0.0 <= low && low <= found.rate + 1e-12 && found.rate <= high + 1e-12 && high <= 1.0, "{found:?}");
            }
            prop_assert!(is_chance(found.shrunken) && is_chance(found.adjusted_p_value) && found.p_value <= found.adjusted_p_value.map(|p| p + 1e-12), "{found:?}");
        }
        for cell in &field.cells {
            let (low, high) = cell.low.zip(cell.high).expect("complete");
            prop_assert!(0.0 <= low && low <= cell.rate + 1e-12 && cell.rate <= high + 1e-12 && high <= 1.0);
            prop_assert!(is_chance(cell.shrunken) && is_chance(cell.p_value), "{cell:?}");
        }
        prop_assert!(is_chance(field.mean) && field.luck_of_the_best.is_some_and(|luck| luck >= 0.0));
        prop_assert!(field.cases.iter().any(|case| case.may_be_best));
        for curve in &field.curves {
            let best = &curve.curve.optimum;
            prop_assert!(best.low <= best.at + 1e-9 && best.at <= best.high + 1e-9, "{best:?}");
            prop_assert!((0.0..=1.0).contains(&best.rate), "{best:?}");
        }
    }

    /// While games come, only numbers are given that hold at any look, and the order and the rates are those of the complete plan.
    #[test]
    fn numbers_of_a_fixed_plan_are_absent_while_games_come(cells in sweeps(1_500)) {
        let (live, complete) = (with_basis(&cells, Basis::AnyLook), analysed(&cells));
        for (a, b) in live.cases.iter().zip(&complete.cases) {
            prop_assert_eq!((&a.case, a.rate, a.cs_low, a.cs_high, a.log_e_value), (&b.case, b.rate, b.cs_low, b.cs_high, b.log_e_value));
            let fixed = [a.error, a.low, a.high, a.shrunken, a.p_value, a.adjusted_p_value];
            prop_assert!(fixed.iter().all(Option::is_none) && a.heterogeneity.is_none(), "{a:?}");
            prop_assert!(!a.differs || a.cs_low > 0.5 || a.cs_high < 0.5, "what is claimed of all cases is claimed of this one: {a:?}");
        }
        for cell in &live.cells {
            let fixed = [cell.low, cell.high, cell.shrunken, cell.p_value, cell.adjusted_p_value];
            prop_assert!(fixed.iter().all(Option::is_none), "{cell:?}");
        }
        let fixed = [live.mean, live.spread, live.luck_of_the_best];
        prop_assert!(fixed.iter().all(Option::is_none) && live.curves.is_empty());
        prop_assert!(live.interaction.is_none() && live.difference.is_none() && live.importance.is_none());
    }

    /// Of at most three pairs a cell: no p-value is below that of the binomial test of the games, nor below what the signs of the pairs can show.
    #[test]
    fn few_pairs_claim_no_more_than_exact_tests(cells in prop::collection::vec(prop::collection::vec(
        prop::array::uniform6(0_u64..2).prop_filter("one to three pairs", |c| (1..=3).contains(&c.iter().sum::<u64>())), 1), 1..=4)) {
        let field = analysed(&cells);
        for (number, case_cells) in cells.iter().enumerate() {
            let [ll, ld, wl, _, wd, ww] = case_cells[0];
            let exact = binomial(2 * ww + wd + wl, 2 * ll + ld + wl);
            let signs = 2f64.powi(1 - (ll + ld + wd + ww) as i32).min(1.0);
            let found = case(&field, number);
            let p_value = found.p_value.expect("complete");
            prop_assert!(p_value >= signs - 1e-12, "{found:?}");
            prop_assert!(p_value >= exact - 1e-12, "{exact}: {found:?} {case_cells:?}");
            prop_assert!(!found.differs && !case(&with_basis(&cells, Basis::AnyLook), number).differs, "{found:?}");
        }
        // Two cases of two pairs are dealt in six ways, of which two are as far apart.
        if let (Some(test), 2) = (field.difference, cells.len()) {
            let pairs: Vec<u64> = cells.iter().map(|case| case[0].iter().sum()).collect();
            prop_assert!(pairs != [2, 2] || field.cases.iter().all(|case| case.may_be_best));
            prop_assert!(pairs != [2, 2] || test.p_value >= 1.0 / 3.0 - 1e-9, "{test:?}");
        }
    }
}

/// Two won pairs could each have been lost instead.
#[test]
fn two_won_pairs_are_no_claim() {
    let field = analysed(&vec![vec![[0, 0, 0, 0, 0, 2]]]);
    assert!(case(&field, 0).p_value >= Some(0.5), "{:?}", field.cases);
    assert!(field.cells[0].p_value.is_some_and(|p| (p - 0.5).abs() < 1e-12));
    // Six won pairs are the fewest that are a claim.
    let claims = |pairs: u64| case(&analysed(&vec![vec![[0, 0, 0, 0, 0, pairs]]]), 0).differs;
    assert!(!claims(5) && claims(6));
}
