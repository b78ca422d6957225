//! Studies of other programs and their logs.

use super::columns::{opponent_text, read_proposal};
use super::sql::{Columns, execute, execute_many, row, rows, write_json};
use super::{Fate, StoreError, Tx};
use protocol::ids::StudyId;
use protocol::study::{Study, ToldResult};
use sqlx::types::Uuid;
use tuner::{Outcome, Proposal};

/// A row of `study`, with the numbers of its points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StudyRow {
    pub(crate) id: StudyId,
    pub(crate) name: String,
    pub(crate) spec: Study,
    pub(crate) who: String,
    pub(crate) created_ms: i64,
    pub(crate) archived_ms: Option<i64>,
    /// The number of the last change of its points.
    pub(crate) edition: i64,
}

impl StudyRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: StudyId(row.uuid("id")?),
            name: row.text("name")?,
            spec: serde_json::from_str(&row.text("spec")?).map_err(StoreError::unreadable("study.spec"))?,
            who: row.text("who")?,
            created_ms: row.bigint("created_ms")?,
            archived_ms: row.maybe_bigint("archived_ms")?,
            edition: row.bigint("edition")?,
        })
    }
}

/// A row of `study_point`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StudyPointRow {
    pub(crate) number: i64,
    pub(crate) ask_key: Option<String>,
    pub(crate) proposal: Proposal,
    /// Without games for a point that was given back.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) fate: Fate,
    /// The result that was withdrawn.
    pub(crate) taken_back: Option<Outcome>,
}

impl StudyPointRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let games = |name| {
            let games = row.maybe_bigint(name)?;
            games.map(u32::try_from).transpose().map_err(StoreError::unreadable(name))
        };
        let outcome = match (games("wins")?, games("draws")?, games("losses")?) {
            (Some(wins), Some(draws), Some(losses)) => Some(Outcome { wins, draws, losses }),
            _ => None,
        };
        Ok(Self {
            number: row.bigint("number")?,
            ask_key: row.maybe_text("ask_key")?,
            proposal: read_proposal(row, "study_point")?,
            outcome,
            fate: Fate {
                told_at: row.maybe_bigint("told_at")?,
                reach: row.maybe_bigint("reach")?,
                given_up: row.maybe_bigint("given_up")?,
            },
            taken_back: row
                .maybe_text("taken_back")?
                .map(|text| {
                    serde_json::from_str(&text).map_err(StoreError::unreadable("study_point.taken_back"))
                })
                .transpose()?,
        })
    }
}

impl Tx {
    /// Every study, the newest first, with the numbers of its points: see [`crate::studies::summary`].
    pub(crate) async fn studies(&mut self) -> Result<Vec<(StudyRow, [u64; 5])>, StoreError> {
        rows!(
            &mut *self,
            |row| {
                let [asked, told, failed] = [row.count("asked")?, row.count("told")?, row.count("failed")?];
                let counts = [asked, told, failed, row.count("games")?, row.count("lost")?];
                Ok((StudyRow::from_row(row)?, counts))
            },
            "SELECT study.*, COALESCE(asked, 0) AS asked, COALESCE(told, 0) AS told, \
             COALESCE(failed, 0) AS failed, COALESCE(games, 0) AS games, COALESCE(lost, 0) AS lost FROM study LEFT JOIN \
             (SELECT study AS owner, COUNT(CASE WHEN given_up IS NULL THEN 1 END) AS asked, COUNT(given_up) AS lost, \
             COUNT(CASE WHEN given_up IS NULL AND wins + draws + losses > 0 THEN 1 END) AS told, \
             COUNT(CASE WHEN given_up IS NULL AND wins + draws + losses = 0 THEN 1 END) AS failed, \
             CAST(COALESCE(SUM(CASE WHEN given_up IS NULL THEN wins + draws + losses END), 0) AS BIGINT) AS games \
             FROM study_point GROUP BY study) AS points ON owner = study.id \
             ORDER BY created_ms DESC, id",
        )
    }

    pub(crate) async fn study_named(&mut self, name: &str) -> Result<Option<StudyRow>, StoreError> {
        row!(&mut *self, StudyRow::from_row, "SELECT * FROM study WHERE name = $1", name)
    }

