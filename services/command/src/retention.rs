//! For how long what is kept of visitors is kept. `kept.json` says it once: this erases by it, and the
//! page about privacy is made from it.

use std::{convert::Infallible, sync::LazyLock, time::Duration};

use runtime::postgres::answered;
use serde::Deserialize;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{Config, Error, alerts::renew, office, office_items::OfficeItems, searches};

/// How often it is looked for what is old.
const EVERY: Duration = Duration::from_hours(6);
/// The first time comes soon after a start.
const FIRST: Duration = Duration::from_secs(5);
/// Where something failed it is tried again so soon: a content service that was started together with
/// this takes half a minute.
const AGAIN: Duration = Duration::from_mins(1);
/// What the content service has too.
const ENQUIRY: &str = "enquiry";

/// Something that is kept, as far as this has to know.
#[derive(Debug, Deserialize)]
struct Kept {
    /// The table's name.
    key: String,
    /// None where it is kept until its owner deletes it.
    #[serde(default)]
    days: Option<i32>,
}

static KEPT: LazyLock<Vec<Kept>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../kept.json")).unwrap_or_default());

/// Erases what is old, here and among the `items` of the content service, now and then, until
/// `shutdown`; whoever reads these learns where they stand as well. Several may do so at once.
pub async fn run(
    pool: PgPool,
    items: Option<OfficeItems>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let erasing = async {
        tokio::time::sleep(FIRST).await;
        loop {
            let mut next = EVERY;
            match erase_old(&pool).await {
                Ok(erased) => {
                    for (key, rows) in erased.into_iter().filter(|(_, rows)| *rows > 0) {
                        tracing::info!(key, rows, "what was kept long enough is erased");
                        metrics::counter!("command_erased_total", "key" => key).increment(rows);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "what is old could not be erased");
                    next = AGAIN;
                }
            }
            if let Some(items) = &items
                && let Err(error) = Box::pin(office::catch_up(&pool, items)).await
            {
                tracing::warn!(%error, "where enquiries stand could not be read");
                next = AGAIN;
            }
            if let Some(items) = &items
                && let Err(error) = office::delete_items(&pool, items).await
            {
                tracing::warn!(%error, "items of deleted accounts could not be deleted");
                next = AGAIN;
            }
            match Box::pin(answered(renew(&pool))).await {
                Ok((asked, ended)) if asked + ended > 0 => {
                    tracing::info!(asked, ended, "searches without an account are renewed or end");
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "searches without an account could not be renewed");
                    next = AGAIN;
                }
            }
            let days = KEPT.iter().find(|kept| kept.key == ENQUIRY).and_then(|kept| kept.days);
            if let (Some(items), Some(days)) = (&items, days)
                && let Err(error) = items.erase(days).await
            {
                tracing::warn!(%error, "old enquiries of the content service could not be erased");
                next = AGAIN;
            }
            tokio::time::sleep(next).await;
        }
    };
    shutdown.run_until_cancelled(Box::pin(erasing)).await;
    Ok(())
}

/// Deletes what the content service has of accounts that are deleted, once.
pub async fn delete_items(pool: &PgPool, config: &Config) -> Result<(), Error> {
    match OfficeItems::new(config)? {
        Some(items) => office::delete_items(pool, &items).await,
        None => Ok(()),
    }
}

/// Asks the content service where enquiries stand, once.
pub async fn catch_up(pool: &PgPool, config: &Config) -> Result<(), Error> {
    match OfficeItems::new(config)? {
        Some(items) => Box::pin(office::catch_up(pool, &items)).await,
        None => Ok(()),
    }
}

/// Erases what is old; how many rows of each table.
pub async fn erase_old(pool: &PgPool) -> Result<Vec<(&'static str, u64)>, Error> {
    let mut erased = Vec::new();
    for kept in KEPT.iter() {
        let Some(days) = kept.days else { continue };
        erased.push((&*kept.key, answered(erase(pool, &kept.key, days)).await?));
    }
    // Of nobody, so that it is none of what is kept of visitors.
    erased.push(("place_search", answered(searches::erase_old(pool)).await?));
    Ok(erased)
}

/// What was done and what is about to be sent is told apart: nothing is erased that somebody still
/// works on.
async fn erase(pool: &PgPool, key: &str, days: i32) -> Result<u64, Error> {
    let statement = match key {
        "enquiry" => sqlx::query!(
            "delete from visitor.enquiry where received_at < now() - make_interval(days => $1)",
            days
        ),
        "consent" => sqlx::query!(
            "delete from visitor.consent
                 where withdrawn_at < now() - make_interval(days => $1)",
            days
        ),
        "blocked_consent" => sqlx::query!(
            "delete from visitor.blocked_consent
                 where blocked_at < now() - make_interval(days => $1)",
            days
        ),
        "blocked_enquiry" => sqlx::query!(
            "delete from visitor.blocked_enquiry
                 where blocked_at < now() - make_interval(days => $1)",
            days
        ),
        "session" => sqlx::query!(
            "delete from visitor.session
                 where expires_at < now() or seen_at < now() - make_interval(days => $1)",
            days
        ),
        "device" => sqlx::query!(
            "delete from visitor.device where created_at < now() - make_interval(days => $1)",
            days
        ),
        "sign_in" => sqlx::query!(
            "delete from visitor.sign_in where created_at < now() - make_interval(days => $1)",
            days
        ),
        "job" => sqlx::query!(
            "delete from visitor.job
                 where state <> 'due' and due_at < now() - make_interval(days => $1)",
            days
        ),
        "saved_search" => sqlx::query!(
            "delete from visitor.saved_search s using visitor.subscriber p
                 where p.id = s.subscriber and s.changed_at < now() - make_interval(days => $1)
                   and (s.confirmed_at is null or (s.frequency = 'never' and p.account is null))",
            days
        ),
        "subscriber" => return erase_subscribers(pool, days).await,
        "alert_mail" => sqlx::query!(
            "delete from visitor.alert_mail m
                 where m.created_at < now() - make_interval(days => $1)
                   and not exists (select from visitor.job j
                                   where j.alert_mail = m.id and j.state = 'due')",
            days
        ),
        "picture" => sqlx::query!(
            "delete from visitor.picture
                 where enquiry is null and created_at < now() - make_interval(days => $1)",
            days
        ),
        "ceremony" => sqlx::query!("delete from visitor.ceremony where expires_at < now()"),
        "idempotency_key" => {
            sqlx::query!("delete from visitor.idempotency_key where expires_at < now()")
        }
        _ => return Ok(0),
    };
    Ok(statement.execute(pool).await?.rows_affected())
}

/// Somebody may just ask for mails to one of them. So it is locked, and then looked whether it has
/// a search: a statement that waits looks as though it had not.
async fn erase_subscribers(pool: &PgPool, days: i32) -> Result<u64, Error> {
    let mut transaction = pool.begin().await?;
    let old = sqlx::query_scalar!(
        "select id from visitor.subscriber s
         where s.account is null and s.created_at < now() - make_interval(days => $1)
           and not exists (select from visitor.saved_search o where o.subscriber = s.id)
         for update",
        days,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let erased = sqlx::query!(
        "delete from visitor.subscriber s
         where s.id = any($1)
           and not exists (select from visitor.saved_search o where o.subscriber = s.id)",
        &old,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(erased.rows_affected())
}
