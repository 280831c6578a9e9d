//! Subscribers, who get mails about homes.

use contracts::Locale;
use credentials::Secret;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::Error;

/// Returns the subscriber of `account`, and creates it if there is none.
pub async fn ensure_for_account(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
    locale: Locale,
) -> Result<Uuid, Error> {
    let token = Secret::random();
    let subscriber = sqlx::query_scalar!(
        "insert into visitor.subscriber as s (id, account, locale, tokens) values ($1, $2, $3, array[$4::text])
         on conflict (account) do update set locale = s.locale returning id",
        Uuid::now_v7(),
        account,
        locale.code(),
        token.as_str(),
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(subscriber)
}

/// Returns the subscriber of the mailbox `email` without an account, and creates it if there is none.
pub async fn ensure_for_mailbox(
    transaction: &mut Transaction<'_, Postgres>,
    email: &str,
    locale: Locale,
) -> Result<Uuid, Error> {
    let token = Secret::random();
    let subscriber = sqlx::query_scalar!(
        "insert into visitor.subscriber as s (id, email, locale, tokens)
         values ($1, $2, $3, array[$4::text])
         on conflict (lower(email)) do update set locale = s.locale returning id",
        Uuid::now_v7(),
        email,
        locale.code(),
        token.as_str(),
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(subscriber)
}

/// Locks and returns the subscriber of `token`, so that its searches can't move to an account meanwhile.
pub async fn lock(
    transaction: &mut Transaction<'_, Postgres>,
    token: &str,
) -> Result<Option<Uuid>, Error> {
    // If the first attempt waited for such a move, the second one finds the token at the account.
    for _ in 0..2 {
        let found = sqlx::query_scalar!(
            "select id from visitor.subscriber where tokens @> array[$1::text] for no key update",
            token,
        )
        .fetch_optional(&mut **transaction)
        .await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// A subscriber, found by the token in the links of their mails.
#[derive(Debug)]
pub struct Subscriber {
    pub id: Uuid,
    /// Their mail address.
    pub email: String,
    /// The language of their mails.
    pub locale: Locale,
}

/// Returns the subscriber of `token`.
pub async fn find(pool: &PgPool, token: &str) -> Result<Option<Subscriber>, Error> {
    let row = sqlx::query!(
        r#"select s.id, coalesce(a.email, s.email) as "email!",
               coalesce(a.locale, s.locale) as "locale!"
           from visitor.subscriber s left join visitor.account a on a.id = s.account
           where s.tokens @> array[$1::text]"#,
        token,
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| {
        let locale: Locale = row.locale.parse().unwrap_or_default();
        Subscriber { id: row.id, email: row.email, locale }
    }))
}
