//! One cell in full: its result, the experiments that plan it, and the machines that played it.

mod running;

use super::circumstances::WhyContext;
use super::confidence::CONFIDENCE;
use super::names::with_group;
use super::parameters::of_players;
use super::plans::point;
use super::why::why;
use crate::error::CoordinatorError;
use crate::store::{Ending, PlannedCellState, StoreError, Tx};
use engine::havannah::WinKind;
use engine::side::Side;
use protocol::browse::PlannedBy;
use protocol::cell::{
    BesideOthers, CellMachine, CellPlan, CellReport, CellState, ColourResults, LengthResults, ShapeResults,
    VoidReason,
};
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, WorkerId};
use protocol::report::{Point, StopOutcome, Verdict};
use protocol::words::counted;
use stats::Residual;
use std::collections::BTreeMap;

pub(crate) use running::running;

/// The most reasons of void games that a report lists.
const MOST_REASONS: usize = 20;

/// The games of a machine with one colour of the case: losses, draws and wins of the case.
type MachineHalf = (WorkerId, String, usize, [i64; 3]);

/// A cell for its page.
pub(crate) async fn cell(
    tx: &mut Tx,
    cell: CellId,
    now: &WhyContext,
) -> Result<CellReport, CoordinatorError> {
    let missing = || CoordinatorError::unknown("cell", cell.to_string());
    let places = tx.places_of_cell(cell).await?;
    let (_, spec) = tx.specs(&[cell]).await?.pop().ok_or_else(missing)?;
    let counters = tx.counters_of_cells(&[cell]).await?.remove(&cell).ok_or_else(missing)?;
    let first = places.first().ok_or_else(missing)?;
    let planned = (cell, spec.size, first.pairs.unsigned_abs());
    let point = point(planned, &counters, (first.stopping.as_ref(), first.is_stopped))?;
    let (case, baseline) = (with_group(&first.case_group, &first.case_label), first.baseline_label.clone());
    let endings = tx.endings(cell).await?;
    let own = tx.machines_of_cell(cell).await?;
    Ok(CellReport {
        id: cell,
        finding: finding((&case, &baseline), &spec, &point),
        case,
        baseline,
        size: spec.size,
        budget: spec.budget,
        opening: opening(&spec),
        semantics: spec.semantics,
        is_repeatable: spec.semantics == engine::SEMANTICS,
        point,
        confidence: CONFIDENCE,
        interval_method: stats::INTERVAL_METHOD.to_owned(),
        sequence_method: stats::SEQUENCE_METHOD.to_owned(),
        reasons: why(tx, &cell.to_string(), now).await?.reasons,
        plans: places.iter().map(plan).collect(),
        parameters: of_players(&spec),
        case_params: spec.case.clone(),
        baseline_params: spec.baseline.clone(),
        colours: colours(&own, counters.pairs_begun())?,
        shapes: [WinKind::Fork, WinKind::Bridge, WinKind::Ring].map(|kind| shape(kind, &endings)).to_vec(),
        lengths: lengths(&endings),
        machines: machines(&own),
        voids: voids(tx, cell, counters.void_games).await?,
    })
}

/// Why games of a cell are void. A cell without void games needs no query.
async fn voids(tx: &mut Tx, cell: CellId, void_games: i64) -> Result<Vec<VoidReason>, StoreError> {
    if void_games == 0 {
        return Ok(Vec::new());
    }
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for (how, trouble, games) in tx.failed_attempts(cell).await? {
        // The stored trouble is the pair's last one; a lease that lapsed has none of its own.
        let words = match (how.as_str(), trouble) {
            ("lapsed", _) => "the machine fell silent, and its lease lapsed".to_owned(),
            (_, Some(trouble)) => trouble,
            (_, None) => "the coordinator took the lease back".to_owned(),
        };
        *reasons.entry(words).or_default() += games;
    }
    for (reason, games) in tx.exclusions(cell).await? {
        let words = reason.map_or_else(|| "excluded".to_owned(), |reason| format!("excluded: {reason}"));
        *reasons.entry(words).or_default() += games;
    }
    let mut voids: Vec<VoidReason> =
        reasons.into_iter().map(|(words, games)| VoidReason { words, games }).collect();
    voids.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.words.cmp(&b.words)));
    voids.truncate(MOST_REASONS);
    Ok(voids)
}

/// The finding from the games, in words.
fn finding((case, baseline): (&str, &str), spec: &CellSpec, point: &Point) -> String {
    let (Some(estimate), Some(words)) = (point.estimate, &point.words) else {
        return format!("Nothing is known of {case} against {baseline} yet: no pair is complete.");
    };
    let scored = format!("it scores {:.1} % over {}", 100.0 * estimate.rate, counted(point.pairs, "pair"));
    let verdict = if spec.case.player_id() == spec.baseline.player_id() {
        format!("{case} plays against itself: {scored}.")
    } else {
        match point.verdict {
            Verdict::Better => format!("{case} is better than {baseline}: {scored}."),
            Verdict::Worse => format!("{case} is worse than {baseline}: {scored}."),
            Verdict::NotBetter => {
                format!("{case} is not better than {baseline}, because the test rejected H1: {scored}.")
            }
            Verdict::NotWorse => {
                format!("{case} is not worse than {baseline}, because the test rejected H1: {scored}.")
            }
            Verdict::Open if has_decided(point) => {
                format!(
                    "The test ended without showing {case} to be better or worse than {baseline}: {scored}."
                )
            }
            Verdict::Open => format!("Whether {case} is better or worse than {baseline} is open: {scored}."),
        }
    };
    let unfinished = point.missing.as_ref().map(|missing| format!(" {}.", missing.words));
    format!("{verdict} {words}{}", unfinished.unwrap_or_default())
}

