//! Exports all stored data of an account, for each table in `kept.json`, except for blocked data, which
//! is not read here.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{
    details::{self, Account},
    my_homes::{self, MyHome},
    session::Session,
};
use crate::Error;

/// All data that is stored about an account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    exported_at: DateTime<Utc>,
    account: Account,
    /// Consents given with the account, or from its e-mail address with an enquiry or for alerts.
    consents: Vec<Consent>,
    homes: Vec<MyHome>,
    /// The browsers that have been signed in to the account.
    devices: Vec<Mark>,
    /// Recently requested sign-ins.
    sign_ins: Vec<AskedSignIn>,
    /// Passkey registrations in progress.
    ceremonies: Vec<Mark>,
    /// When the account subscribed to alerts.
    subscriptions: Vec<Mark>,
    /// Searches that alerts to the account's e-mail address were requested for, but not confirmed
    /// yet.
    asked_searches: Vec<WaitingSearch>,
    /// Alerts about homes: sent, pending, or dropped because the home matched the search only
    /// briefly.
    alerts: Vec<ToldAlert>,
    /// Mails to the account's address, and what was forwarded to the office.
    mails: Vec<KeptJob>,
    /// Fingerprints of the enquiries of the last day, which detect duplicates.
    fingerprints: Vec<Mark>,
}

/// A consent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// `marketing` or `alerts`.
    purpose: String,
    /// The version of the text that was consented to.
    text_version: String,
    locale: String,
    /// The path of the page on which consent was requested.
    page: Option<String>,
    /// The network address that the request came from.
    asked_from: Option<String>,
    /// The network address that the confirmation came from.
    confirmed_from: Option<String>,
    /// When consent was requested, if it was confirmed in a later step.
    asked_at: Option<DateTime<Utc>>,
    given_at: DateTime<Utc>,
    withdrawn_at: Option<DateTime<Utc>>,
}

/// A stored record whose contents are not exported.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    /// When the record was made, or when it expires.
    at: DateTime<Utc>,
}

/// A requested sign-in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedSignIn {
    name: Option<String>,
    page: Option<String>,
    /// The network address that the request came from.
    asked_from: Option<String>,
    created_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

/// A search that alerts were requested for, and that was not confirmed. Anybody who knows the
/// e-mail address can have requested it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingSearch {
    /// The query string of the search.
    address: Option<String>,
    /// The name given in the request.
    name: String,
    /// `at_once`, `daily`, `weekly` or `never`.
    frequency: String,
    /// The path of the page from which it was requested.
    page: Option<String>,
    /// The network address that the request came from.
    asked_from: Option<String>,
    created_at: DateTime<Utc>,
}

/// An event of a home that an alert reports.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToldAlert {
    reference: String,
    /// `new`, `reduced`, `raised`, `back`, `status` or `withdrawn`.
    happened: String,
    /// The name of the search that found it.
    search: String,
    /// How soon the alert is mailed: `at_once`, `daily` or `weekly`.
    frequency: String,
    /// The price before the event, in euros.
    price_before: Option<i64>,
    created_at: DateTime<Utc>,
}

/// A mail, or an item that was forwarded to the office.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptJob {
    /// `office_mail`, `visitor_mail`, `content_item`, `sign_in_mail`, `confirm_mail`, `alert_mail` or
    /// `renewal_mail`.
    kind: String,
    /// `due`, `done`, `failed`, `refused` or `bounced`.
    state: String,
    /// The number of attempts.
    attempts: i32,
    /// When the job is due or was completed.
    at: DateTime<Utc>,
    /// The error of the last failed attempt.
    last_error: Option<String>,
    /// For a mail that asks to confirm a search: the network address that the request came from.
    asked_from: Option<String>,
}

