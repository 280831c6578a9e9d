//! Serves the console's front end: its files, and its single page for every other path.

use std::{
    io,
    path::{Path, PathBuf},
};

use axum::{
    Router,
    extract::Request,
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use runtime::problem::Problem;
use tower_http::services::{ServeDir, ServeFile};

use crate::Error;

/// The page of the front end.
const PAGE: &str = "index.html";
/// The folder of files whose names contain a hash of their content.
const HASHED: &str = "assets";
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Checks that `folder` contains the front end. Checked at startup, a problem is an error message for
/// the operator; found later, it would be an empty page.
pub fn check(folder: &Path) -> Result<(), Error> {
    let found = std::fs::metadata(folder.join(PAGE)).and_then(|page| {
        let is_page = page.is_file();
        is_page.then_some(()).ok_or_else(|| io::Error::other("index.html is no file"))
    });
    found.map_err(|source| Error::Assets { folder: folder.to_owned(), source })
}

/// Serves the files of `folder`, and the page for every other path.
pub fn router(folder: &PathBuf) -> Router {
    let hashed = ServeDir::new(folder.join(HASHED))
        .append_index_html_on_directories(false)
        .call_fallback_on_method_not_allowed(false);
    let files = ServeDir::new(folder).fallback(ServeFile::new(folder.join(PAGE)));
    Router::new()
        .nest_service("/assets", hashed)
        .fallback_service(files)
        .layer(middleware::from_fn(set_cache_control))
}

/// Sets the caching of files: immutable for files with a hash in their names. Replaces a 404 by a
/// problem.
async fn set_cache_control(request: Request, next: Next) -> Response {
    let is_hashed = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await;
    match response.status() {
        StatusCode::NOT_FOUND => {
            return Problem::not_found("there is no such file").into_response();
        }
        status if status.is_success() || status == StatusCode::NOT_MODIFIED => {
            let caching = if is_hashed { IMMUTABLE } else { REVALIDATE };
            response.headers_mut().insert(header::CACHE_CONTROL, caching);
        }
        _ => {}
    }
    response
}
