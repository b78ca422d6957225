//! Games to hand in: a stock of real ones, played once, and the experiment whose games they are.
//!
//! The cells have no opening, so that every game of the stock is a legal game of every pair of its board size. The
//! coordinator replays each by the rules as it does all others.

use anyhow::Context;
use engine::havannah::{BoardSize, Outcome, Params};
use engine::params::ParamValue;
use engine::search::Budget as PlayBudget;
use engine::selfplay::{GameSpec, Player, play};
use engine::side::BySide;
use protocol::experiment::{CellSpec, Experiment, LabelledPlayer, PlannedCell};
use protocol::ids::{GameId, LeaseId};
use protocol::lease::{Budget, ParamSet};
use protocol::result::{FinishedGame, MoveColumns, Speed};
use std::ops::ControlFlow;

/// Boards on which the cells are, in turn.
const SIZES: [u8; 3] = [4, 5, 6];

/// Games of each size in stock.
const GAMES: u64 = 40;

/// Simulations a move.
const SIMS: u64 = 30;

/// Pairs planned in each cell: so many that no test runs out.
const PAIRS: u32 = 1_000_000;

/// Games that were played, by size.
pub(super) struct Stock {
    games: Vec<(BoardSize, Vec<(MoveColumns, Outcome)>)>,
}

fn sizes() -> anyhow::Result<Vec<BoardSize>> {
    SIZES.iter().map(|size| BoardSize::new(*size).context("a board size")).collect()
}

/// What is measured of every worker.
pub(super) fn speeds() -> anyhow::Result<Vec<Speed>> {
    Ok(sizes()?.into_iter().map(speed).collect())
}

fn speed(size: BoardSize) -> Speed {
    Speed { size, sims_per_s: protocol::lease::reference_speed(size), factor: 1.0, drift: 1.0 }
}

impl Stock {
    /// Plays the stock, in a second or so.
    pub(super) fn play() -> anyhow::Result<Self> {
        let player = |seed| Player { params: Params::default(), budget: PlayBudget::Sims(SIMS), seed };
        let game = |size, seed| {
            let players = BySide { white: player(2 * seed), black: player(2 * seed + 1) };
            let spec = GameSpec { size, opening: Vec::new(), players };
            let record = play(&spec, &mut |_| ControlFlow::Continue(()))?.context("nobody stops a game")?;
            anyhow::Ok((MoveColumns::from_record(size, &record), record.outcome))
        };
        let of_size = |size| {
            anyhow::Ok((size, (0..GAMES).map(|seed| game(size, seed)).collect::<anyhow::Result<_>>()?))
        };
        Ok(Self { games: sizes()?.into_iter().map(of_size).collect::<anyhow::Result<_>>()? })
    }

    /// A game as a worker reports it. The same game is always the same play.
    pub(super) fn finished(&self, game: GameId, lease: LeaseId, size: BoardSize) -> Option<FinishedGame> {
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

    /// Bytes of a game in a worker's call, on average.
    pub(super) fn mean_bytes(&self) -> f64 {
        let all = self.games.iter().flat_map(|(_, games)| games);
        let bytes: Vec<usize> =
            all.map(|(record, _)| serde_json::to_string(record).map_or(0, |text| text.len())).collect();
        bytes.iter().sum::<usize>() as f64 / bytes.len().max(1) as f64
    }
}

/// An experiment of so many cells. The same number gives the same experiment, so that a database can be used again.
pub(super) fn experiment(cells: u32) -> anyhow::Result<Experiment> {
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
                seed: 1,
            },
            weight: 1.0,
            pairs: PAIRS,
        }
    };
    Ok(Experiment {
        name: format!("load test, {cells} cells"),
        question: "How much does this coordinator bear? Nobody played these games.".into(),
        weight: 1.0,
        cells: (0..cells).map(cell).collect(),
    })
}
