//! What somebody saved by their mailbox alone becomes their account's, once they have proved to read it.

use contracts::Locale;
use credentials::Secret;
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::subscriber;
use crate::{Ending, Error, events};

/// Gives `account` the searches that were saved for its address without it: its owner has proved to
/// read it.
pub async fn adopt(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
    email: &str,
    locale: Locale,
) -> Result<(), Error> {
    let found = sqlx::query!(
        "select id, tokens from visitor.subscriber where lower(email) = lower($1) for update",
        email,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    let Some(from) = found else { return Ok(()) };
    let to = subscriber::of_account(transaction, account, locale).await?;
    sqlx::query!(
        "update visitor.saved_search s set subscriber = $2
         where subscriber = $1 and confirmed_at is not null
           and not exists (select from visitor.saved_search o
                           where o.subscriber = $2 and o.address = s.address)",
        from.id,
        to,
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "update visitor.alert_mail set subscriber = $2 where subscriber = $1",
        from.id,
        to,
    )
    .execute(&mut **transaction)
    .await?;
    // What the account has already is not kept twice.
    let twice = sqlx::query_scalar!(
        "delete from visitor.saved_search s
         where subscriber = $1 and confirmed_at is not null
           and exists (select from visitor.saved_search o
                       where o.subscriber = $2 and o.address = s.address)
         returning id",
        from.id,
        to,
    )
    .fetch_all(&mut **transaction)
    .await?;
    for search in twice {
        events::record(transaction, Ending::SearchDeleted.kind(), search).await?;
    }
    let deleted = sqlx::query!(
        "delete from visitor.subscriber p
         where id = $1
           and not exists (select from visitor.saved_search s where s.subscriber = p.id)",
        from.id,
    )
    .execute(&mut **transaction)
    .await?;
    if deleted.rows_affected() == 0 {
        // What waits to be agreed to stays the mailbox's: anybody may have asked for it. The links
        // in mails that were sent lead to the account.
        let token = Secret::random();
        sqlx::query!(
            "update visitor.subscriber set tokens = array[$2::text] where id = $1",
            from.id,
            token.as_str(),
        )
        .execute(&mut **transaction)
        .await?;
    }
    sqlx::query!(
        "update visitor.subscriber set tokens = tokens || $2 where id = $1",
        to,
        &from.tokens,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Gives the search that is being `confirmed` to the account of its mailbox, where there is one: it takes
/// the place and the name of the same one there, which may have ended. One that was agreed to before has
/// mails out whose links end it, and goes where they go, with [`adopt`].
pub async fn adopt_confirmed(
    transaction: &mut Transaction<'_, Postgres>,
    confirmed: Uuid,
) -> Result<(), Error> {
    let found = sqlx::query!(
        "select a.id, a.locale, s.address
         from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         join visitor.account a on lower(a.email) = lower(p.email)
         where s.id = $1 and s.confirmed_at = now()",
        confirmed,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    let Some(found) = found else { return Ok(()) };
    let locale: Locale = found.locale.parse().unwrap_or_default();
    let to = subscriber::of_account(transaction, found.id, locale).await?;
    // How often was asked alone: it keeps what its owner calls it. Locked, so that nobody tells it of a home
    // between the two that follow.
    let name = sqlx::query_scalar!(
        "select name from visitor.saved_search where subscriber = $1 and address = $2 for update",
        to,
        found.address,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    // What waits to be told stays in the mails that it is in.
    sqlx::query!(
        "update visitor.alert t set saved_search = $3
         from visitor.saved_search s
         where s.subscriber = $1 and s.address = $2 and s.frequency <> 'never'
           and t.saved_search = s.id",
        to,
        found.address,
        confirmed,
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "delete from visitor.saved_search where subscriber = $1 and address = $2",
        to,
        found.address,
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "update visitor.saved_search set subscriber = $2, name = coalesce($3, name) where id = $1",
        confirmed,
        to,
        name,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
