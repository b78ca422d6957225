//! Tests of bounded trees: what collections drop and keep, and that they depend on the tree only.

use super::super::proven_outcome::ProvenOutcome;
use super::super::tree::{Child, NO_NODE, NodeId, Tree};
use super::*;
use std::collections::BTreeMap;

/// Every reachable node by the moves that lead to it: its playouts and its children.
fn contents(tree: &Tree, root: NodeId) -> BTreeMap<Vec<u16>, (u32, Vec<Child>)> {
    let mut contents = BTreeMap::new();
    let mut waiting = vec![(Vec::new(), root)];
    while let Some((path, id)) = waiting.pop() {
        let children: Vec<Child> = tree.visited(id).collect();
        for child in children.iter().filter(|child| child.node != NO_NODE) {
            waiting.push(([&path[..], &[child.slot]].concat(), child.node));
        }
        let plain = children.into_iter().map(|child| Child { node: NO_NODE, ..child }).collect();
        contents.insert(path, (tree.node(id).n, plain));
    }
    contents
}

#[test]
fn a_full_tree_makes_room_and_searches_on_within_its_memory() {
    let size = BoardSize::new(5).expect("size");
    let mut search = Search::new(Board::new(size), &params(&[("memory_mib", "1")]), 4);
    let mut collections = 0;
    for sims in (0..200_000).step_by(50) {
        let thought = search.think(Budget::Sims(50));
        collections += thought.collections;
        assert!(search.tree.bytes() <= 1 << 20, "{} bytes after {sims} simulations", search.tree.bytes());
        let root = search.tree.node(search.root.node);
        let counts: u32 = search.tree.visited(search.root.node).map(|child| child.n).sum();
        assert_eq!((root.n, counts), (sims + 52, sims + 50));
    }
    assert!(collections > 10, "{collections} collections");
}

#[test]
fn so_many_simulations_fill_no_more_memory_than_is_said() {
    let settings: [&[(&str, &str)]; 5] = [
        &[],
        &[("expand_visits", "0"), ("locality", "10")],
        &[("rave_k", "0"), ("exploration", "0.9"), ("expand_visits", "0")],
        &[("lookahead", "0"), ("expand_visits", "0"), ("connectivity", "5")],
        &[("rollouts", "3"), ("locality", "1"), ("draw_detection", "true")],
    ];
    for (size, settings) in
        [3, 4, 6, 10].into_iter().flat_map(|size| settings.map(|settings| (size, settings)))
    {
        let size = BoardSize::new(size).expect("size");
        let params = params(settings);
        let mut search = Search::new(Board::new(size), &params, 4);
        for sims in (1..=4).map(|round| round * 500) {
            search.think(Budget::Sims(500));
            let most = super::super::tree_mib(&params.search, size.cells(), sims);
            let bytes = search.tree.bytes();
            assert!(bytes <= (most as usize) << 20, "{bytes} bytes, not {most} MiB: {settings:?} on {size}");
        }
    }
    let small = params(&[("memory_mib", "7")]);
    assert_eq!(super::super::tree_mib(&small.search, 271, u64::MAX), 7);
}

