//! Policies of playouts: traces of single moves, and what they do to many playouts. Seeds are fixed, so a failure
//! means a changed engine and not bad luck; tolerances are five standard errors all the same.

use engine::bench::{PlayoutEnds, playout_ends, rollouts};
use engine::havannah::{
    Board, BoardSize, Cell, HeuristicParams, Heuristics, LastGoodReply, MateInOneCompat, Notation, Outcome,
    Params, PlayoutCompat, RingCompat,
};
use engine::rng::Rng;
use engine::search::{Budget, Game, Policy, RaveCompat, SearchParams, Winner};
use engine::selfplay::random_opening;
use engine::side::Side;
use rayon::prelude::*;

fn size(n: u8) -> BoardSize {
    BoardSize::new(n).expect("a size")
}

fn slot(board: &Board, name: &str) -> u16 {
    Notation::Gui.read(board.size(), name).expect("a cell").index() as u16
}

fn board(n: u8, moves: &str) -> (Board, Option<Cell>) {
    let moves = Notation::Gui.read_list(size(n), moves).expect("cells");
    (Board::after(size(n), &moves).expect("legal"), moves.last().copied())
}

/// A playout after `start`, to which `last` led: its moves, and who won.
fn playout(
    policy: &mut Heuristics,
    start: &Board,
    last: Option<Cell>,
    rng: &mut Rng,
) -> (Vec<(Side, u16)>, Winner, Outcome) {
    let mut end = start.clone();
    let winner = policy.rollout(&mut end, last.map(|cell| cell.index() as u16), 0, rng);
    let mut line = Vec::new();
    end.rollout_line(|side, slot| line.push((side, slot)));
    (line, winner, end.rollout_outcome())
}

/// A player with a sample of every policy and rule of playouts.
fn all_on() -> Params {
    let mut params = Params::default();
    for info in Params::TABLE.iter().filter(|info| info.group == "playouts") {
        let sample = info.samples.last().expect("a sample");
        let settings = format!("{}={sample}", info.name);
        for (name, value) in settings.split(' ').filter_map(|pair| pair.split_once('=')) {
            params.set(name, &value.parse().expect("any text is a value")).expect("a sample of the table");
        }
    }
    params
}

#[test]
fn playouts_under_every_policy_are_legal_games() {
    let players = [
        all_on(),
        Params {
            heuristics: HeuristicParams { playout_compat: PlayoutCompat::Published, ..all_on().heuristics },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams { ring_compat: RingCompat::Published, ..all_on().heuristics },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams {
                mate_in_one_compat: MateInOneCompat::Level1,
                ..all_on().heuristics
            },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams {
                mate_in_one_compat: MateInOneCompat::Level2,
                ring_compat: RingCompat::Published,
                ..all_on().heuristics
            },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams {
                mate_in_one_compat: MateInOneCompat::Level2,
                playout_compat: PlayoutCompat::Published,
                ..all_on().heuristics
            },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams {
                mate_in_one_compat: MateInOneCompat::Level4,
                ..all_on().heuristics
            },
            ..all_on()
        },
        Params {
            heuristics: HeuristicParams {
                mate_in_one: 4,
                ring_probability: 0.0,
                ..HeuristicParams::default()
            },
            ..Params::default()
        },
        Params {
            heuristics: HeuristicParams { ring_size: 9, ring_growth: 7, ..HeuristicParams::default() },
            ..Params::default()
        },
        Params {
            heuristics: HeuristicParams { vc_replies: true, ring_depth: 5, ..HeuristicParams::default() },
            ..Params::default()
        },
        Params {
            heuristics: HeuristicParams {
                last_good_reply: LastGoodReply::Keep,
                ..HeuristicParams::default()
            },
            ..Params::default()
        },
    ];
    players.par_iter().for_each(|params| {
        for size in BoardSize::all() {
            let (mut policy, mut rng) = (Heuristics::new(params), Rng::new(3));
            policy.begin_search();
            for seed in 0..40 {
                let opening = random_opening(size, (seed % 12) as u8, seed);
                let start = Board::after(size, &opening).expect("legal");
                let (line, winner, outcome) = playout(&mut policy, &start, opening.last().copied(), &mut rng);
                let mut seen: Vec<bool> = size.iter_cells().map(|cell| start.owner(cell).is_some()).collect();
                let mut side = start.to_move();
                for &(mover, slot) in &line {
                    assert_eq!(mover, side);
                    assert!(!std::mem::replace(&mut seen[usize::from(slot)], true), "{params:?}");
                    side = side.other();
                }
                assert_eq!(outcome.winner(), winner);
                // Whoever wins makes the last move; a draw fills the board.
                match winner {
                    Some(winner) => assert_eq!(line.last().map(|(side, _)| *side), Some(winner)),
                    None => assert!(seen.iter().all(|&seen| seen)),
                }
                if let Some(winner) = winner.filter(|_| policy.learns()) {
                    policy.learn(&line, winner);
                }
            }
        }
    });
}

