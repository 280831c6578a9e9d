//! Serves pictures unchanged from the folder. Scaling is left to the site.

use axum::{
    body::Body,
    extract::{Path, State as AxumState},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use tokio::fs::File;
use tokio_util::io::ReaderStream;

use crate::{
    api::State,
    errors::ApiError,
    load::{MEDIA, picture_path},
    schema::collection,
    values::parse_timestamp,
};

/// `GET /assets/{id}`: returns the bytes of a file.
pub(crate) async fn asset(
    AxumState(state): AxumState<State>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let content = state.content();
    let files = collection("directus_files").ok_or(ApiError::Forbidden)?;
    let item = content.table(files).get(&id).ok_or(ApiError::Forbidden)?;
    let path = picture_path(&state.folder().join(MEDIA), item).ok_or(ApiError::Forbidden)?;
    let file = File::open(&path).await.map_err(|_| ApiError::Forbidden)?;
    let length = file.metadata().await.map_err(|_| ApiError::Forbidden)?.len();

    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_LENGTH, length.into());
    let mut set = |name, value: Option<String>| {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    };
    let kind = item["type"].as_str().unwrap_or("application/octet-stream");
    set(header::CONTENT_TYPE, Some(kind.to_owned()));
    set(header::CACHE_CONTROL, Some("public, max-age=2592000".to_owned()));
    let modified = item["modified_on"].as_str().and_then(parse_timestamp);
    set(header::ETAG, modified.map(|time| format!("\"{}\"", time.timestamp_millis())));
    let http_date = modified.map(|time| time.format("%a, %d %b %Y %H:%M:%S GMT").to_string());
    set(header::LAST_MODIFIED, http_date);
    Ok((headers, Body::from_stream(ReaderStream::new(file))).into_response())
}
