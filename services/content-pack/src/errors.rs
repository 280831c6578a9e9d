//! Errors with the messages and statuses of Directus.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ApiError {
    /// The token is invalid.
    InvalidCredentials,
    /// The item does not exist or is not accessible; Directus does not reveal which.
    Forbidden,
    /// The collection does not exist, or there is no token.
    ForbiddenCollection(String),
    /// The field does not exist.
    ForbiddenField { field: String, collection: &'static str },
    /// The query is invalid.
    InvalidQuery(String),
    /// The route does not exist.
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
