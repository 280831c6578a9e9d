//! Sign-in by mail: a link for the browser that requested it, and six digits to type there.
//!
//! Addresses with and without an account take the same path up to the mail, so that nobody can tell them
//! apart.

use std::time::Duration;

use contracts::Locale;
use credentials::Secret;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use super::{cookies::PresentedSecrets, session, sign_in_mail::code_hash};
use crate::{
    Error, alerts,
    consent::{self, ConsentSource, Submission},
    events::{self, EventKind},
    jobs::JobKind,
};

/// How long a link and a code can be used.
pub const VALID_FOR: Duration = Duration::from_mins(15);
/// The maximum number of wrong codes.
const MAX_WRONG_CODES: i32 = 5;
/// Once a mailbox has had this many mails in an hour, requested from one network or in total, browsers
/// that were never signed in to it get no more. One network does not use up what another may request,
/// although several together do.
const MAX_MAILS_OF_NETWORK: i64 = 6;
const MAX_MAILS_IN_TOTAL: i64 = 12;

/// A request for a sign-in mail.
#[derive(Clone, Debug)]
pub struct MailRequest {
    /// The mail address.
    pub email: String,
    /// The name for a new account.
    pub name: Option<String>,
    /// The language of the mail, and of a new account.
    pub locale: Locale,
    /// The path to continue at.
    pub next: Option<String>,
    /// For a new account: whether its owner wants news and offers.
    pub marketing_consent: bool,
    /// Where and when they submitted the form.
    pub submission: Submission,
}

/// The result of using a link or a code.
#[derive(Debug)]
pub enum Confirmed {
    /// The browser is signed in.
    SignedIn(SignedIn),
    /// It is valid, but another browser requested it.
    OtherBrowser,
    /// The code is wrong, and another one may be tried.
    WrongCode,
    /// It was used before, has expired or is unknown.
    Expired,
}

/// A browser that is signed in.
#[derive(Debug)]
pub struct SignedIn {
    /// The secret of the session cookie.
    pub session: Secret,
    /// The secret of the device cookie.
    pub device: Secret,
    /// The path to continue at.
    pub next: Option<String>,
}

/// Stores a sign-in request and queues its mail. Returns the secret that identifies the browser.
pub async fn request_mail(
    pool: &PgPool,
    request: &MailRequest,
    presented: &PresentedSecrets,
) -> Result<Secret, Error> {
    let browser = Secret::random();
    let mut transaction = pool.begin().await?;
    // One transaction at a time for a mailbox, so that counts stay correct until the request is written.
    sqlx::query_scalar!(
        "select pg_advisory_xact_lock(hashtextextended(visitor.mailbox($1), 0))",
        request.email,
    )
    .fetch_one(&mut *transaction)
    .await?;
    let is_mailed = is_known_device(&mut transaction, &request.email, presented).await?
        || is_under_limit(&mut transaction, request).await?;
    // If no other mail is sent, one that is in flight or queued stays usable.
    if is_mailed || !reassign_pending(&mut transaction, request, presented, &browser).await? {
        end_previous(&mut transaction, presented).await?;
        insert(&mut transaction, request, &browser, is_mailed).await?;
    }
    if !is_mailed {
        metrics::counter!("command_sign_ins_limited_total").increment(1);
    }
    transaction.commit().await?;
    Ok(browser)
}

