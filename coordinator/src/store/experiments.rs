//! Experiments, their cells, and what pages read of them.

use super::cells::{BUCKET_MS, Counters};
use super::sql::{Columns, execute, row, rows};
use super::{ExperimentFilter, StoreError, Tx};
use protocol::experiment::{CellSpec, Experiment, PlannedCell};
use protocol::ids::{CellId, ExperimentId, PlayerId};
use protocol::lease::ParamSet;
use protocol::report::{Applied, ExperimentState};

/// A row of `experiment`, with its recent games.
#[derive(Debug, Clone)]
pub(crate) struct ExperimentRow {
    pub(crate) id: ExperimentId,
    pub(crate) name: String,
    pub(crate) question: String,
    pub(crate) state: ExperimentState,
    pub(crate) cells: u64,
    pub(crate) games_planned: u64,
    pub(crate) games_done: u64,
    pub(crate) pairs_in_flight: u64,
    pub(crate) pairs_aside: u64,
    pub(crate) created_ms: i64,
}

impl ExperimentRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let games_planned = row.count("games_planned")?;
        let games_done = row.count("games_done")?;
        let (pairs_in_flight, pairs_aside) = (row.count("pairs_in_flight")?, row.count("pairs_aside")?);
        let idle = pairs_in_flight == 0 && row.text("open_cells")? == "no";
        Ok(Self {
            id: ExperimentId(row.uuid("id")?),
            name: row.text("name")?,
            question: row.text("question")?,
            state: match row.text("state")?.as_str() {
                "superseded" => ExperimentState::Superseded,
                "active" if games_done >= games_planned => ExperimentState::Finished,
                "active" if pairs_aside > 0 && idle => ExperimentState::Stuck,
                "active" => ExperimentState::Active,
                other => return Err(StoreError::unreadable("experiment.state")(other)),
            },
            cells: row.count("cells")?,
            games_planned,
            games_done,
            pairs_in_flight,
            pairs_aside,
            created_ms: row.bigint("created_ms")?,
        })
    }
}

/// What active experiments still lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Missing {
    pub(crate) games: u64,
    pub(crate) pairs_in_flight: u64,
    pub(crate) pairs_aside: u64,
}

/// A cell as an experiment plans it, which never changes.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCellRow {
    pub(crate) cell: CellId,
    pub(crate) case_group: String,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    pub(crate) pairs: u64,
    pub(crate) spec: CellSpec,
}

impl PlannedCellRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            cell: CellId(row.uuid("id")?),
            case_group: row.text("case_group")?,
            case_label: row.text("case_label")?,
            baseline_label: row.text("baseline_label")?,
            pairs: row.count("pairs")?,
            spec: read_spec(row)?,
        })
    }
}

/// The specification in column `spec`.
pub(super) fn read_spec(row: &dyn Columns) -> Result<CellSpec, StoreError> {
    serde_json::from_str(&row.text("spec")?).map_err(StoreError::unreadable("cell.spec"))
}

/// A cell's position and counters, as [`Tx::counters_of`] asks for them.
fn read_counters(text: &str) -> Result<(i64, Counters), StoreError> {
    let mut words = text.split(' ');
    let mut number =
        |column| words.next().unwrap_or_default().parse().map_err(StoreError::unreadable(column));
    Ok((number("position")?, Counters::in_order(number)?))
}

pub(super) fn write_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("protocol types serialise: their keys are strings")
}

/// The bit of a cell's size in the mask of calibrated sizes. The budget makes no difference, because the worker's speed
/// on the size comes with every result.
fn needs(spec: &CellSpec) -> i64 {
    1 << spec.size.get()
}

/// The tie-break between cells of equal priority, which does not depend on size or case.
fn tie_break(cell: CellId) -> i64 {
    (cell.0.as_u64_pair().0 >> 1) as i64
}

impl Tx {
    /// Stores an experiment unless it exists, makes it the active one of its name, and supersedes the others.
    pub(crate) async fn apply(
        &mut self,
        experiment: &Experiment,
        now_ms: i64,
    ) -> Result<Applied, StoreError> {
        let id = experiment.id();
        let others = rows!(
            &mut *self,
            |row| row.uuid("id").map(ExperimentId),
            "SELECT id FROM experiment WHERE name = $1 AND state = 'active' AND id <> $2 ORDER BY id",
            experiment.name.as_str(),
            id.0,
        )?;
        for other in &others {
            execute!(&mut *self, "UPDATE experiment SET state = 'superseded' WHERE id = $1", other.0)?;
            execute!(&mut *self, "UPDATE experiment_cell SET state = 'off' WHERE experiment = $1", other.0)?;
        }
        let known = self.experiment(id).await?;
        match &known {
            None => self.insert_experiment(id, experiment, now_ms).await?,
            Some(row) if row.state == ExperimentState::Superseded => {
                execute!(&mut *self, "UPDATE experiment SET state = 'active' WHERE id = $1", id.0)?;
                execute!(
                    &mut *self,
                    "UPDATE experiment_cell SET state = CASE WHEN pairs > (SELECT pairs_in_flight + pairs_done \
                     + pairs_aside FROM cell WHERE cell.id = experiment_cell.cell) THEN 'open' ELSE 'full' END WHERE experiment = $1",
                    id.0,
                )?;
            }
            Some(_) => {}
        }
        let row = self.experiment(id).await?.ok_or(StoreError::Null("experiment"))?;
        Ok(Applied {
            id,
            created: known.is_none(),
            superseded: others,
            cells: row.cells,
            games_planned: row.games_planned,
            games_done: row.games_done,
        })
    }

