//! Copying a refutation to sibling moves.
//!
//! The replies that refute a move often refute its siblings too. The refutation is looked up in the table and replayed after the
//! sibling. Where the refutation uses the sibling's slot, the replay uses the refuted move's slot instead. The rules judge every
//! position of the replay again, so that a copied proof is as sound as any other.

use super::state::{DfPnSearch, Known};
use crate::search::Game;
use crate::solver::expansion::Distances;
use crate::solver::key::Images;
use crate::solver::numbers::Numbers;

/// Tries the refutation of the chosen child at `ply`, which was just proven, on its unsolved siblings, and stops at the
/// first sibling that it does not refute.
pub(super) fn copy_proof<G: Game>(search: &mut DfPnSearch<'_, '_, '_, G>, ply: usize) {
    let step = &search.steps[ply];
    let mover = step.position.to_move();
    let refuted = step.children[step.chosen].slot;
    let source = search.keys.after(&step.images, mover, refuted);
    for _ in 0..search.copies {
        let step = &search.steps[ply];
        let Some(at) = step.children.iter().position(|child| !child.numbers.solved()) else { return };
        let slot = step.children[at].slot;
        let mut after = step.position.clone();
        after.play_slot(slot);
        let target = search.keys.after(&step.images, mover, slot);
        let Some(numbers) = replay(search, &after, source, target, (refuted, slot)) else { return };
        search.steps[ply].children[at].numbers = numbers;
        if numbers.phi != 0 {
            return;
        }
    }
}

/// Replays the proof that the table has for `source` at `position`: that the side to move reaches its aim or, one ply
/// later, that it misses its aim. `target` has the images of `position`. `None` when the replay proves nothing.
fn replay<G: Game>(
    search: &mut DfPnSearch<'_, '_, '_, G>,
    position: &G,
    source: Images,
    target: Images,
    exchanged: (u16, u16),
) -> Option<Numbers> {
    let mover = position.to_move();
    let (now, tested) = search.config.evaluate(position, search.attacker, &Distances::UNKNOWN, 0);
    search.meter.nodes += tested;
    if now.solved() {
        return Some(now);
    }
    if let Some((known, _)) = search.table.get(search.keys.key(&target))
        && known.numbers().solved()
    {
        return Some(known.numbers());
    }
    if !position.could_win(search.attacker) {
        return Some(Numbers::attacker_cannot_win(mover, search.attacker));
    }
    search.check().ok()?;
    let lookahead = search.config.lookahead;
    let (proof, work) = search.table.get(search.keys.key(&source))?;
    // The exchange is its own inverse.
    let stand_in = |slot: u16| match slot {
        slot if slot == exchanged.0 => exchanged.1,
        slot if slot == exchanged.1 => exchanged.0,
        slot => slot,
    };
    let best = proof.best().map(|slot| stand_in(search.keys.actual_slot(&source, slot)));
    let mut go = |slot: u16| {
        let mut next = position.clone();
        next.play_slot(slot);
        let source = search.keys.after(&source, mover, stand_in(slot));
        let target = search.keys.after(&target, mover, slot);
        replay(search, &next, source, target, exchanged)
    };
    let numbers = if proof.numbers().phi == 0 {
        let slot = best?;
        // A move that does not stop a threat proves nothing.
        if !lookahead.moves(position).contains(slot) {
            return None;
        }
        let child = go(slot)?;
        (child.delta == 0)
            .then(|| (Numbers::reached(child.decisive), Some(search.keys.stored_slot(&target, slot))))
    } else if proof.numbers().delta == 0 {
        let mut decisive = true;
        for slot in lookahead.moves(position).iter() {
            let child = go(slot)?;
            if child.phi != 0 {
                return None;
            }
            decisive &= child.decisive;
        }
        Some((Numbers::missed(decisive), None))
    } else {
        None
    };
    let (numbers, best) = numbers?;
    search.table.put(search.keys.key(&target), Known::new(numbers, best), work);
    Some(numbers)
}
