//! Who plays what next.
//!
//! The rule is ParamLog's: the cell with the fewest games for the product of its weights comes first. Here pairs are
//! counted, those leased as well as those done, because counting finished games only sends a large cluster to one
//! cell until its first results arrive. The quotient stands in an indexed column and is kept up to date with the
//! counters, so that ten thousand cells cost no more than ten. Cells of equal priority follow in an order that is
//! fixed by their ids and has nothing to do with size or case: all sizes progress evenly.
//!
//! Within a cell, pairs that were given back or are half finished go out first, then the next pair that was never
//! started, never one beyond the plan, and last those that were lent and did not come back, the oftener the later: a
//! pair that no worker brings to its end holds up no other. One that failed as often as [`Terms`] allow is set aside:
//! it is handed out no more until somebody puts it back.

use crate::store::{
    ActiveLease, Candidate, Changes, LeaseState, Missing, PairRow, PairState, StoreError, Tx,
};
use crate::sync::Terms;
use engine::havannah::{Cell, Notation};
use engine::selfplay::random_opening;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, GameId, LeaseId, WorkerId};
use protocol::lease::{Lease, LeasedGame};
use protocol::sync::{NoWork, NoWorkCode};

/// One step of SplitMix64: 0 and its neighbours give unrelated words, too.
fn mix(z: u64) -> u64 {
    engine::rng::mix(z.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The seed of a pair: `mix(mix(mix(seed) ^ size) ^ pair)`. It depends on nothing else, so that all cases of a sweep
/// meet the same openings with the same random streams.
pub(crate) fn pair_seed(spec: &CellSpec, pair: u32) -> u64 {
    mix(mix(mix(spec.seed) ^ u64::from(spec.size.get())) ^ u64::from(pair))
}

/// The random moves before the players of a pair take over.
pub(crate) fn opening(spec: &CellSpec, pair: u32) -> Vec<Cell> {
    random_opening(spec.size, spec.opening_plies, mix(pair_seed(spec, pair)))
}

/// The bits of the cells that a worker may be given: see column `needs`.
pub(crate) fn calibrated(sizes: impl IntoIterator<Item = engine::havannah::BoardSize>) -> i64 {
    sizes.into_iter().fold(0, |bits, size| bits | (1 << size.get()))
}

/// Characters that are kept of what went wrong with a pair.
const LONGEST_TROUBLE: usize = 500;

/// What decides which leases a worker gets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grant {
    pub(crate) worker: WorkerId,
    /// At most so many.
    pub(crate) want: u32,
    /// From [`calibrated`].
    pub(crate) calibrated: i64,
    /// Of this experiment only.
    pub(crate) only: Option<ExperimentId>,
    pub(crate) now_ms: i64,
    pub(crate) lease_ms: i64,
}

/// Lends out pairs, the most wanted first, until there are as many leases as wanted.
pub(crate) async fn grant(tx: &mut Tx, grant: &Grant, leases: &mut Vec<Lease>) -> Result<(), StoreError> {
    while leases.len() < grant.want as usize {
        let Some(candidate) = tx.next_cell(engine::SEMANTICS, grant.calibrated, grant.only).await? else {
            break;
        };
        leases.push(lend(tx, &candidate, grant).await?);
    }
    Ok(())
}

async fn lend(tx: &mut Tx, candidate: &Candidate, grant: &Grant) -> Result<Lease, StoreError> {
    let id = LeaseId::random();
    let mut changes = Changes::default();
    let unstarted = i64::from(candidate.pairs_started) < candidate.pairs;
    let open = tx.open_pair(candidate.cell).await?.filter(|pair| pair.failures == 0 || !unstarted);
    if open.is_none() {
        changes.of(candidate.cell).pairs_started = 1;
    }
    let pair = PairRow {
        state: PairState::Leased(id),
        ..open.unwrap_or(PairRow {
            cell: candidate.cell,
            idx: candidate.pairs_started,
            state: PairState::Open,
            points: [None, None],
            failures: 0,
        })
    };
    tx.put_pair(&pair).await?;
    let deadline_ms = grant.now_ms + grant.lease_ms;
    tx.insert_lease(id, (pair.cell, pair.idx), grant.worker, grant.now_ms, deadline_ms, None).await?;
    changes.of(candidate.cell).pairs_in_flight = 1;
    changes.flush(tx, grant.now_ms).await?;

    let missing = Side::BOTH.into_iter().filter(|side| pair.points[side.index()].is_none());
    let labels = (candidate.case_label.clone(), candidate.baseline_label.clone());
    Ok(described((id, grant.lease_ms), (pair.cell, pair.idx), &candidate.spec, labels, missing))
}

/// A lease with everything that is needed to play these games of a pair.
pub(crate) fn described(
    (id, lease_ms): (LeaseId, i64),
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
    }
}

/// Takes an active lease back that its worker let go in good order: its pair is wanted again.
pub(crate) async fn take_back(
    tx: &mut Tx,
    lease: &ActiveLease,
    changes: &mut Changes,
) -> Result<(), StoreError> {
    tx.set_lease_state(lease.id, LeaseState::Returned).await?;
    if lease.replays.is_some() {
        return tx.want_replay_again(lease.id, None).await;
    }
    if let Some(pair) = leased_pair(tx, lease).await? {
        tx.put_pair(&PairRow { state: PairState::Open, ..pair }).await?;
        changes.of(lease.cell).pairs_in_flight -= 1;
    }
    Ok(())
}

