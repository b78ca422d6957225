//! Which figure should be played next, and which of its cells.

use crate::file::{self, Figure, File};
use crate::finding::Finding;
use crate::judge::JudgedClaim;
use crate::pages::{PlayedFigure, figures, reports, results};
use gauntlet::commands::compare::report::Assumptions;
use gauntlet::commands::experiment::change;
use gauntlet::commands::files::folder_of;
use gauntlet::commands::target::Target;
use protocol::ids::CellId;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentReport, ExperimentState, ExperimentSummary, Point, StopOutcome};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// The least weight of a figure, and of a cell. What is decided still gets some games.
const LEAST: f64 = 0.01;
/// A decided claim still asks for games in cells that have fewer: the mean over sizes should not rest on a lucky size. So do points
/// that no claim names, to tell which program the figure resembles.
const FEW: u64 = 40;
/// Points that no claim names count as if they needed so many times as many games: claims come first.
const LATER: f64 = 4.0;
/// So many more games are assumed to decide a claim without games.
const UNKNOWN: f64 = 200.0;
/// A figure has a weight of 1 if so many core seconds decide its next claim.
const CORE_SECONDS: f64 = 200.0;
/// Core seconds of a game, before one was played.
const A_GAME: f64 = 2.0;

/// Gives the experiments of a file's figures, and their cells, weights by what more games would decide. With a time, looks again after
/// that time, until every experiment is over.
pub(crate) async fn steer(every: Option<Duration>, path: &Path, target: &Target) -> anyhow::Result<()> {
    // A file or an address that is wrong stays wrong.
    let mut goes_on = look(path, target).await?;
    while let Some(pause) = every.filter(|_| goes_on) {
        tokio::time::sleep(pause).await;
        match look(path, target).await {
            Ok(found) => goes_on = found,
            // A coordinator may be away for a while.
            Err(error) => eprintln!("{error:#}; the weights stay"),
        }
    }
    Ok(())
}

/// Sets the weights once. Returns whether an experiment of the file is not over.
async fn look(path: &Path, target: &Target) -> anyhow::Result<bool> {
    let file = file::read(path)?;
    let assumptions = file.assumptions();
    let mut known = figures(&file, path, target).await?;
    known.retain(|one| one.state.is_under_way() || one.state == ExperimentState::Paused);
    let reports = reports(target, &known).await?;
    let claims = claims(&file, folder_of(path), assumptions, &reports)?;
    for one in &known {
        let open = open_cells(&reports[&one.name]);
        let a_game = (one.games_done > 0).then(|| one.core_seconds / one.games_done as f64);
        set(target, one, weights(&claims[&one.name], &open, a_game)).await?;
    }
    Ok(!known.is_empty())
}

/// What the claims of each figure's experiment ask for.
fn claims(
    file: &File,
    folder: &Path,
    assumptions: Assumptions,
    reports: &BTreeMap<String, ExperimentReport>,
) -> anyhow::Result<BTreeMap<String, Vec<ClaimDemand>>> {
    // Before the first game there is nothing to judge.
    let played = |figure: &Figure| {
        let report = reports.get(&file.experiment(figure));
        Ok(report.filter(|report| report.summary.games_done > 0).cloned())
    };
    let mut claims = BTreeMap::new();
    for result in results(file, folder, assumptions, played)? {
        let wanted: Vec<ClaimDemand> = match &result.played {
            None => result.figure.claims.iter().map(|_| ClaimDemand::default()).collect(),
            Some(PlayedFigure { report, correct, defect, .. }) => {
                let open = open_cells(report);
                let programs = || [correct, defect].into_iter().flatten();
                let claims = programs().flat_map(|one| &one.judgement.claims);
                let points = programs().flat_map(|one| one.comparison.points()).map(|point| point.cell);
                let wanted = claims.map(|claim| ClaimDemand::of(claim, &open));
                wanted.chain([ClaimDemand::of_points(points, &open)]).collect()
            }
        };
        claims.insert(file.experiment(result.figure), wanted);
    }
    Ok(claims)
}

