//! The log is all there is: the order of results plays no role, and wrong results are refused.

use proptest::prelude::*;
use tuner::simulation::landscapes;
use tuner::{Aim, Objective, Outcome, SizeWeight, StrategyName, TellError, Tune};

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

/// What happens next to a tune: many clients ask, and tell in any order.
#[derive(Debug, Clone, Copy)]
enum Event {
    Ask,
    /// One of the trials that wait gets a result of so many games.
    Tell(usize, u32),
    /// One of the trials that wait never gets a result.
    Lose(usize),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => Just(Event::Ask),
        7 => (any::<usize>(), 1_u32..7).prop_map(|(place, games)| Event::Tell(place, games)),
        1 => any::<usize>().prop_map(Event::Lose),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]

    /// A tune that is read again from its log, at any moment, asks for the same points as the one that has lived through it.
    #[test]
    fn what_is_asked_follows_from_the_log_alone(
        events in proptest::collection::vec(event(), 60..160),
        landscape in 0_usize..3,
        aim in prop_oneof![Just(Aim::Mean), Just(Aim::Each)],
    ) {
        let landscape = &landscapes()[landscape];
        let sizes = vec![SizeWeight { size: 5, weight: 2.0 }, SizeWeight { size: 6, weight: 1.0 }];
        let objective = Objective::new(sizes, aim).expect("an objective");
        for strategy in StrategyName::ALL {
            let begin = || Tune::new(landscape.space().clone(), objective.clone(), strategy, 400, 7);
            let (mut live, mut waiting) = (begin(), Vec::new());
            for event in &events {
                match *event {
                    Event::Ask => {
                        let mut again = begin();
                        for trial in live.log().trials() {
                            again.add(trial.clone()).expect("a trial of the same space");
                        }
                        let (number, asked) = live.ask();
                        prop_assert_eq!(&asked, &again.ask().1, "{}, trial {}", strategy, number);
                        waiting.push(number);
                    }
                    Event::Tell(place, games) if !waiting.is_empty() => {
                        let number = waiting.swap_remove(place % waiting.len());
                        let wins = (number as u32 * 7 + games) % (games + 1);
                        let outcome = Outcome { wins, draws: 0, losses: games - wins };
                        live.tell(number, outcome).expect("a result");
                    }
                    Event::Lose(place) if !waiting.is_empty() => {
                        waiting.swap_remove(place % waiting.len());
                    }
                    Event::Tell(..) | Event::Lose(_) => {}
                }
            }
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
