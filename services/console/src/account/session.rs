//! Sessions, one per browser. A session ends after twelve hours, or after one hour without requests.

use chrono::{DateTime, Utc};
use credentials::Secret;
use runtime::error_text;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::operators::Account;
use crate::Error;

/// A session and its account.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: Uuid,
    pub account: Account,
    pub expires_at: DateTime<Utc>,
}

/// Opens a session for `account`; returns its token and when it expires.
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
    // Limits the sessions of an account to ten; the oldest are deleted.
    sqlx::query!(
        "delete from operator.session where id in (
            select id from operator.session where account = $1 order by id desc offset 10)",
        account,
    )
    .execute(connection)
    .await?;
    Ok((token, expires_at))
}

/// Returns the session of `token`, if it has not ended. With `extend`, also records the request as
/// activity, to the minute.
pub async fn find(pool: &PgPool, token: &Secret, extend: bool) -> Result<Option<Session>, Error> {
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
    if found.is_old && extend {
        let updated =
            sqlx::query!("update operator.session set seen_at = now() where id = $1", found.id);
        // Reads should succeed even while Postgres refuses writes.
        if let Err(error) = updated.execute(pool).await {
            tracing::debug!(
                error = error_text(&error),
                "the activity of a session could not be recorded"
            );
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

/// Whether the session `id` has ended. Does not extend it.
pub async fn has_ended(pool: &PgPool, id: Uuid) -> Result<bool, Error> {
    let is_active = sqlx::query_scalar!(
        r#"select exists (
            select from operator.session s join operator.account a on a.id = s.account
            where s.id = $1 and s.expires_at > now() and s.seen_at > now() - interval '1 hour'
                and not a.disabled) as "goes_on!""#,
        id,
    )
    .fetch_one(pool)
    .await?;
    Ok(!is_active)
}

/// Ends the session `id`.
pub async fn end(connection: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from operator.session where id = $1", id).execute(connection).await?;
    Ok(())
}

/// Deletes expired sessions.
pub async fn delete_expired(pool: &PgPool) -> Result<(), Error> {
    sqlx::query!(
        "delete from operator.session
         where expires_at < now() or seen_at < now() - interval '1 hour'",
    )
    .execute(pool)
    .await?;
    Ok(())
}
