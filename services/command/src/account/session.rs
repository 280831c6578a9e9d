//! Sessions: one for each browser, which their owner can list and end.

use chrono::{DateTime, Utc};
use credentials::Secret;
use runtime::error_text;
use serde::Serialize;
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::cookies::PresentedSecrets;
use crate::Error;

/// The session of the calling browser.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session's id.
    pub id: Uuid,
    /// The account's id.
    pub account: Uuid,
    /// The account's e-mail address.
    pub email: String,
    /// Its owner's name.
    pub name: Option<String>,
}

/// A signed-in browser, as shown to the account's owner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// The id for ending the session.
    #[schema(value_type = String)]
    id: Uuid,
    /// Whether this is the session that sent the request.
    is_current: bool,
    /// The browser's user agent.
    user_agent: Option<String>,
    /// When it was signed in.
    created_at: DateTime<Utc>,
    /// When the session was last used, to the hour.
    seen_at: DateTime<Utc>,
}

/// Opens a session for `account`, and ends the browser's previous one. `device` identifies the browser.
pub async fn open(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
    presented: &PresentedSecrets,
    device: &Secret,
    user_agent: Option<&str>,
) -> Result<Secret, Error> {
    if let Some(before) = &presented.session {
        sqlx::query!("delete from visitor.session where token = $1", before.hash())
            .execute(&mut **transaction)
            .await?;
    }
    let token = Secret::random();
    sqlx::query!(
        "insert into visitor.session (id, token, account, user_agent, device, expires_at)
         values ($1, $2, $3, $4, $5, now() + interval '90 days')",
        Uuid::now_v7(),
        token.hash(),
        account,
        user_agent,
        device.hash(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(token)
}

/// Returns the session of the presented secret, and extends it to 90 days from now, at most once an
/// hour.
pub async fn find(pool: &PgPool, presented: &PresentedSecrets) -> Result<Option<Session>, Error> {
    let Some(token) = &presented.session else { return Ok(None) };
    let token = token.hash();
    let found = sqlx::query!(
        r#"select s.id, s.account, a.email, a.name,
               s.seen_at < now() - interval '1 hour' as "is_old!"
         from visitor.session s join visitor.account a on a.id = s.account
         where s.token = $1 and s.expires_at > now()"#,
        token,
    )
    .fetch_optional(pool)
    .await?;
    let Some(found) = found else { return Ok(None) };
    if found.is_old {
        let renewed = sqlx::query!(
            "update visitor.session set seen_at = now(), expires_at = now() + interval '90 days'
             where id = $1",
            found.id,
        );
        // A failure is ignored, so that reads work while Postgres accepts no writes.
        if let Err(error) = renewed.execute(pool).await {
            tracing::debug!(error = error_text(&error), "a session could not be renewed");
        }
    }
    let (id, account) = (found.id, found.account);
    Ok(Some(Session { id, account, email: found.email, name: found.name }))
}

/// Returns the sessions of the account of `session`, latest first.
pub async fn list(pool: &PgPool, session: &Session) -> Result<Vec<ListedSession>, Error> {
    let rows = sqlx::query!(
        "select id, user_agent, created_at, seen_at from visitor.session
         where account = $1 and expires_at > now() order by seen_at desc, id",
        session.account,
    )
    .fetch_all(pool)
    .await?;
    let listed = rows.into_iter().map(|row| ListedSession {
        id: row.id,
        is_current: row.id == session.id,
        user_agent: row.user_agent,
        created_at: row.created_at,
        seen_at: row.seen_at,
    });
    Ok(listed.collect())
}

/// Ends the session `id` if it belongs to the account of `session`. Returns whether it did. Its browser
/// is no longer a known device, as in [`end_all_but`], unless it is the calling one.
pub async fn end(pool: &PgPool, session: &Session, id: Uuid) -> Result<bool, Error> {
    let ended = sqlx::query_scalar!(
        r#"with gone as (
            delete from visitor.session where id = $1 and account = $2 returning id, device),
         forgotten as (
            delete from visitor.device d using gone
            where d.token = gone.device and gone.id <> $3)
         select count(*) as "ended!" from gone"#,
        id,
        session.account,
        session.id,
    )
    .fetch_one(pool)
    .await?;
    Ok(ended > 0)
}

/// Ends all sessions but `session`, whose browser has this `device`. Returns whether `session` still
/// exists.
pub async fn end_others(
    pool: &PgPool,
    session: &Session,
    device: Option<&Secret>,
) -> Result<bool, Error> {
    let mut transaction = pool.begin().await?;
    let exists = lock(&mut transaction, session).await?;
    if exists {
        end_all_but(&mut transaction, session, device).await?;
    }
    transaction.commit().await?;
    Ok(exists)
}

/// Locks the account of `session`, so that if two sessions end each other at the same time, the second
/// finds that it has ended. Returns whether the session still exists.
pub async fn lock(
    transaction: &mut Transaction<'_, Postgres>,
    session: &Session,
) -> Result<bool, Error> {
    sqlx::query_scalar!(
        "select id from visitor.account where id = $1 for no key update",
        session.account,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    let exists = sqlx::query_scalar!(
        r#"select exists (select from visitor.session where id = $1) as "is_there!""#,
        session.id,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(exists)
}

/// Ends all sessions but `session`, and forgets all known devices but `device`: a lost device must not
/// keep its higher limits for password attempts and mails.
pub async fn end_all_but(
    transaction: &mut Transaction<'_, Postgres>,
    session: &Session,
    device: Option<&Secret>,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from visitor.session where account = $1 and id <> $2",
        session.account,
        session.id,
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "delete from visitor.device where account = $1 and token <> $2",
        session.account,
        device.map(Secret::hash).unwrap_or_default(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