/// Sets the weights of an experiment and its cells.
async fn set(target: &Target, of: &ExperimentSummary, weights: Weights) -> anyhow::Result<()> {
    let key = of.id.to_string();
    if weights.experiment != of.weight {
        change(target, &key, &ExperimentChange::Weight(weights.experiment)).await?;
        eprintln!("{}: weight {}", of.name, weights.experiment);
    }
    let mut factors: Vec<f64> = weights.cells.values().copied().collect();
    factors.sort_by(f64::total_cmp);
    factors.dedup();
    for factor in factors {
        let cells = weights.cells.iter().filter(|(_, of)| **of == factor).map(|(cell, _)| *cell).collect();
        let weighed = change(target, &key, &ExperimentChange::CellWeights { cells, factor }).await;
        if let Err(error) = weighed {
            eprintln!("{}: its cells keep their weights: {error:#}", of.name);
            break;
        }
    }
    Ok(())
}

/// A claim, as far as it asks for games.
struct ClaimDemand {
    /// The games that it needs; none if it needs no more, if no number of games is in sight, or if its cells have ended.
    games: Option<f64>,
    /// The cells that need them and that have not ended.
    cells: BTreeSet<CellId>,
}

/// A claim of which nothing is known.
impl Default for ClaimDemand {
    fn default() -> Self {
        Self { games: Some(UNKNOWN), cells: BTreeSet::new() }
    }
}

impl ClaimDemand {
    /// An undecided claim needs the games that would decide it. A decided one needs [`FEW`] games in each cell.
    fn of(judged: &JudgedClaim<'_>, open: &BTreeMap<CellId, u64>) -> Self {
        let cells = judged.cells.iter().filter_map(|cell| Some((*cell, *open.get(cell)?)));
        let (cells, games): (Vec<(CellId, u64)>, _) = match judged.finding {
            Finding::Undecided(_) if judged.ours.is_none() => (cells.collect(), Some(UNKNOWN)),
            Finding::Undecided(outlook) => {
                (cells.collect(), outlook.games().map(|games| games.max(1) as f64))
            }
            Finding::Decided(_) => {
                let (few, missing) = few(cells);
                (few, Some(missing))
            }
        };
        Self::by(cells, games)
    }

    /// All points of a figure need [`FEW`] games, later than its claims.
    fn of_points(cells: impl Iterator<Item = CellId>, open: &BTreeMap<CellId, u64>) -> Self {
        let (cells, missing) = few(cells.filter_map(|cell| Some((cell, *open.get(&cell)?))));
        Self::by(cells, Some(LATER * missing))
    }

    fn by(cells: Vec<(CellId, u64)>, games: Option<f64>) -> Self {
        let cells: BTreeSet<CellId> = cells.into_iter().map(|(cell, _)| cell).collect();
        Self { games: games.filter(|_| !cells.is_empty()), cells }
    }
}

/// The cells with fewer games than [`FEW`], and what all of them lack.
fn few(cells: impl Iterator<Item = (CellId, u64)>) -> (Vec<(CellId, u64)>, f64) {
    let few: Vec<(CellId, u64)> = cells.filter(|(_, games)| *games < FEW).collect();
    let missing: u64 = few.iter().map(|(_, games)| FEW - games).sum();
    (few, missing as f64)
}

/// The cells of an experiment that have not ended, with their games.
pub(crate) fn open_cells(report: &ExperimentReport) -> BTreeMap<CellId, u64> {
    let ends = |point: &Point| {
        let rule = point.stopping.as_ref().map(|stopping| stopping.outcome);
        point.games >= point.games_planned || rule.is_some_and(|outcome| outcome != StopOutcome::Open)
    };
    let points = report.series.iter().flat_map(|series| &series.points);
    points.filter(|point| !ends(point)).map(|point| (point.cell, point.games)).collect()
}

/// What an experiment should get.
#[derive(Debug, Clone, PartialEq)]
struct Weights {
    /// The weight of the experiment.
    experiment: f64,
    /// Factors on the weights of its open cells.
    cells: BTreeMap<CellId, f64>,
}

