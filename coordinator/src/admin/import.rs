//! Games of another database are imported from a reproducibility bundle.
//!
//! A bundle is untrusted input. So its games are judged like delivered ones: by the rules, by their times, and by what a machine
//! can do; and a coordinator that serves the database has the same share of them rechecked. They keep the names of their machines
//! and the times at which they were received. Imported machines are distinct from those that call this coordinator, even if the
//! ids are equal ([`WorkerId::of_import`]): a refuted game puts the imported machine in quarantine. A game counts unless the same
//! game of a pair counts already. Two different plays of a game with a budget in simulations cannot both be right: the imported
//! one is refused, and the one that counts is rechecked. Importing a bundle again changes nothing.

use crate::admission::{QUESTION, check_name, check_text};
use crate::checking::agreement::GameMoves;
use crate::checking::{bounds, quarantine};
use crate::computing::compute;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::intake::judge;
use crate::reporting;
use crate::scheduling::prior_us;
use crate::store::{
    BY_BOUNDS, BY_QUARANTINE, LeaseRow, LeaseState, LeasedCell, PairRow, PairState, Play, StoreError, Tx,
    WriteBatch,
};
use crate::tally::count;
use crate::writer::changing;
use protocol::bundle::BundledGame;
use protocol::experiment::CellSpec;
use protocol::games::{GameLine, GameStatus, PlayRecord};
use protocol::ids::{CellId, ExperimentId, WorkerId};
use protocol::lease::Budget;
use protocol::result::FinishedGame;
use protocol::words::counted;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::AddAssign;
use std::sync::Arc;

/// Games that one transaction stores.
const PART: usize = 200;

/// The most pairs before an imported one that were never begun in this database: a coordinator begins the pairs of a cell in
/// their order.
const LONGEST_GAP: i64 = 10_000;

/// The outcome of an import, in games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games that count now.
    pub counted: u64,
    /// Those of them that another version of the search played, so that no machine of this version can play them again.
    pub unrepeatable: u64,
    /// Games that were stored before.
    pub known: u64,
    /// Games that are stored and do not count, because the same game of the pair counts already.
    pub superseded: u64,
    /// Games that are stored and excluded: those that were excluded in the database of the bundle, and those that look wrong.
    pub excluded: u64,
    /// Plays that were superseded in the database of the bundle. They are not stored.
    pub uncounted: u64,
    /// Games without moves, which cannot be checked. They are not stored.
    pub without_moves: u64,
    /// Games of cells that the experiment does not have. They are not stored.
    pub unplanned: u64,
    /// Refused games, with the reason. They are not stored.
    pub refused: Vec<String>,
}

impl AddAssign for Imported {
    fn add_assign(&mut self, more: Self) {
        self.counted += more.counted;
        self.unrepeatable += more.unrepeatable;
        self.known += more.known;
        self.superseded += more.superseded;
        self.excluded += more.excluded;
        self.uncounted += more.uncounted;
        self.without_moves += more.without_moves;
        self.unplanned += more.unplanned;
        self.refused.extend(more.refused);
    }
}

/// A game that may be stored.
struct Arrival {
    play: Play,
    record: PlayRecord,
    line: GameLine,
    spec: CellSpec,
}

impl Coordinator {
    /// Imports games of a bundle into an experiment, by its id or name. Games that are stored already stay as they are.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn import_games(
        &self,
        key: &str,
        games: Vec<BundledGame>,
    ) -> BoxFuture<'static, Result<Imported, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        self.run_detached(async move {
            let mut tx = coordinator.inner.store.read().await?;
            let row = reporting::find(&mut tx, &key).await?;
            let planned = tx.planned_cells(row.id).await?;
            drop(tx);
            let planned: HashSet<CellId> = planned.into_iter().map(|planned| planned.cell).collect();
            let (arrivals, mut imported) = compute(move || judged(games, &planned)).await?;
            let mut arrivals = arrivals.into_iter().peekable();
            while arrivals.peek().is_some() {
                let part: Vec<Arrival> = arrivals.by_ref().take(PART).collect();
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move { store(tx, (row.id, now_ms), part).await })
                });
                imported += coordinator.inner.writer.change(change).await?;
            }
            Ok(imported)
        })
    }

    /// Notes an import in the audit and on the timeline of its experiment, in the name of `who`.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn note_import(
        &self,
        key: &str,
        (imported, from): (&Imported, &str),
        who: &str,
    ) -> BoxFuture<'static, Result<(), CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        let detail = format!("{} of {from} count now", counted(imported.counted, "game"));
        self.run_detached(async move {
            let row = reporting::find(&mut coordinator.inner.store.read().await?, &key).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.note_on_timeline((row.id, &row.name), &who, ("import", &detail), now_ms).await
                })
            });
            Ok(coordinator.inner.writer.change(change).await?)
        })
    }
}

