//! Importance of parameters.

use super::random::Random;
use stats::{EffectModel, RateEstimate, Value, importances, varying};
use std::collections::BTreeMap;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn word(word: &str) -> Value {
    Value::Word(word.to_owned())
}

/// A full grid of a (4 numbers), b (2 words) and c (3 numbers), with the rate that `of` gives.
fn grid(mut of: impl FnMut(usize, usize, usize) -> RateEstimate) -> Vec<(RateEstimate, Vec<Value>)> {
    let mut cases = Vec::new();
    for a in 0..4 {
        for b in 0..2 {
            for c in 0..3 {
                let values = vec![
                    Value::Number(a as f64),
                    word(["off", "on"][b]),
                    Value::Number(10f64.powi(c as i32)),
                ];
                cases.push((of(a, b, c), values));
            }
        }
    }
    cases
}

#[test]
fn a_grid_without_noise_is_split_exactly() {
    let (effect_a, effect_b) = ([-0.06, -0.02, 0.02, 0.06], [-0.01, 0.01]);
    let cases = grid(|a, b, _| RateEstimate { rate: 0.5 + effect_a[a] + effect_b[b], variance: 1e-10 });
    let found = importances(&names(&["a", "b", "c"]), &cases, 0.95).expect("importances");
    assert_eq!(
        found.parameters.iter().map(|one| one.parameter.as_str()).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    let [a, b, c] = [0, 1, 2].map(|i| &found.parameters[i]);
    // The mean squares of the effects are 0.002 and 0.0001.
    assert!((a.effect - 0.002_f64.sqrt()).abs() < 1e-6 && (b.effect - 0.01).abs() < 1e-6, "{a:?} {b:?}");
    assert!((a.share - 20.0 / 21.0).abs() < 1e-6 && found.interaction_share < 1e-6, "{found:?}");
    assert!(c.effect < 1e-5 && c.no_effect.degrees == 2, "{c:?}");
    assert_eq!(a.levels.len(), effect_a.len());
    for (level, expected) in a.levels.iter().zip(effect_a) {
        assert!((level.effect - expected).abs() < 1e-6 && level.cases == 6, "{level:?}");
    }
    assert_eq!(
        b.levels.iter().map(|level| level.value.clone()).collect::<Vec<_>>(),
        [word("off"), word("on")]
    );
}

#[test]
fn what_no_parameter_does_alone_is_an_interaction() {
    let cases = grid(|a, b, _| RateEstimate {
        rate: 0.5 + if (a < 2) == (b == 0) { 0.05 } else { -0.05 },
        variance: 1e-6,
    });
    let found = importances(&names(&["a", "b", "c"]), &cases, 0.95).expect("importances");
    assert!(found.interaction_share > 0.99, "{found:?}");
    assert!(found.no_interaction.expect("degrees").p_value < 1e-9);
}

#[test]
fn many_values_of_a_number_are_a_curve_and_confounded_parameters_are_not_separated() {
    let mut random = Random(71);
    let cases: Vec<_> = (0..40)
        .map(|_| (random.uniform(), random.uniform()))
        .map(|(x, y)| {
            (
                RateEstimate { rate: 0.5 + 0.2 * x * x, variance: 1e-8 },
                vec![Value::Number(x), Value::Number(y)],
            )
        })
        .collect();
    let found = importances(&names(&["x", "y"]), &cases, 0.95).expect("importances");
    let first = &found.parameters[0];
    assert_eq!((first.parameter.as_str(), first.model, first.levels.len()), ("x", EffectModel::Quadratic, 0));
    assert!(first.share > 0.99, "{found:?}");
    let confounded: Vec<_> = (0..6)
        .map(f64::from)
        .map(|x| (RateEstimate { rate: 0.5, variance: 1e-4 }, vec![Value::Number(x), Value::Number(2.0 * x)]))
        .collect();
    assert_eq!(importances(&names(&["x", "y"]), &confounded, 0.95), None);
    assert_eq!(importances(&names(&["x"]), &[], 0.95), None);
}

#[test]
fn parameters_that_differ_are_found_also_where_a_case_does_not_set_them() {
    let case = |pairs: &[(&str, f64)]| -> BTreeMap<String, Value> {
        pairs.iter().map(|(name, x)| ((*name).to_owned(), Value::Number(*x))).collect()
    };
    let cases = [case(&[("k", 1.0), ("same", 2.0)]), case(&[("k", 3.0), ("same", 2.0), ("extra", 1.0)])];
    assert_eq!(varying(&cases), ["extra", "k"]);
    assert_eq!(varying(&[]), [] as [String; 0]);
}

/// A parameter with an effect of 3 points, one without, and noise of 1.5 points: the interval of the effect covers 3 points,
/// and the useless parameter seems to matter in one sweep of twenty.
#[test]
fn intervals_cover_the_effect_and_tests_keep_their_level() {
    let mut random = Random(72);
    let (runs, mut missed, mut wrong) = (400, 0, 0);
    let spread: f64 = 0.03;
    for _ in 0..runs {
        let cases = grid(|a, _, _| {
            let effect = spread * if a < 2 { -1.0 } else { 1.0 };
            RateEstimate { rate: 0.5 + effect + 0.015 * random.normal(), variance: 0.015 * 0.015 }
        });
        let found = importances(&names(&["a", "b", "c"]), &cases, 0.95).expect("importances");
        let of = |name: &str| found.parameters.iter().find(|one| one.parameter == name).expect("a parameter");
        missed += u32::from(!(of("a").effect_low..=of("a").effect_high).contains(&spread));
        wrong += u32::from(of("c").no_effect.p_value < 0.05);
    }
    // 20 are expected with a standard deviation of 4.4.
    assert!((4..=38).contains(&missed), "{missed} of {runs}");
    assert!((4..=38).contains(&wrong), "{wrong} of {runs}");
}