/// Takes an active lease back whose pair failed, which is `trouble`: the pair is wanted again after all others of its
/// cell, or set aside when that was once too often.
pub(crate) async fn take_failed(
    tx: &mut Tx,
    lease: &ActiveLease,
    state: LeaseState,
    trouble: &str,
    terms: &Terms,
    (changes, now_ms): (&mut Changes, i64),
) -> Result<(), StoreError> {
    tx.set_lease_state(lease.id, state).await?;
    if lease.replays.is_some() {
        return tx.want_replay_again(lease.id, Some(terms.most_failures)).await;
    }
    let Some(pair) = leased_pair(tx, lease).await? else { return Ok(()) };
    let failures = pair.failures + 1;
    let change = changes.of(lease.cell);
    change.pairs_in_flight -= 1;
    let mut state = PairState::Open;
    if failures >= terms.most_failures {
        tracing::error!(cell.id = %pair.cell, pair.idx = pair.idx, "pair {} of cell {} failed {failures} times and is \
            set aside; the last time {trouble}. `gauntlet retry` puts it back", pair.idx, pair.cell);
        change.pairs_aside += 1;
        state = PairState::Aside(now_ms);
    }
    tx.put_pair(&PairRow { state, failures, ..pair }).await?;
    tx.note_trouble(pair.cell, pair.idx, &shown(trouble)).await
}

/// What can be stored and shown of a text that came from elsewhere.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TROUBLE).collect()
}

/// The pair of a lease, if it is lent under this one.
async fn leased_pair(tx: &mut Tx, lease: &ActiveLease) -> Result<Option<PairRow>, StoreError> {
    let pair = tx.pair(lease.cell, lease.idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Leased(lease.id)))
}

/// Hands out again what was set aside of an experiment's pairs; gives their number.
pub(crate) async fn retry(tx: &mut Tx, experiment: ExperimentId, now_ms: i64) -> Result<u64, StoreError> {
    let aside = tx.aside_pairs(experiment, i64::MAX).await?;
    let mut changes = Changes::default();
    for row in &aside {
        tx.put_pair(&PairRow { state: PairState::Open, failures: 0, ..row.pair }).await?;
        changes.of(row.pair.cell).pairs_aside -= 1;
    }
    changes.flush(tx, now_ms).await?;
    Ok(aside.len() as u64)
}

/// Takes back every lease whose deadline has passed.
pub(crate) async fn lapse(tx: &mut Tx, terms: &Terms, now_ms: i64) -> Result<u64, StoreError> {
    let expired = tx.expired_leases(now_ms).await?;
    let mut changes = Changes::default();
    for lease in &expired {
        tracing::warn!(lease.id = %lease.id, worker.id = %lease.worker, "a lease lapsed: its pair will be played by another worker");
        let trouble = format!("nothing was heard of worker {} until the lease lapsed", lease.worker);
        take_failed(tx, lease, LeaseState::Lapsed, &trouble, terms, (&mut changes, now_ms)).await?;
    }
    changes.flush(tx, now_ms).await?;
    Ok(expired.len() as u64)
}

/// Why there is nothing more to lend to a worker, after [`grant`] found nothing.
pub(crate) async fn no_work(
    tx: &mut Tx,
    calibrated: i64,
    only: Option<ExperimentId>,
) -> Result<NoWork, StoreError> {
    let sizes = tx.sizes_in_play(engine::SEMANTICS, only).await?;
    let unmeasured: Vec<String> =
        sizes.iter().filter(|size| calibrated & (1 << size.get()) == 0).map(ToString::to_string).collect();
    let (code, message) = match tx.missing(only, engine::SEMANTICS).await? {
        None => (
            NoWorkCode::NoExperiment,
            "no experiment is active; apply one with `gauntlet apply FILE`".to_owned(),
        ),
        Some(Missing { games: 0, .. }) => (NoWorkCode::Finished, "every planned game is finished".to_owned()),
        Some(_) if !unmeasured.is_empty() => (
            NoWorkCode::NotCalibrated,
            format!(
                "this worker has not measured its speed on the board sizes left ({}); it gets work once it has",
                unmeasured.join(", ")
            ),
        ),
        Some(Missing { pairs_in_flight: 0, pairs_aside, .. }) if pairs_aside > 0 => (
            NoWorkCode::SetAside,
            format!(
                "what is left was set aside, because it failed again and again: {pairs_aside} pairs; the \
                 experiment's page says why, and `gauntlet retry` hands them out again"
            ),
        ),
        Some(Missing { games, .. }) => (
            NoWorkCode::AllLeased,
            format!(
                "all {games} games still missing are being played; any that come back are given out again"
            ),
        ),
    };
    Ok(NoWork { code, message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::havannah::BoardSize;
    use protocol::lease::{Budget, ParamSet};
    use std::collections::HashSet;

    fn spec(seed: u64, size: u8) -> CellSpec {
        CellSpec {
            semantics: engine::SEMANTICS,
            case: ParamSet::default(),
            baseline: ParamSet::default(),
            size: BoardSize::new(size).expect("size"),
            budget: Budget::Sims(10),
            opening_plies: 2,
            seed,
        }
    }

    #[test]
    fn seeds_differ_between_pairs_sizes_and_experiments() {
        let mut seen = HashSet::new();
        for seed in 0..20 {
            for size in 3..=10 {
                for pair in 0..100 {
                    assert!(seen.insert(pair_seed(&spec(seed, size), pair)), "{seed} {size} {pair}");
                }
            }
        }
    }

    #[test]
    fn a_seed_is_pinned_because_stored_games_depend_on_it() {
        assert_eq!(pair_seed(&spec(1, 4), 0), pair_seed(&CellSpec { opening_plies: 0, ..spec(1, 4) }, 0));
        assert_eq!(format!("{:016x}", pair_seed(&spec(1, 4), 7)), "708dd10e9c79e1cd");
    }
}
