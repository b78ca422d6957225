//! `GET /api/v1/events`: a small event whenever something was committed, at most two a second.

use super::admit::{self, Reader};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::time::Duration;

/// The least time between two events of a stream.
const PAUSE: Duration = Duration::from_millis(500);

/// The stream: the present revision at once, every later one that is not overtaken by the next. It ends at the first
/// event after its reader's token was revoked, by whichever coordinator: that is a change like any other.
pub(crate) async fn stream(
    _: Reader,
    State(coordinator): State<Coordinator>,
    parts: Parts,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let place = coordinator.inner.limits.stream().ok_or_else(|| ApiError::too_many(30_000))?;
    let mut changes = coordinator.changes();
    changes.mark_changed();
    let ended = coordinator.closing().cancelled_owned();
    let state = (changes, true, coordinator, parts);
    let events = stream::unfold(state, |(mut changes, first, coordinator, parts)| async move {
        if !first {
            tokio::time::sleep(PAUSE).await;
        }
        changes.changed().await.ok()?;
        let revision = *changes.borrow_and_update();
        if !first && !admit::may_still_read(&parts, &coordinator).await {
            return None;
        }
        let event = Event::default().event("change").data(format!("{{\"revision\":{revision}}}"));
        Some((Ok(event), (changes, false, coordinator, parts)))
    });
    let events = events.take_until(ended).inspect(move |_| {
        // The place is free again when the stream is gone.
        let _ = &place;
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
