//! A small event after each commit, at most two a second.

use super::admit::{self, ReadPermit};
use super::call::Call;
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use protocol::endpoints::StreamEvents;
use std::convert::Infallible;
use std::time::Duration;

/// The least time between two events of a stream.
const PAUSE: Duration = Duration::from_millis(500);

/// The number of streams that get events at the least interval. With more streams the interval grows, so that the total
/// cost stays the same.
const AT_ONCE: usize = 200;

/// The stream: the present revision at once, then every later one that is not overtaken by the next. It ends at the first event
/// after the reader's token was revoked. A revocation, by any coordinator, causes an event itself.
pub(super) async fn stream(
    Call { coordinator, parts, .. }: Call<StreamEvents>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let permit = ReadPermit::of(&parts, &coordinator);
    let client = admit::client(&parts, &coordinator);
    let reserved = coordinator.inner.streams.reserve(client, 1).map_err(|_| ApiError::too_many(30_000))?;
    let mut changes = coordinator.changes();
    changes.mark_changed();
    let closing = coordinator.closing().cancelled_owned();
    let state = (changes, true, coordinator, permit);
    let events = stream::unfold(state, |(mut changes, first, coordinator, permit)| async move {
        if !first {
            tokio::time::sleep(pause(coordinator.inner.streams.total())).await;
        }
        changes.changed().await.ok()?;
        let revision = *changes.borrow_and_update();
        if !first && !still_holds(&permit, &coordinator).await {
            return None;
        }
        let event = Event::default().event("change").data(format!("{{\"revision\":{revision}}}"));
        Some((Ok(event), (changes, false, coordinator, permit)))
    });
    let events = events.take_until(closing).inspect(move |_| {
        // The reservation is released when the stream is dropped.
        let _ = &reserved;
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// An unanswered check counts as no change.
async fn still_holds(permit: &ReadPermit, coordinator: &Coordinator) -> bool {
    permit.holds(coordinator).await.unwrap_or(true)
}

/// The least time between two events of a stream while so many are open.
fn pause(streams: usize) -> Duration {
    PAUSE.mul_f64(streams.max(AT_ONCE) as f64 / AT_ONCE as f64)
}
