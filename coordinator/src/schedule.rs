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
//! pair that no worker brings to its end holds up no other. Who let a pair go gets it again when nobody else would, and
//! one that failed too often is set aside, handed out no more until somebody puts it back: see [`crate::let_go`].

use crate::ledger;
use crate::let_go::{Found, Machine, is_set_aside, open_pair};
use crate::principal::Principal;
use crate::queue::Queue;
use crate::replays;
use crate::store::{
    Able, ActiveLease, Books, Candidate, LeaseState, LetGo, Missing, Only, PairRow, PairState, StoreError,
};
use crate::sync::Terms;
use engine::havannah::{BoardSize, Cell, Notation};
use engine::selfplay::random_opening;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, GameId, LeaseId, WorkerId};
use protocol::lease::{Lease, LeasedGame};
use protocol::memory::Mib;
use protocol::sync::{NoWork, NoWorkCode, SyncRequest};
use protocol::words::counted;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

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

/// Board sizes as bits: see column `needs`.
pub(crate) fn sizes(sizes: impl IntoIterator<Item = BoardSize>) -> i64 {
    sizes.into_iter().fold(0, |bits, size| bits | (1 << size.get()))
}

/// No cell needs more: the largest trees of two players.
const MOST_MEMORY: Mib = Mib(2 * 4096);

/// What a worker is able to play, by its own account. More memory than any cell needs is all the same.
pub(crate) fn able(request: &SyncRequest) -> Able {
    let memory = request.memory.min(MOST_MEMORY);
    Able { sizes: sizes(request.speeds.iter().map(|speed| speed.size)), memory_mib: i64::from(memory.0) }
}

/// Characters that are kept of what went wrong with a pair.
const LONGEST_TROUBLE: usize = 500;

/// What decides which leases a worker gets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grant<'a> {
    pub(crate) worker: WorkerId,
    pub(crate) principal: &'a Principal,
    /// The number of its call.
    pub(crate) call: u64,
    /// At most so many.
    pub(crate) want: u32,
    pub(crate) able: Able,
    pub(crate) terms: &'a Terms,
}

impl Grant<'_> {
    /// A new lease of so many games of a pair.
    pub(crate) fn lease(
        &self,
        id: LeaseId,
        (cell, idx): (CellId, u32),
        (size, games): (BoardSize, usize),
        now_ms: i64,
    ) -> ActiveLease {
        ActiveLease {
            id,
            cell,
            idx,
            worker: self.worker,
            state: LeaseState::Active,
            granted_ms: now_ms,
            deadline_ms: now_ms + self.terms.lease_ms,
            plies: 0,
            progress_ms: now_ms,
            replays: None,
            most_plies: Some((size.cells() * games) as u32),
            call: self.call,
            ended_ms: None,
        }
    }

    fn machine(&self) -> Machine<'_> {
        (self.worker, self.principal)
    }
}

/// Cells that are passed over in a call, because what is open in them waits for others, at most.
const MOST_BARRED: usize = 16;

/// Lends out pairs, the most wanted first, until there are as many leases as wanted; gives whether something waits for
/// others, because this machine let it go.
pub(crate) async fn grant(
    books: &mut Books<'_>,
    grant: &Grant<'_>,
    queue: &mut Queue,
    leases: &mut Vec<Lease>,
) -> Result<bool, StoreError> {
    let mut barred = HashSet::new();
    while leases.len() < grant.want as usize && barred.len() < MOST_BARRED {
        let Some(candidate) = queue.next(books, grant.able, &barred).await? else { break };
        match lend(books, queue, &candidate, grant).await? {
            Some(lease) => leases.push(lease),
            None => drop(barred.insert(candidate.cell)),
        }
    }
    Ok(!barred.is_empty())
}

