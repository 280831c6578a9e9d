//! Sessions: one a browser, for twelve hours at the most, and for one in which nobody asks.

use chrono::{DateTime, Utc};
use credentials::Secret;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::operators::Account;
use crate::Error;

/// A session, and whose it is.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: Uuid,
    pub account: Account,
    pub expires_at: DateTime<Utc>,
}

/// Opens a session for `account`; gives it with its end.
pub async fn open(
    connection: &mut PgConnection,
    account: Uuid,
) -> Result<(Secret, DateTime<Utc>), Error> {
    let token = Secret::random();
    let expires_at = sqlx::query_scalar!(
        "insert into operator.session (id, token, account, expires_at)
         values ($1, $2, $3, now() + interval '12 hours') returning expires_at",
        Uuid::now_v7(),
        token.hash(),
        account,
    )
    .fetch_one(&mut *connection)
    .await?;
    // Nobody signs in to more browsers than this at once: the oldest are forgotten.
    sqlx::query!(
        "delete from operator.session where id in (
            select id from operator.session where account = $1 order by id desc offset 10)",
        account,
    )
    .execute(connection)
    .await?;
    Ok((token, expires_at))
}

/// The session that `token` is of, if it has not ended. A question that `keeps_open` is noted, to the
/// minute.
pub async fn find(
    pool: &PgPool,
    token: &Secret,
    keeps_open: bool,
) -> Result<Option<Session>, Error> {
    let found = sqlx::query!(
        r#"select s.id, s.account, s.expires_at, a.name, a.may_act, a.disabled,
               s.seen_at < now() - interval '1 minute' as "is_old!"
         from operator.session s join operator.account a on a.id = s.account
         where s.token = $1 and s.expires_at > now() and s.seen_at > now() - interval '1 hour'
             and not a.disabled"#,
        token.hash(),
    )
    .fetch_optional(pool)
    .await?;
    let Some(found) = found else { return Ok(None) };
    if found.is_old && keeps_open {
        let seen =
            sqlx::query!("update operator.session set seen_at = now() where id = $1", found.id);
        // Who only looks is answered while Postgres takes no writes.
        if let Err(error) = seen.execute(pool).await {
            tracing::debug!(%error, "that a session was asked for could not be noted");
        }
    }
    let account = Account {
        id: found.account,
        name: found.name,
        may_act: found.may_act,
        disabled: found.disabled,
    };
    Ok(Some(Session { id: found.id, account, expires_at: found.expires_at }))
}

/// Whether the session `id` has ended; asking this keeps none open.
pub async fn is_over(pool: &PgPool, id: Uuid) -> Result<bool, Error> {
    let goes_on = sqlx::query_scalar!(
        r#"select exists (
            select from operator.session s join operator.account a on a.id = s.account
            where s.id = $1 and s.expires_at > now() and s.seen_at > now() - interval '1 hour'
                and not a.disabled) as "goes_on!""#,
        id,
    )
    .fetch_one(pool)
    .await?;
    Ok(!goes_on)
}

/// Ends the session `id`.
pub async fn end(connection: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from operator.session where id = $1", id).execute(connection).await?;
    Ok(())
}

/// Erases those that have ended by themselves.
pub async fn erase_expired(pool: &PgPool) -> Result<(), Error> {
    sqlx::query!(
        "delete from operator.session
         where expires_at < now() or seen_at < now() - interval '1 hour'",
    )
    .execute(pool)
    .await?;
    Ok(())
}