/// Whether the sequential test of the cell accepted one of its hypotheses.
fn has_decided(point: &Point) -> bool {
    let outcome = point.stopping.as_ref().map(|stopping| stopping.outcome);
    matches!(outcome, Some(StopOutcome::AcceptH0 | StopOutcome::AcceptH1))
}

/// How the games begin, in words.
fn opening(spec: &CellSpec) -> String {
    match (spec.book, spec.opening_plies) {
        (Some(book), _) => format!("openings of the book `{}`", book.name()),
        (None, 0) => "the empty board".to_owned(),
        (None, plies) => counted(u64::from(plies), "random move"),
    }
}

fn plan(place: &PlannedCellState) -> CellPlan {
    CellPlan {
        experiment: PlannedBy { id: place.id, name: place.experiment.clone() },
        case: with_group(&place.case_group, &place.case_label),
        baseline: place.baseline_label.clone(),
        pairs: place.pairs.unsigned_abs(),
        state: state(place),
    }
}

fn state(place: &PlannedCellState) -> CellState {
    match place.state.as_str() {
        _ if place.closed.is_some() => CellState::Closed,
        _ if place.is_archived => CellState::Archived,
        _ if place.done >= place.pairs => CellState::Complete,
        _ if place.stopping.is_some_and(|stopping| stopping.is_decided()) => CellState::Stopped,
        _ if place.is_stopped => CellState::Ended,
        "open" => CellState::Open,
        "full" if place.in_flight > 0 => CellState::InPlay,
        "full" => CellState::SetAside,
        _ => CellState::Paused,
    }
}

/// The case's results as White and as Black. The machines' games are all counted games, and each of `begun` pairs has one of each
/// colour.
fn colours(own: &[MachineHalf], begun: u64) -> Result<Vec<ColourResults>, StoreError> {
    let colour = |(half, side): (usize, Side)| {
        let mut results = [0; 3];
        for (_, _, _, games) in own.iter().filter(|(_, _, of, _)| *of == half) {
            results.iter_mut().zip(games).for_each(|(sum, games)| *sum += games.unsigned_abs());
        }
        let missing = begun.saturating_sub(results.iter().sum());
        let score = stats::score_of_games(results, missing, CONFIDENCE);
        let score = score.map_err(StoreError::unreadable("confidence"))?;
        let [losses, draws, wins] = results;
        Ok(ColourResults {
            side,
            wins,
            draws,
            losses,
            rate: score.map(|(rate, _, _)| rate),
            low: score.map(|(_, low, _)| low),
            high: score.map(|(_, _, high)| high),
        })
    };
    [(0, Side::White), (1, Side::Black)].into_iter().map(colour).collect()
}

fn shape(kind: WinKind, endings: &[Ending]) -> ShapeResults {
    let games = |half_points: usize| {
        let ended = |ending: &&Ending| ending.kind == Some(kind) && ending.half_points == half_points;
        endings.iter().filter(ended).map(|ending| ending.games).sum()
    };
    ShapeResults { kind, wins: games(2), losses: games(0) }
}

fn lengths(endings: &[Ending]) -> Vec<LengthResults> {
    let of_length = |alike: &[Ending]| {
        let games = |half_points: usize| {
            alike.iter().filter(|ending| ending.half_points == half_points).map(|ending| ending.games).sum()
        };
        LengthResults { plies: alike[0].plies, wins: games(2), draws: games(1), losses: games(0) }
    };
    endings.chunk_by(|one, next| one.plies == next.plies).map(of_length).collect()
}

/// The machines with most games first, each beside the others.
fn machines(own: &[MachineHalf]) -> Vec<CellMachine> {
    let mut all = [[0_i64; 3]; 2];
    for (_, _, half, games) in own {
        all[*half].iter_mut().zip(games).for_each(|(sum, games)| *sum += games);
    }
    let mut of_worker: BTreeMap<WorkerId, (&str, [[i64; 3]; 2])> = BTreeMap::new();
    for (worker, name, half, games) in own {
        of_worker.entry(*worker).or_insert((name, [[0; 3]; 2])).1[*half] = *games;
    }
    let machine = |(worker, (name, halves)): (WorkerId, (&str, [[i64; 3]; 2]))| {
        let mut residual = Residual::default();
        for (own, all) in halves.into_iter().zip(all) {
            residual += Residual::of(own, std::array::from_fn(|place| all[place] - own[place]));
        }
        let sum = |place: usize| (halves[0][place] + halves[1][place]).unsigned_abs();
        let [losses, draws, wins] = [sum(0), sum(1), sum(2)];
        let games = losses + draws + wins;
        (games > 0).then(|| CellMachine {
            worker,
            name: name.to_owned(),
            games,
            wins,
            draws,
            losses,
            rate: (wins as f64 + draws as f64 / 2.0) / games as f64,
            beside: (residual.games > 0.0).then(|| BesideOthers {
                rate: residual.rate_of_others(),
                difference: residual.difference(),
                p_value: residual.chi_square().map(|square| square.p_value),
            }),
        })
    };
    let mut machines: Vec<CellMachine> = of_worker.into_iter().filter_map(machine).collect();
    machines.sort_by_key(|machine| std::cmp::Reverse(machine.games));
    machines
}
