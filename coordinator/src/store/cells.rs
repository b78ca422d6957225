//! The counters of a cell, which change only here.

use super::sql::{Columns, execute_many, rows_many};
use super::{StoreError, Tx};
use engine::havannah::{Outcome, WinKind};
use engine::side::Side;
use protocol::ids::{CellId, ExperimentId};
use stats::PairCounts;
use std::collections::{BTreeMap, HashMap};

/// Milliseconds of a bucket of `recent_games`.
pub(super) const BUCKET_MS: i64 = 10_000;

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

    /// Pairs that need not be leased: in flight, complete, or suspended. A suspended pair is not replaced by another,
    /// because a plan that drops what is hard to play measures something else.
    pub(crate) fn pairs_taken(&self) -> i64 {
        self.pairs_in_flight + self.pairs_done + self.pairs_aside
    }

    /// Pairs that were started and are neither in flight, nor complete, nor suspended.
    pub(crate) fn pairs_open(&self) -> i64 {
        self.pairs_started - self.pairs_taken()
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
    }

    /// Every counter with its column.
    pub(crate) fn named(&self) -> [(&'static str, i64); 19] {
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
        })
    }
}

/// The changes of counters in a group of requests. Each cell is written once, in the order of ids.
#[derive(Debug, Default)]
pub(crate) struct Changes(BTreeMap<CellId, Counters>);

impl Changes {
    /// The change of a cell so far.
    pub(crate) fn of(&mut self, cell: CellId) -> &mut Counters {
        self.0.entry(cell).or_default()
    }

    /// Whether there is such a change.
    pub(super) fn any(&self, such: impl Fn(&Counters) -> bool) -> bool {
        self.0.values().any(such)
    }

    /// Adds the change of a cell to its stored counters.
    pub(super) fn apply(&self, cell: CellId, counters: &mut Counters) {
        if let Some(change) = self.0.get(&cell) {
            counters.add(change);
        }
    }

    /// Writes and clears all changes: the cells, the priorities of their rows in experiments, and the totals and rates
    /// of the experiments.
    pub(crate) async fn flush(&mut self, tx: &mut Tx, now_ms: i64) -> Result<(), StoreError> {
        self.0.retain(|_, change| *change != Counters::default());
        let changes = std::mem::take(&mut self.0);
        if changes.is_empty() {
            return Ok(());
        }
        let after = tx.change_cells(&changes.iter().collect::<Vec<_>>()).await?;
        if let Some(cell) = changes.keys().find(|cell| !after.contains_key(cell)) {
            return Err(StoreError::unreadable("cell")(format!("{cell} is missing")));
        }
        let taken: Vec<_> = changes.keys().map(|cell| (*cell, after[cell].pairs_taken())).collect();
        let mut totals: BTreeMap<ExperimentId, Totals> = BTreeMap::new();
        for (experiment, cell, pairs) in tx.set_priorities(&taken).await? {
            let (change, after) = (&changes[&cell], &after[&cell]);
            let before = Counters {
                games: after.games - change.games,
                pairs_done: after.pairs_done - change.pairs_done,
                ..*after
            };
            let totals = totals.entry(experiment).or_default();
            totals.games_done += after.games_towards(pairs) - before.games_towards(pairs);
            totals.pairs_in_flight += change.pairs_in_flight;
            totals.pairs_aside += change.pairs_aside;
            totals.games_counted += change.games.max(0);
        }
        tx.change_experiments(&totals.into_iter().collect::<Vec<_>>(), now_ms).await
    }
}

/// Changes of an experiment's totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Totals {
    games_done: i64,
    pairs_in_flight: i64,
    pairs_aside: i64,
    /// For its rate.
    games_counted: i64,
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
            "UPDATE cell SET games = games + column2, wins = wins + column3, draws = draws + column4, \
             losses = losses + column5, ll = ll + column6, ld = ld + column7, wl = wl + column8, dd = dd + column9, \
             wd = wd + column10, ww = ww + column11, forks = forks + column12, bridges = bridges + column13, \
             rings = rings + column14, plies = plies + column15, first_move_wins = first_move_wins + column16, \
             pairs_started = pairs_started + column17, pairs_in_flight = pairs_in_flight + column18, \
             pairs_done = pairs_done + column19, pairs_aside = pairs_aside + column20 \
             FROM (VALUES {rows}) AS change WHERE id = column1 \
             RETURNING id, games, wins, draws, losses, ll, ld, wl, dd, wd, ww, forks, bridges, rings, plies, \
             first_move_wins, pairs_started, pairs_in_flight, pairs_done, pairs_aside",
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
        )?;
        Ok(after.into_iter().collect())
    }

    /// Sets the priorities of cells, by their pairs taken, in every experiment; gives the experiments that plan them, with
    /// the pairs that each plans.
    async fn set_priorities(
        &mut self,
        taken: &[(CellId, i64)],
    ) -> Result<Vec<(ExperimentId, CellId, i64)>, StoreError> {
        let set = rows_many!(
            &mut *self,
            |row| Ok((
                row.maybe_bigint("closed")?,
                (ExperimentId(row.uuid("experiment")?), CellId(row.uuid("cell")?), row.bigint("pairs")?)
            )),
            "UPDATE experiment_cell SET priority = column2 / share, state = CASE WHEN state = 'off' THEN 'off' \
             WHEN pairs > column3 THEN 'open' ELSE 'full' END FROM (VALUES {rows}) AS change WHERE cell = column1 \
             RETURNING experiment, cell, pairs, closed",
            taken,
            |taken| taken.0.0,
            taken.1 as f64,
            taken.1,
        )?;
        Ok(set.into_iter().filter(|(closed, _)| closed.is_none()).map(|(_, plan)| plan).collect())
    }

    /// Adds to the totals of experiments, and to their present rates.
    async fn change_experiments(
        &mut self,
        totals: &[(ExperimentId, Totals)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE experiment SET games_done = games_done + column2, \
             pairs_in_flight = pairs_in_flight + column3, pairs_aside = pairs_aside + column4 \
             FROM (VALUES {rows}) AS change WHERE id = column1",
            totals,
            |totals| totals.0.0,
            totals.1.games_done,
            totals.1.pairs_in_flight,
            totals.1.pairs_aside,
        )?;
        let counted: Vec<_> = totals.iter().filter(|(_, totals)| totals.games_counted > 0).collect();
        execute_many!(
            &mut *self,
            "INSERT INTO recent_games (experiment, bucket, games) VALUES {rows} \
             ON CONFLICT (experiment, bucket) DO UPDATE SET games = recent_games.games + excluded.games",
            &counted,
            |counted| counted.0.0,
            now_ms.div_euclid(BUCKET_MS),
            counted.1.games_counted,
        )?;
        Ok(())
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
        let mut asked = Vec::new();
        let ask = |column| {
            asked.push(column);
            Ok::<_, ()>(0)
        };
        let named = Counters::in_order(ask).expect("zeros").named();
        assert_eq!(named.map(|(column, _)| column).to_vec(), asked);
    }
}