/// The weights of a figure's experiment and of its open cells, by its claims with both programs and the core seconds of a game. The
/// claim that needs the fewest games is played first: a claim that needs twice as many gets half as many games, and the experiment's
/// weight falls with the core time until the first one is decided.
fn weights(claims: &[ClaimDemand], open: &BTreeMap<CellId, u64>, a_game: Option<f64>) -> Weights {
    let mut cells: BTreeMap<CellId, f64> = open.keys().map(|cell| (*cell, LEAST)).collect();
    let next =
        claims.iter().filter_map(|claim| Some((claim.games?, claim))).min_by(|a, b| a.0.total_cmp(&b.0));
    let Some((next, nearest)) = next else { return Weights { experiment: LEAST, cells } };
    for claim in claims {
        // A claim does not get more games for having more cells.
        let shared = nearest.cells.len().max(1) as f64 / claim.cells.len().max(1) as f64;
        let factor = claim.games.map_or(LEAST, |games| as_step(next / games * shared.min(1.0)));
        for cell in &claim.cells {
            cells.entry(*cell).and_modify(|known| *known = known.max(factor));
        }
    }
    // So many games does the experiment play for one that the nearest claim asks for. Cells that nothing asks for count for nothing:
    // the files give them small weights.
    let named: BTreeSet<&CellId> = claims.iter().flat_map(|claim| &claim.cells).collect();
    let sum: f64 = named.iter().map(|cell| cells[cell]).sum();
    let games = next * if nearest.cells.is_empty() { 1.0 } else { sum / nearest.cells.len() as f64 };
    let experiment = CORE_SECONDS / (games * a_game.unwrap_or(A_GAME));
    Weights { experiment: as_step(experiment), cells }
}

/// A factor as a power of two, so that it does not change with every look.
fn as_step(factor: f64) -> f64 {
    factor.log2().round().exp2().max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn cell(number: u128) -> CellId {
        CellId(Uuid::from_u128(number))
    }

    fn claim(games: Option<f64>, cells: [u128; 2]) -> ClaimDemand {
        ClaimDemand { games, cells: cells.map(cell).into() }
    }

    #[test]
    fn the_nearest_decision_is_played_first() {
        let claims = [claim(None, [1, 2]), claim(Some(50.0), [2, 3]), claim(Some(420.0), [3, 4])];
        let open = (1..=5).map(|number| (cell(number), 10)).collect();
        let found = weights(&claims, &open, Some(2.0));
        let wanted = [(1, LEAST), (2, 1.0), (3, 1.0), (4, 0.125), (5, LEAST)];
        assert_eq!(found.cells, wanted.map(|(number, factor)| (cell(number), factor)).into());
        // 50 games of the near claim, and 3.4 in cells of the others, are 107 core seconds.
        assert_eq!(found.experiment, 2.0);
        assert_eq!(weights(&claims[..1], &open, Some(2.0)).experiment, LEAST);
    }

    #[test]
    fn points_without_a_claim_come_later() {
        let open: BTreeMap<CellId, u64> = [(cell(1), 38), (cell(2), 40), (cell(3), 30)].into();
        let found = ClaimDemand::of_points([1, 2, 3, 4].map(cell).into_iter(), &open);
        assert_eq!((found.games, found.cells), (Some(4.0 * 12.0), [1, 3].map(cell).into()));
        assert_eq!(ClaimDemand::of_points([cell(2)].into_iter(), &open).games, None);
        // As many games as the claim asks for, in twice as many cells.
        let points = ClaimDemand { games: Some(50.0), cells: (3..=6).map(cell).collect() };
        let open = (1..=6).map(|number| (cell(number), 10)).collect();
        let found = weights(&[claim(Some(50.0), [1, 2]), points], &open, None);
        assert_eq!((found.cells[&cell(1)], found.cells[&cell(6)]), (1.0, 0.5));
    }

    #[test]
    fn long_games_make_a_decision_far() {
        let open = [1, 2].map(|number| (cell(number), 10)).into();
        let of = |games, a_game| weights(&[claim(Some(games), [1, 2])], &open, a_game).experiment;
        assert_eq!((of(50.0, Some(2.0)), of(50.0, Some(20.0)), of(50.0, None)), (2.0, 0.25, 2.0));
        assert_eq!(of(1e6, Some(2.0)), LEAST);
        assert_eq!(weights(&[ClaimDemand::default()], &BTreeMap::new(), None).experiment, 0.5);
    }
}
