//! The news of all experiments.

use super::{BoxFuture, Coordinator, Inner};
use crate::error::CoordinatorError;
use crate::reporting::{self, ExperimentFindings, PATIENCE};
use crate::store::ExperimentRow;
use protocol::news::News;
use protocol::report::ExperimentState;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

impl Coordinator {
    /// The leader of each experiment, its decisions, and the games of late.
    ///
    /// # Errors
    /// When the database fails.
    pub fn news(&self) -> BoxFuture<'static, Result<News, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut tx = inner.store.read().await?;
            let rows = reporting::newsworthy(&mut tx).await?;
            let recent = reporting::recent(&mut tx, inner.clock.now_ms()).await?;
            drop(tx);
            let began = Instant::now();
            let mut found = HashMap::new();
            // Active experiments come first, so that old ones do not delay them.
            let (active, rest): (Vec<_>, Vec<_>) =
                rows.iter().partition(|row| row.state == ExperimentState::Active);
            for row in active.into_iter().chain(rest) {
                let (mut known, is_old) = inner.news.of(row);
                if is_old && began.elapsed() < PATIENCE {
                    known = Some(inner.find_news(row).await?);
                }
                found.insert(row.id, known);
            }
            let experiments = rows
                .iter()
                .map(|row| ExperimentFindings::news(found[&row.id].as_deref(), row.id, recent.get(&row.id)))
                .collect();
            Ok(News { experiments })
        })
    }
}

impl Inner {
    async fn find_news(&self, row: &ExperimentRow) -> Result<Arc<ExperimentFindings>, CoordinatorError> {
        let began = Instant::now();
        let analysis = self.analysis_of(row.clone(), None).await?;
        let mut tx = self.store.read().await?;
        let findings = reporting::findings(&mut tx, &self.plans, row, &analysis).await?;
        Ok(self.news.keep(row, began.elapsed(), findings))
    }
}