/// Judges the games of a bundle for an experiment with these cells.
fn judged(games: Vec<BundledGame>, planned: &HashSet<CellId>) -> (Vec<Arrival>, Imported) {
    let (mut arrivals, mut imported) = (Vec::with_capacity(games.len()), Imported::default());
    for BundledGame { line, spec, play, .. } in games {
        if line.status == GameStatus::Superseded {
            imported.uncounted += 1;
        } else if !planned.contains(&line.cell) {
            imported.unplanned += 1;
        } else if let Some(record) = play {
            let id = line.id;
            match arrival(line, spec, record) {
                Ok(arrival) => arrivals.push(arrival),
                Err(why) => imported.refused.push(format!("game {id}: {why}")),
            }
        } else {
            imported.without_moves += 1;
        }
    }
    (arrivals, imported)
}

fn arrival(line: GameLine, spec: CellSpec, record: PlayRecord) -> Result<Arrival, String> {
    let cell = spec.id();
    if cell != line.cell {
        return Err(format!("it names cell {}, and its description is that of cell {cell}", line.cell));
    }
    check_name("the name of its machine", &line.worker_name)
        .and_then(|()| check_text("the reason", line.reason.as_deref().unwrap_or_default(), QUESTION))
        .map_err(|error| error.to_string())?;
    let worker = WorkerId::of_import(line.worker);
    let leased = LeasedCell { worker, cell, idx: line.pair, spec: Arc::new(spec.clone()), rechecks: None };
    let PlayRecord { record, speed, move_cpu_us, wall_ms } = record;
    let finished = FinishedGame {
        game: line.id,
        lease: line.lease,
        outcome: line.outcome,
        record,
        speed,
        move_cpu_us,
        wall_ms,
    };
    let judged = judge(&finished, worker, Some(&leased));
    let (play, record) = judged.map_err(|rejection| rejection.to_string())?;
    Ok(Arrival { play, record, line, spec })
}

/// Stores a part of the games.
async fn store(
    tx: &mut Tx,
    (experiment, now_ms): (ExperimentId, i64),
    arrivals: Vec<Arrival>,
) -> Result<Imported, StoreError> {
    let cells: Vec<CellId> =
        arrivals.iter().map(|arrival| arrival.play.cell).collect::<HashSet<_>>().into_iter().collect();
    let counters = tx.counters_of_cells(&cells).await?;
    let mut begun: HashMap<CellId, i64> =
        counters.into_iter().map(|(cell, counters)| (cell, counters.pairs_started)).collect();
    let mut machines = BTreeMap::new();
    for Arrival { line, play, .. } in &arrivals {
        let machine = (line.worker, &line.worker_name, line.received_ms.clamp(0, now_ms));
        machines.entry(play.worker).or_insert(machine);
    }
    let mut quarantined = HashSet::new();
    for (worker, (elsewhere, name, seen_ms)) in machines {
        tx.put_foreign(worker, name, seen_ms).await?;
        for known in [worker, elsewhere] {
            quarantined.extend(tx.quarantine(known).await?.map(|_| worker));
        }
    }
    let mut batch = WriteBatch::new(tx, now_ms);
    // Only the coordinator that serves the database knows its share of rechecks.
    batch.draws_kept = 1.0;
    let leases = arrivals.iter().map(|arrival| arrival.play.lease).collect();
    let games: Vec<_> = arrivals.iter().map(|arrival| arrival.play.id).collect();
    batch.read(&[], (&leases, &HashSet::new()), &games).await?;
    let mut imported = Imported::default();
    for Arrival { play, record, line, spec } in &arrivals {
        if batch.has_play(play.id, play.lease).await? {
            match differs_from_stored(&mut batch, play, record).await? {
                None => imported.known += 1,
                Some(why) => imported.refused.push(format!("game {}: {why}", play.id)),
            }
            continue;
        }
        if let Some(why) = differs_from_counted(&mut batch, (play, record), spec).await? {
            imported.refused.push(format!("game {}: {why}", play.id));
            continue;
        }
        // The play keeps its time of arrival, on which rates and deletion by age depend.
        batch.now_ms = line.received_ms.clamp(0, now_ms);
        let begun = begun.get_mut(&play.cell).ok_or(StoreError::Null("cell"))?;
        if let Err(why) = put_lease(&mut batch, (play, spec), experiment, begun).await? {
            imported.refused.push(format!("game {}: {why}", play.id));
            continue;
        }
        let odd = play.odd.map(|odd| odd.to_string());
        let apart = match (&line.reason, &odd) {
            (Some(reason), _) => Some((reason.as_str(), "import")),
            (None, _) if quarantined.contains(&play.worker) => {
                Some(("the machine was in quarantine when it was imported", BY_QUARANTINE))
            }
            (None, Some(odd)) => Some((odd.as_str(), BY_BOUNDS)),
            (None, None) => None,
        };
        if let Some(why) = apart {
            quarantine::insert_excluded(&mut batch, play, record, why).await?;
            imported.excluded += 1;
        } else if count(&mut batch, play).await? {
            batch.insert_play(play, record)?;
            batch.tx().add_worker_games(play.worker, 1).await?;
            imported.counted += 1;
            imported.unrepeatable += u64::from(spec.semantics != engine::SEMANTICS);
        } else {
            batch.insert_play(&Play { status: GameStatus::Superseded, ..*play }, record)?;
            imported.superseded += 1;
        }
    }
    batch.written().await?;
    batch.now_ms = now_ms;
    bounds::compare(&mut batch).await?;
    Ok(imported)
}

