//! The query of a search: the walks that find its games, and the filter for the games that they pass.

use super::super::overview::find;
use super::super::plans::PlanCache;
use super::super::prefix::cell_id;
use super::about::{CellAbout, result};
use crate::error::CoordinatorError;
use crate::pairs::opening;
use crate::store::{GameScope, PlannedCellRow, PlayCursor, PlayRow, Tx};
use engine::havannah::{BoardSize, Notation};
use engine::numbers;
use protocol::board_sizes;
use protocol::browse::{GameOrder, GameSearch};
use protocol::ids::{CellId, ExperimentId, WorkerId};
use protocol::lease::Budget;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// The most walks that are merged. With more, one walk passes the games of all cells.
const MOST_WALKS: usize = 64;

/// A parsed query.
pub(super) struct Selection {
    /// The walks that pass all wanted games.
    pub(super) walks: Vec<GameScope>,
    pub(super) order: GameOrder,
    /// Where the walks begin.
    pub(super) start: PlayCursor,
    /// The range of the sort key of wanted games: of the time of arrival, the number of moves or the expectation of the loser.
    keys: RangeInclusive<i64>,
    pub(super) experiment: Option<ExperimentId>,
    cells: Option<HashSet<CellId>>,
    workers: Option<Vec<WorkerId>>,
    sizes: Option<Vec<BoardSize>>,
    budget: Option<Budget>,
    query: GameSearch,
}

fn bad(message: impl Into<String>) -> CoordinatorError {
    CoordinatorError::BadSearch(message.into())
}

/// Whether a text contains all words, regardless of letter case. A number does not match a part of a longer one: `k=1` is not in
/// `k=10` or `k=1.5`.
fn has_words(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    let is_whole = |at: usize, word: &str| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let is_digit = |c: char| c.is_ascii_digit();
        let begun = before.strip_suffix('.').unwrap_or(before).ends_with(is_digit);
        let goes_on = after.strip_prefix('.').unwrap_or(after).starts_with(is_digit);
        !(word.starts_with(is_digit) && begun || word.ends_with(is_digit) && goes_on)
    };
    words
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.match_indices(word).any(|(at, found)| is_whole(at, found)))
}

/// The cells that words match: those with exactly this name, or else those whose names contain the words.
fn meant<'c>(
    mut cells: Vec<&'c PlannedCellRow>,
    words: Option<&str>,
    names: impl Fn(&PlannedCellRow) -> Vec<String>,
) -> Vec<&'c PlannedCellRow> {
    let Some(words) = words else { return cells };
    let whole = words.trim().to_lowercase();
    let is_called = |cell: &PlannedCellRow| names(cell).iter().any(|name| name.to_lowercase() == whole);
    if cells.iter().any(|cell| is_called(cell)) {
        cells.retain(|cell| is_called(cell));
    } else {
        cells.retain(|cell| has_words(&names(cell).join(" "), words));
    }
    cells
}

/// The items of a list with commas.
fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// Per cent as the thousandths of column `surprise`.
fn thousandths(percent: u32) -> i64 {
    10 * i64::from(percent)
}

fn read_sizes(list: &str) -> Result<Vec<BoardSize>, CoordinatorError> {
    board_sizes::list(list).map_err(|why| bad(format!("`size`: {why}")))
}

