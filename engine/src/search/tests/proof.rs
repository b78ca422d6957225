//! Tests the proofs that nodes derive from their children against every assignment of outcomes.

use super::super::outcome::Proof;
use super::super::proof::deciding;
use super::super::tree::{Child, NO_NODE, Shape, Tree, Width};
use super::*;

const PROOFS: [Proof; 6] =
    [Proof::Unknown, Proof::NotWon, Proof::NotLost, Proof::Loss, Proof::Draw, Proof::Win];

/// The results that a proof leaves open: 0 for a loss, 1 for a draw, 2 for a win.
fn open_results(proof: Proof) -> Vec<u8> {
    match proof {
        Proof::Unknown => vec![0, 1, 2],
        Proof::NotWon => vec![0, 1],
        Proof::NotLost => vec![1, 2],
        Proof::Loss => vec![0],
        Proof::Draw => vec![1],
        Proof::Win => vec![2],
    }
}

/// The proof that leaves open exactly these results, ascending.
fn proof_of(results: &[u8]) -> Proof {
    PROOFS.into_iter().find(|&proof| open_results(proof) == results).expect("results without gaps")
}

/// The proof of a node that follows from all possible results of its children and from its own bound `known`; `None` if
/// they contradict each other.
fn truth(children: [Proof; 3], known: Proof) -> Option<Proof> {
    let [a, b, c] = children.map(open_results);
    let best =
        a.iter().flat_map(|a| b.iter().map(move |b| a.max(b))).flat_map(|x| c.iter().map(move |c| x.max(c)));
    let mut results: Vec<u8> = best.copied().filter(|result| open_results(known).contains(result)).collect();
    results.sort_unstable();
    results.dedup();
    (!results.is_empty()).then(|| proof_of(&results))
}

/// The proof that a node with three children and the bound `known` derives when its children are proven one by one.
fn learned(children: [Proof; 3], known: Proof) -> Proof {
    let mut search = Search::new(Lottery::new(0, 3), &params(&[("draw_detection", "true")]).search, 0);
    search.tree = Tree::new(1 << 20, 3, Shape::RAVE);
    let id = search.tree.add(9, (0..3).collect(), known, Width::Byte);
    for slot in 0..3 {
        search.tree.visit(id, slot);
    }
    for (index, proof) in (0..).zip(children).filter(|(_, proof)| *proof != Proof::Unknown) {
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
        for known in [Proof::Unknown, Proof::NotWon, Proof::NotLost] {
            let Some(truth) = truth(children, known) else { continue };
            // One conclusion is not drawn: a drawn child beside unknown ones means at least a draw.
            let only_a_draw_in_hand = truth == Proof::NotLost
                && !children.contains(&Proof::NotLost)
                && children.contains(&Proof::Draw)
                && children.contains(&Proof::Unknown);
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
        for known in [Proof::Unknown, Proof::NotWon, Proof::NotLost] {
            let decides = deciding([child].into_iter(), true, known).is_some();
            let expected =
                matches!((proof, known), (Proof::Win | Proof::NotLost, _) | (Proof::Draw, Proof::NotWon));
            assert_eq!(decides, expected, "{proof:?}, known {known:?}");
        }
    }
}

#[test]
fn of_equal_children_the_cheapest_win_and_draw_and_the_hardest_loss_decide() {
    let decider = |proof, playouts: [u32; 4]| {
        let child = |(slot, n)| Child { slot, n, half_points: 0, node: NO_NODE, proof, depth: 2 };
        deciding((0..).zip(playouts).map(child), false, Proof::Unknown).expect("nothing unknown").slot
    };
    for proof in [Proof::Win, Proof::NotLost, Proof::Draw] {
        assert_eq!(decider(proof, [9, 4, 7, 4]), 1, "{proof:?}");
    }
    for proof in [Proof::NotWon, Proof::Loss] {
        assert_eq!(decider(proof, [4, 9, 7, 9]), 1, "{proof:?}");
    }
}

#[test]
fn knowledge_survives_the_change_of_view_and_the_way_into_words() {
    for proof in PROOFS {
        assert_eq!(proof.inverted().inverted(), proof);
        assert_eq!(Proof::from_bits(proof as u32), proof);
        assert_eq!(proof.claim(Side::White), proof.inverted().claim(Side::Black));
        for other in PROOFS {
            let both: Vec<u8> = open_results(proof)
                .into_iter()
                .filter(|result| open_results(other).contains(result))
                .collect();
            if !both.is_empty() {
                assert_eq!(proof.and(other), proof_of(&both), "{proof:?} and {other:?}");
            }
        }
    }
}

#[test]
fn a_bound_spreads_up_the_path_and_can_draw_the_game() {
    // White's children are a draw and a position for which a proof arrives that White cannot win.
    let mut search = Search::new(Lottery::new(0, 3), &params(&[("draw_detection", "true")]).search, 0);
    let root = search.tree.add(9, (0..2).collect(), Proof::Unknown, Width::Byte);
    search.root.node = root;
    for slot in 0..2 {
        search.tree.visit(root, slot);
    }
    search.tree.set_proof(root, 0, Proof::Draw, 5);
    assert_eq!(search.prove(root, Proof::Draw, 5), None);
    search.path.push(super::super::state::Step { node: root, child: 1, slot: 1 });
    search.spread(Proof::NotLost);
    assert_eq!(search.tree.child(root, 1).proof, Proof::NotWon);
    assert_eq!(search.root_proof(), Proof::Draw);
    // The move to play is the draw, not the move that could still lose.
    let (slot, value, proof) = search.final_move();
    assert_eq!((slot, value, proof), (0, 0.5, Proof::Draw));
}

#[test]
fn a_position_that_one_side_cannot_win_is_claimed_as_such_and_a_dead_one_as_drawn() {
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
                assert!(matches!(thought.claim, Claim::White | Claim::Draw | Claim::WhiteOrDraw))
            }
            [false, true] => {
                assert!(matches!(thought.claim, Claim::Black | Claim::Draw | Claim::BlackOrDraw))
            }
            [false, false] => assert_eq!((thought.claim, thought.value), (Claim::Draw, 0.5)),
        }
        *claims.entry(thought.claim).or_insert(0) += 1;
    }
    let partial =
        [Claim::WhiteOrDraw, Claim::BlackOrDraw, Claim::Draw].map(|claim| claims.contains_key(&claim));
    assert_eq!(partial, [true; 3], "{claims:?}");
}
