//! Reads JSON request bodies.

use std::error::Error as _;

use axum::{
    Json,
    body::Bytes,
    extract::{
        FromRequest, Request,
        rejection::{BytesRejection, JsonRejection},
    },
    http::{HeaderMap, StatusCode},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    problem::{FieldError, Problem},
    request_body::{require_json, too_large},
};

/// The JSON body of a request. The router sets the size limit. A rejection says what is wrong with the
/// body, and never repeats its content.
#[derive(Clone, Copy, Debug)]
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        require_json(request.headers())?;
        let body = complete_body(Bytes::from_request(request, state).await)?;
        parse(&body).map(Self)
    }
}

/// Parses `body`, received with `headers`, in the same way as [`JsonBody`].
pub fn read_json<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    require_json(headers)?;
    parse(body)
}

/// Returns the complete `body` of a request, unless it exceeds the router's limit.
pub fn complete_body(body: Result<Bytes, BytesRejection>) -> Result<Bytes, Problem> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => Problem::invalid(vec![FieldError::new("body", "the whole of it")]),
    })
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    if contains_nul(body) {
        return Err(Problem::invalid(vec![FieldError::new("body", "text without U+0000")]));
    }
    serde_json::from_slice(body).map_err(|error| {
        // The place and the kind of the error, never the content.
        let detail = named_field(&error).unwrap_or_else(|| {
            let place = invalid_field::<T>(body, &error);
            let place = place.unwrap_or_else(|| format!("line {}", error.line()));
            format!("JSON with the fields of this call; {place} is not")
        });
        Problem::invalid(vec![FieldError::new("body", detail)])
    })
}

/// Whether a string in `body` contains U+0000, which Postgres cannot store in text.
fn contains_nul(body: &[u8]) -> bool {
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
    // JSON can only write it as this escape; but the same characters may also be literal text.
    let may_contain = body.windows(5).any(|window| window == b"u0000");
    may_contain && serde_json::from_slice(body).is_ok_and(|value| is_in(&value))
}

/// Returns serde's message if it names a missing or an unknown field; for the latter it lists the known
/// ones.
fn named_field(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    let is_named = text.starts_with("missing field") || text.starts_with("unknown field");
    is_named.then_some(text)
}

/// Returns the path of the field of `body` whose type differs from that in `T`, which caused `error`.
fn invalid_field<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Option<String> {
    if !error.is_data() {
        return None;
    }
    let message = message_with_path(&Json::<T>::from_bytes(body).err()?)?;
    let path = message.strip_suffix(&error.to_string())?.strip_suffix(": ")?;
    Some(format!("`{path}`"))
}

/// Returns what is wrong with the JSON, prefixed with the path of the invalid field if there is one.
pub fn message_with_path(rejection: &JsonRejection) -> Option<String> {
    rejection.source().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::header};
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

    /// Returns the name read from `body`, sent with the content type `kind`; or the status and the
    /// detail of the problem.
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
    async fn invalid_json_is_described_without_its_content() {
        let json = "Application/JSON; charset=utf-8";
        assert_eq!(read(json, r#"{"name":"Ann"}"#).await, Ok("Ann".to_owned()));
        assert_eq!(read("text/plain", r#"{"name":"Ann"}"#).await, Err((415, String::new())));
        let nul = read(json, r#"{"name":"A\u0000"}"#).await;
        assert_eq!(nul, Err((400, "text without U+0000".to_owned())));
        let (status, message) =
            read(json, r#"{"surname":"Lee"}"#).await.expect_err("it is unknown");
        assert!(
            status == 400 && message.contains("`surname`") && !message.contains("Lee"),
            "{message}"
        );
        let (status, message) = read(json, "{}").await.expect_err("it is missing");
        assert!(status == 400 && message.starts_with("missing field `name`"), "{message}");
        for (body, field) in [
            (r#"{"name":{"first":"Lee"}}"#, "name"),
            (r#"{"name":"Ann","homes":[{"ref":"1"},{"ref":7}]}"#, "homes[1].ref"),
        ] {
            let (status, message) = read(json, body).await.expect_err("it is no text");
            let expected = format!("JSON with the fields of this call; `{field}` is not");
            assert_eq!((status, message), (400, expected));
        }
        let (status, message) = read(json, r#"{"name":"Ann Lee"#).await.expect_err("it breaks off");
        assert!(
            status == 400 && message.contains("line 1") && !message.contains("Ann"),
            "{message}"
        );
    }

    #[test]
    fn nul_is_found_in_values_and_keys_but_not_in_literal_text() {
        for body in [r#"{"a":["x\u0000"]}"#, r#"{"\u0000":1}"#, r#""\u0000""#] {
            assert!(contains_nul(body.as_bytes()), "{body}");
        }
        for body in [r#"{"a":"\\u0000"}"#, r#"{"a":"u0000"}"#, "no JSON u0000"] {
            assert!(!contains_nul(body.as_bytes()), "{body}");
        }
    }
}