#[test]
fn playouts_of_a_new_search_depend_on_position_and_seed() {
    let (mut policy, start) = (Heuristics::new(&all_on()), Board::new(size(6)));
    let mut series = || {
        policy.begin_search();
        let mut rng = Rng::new(8);
        let lines: Vec<_> = (0..30)
            .map(|_| {
                let (line, winner, _) = playout(&mut policy, &start, None, &mut rng);
                winner.into_iter().for_each(|winner| policy.learn(&line, winner));
                line
            })
            .collect();
        lines
    };
    assert_eq!(series(), series());
}

#[test]
fn a_mate_in_one_is_stopped_one_of_two_then_played() {
    let params = Params {
        heuristics: HeuristicParams { mate_in_one: 1, ..HeuristicParams::default() },
        ..Params::default()
    };
    let (mut policy, first_moves) = (Heuristics::new(&params), |moves: &str| -> Vec<_> {
        let (start, last) = board(4, moves);
        let mut policy = Heuristics::new(&params);
        (0..20).map(|seed| (playout(&mut policy, &start, last, &mut Rng::new(seed)), start.clone())).collect()
    });
    // White threatens the bridge from a1 to a4.
    for ((line, ..), start) in first_moves("a1 g4 a2 g5 a3") {
        assert_eq!(line[0], (Side::Black, slot(&start, "a4")));
    }
    // White threatens a4 and d1.
    for ((line, winner, _), start) in first_moves("a2 g6 a3 e4 a1 f6 b1 d5 c1") {
        assert_eq!(line, [(Side::Black, slot(&start, "a4")), (Side::White, slot(&start, "d1"))]);
        assert_eq!(winner, Some(Side::White));
    }
    // The same threats are not those of the last stone's group.
    let (start, last) = board(4, "a2 g6 a3 e4 a1 f6 b1 d5 c1 g4 e6");
    let lines = (0..20).map(|seed| playout(&mut policy, &start, last, &mut Rng::new(seed)).0);
    assert!(lines.filter(|line| line[0].1 == slot(&start, "a4")).count() < 10);
}

#[test]
fn a_move_takes_one_random_word_unless_something_else_decides_it() {
    let words = |params: &Params, moves: &str| {
        let (start, last) = board(4, moves);
        let (mut rng, mut policy) = (Rng::new(6), Heuristics::new(params));
        let mut expected = rng.clone();
        let plies = playout(&mut policy, &start, last, &mut rng).0.len();
        let mut taken = 0;
        while expected != rng {
            expected.next_u64();
            taken += 1;
        }
        (plies, taken)
    };
    // Nothing has been learned: every move is random.
    let replies = Params {
        heuristics: HeuristicParams { last_good_reply: LastGoodReply::Keep, ..HeuristicParams::default() },
        ..Params::default()
    };
    let (plies, taken) = words(&replies, "a1 g4");
    assert_eq!(taken, plies);
    let (plies, taken) = words(
        &Params { heuristics: HeuristicParams { ring_probability: 0.5, ..replies.heuristics }, ..replies },
        "a1 g4",
    );
    assert_eq!(taken, plies + 1);
    // A mate in one that cannot be stopped.
    let mates = Params {
        heuristics: HeuristicParams { mate_in_one: 271, ..HeuristicParams::default() },
        ..Params::default()
    };
    assert_eq!(words(&mates, "a2 g6 a3 e4 a1 f6 b1 d5 c1"), (2, 0));
}

