//! The filter of experiments: a coordinator may lease pairs of some experiments only.

use super::sql::rows;
use super::{StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::ids::ExperimentId;
use protocol::memory::Mib;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// The experiments of which a coordinator leases pairs: those named, or all if none is named.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExperimentFilter(Arc<NamedExperiments>);

#[derive(Debug, Default)]
struct NamedExperiments {
    /// Ids of experiments, or of contents that are still to be applied.
    contents: Vec<ExperimentId>,
    ids: RwLock<BTreeSet<ExperimentId>>,
}

impl ExperimentFilter {
    /// A filter for these experiments, or for all if there are none. An experiment is named by its id, or by the content
    /// that will be [applied](Self::admit).
    pub(crate) fn new(named: Vec<ExperimentId>) -> Self {
        let ids = RwLock::new(named.iter().copied().collect());
        Self(Arc::new(NamedExperiments { contents: named, ids }))
    }

    /// Whether all experiments pass.
    pub(crate) fn is_all(&self) -> bool {
        self.0.contents.is_empty()
    }

    /// Whether this experiment passes.
    pub(crate) fn allows(&self, experiment: ExperimentId) -> bool {
        self.is_all() || self.ids().contains(&experiment)
    }

    /// Notes that a content was applied as a revision of this experiment.
    pub(crate) fn admit(&self, content: ExperimentId, experiment: ExperimentId) {
        if self.0.contents.contains(&content) {
            self.0.ids.write().unwrap_or_else(PoisonError::into_inner).insert(experiment);
        }
    }

    /// Lets this experiment pass, too, which is not in the filter's files.
    pub(crate) fn also_allow(&self, experiment: ExperimentId) {
        if !self.is_all() {
            self.0.ids.write().unwrap_or_else(PoisonError::into_inner).insert(experiment);
        }
    }

    /// Lets the confirmation of a case of `origin` pass, if `origin` passes.
    pub(crate) fn admit_confirmation(&self, origin: ExperimentId, experiment: ExperimentId) {
        if self.allows(origin) {
            self.also_allow(experiment);
        }
    }

    fn ids(&self) -> RwLockReadGuard<'_, BTreeSet<ExperimentId>> {
        self.0.ids.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The arguments for statements that take one experiment, or `None` for all.
    fn each(&self) -> Vec<Option<ExperimentId>> {
        if self.is_all() { vec![None] } else { self.ids().iter().copied().map(Some).collect() }
    }
}

impl Tx {
    /// Lets all confirmations of the filter's experiments pass, also those that other processes began.
    pub(crate) async fn admit_confirmations(&mut self, filter: &ExperimentFilter) -> Result<(), StoreError> {
        if filter.is_all() {
            return Ok(());
        }
        let all = rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("experiment")?), ExperimentId(row.uuid("origin")?))),
            "SELECT experiment, origin FROM confirmation",
        )?;
        all.into_iter().for_each(|(experiment, origin)| filter.admit_confirmation(origin, experiment));
        Ok(())
    }

    /// Board sizes of the open cells, ascending.
    pub(crate) async fn sizes_in_play(
        &mut self,
        semantics: u32,
        filter: &ExperimentFilter,
    ) -> Result<Vec<BoardSize>, StoreError> {
        let mut sizes = BTreeSet::new();
        for of in filter.each() {
            sizes.extend(self.sizes_in_play_of(semantics, of).await?);
        }
        Ok(sizes.into_iter().collect())
    }

    /// For the open cells: the memory that the least demanding needs, in MiB, and how many need more than `than`. None
    /// if there are none such.
    pub(crate) async fn memory_in_play(
        &mut self,
        semantics: u32,
        filter: &ExperimentFilter,
        than: Mib,
    ) -> Result<Option<(Mib, u64)>, StoreError> {
        let mut found: Option<(Mib, u64)> = None;
        for of in filter.each() {
            let more = self.memory_in_play_of(semantics, of, than).await?;
            found = match (found, more) {
                (Some((least, cells)), Some((also, more))) => Some((least.min(also), cells + more)),
                (found, more) => found.or(more),
            };
        }
        Ok(found)
    }
}
