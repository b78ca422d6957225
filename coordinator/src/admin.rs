//! Changes that people make. The audit notes each with the name of its author.

mod apply;
mod audit;
mod confirm;
mod disputes;
mod exclusion;
mod fleet;
mod games;
mod import;
mod joining;
mod life;
mod pages;
mod promote;
mod retention;
mod studies;
mod tokens;
mod tunes;

pub use disputes::{Adjudication, Dispute};
pub use import::Imported;
pub(crate) use retention::BACKUP;
pub use retention::{CopyError, copy};

use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::store::StoreError;

impl Coordinator {
    /// Performs the work on a task of its own, because the caller may disconnect meanwhile.
    fn run_detached<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, CoordinatorError>> + Send + 'static,
    ) -> BoxFuture<'static, Result<T, CoordinatorError>> {
        Box::pin(async move {
            match tokio::spawn(work).await {
                Ok(done) => done,
                Err(ended) => match ended.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => Err(StoreError::Closed.into()),
                },
            }
        })
    }
}
