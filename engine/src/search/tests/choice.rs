//! Tests of terms that only some simulations use, of dynamic widening, and of the choice of the final move.

use super::super::proven_outcome::ProvenOutcome;
use super::super::select::count;
use super::super::tree::{Rave, Visit, Width};
use super::*;
use crate::bench::players;

/// The results of a few searches in the course of a game.
fn trail(changes: &[(&str, &str)]) -> Vec<(u16, u32, u64)> {
    let mut search = Search::new(board(5, ""), &params(changes), 3);
    let mut trail = Vec::new();
    for _ in 0..4 {
        let thought = search.think(Budget::Sims(700));
        search.advance(thought.slot);
        trail.push((thought.slot, thought.value.to_bits(), thought.nodes));
    }
    trail
}

#[test]
fn probabilities_of_0_and_1_play_like_features_off_and_on() {
    for knowledge in [("locality", "4"), ("locality", "0")] {
        let with = |more: &[(&'static str, &'static str)]| {
            trail(&[&[("exploration", "0.4"), knowledge], more].concat())
        };
        let plain = with(&[]);
        assert_eq!(with(&[("exploration_probability", "1"), ("rave_probability", "1")]), plain);
        assert_eq!(with(&[("rave_probability", "0")]), with(&[("rave_k", "0")]));
        assert_eq!(with(&[("exploration_probability", "0")]), with(&[("exploration", "0")]));
        let half =
            [&[("rave_probability", "0.5")], &[("exploration_probability", "0.5")]].map(|one| with(one));
        assert!(half[0] != plain && half[1] != plain && half[0] != half[1]);
    }
}

#[test]
fn a_stored_choice_is_the_one_that_a_descent_would_make() {
    for (name, params) in players() {
        let mut searches = [false, true].map(|chooses| {
            let mut search = Search::new(board(5, ""), &params, 5);
            search.sampled.vary |= chooses;
            search
        });
        // Large subtrees are kept from move to move.
        for ply in 0..4 {
            let [stored, made] = searches.each_mut().map(|search| {
                search.think(Budget::Sims(600));
                search.children(&[])
            });
            assert!(
                stored == made,
                "{name}, move {ply}: simulations follow choices that they would not make. Beside the counts of its node, \
                 a choice depends on what `Search::terms` may depend on; where it depends on more, `SampledTerms::vary`"
            );
            let best = stored[0].slot;
            searches.iter_mut().for_each(|search| search.advance(best));
        }
    }
}

#[test]
fn terms_are_sampled_as_often_as_their_probabilities_say() {
    let params =
        params(&[("exploration", "0.5"), ("rave_probability", "0.25"), ("exploration_probability", "0.9")]);
    let (mut sampled, mut rng) = (super::super::terms::SampledTerms::new(&params.search), Rng::new(1));
    let (mut rave, mut exploration) = (0, 0);
    for _ in 0..10_000 {
        sampled.draw(&params.search, &mut rng);
        rave += i32::from(sampled.rave);
        exploration += i32::from(sampled.explores);
    }
    // Six standard deviations.
    assert!((2500 - rave).abs() < 260, "{rave}");
    assert!((9000 - exploration).abs() < 180, "{exploration}");
}

