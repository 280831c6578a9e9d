//! The calls about the console itself: who is signed in, how everything is, and who did what.

use std::time::Duration;

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
    JsonBody,
    postgres::answered,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    account::{self, Operator, Tried, Watching, Who},
    audit,
    console::Console,
};

/// When somebody may try again where Postgres or a processor has no time.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The longest name and code that are looked at, in bytes.
const MAX_NAME_LENGTH: usize = 200;
const MAX_CODE_LENGTH: usize = 16;

/// What somebody sends who signs in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    name: String,
    password: String,
    code: String,
}

/// Who is signed in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SignedIn {
    operator: Operator,
    /// When the session ends at the latest; none where a proxy says who asks.
    expires_at: Option<DateTime<Utc>>,
    via_proxy: bool,
    /// Whether there is a content service to make redirects in.
    redirects: bool,
}

/// `POST /api/session`: signs a browser in.
pub async fn sign_in(
    State(console): State<Console>,
    extensions: Extensions,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(SignIn { name, password, code }): JsonBody<SignIn>,
) -> Result<Response, Problem> {
    let address = console.proxy().address_of(&headers, &extensions);
    let password = Password::tried(password);
    let is_short = name.len() <= MAX_NAME_LENGTH && code.len() <= MAX_CODE_LENGTH;
    let Some(password) = password.filter(|_| is_short) else { return Err(wrong()) };
    console.guesses().begin(&name, address).map_err(too_often)?;
    let from = address.map(|address| address.to_string());
    let tried = account::sign_in(console.pool(), &name, password, &code, from.as_deref());
    let tried = answered(tried).await;
    if matches!(tried, Ok(Tried::Busy) | Err(_)) {
        console.guesses().untried(&name, address);
    }
    match tried.map_err(|error| away(&console, &error))? {
        Tried::Wrong => Err(wrong()),
        Tried::Busy => Err(Problem::unavailable("too many sign in at the moment", RETRY_AFTER)),
        Tried::SignedIn { account, token, expires_at } => {
            console.guesses().right(&name, address);
            let operator = Operator { name: account.name, may_act: account.may_act };
            let redirects = console.redirects().is_some();
            let told =
                SignedIn { operator, expires_at: Some(expires_at), via_proxy: false, redirects };
            let jar = jar.add(cookie(&console, token.as_str().to_owned()));
            Ok((jar, Json(told)).into_response())
        }
    }
}

/// `GET /api/session`: who is signed in.
pub async fn session(State(console): State<Console>, who: Who) -> Response {
    let expires_at = who.session.map(|(_, expires_at)| expires_at);
    let via_proxy = who.session.is_none();
    let redirects = console.redirects().is_some();
    Json(SignedIn { operator: who.operator, expires_at, via_proxy, redirects }).into_response()
}

/// `DELETE /api/session`: signs the browser out.
pub async fn sign_out(
    State(console): State<Console>,
    who: Who,
    jar: CookieJar,
) -> Result<Response, Problem> {
    if let Some((session, _)) = who.session {
        let address = who.address.map(|address| address.to_string());
        let name = &who.operator.name;
        let ended = account::sign_out(console.pool(), session, name, address.as_deref());
        answered(ended).await.map_err(|error| away(&console, &error))?;
    }
    Ok((jar.remove(cookie(&console, String::new())), StatusCode::NO_CONTENT).into_response())
}

/// `GET /api/overview`: how everything was when it was last looked at.
pub async fn overview(State(console): State<Console>, _: Watching) -> Result<Response, Problem> {
    let latest = console.overview().latest();
    let latest = latest.ok_or_else(|| {
        Problem::unavailable("nothing has been looked at yet", Duration::from_secs(1))
    })?;
    Ok(([(header::CONTENT_TYPE, "application/json")], latest.to_string()).into_response())
}

/// Which page of the audit trail is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageOf {
    before: Option<i64>,
}

/// `GET /api/audit`: who did what.
pub async fn audit(
    State(console): State<Console>,
    _: Who,
    page: Result<Query<PageOf>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Problem> {
    let Query(PageOf { before }) = page.map_err(|_| {
        Problem::invalid(vec![FieldError::new("before", "the `next` of another page")])
    })?;
    let page = answered(audit::page(console.pool(), before)).await;
    Ok(Json(page.map_err(|error| away(&console, &error))?).into_response())
}

/// With nothing of it that a script or another site could use.
fn cookie(console: &Console, value: String) -> Cookie<'static> {
    Cookie::build((console.cookie_name(), value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(console.is_https())
        .build()
}

/// One answer for a wrong name, a wrong password, a wrong code, and an account that is kept out.
fn wrong() -> Problem {
    let title = "Name, password or code is wrong";
    Problem::new(StatusCode::UNAUTHORIZED, "not-signed-in", title)
}

fn too_often(wait: Duration) -> Problem {
    let title = "Too many wrong tries in a row";
    // Not before the time is over: the header counts whole seconds.
    let wait = wait + Duration::from_millis(999);
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-tries", title).with_retry_after(wait)
}

fn away(console: &Console, error: &Error) -> Problem {
    console.note(error);
    tracing::warn!(%error, "the accounts of operators can't be read");
    Problem::unavailable("the accounts of operators can't be read", RETRY_AFTER)
}
