//! Tunes and their logs.

use super::columns::{opponent_text, read_proposal};
use super::sql::{Columns, execute, execute_many, row, rows, rows_many, write_json};
use super::{StoreError, Tx};
use protocol::experiment::PlannedCell;
use protocol::ids::{CellId, ExperimentId};
use protocol::tune::{Tune, first_trials};
use std::collections::BTreeMap;
use tuner::{Outcome, Proposal};

/// The origin of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrialOrigin {
    /// A tune begins with its start.
    Start,
    Strategy,
    /// Another program.
    Foreign,
    /// A tune ends with its recommendation.
    Final,
    /// The games are those of another experiment.
    Imported,
}

impl TrialOrigin {
    const ALL: [Self; 5] = [Self::Start, Self::Strategy, Self::Foreign, Self::Final, Self::Imported];

    /// The value of column `origin`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Strategy => "strategy",
            Self::Foreign => "foreign",
            Self::Final => "final",
            Self::Imported => "imported",
        }
    }
}

/// A trial of the log.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrialRow {
    pub(crate) number: i64,
    pub(crate) origin: TrialOrigin,
    pub(crate) proposal: Proposal,
    pub(crate) cell: CellId,
    pub(crate) idx: i64,
    pub(crate) fate: Fate,
    /// Its plays that were excluded when its fate was judged last.
    pub(crate) taken_out: i64,
}

/// The fate of a point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Fate {
    /// The number of points when its result was told, where that is known: later ones may be chosen by it.
    pub(crate) told_at: Option<i64>,
    /// If its result was excluded, the number of points at that time: later ones were chosen without it.
    pub(crate) reach: Option<i64>,
    /// If it was given up, the number of points at that time.
    pub(crate) given_up: Option<i64>,
}

impl TrialRow {
    /// A trial that is new in the log.
    pub(crate) fn new(
        number: i64,
        origin: TrialOrigin,
        proposal: Proposal,
        (cell, idx): (CellId, i64),
    ) -> Self {
        Self { number, origin, proposal, cell, idx, fate: Fate::default(), taken_out: 0 }
    }

    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let origin = row.text("origin")?;
        let origin = TrialOrigin::ALL.into_iter().find(|one| one.name() == origin);
        Ok(Self {
            number: row.bigint("number")?,
            origin: origin.ok_or_else(|| StoreError::unreadable("tune_trial")("an unknown origin"))?,
            proposal: read_proposal(row, "tune_trial")?,
            cell: CellId(row.uuid("cell")?),
            idx: row.bigint("idx")?,
            fate: Fate {
                told_at: None,
                reach: row.maybe_bigint("reach")?,
                given_up: row.maybe_bigint("given_up")?,
            },
            taken_out: row.bigint("taken_out")?,
        })
    }
}

/// A tune that has points to ask for, or results to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenTune {
    pub(crate) id: ExperimentId,
    /// The edition of the experiment's rows.
    pub(crate) edition: i64,
    pub(crate) revision: i64,
    /// Grows when results of trials are excluded or restored.
    pub(crate) uncounted: i64,
    /// The value of `uncounted` up to which the points were judged.
    pub(crate) settled: i64,
    /// Games for which no point has been asked yet.
    pub(crate) games_unasked: i64,
    /// Pairs that no machine will play.
    pub(crate) pairs_aside: i64,
}

impl OpenTune {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: ExperimentId(row.uuid("id")?),
            edition: row.bigint("edition")?,
            revision: row.bigint("revision")?,
            uncounted: row.bigint("uncounted")?,
            settled: row.bigint("settled")?,
            games_unasked: row.bigint("games_unasked")?,
            pairs_aside: row.bigint("pairs_aside")?,
        })
    }
}

/// The result of a complete pair.
fn read_outcome(row: &dyn Columns) -> Result<Outcome, StoreError> {
    let points = [row.bigint("first")?, row.bigint("second")?];
    let with = |wanted: i64| points.iter().filter(|points| **points == wanted).count() as u32;
    Ok(Outcome { wins: with(2), draws: with(1), losses: with(0) })
}

impl Tx {
    /// The tune of an experiment, if it is one.
    pub(crate) async fn tune(&mut self, id: ExperimentId) -> Result<Option<Tune>, StoreError> {
        let text =
            row!(&mut *self, |row| row.text("spec"), "SELECT spec FROM tune WHERE experiment = $1", id.0,)?;
        text.map(|text| serde_json::from_str(&text).map_err(StoreError::unreadable("tune.spec"))).transpose()
    }