/// The difference between a play and the stored play of the same lease, in words. A stored play without moves counts as equal.
async fn differs_from_stored(
    batch: &mut WriteBatch<'_>,
    play: &Play,
    record: &PlayRecord,
) -> Result<Option<String>, StoreError> {
    let stored = batch.written().await?.play_record(play.id, play.lease).await?;
    let both = stored.as_ref().and_then(GameMoves::read).zip(GameMoves::read(record));
    let difference = both.and_then(|(stored, ours)| stored.difference(&ours));
    Ok(difference.map(|difference| format!("another play is stored under its lease: {difference}")))
}

/// The difference between a play and the counted play of the same game, in words, if the specification alone determines the game,
/// as it does with a budget in simulations. One of the two is wrong, so the one that counts is rechecked first.
async fn differs_from_counted(
    batch: &mut WriteBatch<'_>,
    (play, record): (&Play, &PlayRecord),
    spec: &CellSpec,
) -> Result<Option<String>, StoreError> {
    if !matches!(spec.budget, Budget::Sims(_)) || !batch.is_played(play.id) {
        return Ok(None);
    }
    let tx = batch.written().await?;
    let Some(lease) = tx.counted_lease(play.id).await? else { return Ok(None) };
    let counted = tx.play_record(play.id, lease).await?;
    let both = counted.as_ref().and_then(GameMoves::read).zip(GameMoves::read(record));
    let Some(difference) = both.and_then(|(counted, ours)| counted.difference(&ours)) else {
        return Ok(None);
    };
    tx.draw_lowest(play.id, lease).await?;
    Ok(Some(format!("another play of it counts, which is rechecked now: {difference}")))
}

/// Stores the lease of a play and its pair, with the pairs before it that were never begun here. Gives the reason if that is
/// impossible.
async fn put_lease(
    batch: &mut WriteBatch<'_>,
    (play, spec): (&Play, &CellSpec),
    experiment: ExperimentId,
    begun: &mut i64,
) -> Result<Result<(), String>, StoreError> {
    let known = batch.lease(play.lease).await?;
    if let Some(lease) = known
        && (lease.cell, lease.idx, lease.worker, lease.rechecks) != (play.cell, play.idx, play.worker, None)
    {
        return Ok(Err(format!(
            "its lease {} is one of this coordinator, and only the machine that got it delivers its games",
            lease.id
        )));
    }
    let idx = i64::from(play.idx);
    if idx > *begun + LONGEST_GAP {
        return Ok(Err(format!("it is of pair {idx}, where {begun} were begun")));
    }
    while *begun <= idx {
        batch.put_pair(PairRow {
            cell: play.cell,
            idx: u32::try_from(*begun).unwrap_or(play.idx),
            state: PairState::Open,
            points: [None, None],
            failures: 0,
            abandoned: 0,
        });
        batch.change(play.cell).pairs_started += 1;
        *begun += 1;
    }
    let now_ms = batch.now_ms;
    let lease = known.unwrap_or(LeaseRow {
        id: play.lease,
        cell: play.cell,
        idx: play.idx,
        worker: play.worker,
        state: LeaseState::Returned,
        granted_ms: now_ms,
        deadline_ms: now_ms,
        plies: 0,
        progress_ms: now_ms,
        rechecks: None,
        most_plies: None,
        call: 0,
        ended_ms: Some(now_ms),
        experiment: Some(experiment),
        charge_us: 0,
        prior_us: 0,
        spent_us: 0,
    });
    if lease.state != LeaseState::Active {
        batch.charge_past(lease, play.core_us.unwrap_or_default(), prior_us(spec, 1));
    }
    Ok(Ok(()))
}
