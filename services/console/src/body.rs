//! Reading what is sent.

use axum::{body::Bytes, extract::rejection::BytesRejection};
use http::{HeaderMap, StatusCode, header};
use runtime::problem::{FieldError, Problem};
use serde::de::DeserializeOwned;

/// The most that is read, in bytes: a hundred ids of the longest kind.
pub const MOST_BYTES: usize = 64 << 10;

/// The whole of `body`.
pub fn whole(body: Result<Bytes, BytesRejection>) -> Result<Bytes, Problem> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "This is too long")
                .with_detail(format!("{MOST_BYTES} bytes are read"))
        }
        _ => Problem::invalid(vec![FieldError::new("body", "the whole of it")]),
    })
}

/// Reads `body` as JSON; a problem says what is wrong with it, and never what stood there.
pub fn read_json<T: DeserializeOwned>(headers: &HeaderMap, body: &Bytes) -> Result<T, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = kind
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        let title = "What is sent has to be JSON";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", title));
    }
    serde_json::from_slice(body).map_err(|error| {
        let detail = format!("JSON with the fields of this call; line {} is not", error.line());
        Problem::invalid(vec![FieldError::new("body", detail)])
    })
}
