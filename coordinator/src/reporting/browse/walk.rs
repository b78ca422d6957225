//! Several walks merged into one.

use crate::store::{GameScope, PlayCursor, PlayRow, StoreError, Tx};
use protocol::browse::GameOrder;
use std::collections::VecDeque;

/// The number of plays in the first read of all walks together, and in the largest read of one.
const AT_FIRST: usize = 200;
const AT_MOST: usize = 2_000;

/// One walk, with the plays that were read and not given yet.
struct Source {
    of: GameScope,
    read: VecDeque<PlayRow>,
    place: PlayCursor,
    is_over: bool,
}

/// All walks of a search.
pub(super) struct Walk {
    sources: Vec<Source>,
    order: GameOrder,
    /// Plays in one read from a source. It grows, because a long search finds little.
    at_once: usize,
}

impl Walk {
    pub(super) fn new(of: &[GameScope], order: GameOrder, start: PlayCursor) -> Self {
        let source = |of: &GameScope| Source { of: *of, read: VecDeque::new(), place: start, is_over: false };
        Self {
            sources: of.iter().map(source).collect(),
            order,
            at_once: (AT_FIRST / of.len().max(1)).clamp(8, AT_FIRST),
        }
    }

    /// Continues from a later place. All sources are read again, also the exhausted ones.
    pub(super) fn jump(&mut self, to: PlayCursor) {
        for source in &mut self.sources {
            source.read.clear();
            source.is_over = false;
            source.place = to;
        }
    }

    /// The next plays in the order; fewer than `number` at the end only.
    pub(super) async fn take(&mut self, tx: &mut Tx, number: usize) -> Result<Vec<PlayRow>, StoreError> {
        let mut taken = Vec::with_capacity(number);
        while taken.len() < number {
            for source in &mut self.sources {
                if source.read.is_empty() && !source.is_over {
                    let read = tx.walk(source.of, self.order, source.place, self.at_once as i64).await?;
                    source.is_over = read.len() < self.at_once;
                    if let Some(last) = read.last() {
                        source.place = PlayCursor::of(last, self.order);
                    }
                    source.read = read.into();
                }
            }
            let order = self.order;
            let fronts = self.sources.iter_mut().filter_map(|source| {
                let place = PlayCursor::of(source.read.front()?, order);
                Some((place, source))
            });
            let first = match order {
                GameOrder::Newest | GameOrder::Longest | GameOrder::Surprising => {
                    fronts.max_by_key(|(place, _)| *place)
                }
                GameOrder::Oldest | GameOrder::Shortest => fronts.min_by_key(|(place, _)| *place),
            };
            let Some((_, source)) = first else { break };
            taken.extend(source.read.pop_front());
        }
        self.at_once = (2 * self.at_once).min(AT_MOST);
        Ok(taken)
    }
}
