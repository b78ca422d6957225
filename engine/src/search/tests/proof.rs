//! Tests the proofs that nodes derive from their children against every assignment of outcomes.

use super::super::proof::deciding;
use super::super::proven_outcome::ProvenOutcome;
use super::super::tree::{Child, NO_NODE, Shape, Tree, Width};
use super::*;
use serde::Deserialize;

const PROOFS: [ProvenOutcome; 6] = [
    ProvenOutcome::Unknown,
    ProvenOutcome::AtMostDraw,
    ProvenOutcome::AtLeastDraw,
    ProvenOutcome::Loss,
    ProvenOutcome::Draw,
    ProvenOutcome::Win,
];

/// The results that a proof leaves open: 0 for a loss, 1 for a draw, 2 for a win.
fn open_results(proof: ProvenOutcome) -> Vec<u8> {
    match proof {
        ProvenOutcome::Unknown => vec![0, 1, 2],
        ProvenOutcome::AtMostDraw => vec![0, 1],
        ProvenOutcome::AtLeastDraw => vec![1, 2],
        ProvenOutcome::Loss => vec![0],
        ProvenOutcome::Draw => vec![1],
        ProvenOutcome::Win => vec![2],
    }
}

/// The proof that leaves open exactly these results, ascending.
fn proof_of(results: &[u8]) -> ProvenOutcome {
    PROOFS.into_iter().find(|&proof| open_results(proof) == results).expect("results without gaps")
}

/// The proof of a node that follows from all possible results of its children and from its own bound `known`; `None` if
/// they contradict each other.
fn truth(children: [ProvenOutcome; 3], known: ProvenOutcome) -> Option<ProvenOutcome> {
    let [a, b, c] = children.map(open_results);
    let best =
        a.iter().flat_map(|a| b.iter().map(move |b| a.max(b))).flat_map(|x| c.iter().map(move |c| x.max(c)));
    let mut results: Vec<u8> = best.copied().filter(|result| open_results(known).contains(result)).collect();
    results.sort_unstable();
    results.dedup();
    (!results.is_empty()).then(|| proof_of(&results))
}

/// The proof that a node with three children and the bound `known` derives when its children are proven one by one.
fn learned(children: [ProvenOutcome; 3], known: ProvenOutcome) -> ProvenOutcome {
    let mut search = Search::new(Lottery::new(0, 3), &params(&[("draw_detection", "true")]).search, 0);
    search.tree = Tree::new(1 << 20, 3, Shape::RAVE);
    let id = search.tree.add(9, (0..3).collect(), known, Width::Byte);
    for slot in 0..3 {
        search.tree.visit(id, slot);
    }
    for (index, proof) in (0..).zip(children).filter(|(_, proof)| *proof != ProvenOutcome::Unknown) {
        search.tree.set_proof(id, index, proof, 3);
        if let Some((news, depth)) = search.prove(id, proof, 3) {
            assert_eq!(search.tree.node(id).proof, news);
            assert_eq!(depth, if news.is_solved() { 4 } else { 0 });
        }
    }
    search.tree.node(id).proof
}

