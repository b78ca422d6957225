//! The counters of a cell, which change only here.

use super::columns::read_policy;
use super::sql::{Columns, execute_many, rows_many};
use super::stopping::{RowStopping, Stopping};
use super::{StoreError, Tx};
use crate::priority::priority;
use engine::havannah::{Outcome, WinKind};
use engine::side::Side;
use protocol::experiment::Policy;
use protocol::ids::{CellId, ExperimentId};
use stats::{PairCounts, Reading, Unfinished};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The columns of [`Counters`] in a statement, in the order of [`Counters::named`].
macro_rules! counters {
    () => {
        "games, wins, draws, losses, ll, ld, wl, dd, wd, ww, forks, bridges, rings, plies, first_move_wins, pairs_started, \
         pairs_in_flight, pairs_done, pairs_aside, core_us, games_timed, void_games"
    };
}
pub(super) use counters;

/// [`Counters::waiting`] of a row of `cell`. With up to four unfinished pairs it is not computed: most cells have no more.
macro_rules! waiting {
    () => {
        "CASE WHEN pairs_started - pairs_done <= 4 THEN 0 ELSE pairs_started - COALESCE((SELECT pair.idx + 1 FROM pair \
         WHERE pair.cell = cell.id AND (pair.first IS NOT NULL OR pair.second IS NOT NULL) ORDER BY pair.idx DESC LIMIT 1), 0) END"
    };
}
pub(super) use waiting;

/// Counters of a cell, or changes of them. Results are the case's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counters {
    pub(crate) games: i64,
    pub(crate) wins: i64,
    pub(crate) draws: i64,
    pub(crate) losses: i64,
    /// LL, LD, WL, DD, WD, WW.
    pub(crate) pair_counts: [i64; 6],
    /// Fork, bridge, ring.
    pub(crate) win_kinds: [i64; 3],
    pub(crate) plies: i64,
    pub(crate) first_move_wins: i64,
    pub(crate) pairs_started: i64,
    pub(crate) pairs_in_flight: i64,
    pub(crate) pairs_done: i64,
    pub(crate) pairs_aside: i64,
    /// Core microseconds of the counted games of which they are known, and the number of these games.
    pub(crate) core_us: i64,
    pub(crate) games_timed: i64,
    /// Games without a counted result: attempts that failed, and plays that were excluded.
    pub(crate) void_games: i64,
    /// The last pairs that were started, of which no game is counted and after which no pair has a counted game. Reports use it
    /// where many pairs are in flight; it is computed and has no column.
    pub(crate) waiting: i64,
}

impl Counters {
    /// Counts a game; with `sign` −1, uncounts it.
    pub(crate) fn count_game(&mut self, sign: i64, case_side: Side, outcome: Outcome, plies: i64) {
        self.games += sign;
        *match outcome.half_points(case_side) {
            2 => &mut self.wins,
            1 => &mut self.draws,
            _ => &mut self.losses,
        } += sign;
        if let Some(kind) = outcome.kind() {
            let index = match kind {
                WinKind::Fork => 0,
                WinKind::Bridge => 1,
                WinKind::Ring => 2,
            };
            self.win_kinds[index] += sign;
        }
        self.plies += sign * plies;
        if outcome.winner() == Some(Side::White) {
            self.first_move_wins += sign;
        }
    }

    /// Counts the core time of a game, if it is known; with `sign` −1, uncounts it.
    pub(crate) fn count_time(&mut self, sign: i64, core_us: Option<i64>) {
        if let Some(core_us) = core_us {
            self.core_us += sign * core_us;
            self.games_timed += sign;
        }
    }

    /// Counts a complete pair by the case's half-points in its games; with `sign` −1, uncounts it.
    pub(crate) fn count_pair(&mut self, sign: i64, first: u8, second: u8) {
        self.pairs_done += sign;
        self.pair_counts[PairCounts::category(first, second)] += sign;
    }

    /// Games that count towards a plan of `planned` pairs. A half-played pair counts as long as the plan has room for
    /// it, but only complete pairs fulfil the plan: halves of others never replace a missing game.
    pub(crate) fn games_towards(&self, planned: i64) -> i64 {
        let done = self.pairs_done.min(planned);
        let halves = (self.games - 2 * self.pairs_done).min(planned - done);
        2 * done + halves
    }

