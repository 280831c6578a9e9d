//! Signing in by what is mailed: a link for the browser that asked, and six digits to type there.
//!
//! An address that has an account and one that has none take the same path up to the mail, so that
//! nobody learns which is which.

use std::time::Duration;

use contracts::Locale;
use credentials::Secret;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use super::{cookies::Brought, session, sign_in_mail::hash_of_code};
use crate::{
    Error, alerts,
    consent::{self, GivenWith, Press},
    jobs::JobKind,
};

/// How long a link and a code can be used.
pub const VALID_FOR: Duration = Duration::from_mins(15);
/// The codes that may be wrong.
const MAX_TRIES: i32 = 5;
/// The mails that one mailbox has had in an hour when no more go to browsers that never were signed in to it: of
/// one network, and of all. So one network does not use up what another may ask for; several together do.
const MAX_OF_A_NETWORK: i64 = 6;
const MAX_MAILS: i64 = 12;

/// Somebody who wants to be signed in.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Where the mail goes.
    pub email: String,
    /// For a new account.
    pub name: Option<String>,
    /// The language of the mail, and of a new account.
    pub locale: Locale,
    /// Where to go on.
    pub next: Option<String>,
    /// For a new account: that its owner wants to hear of offers.
    pub marketing_consent: bool,
    /// Where they said so.
    pub press: Press,
}

/// What became of a link or a code.
#[derive(Debug)]
pub enum Confirmed {
    /// The browser is signed in.
    SignedIn(SignedIn),
    /// It is right, and for another browser.
    OtherBrowser,
    /// The code is wrong, and another may be tried.
    WrongCode,
    /// It was used, is too old, or never was.
    Over,
}

/// A browser that is signed in.
#[derive(Debug)]
pub struct SignedIn {
    /// For its cookie.
    pub session: Secret,
    /// For another one.
    pub device: Secret,
    /// Where to go on.
    pub next: Option<String>,
}

/// Notes that `asking` wants to be signed in, and has the mail sent. Gives what the browser is known by.
pub async fn ask(pool: &PgPool, asking: &Asking, brought: &Brought) -> Result<Secret, Error> {
    let browser = Secret::random();
    let mut transaction = pool.begin().await?;
    // One at a time for a mailbox: what is counted below stays true until it is written.
    sqlx::query_scalar!(
        "select pg_advisory_xact_lock(hashtextextended(visitor.mailbox($1), 0))",
        asking.email,
    )
    .fetch_one(&mut *transaction)
    .await?;
    let is_mailed = is_known_to(&mut transaction, &asking.email, brought).await?
        || has_room(&mut transaction, asking).await?;
    // A mail that is on its way, or waits for our mail server, is of use while no other is sent.
    if is_mailed || !takes_over(&mut transaction, asking, brought, &browser).await? {
        end_those_before(&mut transaction, brought).await?;
        begin(&mut transaction, asking, &browser, is_mailed).await?;
    }
    if !is_mailed {
        metrics::counter!("command_sign_ins_limited_total").increment(1);
    }
    transaction.commit().await?;
    Ok(browser)
}

