//! Long computations, on threads where they delay no other answer.

use crate::store::StoreError;

/// Performs a computation.
///
/// # Errors
/// When the computation panicked, which is a defect, or the coordinator ends before the computation begins.
pub(crate) async fn compute<T: Send + 'static>(
    computation: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(computation)
        .await
        .map_err(|ended| if ended.is_panic() { StoreError::Panicked } else { StoreError::Closed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_computation_that_panics_is_a_defect_and_no_closed_store() {
        assert_eq!(compute(|| 1 + 1).await.expect("a number"), 2);
        let failed = compute(|| "no number".parse::<u8>().expect("a number")).await;
        assert!(matches!(failed, Err(StoreError::Panicked)), "{failed:?}");
    }
}
