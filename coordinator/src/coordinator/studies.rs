//! What can be asked of studies: see [`crate::studies`].

use super::{Boxed, Coordinator};
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{StoreError, StudyRow, Tx};
use crate::studies::{LiveStudy, summary};
use protocol::prefix::{IdPrefix, is_whole_id};
use protocol::study::{PointsPage, StudyStatus, StudySummary};
use tokio::sync::OwnedMutexGuard;

/// Points on a page at most.
const MOST_POINTS: u32 = 1_000;

/// Studies that an error names at most.
const MOST_NAMED: i64 = 10;

impl Coordinator {
    /// All studies, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn studies(&self) -> Boxed<'static, Result<Vec<StudySummary>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let rows = inner.store.read().await?.studies().await?;
            Ok(rows.iter().map(|(row, counts)| summary(row, *counts)).collect())
        })
    }

    /// How a study stands.
    ///
    /// # Errors
    /// When there is no such study, or the database fails.
    pub fn study_status(&self, key: &str) -> Boxed<'static, Result<StudyStatus, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let mut live = coordinator.read_study(&key).await?;
            let status = compute(move || {
                let study = live.as_mut()?;
                let (model, summary) = (study.model(), study.summary());
                drop(live);
                let recommendations = model.recommendations();
                Some(StudyStatus {
                    summary,
                    words: recommendations.iter().map(|one| one.verdict.sentence().to_owned()).collect(),
                    recommendations,
                    results_seen: model.told() as u64,
                    concentrations: model.concentrations(),
                })
            });
            Ok(status.await?.ok_or(StoreError::Null("study"))?)
        })
    }

    /// Some of the points of a study from this number on: all of them, or those without a result.
    ///
    /// # Errors
    /// When there is no such study, or the database fails.
    pub fn study_points(
        &self,
        key: &str,
        (from, limit): (u64, u32),
        waiting: bool,
    ) -> Boxed<'static, Result<PointsPage, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let live = coordinator.read_study(&key).await?;
            let study = live.as_ref().ok_or(StoreError::Null("study"))?;
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            let limit = limit.clamp(1, MOST_POINTS) as usize;
            let mut numbers: Vec<usize> = if waiting {
                study.waiting_from(from).take(limit + 1).collect()
            } else {
                (from..study.points()).take(limit + 1).collect()
            };
            let next = numbers.get(limit).map(|number| *number as u64);
            numbers.truncate(limit);
            Ok(PointsPage { points: numbers.into_iter().filter_map(|one| study.point(one)).collect(), next })
        })
    }

    /// A study with all of its log.
    pub(crate) async fn read_study(
        &self,
        key: &str,
    ) -> Result<OwnedMutexGuard<Option<LiveStudy>>, CoordinatorError> {
        let inner = &self.inner;
        let id = find_study(&mut inner.store.read().await?, key).await?.id;
        let mut live = inner.studies.place(id).lock_owned().await;
        // The row as of now: its edition says what is new in the log.
        let mut tx = inner.store.read().await?;
        let row = find_study(&mut tx, &id.to_string()).await?;
        LiveStudy::catch_up(&mut live, &mut tx, &row).await?;
        Ok(live)
    }
}

/// The study with this id or name, or the only one whose id begins so. A whole id means nothing else, since no study has one as its
/// name.
pub(crate) async fn find_study(tx: &mut Tx, key: &str) -> Result<StudyRow, CoordinatorError> {
    let mut found = Vec::new();
    if !is_whole_id(key) {
        found.extend(tx.study_named(key).await?);
    }
    if let Ok(prefix) = key.parse::<IdPrefix>()
        && (found.is_empty() || prefix.is_as_shown())
    {
        let mut others = tx.studies_between(prefix.range(), MOST_NAMED).await?;
        others.retain(|row| found.iter().all(|named: &StudyRow| named.id != row.id));
        found.extend(others);
    }
    let names = found.iter().map(|row| format!("{} ({})", row.id, row.name)).collect();
    reporting::only("study", key, names)?;
    if let Some(row) = found.pop() {
        return Ok(row);
    }
    let all = tx.studies().await?;
    Err(CoordinatorError::unknown_among("study", key, all.iter().map(|(row, _)| row.name.as_str())))
}
