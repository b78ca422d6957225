//! Comparison of the results and speeds of each machine with those of other machines in the same cells, and with the results of
//! pairs that the machine abandoned: see [`stats::outliers`] and [`stats::abandoned`].

use crate::checking::alarms::RaisedAlarm;
use crate::computing::compute;
use crate::store::{AlarmRow, StoreError, Tx, WorkerCell, WorkerRow};
use protocol::alarm::{AlarmKind, Severity};
use protocol::ids::{CellId, WorkerId};
use stats::abandoned::{AbandonedGames, is_no_chance, words};
use stats::{OwnGames, ResidualScope, SharedCell, SpeedDeviation, alarm_levels, over_level, speeds_off};
use std::collections::HashMap;

/// A machine is compared again after this many more games, and this many times as many.
const MORE_GAMES: (i64, f64) = (10, 1.2);

/// The findings, and the compared machines, each with the number of its comparison and of its games.
pub(crate) struct Residuals {
    pub(crate) found: Vec<RaisedAlarm>,
    pub(crate) looks: Vec<(WorkerId, i64, i64)>,
}

/// Whether a machine has enough new games to be compared again, or lost some, so that the earlier comparison is out of date.
pub(crate) fn is_due(worker: &WorkerRow) -> bool {
    let wanted = worker.looked_games as f64 * MORE_GAMES.1 + MORE_GAMES.0 as f64;
    worker.games as f64 >= wanted || worker.games.cast_signed() < worker.looked_games
}

/// Compares the machines that are due, and those with an alarm among the `standing` ones, which lasts as long as the evidence.
pub(crate) async fn compare(
    tx: &mut Tx,
    workers: &[WorkerRow],
    standing: &[AlarmRow],
) -> Result<Residuals, StoreError> {
    let rows = tx.worker_cells().await?;
    let number: HashMap<WorkerId, usize> =
        workers.iter().enumerate().map(|(number, worker)| (worker.id, number)).collect();
    let over = over_level(workers.len() as u64);
    // With many cells and machines this takes long.
    let compared = compute(move || {
        let (ids, cells) = shared(&rows, &number);
        let outliers = stats::outliers(&cells, over);
        let wrong = |off: &SpeedDeviation| off.severity() > 0;
        (ids, outliers, speeds_off(&cells).into_iter().filter(wrong).collect::<Vec<_>>())
    });
    let (cells, outliers, speeds) = compared.await?;
    let before = |kind: AlarmKind, worker: &WorkerRow| {
        let subject = worker.id.to_string();
        standing.iter().find(|row| row.kind == kind && row.subject == subject).map(|row| row.severity)
    };
    let raised = |worker: &WorkerRow, log_chance: f64| {
        let levels = alarm_levels(workers.len() as u64, worker.looks.unsigned_abs() + 1);
        match levels.into_iter().filter(|level| is_due(worker) && log_chance <= *level).count() {
            0 => None,
            1 => Some(Severity::Amber),
            _ => Some(Severity::Red),
        }
    };
    let mut severities: Vec<Option<Severity>> = outliers
        .iter()
        .map(|outlier| {
            let worker = &workers[outlier.machine];
            raised(worker, outlier.log_chance).max(before(AlarmKind::Results, worker))
        })
        .collect();
    // If two machines differ from each other, either may be wrong: both have the alarm.
    for first in 1..outliers.len() {
        let [one, other] = [&outliers[first - 1], &outliers[first]];
        if one.is_disputed && other.is_disputed && one.place == other.place {
            let both = severities[first - 1].max(severities[first]);
            (severities[first - 1], severities[first]) = (both, both);
        }
    }
    let mut found = Vec::new();
    for (outlier, severity) in outliers.iter().zip(severities) {
        let Some(severity) = severity else { continue };
        let place = words_of(tx, outlier.place, &cells).await?;
        let square = outlier.residual.chi_square().map_or(String::new(), |square| {
            format!("; chi-square {:.0} with one degree of freedom", square.statistic)
        });
        let words = format!(
            "its results differ from those of other machines: {}{square}. If it is at fault, `gauntlet fleet quarantine` and \
             `gauntlet game exclude --worker` take it and its games out",
            outlier.words(&place)
        );
        found.push(finding(AlarmKind::Results, &workers[outlier.machine], severity, words));
    }
    for off in speeds {
        let severity = if off.severity() > 1 { Severity::Red } else { Severity::Amber };
        found.push(finding(AlarmKind::Speed, &workers[off.machine], severity, off.words()));
    }
    found.extend(choices(tx, workers, |worker| before(AlarmKind::Choice, worker).is_some()).await?);
    let due = workers.iter().filter(|worker| is_due(worker));
    let looks = due.map(|worker| (worker.id, worker.looks + 1, worker.games.cast_signed())).collect();
    Ok(Residuals { found, looks })
}