#[test]
fn mates_in_one_are_stopped_at_so_many_choices_only() {
    let (start, last) = board(4, "a1 g4 a2 g5 a3");
    let blocks = |params: &Params| {
        let mut policy = Heuristics::new(params);
        let hits = (0..100).filter(|&seed| {
            let (line, ..) = playout(&mut policy, &start, last, &mut Rng::new(seed));
            line[0].1 == slot(&start, "a4")
        });
        hits.count()
    };
    assert_eq!(
        blocks(&Params {
            heuristics: HeuristicParams { mate_in_one: 1, ..HeuristicParams::default() },
            ..Params::default()
        }),
        100
    );
    assert_eq!(
        blocks(&Params {
            heuristics: HeuristicParams { mate_in_one_per_size: 0.25, ..HeuristicParams::default() },
            ..Params::default()
        }),
        100
    );
    assert!(
        blocks(&Params {
            heuristics: HeuristicParams { mate_in_one_per_size: 0.2, ..HeuristicParams::default() },
            ..Params::default()
        }) < 20
    );
    assert!(blocks(&Params::default()) < 20);
}

/// The first moves of 40 playouts with a look at the first choice under `level`, once each, in the order of cells.
fn first_moves(
    level: MateInOneCompat,
    (start, last): &(Board, Option<Cell>),
    others: &Params,
) -> Vec<(u16, bool)> {
    let params = Params {
        heuristics: HeuristicParams { mate_in_one: 1, mate_in_one_compat: level, ..others.heuristics },
        ..others.clone()
    };
    let mut policy = Heuristics::new(&params);
    let mut first: Vec<_> = (0..40)
        .map(|seed| {
            let (line, ..) = playout(&mut policy, start, *last, &mut Rng::new(seed));
            (line[0].1, line.len() == 1)
        })
        .collect();
    first.sort_unstable();
    first.dedup();
    first
}

#[test]
fn levels_one_and_two_look_for_mates_everywhere() {
    let plain = Params::default();
    let (off, one, two) = (MateInOneCompat::Off, MateInOneCompat::Level1, MateInOneCompat::Level2);
    // White wins at a4 and at d1, and it is White's turn: the first, which ends the playout.
    let own = board(4, "a2 g6 a3 e4 a1 f6 b1 d5 c1 g4");
    let win = [(slot(&own.0, "a4"), true)];
    assert_eq!(first_moves(one, &own, &plain), win);
    assert_eq!(first_moves(two, &own, &plain), win);
    assert!(first_moves(off, &own, &plain).len() > 10);
    // Whatever the last move was, even if it is not known.
    assert_eq!(first_moves(one, &(own.0.clone(), None), &plain), win);
    // It is Black's turn, and White's last stone elsewhere: the last of the two is taken.
    let other = board(4, "a2 g6 a3 e4 a1 f6 b1 d5 c1 g4 e6");
    assert_eq!(first_moves(two, &other, &plain), [(slot(&other.0, "d1"), false)]);
    assert!(first_moves(one, &other, &plain).len() > 10);
    assert!(first_moves(off, &other, &plain).len() > 10);
    // An own win comes before the opponent's.
    let both = board(4, "a2 g4 a3 g5 a1 g6 b1 e4 c1");
    assert_eq!(first_moves(two, &both, &plain), [(slot(&both.0, "g7"), true)]);
    assert_eq!(first_moves(off, &both, &plain)[0].0, slot(&both.0, "a4"));
}

