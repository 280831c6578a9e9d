//! Reading what is sent.

use axum::{body::Bytes, extract::rejection::BytesRejection};
use http::{HeaderMap, StatusCode, header};
use runtime::problem::{FieldError, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    if holds_nul(&body) {
        return Err(Problem::invalid(vec![FieldError::new("body", "text without U+0000")]));
    }
    serde_json::from_slice(&body).map_err(|error| {
        // Where and what kind, never what stood there.
        let place =
            format!("JSON as the description of the API says; line {} is not", error.line());
        let detail = unknown_field(&error).unwrap_or(place);
        Problem::invalid(vec![FieldError::new("body", detail)])
    })
}

/// Whether a text in `body` has the one character that Postgres keeps in none.
fn holds_nul(body: &[u8]) -> bool {
    fn is_in(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(values) => values.iter().any(is_in),
            Value::Object(fields) => {
                fields.iter().any(|(name, value)| name.contains('\0') || is_in(value))
            }
            _ => false,
        }
    }
    // JSON can write it in this way alone; the same letters may stand for themselves.
    let may_hold = body.windows(5).any(|letters| letters == b"u0000");
    may_hold && serde_json::from_slice(body).is_ok_and(|value| is_in(&value))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_that_cant_be_kept_is_found_wherever_it_stands() {
        for body in [r#"{"a":["x\u0000"]}"#, r#"{"\u0000":1}"#, r#""\u0000""#] {
            assert!(holds_nul(body.as_bytes()), "{body}");
        }
        for body in [r#"{"a":"\\u0000"}"#, r#"{"a":"u0000"}"#, "no JSON u0000"] {
            assert!(!holds_nul(body.as_bytes()), "{body}");
        }
    }
}