    /// Stores the tune of an experiment, in place of an older revision. A new tune gets its first trials.
    pub(crate) async fn begin_tune(
        &mut self,
        id: ExperimentId,
        tune: &Tune,
        cells: &[PlannedCell],
    ) -> Result<(), StoreError> {
        let is_new = self.tune(id).await?.is_none();
        execute!(
            &mut *self,
            "INSERT INTO tune (experiment, spec) VALUES ($1, $2) \
             ON CONFLICT (experiment) DO UPDATE SET spec = excluded.spec, ending = NULL",
            id.0,
            write_json(tune),
        )?;
        if is_new {
            let first = (0..).zip(cells).zip(first_trials(tune, cells)).map(|((number, cell), proposal)| {
                TrialRow::new(number, TrialOrigin::Start, proposal, (cell.spec.id(), 0))
            });
            self.insert_trials(id, &first.collect::<Vec<_>>()).await?;
        }
        self.plan_unasked(id, tune.games).await
    }

    /// Plans the rest of a tune's games, for which points are to be asked.
    pub(crate) async fn plan_unasked(&mut self, id: ExperimentId, games: u64) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE experiment SET games_planned = games_planned - games_unasked + unasked.games, games_unasked = unasked.games \
             FROM (SELECT CASE WHEN 2 * COUNT(*) < $2 THEN $2 - 2 * COUNT(*) ELSE 0 END AS games FROM tune_trial \
             WHERE experiment = $1 AND origin <> 'imported' AND given_up IS NULL) AS unasked WHERE id = $1",
            id.0,
            games.cast_signed(),
        )?;
        Ok(())
    }

    /// The tunes with games to be asked for or to be played, which are neither paused nor stopped, and all whose points are to be
    /// judged because games were excluded or restored. Those in the archive are judged when they leave it.
    pub(crate) async fn open_tunes(&mut self, semantics: u32) -> Result<Vec<OpenTune>, StoreError> {
        rows!(
            &mut *self,
            OpenTune::from_row,
            "SELECT id, edition, revision, uncounted, settled, games_unasked, pairs_aside FROM experiment \
             JOIN tune ON tune.experiment = experiment.id WHERE revision > 0 AND semantics = $1 \
             AND (uncounted <> settled OR games_done < games_planned AND paused_ms IS NULL AND stopped_ms IS NULL) \
             AND archived_ms IS NULL ORDER BY id",
            i64::from(semantics),
        )
    }

    /// The tunes whose games are played, and whose end is not noted.
    pub(crate) async fn ended_tunes(&mut self) -> Result<Vec<ExperimentId>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(ExperimentId(row.uuid("id")?)),
            "SELECT id FROM experiment JOIN tune ON tune.experiment = experiment.id WHERE ending IS NULL \
             AND uncounted = settled AND games_done >= games_planned AND archived_ms IS NULL ORDER BY id",
        )
    }

    /// Notes the action at the end of a tune. Nothing is noted if the tune got more games meanwhile: then it has not ended.
    pub(crate) async fn note_ending(&mut self, id: ExperimentId, ending: &str) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE tune SET ending = $2 WHERE experiment = $1 AND ending IS NULL AND EXISTS \
             (SELECT 1 FROM experiment WHERE id = $1 AND games_done >= games_planned)",
            id.0,
            ending,
        )?;
        Ok(())
    }

    /// The action at the end of a tune.
    pub(crate) async fn tune_ending(&mut self, id: ExperimentId) -> Result<Option<String>, StoreError> {
        let ending = row!(
            &mut *self,
            |row| row.maybe_text("ending"),
            "SELECT ending FROM tune WHERE experiment = $1",
            id.0,
        )?;
        Ok(ending.flatten())
    }

    /// A tune as [`Tx::open_tunes`] gives it, also one that is paused or finished.
    pub(crate) async fn tune_state(&mut self, id: ExperimentId) -> Result<Option<OpenTune>, StoreError> {
        row!(
            &mut *self,
            OpenTune::from_row,
            "SELECT id, edition, revision, uncounted, settled, games_unasked, pairs_aside FROM experiment \
             JOIN tune ON tune.experiment = experiment.id WHERE id = $1",
            id.0,
        )
    }

    /// The slots of the workers that called since `alive_ms` and have not left.
    pub(crate) async fn slots_since(&mut self, alive_ms: i64) -> Result<i64, StoreError> {
        let slots = row!(
            &mut *self,
            |row| row.bigint("slots"),
            "SELECT CAST(COALESCE(SUM(slots), 0) AS BIGINT) AS slots FROM worker WHERE seen_ms >= $1 AND away_ms IS NULL",
            alive_ms,
        )?;
        Ok(slots.unwrap_or_default())
    }

    /// The cells of an experiment's rows from this position on.
    pub(crate) async fn positions_from(
        &mut self,
        id: ExperimentId,
        position: i64,
    ) -> Result<Vec<(i64, CellId)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((row.bigint("position")?, CellId(row.uuid("cell")?))),
            "SELECT position, cell FROM experiment_cell WHERE experiment = $1 AND position >= $2 ORDER BY position",
            id.0,
            position,
        )
    }

    /// The trials of a log from this number on.
    pub(crate) async fn trials_from(
        &mut self,
        id: ExperimentId,
        number: i64,
    ) -> Result<Vec<TrialRow>, StoreError> {
        rows!(
            &mut *self,
            TrialRow::from_row,
            "SELECT number, origin, point, opponent, size, cell, idx, given_up, reach, taken_out FROM tune_trial \
             WHERE experiment = $1 AND number >= $2 ORDER BY number",
            id.0,
            number,
        )
    }

    /// The results of all trials that have one, by number.
    pub(crate) async fn trial_results(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<(i64, Outcome)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((row.bigint("number")?, read_outcome(row)?)),
            "SELECT number, first, second FROM tune_trial \
             JOIN pair ON pair.cell = tune_trial.cell AND pair.idx = tune_trial.idx \
             WHERE experiment = $1 AND given_up IS NULL AND pair.state = 'done' ORDER BY number",
            id.0,
        )
    }

    /// How many plays of each trial are excluded that have counted, for trials with any. A recheck never counts.
    pub(crate) async fn excluded_plays_of(
        &mut self,
        id: ExperimentId,
    ) -> Result<BTreeMap<i64, i64>, StoreError> {
        let found = rows!(
            &mut *self,
            |row| Ok((row.bigint("number")?, row.bigint("plays")?)),
            "SELECT number, COUNT(*) AS plays FROM tune_trial \
             JOIN game ON game.cell = tune_trial.cell AND game.idx = tune_trial.idx AND game.status = 'excluded' \
             WHERE experiment = $1 AND NOT EXISTS (SELECT 1 FROM lease WHERE lease.id = game.lease AND replays IS NOT NULL) \
             GROUP BY number",
            id.0,
        )?;
        Ok(found.into_iter().collect())
    }

    /// The trials whose pairs are complete, held or set aside.
    pub(crate) async fn taken_trials(&mut self, id: ExperimentId) -> Result<Vec<i64>, StoreError> {
        rows!(
            &mut *self,
            |row| row.bigint("number"),
            "SELECT number FROM tune_trial JOIN pair ON pair.cell = tune_trial.cell AND pair.idx = tune_trial.idx \
             WHERE experiment = $1 AND (pair.state <> 'open' OR aside_ms IS NOT NULL)",
            id.0,
        )
    }

    /// The pairs of a tune's cells that are complete, held or set aside and belong to none of its trials.
    pub(crate) async fn taken_beside_trials(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<(CellId, i64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((CellId(row.uuid("cell")?), row.bigint("idx")?)),
            "SELECT cell, idx FROM pair WHERE cell IN (SELECT cell FROM tune_trial WHERE experiment = $1) \
             AND (state <> 'open' OR aside_ms IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM tune_trial \
             WHERE experiment = $1 AND tune_trial.cell = pair.cell AND tune_trial.idx = pair.idx)",
            id.0,
        )
    }

    /// Stores the fates of trials, as judged up to this value of `uncounted`.
    pub(crate) async fn settle_trials(
        &mut self,
        id: ExperimentId,
        (trials, uncounted): (&[TrialRow], i64),
    ) -> Result<(), StoreError> {
        // A pair belongs to at most one standing trial, so rows that cease to stand are written first.
        let (gone, standing): (Vec<&TrialRow>, Vec<&TrialRow>) =
            trials.iter().partition(|trial| trial.fate.given_up.is_some());
        for part in [gone, standing] {
            execute_many!(
                &mut *self,
                "UPDATE tune_trial SET given_up = column3, reach = column4, taken_out = column5 \
                 FROM (VALUES {rows}) AS fate WHERE experiment = column1 AND number = column2",
                &part,
                |trial| id.0,
                trial.number,
                trial.fate.given_up,
                trial.fate.reach,
                trial.taken_out,
            )?;
        }
        execute!(&mut *self, "UPDATE tune SET settled = $2 WHERE experiment = $1", id.0, uncounted)?;
        Ok(())
    }

    /// Deletes the note of a tune's end: a tune whose points were given up or restored continues.
    pub(crate) async fn forget_ending(&mut self, id: ExperimentId) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE tune SET ending = NULL WHERE experiment = $1", id.0)?;
        Ok(())
    }

    /// The results of those of the trials that have one, by number.
    pub(crate) async fn results_of_trials(
        &mut self,
        id: ExperimentId,
        numbers: &[i64],
    ) -> Result<Vec<(i64, Outcome)>, StoreError> {
        rows_many!(
            &mut *self,
            |row| Ok((row.bigint("number")?, read_outcome(row)?)),
            "SELECT tune_trial.number, first, second FROM (VALUES {rows}) AS wanted \
             JOIN tune_trial ON tune_trial.experiment = column1 AND tune_trial.number = column2 \
             JOIN pair ON pair.cell = tune_trial.cell AND pair.idx = tune_trial.idx WHERE pair.state = 'done'",
            numbers,
            |number| id.0,
            *number,
        )
    }

    /// The numbers of a cell's complete pairs.
    pub(crate) async fn done_pairs(&mut self, cell: CellId) -> Result<Vec<i64>, StoreError> {
        rows!(
            &mut *self,
            |row| row.bigint("idx"),
            "SELECT idx FROM pair WHERE cell = $1 AND state = 'done' ORDER BY idx",
            cell.0,
        )
    }

    /// Counts a change of an experiment that changes none of its rows; false if there was another change since this edition.
    pub(crate) async fn claim_edition(&mut self, id: ExperimentId, edition: i64) -> Result<bool, StoreError> {
        let claimed = execute!(
            &mut *self,
            "UPDATE experiment SET edition = edition + 1 WHERE id = $1 AND edition = $2",
            id.0,
            edition,
        )?;
        Ok(claimed > 0)
    }

    /// Games for which a tune has asked.
    pub(crate) async fn games_asked(&mut self, id: ExperimentId) -> Result<u64, StoreError> {
        let trials = row!(
            &mut *self,
            |row| row.count("trials"),
            "SELECT COUNT(*) AS trials FROM tune_trial WHERE experiment = $1 AND origin <> 'imported' AND given_up IS NULL",
            id.0,
        )?;
        Ok(2 * trials.unwrap_or_default())
    }

    /// How many trials of a tune are given up.
    pub(crate) async fn trials_given_up(&mut self, id: ExperimentId) -> Result<u64, StoreError> {
        let trials = row!(
            &mut *self,
            |row| row.count("trials"),
            "SELECT COUNT(*) AS trials FROM tune_trial WHERE experiment = $1 AND given_up IS NOT NULL",
            id.0,
        )?;
        Ok(trials.unwrap_or_default())
    }

    /// Adds trials to a log. Numbers are unique: a second coordinator that adds the same one gets an error.
    pub(crate) async fn insert_trials(
        &mut self,
        id: ExperimentId,
        trials: &[TrialRow],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO tune_trial (experiment, number, origin, point, opponent, size, cell, idx) VALUES {rows}",
            trials,
            |trial| id.0,
            trial.number,
            trial.origin.name(),
            write_json(&trial.proposal.point),
            opponent_text(&trial.proposal),
            i64::from(trial.proposal.size),
            trial.cell.0,
            trial.idx,
        )?;
        Ok(())
    }

    /// Notes that complete pairs of these cells were uncounted, or count again.
    pub(super) async fn note_uncounted_trials(&mut self, cells: &[CellId]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE tune SET uncounted = uncounted + 1 WHERE experiment IN \
             (SELECT tune_trial.experiment FROM (VALUES {rows}) AS changed JOIN tune_trial ON tune_trial.cell = column1)",
            cells,
            |cell| cell.0,
        )?;
        Ok(())
    }
}
