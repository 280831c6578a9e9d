//! The admin calls for operators, under `/admin` on a process's health port.
//!
//! A role registers its calls with [`Process::serve_admin_calls`](crate::Process::serve_admin_calls), and
//! the configuration sets who may make them ([`AdminToken`]). Without a token there are no admin calls.
//! Every call has a timeout, and no answer is cached.

mod admin_json;
mod frequent;
mod progress;
mod slowest;
mod token;

use std::{
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use tokio::time::timeout;
use tower::ServiceExt as _;

pub use self::{
    admin_json::{AdminJson, check_list_length},
    frequent::{Counted, Frequent},
    progress::{Positions, Progress, Reached},
    slowest::{Slow, Slowest},
    token::AdminToken,
};
use crate::{error_text, problem::Problem};

/// The maximum size of a request body, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The timeout of a call: longer than the timeouts of whatever a call waits for.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The minimum wait before a retry after a failure on our side.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The admin calls of a process, and the token that they need.
#[derive(Clone, Debug, Default)]
pub struct Admin {
    token: Option<AdminToken>,
    calls: Arc<OnceLock<Router>>,
}

impl Admin {
    /// Creates admin calls for callers that present `token`; without one, every call is refused.
    pub fn new(token: Option<AdminToken>) -> Self {
        Self { token, calls: Arc::default() }
    }

    /// Serves `calls` from now on; their paths begin with `/admin/`. Only the first router is used.
    pub(crate) fn open(&self, calls: Router) {
        let calls = calls
            .fallback(|| async { no_such_call() })
            .method_not_allowed_fallback(|| async { Problem::method_not_allowed("GET, POST") })
            .layer(DefaultBodyLimit::max(MAX_BYTES));
        if self.calls.set(calls).is_err() {
            tracing::error!("operators' calls were opened twice");
        }
    }
}

/// Returns the routes under `/admin`.
pub fn router(admin: Admin) -> Router {
    Router::new().route("/admin/{*call}", any(answer)).with_state(admin)
}

async fn answer(State(admin): State<Admin>, request: Request) -> Response {
    let mut response = match authorized_calls(&admin, &request) {
        Err(problem) => problem.into_response(),
        Ok(calls) => match timeout(ANSWER_TIMEOUT, calls.clone().oneshot(request)).await {
            Ok(Ok(response)) => response,
            Err(_) => Problem::unavailable("the answer took too long", RETRY_AFTER).into_response(),
        },
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns the calls, if `request` may make them.
fn authorized_calls<'a>(admin: &'a Admin, request: &Request) -> Result<&'a Router, Problem> {
    let token = admin.token.as_ref().ok_or_else(no_such_call)?;
    token.check(request.headers()).map_err(|refusal| {
        let title = "The call needs the operator's token";
        Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", title).with_detail(refusal)
    })?;
    admin.calls.get().ok_or_else(|| Problem::unavailable("it is starting", RETRY_AFTER))
}

fn no_such_call() -> Problem {
    Problem::not_found("there is no such call")
}

/// Returns a 503 for something that a call needs and that is unavailable because of `error`. The error
/// is logged, and included in the answer, since the caller is an operator.
pub fn unavailable(what: &str, error: &dyn Error) -> Problem {
    let error = error_text(error);
    tracing::warn!(error, "{what}");
    Problem::unavailable(format!("{what}: {error}"), RETRY_AFTER)
}

/// 409: the action conflicts with one in progress, or with the current state.
pub fn conflict(detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::CONFLICT, "conflict", "It can't be done now").with_detail(detail)
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, routing::post};
    use serde::Deserialize;

    use super::*;

    const TOKEN: &str = "a-token-for-operators";

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Names {
        names: Vec<String>,
    }

    async fn count(AdminJson(asked): AdminJson<Names>) -> Result<String, Problem> {
        check_list_length("names", asked.names.len(), 2)?;
        Ok(asked.names.len().to_string())
    }

    fn admin(token: Option<&str>) -> Admin {
        let token = token.map(|token| AdminToken::parse(&token.into()).expect("a token"));
        Admin::new(token)
    }

    async fn ask(admin: &Admin, token: Option<&str>, body: &str) -> StatusCode {
        let mut request = Request::post("/admin/count");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let answer = router(admin.clone()).oneshot(request).await.expect("an answer");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        answer.status()
    }

    #[tokio::test]
    async fn calls_need_the_token_and_without_a_configured_token_there_are_none() {
        let calls = || Router::new().route("/admin/count", post(count));
        let open = admin(Some(TOKEN));
        assert_eq!(ask(&open, Some(TOKEN), "").await, StatusCode::SERVICE_UNAVAILABLE);
        open.open(calls());
        assert_eq!(ask(&open, Some(TOKEN), r#"{"names":["a"]}"#).await, StatusCode::OK);
        for other in [None, Some(""), Some("a-token-for-operator")] {
            assert_eq!(ask(&open, other, r#"{"names":["a"]}"#).await, StatusCode::UNAUTHORIZED);
        }
        let closed = admin(None);
        closed.open(calls());
        assert_eq!(ask(&closed, Some(TOKEN), r#"{"names":["a"]}"#).await, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn bodies_with_unknown_fields_empty_or_long_lists_or_too_many_bytes_are_refused() {
        let open = admin(Some(TOKEN));
        open.open(Router::new().route("/admin/count", post(count)));
        for wrong in ["", "{}", r#"{"names":[]}"#, r#"{"names":["a","b","c"]}"#, r#"{"all":true}"#]
        {
            assert_eq!(ask(&open, Some(TOKEN), wrong).await, StatusCode::BAD_REQUEST, "{wrong}");
        }
        let long = format!(r#"{{"names":["{}"]}}"#, "a".repeat(MAX_BYTES));
        assert_eq!(ask(&open, Some(TOKEN), &long).await, StatusCode::PAYLOAD_TOO_LARGE);
    }
}
