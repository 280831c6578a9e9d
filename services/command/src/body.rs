//! Reading what is sent.

use axum::{body::Bytes, extract::rejection::BytesRejection};
use http::{HeaderMap, StatusCode, header};
use runtime::problem::{FieldError, Problem};
use serde::de::DeserializeOwned;

/// The most that is read, in bytes: the longest message in the widest letters, with all else.
pub const MOST_BYTES: usize = 32 << 10;

/// Reads `body` as JSON; a problem says what is wrong with it, and never what stood there.
pub fn read_json<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<T, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = kind
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        let title = "What is sent has to be JSON";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", title));
    }
    let body = whole(body, MOST_BYTES)?;
    serde_json::from_slice(&body).map_err(|error| {
        // Where and what kind, never what stood there.
        let place =
            format!("JSON as the description of the API says; line {} is not", error.line());
        let detail = unknown_field(&error).unwrap_or(place);
        Problem::invalid(vec![FieldError::new("body", detail)])
    })
}

/// `body`, of which `most` bytes are read.
pub fn whole(body: Result<Bytes, BytesRejection>, most: usize) -> Result<Bytes, Problem> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "This is too long")
                .with_detail(format!("{most} bytes are read"))
        }
        _ => Problem::invalid(vec![FieldError::new("body", "the whole of it")]),
    })
}

/// Names a field that is not known; the message lists those that are.
fn unknown_field(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    text.starts_with("unknown field").then_some(text)
}