/// Reads all data of the account of `session`.
pub async fn export(pool: &PgPool, session: &Session) -> Result<Export, Error> {
    let account = session.account;
    let email = &*session.email;
    let consents = sqlx::query_as!(
        Consent,
        "select c.purpose, c.text_version, c.locale, c.page, c.asked_from, c.confirmed_from,
            c.asked_at, c.given_at, c.withdrawn_at
         from visitor.consent c
         left join visitor.enquiry e on e.id = c.enquiry
         left join visitor.saved_search s on s.id = c.saved_search
         left join visitor.subscriber p on p.id = s.subscriber
         where c.account = $1 or p.account = $1 or lower(e.email) = lower($2)
         order by c.given_at",
        account,
        email,
    )
    .fetch_all(pool)
    .await?;
    let devices = sqlx::query_as!(
        Mark,
        "select created_at as at from visitor.device where account = $1 order by 1",
        account,
    );
    let sign_ins = sqlx::query_as!(
        AskedSignIn,
        "select name, page, asked_from, created_at, used_at from visitor.sign_in
         where lower(email) = lower($1) order by created_at",
        email,
    );
    let ceremonies = sqlx::query_as!(
        Mark,
        "select expires_at as at from visitor.ceremony where account = $1 order by 1",
        account,
    );
    let subscriptions = sqlx::query_as!(
        Mark,
        "select created_at as at from visitor.subscriber
         where account = $1 or lower(email) = lower($2) order by 1",
        account,
        email,
    );
    let asked_searches = sqlx::query_as!(
        WaitingSearch,
        "select s.address, s.name, s.frequency, s.page, s.asked_from, s.created_at
         from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         where lower(p.email) = lower($1) order by s.created_at, s.id",
        email,
    );
    let alerts = sqlx::query_as!(
        ToldAlert,
        "select t.reference, t.happened, s.name as search, m.frequency, t.price_before,
            t.created_at
         from visitor.alert t
         join visitor.saved_search s on s.id = t.saved_search
         join visitor.alert_mail m on m.id = t.mail
         join visitor.subscriber p on p.id = s.subscriber
         where p.account = $1 order by t.id",
        account,
    );
    let fingerprints = sqlx::query_as!(
        Mark,
        "select k.expires_at as at from visitor.idempotency_key k
         join visitor.enquiry e on e.id = k.enquiry
         where lower(e.email) = lower($1) order by 1",
        email,
    );
    Ok(Export {
        exported_at: Utc::now(),
        account: details::read(pool, session, None).await?,
        consents,
        homes: my_homes::list(pool, account).await?,
        devices: devices.fetch_all(pool).await?,
        sign_ins: sign_ins.fetch_all(pool).await?,
        ceremonies: ceremonies.fetch_all(pool).await?,
        subscriptions: subscriptions.fetch_all(pool).await?,
        asked_searches: asked_searches.fetch_all(pool).await?,
        alerts: alerts.fetch_all(pool).await?,
        mails: jobs(pool, session).await?,
        fingerprints: fingerprints.fetch_all(pool).await?,
    })
}

/// Reads the pending and past jobs of the account of `session`.
async fn jobs(pool: &PgPool, session: &Session) -> Result<Vec<KeptJob>, Error> {
    let jobs = sqlx::query_as!(
        KeptJob,
        r#"select j.kind, j.state, j.attempts, coalesce(j.done_at, j.due_at) as "at!",
            j.last_error, j.asked_from
         from visitor.job j
         left join visitor.enquiry e on e.id = j.enquiry
         left join visitor.sign_in i on i.id = j.sign_in
         left join visitor.saved_search s on s.id = j.saved_search
         left join visitor.alert_mail m on m.id = j.alert_mail
         left join visitor.subscriber p on p.id = coalesce(s.subscriber, m.subscriber)
         where p.account = $1
            or lower(coalesce(e.email, i.email, p.email)) = lower($2)
         order by 4, j.id"#,
        session.account,
        session.email,
    );
    Ok(jobs.fetch_all(pool).await?)
}
