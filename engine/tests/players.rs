//! Which parameters are one player: those that play every game alike, move for move, and no others.

use engine::bench::variants;
use engine::havannah::{BoardSize, Params};
use engine::params::{Domain, ParamValue};
use engine::rng::Rng;
use engine::search::Budget;
use engine::selfplay::{GameSpec, MoveRecord, Player, play, random_opening};
use engine::side::BySide;
use std::ops::ControlFlow;
use std::time::Duration;

/// Parameters of a text such as `rave_k=0 exploration=0.9`.
fn params(text: &str) -> Params {
    let mut params = Params::default();
    for pair in text.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("name=value");
        params.set(name, &value.parse().expect("infallible")).unwrap_or_else(|error| panic!("{error}"));
    }
    params
}

/// A game of a player against the default one, without times.
fn game(params: &Params, size: u8, sims: u64, seed: u64) -> Vec<MoveRecord> {
    let size = BoardSize::new(size).expect("a size");
    let player = |params: &Params, seed| Player { params: params.clone(), budget: Budget::Sims(sims), seed };
    let players = BySide { white: player(params, seed), black: player(&Params::default(), seed + 1) };
    let spec = GameSpec { size, opening: random_opening(size, 2, seed), players };
    let record = play(&spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("never stopped");
    record.moves.into_iter().map(|played| MoveRecord { cpu: Duration::ZERO, ..played }).collect()
}

/// Parameters without effect, and the player that they are.
const ALIKE: &[(&str, &str)] = &[
    ("rave_k=0.05", "rave_k=0"),
    ("rave_k=0.1", "rave_k=0"),
    ("rave_k=0 rave_k_per_empty=200 exploration=0.9", "rave_k=0 exploration=0.9"),
    ("rave_k=0.09 rave_compat=thesis2011 rave_probability=0.3 exploration=0.5", "rave_k=0 exploration=0.5"),
    ("exploration_probability=0.2", ""),
    ("rave_probability=0.5 exploration_probability=0.3", "rave_probability=0.5 exploration_probability=0.9"),
    ("rave_probability=0.5 exploration_probability=0", "rave_probability=0.5"),
    ("final_rave_k=500 final_exploration=0.2", ""),
    ("final_move=wins final_rave_k=5", "final_move=wins"),
    ("final_move=value final_rave_k=0.1", "final_move=value"),
    ("widening=1 locality=5", "widening=0.5 locality=5"),
    ("knowledge_compat=published distance_compat=published maintain_vc=20", "maintain_vc=20"),
    ("knowledge_compat=published distance=2", "distance=2"),
    ("distance_compat=published group_size=2", "group_size=2"),
    ("locality=1e-60 knowledge_compat=published", ""),
    ("fpu=3", "fpu=2"),
    ("fpu=3 rave_probability=0.5", "fpu=1.5 rave_probability=0.5"),
    ("fpu=3 rave_k=0 exploration=0.9", "rave_k=0 exploration=0.9"),
    ("fpu=9 rave_k=0 exploration=0.01", "fpu=1.1 rave_k=0 exploration=0.01"),
    ("mate_in_one_compat=level2 playout_compat=published", ""),
    ("mate_in_one_per_size=0.09 mate_in_one_compat=level4", ""),
    ("mate_in_one_per_size=1.05", "mate_in_one_per_size=1"),
    ("mate_in_one=271 mate_in_one_per_size=3", "mate_in_one=1000"),
    ("mate_in_one_per_size=50", "mate_in_one=1000"),
    ("ring_depth=271", ""),
    ("ring_growth=271", ""),
    ("ring_growth_share=1", ""),
    ("ring_depth_share=0.9999", ""),
    ("ring_depth_share=3", ""),
    ("ring_depth_share=1000 playout_compat=published vc_replies=true", "vc_replies=true"),
    (
        "ring_depth_share=271 playout_compat=published mate_in_one=9",
        "ring_depth_share=1000 playout_compat=published mate_in_one=9",
    ),
    ("ring_compat=published playout_compat=published", ""),
    ("ring_compat=published ring_depth=9 vc_replies=true", "ring_depth=9 vc_replies=true"),
    ("ring_depth=0 ring_size=9 ring_growth=4 ring_growth_share=0.2 ring_compat=published", "ring_depth=0"),
    ("ring_depth_share=0 ring_permanent=2", "ring_depth=0"),
    ("ring_permanent=136 ring_size=7 playout_compat=published", "ring_depth=0"),
    ("ring_probability=0 ring_permanent=3 ring_depth=8 playout_compat=published", "ring_probability=0"),
    ("ring_probability=0.4 ring_depth=0", "ring_probability=0"),
    ("ring_permanent=200 mate_in_one=9 ring_compat=published", "ring_depth=0 mate_in_one=9"),
    (
        "ring_depth=0 ring_size=8 mate_in_one=9 playout_compat=published",
        "ring_depth=0 mate_in_one=9 playout_compat=published",
    ),
];

#[test]
fn what_has_no_effect_is_left_out_of_who_a_player_is() {
    for (text, known_as) in ALIKE {
        let [set, other] = [*text, *known_as].map(params);
        assert_eq!(set.differences(), other.differences(), "{text}");
        assert_ne!(set, other);
        for (size, sims, seed) in [(3, 60, 1), (4, 150, 2), (5, 40, 3)] {
            assert!(game(&set, size, sims, seed) == game(&other, size, sims, seed), "{text} on size {size}");
        }
    }
}

#[test]
fn whatever_has_an_effect_stays() {
    for text in [
        "rave_k=0.11",
        "rave_probability=0",
        "rave_k=0 rave_probability=0.5 exploration=0.5 exploration_probability=0.5",
        "final_move=value final_exploration=0.2",
        "widening=1.1",
        "fpu=2",
        "fpu=1",
        "fpu=3 exploration=0.5",
        "fpu=3 locality=5",
        "playout_compat=published vc_replies=true",
        "mate_in_one=1000 mate_in_one_compat=level2",
        "mate_in_one_per_size=0.3",
        "mate_in_one_per_size=0.09 playout_compat=published",
        "ring_growth=271 playout_compat=published",
        "ring_depth=270",
        "ring_growth=270",
        "ring_permanent=3 ring_compat=published",
        "memory_mib=1",
    ] {
        let set = params(text);
        assert_eq!(set.canonical(), set, "{text}: {:?}", set.without_effect());
    }
    let presets = Params::PRESETS.iter().map(|(name, _)| Params::preset(name).expect("a preset"));
    let varied = variants().into_iter().map(|(name, value)| {
        let mut params = Params::default();
        params.set(name, &value).expect("a value of the table");
        params
    });
    for params in presets.chain(varied) {
        // The table says 271 or more, and 1000 is its word for all.
        let mut set = params;
        if set.heuristics.mate_in_one == 271 {
            set.heuristics.mate_in_one = 1000;
        }
        assert_eq!(set.canonical(), set);
    }
}

/// A value that a tunable often has, or one of its edges.
fn some_value(domain: Domain, rng: &mut Rng) -> ParamValue {
    let number = |numbers: &[f64], rng: &mut Rng| numbers[rng.below(numbers.len() as u32) as usize];
    match domain {
        Domain::Flag => ParamValue::Flag(rng.below(2) == 1),
        Domain::Words(words) => ParamValue::Word(words[rng.below(words.len() as u32) as usize].to_owned()),
        Domain::Whole(min, max) => {
            let numbers = [0.0, 1.0, 2.0, 3.0, 6.0, 7.0, 20.0, 135.0, 136.0, 270.0, 271.0, max];
            ParamValue::Number(number(&numbers, rng).clamp(min, max))
        }
        Domain::Real(min, max) => {
            let numbers =
                [0.0, 1e-300, 0.01, 0.05, 0.1, 0.11, 0.3, 0.5, 0.97, 0.998, 1.0, 1.05, 2.0, 5.0, 40.0];
            ParamValue::Number(number(&numbers, rng).clamp(min, max))
        }
    }
}

#[test]
fn any_parameters_play_as_the_player_that_they_are() {
    let mut rng = Rng::new(17);
    let mut changed = 0;
    for round in 0..400 {
        let mut set = Params::default();
        for info in Params::TABLE {
            let costly = matches!(info.name, "memory_mib" | "rollouts" | "expand_visits");
            if !costly && rng.below(3) == 0 {
                set.set(info.name, &some_value(info.domain, &mut rng)).expect("within its range");
            }
        }
        let canonical = set.canonical();
        assert_eq!(canonical.canonical(), canonical, "round {round}: {:?}", set.differences());
        if canonical == set {
            continue;
        }
        changed += 1;
        let (size, seed) = (3 + (round % 3) as u8, round);
        let [raw, known] = [&set, &canonical].map(|params| game(params, size, 40, seed));
        assert!(raw == known, "round {round}, size {size}: {:?} of {set:?}", set.without_effect());
    }
    assert!(changed > 300, "{changed}");
}
