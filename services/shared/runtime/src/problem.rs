//! Errors as RFC 9457 problem details.

use std::time::Duration;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The prefix of every problem's `type`; the rest is its stable code.
const TYPE_PREFIX: &str = "urn:almijara:problem:";

/// An error, as problem+json.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// A stable identifier: `urn:almijara:problem:<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The problem in words, for people.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What went wrong with this request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The invalid fields, if any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Seconds after which to try again; also the `Retry-After` header.
    #[serde(skip)]
    retry_after: Option<u16>,
    /// The methods that are answered; the `Allow` header.
    #[serde(skip)]
    allow: Option<&'static str>,
}

/// An invalid field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field's name, as in the request.
    pub field: String,
    /// What a valid value looks like.
    pub detail: String,
}

impl Problem {
    /// Creates a problem with the stable `code` and its `title`.
    pub fn new(status: StatusCode, code: &str, title: &str) -> Self {
        Self {
            kind: format!("{TYPE_PREFIX}{code}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: None,
            errors: Vec::new(),
            retry_after: None,
            allow: None,
        }
    }

    /// 400: fields of the request are invalid.
    pub fn invalid(errors: Vec<FieldError>) -> Self {
        let mut problem =
            Self::new(StatusCode::BAD_REQUEST, "invalid-request", "The request is not valid");
        problem.errors = errors;
        problem
    }

    /// 404: the resource does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found").with_detail(detail)
    }

    /// 405: only the methods in `allow` are supported, a comma-separated list.
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let title = "This call does not answer this method";
        let mut problem = Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title);
        problem.allow = Some(allow);
        problem.with_detail(format!("it answers {allow}"))
    }

    /// 500: an internal error. The cause belongs in the log, not in the answer.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Something went wrong on our side")
    }

    /// 503: temporarily unavailable; clients may retry after `retry_after`.
    pub fn unavailable(detail: impl Into<String>, retry_after: Duration) -> Self {
        let problem = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "The service is away for a moment",
        )
        .with_detail(detail);
        problem.with_retry_after(retry_after)
    }

    /// Adds what went wrong in this case.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds a `Retry-After` header, in whole seconds and at least one.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(u16::try_from(wait.as_secs()).unwrap_or(u16::MAX).max(1));
        self
    }
}

impl FieldError {
    /// Creates an error for `field`; `detail` says what would be valid.
    pub fn new(field: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { field: field.into(), detail: detail.into() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(allow) = self.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_its_field_errors_and_headers() {
        let invalid = Problem::invalid(vec![FieldError::new("page", "a number from 1")]);
        let json = serde_json::to_value(&invalid).expect("a problem serialises");
        assert_eq!(json["type"], "urn:almijara:problem:invalid-request");
        assert_eq!(json["errors"][0]["field"], "page");
        let response = Problem::unavailable("behind", Duration::from_millis(300)).into_response();
        assert_eq!(response.headers()["retry-after"], "1");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let refused = Problem::method_not_allowed("GET, HEAD").into_response();
        assert_eq!(refused.headers()["allow"], "GET, HEAD");
    }
}
