//! Sessions: one a browser, listed and ended by whoever they belong to.

use chrono::{DateTime, Utc};
use credentials::Secret;
use serde::Serialize;
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::cookies::Brought;
use crate::Error;

/// Whose browser asks.
#[derive(Clone, Debug)]
pub struct Session {
    /// Of the session.
    pub id: Uuid,
    /// Whose it is.
    pub account: Uuid,
    /// Its address.
    pub email: String,
    /// Its owner's name.
    pub name: Option<String>,
}

/// A browser that is signed in, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// To end it by.
    #[schema(value_type = String)]
    id: Uuid,
    /// Whether it is the one that asks.
    is_current: bool,
    /// What the browser calls itself.
    user_agent: Option<String>,
    /// When it was signed in.
    created_at: DateTime<Utc>,
    /// When it was last seen, to the hour.
    seen_at: DateTime<Utc>,
}

/// Opens a session for `account`, in place of any that the browser had. It is known by `device`.
pub async fn open(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
    brought: &Brought,
    device: &Secret,
    user_agent: Option<&str>,
) -> Result<Secret, Error> {
    if let Some(before) = &brought.session {
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

/// Whose the session is that `brought` holds. It lasts for 90 days after it was last seen.
pub async fn find(pool: &PgPool, brought: &Brought) -> Result<Option<Session>, Error> {
    let Some(token) = &brought.session else { return Ok(None) };
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
        // Who only reads is answered while Postgres takes no writes.
        if let Err(error) = renewed.execute(pool).await {
            tracing::debug!(%error, "a session could not be renewed");
        }
    }
    let (id, account) = (found.id, found.account);
    Ok(Some(Session { id, account, email: found.email, name: found.name }))
}

/// The sessions of whoever has `session`, the latest first.
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

/// Ends `id`, if it is of the account of `session`; whether it was. Its browser is known no more,
/// as by [`end_all_but`], unless it is the one that asks.
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

/// Ends all of them but `session`, whose browser is known by `device`; whether `session` is there
/// still.
pub async fn end_others(
    pool: &PgPool,
    session: &Session,
    device: Option<&Secret>,
) -> Result<bool, Error> {
    let mut transaction = pool.begin().await?;
    let is_there = lock(&mut transaction, session).await?;
    if is_there {
        end_all_but(&mut transaction, session, device).await?;
    }
    transaction.commit().await?;
    Ok(is_there)
}

/// Locks the account of `session`, so that of two who end each other's sessions at once the second
/// finds its own ended; whether it is there still.
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
    let is_there = sqlx::query_scalar!(
        r#"select exists (select from visitor.session where id = $1) as "is_there!""#,
        session.id,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(is_there)
}

/// Ends all sessions but `session`, and knows no browser any more but the one of this `device`: one
/// that was lost may not guess more, nor have more mails sent, than any other.
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
