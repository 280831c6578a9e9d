//! Errors in Directus's words and with its statuses.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ApiError {
    /// The token is wrong.
    InvalidCredentials,
    /// The item is not there, or may not be seen: Directus does not tell which.
    Forbidden,
    /// No such collection, or no token.
    ForbiddenCollection(String),
    /// No such field.
    ForbiddenField { field: String, collection: &'static str },
    /// The query says what can't be done.
    InvalidQuery(String),
    /// No such address.
    RouteNotFound(String),
}

impl ApiError {
    const fn status(&self) -> StatusCode {
        match self {
            Self::InvalidCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::ForbiddenCollection(_) | Self::ForbiddenField { .. } => {
                StatusCode::FORBIDDEN
            }
            Self::InvalidQuery(_) => StatusCode::BAD_REQUEST,
            Self::RouteNotFound(_) => StatusCode::NOT_FOUND,
        }
    }

    fn entry(&self) -> Value {
        match self {
            Self::InvalidCredentials => json!({
                "message": "Invalid user credentials.",
                "extensions": { "code": "INVALID_CREDENTIALS" },
            }),
            Self::Forbidden => json!({
                "message": "You don't have permission to access this.",
                "extensions": { "code": "FORBIDDEN" },
            }),
            Self::ForbiddenCollection(collection) => with_reason(
                "FORBIDDEN",
                "",
                &format!(
                    "You don't have permission to access collection \"{collection}\" or it does not exist. Queried in root."
                ),
            ),
            Self::ForbiddenField { field, collection } => with_reason(
                "FORBIDDEN",
                "",
                &format!(
                    "You don't have permission to access field \"{field}\" in collection \"{collection}\" or it does not exist. Queried in root."
                ),
            ),
            Self::InvalidQuery(reason) => with_reason("INVALID_QUERY", "Invalid query. ", reason),
            Self::RouteNotFound(path) => json!({
                "message": format!("Route {path} doesn't exist."),
                "extensions": { "path": path, "code": "ROUTE_NOT_FOUND" },
            }),
        }
    }
}

fn with_reason(code: &str, prefix: &str, reason: &str) -> Value {
    let end = if prefix.is_empty() { "" } else { "." };
    json!({
        "message": format!("{prefix}{reason}{end}"),
        "extensions": { "reason": reason, "code": code },
    })
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status(), Json(json!({ "errors": [self.entry()] }))).into_response()
    }
}