async fn lend(
    books: &mut Books<'_>,
    queue: &mut Queue,
    candidate: &Candidate,
    grant: &Grant<'_>,
) -> Result<Option<Lease>, StoreError> {
    let (cell, spec) = (candidate.cell, &candidate.spec);
    let counters = queue.counters(candidate);
    let unstarted = counters.pairs_started < candidate.pairs;
    let mut found = Found::Nothing;
    if counters.pairs_open() > 0 {
        let needs = Able { sizes: sizes([spec.size]), memory_mib: i64::from(spec.memory().0) };
        found = open_pair(books, (cell, needs), grant.machine(), unstarted, grant.terms).await?;
    }
    let pair = match found {
        Found::Waits => return Ok(None),
        Found::Pair(pair) => pair,
        Found::Nothing => {
            let idx = u32::try_from(counters.pairs_started);
            let idx = idx.map_err(StoreError::unreadable("cell.pairs_started"))?;
            counters.pairs_started += 1;
            books.change(cell).pairs_started += 1;
            PairRow { cell, idx, state: PairState::Open, points: [None, None], failures: 0, let_go: 0 }
        }
    };
    counters.pairs_in_flight += 1;
    let labels = (candidate.case_label.clone(), candidate.baseline_label.clone());
    Ok(Some(lend_pair(books, pair, (spec, labels), grant)))
}

/// Lends out a pair that is in nobody's hands.
fn lend_pair(
    books: &mut Books<'_>,
    pair: PairRow,
    (spec, labels): (&CellSpec, (String, String)),
    grant: &Grant<'_>,
) -> Lease {
    let id = LeaseId::random();
    if let PairState::Aside(_) = pair.state {
        books.change(pair.cell).pairs_aside -= 1;
    }
    books.change(pair.cell).pairs_in_flight += 1;
    books.put_pair(PairRow { state: PairState::Leased(id), ..pair });
    let missing: Vec<Side> = missing(&pair).collect();
    let games = (spec.size, missing.len());
    books.put_lease(grant.lease(id, (pair.cell, pair.idx), games, books.now_ms));
    described((id, grant.terms.lease_ms), (pair.cell, pair.idx), spec, labels, missing)
}

/// The sides that the case plays in the games of a pair that are not counted yet.
fn missing(pair: &PairRow) -> impl Iterator<Item = Side> {
    let points = pair.points;
    Side::BOTH.into_iter().filter(move |side| points[side.index()].is_none())
}

/// Lends out pairs that were set aside and that no machine of this principal failed, until there are as many leases as
/// wanted: they may be sound, and who failed them not.
pub(crate) async fn grant_aside(
    books: &mut Books<'_>,
    grant: &Grant<'_>,
    only: &Only,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let most = (engine::SEMANTICS, grant.terms.most_failures);
    while leases.len() < grant.want as usize {
        let aside = books.written().await?.aside_pair_for(grant.machine(), grant.able, most).await?;
        let Some(found) = aside.into_iter().find(|found| only.allows(found.experiment)) else { break };
        leases.push(lend_pair(books, found.pair, (&found.spec, found.labels), grant));
    }
    Ok(())
}

/// What leases of cells say: the cell, and the labels of case and baseline.
pub(crate) type Words = HashMap<CellId, (CellSpec, (String, String))>;

/// What a lease in hand says, once more; none if its games are those of another play.
pub(crate) async fn described_again(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    words: &mut Words,
    terms: &Terms,
) -> Result<Option<Lease>, StoreError> {
    let Some(pair) = leased_pair(books, lease).await? else { return Ok(None) };
    let said = match words.entry(lease.cell) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(unknown) => match books.tx().words_of_cell(lease.cell).await? {
            Some(words) => unknown.insert(words),
            None => return Ok(None),
        },
    };
    let (spec, labels) = (&said.0, said.1.clone());
    let (id, place) = ((lease.id, terms.lease_ms), (lease.cell, lease.idx));
    Ok(Some(described(id, place, spec, labels, missing(&pair))))
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

/// Takes an active lease back through no doing of its worker: its pair is wanted again.
pub(crate) async fn take_back(books: &mut Books<'_>, lease: &ActiveLease) -> Result<(), StoreError> {
    release(books, lease, LeaseState::Returned, false).await
}

/// Takes everything back that a worker holds, through no doing of its own.
pub(crate) async fn take_all_back(books: &mut Books<'_>, worker: WorkerId) -> Result<(), StoreError> {
    for lease in books.active_leases(worker).await? {
        take_back(books, &lease).await?;
    }
    books.written().await?;
    Ok(())
}

