//! The log is all there is: the order of results plays no role, and wrong results are refused.

use proptest::prelude::*;
use tuner::simulation::landscapes;
use tuner::{Objective, Outcome, StrategyName, TellError, Tune};

/// A tune of a published landscape with this many results, which arrive in the order of `keys`.
fn told(strategy: StrategyName, landscape: usize, results: &[Outcome], keys: &[u64]) -> Tune {
    let landscape = &landscapes()[landscape];
    let objective: Objective = landscape.objective().clone();
    let mut asking = Tune::new(landscape.space().clone(), objective.clone(), strategy, 400, 7);
    for outcome in results {
        let (number, _) = asking.ask();
        asking.tell(number, *outcome).expect("a result");
    }
    // The same trials, and their results in another order.
    let mut tune = Tune::new(landscape.space().clone(), objective, strategy, 400, 7);
    for trial in asking.log().trials() {
        tune.add(tuner::Trial { outcome: None, ..trial.clone() }).expect("a trial of the same space");
    }
    let mut order: Vec<usize> = (0..results.len()).collect();
    order.sort_by_key(|&i| keys[i % keys.len()].wrapping_mul(i as u64 + 1));
    for number in order {
        tune.tell(number, results[number]).expect("a result");
    }
    assert_eq!(tune.best(), asking.best(), "{strategy}");
    tune
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn the_order_of_results_changes_no_recommendation(
        results in proptest::collection::vec(0_u32..3, 40..90),
        keys in proptest::collection::vec(any::<u64>(), 5..40),
        landscape in 0_usize..3,
    ) {
        let results: Vec<Outcome> =
            results.iter().map(|&wins| Outcome { wins, draws: 0, losses: 2 - wins }).collect();
        for strategy in StrategyName::ALL {
            let one = told(strategy, landscape, &results, &keys);
            let other = told(strategy, landscape, &results, &[1]);
            prop_assert_eq!(one.recommend(), other.recommend(), "{}", strategy);
        }
    }
}

#[test]
fn the_model_is_the_same_for_the_same_trials_in_any_order() {
    for strategy in [StrategyName::Clop, StrategyName::Duel] {
        let outcomes: Vec<Outcome> =
            (0..90).map(|i| Outcome { wins: i * 7 % 3, draws: 0, losses: 2 - i * 7 % 3 }).collect();
        let tune = told(strategy, 2, &outcomes, &[1]);
        let landscape = &landscapes()[2];
        let mut backwards =
            Tune::new(landscape.space().clone(), landscape.objective().clone(), strategy, 400, 7);
        for trial in tune.log().trials().iter().rev() {
            backwards.add(trial.clone()).expect("a trial of the same space");
        }
        assert_eq!(backwards.recommend(), tune.recommend(), "{strategy}");
    }
}

#[test]
fn points_depend_on_the_seed_and_on_nothing_else() {
    for strategy in StrategyName::ALL {
        let asked = |seed: u64| -> Vec<_> {
            let landscape = &landscapes()[2];
            let mut tune = Tune::new(landscape.space().clone(), Objective::on(5), strategy, 200, seed);
            (0..60)
                .map(|_| {
                    let (number, proposal) = tune.ask();
                    let outcome = Outcome { wins: 1 + number as u32 % 2, draws: 0, losses: 1 };
                    tune.tell(number, outcome).expect("a result");
                    proposal
                })
                .collect()
        };
        assert_eq!(asked(1), asked(1), "{strategy}");
        if strategy != StrategyName::Grid {
            assert_ne!(asked(1), asked(2), "{strategy}");
        }
    }
}

#[test]
fn a_wrong_result_is_refused_with_its_trial() {
    let landscape = &landscapes()[0];
    let mut tune = Tune::new(landscape.space().clone(), Objective::on(5), StrategyName::Clop, 100, 1);
    let (number, _) = tune.ask();
    let outcome = Outcome { wins: 2, draws: 0, losses: 0 };
    assert_eq!(tune.tell(3, outcome), Err(TellError::Unknown { number: 3, trials: 1 }));
    assert_eq!(tune.tell(number, Outcome { wins: 0, draws: 0, losses: 0 }), Err(TellError::Empty { number }));
    assert_eq!(tune.tell(number, outcome), Ok(()));
    assert_eq!(tune.tell(number, outcome), Ok(()), "the same result again");
    let other = Outcome { wins: 1, draws: 0, losses: 1 };
    assert_eq!(tune.tell(number, other), Err(TellError::Told { number, told: outcome }));
    assert_eq!(tune.log().told(), 1);
}