    async fn insert_experiment(
        &mut self,
        id: ExperimentId,
        experiment: &Experiment,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let games_planned: i64 = experiment.cells.iter().map(|cell| 2 * i64::from(cell.pairs)).sum();
        execute!(
            &mut *self,
            "INSERT INTO experiment (id, name, question, weight, semantics, state, created_ms, cells, games_planned, \
             games_done, pairs_in_flight, pairs_aside) VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $8, 0, 0, 0)",
            id.0,
            experiment.name.as_str(),
            experiment.question.as_str(),
            experiment.weight,
            i64::from(experiment.cells.first().map_or(engine::SEMANTICS, |cell| cell.spec.semantics)),
            now_ms,
            experiment.cells.len() as i64,
            games_planned,
        )?;
        let (mut games_done, mut pairs_in_flight, mut pairs_aside) = (0, 0, 0);
        for (position, planned) in experiment.cells.iter().enumerate() {
            let cell = planned.spec.id();
            let counters = self.insert_cell(cell, planned, now_ms).await?;
            let taken = counters.pairs_taken();
            let share = planned.weight * experiment.weight;
            execute!(
                &mut *self,
                "INSERT INTO experiment_cell (experiment, position, cell, case_group, case_label, baseline_group, \
                 baseline_label, size, weight, share, pairs, semantics, needs, shuffle, priority, state) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
                id.0,
                position as i64,
                cell.0,
                planned.case.group.as_str(),
                planned.case.label.as_str(),
                planned.baseline.group.as_str(),
                planned.baseline.label.as_str(),
                i64::from(planned.spec.size.get()),
                planned.weight,
                share,
                i64::from(planned.pairs),
                i64::from(planned.spec.semantics),
                needs(&planned.spec),
                tie_break(cell),
                taken as f64 / share,
                if taken < i64::from(planned.pairs) { "open" } else { "full" },
            )?;
            games_done += counters.games_towards(i64::from(planned.pairs));
            pairs_in_flight += counters.pairs_in_flight;
            pairs_aside += counters.pairs_aside;
        }
        execute!(
            &mut *self,
            "UPDATE experiment SET games_done = $2, pairs_in_flight = $3, pairs_aside = $4 WHERE id = $1",
            id.0,
            games_done,
            pairs_in_flight,
            pairs_aside,
        )?;
        Ok(())
    }

    /// Stores a cell and its players unless they exist; gives the counters of the cell.
    async fn insert_cell(
        &mut self,
        cell: CellId,
        planned: &PlannedCell,
        now_ms: i64,
    ) -> Result<Counters, StoreError> {
        let spec = &planned.spec;
        let case = self.insert_player(&spec.case, now_ms).await?;
        let baseline = self.insert_player(&spec.baseline, now_ms).await?;
        execute!(
            &mut *self,
            "INSERT INTO cell (id, case_player, baseline_player, semantics, size, spec, memory_mib) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET memory_mib = excluded.memory_mib",
            cell.0,
            case.0,
            baseline.0,
            i64::from(spec.semantics),
            i64::from(spec.size.get()),
            write_json(spec),
            i64::from(spec.memory().0),
        )?;
        row!(&mut *self, Counters::from_row, "SELECT * FROM cell WHERE id = $1", cell.0)?
            .ok_or(StoreError::Null("cell"))
    }

    async fn insert_player(&mut self, params: &ParamSet, now_ms: i64) -> Result<PlayerId, StoreError> {
        let player = params.player_id();
        execute!(
            &mut *self,
            "INSERT INTO player (id, params, created_ms) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
            player.0,
            write_json(params),
            now_ms,
        )?;
        Ok(player)
    }

    /// One experiment.
    pub(crate) async fn experiment(&mut self, id: ExperimentId) -> Result<Option<ExperimentRow>, StoreError> {
        row!(
            &mut *self,
            ExperimentRow::from_row,
            "SELECT experiment.*, CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells \
             FROM experiment WHERE id = $1",
            id.0
        )
    }