    /// Pairs that need not be leased: in flight, complete, or suspended. A suspended pair is not replaced by another, because a
    /// plan that drops the pairs that are hard to play measures something else.
    pub(crate) fn pairs_taken(&self) -> i64 {
        self.pairs_in_flight + self.pairs_done + self.pairs_aside
    }

    /// Pairs that were started and are neither in flight, nor complete, nor suspended.
    pub(crate) fn pairs_open(&self) -> i64 {
        self.pairs_started - self.pairs_taken()
    }

    /// The pairs from the first one to the last one with a counted game. Estimates are about these: pairs are started in the
    /// order of their numbers, which no result changes, so those behind the last one may be left out.
    pub(crate) fn pairs_begun(&self) -> u64 {
        (self.pairs_started - self.waiting).unsigned_abs()
    }

    /// The complete pairs by their results.
    pub(crate) fn complete(&self) -> PairCounts {
        PairCounts::from(self.pair_counts.map(i64::unsigned_abs))
    }

    /// The pairs that were begun and are not complete: open, in flight or suspended.
    pub(crate) fn unfinished(&self) -> Unfinished {
        let [ll, ld, wl, dd, wd, ww] = self.pair_counts;
        let halves =
            [self.losses - 2 * ll - ld - wl, self.draws - ld - 2 * dd - wd, self.wins - wl - wd - 2 * ww];
        Unfinished {
            pairs: self.pairs_begun().saturating_sub(self.pairs_done.unsigned_abs()),
            games: halves.map(|games| games.max(0).unsigned_abs()),
        }
    }

    /// The place of the cell in an experiment that gives it this share: see [`priority`].
    pub(crate) fn priority(&self, policy: Policy, share: f64) -> f64 {
        priority(policy, self.pairs_taken(), &self.pair_counts, share)
    }

    /// Whether an experiment that plans so many pairs has some left to lease.
    pub(crate) fn is_open(&self, planned: i64) -> bool {
        self.pairs_taken() < planned
    }

    fn add(&mut self, change: &Self) {
        self.games += change.games;
        self.wins += change.wins;
        self.draws += change.draws;
        self.losses += change.losses;
        let kinds = self.win_kinds.iter_mut().zip(change.win_kinds);
        self.pair_counts.iter_mut().zip(change.pair_counts).chain(kinds).for_each(|(sum, n)| *sum += n);
        self.plies += change.plies;
        self.first_move_wins += change.first_move_wins;
        self.pairs_started += change.pairs_started;
        self.pairs_in_flight += change.pairs_in_flight;
        self.pairs_done += change.pairs_done;
        self.pairs_aside += change.pairs_aside;
        self.core_us += change.core_us;
        self.games_timed += change.games_timed;
        self.void_games += change.void_games;
    }

    /// Every counter with its column.
    pub(crate) fn named(&self) -> [(&'static str, i64); 22] {
        let [ll, ld, wl, dd, wd, ww] = self.pair_counts;
        let [forks, bridges, rings] = self.win_kinds;
        [
            ("games", self.games),
            ("wins", self.wins),
            ("draws", self.draws),
            ("losses", self.losses),
            ("ll", ll),
            ("ld", ld),
            ("wl", wl),
            ("dd", dd),
            ("wd", wd),
            ("ww", ww),
            ("forks", forks),
            ("bridges", bridges),
            ("rings", rings),
            ("plies", self.plies),
            ("first_move_wins", self.first_move_wins),
            ("pairs_started", self.pairs_started),
            ("pairs_in_flight", self.pairs_in_flight),
            ("pairs_done", self.pairs_done),
            ("pairs_aside", self.pairs_aside),
            ("core_us", self.core_us),
            ("games_timed", self.games_timed),
            ("void_games", self.void_games),
        ]
    }

    /// Reads the counters of a row of `cell`.
    pub(super) fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Self::in_order(|column| row.bigint(column))
    }

