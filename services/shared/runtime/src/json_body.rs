//! Reading the JSON that somebody sends.

use std::error::Error as _;

use axum::{
    Json,
    body::Bytes,
    extract::{
        FromRequest, Request,
        rejection::{BytesRejection, JsonRejection},
    },
    http::{HeaderMap, StatusCode, header},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{FieldError, Problem};

/// The JSON that a request brings, of which its router says how much is read. A problem says what is
/// wrong with it, and never what stood there.
#[derive(Clone, Copy, Debug)]
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        check_type(request.headers())?;
        let body = whole_body(Bytes::from_request(request, state).await)?;
        parse(&body).map(Self)
    }
}

/// Reads `body`, which came with `headers`, as a [`JsonBody`] is read.
pub fn read_json<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    check_type(headers)?;
    parse(body)
}

/// The whole `body` of a request, unless it is longer than its router reads.
pub fn whole_body(body: Result<Bytes, BytesRejection>) -> Result<Bytes, Problem> {
    body.map_err(|rejection| match rejection.status() {
        status @ StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(status, "too-large", "This is too long")
        }
        _ => Problem::invalid(vec![FieldError::new("body", "the whole of it")]),
    })
}

fn check_type(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_json = kind
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if is_json {
        return Ok(());
    }
    let title = "What is sent has to be JSON";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", title))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if holds_nul(body) {
        return Err(Problem::invalid(vec![FieldError::new("body", "text without U+0000")]));
    }
    serde_json::from_slice(body).map_err(|error| {
        // Where and what kind, never what stood there.
        let detail = named_field(&error).unwrap_or_else(|| {
            let place = wrong_field::<T>(body, &error);
            let place = place.unwrap_or_else(|| format!("line {}", error.line()));
            format!("JSON with the fields of this call; {place} is not")
        });
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

/// Names a field that is missing, or one that is not known; then the message lists those that are.
fn named_field(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    let is_named = text.starts_with("missing field") || text.starts_with("unknown field");
    is_named.then_some(text)
}

/// The field of `body` that is of another form than `T` has it, which is why it can't be read: `error`.
fn wrong_field<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Option<String> {
    if !error.is_data() {
        return None;
    }
    let told = told_with_path(&Json::<T>::from_bytes(body).err()?)?;
    let path = told.strip_suffix(&error.to_string())?.strip_suffix(": ")?;
    Some(format!("`{path}`"))
}

/// What is wrong with JSON, behind the path of the field that it is wrong with, where it is one's.
pub fn told_with_path(rejection: &JsonRejection) -> Option<String> {
    rejection.source().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        name: String,
        #[serde(default, rename = "homes")]
        _homes: Vec<Home>,
    }

    #[derive(Debug, Deserialize)]
    struct Home {
        #[serde(rename = "ref")]
        _reference: String,
    }

    /// What is read of `body`, sent as `kind`; or the status of the problem and what it says of the body.
    async fn read(kind: &str, body: &str) -> Result<String, (u16, String)> {
        let request = Request::post("/").header(header::CONTENT_TYPE, kind);
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let read = JsonBody::<Named>::from_request(request, &()).await;
        read.map(|JsonBody(named)| named.name).map_err(|problem| {
            let detail = problem.errors.first().map(|error| error.detail.clone());
            (problem.status, detail.unwrap_or_default())
        })
    }

    #[tokio::test]
    async fn json_is_read_and_what_is_wrong_with_it_is_told_without_what_stood_there() {
        let json = "Application/JSON; charset=utf-8";
        assert_eq!(read(json, r#"{"name":"Ann"}"#).await, Ok("Ann".to_owned()));
        assert_eq!(read("text/plain", r#"{"name":"Ann"}"#).await, Err((415, String::new())));
        let nul = read(json, r#"{"name":"A\u0000"}"#).await;
        assert_eq!(nul, Err((400, "text without U+0000".to_owned())));
        let (status, told) = read(json, r#"{"surname":"Lee"}"#).await.expect_err("it is unknown");
        assert!(status == 400 && told.contains("`surname`") && !told.contains("Lee"), "{told}");
        let (status, told) = read(json, "{}").await.expect_err("it is missing");
        assert!(status == 400 && told.starts_with("missing field `name`"), "{told}");
        for (body, field) in [
            (r#"{"name":{"first":"Lee"}}"#, "name"),
            (r#"{"name":"Ann","homes":[{"ref":"1"},{"ref":7}]}"#, "homes[1].ref"),
        ] {
            let (status, told) = read(json, body).await.expect_err("it is no text");
            let expected = format!("JSON with the fields of this call; `{field}` is not");
            assert_eq!((status, told), (400, expected));
        }
        let (status, told) = read(json, r#"{"name":"Ann Lee"#).await.expect_err("it breaks off");
        assert!(status == 400 && told.contains("line 1") && !told.contains("Ann"), "{told}");
    }

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
