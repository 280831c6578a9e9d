//! Who is told of homes.

use contracts::Locale;
use credentials::Secret;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::Error;

/// The subscriber of `account`, made where there is none.
pub async fn of_account(
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

/// The subscriber who reads `email` without an account, made where there is none.
pub async fn of_mailbox(
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

/// The one whose mails' links end with `token`, locked: nobody gives its searches to an account
/// meanwhile.
pub async fn lock(
    transaction: &mut Transaction<'_, Postgres>,
    token: &str,
) -> Result<Option<Uuid>, Error> {
    // Whoever waited for just that finds the token with the account, the second time.
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

/// Whoever is told of homes, as the links in their mails find them.
#[derive(Debug)]
pub struct Subscriber {
    pub id: Uuid,
    /// Where their mails go.
    pub email: String,
    /// The language of those.
    pub locale: Locale,
}

/// The one whose mails' links end with `token`.
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