#[test]
fn what_is_dropped_is_light_and_what_is_kept_is_unchanged() {
    let mut search = Search::new(board(4, "a1 g4 a2 g5 c3"), &params(&[]), 4);
    search.think(Budget::Sims(20_000));
    let root = search.root.node;
    let before = contents(&search.tree, root);
    let mut sizes = Vec::new();
    for budget in [search.tree.bytes() / 3, search.tree.bytes() / 30, 1] {
        let new = search.tree.collect(search.root.node, budget);
        search.root.node = new;
        assert!(search.tree.bytes() <= budget || search.tree.len() == 1, "{budget} bytes");
        let after = contents(&search.tree, new);
        assert!(after.iter().all(|(path, kept)| before[path] == *kept), "playouts, means and proofs stay");
        assert_eq!(search.tree.len(), after.len(), "nothing unreachable stays");
        // Below a node that is not won, every dropped node had fewer playouts than the lightest kept one.
        let lightest = after.iter().filter(|(path, _)| !path.is_empty()).map(|(_, (n, _))| *n).min();
        for (path, (n, children)) in &before {
            let parent = path.split_last().map(|(_, parent)| parent.to_vec());
            let orphan =
                parent.is_some_and(|parent| after.contains_key(&parent)) && !after.contains_key(path);
            let won = children.iter().any(|child| child.proof == ProvenOutcome::Win)
                || before[&path[..path.len().saturating_sub(1)]]
                    .1
                    .iter()
                    .any(|child| child.proof == ProvenOutcome::Win);
            assert!(
                !orphan || won || lightest.is_none_or(|lightest| *n < lightest),
                "{path:?} with {n} playouts"
            );
        }
        sizes.push(after.len());
    }
    assert!(sizes.is_sorted_by(|a, b| a > b) && sizes[2] == 1, "{sizes:?}");
    // The search goes on although only the root is left.
    let known = search.tree.visited(search.root.node).map(|child| child.n).sum::<u32>();
    let thought = search.think(Budget::Sims(500));
    let now = search.tree.visited(search.root.node).map(|child| child.n).sum::<u32>();
    assert!(thought.claim.is_solved() || now == known + 500);
}

#[test]
fn a_new_root_keeps_everything_below_it() {
    let mut search = Search::new(board(5, ""), &params(&[("locality_any", "3")]), 4);
    let thought = search.think(Budget::Sims(5000));
    let child =
        search.tree.visited(search.root.node).find(|child| child.slot == thought.slot).expect("chosen");
    search.tree.widen(child.node, 1 << 16);
    let below = contents(&search.tree, child.node);
    let rave: Vec<_> = (0..61).map(|slot| search.tree.rave(child.node, slot)).collect();
    let knowledge: Vec<_> = (0..61).map(|slot| search.tree.knowledge(child.node, slot)).collect();
    let root = search.tree.keep_below(child.node);
    assert_eq!(contents(&search.tree, root), below);
    assert_eq!(search.tree.len(), below.len());
    assert_eq!((0..61).map(|slot| search.tree.rave(root, slot)).collect::<Vec<_>>(), rave);
    assert_eq!((0..61).map(|slot| search.tree.knowledge(root, slot)).collect::<Vec<_>>(), knowledge);
    assert!(rave.iter().any(|&(n, wins)| n > 20 && wins > 0) && knowledge.iter().any(|&value| value > 0.0));
}

#[test]
fn searches_that_collect_repeat_themselves_and_still_prove() {
    let run = |seed| {
        let mut search = Search::new(board(4, "b1 d2 a2 e4"), &params(&[("memory_mib", "1")]), seed);
        let mut thoughts = Vec::new();
        for _ in 0..4 {
            let thought = search.think(Budget::Sims(15_000));
            thoughts.push((thought.slot, thought.value.to_bits(), thought.nodes, thought.collections));
        }
        thoughts
    };
    let (first, second) = (run(1), run(1));
    assert_eq!(first, second);
    assert!(first.iter().map(|thought| thought.3).sum::<u32>() > 3, "{first:?}");
    assert_ne!(first, run(2));
}

#[test]
fn a_kept_tree_keeps_what_was_proved() {
    let mut kept = 0;
    for seed in 0..120 {
        let game = Lottery::new(seed, 9);
        let mut search = Search::new(game, &params(&[("rave_k", "0"), ("exploration", "0.9")]).search, seed);
        let thought = search.think(Budget::Sims(100_000));
        if search.root.proven.is_some() {
            continue;
        }
        let child = search.tree.visited(search.root.node).find(|child| child.slot == thought.slot);
        if !thought.claim.is_solved() || child.is_none_or(|child| child.node == NO_NODE) {
            continue;
        }
        search.advance(thought.slot);
        let next = search.think(Budget::Sims(1));
        assert_eq!((next.claim, next.sims), (thought.claim, 0), "seed {seed}");
        kept += 1;
    }
    assert!(kept > 20, "{kept}");
}
