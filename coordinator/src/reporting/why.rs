//! Why a worker is idle, a cell is not played, or an experiment makes no progress: an explanation in words, by the scheduler's
//! own rules.

use super::alarms::{alarms, of_worker as alarms_of_worker};
use super::awaited_pairs::awaited;
use super::circumstances::WhyContext;
use super::idle::Idle;
use super::overview::{find, named};
use super::prefix::only;
use super::shares::Shares;
use super::stall::CONTROL_WAITS;
use super::warnings::warnings;
use crate::checking::bounds;
use crate::error::CoordinatorError;
use crate::scheduling::recent_step;
use crate::store::{ExperimentRow, PlannedCellState, StoreError, Tx, WorkerRow};
use protocol::alarm::AlarmKind;
use protocol::ids::CellId;
use protocol::memory::Mib;
use protocol::operate::{Why, WhyKind};
use protocol::prefix::{IdPrefix, is_whole_id};
use protocol::report::ExperimentState;
use protocol::sync::Directive;
use protocol::words::{counted, operands};
use stats::Residual;

/// The most machines of one name that are listed.
const MOST_NAMESAKES: usize = 5;

/// The explanation for the worker, cell or experiment with this id or name.
pub(crate) async fn why(tx: &mut Tx, key: &str, now: &WhyContext) -> Result<Why, CoordinatorError> {
    let workers = tx.workers().await?;
    let key = &whole(tx, key, &workers).await?;
    let by_id = workers.iter().find(|worker| worker.id.to_string() == *key);
    if let Some(worker) = by_id.or_else(|| workers.iter().find(|worker| worker.name == *key)) {
        let mut reasons = common(tx, now).await?;
        let namesakes = workers.iter().filter(|other| other.name == worker.name && other.id != worker.id);
        let namesakes: Vec<String> =
            namesakes.take(MOST_NAMESAKES).map(|other| other.id.to_string()).collect();
        if !namesakes.is_empty() {
            reasons.push(format!(
                "this is machine {}; other machines have the same name, and `gauntlet why ID` explains each of them: {}",
                worker.id,
                namesakes.join(", ")
            ));
        }
        reasons.extend(of_worker(tx, worker, now).await?);
        return Ok(Why { kind: WhyKind::Worker, name: worker.name.clone(), reasons });
    }
    if let Ok(cell) = key.parse::<CellId>() {
        let places = tx.places_of_cell(cell).await?;
        if !places.is_empty() {
            let mut reasons = common(tx, now).await?;
            reasons.extend(of_cell(tx, (cell, &places), &workers, now).await?);
            return Ok(Why { kind: WhyKind::Cell, name: what(&places[0]), reasons });
        }
    }
    let row = match find(tx, key).await {
        Err(CoordinatorError::NotFound { .. }) => {
            let experiments = tx.experiments().await?;
            let names =
                experiments.iter().map(|row| &row.name).chain(workers.iter().map(|worker| &worker.name));
            let names = names.map(String::as_str);
            return Err(CoordinatorError::unknown_among("worker, cell or experiment", key, names));
        }
        found => found?,
    };
    let reasons = of_experiment(tx, &row, &workers, now).await?;
    Ok(Why { kind: WhyKind::Experiment, name: row.name, reasons })
}

async fn of_experiment(
    tx: &mut Tx,
    row: &ExperimentRow,
    workers: &[WorkerRow],
    now: &WhyContext,
) -> Result<Vec<String>, CoordinatorError> {
    let mut reasons = Vec::new();
    if row.state == ExperimentState::Active {
        reasons = common(tx, now).await?;
    }
    reasons.extend(warnings(tx, row).await?);
    match at_rest(row) {
        Some(why) => reasons.push(why),
        None if row.is_control => {
            reasons.push("the coordinator keeps this control by itself, as long as other experiments are played: `gauntlet serve --control-share` sets its share of the fleet".into());
            let alarms = alarms(tx).await?.into_iter().filter(|alarm| alarm.kind == AlarmKind::Control);
            reasons.extend(alarms.map(|alarm| alarm.words));
            reasons.extend(Shares::read(tx, &now.filter).await?.words(row));
        }
        None => reasons.extend(of_active(tx, row, workers, now).await?),
    }
    Ok(reasons)
}

