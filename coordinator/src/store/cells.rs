//! A cell's counters, and the one place where they change.

use super::sql::{Columns, execute, row, rows};
use super::{StoreError, Tx};
use crate::stats::PairCounts;
use engine::side::{Outcome, Side, WinKind};
use protocol::ids::CellId;
use std::collections::BTreeMap;

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
    /// Counts a game, or takes it back with `sign` −1.
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

    /// Counts a complete pair by the case's half-points in its games, or takes it back with `sign` −1.
    pub(crate) fn count_pair(&mut self, sign: i64, first: u8, second: u8) {
        self.pairs_done += sign;
        self.pair_counts[PairCounts::category(first, second)] += sign;
    }

    /// Games that count towards a plan of `planned` pairs. A half-played pair is one of them as long as the plan has
    /// room for it, but complete pairs alone fulfil the plan: halves of others never stand in for a missing game.
    pub(crate) fn games_towards(&self, planned: i64) -> i64 {
        let done = self.pairs_done.min(planned);
        let halves = (self.games - 2 * self.pairs_done).min(planned - done);
        2 * done + halves
    }

    /// Pairs that a plan need not hand out: lent, complete, or set aside. A pair set aside is not replaced by another,
    /// because a plan that drops what is hard to play measures something else.
    pub(crate) fn pairs_taken(&self) -> i64 {
        self.pairs_in_flight + self.pairs_done + self.pairs_aside
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
        Ok(Self {
            games: row.bigint("games")?,
            wins: row.bigint("wins")?,
            draws: row.bigint("draws")?,
            losses: row.bigint("losses")?,
            pair_counts: [
                row.bigint("ll")?,
                row.bigint("ld")?,
                row.bigint("wl")?,
                row.bigint("dd")?,
                row.bigint("wd")?,
                row.bigint("ww")?,
            ],
            win_kinds: [row.bigint("forks")?, row.bigint("bridges")?, row.bigint("rings")?],
            plies: row.bigint("plies")?,
            first_move_wins: row.bigint("first_move_wins")?,
            pairs_started: row.bigint("pairs_started")?,
            pairs_in_flight: row.bigint("pairs_in_flight")?,
            pairs_done: row.bigint("pairs_done")?,
            pairs_aside: row.bigint("pairs_aside")?,
        })
    }
}

/// Changes of counters gathered over a request, so that every cell is written once, in the order of ids.
#[derive(Debug, Default)]
pub(crate) struct Changes(BTreeMap<CellId, Counters>);

impl Changes {
    /// The change of a cell so far.
    pub(crate) fn of(&mut self, cell: CellId) -> &mut Counters {
        self.0.entry(cell).or_default()
    }

    /// Writes every change and forgets it: the cells, the priorities of their rows in experiments, and the
    /// experiments' own totals and rates.
    pub(crate) async fn flush(&mut self, tx: &mut Tx, now_ms: i64) -> Result<(), StoreError> {
        for (cell, change) in std::mem::take(&mut self.0) {
            if change != Counters::default() {
                change_cell(tx, cell, &change, now_ms).await?;
            }
        }
        Ok(())
    }
}

async fn change_cell(tx: &mut Tx, cell: CellId, change: &Counters, now_ms: i64) -> Result<(), StoreError> {
    let [ll, ld, wl, dd, wd, ww] = change.pair_counts;
    let [forks, bridges, rings] = change.win_kinds;
    let after = row!(
        &mut *tx,
        Counters::from_row,
        "UPDATE cell SET games = games + $2, wins = wins + $3, draws = draws + $4, losses = losses + $5, \
         ll = ll + $6, ld = ld + $7, wl = wl + $8, dd = dd + $9, wd = wd + $10, ww = ww + $11, \
         forks = forks + $12, bridges = bridges + $13, rings = rings + $14, plies = plies + $15, \
         first_move_wins = first_move_wins + $16, pairs_started = pairs_started + $17, \
         pairs_in_flight = pairs_in_flight + $18, pairs_done = pairs_done + $19, \
         pairs_aside = pairs_aside + $20 WHERE id = $1 RETURNING *",
        cell.0,
        change.games,
        change.wins,
        change.draws,
        change.losses,
        ll,
        ld,
        wl,
        dd,
        wd,
        ww,
        forks,
        bridges,
        rings,
        change.plies,
        change.first_move_wins,
        change.pairs_started,
        change.pairs_in_flight,
        change.pairs_done,
        change.pairs_aside,
    )?
    .ok_or_else(|| StoreError::unreadable("cell")(format!("{cell} is missing")))?;

    let taken = after.pairs_taken();
    execute!(
        &mut *tx,
        "UPDATE experiment_cell SET priority = $2 / share, state = CASE WHEN state = 'off' THEN 'off' \
         WHEN pairs > $3 THEN 'open' ELSE 'full' END WHERE cell = $1",
        cell.0,
        taken as f64,
        taken,
    )?;
    if change.games == 0 && change.pairs_done == 0 && change.pairs_in_flight == 0 && change.pairs_aside == 0 {
        return Ok(());
    }
    let before = Counters {
        games: after.games - change.games,
        pairs_done: after.pairs_done - change.pairs_done,
        ..after
    };
    let plans = rows!(
        &mut *tx,
        |row| Ok((row.uuid("experiment")?, row.bigint("pairs")?)),
        "SELECT experiment, pairs FROM experiment_cell WHERE cell = $1 ORDER BY experiment",
        cell.0,
    )?;
    for (experiment, pairs) in plans {
        execute!(
            &mut *tx,
            "UPDATE experiment SET games_done = games_done + $2, pairs_in_flight = pairs_in_flight + $3, \
             pairs_aside = pairs_aside + $4 WHERE id = $1",
            experiment,
            after.games_towards(pairs) - before.games_towards(pairs),
            change.pairs_in_flight,
            change.pairs_aside,
        )?;
    }
    if change.games > 0 {
        execute!(
            &mut *tx,
            "INSERT INTO recent_games (experiment, bucket, games) \
             SELECT DISTINCT experiment, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM experiment_cell WHERE cell = $1 \
             ON CONFLICT (experiment, bucket) DO UPDATE SET games = recent_games.games + excluded.games",
            cell.0,
            now_ms.div_euclid(BUCKET_MS),
            change.games,
        )?;
    }
    Ok(())
}
