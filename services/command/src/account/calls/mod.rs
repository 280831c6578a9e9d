//! `/api/me` and `/api/account`.

mod homes;
mod owner;
mod passkey;
mod password;
mod searches;
mod signing_in;

use std::sync::Arc;

use axum::{
    Router,
    extract::FromRequestParts,
    response::Response,
    routing::{delete, get, patch, post, put},
};
use axum_extra::extract::CookieJar;
use credentials::MAX_PASSWORD_LENGTH;
use http::{HeaderMap, StatusCode, header, request::Parts};
use runtime::problem::Problem;
use sqlx::PgPool;
use tokio::sync::Notify;
use utoipa::OpenApi;
use webauthn_rs::prelude::Webauthn;

use super::{
    cookies,
    my_homes::MAX_NOTE_LENGTH,
    passkeys::relying_party,
    passwords::{GuessLimit, MIN_PASSWORD_LENGTH, guess_limit},
    session::{self, Session},
};
use crate::{
    Config, Error,
    answer::empty,
    rate::{REFILL_INTERVAL, RateLimit},
    storage::Storage,
};

/// The longest name, in characters: that of an enquiry.
const MAX_NAME_LENGTH: usize = 100;
/// The least and the most characters of each field, by the schema of its call.
pub const LENGTHS: [(&str, &str, usize, usize); 5] = [
    ("SignInRequest", "email", 0, signing_in::MAX_EMAIL_LENGTH),
    ("SignInRequest", "name", 0, MAX_NAME_LENGTH),
    ("AccountChange", "name", 0, MAX_NAME_LENGTH),
    ("NewPassword", "password", MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
    ("HomeChange", "note", 0, MAX_NOTE_LENGTH),
];
/// The maximum length of a stored user agent, in characters.
const MAX_AGENT_LENGTH: usize = 200;

/// The state of the calls.
#[derive(Debug)]
pub struct Accounts {
    storage: Storage,
    unpublished: Arc<Notify>,
    rate: RateLimit,
    guesses: GuessLimit,
    /// `None` if the site has no domain name.
    webauthn: Option<Webauthn>,
}

impl Accounts {
    /// Stores accounts in `storage`, and wakes the relay through `unpublished`.
    pub fn new(storage: Storage, unpublished: Arc<Notify>, config: &Config) -> Self {
        let name = config.mail_from.name.as_deref().unwrap_or("Almijara");
        let webauthn = relying_party(&config.public_url, name);
        Self {
            storage,
            unpublished,
            rate: RateLimit::new(config.enquiry_burst, REFILL_INTERVAL),
            guesses: guess_limit(config.enquiry_burst == 0),
            webauthn,
        }
    }

    fn webauthn(&self) -> Result<&Webauthn, Problem> {
        let nameless = || Problem::not_found("a site without a name has no passkeys");
        self.webauthn.as_ref().ok_or_else(nameless)
    }

    const fn pool(&self) -> &PgPool {
        self.storage.pool()
    }

    /// Runs `operation` against Postgres with a time limit.
    fn run<T>(
        &self,
        operation: impl Future<Output = Result<T, Error>>,
    ) -> impl Future<Output = Result<T, Problem>> {
        self.storage.run("an account could not be read or changed", operation)
    }

    async fn session_if_any(&self, jar: &CookieJar) -> Result<Option<Session>, Problem> {
        let presented = cookies::presented(jar);
        self.run(session::find(self.pool(), &presented)).await
    }
}

/// A handler with a session argument requires a signed-in visitor.
impl FromRequestParts<Arc<Accounts>> for Session {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        accounts: &Arc<Accounts>,
    ) -> Result<Self, Problem> {
        let jar = CookieJar::from_headers(&parts.headers);
        accounts.session_if_any(&jar).await?.ok_or_else(signed_out)
    }
}

/// The calls' description.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    signing_in::ask,
    signing_in::by_link,
    signing_in::by_code,
    signing_in::sign_out,
    owner::me,
    owner::account,
    owner::change_account,
    owner::delete_account,
    owner::export,
    owner::picture,
    owner::end_session,
    owner::end_other_sessions,
    homes::change_home,
    homes::merge_homes,
    homes::forget_seen_homes,
    searches::save_search,
    searches::change_search,
    searches::delete_search,
    passkey::begin_passkey,
    passkey::make_passkey,
    passkey::remove_passkey,
    passkey::ask_for_passkey,
    passkey::by_passkey,
    password::by_password,
    password::set_password,
    password::remove_password
))]
pub struct Document;

/// Returns the routes.
pub fn router(accounts: Accounts) -> Router {
    Router::new()
        .route("/api/me", get(owner::me))
        .route(
            "/api/account",
            get(owner::account).patch(owner::change_account).delete(owner::delete_account),
        )
        .route("/api/account/export", get(owner::export))
        .route("/api/account/pictures/{id}", get(owner::picture))
        .route("/api/account/sign-in", post(signing_in::ask))
        .route("/api/account/sign-in/link", post(signing_in::by_link))
        .route("/api/account/sign-in/code", post(signing_in::by_code))
        .route("/api/account/sign-in/password", post(password::by_password))
        .route("/api/account/sign-in/passkey", post(passkey::by_passkey))
        .route("/api/account/sign-in/passkey/challenge", post(passkey::ask_for_passkey))
        .route("/api/account/passkeys", post(passkey::make_passkey))
        .route("/api/account/passkeys/challenge", post(passkey::begin_passkey))
        .route("/api/account/passkeys/{id}", delete(passkey::remove_passkey))
        .route(
            "/api/account/password",
            put(password::set_password).delete(password::remove_password),
        )
        .route("/api/account/sign-out", post(signing_in::sign_out))
        .route("/api/account/sessions", delete(owner::end_other_sessions))
        .route("/api/account/sessions/{id}", delete(owner::end_session))
        .route("/api/account/homes", post(homes::merge_homes))
        .route("/api/account/homes/{reference}", put(homes::change_home))
        .route("/api/account/seen-homes", delete(homes::forget_seen_homes))
        .route("/api/account/searches", post(searches::save_search))
        .route(
            "/api/account/searches/{id}",
            patch(searches::change_search).delete(searches::delete_search),
        )
        .with_state(Arc::new(accounts))
}

fn signed_out() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "signed-out", "Nobody is signed in")
}

fn sign_in_expired() -> Problem {
    Problem::new(StatusCode::GONE, "sign-in-over", "This can't be used any more")
}

/// Returns the user agent, by which owners recognize a browser.
fn user_agent(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    Some(agent.chars().take(MAX_AGENT_LENGTH).collect())
}

fn no_content() -> Response {
    empty(StatusCode::NO_CONTENT)
}
