//! Moves searches that were saved for a mailbox without an account to the account, once its owner has
//! proved that they read the mailbox.

use contracts::Locale;
use credentials::Secret;
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::subscriber;
use crate::{Error, VisitorDeletion, events};

/// Moves the confirmed searches that were saved for the address `email` without an account to `account`.
/// The caller has proved that its owner reads the mailbox.
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
    let to = subscriber::ensure_for_account(transaction, account, locale).await?;
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
    // Searches that the account already has are deleted.
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
        events::record(transaction, VisitorDeletion::SearchDeleted, search).await?;
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
        // Unconfirmed searches stay with the mailbox: anybody may have requested them. The links in
        // mails that were sent before lead to the account from now on, so the mailbox gets a new token.
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

/// Moves the search `confirmed`, which is being confirmed in this transaction, to the account of its
/// mailbox, if there is one. It replaces the same search of the account, which may have ended, and takes
/// over its name. A search that had been confirmed before is in mails whose links end it, so it moves
/// only together with those links, in [`adopt`].
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
    let to = subscriber::ensure_for_account(transaction, found.id, locale).await?;
    // Only the frequency was requested, so the owner's name is kept. The row is locked, so that no alert
    // is added to it between the two statements that follow.
    let name = sqlx::query_scalar!(
        "select name from visitor.saved_search where subscriber = $1 and address = $2 for update",
        to,
        found.address,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    // Pending alerts stay in their mails.
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