    /// The studies in a range of ids, `most` at most.
    pub(crate) async fn studies_between(
        &mut self,
        (first, last): (Uuid, Uuid),
        most: i64,
    ) -> Result<Vec<StudyRow>, StoreError> {
        rows!(
            &mut *self,
            StudyRow::from_row,
            "SELECT * FROM study WHERE id >= $1 AND id <= $2 ORDER BY id LIMIT $3",
            first,
            last,
            most,
        )
    }

    /// Stores a new study.
    pub(crate) async fn insert_study(&mut self, study: &StudyRow) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO study (id, name, spec, who, created_ms) VALUES ($1, $2, $3, $4, $5)",
            study.id.0,
            study.name.as_str(),
            write_json(&study.spec),
            study.who.as_str(),
            study.created_ms,
        )?;
        Ok(())
    }

    /// Archives a study, or restores it.
    pub(crate) async fn archive_study(
        &mut self,
        id: StudyId,
        archived_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE study SET archived_ms = $2 WHERE id = $1", id.0, archived_ms)?;
        Ok(())
    }

    /// Counts a change of a study's points; false if there was another change since this edition.
    pub(crate) async fn claim_study_edition(
        &mut self,
        id: StudyId,
        edition: i64,
    ) -> Result<bool, StoreError> {
        let claimed = execute!(
            &mut *self,
            "UPDATE study SET edition = edition + 1 WHERE id = $1 AND edition = $2",
            id.0,
            edition,
        )?;
        Ok(claimed > 0)
    }

    /// The points of a study from this number on, and those that changed after this edition.
    pub(crate) async fn study_news(
        &mut self,
        id: StudyId,
        number: i64,
        edition: i64,
    ) -> Result<Vec<StudyPointRow>, StoreError> {
        rows!(
            &mut *self,
            StudyPointRow::from_row,
            "SELECT number, ask_key, point, opponent, size, wins, draws, losses, given_up, told_at, reach, taken_back FROM study_point \
             WHERE study = $1 AND (number >= $2 OR edition > $3) ORDER BY number",
            id.0,
            number,
            edition,
        )
    }

    /// Adds points to a study.
    pub(crate) async fn insert_study_points(
        &mut self,
        id: StudyId,
        points: &[StudyPointRow],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO study_point (study, number, ask_key, point, opponent, size) VALUES {rows}",
            points,
            |row| id.0,
            row.number,
            row.ask_key.as_deref(),
            write_json(&row.proposal.point),
            opponent_text(&row.proposal),
            i64::from(row.proposal.size),
        )?;
        Ok(())
    }

    /// Stores results of points, and the points that were given back. `edition` is that of the study, and `points` the number of
    /// points at that time. A withdrawn result keeps the time at which it was told.
    pub(crate) async fn tell_study_points(
        &mut self,
        id: StudyId,
        (edition, points): (i64, i64),
        results: &[ToldResult],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE study_point SET wins = column3, draws = column4, losses = column5, edition = column6, \
             told_at = CASE WHEN reach IS NULL AND column3 + column4 + column5 > 0 THEN column7 ELSE told_at END \
             FROM (VALUES {rows}) AS told WHERE study = column1 AND number = column2",
            results,
            |result| id.0,
            result.number.cast_signed(),
            i64::from(result.wins),
            i64::from(result.draws),
            i64::from(result.losses),
            edition,
            points,
        )?;
        Ok(())
    }

    /// Stores the fates of points, and which results were withdrawn, in this edition.
    pub(crate) async fn settle_study_points(
        &mut self,
        id: StudyId,
        edition: i64,
        points: &[StudyPointRow],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE study_point SET given_up = column3, reach = column4, taken_back = column5, edition = column6 \
             FROM (VALUES {rows}) AS fate WHERE study = column1 AND number = column2",
            points,
            |point| id.0,
            point.number,
            point.fate.given_up,
            point.fate.reach,
            point.taken_back.as_ref().map(write_json),
            edition,
        )?;
        Ok(())
    }
}
