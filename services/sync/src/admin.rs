//! Calls for operators, behind a token of their own.

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::get,
};
use runtime::problem::Problem;
use std::time::Duration;

use crate::{Sync, parked::parked, receive::Secrets};

/// How long a caller who was refused for our sake should wait, at least.
const RETRY_AFTER: Duration = Duration::from_secs(2);

#[derive(Clone)]
struct Admin {
    sync: Sync,
    tokens: Secrets,
}

/// The route `GET /admin/parked`: what can't be recorded, and why.
pub fn router(sync: Sync, tokens: Secrets) -> Router {
    Router::new().route("/admin/parked", get(list)).with_state(Admin { sync, tokens })
}

async fn list(State(admin): State<Admin>, headers: HeaderMap) -> Response {
    if let Err(refusal) = admin.tokens.check_bearer(&headers) {
        return Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "The call needs the operator's token",
        )
        .with_detail(refusal)
        .into_response();
    }
    match parked(admin.sync.ledger.pool()).await {
        Ok(parked) => Json(parked).into_response(),
        Err(error) => {
            tracing::warn!(%error, "what is parked could not be listed");
            Problem::unavailable("the ledger can't be read", RETRY_AFTER).into_response()
        }
    }
}