    /// Asks for every counter by its column, in the order of [`Counters::named`].
    pub(super) fn in_order<E>(mut of: impl FnMut(&'static str) -> Result<i64, E>) -> Result<Self, E> {
        Ok(Self {
            games: of("games")?,
            wins: of("wins")?,
            draws: of("draws")?,
            losses: of("losses")?,
            pair_counts: [of("ll")?, of("ld")?, of("wl")?, of("dd")?, of("wd")?, of("ww")?],
            win_kinds: [of("forks")?, of("bridges")?, of("rings")?],
            plies: of("plies")?,
            first_move_wins: of("first_move_wins")?,
            pairs_started: of("pairs_started")?,
            pairs_in_flight: of("pairs_in_flight")?,
            pairs_done: of("pairs_done")?,
            pairs_aside: of("pairs_aside")?,
            core_us: of("core_us")?,
            games_timed: of("games_timed")?,
            void_games: of("void_games")?,
            waiting: 0,
        })
    }
}

/// The changes of counters in a group of requests. Each cell and each experiment is written once, in the order of ids.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    cells: BTreeMap<CellId, Counters>,
    charges: BTreeMap<ExperimentId, Charge>,
    /// The cells of which a complete pair was uncounted, or a game counts again that was excluded: their stopping rules read
    /// again from the beginning.
    uncounted: BTreeSet<CellId>,
}

/// What an experiment was charged in a group of requests.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Charge {
    /// Core microseconds; below 0 when estimates were corrected downwards.
    pub(crate) core_us: i64,
    /// Core microseconds of imported games, which leave the virtual time unchanged.
    pub(crate) past_us: i64,
    /// What the budgets suggested for the same.
    pub(crate) prior_us: i64,
    /// The virtual time at which its last lease began, if there was one.
    pub(crate) start: Option<f64>,
}

impl Changes {
    /// The change of a cell so far.
    pub(crate) fn of(&mut self, cell: CellId) -> &mut Counters {
        self.cells.entry(cell).or_default()
    }

    /// Notes that a complete pair of a cell was uncounted, or that a game that was excluded counts again.
    pub(super) fn note_uncounted(&mut self, cell: CellId) {
        self.uncounted.insert(cell);
    }

    /// What an experiment was charged so far.
    pub(crate) fn charge(&mut self, experiment: ExperimentId) -> &mut Charge {
        self.charges.entry(experiment).or_default()
    }

    /// Core microseconds that an experiment was charged and that are not written.
    pub(super) fn unwritten_us(&self, experiment: ExperimentId) -> i64 {
        self.charges.get(&experiment).map_or(0, |charge| charge.core_us)
    }

    /// Whether there is such a change.
    pub(super) fn any(&self, such: impl Fn(&Counters) -> bool) -> bool {
        self.cells.values().any(such)
    }

    /// Adds the change of a cell to its stored counters.
    pub(super) fn apply(&self, cell: CellId, counters: &mut Counters) {
        if let Some(change) = self.cells.get(&cell) {
            counters.add(change);
        }
    }

    /// Writes and clears all changes: the cells, the priorities of their rows in experiments, and the totals and rates
    /// of the experiments.
    pub(crate) async fn flush(&mut self, tx: &mut Tx, now_ms: i64) -> Result<(), StoreError> {
        let uncounted = std::mem::take(&mut self.uncounted);
        self.cells.retain(|cell, change| *change != Counters::default() || uncounted.contains(cell));
        let (changes, charges) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.charges));
        let mut totals: BTreeMap<ExperimentId, ExperimentTotals> = BTreeMap::new();
        for (experiment, charge) in charges {
            totals.entry(experiment).or_default().charge = Some(charge);
        }
        if !uncounted.is_empty() {
            tx.note_uncounted_trials(&uncounted.iter().copied().collect::<Vec<_>>()).await?;
        }
        if !changes.is_empty() {
            let after = tx.change_cells(&changes.iter().collect::<Vec<_>>()).await?;
            if let Some(cell) = changes.keys().find(|cell| !after.contains_key(cell)) {
                return Err(StoreError::unreadable("cell")(format!("{cell} is missing")));
            }
            let mut plans = tx.plans_of_cells(&changes.keys().copied().collect::<Vec<_>>()).await?;
            let completed = |cell: &CellId| changes[cell].pairs_done != 0;
            tx.read_on_in(&mut plans, completed, &uncounted).await?;
            tx.set_priorities(&plans.iter().map(|plan| plan.place(&after[&plan.cell])).collect::<Vec<_>>())
                .await?;
            for plan in plans.iter().filter(|plan| !plan.is_closed) {
                let (change, after) = (&changes[&plan.cell], &after[&plan.cell]);
                let before = Counters {
                    games: after.games - change.games,
                    pairs_done: after.pairs_done - change.pairs_done,
                    ..*after
                };
                let totals = totals.entry(plan.experiment).or_default();
                totals.games_done += after.games_towards(plan.pairs) - before.games_towards(plan.pairs);
                totals.pairs_in_flight += change.pairs_in_flight;
                totals.pairs_aside += change.pairs_aside;
                totals.games_counted += change.games.max(0);
            }
        }
        tx.change_experiments(&totals.into_iter().collect::<Vec<_>>(), now_ms).await
    }
}