/// Machines whose own games end otherwise than those of pairs that they abandoned and other machines finished.
async fn choices(
    tx: &mut Tx,
    workers: &[WorkerRow],
    stands: impl Fn(&WorkerRow) -> bool,
) -> Result<Vec<RaisedAlarm>, StoreError> {
    let tested: HashMap<WorkerId, &WorkerRow> = workers
        .iter()
        .filter(|worker| is_due(worker) || stands(worker))
        .map(|worker| (worker.id, worker))
        .collect();
    let ids = Vec::from_iter(tested.keys().copied());
    let games = tx.abandoned_games(&ids).await?;
    let machines = workers.len() as u64;
    let mut found = Vec::new();
    for of_worker in games.chunk_by(|(one, _), (other, _)| one == other) {
        let worker = tested[&of_worker[0].0];
        let strata: Vec<AbandonedGames> = of_worker.iter().map(|(_, games)| *games).collect();
        let test = worker.looks.unsigned_abs() + 1;
        if stands(worker) || is_no_chance(&strata, machines, test) {
            found.push(finding(AlarmKind::Choice, worker, Severity::Red, words(&strata)));
        }
    }
    Ok(found)
}

fn finding(kind: AlarmKind, worker: &WorkerRow, severity: Severity, words: String) -> RaisedAlarm {
    RaisedAlarm { kind, subject: worker.id.to_string(), name: worker.name.clone(), severity, words }
}

/// The cells that several machines played, with their ids. The rows are in the order of cells.
fn shared(rows: &[WorkerCell], number: &HashMap<WorkerId, usize>) -> (Vec<CellId>, Vec<SharedCell>) {
    let (mut ids, mut cells) = (Vec::new(), Vec::new());
    for of_cell in rows.chunk_by(|a, b| a.cell == b.cell) {
        let mut cell = SharedCell { size: of_cell[0].size, machines: Vec::new() };
        for of_worker in of_cell.chunk_by(|a, b| a.worker == b.worker) {
            // A machine that is newer than the list is compared next time.
            let Some(&machine) = number.get(&of_worker[0].worker) else { continue };
            let mut own = OwnGames { machine, ..OwnGames::default() };
            for row in of_worker {
                own.results[row.half] = row.results;
                own.timed += row.timed;
                own.speed_total += row.speed_total;
            }
            if own.results.as_flattened().iter().any(|games| *games > 0) {
                cell.machines.push(own);
            }
        }
        if cell.machines.len() > 1 {
            ids.push(of_cell[0].cell);
            cells.push(cell);
        }
    }
    (ids, cells)
}

/// The place in words, after a number of games.
async fn words_of(tx: &mut Tx, place: ResidualScope, cells: &[CellId]) -> Result<String, StoreError> {
    Ok(match place {
        ResidualScope::Everywhere => "in all cells that others play, too,".to_owned(),
        ResidualScope::OnSize(size) => format!("on size {size}"),
        ResidualScope::InCell(cell) => match tx.words_of_cell(cells[cell]).await? {
            Some((spec, (case, baseline))) => {
                format!(
                    "of `{case}` against `{baseline}` on size {} with {} per move",
                    spec.size, spec.budget
                )
            }
            None => format!("in cell {}", cells[cell]),
        },
    })
}
