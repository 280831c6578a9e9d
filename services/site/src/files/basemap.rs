//! Serves the map's streets: one file of vector tiles (`PMTiles`), which browsers read in ranges.

use std::{fs::File, io, path::Path, sync::Arc};

use axum::{body::Body, extract::State, response::Response};
use http::{HeaderValue, Request, StatusCode, header};
use tower::ServiceExt;

use crate::{door::Door, security::AnswerKind};

/// The URL path of the file.
pub const ADDRESS: &str = "/map/basemap.pmtiles";
/// A new file has another `ETag`, which `PMTiles` readers compare, so a day of caching is safe.
const ONE_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Checks that the file that `MAP_BASEMAP` names can be served.
///
/// # Errors
///
/// Returns the operating system's error if the file can't be read.
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
        return door.plain_text(StatusCode::NOT_FOUND, "No basemap is configured");
    };
    let (head, _body) = request.into_parts();
    if door.admit(&head).is_err() {
        return door.plain_text(StatusCode::TOO_MANY_REQUESTS, "Too many requests");
    }
    let serve = async |ranges: bool| {
        let mut headers = head.headers.clone();
        if !ranges {
            headers.remove(header::RANGE);
        }
        let mut request = Request::new(Body::empty());
        *request.method_mut() = head.method.clone();
        *request.headers_mut() = headers;
        let Ok(answer) = file.clone().oneshot(request).await;
        answer
    };
    let mut answer = serve(true).await;
    // If the file has changed, a range of it is of no use to the reader: it gets the complete file.
    let known = head.headers.get(header::IF_RANGE);
    if known.is_some_and(|known| answer.headers().get(header::ETAG) != Some(known)) {
        answer = serve(false).await;
    }
    let mut answer = answer.map(Body::new);
    if answer.status().is_success() {
        answer.headers_mut().insert(header::CACHE_CONTROL, ONE_DAY);
    }
    door.security.apply(answer.headers_mut(), AnswerKind::Data);
    answer
}
