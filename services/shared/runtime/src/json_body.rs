//! Reads JSON request bodies.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request, rejection::BytesRejection},
    http::{HeaderMap, StatusCode},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Track;

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
    parse_with_path(body).map_err(|error| Problem::invalid(vec![invalid_field(&error)]))
}

/// Parses `body`. An error contains the path of the invalid field.
pub fn parse_with_path<T: DeserializeOwned>(
    body: &[u8],
) -> Result<T, serde_path_to_error::Error<serde_json::Error>> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json)?;
    let ended = json.end();
    ended.map_err(|error| serde_path_to_error::Error::new(Track::new().path(), error))?;
    Ok(value)
}

/// Returns the field that caused `error` and what is wrong with it, but not its content.
fn invalid_field(error: &serde_path_to_error::Error<serde_json::Error>) -> FieldError {
    let (path, error) = (error.path(), error.inner());
    if !error.is_data() {
        return FieldError::new("body", format!("JSON; line {} is not", error.line()));
    }
    let field = match path.iter().next() {
        None => "body".to_owned(),
        Some(_) => path.to_string(),
    };
    // These messages name fields only; others repeat the value.
    let message = error.to_string();
    if message.starts_with("missing field") || message.starts_with("unknown field") {
        return FieldError::new(field, message);
    }
    FieldError::new(field, "a value that this call takes")
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

    /// Returns the name read from `body`, sent with the content type `kind`; or the status of the
    /// problem, and the invalid field with its detail, if any.
    async fn read(kind: &str, body: &str) -> Result<String, (u16, String, String)> {
        let request = Request::post("/").header(header::CONTENT_TYPE, kind);
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let read = JsonBody::<Named>::from_request(request, &()).await;
        read.map(|JsonBody(named)| named.name).map_err(|problem| {
            let error = problem.errors.into_iter().next().unwrap_or(FieldError::new("", ""));
            (problem.status, error.field, error.detail)
        })
    }

    #[tokio::test]
    async fn invalid_json_is_described_without_its_content() {
        let json = "Application/JSON; charset=utf-8";
        assert_eq!(read(json, r#"{"name":"Ann"}"#).await, Ok("Ann".to_owned()));
        let not_json = read("text/plain", r#"{"name":"Ann"}"#).await.expect_err("it is text");
        assert_eq!(not_json.0, 415);
        for (body, field, expected) in [
            (r#"{"name":"A\u0000"}"#, "body", "text without U+0000"),
            (r#"{"surname":"Lee"}"#, "surname", "unknown field `surname`, expected `name`"),
            ("{}", "body", "missing field `name`"),
            (r#"{"name":"Ann","homes":[{}]}"#, "homes[0]", "missing field `ref`"),
            (r#"{"name":{"first":"Lee"}}"#, "name", "a value that this call takes"),
            (
                r#"{"name":"Ann","homes":[{"ref":"1"},{"ref":7}]}"#,
                "homes[1].ref",
                "a value that this call takes",
            ),
            ("[]", "body", ""),
            (r#"{"name":"Ann Lee"#, "body", "JSON; line 1 is not"),
            (r#"{"name":"Ann"} Lee"#, "body", "JSON; line 1 is not"),
        ] {
            let (status, found, detail) = read(json, body).await.expect_err(body);
            assert_eq!((status, &*found), (400, field), "{body}");
            assert!(detail.starts_with(expected), "{body}: {detail}");
            assert!(!detail.contains("Ann") && !detail.contains("Lee"), "{detail}");
        }
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