/// Reads a place as [`write_place`] writes it.
fn read_place(text: &str) -> Option<PlayCursor> {
    let mut parts = text.split('.');
    let place = PlayCursor {
        key: parts.next()?.parse().ok()?,
        game: parts.next()?.parse().ok()?,
        lease: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(place)
}

/// A budget as files and commands write it: `280000000 sims`, also in groups of digits, or `0.5 s`.
fn read_budget(text: &str) -> Result<Budget, CoordinatorError> {
    let plain = text.replace('\u{202f}', "");
    let sims = plain.strip_suffix(" sims").and_then(numbers::whole).map(Budget::Sims);
    let seconds = || {
        let seconds = plain.strip_suffix(" s").and_then(|number| number.parse().ok());
        seconds.filter(|seconds: &f64| seconds.is_finite()).map(Budget::ReferenceSeconds)
    };
    sims.or_else(seconds)
        .ok_or_else(|| bad(format!("`{text}` in `budget` is no budget; write it as `1000 sims` or `0.5 s`")))
}

async fn read_cells(tx: &mut Tx, list: &str) -> Result<HashSet<CellId>, CoordinatorError> {
    let mut cells = HashSet::new();
    for item in items(list) {
        cells.insert(cell_id(tx, item).await?);
    }
    Ok(cells)
}

async fn read_workers(tx: &mut Tx, key: &str) -> Result<Vec<WorkerId>, CoordinatorError> {
    let called = tx.workers_called(key).await?;
    if !called.is_empty() {
        return Ok(called);
    }
    match key.parse() {
        Ok(id) => Ok(vec![id]),
        Err(_) => {
            let workers = tx.workers().await?;
            let names = workers.iter().map(|worker| worker.name.as_str());
            Err(CoordinatorError::unknown_among("worker", key, names))
        }
    }
}

impl Selection {
    /// Reads a query.
    pub(super) async fn read(
        tx: &mut Tx,
        plans: &PlanCache,
        query: GameSearch,
    ) -> Result<Self, CoordinatorError> {
        let sizes = query.size.as_deref().map(read_sizes).transpose()?;
        let budget = query.budget.as_deref().map(read_budget).transpose()?;
        let (mut experiment, mut cells) = (None, None);
        if let Some(key) = &query.experiment {
            let row = find(tx, key).await?;
            let plan = plans.get(tx, &row).await?;
            let named = meant(plan.cells.iter().collect(), query.case.as_deref(), |cell| {
                let (group, label) = (&cell.case_group, &cell.case_label);
                vec![group.clone(), label.clone(), format!("{group} {label}")]
            });
            let named = meant(named, query.baseline.as_deref(), |cell| vec![cell.baseline_label.clone()]);
            let is_wanted = |cell: &&PlannedCellRow| {
                sizes.as_ref().is_none_or(|sizes| sizes.contains(&cell.spec.size))
                    && budget.is_none_or(|budget| cell.spec.budget == budget)
            };
            let wanted = named.into_iter().filter(is_wanted).map(|cell| cell.cell);
            cells = Some(wanted.collect::<HashSet<_>>());
            experiment = Some(row.id);
        }
        if let Some(list) = &query.cell {
            let named = read_cells(tx, list).await?;
            cells = Some(match cells {
                Some(cells) => cells.intersection(&named).copied().collect(),
                None => named,
            });
        }
        let workers = match &query.worker {
            Some(key) => Some(read_workers(tx, key).await?),
            None => None,
        };
        let is_by_time = matches!(query.sort, GameOrder::Newest | GameOrder::Oldest);
        let is_by_surprise = query.sort == GameOrder::Surprising;
        if query.min_expected.is_some_and(|least| least > 100) {
            return Err(bad("`min_expected` is a percentage from 0 to 100"));
        }
        let walks = match (&cells, &workers) {
            (Some(cells), _) if (is_by_time || is_by_surprise) && cells.len() <= MOST_WALKS => {
                cells.iter().copied().map(GameScope::Cell).collect()
            }
            (_, Some(workers)) if is_by_time && workers.len() <= MOST_WALKS => {
                workers.iter().copied().map(GameScope::Worker).collect()
            }
            _ => vec![GameScope::All],
        };
        let keys = if is_by_time {
            query.since_ms.unwrap_or(i64::MIN)
                ..=query.until_ms.map_or(i64::MAX, |until| until.saturating_sub(1))
        } else if is_by_surprise {
            query.min_expected.map_or(i64::MIN, thousandths)..=i64::MAX
        } else {
            query.min_plies.map_or(i64::MIN, i64::from)..=query.max_plies.map_or(i64::MAX, i64::from)
        };
        let start = match &query.after {
            Some(text) => read_place(text)
                .ok_or_else(|| bad(format!("`{text}` in `after` is no place that an earlier page named")))?,
            None => match query.sort {
                GameOrder::Newest | GameOrder::Longest | GameOrder::Surprising => {
                    PlayCursor::before(*keys.end(), query.sort)
                }
                GameOrder::Oldest | GameOrder::Shortest => PlayCursor::before(*keys.start(), query.sort),
            },
        };
        Ok(Self { walks, order: query.sort, start, keys, experiment, cells, workers, sizes, budget, query })
    }

    /// Whether all wanted games are before this place.
    pub(super) fn is_past(&self, place: PlayCursor) -> bool {
        match self.order {
            GameOrder::Newest | GameOrder::Longest | GameOrder::Surprising => place.key < *self.keys.start(),
            GameOrder::Oldest | GameOrder::Shortest => place.key > *self.keys.end(),
        }
    }

    /// The experiment whose games may be sparse in a walk over all games.
    pub(super) fn sparse_experiment(&self) -> Option<ExperimentId> {
        let passes_all = self.walks == [GameScope::All] && self.order == GameOrder::Newest;
        self.experiment.filter(|_| passes_all)
    }

    /// Whether a play is wanted, by its own row.
    pub(super) fn wants(&self, row: &PlayRow) -> bool {
        let query = &self.query;
        let plies = row.play.plies;
        query.status.is_none_or(|status| row.play.status == status)
            && query.side.is_none_or(|side| row.play.case_side == side)
            && query.kind.is_none_or(|kind| row.play.outcome.kind() == Some(kind))
            && query.result.is_none_or(|wanted| result(row) == wanted)
            && query.min_plies.is_none_or(|least| plies >= least)
            && query.max_plies.is_none_or(|most| plies <= most)
            && query
                .min_expected
                .is_none_or(|least| row.play.surprise.is_some_and(|expected| expected >= thousandths(least)))
            && query.since_ms.is_none_or(|since| row.received_ms >= since)
            && query.until_ms.is_none_or(|until| row.received_ms < until)
            && self.cells.as_ref().is_none_or(|cells| cells.contains(&row.play.cell))
            && self.workers.as_ref().is_none_or(|workers| workers.contains(&row.play.worker))
    }

    /// Whether a play is wanted, by its cell.
    pub(super) fn wants_of(&self, row: &PlayRow, about: &CellAbout) -> bool {
        let query = &self.query;
        let spec = &about.spec;
        self.sizes.as_ref().is_none_or(|sizes| sizes.contains(&spec.size))
            && self.budget.is_none_or(|budget| spec.budget == budget)
            && query.case.as_ref().is_none_or(|words| has_words(&about.case(), words))
            && query.baseline.as_ref().is_none_or(|words| has_words(&about.baseline(), words))
            && query.opening.as_ref().is_none_or(|wanted| {
                let moves = Notation::Gui.write_list(spec.size, &opening(spec, row.play.idx));
                let wanted = wanted.to_lowercase();
                let mut moves = moves.split_whitespace();
                wanted.split_whitespace().all(|cell| moves.next() == Some(cell))
            })
    }

    /// The most games on a page, if the query gives a number.
    pub(super) fn limit(&self) -> Option<u32> {
        self.query.limit
    }
}

/// The text of a place, for the next page.
pub(super) fn write_place(place: PlayCursor) -> String {
    format!("{}.{}.{}", place.key, place.game.0.simple(), place.lease.0.simple())
}

#[cfg(test)]
mod tests {
    use super::has_words;

    #[test]
    fn a_number_is_not_found_in_a_longer_one() {
        let found = |words: &str| {
            let texts =
                ["rave rave_k=1", "rave rave_k=10", "rave rave_k=1000", "rave rave_k=1.5", "uct c=0.1"];
            texts.into_iter().filter(|text| has_words(text, words)).collect::<Vec<_>>()
        };
        assert_eq!(found("rave_k=1"), ["rave rave_k=1"]);
        assert_eq!(found("RAVE 10"), ["rave rave_k=10"]);
        assert_eq!(found("1"), ["rave rave_k=1"]);
        assert_eq!(found("0"), Vec::<&str>::new());
        assert_eq!(found("1.5"), ["rave rave_k=1.5"]);
        assert_eq!(found("rave_k").len(), 4);
    }
}
