//! The files of a reproducibility bundle.

mod archive;

use super::games::games;
use super::plans::PlanCache;
use crate::error::CoordinatorError;
use crate::pairs::{opening, pair_seed};
use crate::store::{ExperimentRow, Tx};
use engine::havannah::Notation;
use protocol::bundle::BundledGame;
use protocol::ids::{CellId, GameId, LeaseId};
use std::collections::HashMap;

pub(crate) use archive::Archive;

/// The explanation for the reader of an unpacked bundle: a page of the documentation.
pub(crate) const README: &str = include_str!("../../../docs/reference/bundle.md");

/// The number of games in a file. A file is in memory while it is made.
const GAMES_A_FILE: u32 = 500;

/// A page of an experiment's games with their moves, from a place that an earlier page named, and the next place.
pub(crate) async fn bundled_games(
    tx: &mut Tx,
    plans: &PlanCache,
    experiment: &ExperimentRow,
    after: Option<&str>,
) -> Result<(Vec<BundledGame>, Option<String>), CoordinatorError> {
    let page = games(tx, plans, experiment, after, GAMES_A_FILE).await?;
    let page =
        page.ok_or_else(|| CoordinatorError::unknown("place", after.unwrap_or_default().to_owned()))?;
    let plan = plans.get(tx, experiment).await?;
    let specs: HashMap<CellId, _> = plan.cells.iter().map(|cell| (cell.cell, &cell.spec)).collect();
    let plays: Vec<(GameId, LeaseId)> = page.games.iter().map(|line| (line.id, line.lease)).collect();
    let mut records: HashMap<_, _> = tx.records(&plays).await?.into_iter().collect();
    let bundled = page.games.into_iter().filter_map(|line| {
        let spec = (*specs.get(&line.cell)?).clone();
        Some(BundledGame {
            opening: Notation::Gui.write_list(spec.size, &opening(&spec, line.pair)),
            seed: pair_seed(&spec, line.pair),
            play: records.remove(&(line.id, line.lease)).flatten(),
            spec,
            line,
        })
    });
    Ok((bundled.collect(), page.next))
}