/// What an experiment plans for a cell.
struct PlannedPairs {
    experiment: ExperimentId,
    position: i64,
    cell: CellId,
    pairs: i64,
    share: f64,
    is_off: bool,
    /// Whether a revision took the cell out of the plan.
    is_closed: bool,
    policy: Policy,
    stopping: Option<Stopping>,
}

/// A row of `experiment_cell`, by experiment and position, with its priority and its state.
type RowPriority = (ExperimentId, i64, f64, &'static str);

impl PlannedPairs {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            experiment: ExperimentId(row.uuid("experiment")?),
            position: row.bigint("position")?,
            cell: CellId(row.uuid("cell")?),
            pairs: row.bigint("pairs")?,
            share: row.real("share")?,
            is_off: row.text("state")? == "off",
            is_closed: row.maybe_bigint("closed")?.is_some(),
            policy: read_policy(row)?,
            stopping: Stopping::from_row(row)?,
        })
    }

    fn place(&self, counters: &Counters) -> RowPriority {
        let is_stopped = self.stopping.is_some_and(|stopping| stopping.is_decided());
        let state = row_state(self.is_off, counters.is_open(self.pairs) && !is_stopped);
        (self.experiment, self.position, counters.priority(self.policy, self.share), state)
    }
}

/// The state of a row of `experiment_cell`: off because of a pause, the archive or a revision, or else open if it has pairs to
/// lease.
pub(super) fn row_state(is_off: bool, is_open: bool) -> &'static str {
    match (is_off, is_open) {
        (true, _) => "off",
        (false, true) => "open",
        (false, false) => "full",
    }
}

/// Changes of an experiment's totals.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct ExperimentTotals {
    games_done: i64,
    pairs_in_flight: i64,
    pairs_aside: i64,
    /// For its rate.
    games_counted: i64,
    charge: Option<Charge>,
}

impl Tx {
    /// Adds to the counters of cells; gives the new counters.
    async fn change_cells(
        &mut self,
        changes: &[(&CellId, &Counters)],
    ) -> Result<HashMap<CellId, Counters>, StoreError> {
        let after = rows_many!(
            &mut *self,
            |row| Ok((CellId(row.uuid("id")?), Counters::from_row(row)?)),
            concat!(
                "UPDATE cell SET games = games + column2, wins = wins + column3, draws = draws + column4, \
                 losses = losses + column5, ll = ll + column6, ld = ld + column7, wl = wl + column8, dd = dd + column9, \
                 wd = wd + column10, ww = ww + column11, forks = forks + column12, bridges = bridges + column13, \
                 rings = rings + column14, plies = plies + column15, first_move_wins = first_move_wins + column16, \
                 pairs_started = pairs_started + column17, pairs_in_flight = pairs_in_flight + column18, \
                 pairs_done = pairs_done + column19, pairs_aside = pairs_aside + column20, core_us = core_us + column21, \
                 games_timed = games_timed + column22, void_games = void_games + column23 \
                 FROM (VALUES {rows}) AS change WHERE id = column1 \
                 RETURNING id, ",
                counters!()
            ),
            changes,
            |change| change.0.0,
            change.1.games,
            change.1.wins,
            change.1.draws,
            change.1.losses,
            change.1.pair_counts[0],
            change.1.pair_counts[1],
            change.1.pair_counts[2],
            change.1.pair_counts[3],
            change.1.pair_counts[4],
            change.1.pair_counts[5],
            change.1.win_kinds[0],
            change.1.win_kinds[1],
            change.1.win_kinds[2],
            change.1.plies,
            change.1.first_move_wins,
            change.1.pairs_started,
            change.1.pairs_in_flight,
            change.1.pairs_done,
            change.1.pairs_aside,
            change.1.core_us,
            change.1.games_timed,
            change.1.void_games,
        )?;
        Ok(after.into_iter().collect())
    }