#[test]
fn a_widening_node_first_looks_at_children_of_most_knowledge() {
    let mut search = Search::new(board(6, "f6"), &params(&[("widening", "2"), ("locality_any", "5")]), 1);
    for sims in [1, 2, 4, 30, 500, 4000] {
        search.think(Budget::Sims(sims));
        for id in 0..search.tree.len() as u32 {
            let (node, unvisited) = (search.tree.node(id), search.tree.unvisited(id));
            // The last choice already counted the next playout.
            let width = 2 + (f64::from(node.n + 1).ln() / 2_f64.ln()).floor() as u16;
            let unproven = node.visited - node.proven;
            assert!(unproven <= width, "{unproven} of {width} at {} playouts", node.n);
            // A visited child is among the first `width` in the order of knowledge.
            let order = |slot| (-search.tree.knowledge(id, slot), slot);
            let children: Vec<_> = search.tree.visited(id).filter(|child| !child.proof.is_solved()).collect();
            for child in &children {
                let before = |slot: u16| order(slot) < order(child.slot);
                let seen_before = children.iter().filter(|other| before(other.slot)).count();
                let unseen_before = unvisited.iter().filter(|&slot| before(slot)).count();
                assert!(
                    seen_before + unseen_before < usize::from(width),
                    "slot {} came too early",
                    child.slot
                );
            }
        }
    }
    let root = search.tree.node(search.root.node);
    assert!((8..=14).contains(&root.visited), "{} children after {} playouts", root.visited, root.n);
    // Without knowledge these are the lowest slots.
    let mut search = Search::new(board(6, "f6"), &params(&[("widening", "2")]), 1);
    search.think(Budget::Sims(500));
    let slots: Vec<u16> = search.tree.visited(search.root.node).map(|child| child.slot).collect();
    assert!(slots.len() > 4 && slots.iter().all(|&slot| slot < 10), "log2 of 503 is 8.97: {slots:?}");
}

#[test]
fn the_final_move_by_value_is_the_highest_lower_bound() {
    let set = [("final_move", "value"), ("final_rave_k", "500"), ("final_exploration", "0.5")];
    let mut search = Search::new(board(3, ""), &params(&set), 1);
    let root = search.tree.add(1000, (0..4).collect(), ProvenOutcome::Unknown, Width::Byte);
    search.root.node = root;
    for (slot, n, mean) in [(0, 600, 0.5), (1, 100, 0.4), (2, 300, 0.6)] {
        let index = search.tree.visit(root, slot);
        let half_points = (2.0 * mean * f64::from(n)) as u32;
        count(&mut search.tree.view(root), Visit { child: index, playouts: n, half_points });
    }
    let bound = |search: &Search<Board>, slot: u16| {
        let child = search.tree.visited(root).find(|child| child.slot == slot);
        search.lower_bound(root, &child.unwrap_or_else(|| super::super::tree::Child::unvisited(slot)))
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-5, "{a} is not {b}");
    // Without RAVE playouts the RAVE mean is 0. β = 500 / 600; √(ln 1000 / 101) = 0.261522.
    close(bound(&search, 1), 0.066_667 - 0.130_761);
    if let Rave::Bytes(counters) = search.tree.view(root).rave {
        counters[0] = (30 << 8 | 50) << 16;
        counters[1] = (50 << 8 | 50) << 16;
    }
    close(bound(&search, 1), 0.566_667 - 0.130_761);
    // An unvisited slot has β = 1 and the full exploration term.
    close(bound(&search, 3), 1.0 - 0.5 * 1000_f64.ln().sqrt());
    assert_eq!(search.final_move().0, 1);
    search.params.final_rave_k = 0.0;
    assert_eq!(search.final_move().0, 2);
    search.params.final_exploration = 10.0;
    assert_eq!(search.final_move().0, 0, "the more playouts, the surer");
    search.params.final_exploration = 0.0;
    search.params.final_rave_k = 1e6;
    assert_eq!(search.final_move().0, 3, "by RAVE alone");
}

#[test]
fn a_move_never_tried_is_worth_its_urgency_and_its_knowledge() {
    // First-play urgency 1 plus knowledge 0.25, against a child with value 1.24 or 1.26.
    for (seen, expected) in [(0.24, 3), (0.26, 0)] {
        let mut search = Search::new(board(3, ""), &params(&[("rave_k", "0"), ("locality_any", "1")]), 1);
        let id = search.tree.add(10, (0..4).collect(), ProvenOutcome::Unknown, Width::Byte);
        let knowledge = std::array::from_fn(|slot| {
            if slot == 3 {
                0.25
            } else if slot == 0 {
                seen
            } else {
                0.0
            }
        });
        search.tree.set_knowledge(id, &knowledge);
        let child = search.tree.visit(id, 0);
        // After one playout, a win, the child still has its full knowledge.
        count(&mut search.tree.view(id), Visit { child, playouts: 1, half_points: 2 });
        search.choose_next(id, 0);
        assert_eq!(search.tree.node(id).next_slot, expected);
    }
}
