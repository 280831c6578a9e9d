//! `/api/alerts`: alerts for visitors without an account, and the links in alert mails.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    response::{IntoResponse, Redirect},
    routing::{get, post},
};
use chrono::{DateTime, Utc};
use contracts::Locale;
use credentials::Secret;
use http::{HeaderMap, StatusCode, header};
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use search_parameters::{InvalidParameters, SearchAddress};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use tokio::sync::Notify;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use super::{
    double_opt_in::{self, AskedSearch},
    renewal,
    saved_search::{self, MAX_NAME_LENGTH, Owner, SavedSearch, SearchChange, SearchRequest},
    schedule::Frequency,
    subscriber::{self, Subscriber},
};
use crate::{
    Config, Error,
    answer::{Answer, answer, empty},
    consent::Submission,
    enquiry::{email_address, single_line},
    failure::invalid_fields,
    rate::{REFILL_INTERVAL, RateLimit},
    storage::Storage,
};

/// The frequencies that a visitor can choose, as error texts list them.
const FREQUENCIES: &str = "at_once, daily or weekly";

/// The state of the calls.
#[derive(Debug)]
pub struct Alerts {
    storage: Storage,
    unpublished: Arc<Notify>,
    rate: RateLimit,
}

impl Alerts {
    /// Stores searches in `storage`, and wakes the relay through `unpublished`.
    pub fn new(storage: Storage, unpublished: Arc<Notify>, config: &Config) -> Self {
        Self { storage, unpublished, rate: RateLimit::new(config.enquiry_burst, REFILL_INTERVAL) }
    }

    const fn pool(&self) -> &PgPool {
        self.storage.pool()
    }

    /// Runs `operation` against Postgres with a time limit.
    fn run<T>(
        &self,
        operation: impl Future<Output = Result<T, Error>>,
    ) -> impl Future<Output = Result<T, Problem>> {
        self.storage.run("a saved search could not be read or changed", operation)
    }
}

/// The token of a link in a mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    token: String,
}

/// The reader's consent to the alerts that a confirmation mail asks about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Agreement {
    token: String,
    /// The name of the search in mails, as the page showed it. A search that was confirmed before
    /// keeps its name.
    #[serde(default)]
    name: Option<String>,
    /// The language of that page, which mails use from then on. Defaults to the language of the
    /// search.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    locale: Option<Locale>,
    /// The frequency that the page showed. Defaults to the one in the latest request. If the search
    /// was confirmed before, the frequency in the mail applies.
    #[serde(default)]
    frequency: Option<Frequency>,
}

/// A change of one search, authorized by the token of an alert mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChangeByToken {
    token: String,
    search: String,
    change: SearchChange,
    /// The language of the page. Defaults to the language of the search.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    locale: Option<Locale>,
}

/// A subscription to alerts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Subscription {
    /// The e-mail address that alerts are sent to.
    email: String,
    searches: Vec<SavedSearch>,
    /// When the alerts end unless the reader renews them; null if no renewal was requested.
    ends_at: Option<DateTime<Utc>>,
}

/// The calls' description.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    ask_for_alerts,
    asked,
    confirm_alerts,
    subscription,
    keep,
    change_by_link,
    lead_to_alerts,
    unsubscribe
))]
pub struct Document;

/// Returns the routes.
pub fn router(alerts: Alerts) -> Router {
    Router::new()
        .route("/api/alerts", post(ask_for_alerts))
        .route("/api/alerts/asked", post(asked))
        .route("/api/alerts/confirm", post(confirm_alerts))
        .route("/api/alerts/subscription", post(subscription))
        .route("/api/alerts/keep", post(keep))
        .route("/api/alerts/change", post(change_by_link))
        .route("/api/alerts/unsubscribe/{token}", get(lead_to_alerts).post(unsubscribe))
        .with_state(Arc::new(alerts))
}