/// Why an experiment is not played; none for one that is.
fn at_rest(row: &ExperimentRow) -> Option<String> {
    let missing = counted(row.games_missing(), "game");
    let name = operands(&[&row.name]);
    Some(match row.state {
        ExperimentState::Active => return None,
        ExperimentState::Finished if row.games_not_needed > 0 => format!(
            "it is finished: its stopping rules decided before the last {} of the plan; `gauntlet results {name}` shows what they \
             found",
            counted(row.games_not_needed, "game"),
        ),
        ExperimentState::Finished => "every planned game is finished".into(),
        ExperimentState::Stopped => format!(
            "a person stopped it for good, with {missing} missing; a file with another name begins a new experiment, in which equal \
             cells keep their games"
        ),
        ExperimentState::Paused if row.is_control => CONTROL_WAITS.into(),
        ExperimentState::Paused => {
            format!("it was paused; `gauntlet experiment resume {name}` goes on, {missing} missing")
        }
        ExperimentState::Archived => {
            format!("it is in the archive; `gauntlet experiment unarchive {name}` takes it out")
        }
        ExperimentState::Stuck => format!(
            "what is still missing, {missing}, belongs to pairs that were set aside because they failed again and again; \
             `gauntlet retry` releases them"
        ),
    })
}

async fn of_active(
    tx: &mut Tx,
    row: &ExperimentRow,
    workers: &[WorkerRow],
    now: &WhyContext,
) -> Result<Vec<String>, CoordinatorError> {
    let (missing, played) = (counted(row.games_missing(), "game"), counted(row.pairs_in_flight, "pair"));
    let mut reasons = vec![format!("{missing} missing, {played} being played")];
    if row.pairs_aside > 0 {
        reasons.push(format!("{} set aside: see its page", counted(row.pairs_aside, "pair")));
    }
    // While nothing can be stored, the stored workers are out of date.
    if now.standing.trouble.is_none() {
        let stalled = now.standing.of_experiment(tx, row).await?;
        reasons.extend(stalled.map(|why| format!("it is stalled: {why}")));
    }
    reasons.extend(bounds::disputes(tx, row.id).await?);
    let alive = workers.iter().filter(|worker| now.is_alive(worker));
    if let Some(most) = alive.filter_map(|worker| worker.memory).max()
        && let Some((least, cells)) = tx.memory_in_play_of(engine::SEMANTICS, Some(row.id), most).await?
    {
        reasons.push(format!(
            "{cells} of its open cells may need {least} of memory a slot or more, and no worker that is there has \
             that much: the most is {most}; with fewer `--slots` each slot gets more"
        ));
    }
    let shares = Shares::read(tx, &now.filter).await?;
    reasons.extend(shares.words(row));
    if row.pairs_in_flight == 0 {
        reasons.extend(shares.before(row.id));
    }
    Ok(reasons)
}

/// The whole id for its first digits; the text itself if it is a name or matches no id.
async fn whole(tx: &mut Tx, key: &str, workers: &[WorkerRow]) -> Result<String, CoordinatorError> {
    let is_known = workers.iter().any(|worker| worker.name == key || worker.id.to_string() == key)
        || named(tx, key).await?.is_some();
    let is_meant = |prefix: &IdPrefix| !is_known || prefix.is_as_shown() && !is_whole_id(key);
    let Some(prefix) = key.parse::<IdPrefix>().ok().filter(is_meant) else { return Ok(key.to_owned()) };
    let (first, last) = prefix.range();
    let begin = |worker: &&WorkerRow| worker.name != key && (first..=last).contains(&worker.id.0);
    let mut found: Vec<String> = workers.iter().filter(begin).map(|worker| worker.id.to_string()).collect();
    found.extend(tx.cells_beginning(prefix).await?.iter().map(ToString::to_string));
    let experiments = tx.experiments_between((first, last), 10).await?;
    found.extend(experiments.iter().filter(|(_, name)| name != key).map(|(id, _)| id.to_string()));
    if is_known && !found.is_empty() {
        found.push(format!("the name {key}"));
    }
    Ok(only("worker, cell or experiment", key, found)?.unwrap_or_else(|| key.to_owned()))
}

/// Reasons that apply to all workers and experiments: results cannot be stored, or the clock was set recently.
async fn common(tx: &mut Tx, now: &WhyContext) -> Result<Vec<String>, StoreError> {
    let mut reasons = Vec::from_iter(now.standing.trouble.as_ref().and_then(|_| now.standing.of_all()));
    reasons.extend(recent_step(tx, now.now_ms).await?);
    Ok(reasons)
}

