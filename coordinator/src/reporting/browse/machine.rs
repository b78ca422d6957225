//! One machine for its page.

use super::about::CellNameCache;
use super::in_play::held_by;
use crate::reporting::overview::worker_report;
use crate::store::{StoreError, Tx, WorkerRow};
use crate::terms::alive_since;
use engine::havannah::BoardSize;
use protocol::ids::CellId;
use protocol::machine::{FleetSpeed, MachineCell, MachineReport, ToldState};
use protocol::median::median;
use stats::Residual;
use std::collections::BTreeMap;

/// The most cells of a machine that are shown.
const MOST_CELLS: usize = 100;

/// A machine's part in a cell: the number of its games and of those of others, and its residual.
#[derive(Default)]
struct Games {
    own: [i64; 3],
    others: i64,
    residual: Residual,
}

/// The page of a machine, with the reasons of its state.
pub(crate) async fn machine(
    tx: &mut Tx,
    row: WorkerRow,
    (reasons, told): (Vec<String>, Option<ToldState>),
    (now_ms, sync_ms): (i64, u64),
) -> Result<MachineReport, StoreError> {
    let alive_ms = alive_since(now_ms, sync_ms);
    let all = tx.games_of_all().await?;
    let (cells, cells_played) = cells(tx, &row).await?;
    Ok(MachineReport {
        memory_mib: row.memory.map(|memory| memory.0),
        token: row.token.as_deref().map(crate::access::id_of),
        self_test: protocol::selftest::digest().to_owned(),
        reasons,
        share: row.games as f64 / all.max(1) as f64,
        fleet: fleet(&tx.workers().await?, alive_ms),
        history: tx.past_speeds(row.id).await?,
        in_play: held_by(tx, row.id).await?,
        cells,
        cells_played,
        told,
        now_ms,
        worker: worker_report(row, now_ms, alive_ms),
    })
}

/// The median speeds of the machines that are present.
fn fleet(workers: &[WorkerRow], alive_ms: i64) -> Vec<FleetSpeed> {
    let mut by_size: BTreeMap<BoardSize, Vec<f64>> = BTreeMap::new();
    for speed in workers.iter().filter(|row| row.seen_ms >= alive_ms).flat_map(|row| &row.speeds) {
        by_size.entry(speed.size).or_default().push(1.0 / speed.factor);
    }
    let of_size = |(size, speeds): (BoardSize, Vec<f64>)| {
        Some(FleetSpeed { size, machines: speeds.len() as u64, relative: median(&speeds)? })
    };
    by_size.into_iter().filter_map(of_size).collect()
}

/// The machine's results in the cells with most of its games, and the number of all cells that it played.
async fn cells(tx: &mut Tx, row: &WorkerRow) -> Result<(Vec<MachineCell>, u64), StoreError> {
    let mut by_cell: BTreeMap<CellId, Games> = BTreeMap::new();
    for (cell, own, others) in tx.results_beside_others(row.id).await? {
        let games = by_cell.entry(cell).or_default();
        (0..3).for_each(|place| games.own[place] += own[place]);
        games.others += others.iter().sum::<i64>();
        games.residual += Residual::of(own, others);
    }
    by_cell.retain(|_, games| games.own.iter().sum::<i64>() > 0);
    let played = by_cell.len() as u64;
    let mut by_cell = Vec::from_iter(by_cell);
    by_cell.sort_by_key(|(_, games)| std::cmp::Reverse(games.own.iter().sum::<i64>()));
    by_cell.truncate(MOST_CELLS);
    let mut about = CellNameCache::default();
    about.read(tx, by_cell.iter().map(|(cell, _)| *cell)).await?;
    let shown = by_cell.into_iter().filter_map(|(cell, Games { own, others, residual })| {
        let about = about.get(cell)?;
        let games = own.iter().sum::<i64>();
        Some(MachineCell {
            cell,
            case: about.case(),
            baseline: about.baseline(),
            size: about.spec.size,
            budget: about.spec.budget,
            games: games.unsigned_abs(),
            rate: (own[1] as f64 / 2.0 + own[2] as f64) / games as f64,
            others_games: others.unsigned_abs(),
            others_rate: (residual.games > 0.0).then(|| residual.rate_of_others()),
            deviations: residual.deviations(),
        })
    });
    Ok((shown.collect(), played))
}
