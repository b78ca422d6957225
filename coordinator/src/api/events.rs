//! `GET /api/v1/events`: a small event whenever something was committed, at most two a second.

use crate::coordinator::Coordinator;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::time::Duration;

/// The least time between two events of a stream.
const PAUSE: Duration = Duration::from_millis(500);

/// The stream: the present revision at once, every later one that is not overtaken by the next.
pub(crate) async fn stream(
    State(coordinator): State<Coordinator>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let mut changes = coordinator.changes();
    changes.mark_changed();
    let events = stream::unfold((changes, true), |(mut changes, first)| async move {
        if !first {
            tokio::time::sleep(PAUSE).await;
        }
        changes.changed().await.ok()?;
        let revision = *changes.borrow_and_update();
        let event = Event::default().event("change").data(format!("{{\"revision\":{revision}}}"));
        Some((Ok(event), (changes, false)))
    });
    let ended = coordinator.closing().cancelled_owned();
    Sse::new(events.take_until(ended)).keep_alive(KeepAlive::default())
}