/// Gives what this browser asked for before, for the same address, to what it is known by from now on; whether
/// there was any that can be used still.
async fn takes_over(
    transaction: &mut Transaction<'_, Postgres>,
    asking: &Asking,
    brought: &Brought,
    browser: &Secret,
) -> Result<bool, Error> {
    let Some(before) = &brought.browser else { return Ok(false) };
    let taken = sqlx::query!(
        "update visitor.sign_in
         set browser = $3, next = $4, marketing_consent = marketing_consent and $5
         where browser = $1 and lower(email) = lower($2)
           and used_at is null and expires_at > now()",
        before.hash(),
        asking.email,
        browser.hash(),
        asking.next,
        asking.marketing_consent,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// What this browser asked for before is void, and counts all the same, unless its mail surely went to nobody; what
/// others asked for is not theirs to end.
async fn end_those_before(
    transaction: &mut Transaction<'_, Postgres>,
    brought: &Brought,
) -> Result<(), Error> {
    let Some(before) = &brought.browser else { return Ok(()) };
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

/// Notes what `asking` wants, for `browser`, with the mail where one `is_mailed`.
async fn begin(
    transaction: &mut Transaction<'_, Postgres>,
    asking: &Asking,
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
        asking.email,
        asking.name,
        asking.locale.code(),
        asking.next,
        asking.marketing_consent,
        asking.press.page,
        asking.press.from,
        is_mailed,
        VALID_FOR.as_secs_f64(),
    )
    .execute(&mut **transaction)
    .await?;
    if is_mailed {
        sqlx::query!(
            "insert into visitor.job (id, sign_in, kind) values ($1, $2, $3)",
            Uuid::now_v7(),
            id,
            JobKind::SignInMail.name(),
        )
        .execute(&mut **transaction)
        .await?;
        crate::events::record(transaction, "sign_in.asked", id).await?;
    }
    Ok(())
}

/// Whether the mailbox may get one more mail for whoever asks from this network.
async fn has_room(
    transaction: &mut Transaction<'_, Postgres>,
    asking: &Asking,
) -> Result<bool, Error> {
    let lately = sqlx::query!(
        r#"select count(*) as "all!",
                  count(*) filter (where asked_from is not distinct from $2) as "of_network!"
           from visitor.sign_in
           where visitor.mailbox(email) = visitor.mailbox($1) and is_mailed
             and created_at > now() - interval '1 hour'"#,
        asking.email,
        asking.press.from,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(lately.all < MAX_MAILS && lately.of_network < MAX_OF_A_NETWORK)
}

/// Whether the browser was signed in to this address before.
pub async fn is_known_to(
    transaction: &mut Transaction<'_, Postgres>,
    email: &str,
    brought: &Brought,
) -> Result<bool, Error> {
    let device = brought.device.as_ref().map(Secret::hash).unwrap_or_default();
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

/// Signs in the browser that pressed the link's button.
pub async fn by_link(
    pool: &PgPool,
    link: &Secret,
    brought: &Brought,
    user_agent: Option<&str>,
    press: &Press,
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
    let Some(found) = found else { return Ok(Confirmed::Over) };
    let is_same = brought.browser.as_ref().is_some_and(|browser| browser.hash() == found.browser);
    if !is_same {
        return Ok(Confirmed::OtherBrowser);
    }
    let signed_in = confirm(&mut transaction, found.id, brought, user_agent, press).await?;
    transaction.commit().await?;
    Ok(Confirmed::SignedIn(signed_in))
}

/// Whether `link` was mailed to `email`, used or too old though it may be.
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
    brought: &Brought,
    user_agent: Option<&str>,
    press: &Press,
) -> Result<Confirmed, Error> {
    let Some(browser) = &brought.browser else { return Ok(Confirmed::Over) };
    let mut transaction = pool.begin().await?;
    let found = sqlx::query!(
        "select id, codes, tries from visitor.sign_in
         where browser = $1 and used_at is null and expires_at > now()
         for update",
        browser.hash(),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(found) = found.filter(|found| found.tries < MAX_TRIES) else {
        return Ok(Confirmed::Over);
    };
    if !found.codes.contains(&hash_of_code(found.id, code)) {
        sqlx::query!("update visitor.sign_in set tries = tries + 1 where id = $1", found.id)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let is_last = found.tries + 1 >= MAX_TRIES;
        return Ok(if is_last { Confirmed::Over } else { Confirmed::WrongCode });
    }
    let signed_in = confirm(&mut transaction, found.id, brought, user_agent, press).await?;
    transaction.commit().await?;
    Ok(Confirmed::SignedIn(signed_in))
}

/// Uses up the sign-in `id`: its account is there afterwards, and a new session in place of what the
/// browser had.
async fn confirm(
    transaction: &mut Transaction<'_, Postgres>,
    id: Uuid,
    brought: &Brought,
    user_agent: Option<&str>,
    press: &Press,
) -> Result<SignedIn, Error> {
    let asked = sqlx::query!(
        "update visitor.sign_in set used_at = now() where id = $1
         returning email, name, locale, next, marketing_consent, page, asked_from, created_at",
        id,
    )
    .fetch_one(&mut **transaction)
    .await?;
    let locale: Locale = asked.locale.parse().unwrap_or_default();
    let opened = sqlx::query_scalar!(
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
    let account = match opened {
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
        let with = GivenWith::Account(account);
        let asked = Press { page: asked.page, from: asked.asked_from, at: Some(asked.created_at) };
        consent::give(transaction, with, locale, &asked, Some(press)).await?;
    }
    alerts::adopt(transaction, account, &asked.email, locale).await?;
    let device = new_device(transaction, account).await?;
    let session = session::open(transaction, account, brought, &device, user_agent).await?;
    Ok(SignedIn { session, device, next: asked.next })
}

/// Remembers a browser that was signed in to `account`.
pub async fn new_device(
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
