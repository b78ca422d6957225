//! Any text, any damage, any sweep.

use crate::{FILE, parse, with};
use proptest::prelude::*;
use protocol::experiment::Experiment;

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*") {
        let _ = Experiment::parse("test.toml", &text);
    }

    #[test]
    fn no_damage_to_a_file_makes_the_parser_panic(
        at in 0..FILE.len(), length in 0..40usize, insert in "[\\[\\]{}=\",.\na-z0-9é\\-]{0,12}",
    ) {
        let mut text = FILE.to_owned();
        text.replace_range(at..(at + length).min(FILE.len()), &insert);
        if let Err(error) = Experiment::parse("test.toml", &text) {
            prop_assert!(error.to_string().contains("test.toml"));
            prop_assert!(!error.problems().is_empty());
        }
    }

    #[test]
    fn a_sweep_has_as_many_cases_as_the_product_of_its_axes(
        k in prop::collection::btree_set(0..100_000u32, 1..6),
        explore in 2..6usize,
        lookahead in prop::sample::subsequence(vec![0, 1, 2], 1..=3),
    ) {
        let sweep = format!(
            "sweep = {{ lookahead = {lookahead:?}, rave_k = {:?}, exploration = {{ from = 0, to = 2, steps = {explore} }} }}",
            k.iter().collect::<Vec<_>>(),
        );
        let text = with("sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }", &sweep);
        let experiment = parse(&text);
        let mut cases: Vec<_> =
            experiment.cells.iter().filter(|c| c.case.group == "explore").map(|c| c.spec.id()).collect();
        prop_assert_eq!(cases.len(), k.len() * explore * lookahead.len() * 2 * 2 * 2);
        cases.sort();
        cases.dedup();
        prop_assert_eq!(cases.len(), k.len() * explore * lookahead.len() * 2 * 2 * 2, "cells are distinct");
    }

    #[test]
    fn logarithmic_ranges_hit_both_ends_and_rise(from in 0.2..1.0f64, ratio in 3.0..1e5f64, steps in 2..8usize) {
        let to = from * ratio;
        let range = format!("sweep = {{ rave_k = {{ from = {from}, to = {to}, steps = {steps}, scale = \"log\" }} }}");
        let text = with("sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }", &range);
        let values: Vec<f64> = parse(&text)
            .cells
            .iter()
            .filter(|cell| cell.case.group == "explore" && cell.baseline.label == "uct")
            .step_by(4)
            .map(|cell| cell.spec.case.resolve().expect("known").search.rave_k)
            .collect();
        prop_assert_eq!(values.len(), steps);
        prop_assert_eq!((values[0], values[steps - 1]), (from, to));
        for pair in values.windows(2) {
            let step = (pair[1] / pair[0]).ln() * (steps - 1) as f64 / ratio.ln();
            prop_assert!((step - 1.0).abs() < 0.01, "steps are equal ratios: {values:?}");
        }
    }
}
