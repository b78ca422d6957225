//! What the results of a tune say.

use tuner::{
    Kind, Objective, Opponent, Outcome, Parameter, Proposal, Scale, Space, StrategyName, Trial, Tune, Value,
    looks,
};

fn parameter(name: &str, kind: Kind, start: Value) -> Parameter {
    Parameter { name: name.to_owned(), kind, start, only_if: None }
}

/// A tune in which `x` = 0.5 is best, and the flag is good.
fn tune(trials: usize) -> Tune {
    let space = Space::new(vec![
        parameter("flag", Kind::Flag {}, Value::Flag(false)),
        parameter("x", Kind::Real { low: 0.0, high: 1.0, scale: Scale::Linear }, Value::Real(0.1)),
        parameter("n", Kind::Whole { low: 1, high: 4, scale: Scale::Linear }, Value::Whole(1)),
    ]);
    let mut tune = Tune::new(space.expect("a space"), Objective::on(4), StrategyName::Random, 1000, 1);
    for trial in 0..trials {
        let (flag, place) = (trial % 2 == 0, trial % 11);
        let x = place as f64 / 10.0;
        let chance = 0.8 - (x - 0.5).powi(2) * 2.0 - if flag { 0.0 } else { 0.3 };
        let wins = (100.0 * chance) as u32;
        let proposal = Proposal {
            point: [
                ("flag", Value::Flag(flag)),
                ("x", Value::Real(x)),
                ("n", Value::Whole(1 + (trial % 4) as i64)),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
            opponent: Opponent::Baseline,
            size: 4,
        };
        let outcome = Some(Outcome { wins, draws: 0, losses: 100 - wins });
        tune.add(Trial { proposal, outcome }).expect("a trial");
    }
    tune
}

#[test]
fn a_surface_is_that_of_the_responses_through_the_same_point() {
    let model = tune(220).model();
    let [best] = &model.recommendations()[..] else { panic!("one") };
    let surface = model.surface(0, "x", "flag").expect("a surface");
    assert_eq!((surface.xs.len(), surface.ys.clone()), (15, vec![Value::Flag(false), Value::Flag(true)]));
    assert_eq!(surface.at, (best.point["x"].clone(), best.point["flag"].clone()));
    // The weight has left the points without the flag, so their rate is hardly known.
    assert!(surface.rates[1][7].rate > surface.rates[0][7].rate, "{surface:?}");
    assert!(surface.rates[1][7].rate > surface.rates[1][0].rate + 0.1, "{surface:?}");
    let along = best.responses.iter().find(|response| response.name == "flag").expect("a response");
    let turned = model.surface(0, "flag", "x").expect("a surface");
    for (i, (value, rate)) in along.rates.iter().enumerate() {
        assert_eq!(*value, turned.xs[i]);
        let column: Vec<f64> = turned.rates.iter().map(|row| row[i].rate).collect();
        let (least, most) = column.iter().fold((1.0f64, 0.0f64), |(a, b), one| (a.min(*one), b.max(*one)));
        assert!((least..=most).contains(&rate.rate), "{value}: {} of {column:?}", rate.rate);
    }
    let few = model.surface(0, "n", "x").expect("a surface");
    assert_eq!(few.xs, [1, 2, 3, 4].map(Value::Whole));
    assert!(model.surface(0, "y", "x").is_err());
    assert!(tune(0).model().surface(0, "x", "n").expect("a surface").rates.is_empty());
}

#[test]
fn the_weight_is_somewhere_and_concentrates_with_results() {
    let few = tune(22).model().concentrations();
    let many = tune(2200).model().concentrations();
    for [one] in [&few[..], &many[..]].map(|all| <&[_; 1]>::try_from(all).expect("one target")) {
        assert!(one.effective_points >= 1.0 && one.effective_points <= one.points as f64 + 1e-9, "{one:?}");
        for shares in &one.shares {
            let sum: f64 = shares.parts.iter().map(|part| part.share).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        }
        assert_eq!(one.shares.iter().map(|shares| shares.parts.len()).collect::<Vec<_>>(), [2, 20, 4]);
    }
    let good = |all: &[tuner::Concentration]| all[0].shares[0].parts[1].share;
    assert!(good(&many) > good(&few) && good(&many) > 0.9, "{} {}", good(&few), good(&many));
    assert_eq!(tune(0).model().concentrations()[0].points, 0);
}

#[test]
fn looks_are_each_a_fifth_farther_than_the_one_before() {
    assert_eq!(looks(9), [0; 0]);
    assert_eq!(looks(52), [10, 15, 20, 25, 30, 36, 43, 51]);
    assert!(looks(10_000).len() < 45);
}
