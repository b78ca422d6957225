//! The description of a lease: everything that is needed to play its games.

use super::ending::leased_pair;
use crate::pairs::{opening, pair_seed};
use crate::store::{LeaseRow, PairRow, StoreError, WriteBatch};
use crate::terms::Terms;
use engine::havannah::Notation;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, GameId, LeaseId};
use protocol::lease::{Lease, LeasedGame};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The specification of cells, and the labels of case and baseline.
pub(crate) type CellDescriptions = HashMap<CellId, (CellSpec, (String, String))>;

/// A lease with everything that is needed to play these games of a pair, which are expected to take `expected_us`.
pub(crate) fn described(
    (id, lease_ms, expected_us): (LeaseId, i64, i64),
    (cell, pair): (CellId, u32),
    spec: &CellSpec,
    (case_label, baseline_label): (String, String),
    sides: impl IntoIterator<Item = Side>,
) -> Lease {
    let game =
        |case_side: Side| LeasedGame { id: GameId::of(cell, pair, case_side.index() as u8), case_side };
    Lease {
        id,
        cell,
        pair,
        games: sides.into_iter().map(game).collect(),
        size: spec.size,
        opening: Notation::Gui.write_list(spec.size, &opening(spec, pair)),
        seed: pair_seed(spec, pair),
        budget: spec.budget,
        sims: None,
        case_label,
        case: spec.case.clone(),
        baseline_label,
        baseline: spec.baseline.clone(),
        expires_in_ms: lease_ms.unsigned_abs(),
        expected_us: expected_us.unsigned_abs(),
    }
}

/// The description of a lease that a worker holds already. None if the lease is a recheck.
pub(crate) async fn described_again(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    words: &mut CellDescriptions,
    terms: &Terms,
) -> Result<Option<Lease>, StoreError> {
    let Some(pair) = leased_pair(batch, lease).await? else { return Ok(None) };
    let said = match words.entry(lease.cell) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(unknown) => match batch.tx().words_of_cell(lease.cell).await? {
            Some(words) => unknown.insert(words),
            None => return Ok(None),
        },
    };
    let (spec, labels) = (&said.0, said.1.clone());
    let (id, place) = ((lease.id, terms.lease_ms, lease.charge_us), (lease.cell, lease.idx));
    Ok(Some(described(id, place, spec, labels, missing(&pair))))
}

/// The sides that the case still has to play: one for each game of the pair that is not counted.
pub(super) fn missing(pair: &PairRow) -> impl Iterator<Item = Side> {
    let points = pair.points;
    Side::BOTH.into_iter().filter(move |side| points[side.index()].is_none())
}
