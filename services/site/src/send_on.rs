//! Handing what visitors send on to the write side, and what it keeps of them back: small, from pages
//! of this site, and with whom it is counted to.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    response::Response,
};
use http::{
    HeaderName, HeaderValue, Method, StatusCode, header, request::Parts, uri::PathAndQuery,
};
use runtime::{problem::Problem, read_body};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};
use url::Url;

use crate::{
    door::Door,
    proxy_api::{away, secured, too_many},
    security::is_from_this_site,
    shares::Share,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(15),
    idle: Duration::from_secs(90),
};
/// How long a visitor may take to send something, and for a picture on a slow line.
const BODY_LIMIT: Duration = Duration::from_secs(10);
const PICTURE_LIMIT: Duration = Duration::from_mins(1);
/// The longest of it, in bytes: what the write side itself reads.
const MAX_BYTES: usize = 32 << 10;
const MAX_PICTURE_BYTES: usize = 12 << 20;
/// How many pictures come at a time, and how long the next waits.
const MAX_PICTURES: usize = 8;
const TURN_LIMIT: Duration = Duration::from_secs(10);
/// The longest answer, in bytes: everything that is kept of one visitor.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Whom a call is counted to, for what is behind the door.
pub const VISITOR_ADDRESS: HeaderName = HeaderName::from_static("x-forwarded-for");

/// What the write side learns of a request, and a visitor of its answer.
const ASKED_WITH: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::COOKIE,
    header::REFERER,
    header::USER_AGENT,
    HeaderName::from_static("idempotency-key"),
];
const GIVEN: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CONTENT_DISPOSITION,
    header::RETRY_AFTER,
    header::ALLOW,
    header::SET_COOKIE,
];

/// The way to the write side.
#[derive(Debug)]
pub struct SendOn {
    upstream: Upstream,
    /// Files are held whole while they come: a few at a time.
    pictures: Semaphore,
}

impl SendOn {
    /// To the write side at `command_url`.
    pub fn new(command_url: &Url) -> Result<Self, reqwest::Error> {
        let upstream = Upstream::new(command_url, LIMITS)?;
        Ok(Self { upstream, pictures: Semaphore::new(MAX_PICTURES) })
    }

    async fn picture_turn(&self) -> Result<SemaphorePermit<'_>, Problem> {
        let turn = timeout(TURN_LIMIT, self.pictures.acquire()).await;
        turn.ok().and_then(Result::ok).ok_or_else(too_many)
    }
}

/// The calls of the write side.
pub const WRITE_CALLS: [&str; 7] = [
    "/api/enquiries",
    PICTURES,
    "/api/me",
    "/api/account",
    "/api/account/{*rest}",
    "/api/alerts",
    "/api/alerts/{*rest}",
];

/// Takes a file, where all others take a little JSON.
const PICTURES: &str = "/api/enquiries/pictures";

/// What mail programs press for whoever reads a mail (RFC 8058): they come from no page, and bring
/// nothing but what its link ends with.
const UNSUBSCRIBE: &str = "/api/alerts/unsubscribe/";

/// Any of them.
pub async fn write_call(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let answer = send_on(&door, &head, body).await;
    secured(&door, answer)
}

async fn send_on(door: &Door, head: &Parts, body: Body) -> Result<Response, Problem> {
    let is_safe = head.method == Method::GET || head.method == Method::HEAD;
    let is_pressed = head.method == Method::POST && head.uri.path().starts_with(UNSUBSCRIBE);
    if !is_safe && !is_pressed && !is_from_this_site(&door.origin, &head.headers) {
        let title = "This is taken from pages of this site";
        return Err(Problem::new(StatusCode::FORBIDDEN, "other-origin", title));
    }
    // Before it is read, so that a slow one is of its address's share too.
    let visitor = door.rate.address_of(&head.headers, &head.extensions);
    let Some(_share) = door.rate.render(visitor) else {
        door.counters.limited.increment(1);
        return Err(too_many());
    };
    let is_picture = head.uri.path() == PICTURES;
    let _turn = if is_picture { Some(picture_turn(door, visitor).await?) } else { None };
    let (limit, most) =
        if is_picture { (PICTURE_LIMIT, MAX_PICTURE_BYTES) } else { (BODY_LIMIT, MAX_BYTES) };
    let body = match timeout(limit, to_bytes(body, most)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return Err(Problem::new(status, "too-large", "This is too long")
                .with_detail(format!("{most} bytes are read")));
        }
        Err(_) => {
            let status = StatusCode::REQUEST_TIMEOUT;
            return Err(Problem::new(status, "too-slow", "This took too long to arrive"));
        }
    };
    let path = head.uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let onward = |client: &reqwest::Client, base: &str| {
        let mut onward = client.request(head.method.clone(), format!("{base}{path}"));
        for name in ASKED_WITH {
            for value in head.headers.get_all(&name) {
                onward = onward.header(&name, value);
            }
        }
        if let Some(visitor) = visitor {
            onward = onward.header(VISITOR_ADDRESS, visitor.to_string());
        }
        if let Some(traceparent) = runtime::telemetry::traceparent() {
            onward = onward.header("traceparent", traceparent);
        }
        onward.body(body.clone())
    };
    let unanswered = |_| away("what was sent could not be kept; it may be sent again");
    let mut answer = door.commands.upstream.send(onward).await.map_err(unanswered)?;
    let status = answer.status();
    let headers = answer.headers().clone();
    let body = read_body(&mut answer, MAX_ANSWER_BYTES)
        .await
        .map_err(|_| away("the answer broke off; the same may be sent again"))?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    for name in GIVEN {
        for value in headers.get_all(&name) {
            response.headers_mut().append(&name, value.clone());
        }
    }
    if let Some(place) = headers.get(header::LOCATION).filter(|place| is_of_this_site(place)) {
        response.headers_mut().insert(header::LOCATION, place.clone());
    }
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, no_store);
    Ok(response)
}

/// The turn of a picture that `visitor` sends. Turns are few and a line may be slow: one address holds
/// no more than its share of them.
async fn picture_turn(
    door: &Door,
    visitor: Option<IpAddr>,
) -> Result<(Share, SemaphorePermit<'_>), Problem> {
    let Some(share) = door.rate.upload(visitor) else {
        door.counters.limited.increment(1);
        return Err(too_many());
    };
    Ok((share, door.commands.picture_turn().await?))
}

/// Whether `place` is a path of this site, and nothing that a browser reads as another's.
fn is_of_this_site(place: &HeaderValue) -> bool {
    let place = place.as_bytes();
    let is_plain = place.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'\\');
    is_plain && place.starts_with(b"/") && !place.starts_with(b"//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        let is_let_through =
            |place: &'static str| is_of_this_site(&HeaderValue::from_static(place));
        for place in ["/", "/es/alerts?token=a-token"] {
            assert!(is_let_through(place), "{place}");
        }
        for place in ["", "alerts", "//evil.example", "/\\evil.example", "/\t/evil.example"] {
            assert!(!is_let_through(place), "{place}");
        }
        assert!(!is_let_through("https://evil.example/"));
    }
}
