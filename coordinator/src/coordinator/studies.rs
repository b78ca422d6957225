//! The queries of studies: see [`crate::studies`].

use super::tunes::surface_of;
use super::{BoxFuture, Coordinator};
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::{StoreError, StudyRow, Tx};
use crate::studies::{LiveStudy, summary};
use protocol::prefix::{IdPrefix, is_whole_id};
use protocol::query::LARGEST_PAGE;
use protocol::study::{PointsPage, StudyStatus, StudySummary};
use protocol::tune::PlayedPoints;
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tuner::Surface;

/// The most studies that an error names.
const MOST_NAMED: i64 = 10;

impl Coordinator {
    /// All studies, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn studies(&self) -> BoxFuture<'static, Result<Vec<StudySummary>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let rows = inner.store.read().await?.studies().await?;
            Ok(rows.iter().map(|(row, counts)| summary(row, *counts)).collect())
        })
    }

    /// The status of a study.
    ///
    /// # Errors
    /// When there is no such study, or the database fails.
    pub fn study_status(&self, key: &str) -> BoxFuture<'static, Result<StudyStatus, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let mut live = coordinator.read_study(&key).await?;
            let status = compute(move || {
                let study = live.as_mut()?;
                let (model, summary) = (study.model(), study.summary());
                let (course, course_is_complete) = (study.course(), study.course_is_complete());
                let looks = study.claim_past();
                drop(live);
                let recommendations = model.recommendations();
                let status = StudyStatus {
                    summary,
                    course,
                    course_is_complete,
                    words: recommendations.iter().map(|one| one.verdict.sentence().to_owned()).collect(),
                    recommendations,
                    results_seen: model.told() as u64,
                    concentrations: model.concentrations(),
                };
                Some((status, looks))
            });
            let (status, looks) = status.await?.ok_or(StoreError::Null("study"))?;
            if looks {
                tokio::spawn(compute_past(coordinator.inner.studies.entry(status.summary.id)));
            }
            Ok(status)
        })
    }

    /// The fitted win rate of a study over two of its parameters. With an optimum for each size, `size` chooses one.
    ///
    /// # Errors
    /// When there is no such study, parameter or size, or the database fails.
    pub fn study_surface(
        &self,
        key: &str,
        (x, y): (&str, &str),
        size: Option<u8>,
    ) -> BoxFuture<'static, Result<Surface, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        let (x, y) = (x.to_owned(), y.to_owned());
        Box::pin(async move {
            let mut live = coordinator.read_study(&key).await?;
            let surface = move || {
                let model = live.as_mut().ok_or(StoreError::Null("study"))?.model();
                drop(live);
                surface_of(&model, (&x, &y), size)
            };
            compute(surface).await?
        })
    }

    /// The points of a study that have results; a sample if there are many.
    ///
    /// # Errors
    /// When there is no such study, or the database fails.
    pub fn study_played(&self, key: &str) -> BoxFuture<'static, Result<PlayedPoints, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let live = coordinator.read_study(&key).await?;
            let played = compute(move || live.as_ref().map(LiveStudy::played));
            Ok(played.await?.ok_or(StoreError::Null("study"))?)
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
    ) -> BoxFuture<'static, Result<PointsPage, CoordinatorError>> {
        let (coordinator, key) = (self.clone(), key.to_owned());
        Box::pin(async move {
            let live = coordinator.read_study(&key).await?;
            let study = live.as_ref().ok_or(StoreError::Null("study"))?;
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            let limit = limit.clamp(1, LARGEST_PAGE) as usize;
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
        let mut live = inner.studies.entry(id).lock_owned().await;
        // The current row: its edition determines the new part of the log.
        let mut tx = inner.store.read().await?;
        let row = find_study(&mut tx, &id.to_string()).await?;
        LiveStudy::catch_up(&mut live, &mut tx, &row).await?;
        Ok(live)
    }
}

/// Computes the past recommendations of a study, one at a time. The lock of the study is free in between.
async fn compute_past(place: Arc<Mutex<Option<LiveStudy>>>) {
    loop {
        let mut live = place.clone().lock_owned().await;
        let looking = compute(move || live.as_mut().is_some_and(LiveStudy::compute_past));
        if !looking.await.unwrap_or_default() {
            break;
        }
    }
}

/// The study with this id or name, or the only one whose id begins so. A whole id is never a name, since no study may have one as
/// its name.
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
