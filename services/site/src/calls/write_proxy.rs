//! Proxies visitors' requests to the write side. Bodies are limited, requests that change something have
//! to come from pages of this site, and the visitor's address is forwarded.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use bytes::Bytes;
use http::{
    HeaderName, HeaderValue, Method, StatusCode, header, request::Parts, uri::PathAndQuery,
};
use runtime::{problem::Problem, read_body, read_limited};
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::timeout,
};
use url::Url;

use crate::{
    calls::proxy_api::{service_unavailable, with_security_headers},
    door::Door,
    limits::{admission::Limited, rate::Rate, shares::Share},
    request_span::traced,
    security::is_from_this_site,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(15),
    idle: Duration::from_secs(90),
};
/// How long a visitor may take to send a body, and a picture over a slow line.
const BODY_LIMIT: Duration = Duration::from_secs(10);
const PICTURE_LIMIT: Duration = Duration::from_mins(1);
/// The maximum size of a body, in bytes: the limit of the write side itself.
const MAX_BYTES: usize = 32 << 10;
const MAX_PICTURE_BYTES: usize = 12 << 20;
/// How many pictures are received concurrently, and how long another one waits.
const MAX_PICTURES: usize = 8;
const PERMIT_LIMIT: Duration = Duration::from_secs(10);
/// The maximum size of an answer, in bytes: the export of everything that is stored of a visitor.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// The header by which services behind the door get the visitor's address.
pub const VISITOR_ADDRESS: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The request headers that are forwarded to the write side, and the answer's headers that the visitor
/// gets.
const REQUEST_HEADERS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::COOKIE,
    header::REFERER,
    header::USER_AGENT,
    HeaderName::from_static("idempotency-key"),
];
const ANSWER_HEADERS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CONTENT_DISPOSITION,
    header::RETRY_AFTER,
    header::ALLOW,
    header::SET_COOKIE,
];

/// A proxy to the write side.
#[derive(Debug)]
pub struct WriteProxy {
    upstream: Upstream,
    /// One permit for each picture that is received: it is held in memory completely.
    pictures: Semaphore,
}

impl WriteProxy {
    /// Creates a proxy to the write side at `command_url`.
    pub fn new(command_url: &Url) -> Result<Self, reqwest::Error> {
        let upstream = Upstream::new(command_url, LIMITS)?;
        Ok(Self { upstream, pictures: Semaphore::new(MAX_PICTURES) })
    }

    async fn forward(
        &self,
        head: &Parts,
        visitor: Option<IpAddr>,
        body: Bytes,
    ) -> Result<Response, Problem> {
        let path = head.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let request_to = |client: &reqwest::Client, base: &str| {
            let mut forwarded = client.request(head.method.clone(), format!("{base}{path}"));
            for name in REQUEST_HEADERS {
                for value in head.headers.get_all(&name) {
                    forwarded = forwarded.header(&name, value);
                }
            }
            if let Some(visitor) = visitor {
                forwarded = forwarded.header(VISITOR_ADDRESS, visitor.to_string());
            }
            forwarded.body(body.clone())
        };
        let unanswered =
            |_| service_unavailable("what was sent could not be kept; it may be sent again");
        let mut answer = self.upstream.call_once(request_to).await.map_err(unanswered)?;
        let status = answer.status();
        let headers = answer.headers().clone();
        let body = read_body(&mut answer, MAX_ANSWER_BYTES)
            .await
            .map_err(|_| service_unavailable("the answer broke off; the same may be sent again"))?;
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        for name in ANSWER_HEADERS {
            for value in headers.get_all(&name) {
                response.headers_mut().append(&name, value.clone());
            }
        }
        let location = headers.get(header::LOCATION);
        if let Some(location) = location.filter(|location| is_local_path(location)) {
            response.headers_mut().insert(header::LOCATION, location.clone());
        }
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, no_store);
        Ok(response)
    }

    async fn picture_permit(&self) -> Result<SemaphorePermit<'_>, Problem> {
        let permit = timeout(PERMIT_LIMIT, self.pictures.acquire()).await;
        permit.ok().and_then(Result::ok).ok_or_else(|| Limited.into())
    }
}

/// The public calls of the write side.
pub const WRITE_CALLS: [&str; 7] = [
    "/api/enquiries",
    PICTURES,
    "/api/me",
    "/api/account",
    "/api/account/{*rest}",
    "/api/alerts",
    "/api/alerts/{*rest}",
];

/// Accepts a file. All other calls accept a little JSON.
const PICTURES: &str = "/api/enquiries/pictures";

/// The one-click unsubscribe of mail programs (RFC 8058). These requests come from no page, and carry
/// nothing but the token at the end of the link.
const UNSUBSCRIBE: &str = "/api/alerts/unsubscribe/";

/// Handles one of [`WRITE_CALLS`].
pub async fn write_call(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let answer = check_and_forward(&door, &head, body).await;
    with_security_headers(&door, answer)
}

async fn check_and_forward(door: &Door, head: &Parts, body: Body) -> Result<Response, Problem> {
    let is_safe = head.method == Method::GET || head.method == Method::HEAD;
    let is_one_click_unsubscribe =
        head.method == Method::POST && head.uri.path().starts_with(UNSUBSCRIBE);
    if !is_safe && !is_one_click_unsubscribe && !is_from_this_site(&door.origin, &head.headers) {
        let title = "This is taken from pages of this site";
        return Err(Problem::new(StatusCode::FORBIDDEN, "other-origin", title));
    }
    // Before the body is read, so that a slow upload also counts to the address's share.
    let visitor = door.visitor(head);
    let _share = door.take(visitor, Rate::render)?;
    let is_picture = head.uri.path() == PICTURES;
    let _permit = if is_picture { Some(picture_permit(door, visitor).await?) } else { None };
    let (limit, max_bytes) =
        if is_picture { (PICTURE_LIMIT, MAX_PICTURE_BYTES) } else { (BODY_LIMIT, MAX_BYTES) };
    let body = read_limited(body, max_bytes, limit).await?;
    Ok(traced(head, door.commands.forward(head, visitor, body)).await)
}

/// Waits for a permit to receive a picture from `visitor`. Permits are few and a line may be slow, so
/// one address holds no more than its share of them.
async fn picture_permit(
    door: &Door,
    visitor: Option<IpAddr>,
) -> Result<(Share, SemaphorePermit<'_>), Problem> {
    let share = door.take(visitor, Rate::upload)?;
    Ok((share, door.commands.picture_permit().await?))
}

/// Returns whether the location is a path of this site, and can't be read as another site's by a
/// browser.
fn is_local_path(location: &HeaderValue) -> bool {
    let path = location.as_bytes();
    let is_plain = path.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'\\');
    is_plain && path.starts_with(b"/") && !path.starts_with(b"//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_to_other_sites_are_dropped() {
        let is_forwarded = |place: &'static str| is_local_path(&HeaderValue::from_static(place));
        for place in ["/", "/es/alerts?token=a-token"] {
            assert!(is_forwarded(place), "{place}");
        }
        for place in ["", "alerts", "//evil.example", "/\\evil.example", "/\t/evil.example"] {
            assert!(!is_forwarded(place), "{place}");
        }
        assert!(!is_forwarded("https://evil.example/"));
    }
}