#[test]
fn children_decide_what_every_assignment_of_their_results_says() {
    let mut seen = [0; 6];
    for code in 0..6 * 6 * 6 {
        let children = [code % 6, code / 6 % 6, code / 36].map(|i| PROOFS[i]);
        for known in [ProvenOutcome::Unknown, ProvenOutcome::AtMostDraw, ProvenOutcome::AtLeastDraw] {
            let Some(truth) = truth(children, known) else { continue };
            // One conclusion is not drawn: a drawn child beside unknown ones means at least a draw.
            let only_a_draw_in_hand = truth == ProvenOutcome::AtLeastDraw
                && !children.contains(&ProvenOutcome::AtLeastDraw)
                && children.contains(&ProvenOutcome::Draw)
                && children.contains(&ProvenOutcome::Unknown);
            let expected = if only_a_draw_in_hand { known } else { truth };
            assert_eq!(learned(children, known), expected, "{children:?}, known {known:?}");
            seen[PROOFS.iter().position(|&proof| proof == expected).expect("one of them")] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
}

#[test]
fn slots_never_visited_count_as_unknown_children() {
    for proof in PROOFS {
        let child = Child { slot: 0, n: 4, half_points: 0, node: NO_NODE, proof, depth: 2 };
        for known in [ProvenOutcome::Unknown, ProvenOutcome::AtMostDraw, ProvenOutcome::AtLeastDraw] {
            let decides = deciding([child].into_iter(), true, known).is_some();
            let expected = matches!(
                (proof, known),
                (ProvenOutcome::Win | ProvenOutcome::AtLeastDraw, _)
                    | (ProvenOutcome::Draw, ProvenOutcome::AtMostDraw)
            );
            assert_eq!(decides, expected, "{proof:?}, known {known:?}");
        }
    }
}

#[test]
fn the_cheapest_win_or_draw_and_the_hardest_loss_decide() {
    let decider = |proof, playouts: [u32; 4]| {
        let child = |(slot, n)| Child { slot, n, half_points: 0, node: NO_NODE, proof, depth: 2 };
        deciding((0..).zip(playouts).map(child), false, ProvenOutcome::Unknown).expect("nothing unknown").slot
    };
    for proof in [ProvenOutcome::Win, ProvenOutcome::AtLeastDraw, ProvenOutcome::Draw] {
        assert_eq!(decider(proof, [9, 4, 7, 4]), 1, "{proof:?}");
    }
    for proof in [ProvenOutcome::AtMostDraw, ProvenOutcome::Loss] {
        assert_eq!(decider(proof, [4, 9, 7, 9]), 1, "{proof:?}");
    }
}

#[test]
fn knowledge_survives_the_change_of_view_and_the_way_into_words() {
    for proof in PROOFS {
        assert_eq!(proof.inverted().inverted(), proof);
        assert_eq!(ProvenOutcome::from_bits(proof as u32), proof);
        assert_eq!(proof.as_seen_by(Side::White), proof.inverted().as_seen_by(Side::Black));
        assert_eq!(ProvenOutcome::between(proof.least(), proof.most()), proof);
        assert_eq!(open_results(proof).first(), Some(&proof.least()));
        assert_eq!(open_results(proof).last(), Some(&proof.most()));
        for other in PROOFS {
            let both: Vec<u8> = open_results(proof)
                .into_iter()
                .filter(|result| open_results(other).contains(result))
                .collect();
            if !both.is_empty() {
                assert_eq!(proof.and(other), proof_of(&both), "{proof:?} and {other:?}");
            }
            assert_eq!(proof.includes(other), both == open_results(other), "{proof:?} and {other:?}");
            let best_of =
                |x: &u8| open_results(other).into_iter().map(move |y| y.max(*x)).collect::<Vec<_>>();
            let mut best: Vec<u8> = open_results(proof).iter().flat_map(best_of).collect();
            best.sort_unstable();
            best.dedup();
            assert_eq!(proof.better(other), proof_of(&best), "the better of {proof:?} and {other:?}");
            let below: Vec<u8> = {
                let most = other.most();
                let mut below: Vec<u8> = open_results(proof).into_iter().map(|x| x.min(most)).collect();
                below.dedup();
                below
            };
            assert_eq!(proof.of_move_at(other), proof_of(&below), "{proof:?} at {other:?}");
        }
    }
}

#[test]
fn a_bound_spreads_up_the_path_and_can_draw_the_game() {
    // White's children are a draw and a position for which a proof arrives that White cannot win.
    let mut search = Search::new(Lottery::new(0, 3), &params(&[("draw_detection", "true")]).search, 0);
    let root = search.tree.add(9, (0..2).collect(), ProvenOutcome::Unknown, Width::Byte);
    search.root.node = root;
    for slot in 0..2 {
        search.tree.visit(root, slot);
    }
    search.tree.set_proof(root, 0, ProvenOutcome::Draw, 5);
    assert_eq!(search.prove(root, ProvenOutcome::Draw, 5), None);
    search.path.push(super::super::state::Step { node: root, child: 1, slot: 1 });
    search.spread(ProvenOutcome::AtLeastDraw);
    assert_eq!(search.tree.child(root, 1).proof, ProvenOutcome::AtMostDraw);
    assert_eq!(search.root_proof(), ProvenOutcome::Draw);
    // The move to play is the draw, not the move that could still lose.
    let (slot, value, proof) = search.final_move();
    assert_eq!((slot, value, proof), (0, 0.5, ProvenOutcome::Draw));
}

#[test]
fn positions_that_a_side_cannot_win_are_claimed_as_such() {
    let mut claims = std::collections::HashMap::new();
    for seed in 0..300 {
        let mut game = Lottery::new(seed, 11);
        let mut rng = Rng::new(seed);
        for _ in 0..5 {
            let open: Vec<u16> = game.open().iter().collect();
            if !open.is_empty() {
                game.play_slot(open[rng.below(open.len() as u32) as usize]);
            }
        }
        if game.winner().is_some() {
            continue;
        }
        let chances = Side::BOTH.map(|side| game.could_win(side));
        let thought = Search::new(game.clone(), &params(&[("draw_detection", "true")]).search, seed)
            .think(Budget::Sims(20));
        match chances {
            [true, true] => {}
            [true, false] => {
                assert!(matches!(
                    thought.claim,
                    ProvenOutcome::Win | ProvenOutcome::Draw | ProvenOutcome::AtLeastDraw
                ))
            }
            [false, true] => {
                assert!(matches!(
                    thought.claim,
                    ProvenOutcome::Loss | ProvenOutcome::Draw | ProvenOutcome::AtMostDraw
                ))
            }
            [false, false] => assert_eq!((thought.claim, thought.value), (ProvenOutcome::Draw, 0.5)),
        }
        *claims.entry(thought.claim).or_insert(0) += 1;
    }
    let partial = [ProvenOutcome::AtLeastDraw, ProvenOutcome::AtMostDraw, ProvenOutcome::Draw]
        .map(|claim| claims.contains_key(&claim));
    assert_eq!(partial, [true; 3], "{claims:?}");
}

#[test]
fn the_text_of_an_outcome_names_the_sides_as_white_sees_them() {
    let texts = PROOFS.map(|proof| proof.to_string());
    assert_eq!(texts, ["none", "black_or_draw", "white_or_draw", "black", "draw", "white"]);
    for (proof, text) in PROOFS.into_iter().zip(&texts) {
        let text = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(text);
        assert_eq!(ProvenOutcome::deserialize(text), Ok(proof));
    }
}