/// Takes an active lease back that its worker let go in good order: its pair is wanted again, by others first.
pub(crate) async fn take_let_go(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
) -> Result<(), StoreError> {
    release(books, lease, state, true).await
}

/// Ends an active lease that way, which is no failure of its pair: that is wanted again.
async fn release(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
    let_go: bool,
) -> Result<(), StoreError> {
    books.set_lease_state(lease.id, state).await?;
    if lease.replays.is_some() {
        return replays::let_go(books, lease, None).await;
    }
    let Some(pair) = leased_pair(books, lease).await? else { return Ok(()) };
    books.change(lease.cell).pairs_in_flight -= 1;
    books.put_pair(PairRow { state: PairState::Open, let_go: pair.let_go + i64::from(let_go), ..pair });
    if let_go {
        let note = LetGo { times: 1, failures: 0, plies: lease.plies, how: state.name() };
        books.note_let_go(lease, note);
    }
    give_way_no_more(books, lease, &pair).await
}

/// Counts what came late while a pair was lent under a lease that has ended. Whoever comes late had let the pair go, so
/// there is nothing to look for in pairs that are let go for the first time.
async fn give_way_no_more(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    before: &PairRow,
) -> Result<(), StoreError> {
    if before.let_go > 0 { ledger::count_late(books, lease).await } else { Ok(()) }
}

/// Takes an active lease back whose pair failed, which is `trouble`: the pair is wanted again after all others of its
/// cell, by others first, or set aside when that was once too often.
pub(crate) async fn take_failed(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
    trouble: &str,
    terms: &Terms,
) -> Result<(), StoreError> {
    books.set_lease_state(lease.id, state).await?;
    if lease.replays.is_some() {
        return replays::let_go(books, lease, Some(terms.most_failures)).await;
    }
    let Some(before) = leased_pair(books, lease).await? else { return Ok(()) };
    books.change(lease.cell).pairs_in_flight -= 1;
    let (failures, let_go) = (before.failures + 1, before.let_go + 1);
    let pair = PairRow { state: PairState::Open, failures, let_go, ..before };
    books.put_pair(pair);
    books.note_let_go(lease, LetGo { times: 1, failures: 1, plies: lease.plies, how: state.name() });
    books.note_trouble(&pair, shown(trouble));
    if is_set_aside(books, &pair, terms).await? {
        tracing::error!(cell.id = %pair.cell, pair.idx = pair.idx, "pair {} of cell {} failed {failures} times and is \
            set aside; the last time {trouble}. `gauntlet retry` puts it back", pair.idx, pair.cell);
        books.change(lease.cell).pairs_aside += 1;
        books.put_pair(PairRow { state: PairState::Aside(books.now_ms), ..pair });
    }
    give_way_no_more(books, lease, &before).await
}

/// Counts as a failure of its pair that the process which played a lease died, though the next one goes on with it.
/// Whether it may: one that failed so often goes to others or is set aside, and a check by playing again begins anew.
pub(crate) async fn may_go_on(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    trouble: &str,
    terms: &Terms,
) -> Result<bool, StoreError> {
    let pair = leased_pair(books, lease).await?.filter(|pair| pair.failures + 1 < terms.most_failures);
    let (Some(pair), None) = (pair, lease.replays) else {
        take_failed(books, lease, LeaseState::Revoked, trouble, terms).await?;
        return Ok(false);
    };
    let pair = PairRow { failures: pair.failures + 1, ..pair };
    books.put_pair(pair);
    let how = LeaseState::Active.name();
    books.note_let_go(lease, LetGo { times: 0, failures: 1, plies: lease.plies, how });
    books.note_trouble(&pair, shown(trouble));
    Ok(true)
}