    /// The active experiment of a name, or the newest superseded one.
    pub(crate) async fn experiment_named(&mut self, name: &str) -> Result<Option<ExperimentRow>, StoreError> {
        row!(
            &mut *self,
            ExperimentRow::from_row,
            "SELECT experiment.*, CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells \
             FROM experiment WHERE name = $1 \
             ORDER BY CASE WHEN state = 'active' THEN 0 ELSE 1 END, created_ms DESC, id LIMIT 1",
            name,
        )
    }

    /// Every experiment, the newest first.
    pub(crate) async fn experiments(&mut self) -> Result<Vec<ExperimentRow>, StoreError> {
        rows!(
            &mut *self,
            ExperimentRow::from_row,
            "SELECT experiment.*, CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells \
             FROM experiment ORDER BY created_ms DESC, id"
        )
    }

    /// An experiment's cells in the order of its file.
    pub(crate) async fn planned_cells(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<PlannedCellRow>, StoreError> {
        rows!(
            &mut *self,
            PlannedCellRow::from_row,
            "SELECT cell.id, cell.spec, case_group, case_label, baseline_label, pairs FROM experiment_cell \
             JOIN cell ON cell.id = experiment_cell.cell WHERE experiment = $1 ORDER BY position",
            id.0,
        )
    }

    /// The counters of an experiment's cells, in the order of its file. They are read as one text, because ten thousand
    /// rows of twenty values take several times as long to transfer as to find.
    pub(crate) async fn counters_of(&mut self, id: ExperimentId) -> Result<Vec<Counters>, StoreError> {
        let text = row!(
            &mut *self,
            |row| row.maybe_text("counters"),
            "SELECT string_agg(concat_ws(' ', position, games, wins, draws, losses, ll, ld, wl, dd, wd, ww, forks, \
             bridges, rings, plies, first_move_wins, pairs_started, pairs_in_flight, pairs_done, pairs_aside), ';') \
             AS counters FROM experiment_cell JOIN cell ON cell.id = experiment_cell.cell WHERE experiment = $1",
            id.0,
        )?;
        let text = text.flatten().unwrap_or_default();
        let mut cells = text.split_terminator(';').map(read_counters).collect::<Result<Vec<_>, _>>()?;
        // No database guarantees the order in which it joins rows to a text.
        cells.sort_unstable_by_key(|(position, _)| *position);
        Ok(cells.into_iter().map(|(_, counters)| counters).collect())
    }

    /// Games counted for each experiment from `since_ms` to now, and the time since when, in milliseconds since 1970.
    pub(crate) async fn recent_games(
        &mut self,
        (since_ms, now_ms): (i64, i64),
    ) -> Result<Vec<(ExperimentId, u64, i64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((
                ExperimentId(row.uuid("experiment")?),
                row.count("games")?,
                row.bigint("bucket")?.saturating_mul(BUCKET_MS)
            )),
            "SELECT experiment, CAST(SUM(games) AS BIGINT) AS games, MIN(bucket) AS bucket FROM recent_games \
             WHERE bucket >= $1 AND bucket <= $2 GROUP BY experiment",
            since_ms.div_euclid(BUCKET_MS),
            now_ms.div_euclid(BUCKET_MS),
        )
    }

    /// Removes the rates from before `since_ms`.
    pub(crate) async fn forget_recent_games(&mut self, since_ms: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM recent_games WHERE bucket < $1", since_ms.div_euclid(BUCKET_MS))?;
        Ok(())
    }

    /// Removes rates from the future, after the clock was set back.
    pub(crate) async fn forget_games_to_come(&mut self, now_ms: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM recent_games WHERE bucket > $1", now_ms.div_euclid(BUCKET_MS))?;
        Ok(())
    }

    /// What active experiments, or those that pass the filter, still lack; none if no such experiment is active.
    pub(crate) async fn missing(
        &mut self,
        filter: &ExperimentFilter,
        semantics: u32,
    ) -> Result<Option<Missing>, StoreError> {
        let all = rows!(
            &mut *self,
            |row| Ok((
                ExperimentId(row.uuid("id")?),
                Missing {
                    games: row.count("missing")?,
                    pairs_in_flight: row.count("pairs_in_flight")?,
                    pairs_aside: row.count("pairs_aside")?,
                }
            )),
            "SELECT id, games_planned - games_done AS missing, pairs_in_flight, pairs_aside FROM experiment \
             WHERE state = 'active' AND semantics = $1",
            i64::from(semantics),
        )?;
        let wanted = all.into_iter().filter(|(id, _)| filter.allows(*id));
        // Pairs in flight or suspended in a cell of a finished experiment may be lacking in other experiments, but not
        // in this one.
        let missed = wanted.map(|(_, missing)| if missing.games > 0 { missing } else { Missing::default() });
        Ok(missed.reduce(|a, b| Missing {
            games: a.games + b.games,
            pairs_in_flight: a.pairs_in_flight + b.pairs_in_flight,
            pairs_aside: a.pairs_aside + b.pairs_aside,
        }))
    }
}
