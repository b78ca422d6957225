//! What a case costs: its simulations in the time that its baseline needs for 100. And what all games cost.

use anyhow::Result;
use engine::side::Side;
use gauntlet::commands::bundle::archive;
use protocol::bundle::BundledGame;
use protocol::games::GameStatus;
use protocol::ids::CellId;
use protocol::report::{ExperimentReport, Series};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Games from which a cost is told: speeds vary less than results.
const FEWEST_GAMES: u64 = 10;

/// A move is whole if its player used at least this part of its time.
const WHOLE: f64 = 0.9;

/// Simulations and CPU microseconds.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Effort {
    sims: u64,
    cpu_us: u64,
}

impl Effort {
    fn add(&mut self, sims: u64, cpu_us: u64) {
        self.sims += sims;
        self.cpu_us += cpu_us;
    }

    /// Simulations per CPU microsecond.
    fn speed(self) -> f64 {
        self.sims as f64 / self.cpu_us as f64
    }
}

/// The efforts of both players in the counted games of each cell. An export has them beside its results, because the bundles
/// that have the games are large.
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Costs(BTreeMap<CellId, Players>);

#[derive(Default, Serialize, Deserialize)]
struct Players {
    games: u64,
    /// The CPU time of all moves.
    cpu_us: u64,
    /// In the moves that count.
    game: Ratio,
    /// In first moves from the empty board.
    first_move: Ratio,
}

/// The part of a game that a cost is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CostPart {
    Game,
    FirstMove,
}

/// The efforts of both players.
#[derive(Default, Serialize, Deserialize)]
struct Ratio {
    case: Effort,
    baseline: Effort,
}

impl Ratio {
    fn of(&mut self, is_case: bool) -> &mut Effort {
        if is_case { &mut self.case } else { &mut self.baseline }
    }
}

impl Costs {
    /// Those of the games of a bundle.
    pub(crate) fn read(bundle: &Path) -> Result<Self> {
        let mut costs = Self::default();
        archive::read(bundle, |game| costs.add(&game))?;
        Ok(costs)
    }

    fn add(&mut self, game: &BundledGame) {
        let Some(play) = &game.play else { return };
        if game.line.status != GameStatus::Counted {
            return;
        }
        let players = self.0.entry(game.line.cell).or_default();
        players.games += 1;
        players.cpu_us += play.record.cpu_us.iter().sum::<u64>();
        // A player that has proved the result stops early, and simulations become faster towards the end of a game. So only
        // moves that follow each other count, and only if both players used their time.
        let least = (WHOLE * play.move_cpu_us.unwrap_or(0) as f64) as u64;
        let begun = game.opening.split_whitespace().count();
        let moves: Vec<(u64, u64)> =
            play.record.sims.iter().copied().zip(play.record.cpu_us.iter().copied()).collect();
        let is_of_case = |ply: usize| Side::to_move_after(begun + ply) == game.line.case_side;
        for (pair, both) in moves.chunks_exact(2).enumerate() {
            if both.iter().any(|(_, cpu_us)| *cpu_us < least) {
                continue;
            }
            for (half, (sims, cpu_us)) in both.iter().enumerate() {
                players.game.of(is_of_case(2 * pair + half)).add(*sims, *cpu_us);
            }
        }
        if let Some((sims, cpu_us)) = moves.first().filter(|(_, cpu_us)| begun == 0 && *cpu_us >= least) {
            players.first_move.of(is_of_case(0)).add(*sims, *cpu_us);
        }
    }

    /// The CPU time of the moves of each cell, in microseconds.
    pub(crate) fn cpu_us(&self) -> impl Iterator<Item = (CellId, u64)> {
        self.0.iter().map(|(cell, players)| (*cell, players.cpu_us))
    }

    /// The simulations of the case for 100 of its baseline, in the same CPU time; none with too few games.
    fn of(&self, part: CostPart, cell: CellId) -> Option<f64> {
        let players = self.0.get(&cell).filter(|players| players.games >= FEWEST_GAMES)?;
        let Ratio { case, baseline } = match part {
            CostPart::Game => &players.game,
            CostPart::FirstMove => &players.first_move,
        };
        let ratio = 100.0 * case.speed() / baseline.speed();
        ratio.is_finite().then_some(ratio)
    }

    /// A table of the series that `wanted` names a program for. Empty without enough games.
    pub(crate) fn table(
        &self,
        part: CostPart,
        report: &ExperimentReport,
        wanted: impl Fn(&Series) -> Option<&'static str>,
    ) -> String {
        let mut sizes = BTreeSet::new();
        let mut rows = Vec::new();
        for series in &report.series {
            let Some(program) = wanted(series) else { continue };
            let found: BTreeMap<_, _> = series
                .points
                .iter()
                .filter_map(|point| Some((point.size, self.of(part, point.cell)?)))
                .collect();
            if !found.is_empty() {
                sizes.extend(found.keys().copied());
                rows.push((series.label.as_str(), program, found));
            }
        }
        if rows.is_empty() {
            return String::new();
        }
        let heads: String = sizes.iter().map(|size| format!(" {size} |")).collect();
        let mut out = format!("| case | program |{heads}\n| --- | --- |{}\n", " ---: |".repeat(sizes.len()));
        for (label, program, found) in rows {
            let cells: String = sizes
                .iter()
                .map(|size| found.get(size).map_or(" – |".to_owned(), |ratio| format!(" {ratio:.0} |")))
                .collect();
            out += &format!("| {label} | {program} |{cells}\n");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::file;
    use crate::pages::{costs, exported};
    use std::path::Path;

    #[test]
    fn costs_are_those_of_the_games_that_the_pages_count() {
        let folder = &Path::new(crate::ROOT).join("docs/thesis");
        let file = file::read(&folder.join("conclusions.toml")).expect("conclusions");
        let mut games = 0;
        for (experiment, name) in file.exports() {
            let Some(report) = exported(folder, &name, &experiment).expect("an export") else { continue };
            let costs = costs(folder, &name).expect("costs");
            for point in report.series.iter().flat_map(|series| &series.points) {
                let found = costs.0.get(&point.cell).map_or(0, |players| players.games);
                assert_eq!(found, point.games, "{name}, cell {}", point.cell);
                games += found;
            }
        }
        assert!(games > 20_000);
    }
}