/// Has a lease that lapsed go on, whose pair is in nobody's hands, because its worker is heard again. Whether it may.
pub(crate) async fn revive(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    failed: bool,
) -> Result<Option<ActiveLease>, StoreError> {
    let pair = books.pair(lease.cell, lease.idx).await?;
    let Some(pair) = pair.filter(|pair| matches!(pair.state, PairState::Open | PairState::Aside(_))) else {
        return Ok(None);
    };
    if let PairState::Aside(_) = pair.state {
        books.change(lease.cell).pairs_aside -= 1;
    }
    let held = (lease.cell, lease.idx, lease.worker);
    books.written().await?.forget_let_go(held, i64::from(failed)).await?;
    books.put_pair(PairRow {
        state: PairState::Leased(lease.id),
        failures: (pair.failures - i64::from(failed)).max(0),
        let_go: (pair.let_go - 1).max(0),
        ..pair
    });
    let lease = ActiveLease { state: LeaseState::Active, ended_ms: None, ..*lease };
    books.put_lease(lease);
    books.change(lease.cell).pairs_in_flight += 1;
    Ok(Some(lease))
}

/// What can be stored and shown of a text that came from elsewhere.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TROUBLE).collect()
}

/// The pair of a lease, if it is lent under this one.
async fn leased_pair(books: &mut Books<'_>, lease: &ActiveLease) -> Result<Option<PairRow>, StoreError> {
    let pair = books.pair(lease.cell, lease.idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Leased(lease.id)))
}

/// Hands out again what was set aside of an experiment's pairs; gives their number.
pub(crate) async fn retry(books: &mut Books<'_>, experiment: ExperimentId) -> Result<u64, StoreError> {
    let aside = books.written().await?.aside_pairs(experiment, i64::MAX).await?;
    books.tx().forget_failures(experiment).await?;
    for row in &aside {
        books.put_pair(PairRow { state: PairState::Open, failures: 0, ..row.pair });
        books.change(row.pair.cell).pairs_aside -= 1;
    }
    books.written().await?;
    Ok(aside.len() as u64)
}

/// Takes back every lease whose deadline has passed, in the books.
pub(crate) async fn lapse(books: &mut Books<'_>, terms: &Terms) -> Result<u64, StoreError> {
    let expired = books.expired_leases().await?;
    let holders: BTreeSet<WorkerId> = expired.iter().map(|lease| lease.worker).collect();
    let holders = books.tx().workers_before(&Vec::from_iter(holders)).await?;
    for lease in &expired {
        // Who said good-bye kept the game for its next start, which did not come in time.
        if holders.get(&lease.worker).is_some_and(|worker| worker.away) {
            take_let_go(books, lease, LeaseState::Lapsed).await?;
            continue;
        }
        tracing::warn!(lease.id = %lease.id, worker.id = %lease.worker, "a lease lapsed: its pair will be played by another worker");
        let trouble = format!("nothing was heard of worker {} until the lease lapsed", lease.worker);
        take_failed(books, lease, LeaseState::Lapsed, &trouble, terms).await?;
    }
    Ok(expired.len() as u64)
}

/// Why there is nothing more to lend to a worker with so much memory, after [`grant`] found nothing, when pairs of
/// these sizes are open, of which the least demanding need `least`.
pub(crate) fn no_work(
    (able, memory): (Able, Mib),
    sizes: &[BoardSize],
    least: Option<Mib>,
    missing: Option<Missing>,
) -> NoWork {
    let unmeasured: Vec<String> =
        sizes.iter().filter(|size| able.sizes & (1 << size.get()) == 0).map(ToString::to_string).collect();
    let (code, message) = match missing {
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
        Some(_) if least.is_some_and(|least| least > memory) => (
            NoWorkCode::TooLittleMemory,
            format!(
                "what is left may need {} a slot for the trees of its players, or more, and this worker has {memory}: \
                 fewer --slots leave more for each, and --memory-per-slot says it when there is more",
                least.unwrap_or(memory)
            ),
        ),
        Some(Missing { pairs_in_flight: 0, pairs_aside, .. }) if pairs_aside > 0 => (
            NoWorkCode::SetAside,
            format!(
                "what is left was set aside, because it failed again and again: {}; the \
                 experiment's page says why, and `gauntlet retry` hands them out again",
                counted(pairs_aside, "pair")
            ),
        ),
        Some(Missing { games, .. }) => (
            NoWorkCode::AllLeased,
            format!(
                "what is still missing, {}, is being played; whatever comes back is given out again",
                counted(games, "game")
            ),
        ),
    };
    NoWork { code, message }
}

#[cfg(test)]
mod tests {
    use super::*;
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