/// Transfers this browser's previous request for the same address to its new secret. Returns whether
/// there was one that is still usable.
async fn reassign_pending(
    transaction: &mut Transaction<'_, Postgres>,
    request: &MailRequest,
    presented: &PresentedSecrets,
    browser: &Secret,
) -> Result<bool, Error> {
    let Some(before) = &presented.browser else { return Ok(false) };
    let taken = sqlx::query!(
        "update visitor.sign_in
         set browser = $3, next = $4, marketing_consent = marketing_consent and $5
         where browser = $1 and lower(email) = lower($2)
           and used_at is null and expires_at > now()",
        before.hash(),
        request.email,
        browser.hash(),
        request.next,
        request.marketing_consent,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// Ends this browser's previous request, so that only the latest one is usable. It still counts towards
/// the limit, unless its mail has certainly not been sent. Requests of other browsers are not affected.
async fn end_previous(
    transaction: &mut Transaction<'_, Postgres>,
    presented: &PresentedSecrets,
) -> Result<(), Error> {
    let Some(before) = &presented.browser else { return Ok(()) };
    sqlx::query!(
        "with ended as (
            delete from visitor.job j using visitor.sign_in s
            where s.browser = $1 and s.used_at is null and s.expires_at > now()
              and j.sign_in = s.id and j.state = 'due'
            returning s.id, j.lease_until is null and not j.is_uncertain as is_unsent)
         update visitor.sign_in v
         set expires_at = now(),
             is_mailed = v.is_mailed and not exists (
                select from ended where ended.id = v.id and ended.is_unsent)
         where v.browser = $1 and v.used_at is null and v.expires_at > now()",
        before.hash(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Inserts the request for `browser`, with a mail if it `is_mailed`.
async fn insert(
    transaction: &mut Transaction<'_, Postgres>,
    request: &MailRequest,
    browser: &Secret,
    is_mailed: bool,
) -> Result<(), Error> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into visitor.sign_in
            (id, browser, email, name, locale, next, marketing_consent, page, asked_from,
             is_mailed, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11))",
        id,
        browser.hash(),
        request.email,
        request.name,
        request.locale.code(),
        request.next,
        request.marketing_consent,
        request.submission.page,
        request.submission.from,
        is_mailed,
        VALID_FOR.as_secs_f64(),
    )
    .execute(&mut **transaction)
    .await?;
    if is_mailed {
        sqlx::query!(
            "insert into visitor.job (id, sign_in, kind, traceparent) values ($1, $2, $3, $4)",
            Uuid::now_v7(),
            id,
            JobKind::SignInMail.name(),
            runtime::telemetry::traceparent(),
        )
        .execute(&mut **transaction)
        .await?;
        events::record(transaction, EventKind::SignInAsked, id).await?;
    }
    Ok(())
}

/// Whether the mailbox may get another mail that this network requests.
async fn is_under_limit(
    transaction: &mut Transaction<'_, Postgres>,
    request: &MailRequest,
) -> Result<bool, Error> {
    let lately = sqlx::query!(
        r#"select count(*) as "all!",
                  count(*) filter (where asked_from is not distinct from $2) as "of_network!"
           from visitor.sign_in
           where visitor.mailbox(email) = visitor.mailbox($1) and is_mailed
             and created_at > now() - interval '1 hour'"#,
        request.email,
        request.submission.from,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(lately.all < MAX_MAILS_IN_TOTAL && lately.of_network < MAX_MAILS_OF_NETWORK)
}

/// Whether the browser was signed in to the account of this address before.
pub async fn is_known_device(
    transaction: &mut Transaction<'_, Postgres>,
    email: &str,
    presented: &PresentedSecrets,
) -> Result<bool, Error> {
    let device = presented.device.as_ref().map(Secret::hash).unwrap_or_default();
    let known = sqlx::query_scalar!(
        r#"select exists (
            select from visitor.device d join visitor.account a on a.id = d.account
            where d.token = $1 and lower(a.email) = lower($2)) as "known!""#,
        device,
        email,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(known)
}

/// Signs in the browser that confirmed the link.
pub async fn by_link(
    pool: &PgPool,
    link: &Secret,
    presented: &PresentedSecrets,
    user_agent: Option<&str>,
    submission: &Submission,
) -> Result<Confirmed, Error> {
    let mut transaction = pool.begin().await?;
    let found = sqlx::query!(
        "select id, browser from visitor.sign_in
         where links @> array[$1::bytea] and used_at is null and expires_at > now()
         for update",
        link.hash(),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(found) = found else { return Ok(Confirmed::Expired) };
    let is_same = presented.browser.as_ref().is_some_and(|browser| browser.hash() == found.browser);
    if !is_same {
        return Ok(Confirmed::OtherBrowser);
    }
    let signed_in = confirm(&mut transaction, found.id, presented, user_agent, submission).await?;
    transaction.commit().await?;
    Ok(Confirmed::SignedIn(signed_in))
}

/// Whether `link` was mailed to `email`, even if it was used or has expired.
pub async fn was_mailed_to(pool: &PgPool, link: &Secret, email: &str) -> Result<bool, Error> {
    let was = sqlx::query_scalar!(
        r#"select exists (
            select from visitor.sign_in
            where links @> array[$1::bytea] and lower(email) = lower($2)) as "was!""#,
        link.hash(),
        email,
    )
    .fetch_one(pool)
    .await?;
    Ok(was)
}

/// Signs in the browser that typed the code.
pub async fn by_code(
    pool: &PgPool,
    code: &str,
    presented: &PresentedSecrets,
    user_agent: Option<&str>,
    submission: &Submission,
) -> Result<Confirmed, Error> {
    let Some(browser) = &presented.browser else { return Ok(Confirmed::Expired) };
    let mut transaction = pool.begin().await?;
    let found = sqlx::query!(
        "select id, codes, tries from visitor.sign_in
         where browser = $1 and used_at is null and expires_at > now()
         for update",
        browser.hash(),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(found) = found.filter(|found| found.tries < MAX_WRONG_CODES) else {
        return Ok(Confirmed::Expired);
    };
    if !found.codes.contains(&code_hash(found.id, code)) {
        sqlx::query!("update visitor.sign_in set tries = tries + 1 where id = $1", found.id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let is_last = found.tries + 1 >= MAX_WRONG_CODES;
        return Ok(if is_last { Confirmed::Expired } else { Confirmed::WrongCode });
    }
    let signed_in = confirm(&mut transaction, found.id, presented, user_agent, submission).await?;
    transaction.commit().await?;
    Ok(Confirmed::SignedIn(signed_in))
}

/// Uses up the sign-in `id`: creates its account if needed, and replaces the browser's session.
async fn confirm(
    transaction: &mut Transaction<'_, Postgres>,
    id: Uuid,
    presented: &PresentedSecrets,
    user_agent: Option<&str>,
    submission: &Submission,
) -> Result<SignedIn, Error> {
    let asked = sqlx::query!(
        "update visitor.sign_in set used_at = now() where id = $1
         returning email, name, locale, next, marketing_consent, page, asked_from, created_at",
        id,
    )
    .fetch_one(&mut **transaction)
    .await?;
    let locale: Locale = asked.locale.parse().unwrap_or_default();
    let created = sqlx::query_scalar!(
        "insert into visitor.account (id, email, name, locale) values ($1, $2, $3, $4)
         on conflict (lower(email)) do nothing
         returning id",
        Uuid::now_v7(),
        asked.email,
        asked.name,
        asked.locale,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    let account = match created {
        Some(account) => account,
        None => {
            sqlx::query_scalar!(
                "select id from visitor.account where lower(email) = lower($1)",
                asked.email,
            )
            .fetch_one(&mut **transaction)
            .await?
        }
    };
    if asked.marketing_consent {
        let with = ConsentSource::Account(account);
        let asked =
            Submission { page: asked.page, from: asked.asked_from, at: Some(asked.created_at) };
        consent::give(transaction, with, locale, &asked, Some(submission)).await?;
    }
    alerts::adopt(transaction, account, &asked.email, locale).await?;
    let device = create_device(transaction, account).await?;
    let session = session::open(transaction, account, presented, &device, user_agent).await?;
    Ok(SignedIn { session, device, next: asked.next })
}

/// Creates a known device of `account`.
pub async fn create_device(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
) -> Result<Secret, Error> {
    let device = Secret::random();
    sqlx::query!(
        "insert into visitor.device (token, account) values ($1, $2)",
        device.hash(),
        account,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(device)
}
