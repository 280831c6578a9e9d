//! The map's streets: one file of vector tiles (`PMTiles`), of which browsers ask for ranges.

use std::{fs::File, io, path::Path, sync::Arc};

use axum::{body::Body, extract::State, response::Response};
use http::{HeaderValue, Method, Request, StatusCode, header};
use tower::ServiceExt;

use crate::{door::Door, security::AnswerKind};

/// Where the file is, of the site.
pub const ADDRESS: &str = "/map/basemap.pmtiles";
/// A new file has another tag, which readers compare; so a while is enough.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Whether the file that `MAP_BASEMAP` names can be given to browsers.
///
/// # Errors
///
/// The system's word on why it can't be read.
pub fn readable_basemap(file: &Path) -> io::Result<()> {
    if File::open(file)?.metadata()?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is no file"))
    }
}

/// `/map/basemap.pmtiles`.
pub async fn basemap(State(door): State<Arc<Door>>, request: Request<Body>) -> Response {
    let Some(file) = &door.basemap else {
        return door.plain(StatusCode::NOT_FOUND, "No basemap is configured");
    };
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return door
            .plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are what the basemap answers");
    }
    if !door.rate.allows(door.rate.address_of(request.headers(), request.extensions())) {
        door.counters.limited.increment(1);
        return door.plain(StatusCode::TOO_MANY_REQUESTS, "Too many requests");
    }
    let (asked, _body) = request.into_parts();
    let give = async |ranges: bool| {
        let mut headers = asked.headers.clone();
        if !ranges {
            headers.remove(header::RANGE);
        }
        let mut request = Request::new(Body::empty());
        *request.method_mut() = asked.method.clone();
        *request.headers_mut() = headers;
        let Ok(answer) = file.clone().oneshot(request).await;
        answer
    };
    let mut answer = give(true).await;
    // A part of another file than the one that the reader has parts of is of no use to it.
    let known = asked.headers.get(header::IF_RANGE);
    if known.is_some_and(|known| answer.headers().get(header::ETAG) != Some(known)) {
        answer = give(false).await;
    }
    let mut answer = answer.map(Body::new);
    if answer.status().is_success() {
        answer.headers_mut().insert(header::CACHE_CONTROL, A_DAY);
    }
    door.security.apply(answer.headers_mut(), AnswerKind::Data);
    answer
}
