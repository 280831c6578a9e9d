//! `GET /api/events`: the overview, each time that everything was looked at.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{StreamExt, stream};
use runtime::{postgres::answered, problem::Problem};
use tokio::sync::{
    OwnedSemaphorePermit,
    broadcast::{Receiver, error::RecvError},
};

use crate::{
    account::{Watching, Who},
    console::Console,
    overview::Following,
};

/// How often a silent stream shows that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Follows the overview until the session ends, or the console does.
pub async fn events(
    State(console): State<Console>,
    Watching(who): Watching,
) -> Result<Response, Problem> {
    let Some(Following { latest, receiver, place }) = console.overview().follow() else {
        let detail = "too many pages of the console are open";
        return Err(Problem::unavailable(detail, Duration::from_secs(10)));
    };
    let shutdown = console.process().shutdown();
    let live = Live { console, who, receiver, _place: place };
    let first = stream::iter(latest.map(|overview| event(&overview)));
    let rest = stream::unfold(live, Live::next);
    let events = first.chain(rest).take_until(shutdown.cancelled_owned());
    let events = events.map(Ok::<_, Infallible>);
    let keep_alive = KeepAlive::new().interval(HEARTBEAT);
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

fn event(overview: &str) -> Event {
    Event::default().event("overview").data(overview)
}

struct Live {
    console: Console,
    who: Who,
    receiver: Receiver<Arc<str>>,
    _place: OwnedSemaphorePermit,
}

impl Live {
    async fn next(mut self) -> Option<(Event, Self)> {
        loop {
            match self.receiver.recv().await {
                Ok(overview) => {
                    // Whose session has ended is told no more; that a page is open keeps none open.
                    let gone = answered(self.who.is_gone(self.console.pool())).await;
                    if !matches!(gone, Ok(false)) {
                        return None;
                    }
                    return Some((event(&overview), self));
                }
                // It reads too slowly: only the latest counts.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
