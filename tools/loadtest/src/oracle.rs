//! The test's own count of all delivered games, from the acknowledgements alone.

use engine::havannah::Outcome;
use engine::side::Side;
use protocol::ids::{CellId, GameId};
use protocol::report::ExperimentReport;
use protocol::sync::{Ack, AckStatus};
use std::collections::{HashMap, HashSet};

/// A delivered game that is not acknowledged yet, and its result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) game: GameId,
    pub(crate) cell: CellId,
    pub(crate) case_side: Side,
    pub(crate) outcome: Outcome,
}

/// The case's wins, draws and losses.
type Results = [i64; 3];

/// The expected totals.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    counted: HashSet<GameId>,
    by_cell: HashMap<CellId, Results>,
    /// The first few mistakes of the coordinator, in words.
    pub(crate) wrong: Vec<String>,
    /// Number of games that were delivered again and correctly acknowledged as duplicates.
    pub(crate) repeated: u64,
    /// Number of counted games that were played again as rechecks.
    pub(crate) replayed: u64,
}

/// The largest number of mistakes that are listed.
const MOST_WRONG: usize = 20;

impl Oracle {
    /// Processes acknowledgements. `again` means that the games may have been stored before, by a call with a lost
    /// answer.
    pub(crate) fn hear(&mut self, sent: &[Entry], acks: &[Ack], again: bool) {
        for (entry, ack) in sent.iter().zip(acks) {
            if entry.game != ack.game {
                self.complain(format!("game {} was acknowledged as {}", entry.game, ack.game));
            }
            let is_new = !self.counted.contains(&entry.game);
            match ack.status {
                AckStatus::Accepted if is_new => self.count(entry),
                AckStatus::Duplicate if !is_new => self.repeated += 1,
                AckStatus::Duplicate if again => self.count(entry),
                // A share of the games is rechecked on other machines, by leases that look like any other.
                AckStatus::Superseded if !is_new => self.replayed += 1,
                status => {
                    let known = if is_new { "not counted before" } else { "counted before" };
                    let message = ack.message.as_deref().unwrap_or_default();
                    self.complain(format!("game {}, {known}, was {status:?} {message}", entry.game));
                }
            }
        }
    }

    fn count(&mut self, entry: &Entry) {
        self.counted.insert(entry.game);
        let index = match entry.outcome.half_points(entry.case_side) {
            2 => 0,
            1 => 1,
            _ => 2,
        };
        self.by_cell.entry(entry.cell).or_default()[index] += 1;
    }

    /// Records a mistake.
    pub(crate) fn complain(&mut self, mistake: String) {
        if self.wrong.len() < MOST_WRONG {
            self.wrong.push(mistake);
        }
    }

    /// Number of games that were acknowledged as counted.
    pub(crate) fn games(&self) -> u64 {
        self.counted.len() as u64
    }

    /// The numbers of games that the coordinator lost and that it counted twice, from its totals before and after the
    /// test.
    pub(crate) fn compare(&self, before: &ExperimentReport, after: &ExperimentReport) -> (u64, u64) {
        let (before, after) = (results(before), results(after));
        let (mut lost, mut doubled) = (0, 0);
        for (cell, after) in &after {
            let before = before.get(cell).copied().unwrap_or_default();
            let own = self.by_cell.get(cell).copied().unwrap_or_default();
            for index in 0..3 {
                let more = after[index] - before[index] - own[index];
                lost += more.min(0).unsigned_abs();
                doubled += more.max(0).unsigned_abs();
            }
        }
        let missing = self.by_cell.iter().filter(|(cell, _)| !after.contains_key(*cell));
        lost += missing.flat_map(|(_, own)| own).map(|games| games.unsigned_abs()).sum::<u64>();
        (lost, doubled)
    }
}

fn results(report: &ExperimentReport) -> HashMap<CellId, Results> {
    let points = report.series.iter().flat_map(|series| &series.points);
    points.map(|point| (point.cell, [point.wins, point.draws, point.losses].map(|n| n as i64))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ids::LeaseId;

    fn heard(acks: &[(u32, AckStatus, bool)]) -> Oracle {
        let mut oracle = Oracle::default();
        let cell = CellId("00000000-0000-8000-8000-000000000001".parse().expect("an id"));
        for (pair, status, again) in acks {
            let game = GameId::of(cell, *pair, 0);
            let entry = Entry { game, cell, case_side: Side::White, outcome: Outcome::Draw };
            let ack = Ack { game, lease: LeaseId::random(), status: *status, message: None };
            oracle.hear(&[entry], &[ack], *again);
        }
        oracle
    }

    #[test]
    fn repeats_are_known_and_everything_else_is_a_mistake() {
        use AckStatus::{Accepted, Duplicate, Rejected, Superseded};
        let good = heard(&[
            (1, Accepted, false),
            (1, Duplicate, false),
            (2, Duplicate, true),
            (2, Superseded, false),
        ]);
        assert_eq!((good.games(), good.repeated, good.replayed, good.wrong.len()), (2, 1, 1, 0));
        for bad in [
            &[(1, Duplicate, false)][..],
            &[(1, Accepted, false), (1, Accepted, false)],
            &[(1, Superseded, false)],
            &[(1, Rejected, true)],
        ] {
            assert_eq!(heard(bad).wrong.len(), 1, "{bad:?}");
        }
    }
}