async fn of_worker(tx: &mut Tx, worker: &WorkerRow, now: &WhyContext) -> Result<Vec<String>, StoreError> {
    let mut reasons = Vec::new();
    let silent_s = (now.now_ms - worker.seen_ms).max(0) as f64 / 1000.0;
    if !now.is_alive(worker) && now.standing.trouble.is_none() {
        reasons.push(format!(
            "it has not called for {silent_s:.0} s; leases lapse after {} s without a call",
            now.lease_ms / 1000
        ));
    }
    reasons.extend(trust(tx, worker).await?);
    if worker.directive != Directive::Work {
        reasons.push(format!("a person told it to {}; `gauntlet fleet resume` ends that", worker.directive));
    }
    // The last state of an absent worker is out of date.
    if let Some(resting) = worker.resting.as_ref().filter(|_| now.is_alive(worker)) {
        reasons.push(format!("it wants no work: {resting}"));
    }
    if worker.pairs_held > 0 {
        let (pairs, slots) = (counted(worker.pairs_held, "pair"), counted(u64::from(worker.slots), "slot"));
        let works = if reasons.is_empty() { "it works: it holds" } else { "it holds" };
        reasons.push(format!("{works} {pairs} and has {slots}"));
    }
    let idle = Idle::read(tx, &now.filter, now.sync_ms).await?;
    reasons.extend(idle.unmeasured(worker));
    let mut has_enough = None;
    if let Some(memory) = worker.memory {
        let needy = tx.memory_in_play(engine::SEMANTICS, &now.filter, memory).await?;
        has_enough = needy.is_none().then_some(memory);
        reasons.extend(needy.map(|(least, cells)| format!(
            "it has {memory} a slot for the trees of a game's players, and does not get games that may need more: {} may \
             need {least} or more",
            counted(cells, "open cell")
        )));
    }
    if now.is_alive(worker)
        && let Some(why) = idle.why(worker)
        && (worker.no_work.is_some() || reasons.is_empty())
    {
        reasons.insert(0, why);
    }
    let mut residual = Residual::default();
    for (_, own, others) in tx.results_beside_others(worker.id).await? {
        residual += Residual::of(own, others);
    }
    reasons.extend(residual.words());
    reasons.extend(has_enough.map(|memory| {
        format!(
            "it has {memory} a slot for the trees of a game's players, which is enough for every open cell"
        )
    }));
    Ok(reasons)
}

/// Reasons to doubt a machine or its games.
async fn trust(tx: &mut Tx, worker: &WorkerRow) -> Result<Vec<String>, StoreError> {
    let mut reasons = Vec::new();
    if let Some(why) = &worker.quarantine {
        reasons.push(format!(
            "it is in quarantine ({why}): it gets no work, and its games are stored but do not count; `gauntlet fleet \
             release` ends the quarantine"
        ));
        if worker.games > 0 {
            reasons.push(format!(
                "its earlier games still count ({}): `gauntlet game exclude --worker {} --why REASON` takes them out of the \
                 results",
                counted(worker.games, "game"),
                worker.id
            ));
        }
    }
    reasons.extend(worker.suspicion.clone());
    if worker.compared.is_biased() {
        reasons.push(format!(
            "its games differ from those of other machines: {}; check its build, its memory and its other load, or \
             put it in quarantine with `gauntlet fleet quarantine`",
            worker.compared.words()
        ));
    }
    reasons.extend(alarms_of_worker(tx, worker.id).await?);
    let apart = tx.games_out_of_bounds(worker.id).await?;
    if apart > 0 {
        reasons.push(format!(
            "{apart} of its games are kept apart, because their numbers of simulations are far from those on other machines"
        ));
    }
    let checked = tx.recheck_counts(Some(worker.id)).await?;
    if worker.quarantine.is_some() || checked.disputed + checked.refuted > 0 {
        reasons.push(format!(
            "{} of it count; of those that were played again, {} had the same moves on another machine, {} are disputed, \
             and {} were refuted and excluded",
            counted(worker.games, "game"), checked.agreed, checked.disputed, checked.refuted
        ));
    }
    let (checks, failed) = tx.checks(worker.id).await?;
    if failed > 0 && failed * 2 > checks {
        reasons.push(format!(
            "it failed {failed} of its {checks} rechecks, which are leases to play games of other machines again"
        ));
    }
    Ok(reasons)
}

