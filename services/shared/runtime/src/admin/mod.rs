//! Calls of operators, on a process's health port under `/admin`.
//!
//! A role says what it answers ([`Process::answer_operators`](crate::Process::answer_operators)), and
//! who runs it says to whom ([`AdminToken`]). Without a token there are no such calls. Each answer is
//! given within a limit, and no cache keeps any.

mod asked;
mod frequent;
mod progress;
mod slowest;
mod token;

use std::{
    fmt::Display,
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
    asked::{Asked, listed},
    frequent::{Counted, Frequent},
    progress::{Positions, Progress, Reached},
    slowest::{Slow, Slowest},
    token::AdminToken,
};
use crate::problem::Problem;

/// The longest body that is read, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The longest that an answer may take: longer than what a call waits for may.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);
/// How long a caller who was refused because of us should wait, at least.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// What a process answers to operators, and to whom.
#[derive(Clone, Debug, Default)]
pub struct Admin {
    token: Option<AdminToken>,
    calls: Arc<OnceLock<Router>>,
}

impl Admin {
    /// For whoever knows `token`; for nobody where there is none.
    pub fn new(token: Option<AdminToken>) -> Self {
        Self { token, calls: Arc::default() }
    }

    /// Answers `calls` from here on, whose paths begin with `/admin/`. Only the first are taken.
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

/// The routes under `/admin`.
pub fn router(admin: Admin) -> Router {
    Router::new().route("/admin/{*call}", any(answer)).with_state(admin)
}

async fn answer(State(admin): State<Admin>, request: Request) -> Response {
    let mut response = match allowed(&admin, &request) {
        Err(problem) => problem.into_response(),
        Ok(calls) => match timeout(ANSWER_LIMIT, calls.clone().oneshot(request)).await {
            Ok(Ok(response)) => response,
            Err(_) => Problem::unavailable("the answer took too long", RETRY_AFTER).into_response(),
        },
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The calls, if `request` may make any.
fn allowed<'a>(admin: &'a Admin, request: &Request) -> Result<&'a Router, Problem> {
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

/// What a call needs is away, because of `error`, which the log is told and the caller too: it is an
/// operator.
pub fn away(what: &str, error: &dyn Display) -> Problem {
    tracing::warn!(%error, "{what}");
    Problem::unavailable(format!("{what}: {error}"), RETRY_AFTER)
}

/// 409: it can't be done beside what is under way, or as things stand.
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

    async fn count(Asked(asked): Asked<Names>) -> Result<String, Problem> {
        listed("names", asked.names.len(), 2)?;
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
    async fn only_who_knows_the_token_calls_and_without_one_nobody_does() {
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
    async fn what_is_asked_is_known_listed_and_bounded() {
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