/// Validates the address and the name of a request.
pub fn check_request(
    request: &SearchRequest,
    errors: &mut Vec<FieldError>,
) -> (Option<SearchAddress>, String) {
    let address = request.address.parse::<SearchAddress>();
    if let Err(InvalidParameters(wrong)) = &address {
        let wrong = wrong.iter().map(|it| format!("{}: {}", it.field, it.detail));
        errors.push(FieldError::new("address", wrong.collect::<Vec<_>>().join("; ")));
    }
    (address.ok(), check_name(&request.name, errors))
}

/// Validates and normalizes a name.
pub fn check_name(name: &str, errors: &mut Vec<FieldError>) -> String {
    let name = single_line(Some(name)).unwrap_or_default();
    if name.is_empty() || name.chars().count() > MAX_NAME_LENGTH {
        errors.push(FieldError::new("name", format!("1 to {MAX_NAME_LENGTH} characters")));
    }
    name
}

fn link_expired() -> Problem {
    Problem::new(StatusCode::GONE, "link-over", "This link can't be used any more")
}

/// Requests alerts for a search.
///
/// A mail asks its reader to confirm them. The answer is the same whether or not the e-mail address
/// is known.
#[utoipa::path(
    post, path = "/api/alerts", request_body = SearchRequest,
    responses(
        (status = 202, description = "A confirmation mail is being sent"),
        (status = 422, body = Problem),
        (status = 429, body = Problem)
    )
)]
pub(super) async fn ask_for_alerts(
    State(alerts): State<Arc<Alerts>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<SearchRequest>,
) -> Answer {
    let mut errors = Vec::new();
    let (address, name) = check_request(&request, &mut errors);
    let email = request.email.as_deref().and_then(email_address);
    if email.is_none() {
        errors.push(FieldError::new("email", "an address for mails"));
    }
    if request.frequency == Frequency::Never {
        errors.push(FieldError::new("frequency", FREQUENCIES));
    }
    let (Some(address), Some(email), true) = (address, email, errors.is_empty()) else {
        return Err(invalid_fields(errors));
    };
    alerts.rate.check(&headers)?;
    let SearchRequest { locale, frequency, .. } = request;
    let submission = Submission::from_headers(&headers);
    let pool = alerts.pool();
    alerts
        .run(double_opt_in::request(pool, &email, &address, &name, locale, frequency, &submission))
        .await?;
    alerts.unpublished.notify_one();
    Ok(empty(StatusCode::ACCEPTED))
}

/// Returns the search that a confirmation mail asks about, by the token of its link. The page shows
/// it before the reader confirms.
#[utoipa::path(
    post, path = "/api/alerts/asked", request_body = Token,
    responses((status = 200, body = AskedSearch), (status = 410, body = Problem))
)]
pub(super) async fn asked(
    State(alerts): State<Arc<Alerts>>,
    JsonBody(Token { token }): JsonBody<Token>,
) -> Answer {
    let hash = Secret::parse(&token).ok_or_else(link_expired)?.hash();
    let asked = alerts.run(double_opt_in::asked_search(alerts.pool(), &hash)).await?;
    Ok(answer(StatusCode::OK, &asked.ok_or_else(link_expired)?))
}

/// Confirms the alerts for a search.
#[utoipa::path(
    post, path = "/api/alerts/confirm", request_body = Agreement,
    responses(
        (status = 200, body = SavedSearch), (status = 410, body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn confirm_alerts(
    State(alerts): State<Arc<Alerts>>,
    headers: HeaderMap,
    JsonBody(Agreement { token, name, locale, frequency }): JsonBody<Agreement>,
) -> Answer {
    let hash = Secret::parse(&token).ok_or_else(link_expired)?.hash();
    let mut errors = Vec::new();
    let name = name.map(|name| check_name(&name, &mut errors));
    if frequency == Some(Frequency::Never) {
        errors.push(FieldError::new("frequency", FREQUENCIES));
    }
    if !errors.is_empty() {
        return Err(invalid_fields(errors));
    }
    let submission = Submission::from_headers(&headers);
    let pool = alerts.pool();
    let confirmed =
        double_opt_in::confirm(pool, &hash, name.as_deref(), locale, frequency, &submission);
    Ok(answer(StatusCode::OK, &alerts.run(confirmed).await?.ok_or_else(link_expired)?))
}

/// Returns a subscription, by the token of the link in each alert mail.
#[utoipa::path(
    post, path = "/api/alerts/subscription", request_body = Token,
    responses((status = 200, body = Subscription), (status = 410, body = Problem))
)]
pub(super) async fn subscription(
    State(alerts): State<Arc<Alerts>>,
    JsonBody(Token { token }): JsonBody<Token>,
) -> Answer {
    let found = alerts.run(subscriber::find(alerts.pool(), &token)).await?;
    let Subscriber { id, email, .. } = found.ok_or_else(link_expired)?;
    let searches = alerts.run(saved_search::list_of_subscriber(alerts.pool(), id)).await?;
    let ends_at = alerts.run(renewal::ends_at(alerts.pool(), id)).await?;
    Ok(answer(StatusCode::OK, &Subscription { email, searches, ends_at }))
}

