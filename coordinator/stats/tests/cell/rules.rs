//! Stopping rules read pairs in order, whatever the order of arrival.

use crate::random::Random;
use crate::simulated::Kind;
use proptest::prelude::*;
use stats::*;
use std::collections::BTreeMap;

fn rules() -> [Rule; 5] {
    let sprt = |hypotheses| Rule::Sprt(Sprt::new(hypotheses, 0.05, 0.05).expect("a test"));
    [
        sprt(Hypotheses::Elo(0.0, 60.0)),
        sprt(Hypotheses::NormalisedElo(-40.0, 40.0)),
        Rule::EValue { alpha: 0.05 },
        Rule::HalfWidth { half_width: 0.07, interval: Interval::Wilson, confidence: 0.95 },
        Rule::HalfWidth { half_width: 0.13, interval: Interval::Sequence, confidence: 0.95 },
    ]
}

/// What a coordinator does: results arrive in batches, in any order, some of them again. After every batch the rule reads
/// on to the first gap.
fn decide(rule: &Rule, categories: &[usize], batches: &[Vec<usize>]) -> Reading {
    let (mut reading, mut known) = (Reading::default(), BTreeMap::new());
    for batch in batches {
        known.extend(batch.iter().map(|pair| (*pair as u64, categories[*pair])));
        let next = reading.counts.pairs();
        let ready: Vec<usize> = (next..).map_while(|pair| known.get(&pair).copied()).collect();
        reading.read(rule, ready).expect("a rule");
    }
    reading
}

proptest! {
    #[test]
    fn decisions_do_not_depend_on_order_batches_or_repetitions(seed: u64, rate in 0.35..0.65) {
        let mut random = Random(seed);
        let kind = Kind::with_rate(rate, 0.5, 0.05);
        let categories: Vec<usize> = (0..400).map(|_| kind.pair(&mut random)).collect();
        for rule in rules() {
            let in_order = decide(&rule, &categories, &[(0..400).collect()]);
            let mut shuffled: Vec<usize> = (0..400).collect();
            for place in (1..400).rev() {
                shuffled.swap(place, (random.next() % (place as u64 + 1)) as usize);
            }
            let mut batches = Vec::new();
            let mut rest = &shuffled[..];
            while !rest.is_empty() {
                let (batch, more) = rest.split_at((1 + random.next() as usize % 20).min(rest.len()));
                batches.push(batch.to_vec());
                if random.next().is_multiple_of(4) {
                    batches.push(batch.iter().rev().copied().collect());
                }
                rest = more;
            }
            prop_assert_eq!(decide(&rule, &categories, &batches), in_order);
        }
    }
}

#[test]
fn every_rule_decides_at_a_pair_of_its_own_and_says_so() {
    let mut random = Random(1);
    let kind = Kind::with_rate(0.62, 0.5, 0.02);
    let categories: Vec<usize> = (0..2000).map(|_| kind.pair(&mut random)).collect();
    let found = rules().map(|rule| {
        let reading = decide(&rule, &categories, &[(0..2000).collect()]);
        let before: Vec<usize> = categories[..reading.counts.pairs() as usize - 1].to_vec();
        assert_eq!(
            decide(&rule, &before, &[(0..before.len()).collect()]).decision,
            None,
            "it is the first pair"
        );
        reading.decision
    });
    assert_eq!(
        found,
        [
            Some(Decision::AcceptH1),
            Some(Decision::AcceptH1),
            Some(Decision::Better),
            Some(Decision::Precise),
            Some(Decision::Precise)
        ]
    );
}

#[test]
fn a_gap_holds_the_decision_back() {
    let rule = Rule::EValue { alpha: 0.05 };
    let won = vec![5; 50];
    let with_gap = decide(&rule, &won, &[(1..50).collect()]);
    assert_eq!((with_gap.counts.pairs(), with_gap.decision), (0, None));
    let filled = decide(&rule, &won, &[(1..50).collect(), vec![0]]);
    assert_eq!((filled.counts.pairs(), filled.decision), (4, Some(Decision::Better)));
}

#[test]
fn no_pairs_decide_nothing_and_impossible_levels_are_refused() {
    for rule in rules() {
        assert_eq!(rule.decide(&PairCounts::default()), Ok(None));
    }
    assert!(Rule::EValue { alpha: 0.0 }.decide(&[1; 6].into()).is_err());
    let rule = Rule::HalfWidth { half_width: 0.1, interval: Interval::Wilson, confidence: 1.0 };
    assert!(rule.decide(&[1; 6].into()).is_err());
}

#[test]
fn a_rule_tells_the_games_at_which_it_decides_if_the_pairs_go_on_alike() {
    let counts = [30, 0, 110, 10, 0, 50];
    for rule in &rules()[2..] {
        let games = rule.games_needed(&counts.into()).expect("a rule").expect("it decides");
        // Multiples of the counts have the same proportions.
        let decides = |times: u64| rule.decide(&counts.map(|count| times * count).into()).expect("a rule");
        let times = (1..1000).find(|times| decides(*times).is_some()).expect("it decides");
        assert!((400 * (times - 1)..=400 * times).contains(&games), "{rule:?}: {games} and {times}");
    }
    let even = [30, 0, 110, 10, 0, 30].into();
    assert_eq!(Rule::EValue { alpha: 0.05 }.games_needed(&even), Ok(None), "it would never decide");
    assert_eq!(rules()[0].games_needed(&even), Ok(None), "a test has another way to tell");
    assert_eq!(rules()[3].games_needed(&PairCounts::default()), Ok(None));
}