    /// What experiments plan for cells: one row for each experiment that has the cell.
    async fn plans_of_cells(&mut self, cells: &[CellId]) -> Result<Vec<PlannedPairs>, StoreError> {
        rows_many!(
            &mut *self,
            PlannedPairs::from_row,
            "SELECT ec.experiment, ec.position, ec.cell, ec.pairs, ec.share, ec.state, ec.closed, experiment.policy, \
             stop_rule, stop_ll, stop_ld, stop_wl, stop_dd, stop_wd, stop_ww, stop_decision \
             FROM experiment_cell ec JOIN experiment ON experiment.id = ec.experiment WHERE ec.cell IN ({rows})",
            cells,
            |cell| cell.0,
        )
    }

    /// Lets the stopping rules of cells with new complete pairs read on, and those of cells with uncounted pairs read again.
    async fn read_on_in(
        &mut self,
        plans: &mut [PlannedPairs],
        completed: impl Fn(&CellId) -> bool,
        uncounted: &BTreeSet<CellId>,
    ) -> Result<(), StoreError> {
        let mut reading = Vec::new();
        for plan in plans.iter() {
            let Some(mut stopping) = plan.stopping else { continue };
            if uncounted.contains(&plan.cell) {
                stopping.reading = Reading::default();
            } else if !completed(&plan.cell) {
                continue;
            }
            reading.push(RowStopping { row: (plan.experiment, plan.position), cell: plan.cell, stopping });
        }
        self.read_on(&mut reading).await?;
        let read: HashMap<_, _> = reading.iter().map(|row| (row.row, row.stopping)).collect();
        let mut moved = HashSet::new();
        for plan in plans {
            let row = (plan.experiment, plan.position);
            if let Some(stopping) = read.get(&row)
                && plan.stopping != Some(*stopping)
            {
                plan.stopping = Some(*stopping);
                moved.insert(row);
            }
        }
        reading.retain(|row| moved.contains(&row.row));
        self.put_readings(&reading).await
    }

    /// Stores the priorities and states of cells in experiments.
    async fn set_priorities(&mut self, places: &[RowPriority]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE experiment_cell SET priority = column3, state = column4 FROM (VALUES {rows}) AS change \
             WHERE experiment = column1 AND position = column2",
            places,
            |place| place.0.0,
            place.1,
            place.2,
            place.3,
        )?;
        Ok(())
    }

    /// Adds to the totals of experiments, to their virtual times, and to their present rates.
    async fn change_experiments(
        &mut self,
        totals: &[(ExperimentId, ExperimentTotals)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE experiment SET games_done = games_done + column2, \
             pairs_in_flight = pairs_in_flight + column3, pairs_aside = pairs_aside + column4, \
             core_us = core_us + column5, virtual_time = virtual_time + column6 / weight, \
             virtual_start = COALESCE(column7, virtual_start), served_ms = COALESCE(column8, served_ms), \
             prior_us = prior_us + column9 \
             FROM (VALUES {rows}) AS change WHERE id = column1",
            totals,
            |totals| totals.0.0,
            totals.1.games_done,
            totals.1.pairs_in_flight,
            totals.1.pairs_aside,
            totals.1.charge.map_or(0, |charge| charge.core_us + charge.past_us),
            totals.1.charge.map_or(0.0, |charge| charge.core_us as f64 / 1e6),
            totals.1.charge.and_then(|charge| charge.start),
            // Imported games cost nothing now: their experiment was not served.
            totals.1.charge.filter(|charge| charge.core_us != 0 || charge.start.is_some()).map(|_| now_ms),
            totals.1.charge.map_or(0, |charge| charge.prior_us),
        )?;
        let counted = totals.iter().filter(|(_, totals)| totals.games_counted > 0);
        let counted: Vec<_> = counted.map(|(id, totals)| (*id, totals.games_counted)).collect();
        self.count_recent_games(&counted, now_ms).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_asked_for_in_the_order_in_which_they_are_named() {
        let mut next = 0..;
        let counters = Counters::in_order(|_| next.next().ok_or(())).expect("numbers without end");
        assert_eq!(counters.named().map(|(_, number)| number), std::array::from_fn(|place| place as i64));
        let columns: Vec<&str> = counters!().split(", ").collect();
        assert_eq!(counters.named().map(|(column, _)| column).as_slice(), columns);
        let mut asked = Vec::new();
        let ask = |column| {
            asked.push(column);
            Ok::<_, ()>(0)
        };
        let named = Counters::in_order(ask).expect("zeros").named();
        assert_eq!(named.map(|(column, _)| column).to_vec(), asked);
    }
}