/// Renews all alerts of a subscription, by the token of the link in the renewal mail.
#[utoipa::path(
    post, path = "/api/alerts/keep", request_body = Token,
    responses((status = 200), (status = 410, body = Problem))
)]
pub(super) async fn keep(
    State(alerts): State<Arc<Alerts>>,
    JsonBody(Token { token }): JsonBody<Token>,
) -> Answer {
    if alerts.run(renewal::keep(alerts.pool(), &token)).await? {
        Ok(empty(StatusCode::OK))
    } else {
        Err(link_expired())
    }
}

/// Changes one of the searches, by the token of the link in each alert mail.
#[utoipa::path(
    post, path = "/api/alerts/change", request_body = ChangeByToken,
    responses((status = 200, body = SavedSearch), (status = 410, body = Problem))
)]
pub(super) async fn change_by_link(
    State(alerts): State<Arc<Alerts>>,
    headers: HeaderMap,
    JsonBody(mut sent): JsonBody<ChangeByToken>,
) -> Answer {
    let id: Uuid = sent.search.parse().map_err(|_| link_expired())?;
    let mut errors = Vec::new();
    sent.change.name = sent.change.name.map(|name| check_name(&name, &mut errors));
    if !errors.is_empty() {
        return Err(invalid_fields(errors));
    }
    let owner = Owner::Token(&sent.token);
    let submission = Submission::from_headers(&headers);
    let changed =
        saved_search::change(alerts.pool(), owner, id, &sent.change, sent.locale, &submission);
    Ok(answer(StatusCode::OK, &alerts.run(changed).await?.ok_or_else(link_expired)?))
}

/// Redirects to the page for ending the alerts, in the reader's language. Opening the address ends
/// nothing, because programs open links too.
#[utoipa::path(
    get, path = "/api/alerts/unsubscribe/{token}", params(("token" = String, Path)),
    responses((status = 303, description = "`Location` is the address of the page"))
)]
pub(super) async fn lead_to_alerts(
    State(alerts): State<Arc<Alerts>>,
    Path(token): Path<String>,
) -> Answer {
    let token = Secret::parse(&token);
    let token = token.as_ref().map_or("", Secret::as_str);
    let found = alerts.run(subscriber::find(alerts.pool(), token)).await?;
    let locale = found.map(|subscriber| subscriber.locale).unwrap_or_default();
    // The page reports an unknown token.
    let page = Redirect::to(&format!("{}/alerts?token={token}", locale.path_prefix()));
    Ok(([(header::CACHE_CONTROL, "no-store")], page).into_response())
}

/// Ends all alerts with one click in a mail program (RFC 8058). The request needs neither cookies
/// nor `Origin` and `Referer` headers.
#[utoipa::path(
    post, path = "/api/alerts/unsubscribe/{token}", params(("token" = String, Path)),
    responses((status = 200), (status = 410, body = Problem))
)]
pub(super) async fn unsubscribe(
    State(alerts): State<Arc<Alerts>>,
    Path(token): Path<String>,
) -> Answer {
    let token = Secret::parse(&token).ok_or_else(link_expired)?;
    if alerts.run(saved_search::unsubscribe(alerts.pool(), token.as_str())).await? {
        Ok(empty(StatusCode::OK))
    } else {
        Err(link_expired())
    }
}