#[test]
fn level_four_overlooks_what_threatens_after_a_stone_inside() {
    let plain = Params::default();
    let (off, four) = (MateInOneCompat::Off, MateInOneCompat::Level4);
    // White's b3 connects a1 and b4: a4 is a bridge. The same with a stone on the side.
    let inside = board(4, "a1 g4 b2 g6 b4 e6 b3");
    assert_eq!(first_moves(off, &inside, &plain), [(slot(&inside.0, "a4"), false)]);
    assert!(first_moves(four, &inside, &plain).len() > 10);
    let side = board(4, "a1 g4 a2 g6 e5 e6 a3");
    for level in [off, four] {
        assert_eq!(first_moves(level, &side, &plain), [(slot(&side.0, "a4"), false)]);
    }
}

#[test]
fn the_published_program_goes_for_rings_that_do_not_count() {
    // d4 closes a ring of six around d5.
    let ring = board(6, "e5 a1 e6 a3 d6 a5 c5 k11 c4 k9");
    let larger = Params {
        heuristics: HeuristicParams { ring_size: 7, ..HeuristicParams::default() },
        ..Params::default()
    };
    let published = Params {
        heuristics: HeuristicParams { playout_compat: PlayoutCompat::Published, ..larger.heuristics },
        ..larger.clone()
    };
    for level in [MateInOneCompat::Level1, MateInOneCompat::Level2] {
        assert!(first_moves(level, &ring, &larger).len() > 10);
        assert_eq!(first_moves(level, &ring, &published), [(slot(&ring.0, "d4"), false)]);
        assert_eq!(first_moves(level, &ring, &Params::default()), [(slot(&ring.0, "d4"), true)]);
    }
}

#[test]
fn an_intrusion_with_two_answers_is_answered_in_turn() {
    let params = Params {
        heuristics: HeuristicParams { vc_replies: true, ..HeuristicParams::default() },
        ..Params::default()
    };
    let mut policy = Heuristics::new(&params);
    // Black has c3 and d5; White intrudes at c4, and d4 keeps them connected.
    let (start, last) = board(5, "a1 c3 a3 d5 c4");
    for seed in 0..20 {
        let (line, ..) = playout(&mut policy, &start, last, &mut Rng::new(seed));
        assert_eq!(line[0].1, slot(&start, "d4"));
    }
    // Black has every other cell around c4: b3, c5 and d4.
    let (start, last) = board(5, "a1 b3 a2 c5 a4 d4 c4");
    let mut answers = |anew: bool| {
        let mut answers: Vec<u16> = (0..60)
            .map(|seed| {
                if anew {
                    policy.begin_search();
                }
                playout(&mut policy, &start, last, &mut Rng::new(seed)).0[0].1
            })
            .collect();
        answers.sort_unstable();
        answers.dedup();
        answers
    };
    assert_eq!(answers(true), [slot(&start, "b4")]);
    assert_eq!(answers(false), ["b4", "c3", "d5"].map(|name| slot(&start, name)));
}

#[test]
fn replies_that_won_are_repeated_and_lost_ones_forgotten() {
    let start = Board::new(size(4));
    let name = |name| slot(&start, name);
    let (white, black) = (Side::White, Side::Black);
    let line = [(white, name("a1")), (black, name("g7")), (white, name("d4")), (black, name("b2"))];
    let answers = |policy: &mut Heuristics, moves: &str| {
        let (start, last) = board(4, moves);
        let mut slots: Vec<u16> =
            (0..40).map(|seed| playout(policy, &start, last, &mut Rng::new(seed)).0[0].1).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    };
    for (mode, forgets) in [(LastGoodReply::Keep, false), (LastGoodReply::Forget, true)] {
        let mut policy = Heuristics::new(&Params {
            heuristics: HeuristicParams { last_good_reply: mode, ..HeuristicParams::default() },
            ..Params::default()
        });
        policy.begin_search();
        assert!(answers(&mut policy, "a1").len() > 10);
        policy.learn(&line, black);
        assert_eq!(answers(&mut policy, "a1"), [name("g7")]);
        assert_eq!(answers(&mut policy, "c1 c3 d4"), [name("b2")]);
        // White's reply to g7 lost; the first move answered nothing.
        assert!(answers(&mut policy, "e5 g7").len() > 10);
        // A reply whose cell is taken is none.
        assert!(answers(&mut policy, "g7 c3 a1").len() > 10);
        // Another reply to a1 that lost takes the place of none, or leaves none even though it was another.
        policy.learn(&[(white, name("a1")), (black, name("f5"))], white);
        assert_eq!(answers(&mut policy, "a1") == [name("g7")], !forgets);
        // Another that won takes its place.
        policy.learn(&[(white, name("a1")), (black, name("f5"))], black);
        assert_eq!(answers(&mut policy, "a1"), [name("f5")]);
        policy.begin_search();
        assert!(answers(&mut policy, "a1").len() > 10);
    }
}

