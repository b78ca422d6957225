//! Tests of counters near the largest counts that they hold.

use super::super::formula::{decayed_knowledge, exploration_factor};
use super::super::tree::{NO_NODE, Visit};
use super::*;
use crate::search::{check_sims, most_sims};
use crate::selfplay::{GameSpec, GameUnderWay, Player};
use crate::side::BySide;
use std::time::Duration;

/// A search with `left` simulations left before its counters are full, as if all playouts so far had gone through its
/// best move and been won.
fn nearly_full(params: &Params, left: u64) -> Search<Board> {
    let mut search = Search::new(board(4, "d4"), params, 1);
    let best = search.think(Budget::Sims(200)).slot;
    let root = search.root.node;
    let child = search.tree.visited(root).position(|child| child.slot == best).expect("visited") as u16;
    let playouts = search.most_playouts - search.tree.node(root).n - left as u32 * params.search.rollouts;
    search.tree.node_mut(root).n += playouts;
    let visit = Visit { child, playouts, half_points: 2 * playouts };
    search.tree.view(root).children.count(visit, exploration_factor, |n, _| decayed_knowledge(0.0, n));
    search
}

#[test]
fn a_search_ends_before_a_counter_turns_negative() {
    for set in [
        vec![("rave_k", "0"), ("exploration", "0.9")],
        vec![("rollouts", "1000")],
        vec![("rave_k_per_empty", "1000"), ("rave_compat", "thesis2011")],
        vec![("expand_visits", "1000000"), ("lookahead", "0")],
    ] {
        let params = params(&set);
        for budget in [Budget::Sims(u64::MAX), Budget::CpuTime(Duration::from_secs(1_000_000))] {
            let mut search = nearly_full(&params, 7);
            let thought = search.think(budget);
            assert_eq!(thought.sims, 7, "{set:?}");
            assert!((0.0..=1.0).contains(&thought.value), "{set:?}: {thought:?}");
            assert!(search.has_counted_all());
            // No budget makes the search go on.
            assert_eq!(search.think_on(budget).sims, 0);
            let root = search.root.node;
            assert!(search.tree.visited(root).all(|child| child.half_points < 1 << 31 && child.n < 1 << 30));
            assert!(search.children(&[]).iter().all(|child| (0.0..=1.0).contains(&child.value)));
        }
    }
}

#[test]
fn the_last_playout_counted_is_read_as_what_it_is() {
    // The value of a move that was always won is 1 up to the last count, with every kind of vectors.
    let params = params(&[("rave_k", "0"), ("exploration", "0.01"), ("fpu", "0")]);
    let mut search = nearly_full(&params, 50);
    let before: Vec<u32> = search.tree.visited(search.root.node).map(|child| child.n).collect();
    search.think(Budget::Sims(50));
    let after: Vec<u32> = search.tree.visited(search.root.node).map(|child| child.n).collect();
    let best = before.iter().zip(0..).max().expect("a child").1;
    assert!(after[best] > before[best], "{before:?} {after:?}");
}

#[test]
fn a_subtree_too_heavy_for_another_search_is_not_kept() {
    let params = params(&[]);
    let mut search = nearly_full(&params, 50);
    let best = search.children(&[])[0];
    assert!(best.playouts > search.most_playouts / 2);
    search.advance(best.slot);
    assert_eq!((search.root.node, search.tree.len()), (NO_NODE, 0));
    assert_eq!(search.think(Budget::Sims(300)).sims, 300);
}

#[test]
fn more_rollouts_than_counters_hold_are_refused() {
    let limit = |text: &[_]| most_sims(&params(text).search, 271);
    let plain = limit(&[]);
    assert!(plain > 500_000_000, "{plain}");
    assert_eq!(limit(&[("rollouts", "1000")]), plain / 1000);
    assert_eq!(limit(&[("rave_compat", "thesis2011")]), plain, "its RAVE stops counting early enough");
    let credited = limit(&[("rave_compat", "thesis2011"), ("rave_k", "1000000")]);
    assert!((3_000_000..plain / 100).contains(&credited), "{credited}");
    assert!(
        limit(&[("expand_visits", "1000000"), ("rave_compat", "thesis2011"), ("rave_k", "1e6")]) > 2_000_000
    );

    let spec = |sims| {
        let player = Player { params: params(&[("rollouts", "1000")]), budget: Budget::Sims(sims), seed: 1 };
        let size = BoardSize::new(4).expect("a size");
        GameSpec { size, opening: Vec::new(), players: BySide { white: player.clone(), black: player } }
    };
    let most = most_sims(&params(&[("rollouts", "1000")]).search, 37);
    assert!(GameUnderWay::begin(&spec(most)).is_ok());
    let error = GameUnderWay::begin(&spec(most + 1)).err().expect("too many").to_string();
    assert!(
        error.contains(&format!("{} simulations a move are too many with `rollouts` = 1000", most + 1)),
        "{error}"
    );
    assert!(error.contains(&most.to_string()), "{error}");
    assert!(check_sims(&params(&[("rollouts", "1000")]).search, 37, 2_000_000).is_err());
}

#[test]
fn credits_with_the_thesis_defect_never_overflow() {
    let stale = Lottery { line: vec![(Side::White, 2); 7], ..Lottery::new(1, 8) };
    let mut credits = Credits::new(&params(&[("rave_compat", "thesis2011")]).search, 8);
    for _ in 0..1000 * 271 {
        credits.add_line(Side::White, [].into_iter(), Some(&stale), Side::White);
    }
    assert_eq!(credits.of(Side::White).halves[2], 0xffff_ffff);
}
