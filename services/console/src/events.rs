//! `GET /api/events`: streams each new overview as a server-sent event.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::{StreamExt, stream};
use runtime::{postgres::with_answer_timeout, problem::Problem};
use tokio::sync::{
    OwnedSemaphorePermit,
    broadcast::{Receiver, error::RecvError},
};

use crate::{
    account::{BackgroundCaller, Caller},
    console::Console,
    overview::Subscription,
};

/// The interval of keep-alive messages on an idle stream.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Streams overviews until the session or the console ends.
pub async fn events(
    State(console): State<Arc<Console>>,
    BackgroundCaller(caller): BackgroundCaller,
) -> Result<Response, Problem> {
    let Some(Subscription { latest, receiver, permit }) = console.overview.subscribe() else {
        let detail = "too many pages of the console are open";
        return Err(Problem::unavailable(detail, Duration::from_secs(10)));
    };
    let shutdown = console.process.shutdown();
    let live = Live { console, caller, receiver, _permit: permit };
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
    console: Arc<Console>,
    caller: Caller,
    receiver: Receiver<Arc<str>>,
    _permit: OwnedSemaphorePermit,
}

impl Live {
    async fn next(mut self) -> Option<(Event, Self)> {
        loop {
            match self.receiver.recv().await {
                Ok(overview) => {
                    // Ends the stream when the session has ended. An open page does not extend the
                    // session.
                    let lost =
                        with_answer_timeout(self.caller.has_lost_access(&self.console.pool)).await;
                    if !matches!(lost, Ok(false)) {
                        return None;
                    }
                    return Some((event(&overview), self));
                }
                // The client reads too slowly. It skips to newer overviews, since only the latest
                // matters.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
