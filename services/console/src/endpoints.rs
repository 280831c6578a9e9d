//! The endpoints of the console itself: the session, the overview and the audit trail.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use chrono::{DateTime, Utc};
use credentials::Password;
use http::{Extensions, HeaderMap, StatusCode, header};
use runtime::{
    JsonBody, error_text,
    postgres::with_answer_timeout,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Error,
    account::{self, BackgroundCaller, Caller, Operator, SignInResult},
    audit,
    console::Console,
};

/// The time after which clients may retry when Postgres is unavailable or the server is busy.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum lengths of a name and a code, in bytes.
const MAX_NAME_LENGTH: usize = 200;
const MAX_CODE_LENGTH: usize = 16;

/// The body of a sign-in request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    name: String,
    password: String,
    code: String,
}

/// The session of a signed-in operator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub struct SignedIn {
    operator: Operator,
    /// When the session expires; `None` if a proxy identified the operator.
    expires_at: Option<DateTime<Utc>>,
    /// Whether a proxy in front identifies the operator: then there is no signing out.
    via_proxy: bool,
    /// Whether redirects can be created, in a content service.
    redirects: bool,
}

/// `POST /api/session`: signs a browser in.
pub async fn sign_in(
    State(console): State<Arc<Console>>,
    extensions: Extensions,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(SignIn { name, password, code }): JsonBody<SignIn>,
) -> Result<Response, Problem> {
    let address = console.proxy.address_of(&headers, &extensions);
    let password = Password::for_sign_in(password);
    let is_within_limits = name.len() <= MAX_NAME_LENGTH && code.len() <= MAX_CODE_LENGTH;
    let Some(password) = password.filter(|_| is_within_limits) else {
        return Err(wrong_credentials());
    };
    console.sign_in_throttle.begin_attempt(&name, address).map_err(too_many_attempts)?;
    let address_text = address.map(|address| address.to_string());
    let result = account::sign_in(&console.pool, &name, password, &code, address_text.as_deref());
    let result = with_answer_timeout(result).await;
    if matches!(result, Ok(SignInResult::Busy) | Err(_)) {
        console.sign_in_throttle.cancel_attempt(&name, address);
    }
    match result.map_err(|error| unavailable(&console, &error))? {
        SignInResult::Wrong => Err(wrong_credentials()),
        SignInResult::Busy => {
            Err(Problem::unavailable("too many sign in at the moment", RETRY_AFTER))
        }
        SignInResult::SignedIn { account, token, expires_at } => {
            console.sign_in_throttle.succeeded(&name, address);
            let operator = Operator { name: account.name, may_act: account.may_act };
            let redirects = console.redirects.is_some();
            let signed_in =
                SignedIn { operator, expires_at: Some(expires_at), via_proxy: false, redirects };
            let jar = jar.add(cookie(&console, token.as_str().to_owned()));
            Ok((jar, Json(signed_in)).into_response())
        }
    }
}

/// `GET /api/session`: returns the signed-in operator.
pub async fn session(State(console): State<Arc<Console>>, caller: Caller) -> Response {
    let expires_at = caller.session.map(|(_, expires_at)| expires_at);
    let via_proxy = caller.session.is_none();
    let redirects = console.redirects.is_some();
    Json(SignedIn { operator: caller.operator, expires_at, via_proxy, redirects }).into_response()
}

/// `DELETE /api/session`: signs the browser out.
pub async fn sign_out(
    State(console): State<Arc<Console>>,
    caller: Caller,
    jar: CookieJar,
) -> Result<Response, Problem> {
    if let Some((session, _)) = caller.session {
        let address = caller.address.map(|address| address.to_string());
        let name = &caller.operator.name;
        let ended = account::sign_out(&console.pool, session, name, address.as_deref());
        with_answer_timeout(ended).await.map_err(|error| unavailable(&console, &error))?;
    }
    Ok((jar.remove(cookie(&console, String::new())), StatusCode::NO_CONTENT).into_response())
}

/// `GET /api/overview`: returns the latest overview.
pub async fn overview(
    State(console): State<Arc<Console>>,
    _: BackgroundCaller,
) -> Result<Response, Problem> {
    let latest = console.overview.latest();
    let latest = latest
        .ok_or_else(|| Problem::unavailable("nothing has been read yet", Duration::from_secs(1)))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], latest.to_string()).into_response())
}

/// The query that selects a page of the audit trail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageQuery {
    before: Option<i64>,
}

/// `GET /api/audit`: returns a page of the audit trail.
pub async fn audit(
    State(console): State<Arc<Console>>,
    _: Caller,
    page: Result<Query<PageQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(PageQuery { before }) = page.map_err(|_| {
        Problem::invalid(vec![FieldError::new("before", "the `next` of another page")])
    })?;
    let page = with_answer_timeout(audit::page(&console.pool, before)).await;
    Ok(Json(page.map_err(|error| unavailable(&console, &error))?).into_response())
}

/// Returns the session cookie, out of reach for scripts and other sites.
fn cookie(console: &Console, value: String) -> Cookie<'static> {
    Cookie::build((console.cookie_name(), value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(console.is_https)
        .build()
}

/// The same answer for a wrong name, password or code, and for a disabled account.
fn wrong_credentials() -> Problem {
    let title = "Name, password or code is wrong";
    Problem::new(StatusCode::UNAUTHORIZED, "not-signed-in", title)
}

fn too_many_attempts(wait: Duration) -> Problem {
    let title = "Too many wrong tries in a row";
    // Rounds up, since the header has whole seconds and a retry before the end of the wait is refused.
    let wait = wait + Duration::from_millis(999);
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-tries", title).with_retry_after(wait)
}

fn unavailable(console: &Console, error: &Error) -> Problem {
    console.note_failure(error);
    tracing::warn!(error = error_text(error), "the accounts of operators can't be read");
    Problem::unavailable("the accounts of operators can't be read", RETRY_AFTER)
}