#[test]
fn replies_to_intrusions_shorten_playouts_by_the_known_share() {
    // 6.3 % on size 4 and 9.2 % on size 10 with the program behind the thesis; in between not measured.
    [(4, 0.063), (10, 0.092)].into_par_iter().for_each(|(n, expected)| {
        let mean = |vc_replies| {
            let params = Params {
                heuristics: HeuristicParams { vc_replies, ..HeuristicParams::default() },
                ..Params::default()
            };
            let measured = rollouts(&Board::new(size(n)), &params, Budget::Sims(20_000), 1);
            measured.plies as f64 / measured.games as f64
        };
        let shorter = 1.0 - mean(true) / mean(false);
        assert!((shorter - expected).abs() < 0.01, "size {n}: {shorter:.4}, {expected}");
    });
}

#[test]
fn rings_count_in_the_share_of_playouts_asked_for() {
    let ends = |ring_probability| -> PlayoutEnds {
        let params = Params {
            heuristics: HeuristicParams {
                ring_probability,
                ..Params::preset("uct").expect("a preset").heuristics
            },
            ..Params::preset("uct").expect("a preset")
        };
        playout_ends(size(7), &params, 10_000, 2)
    };
    let rings = |ends: PlayoutEnds| ends.wins[2] as f64 / ends.wins.iter().sum::<u64>() as f64;
    let all = rings(ends(1.0));
    let (half, none) = (rings(ends(0.5)), rings(ends(0.0)));
    let error = (0.25 / 10_000.0_f64).sqrt();
    assert!((half - all / 2.0).abs() < 5.0 * error, "{half} of {all}");
    assert_eq!(none, 0.0);
}

/// Rings in 10 000 simulations with three permanent stones: the least and most of six runs of the program behind the
/// thesis, repaired and with its defect.
const PERMANENT: [(u8, RaveCompat, [f64; 2]); 6] = [
    (5, RaveCompat::Off, [3.0, 10.0]),
    (7, RaveCompat::Off, [1.0, 33.0]),
    (10, RaveCompat::Off, [1.0, 9.0]),
    (5, RaveCompat::Thesis2011, [200.0, 350.0]),
    (7, RaveCompat::Thesis2011, [535.0, 975.0]),
    (10, RaveCompat::Thesis2011, [763.0, 1259.0]),
];

#[test]
fn rings_with_permanent_stones_are_as_rare_as_known() {
    PERMANENT.par_iter().for_each(|&(n, rave_compat, [least, most])| {
        let params = Params {
            search: SearchParams { rave_compat, ..SearchParams::default() },
            heuristics: HeuristicParams { ring_permanent: 3, ..HeuristicParams::default() },
        };
        let runs: Vec<f64> =
            (0..4).map(|seed| playout_ends(size(n), &params, 10_000, seed).wins[2] as f64).collect();
        let mean = runs.iter().sum::<f64>() / runs.len() as f64;
        assert!((least / 3.0..most * 1.5).contains(&mean), "size {n}, {rave_compat:?}: {runs:?}");
    });
}