async fn of_cell(
    tx: &mut Tx,
    (cell, places): (CellId, &[PlannedCellState]),
    workers: &[WorkerRow],
    now: &WhyContext,
) -> Result<Vec<String>, StoreError> {
    let mut reasons = Vec::new();
    let mut waits = false;
    for place in places {
        let PlannedCellState { experiment, pairs, done, in_flight, aside, .. } = place;
        let so_far = format!(
            "`{experiment}` plans {}: {done} done, {in_flight} being played, {aside} set aside",
            counted(pairs.unsigned_abs(), "pair")
        );
        reasons.push(match place.state.as_str() {
            "off" => format!("{so_far}; {}", why_off(place)),
            "full" if done + in_flight + aside < *pairs => format!("{so_far}; its stopping rule has decided"),
            "full" => format!("{so_far}; nothing is left to give out"),
            "open" => {
                waits = true;
                let before = tx.open_cells_before(place.id, place.priority, place.tie_break).await?;
                match before {
                    0 => format!("{so_far}; it is the next of this experiment to be given out"),
                    n => format!(
                        "{so_far}; before it in this experiment: {}, by the policy `{}`",
                        counted(n, "cell"),
                        place.policy
                    ),
                }
            }
            other => return Err(StoreError::unreadable("experiment_cell.state")(other)),
        });
        if place.state == "open" && place.policy.weighs_cases() && (place.attention - 1.0).abs() > 0.05 {
            reasons.push(format!(
                "the policy `{}` gives its case {:.2} times the usual share: {}",
                place.policy,
                place.attention,
                place.policy.words()
            ));
        }
        if place.state == "open" && !place.policy.weighs_cases() && place.attention != 1.0 {
            reasons.push(format!("a person gave it {} times the weight of the file", place.attention as f32));
        }
        reasons.extend(awaited(tx, (cell, place), now).await?);
        if place.aside > 0 {
            let experiment = operands(&[experiment]);
            reasons.push(format!("`gauntlet retry {experiment}` releases the pairs that were set aside"));
        }
    }
    if waits {
        let size = places[0].size;
        let able =
            |worker: &&WorkerRow| worker.speeds.iter().any(|speed| i64::from(speed.size.get()) == size);
        let there: Vec<&WorkerRow> = workers.iter().filter(|worker| now.is_alive(worker)).collect();
        if !there.iter().any(able) && now.standing.trouble.is_none() {
            reasons.push(format!("no worker that is there has measured its speed on size {size}"));
        }
        reasons.extend(places[0].memory.and_then(|needed| of_memory(needed, &there)));
        if places[0].semantics != i64::from(engine::SEMANTICS) {
            reasons.push(format!(
                "its games are those of engine semantics {}, this program has {}",
                places[0].semantics,
                engine::SEMANTICS
            ));
        }
        reasons.extend(now.standing.of_all().filter(|_| now.standing.trouble.is_none()));
    }
    Ok(reasons)
}

/// Case, baseline and size.
fn what(PlannedCellState { case_label, baseline_label, size, .. }: &PlannedCellState) -> String {
    format!("{case_label} against {baseline_label}, size {size}")
}

/// Why pairs of a cell's row in an experiment are not leased, though games may be missing.
fn why_off(place: &PlannedCellState) -> String {
    let name = operands(&[&place.experiment]);
    match place.closed {
        Some(revision) => format!("revision {revision} of that experiment closed it"),
        None if place.is_archived => {
            format!("that experiment is archived: `gauntlet experiment unarchive {name}` takes it out")
        }
        None if place.is_stopped => "a person stopped that experiment for good".to_owned(),
        None if place.is_paused => {
            format!("that experiment is paused: `gauntlet experiment resume {name}` goes on")
        }
        None => "a later file of the same name took the place of that experiment".to_owned(),
    }
}

/// The reason when no worker has this much memory, with the memory of the largest worker.
fn of_memory(needed: Mib, there: &[&WorkerRow]) -> Option<String> {
    let known = there.iter().filter_map(|worker| Some((worker.memory?, &worker.name)));
    let (most, name) = known.max_by_key(|(memory, _)| *memory).filter(|(memory, _)| *memory < needed)?;
    Some(format!(
        "it may need {needed} a slot for the trees of its players, and no worker that is there has that much: the most \
         is {most}, on {name}; with fewer `--slots` each slot gets more"
    ))
}
