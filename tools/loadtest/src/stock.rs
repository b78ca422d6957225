//! A stock of real games that the simulated workers deliver, and the experiment that the games belong to.
//!
//! The cells have no opening, so that every game of the stock is a legal game of every pair of its board size. The
//! coordinator checks each delivered game by the rules, like any other.

use anyhow::Context;
use engine::havannah::{BoardSize, Outcome, Params};
use engine::params::ParamValue;
use engine::search::Budget as PlayBudget;
use engine::selfplay::{GameSpec, Player, play};
use engine::side::BySide;
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell, Policy};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::{Budget, ParamSet};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::ops::ControlFlow;

/// Board sizes of the cells, in turn.
const SIZES: [u8; 3] = [4, 5, 6];

/// Number of games of each size in the stock.
const GAMES: u64 = 40;

/// Simulations per move.
const SIMS: u64 = 30;

/// Planned pairs of each cell: more than any test uses.
const PAIRS: u32 = 1_000_000;

/// Played games by board size.
pub(crate) struct GameStock {
    games: Vec<(BoardSize, Vec<(MoveColumns, Outcome)>)>,
}

fn sizes() -> anyhow::Result<Vec<BoardSize>> {
    SIZES.iter().map(|size| BoardSize::new(*size).context("a board size")).collect()
}

/// The calibrated speeds that every simulated worker reports.
pub(crate) fn speeds() -> anyhow::Result<Vec<Speed>> {
    Ok(sizes()?.into_iter().map(speed).collect())
}

fn speed(size: BoardSize) -> Speed {
    Speed { size, sims_per_s: protocol::lease::reference_speed(size), factor: 1.0, drift: 1.0 }
}

impl GameStock {
    /// Plays the stock, which takes about a second.
    pub(crate) fn play() -> anyhow::Result<Self> {
        let player = |seed| Player { params: Params::default(), budget: PlayBudget::Sims(SIMS), seed };
        let game = |size, seed| {
            let players = BySide { white: player(2 * seed), black: player(2 * seed + 1) };
            let spec = GameSpec { size, opening: Vec::new(), players };
            let record = play(&spec, &mut |_| ControlFlow::Continue(()))?.context("the game was stopped")?;
            anyhow::Ok((MoveColumns::from_record(size, &record), record.outcome))
        };
        let of_size = |size| {
            anyhow::Ok((size, (0..GAMES).map(|seed| game(size, seed)).collect::<anyhow::Result<_>>()?))
        };
        Ok(Self { games: sizes()?.into_iter().map(of_size).collect::<anyhow::Result<_>>()? })
    }

    /// A game as a worker reports it. The same game always gives the same moves.
    pub(crate) fn finished(&self, game: GameId, lease: LeaseId, size: BoardSize) -> Option<FinishedGame> {
        let games = &self.games.iter().find(|(of, _)| *of == size)?.1;
        let (record, outcome) = &games[game.0.as_u64_pair().0 as usize % games.len()];
        Some(FinishedGame {
            game,
            lease,
            outcome: *outcome,
            record: record.clone(),
            speed: speed(size),
            move_cpu_us: None,
            wall_ms: record.cpu_us.iter().sum::<u64>() / 1000,
        })
    }

    /// Average size of a game in a worker's call, in bytes.
    pub(crate) fn mean_bytes(&self) -> f64 {
        let all = self.games.iter().flat_map(|(_, games)| games);
        let bytes: Vec<usize> =
            all.map(|(record, _)| serde_json::to_string(record).map_or(0, |text| text.len())).collect();
        bytes.iter().sum::<usize>() as f64 / bytes.len().max(1) as f64
    }
}

/// An experiment with this number of cells. The same number gives the same experiment, so that a database can be used
/// again.
pub(crate) fn experiment(cells: u32) -> anyhow::Result<Experiment> {
    let sizes = sizes()?;
    let set = |name: &str, value: f64| ParamSet([(name.to_owned(), ParamValue::Number(value))].into());
    let player = |group: &str, label: String, params: &ParamSet| LabelledPlayer {
        group: group.to_owned(),
        label,
        params: params.clone(),
    };
    let baseline = set("rave_k", 0.0);
    let cell = |index: u32| {
        let rave_k = index / sizes.len() as u32 + 1;
        let case = set("rave_k", f64::from(rave_k));
        PlannedCell {
            case: player("rave", format!("rave_k={rave_k}"), &case),
            baseline: player("uct", "uct".into(), &baseline),
            spec: CellSpec {
                semantics: engine::SEMANTICS,
                case,
                baseline: baseline.clone(),
                size: sizes[index as usize % sizes.len()],
                budget: Budget::Sims(SIMS),
                opening_plies: 0,
                book: None,
                seed: 1,
            },
            weight: 1.0,
            pairs: PAIRS,
            stop: None,
        }
    };
    Ok(Experiment {
        name: format!("load test, {cells} cells"),
        question: "How much does this coordinator bear? Nobody played these games.".into(),
        weight: 1.0,
        policy: Policy::Coverage,
        file: None,
        tune: None,
        cells: (0..cells).map(cell).collect(),
    })
}
