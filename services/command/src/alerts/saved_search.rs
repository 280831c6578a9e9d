//! Searches that their owners want to find again, and to hear of.

use chrono::{DateTime, Utc};
use contracts::Locale;
use search_parameters::SearchAddress;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{schedule::Frequency, subscriber};
use crate::{
    Ending, Error,
    consent::{self, GivenWith, Press},
    events,
};

/// The most searches of one subscriber.
pub const MAX_SEARCHES: i64 = 50;
/// The longest name, in characters.
pub const MAX_NAME_LENGTH: usize = 120;

/// A search as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearch {
    #[schema(value_type = String)]
    id: Uuid,
    /// The query part of its address; nothing for the favourites.
    address: Option<String>,
    name: String,
    frequency: Frequency,
    created_at: DateTime<Utc>,
}

/// What the favourites are called.
pub const fn favourites(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Your favourites",
        Locale::Es => "Sus favoritas",
    }
}

/// What somebody wants to be told of.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// The query part of the list's address.
    pub address: String,
    /// What its owner calls it. Without an account that is said where they agree.
    pub name: String,
    /// The language that it is read in.
    #[schema(value_type = String)]
    pub locale: Locale,
    /// How often its owner wants to hear of it.
    pub frequency: Frequency,
    /// Where mails go, of who has no account.
    #[serde(default)]
    pub email: Option<String>,
}

/// What changes of a search; what is left out stays.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchChange {
    /// What its owner calls it.
    pub name: Option<String>,
    /// How often its owner wants to hear of it.
    pub frequency: Option<Frequency>,
}

/// The searches of `subscriber` that were agreed to, the latest first.
pub async fn of_subscriber(pool: &PgPool, subscriber: Uuid) -> Result<Vec<SavedSearch>, Error> {
    let rows = sqlx::query_as!(
        Row,
        "select id, address, name, frequency, created_at from visitor.saved_search
         where subscriber = $1 and confirmed_at is not null order by created_at desc",
        subscriber,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(Row::search).collect())
}

/// The searches of `account`, its favourites among them where it asked to hear of those.
pub async fn list(pool: &PgPool, account: Uuid) -> Result<Vec<SavedSearch>, Error> {
    let rows = sqlx::query_as!(
        Row,
        "select s.id, s.address, s.name, s.frequency, s.created_at
         from visitor.saved_search s join visitor.subscriber p on p.id = s.subscriber
         where p.account = $1 and s.confirmed_at is not null order by s.created_at desc",
        account,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(Row::search).collect())
}

/// Saves `address` for `account`, or its favourites where there is no address; the same search once
/// more only changes how often its owner hears. None where there are as many as can be.
pub async fn save(
    pool: &PgPool,
    account: Uuid,
    address: Option<&SearchAddress>,
    name: &str,
    locale: Locale,
    frequency: Frequency,
) -> Result<Option<SavedSearch>, Error> {
    let mut transaction = pool.begin().await?;
    let subscriber = subscriber::of_account(&mut transaction, account, locale).await?;
    if address.is_some() && is_full(&mut transaction, subscriber, address, None).await? {
        return Ok(None);
    }
    let row = sqlx::query_as!(
        Row,
        "insert into visitor.saved_search
            (id, subscriber, address, name, locale, frequency, confirmed_at)
         values ($1, $2, $3, $4, $5, $6, now())
         on conflict (subscriber, address) do update
         set frequency = excluded.frequency, name = excluded.name, changed_at = now()
         returning id, address, name, frequency, created_at",
        Uuid::now_v7(),
        subscriber,
        address.map(SearchAddress::as_str),
        name,
        locale.code(),
        frequency.name(),
    )
    .fetch_one(&mut *transaction)
    .await?;
    if frequency == Frequency::Never {
        consent::withdraw_for_alerts(&mut transaction, &[row.id]).await?;
    }
    transaction.commit().await?;
    Ok(Some(row.search()))
}

/// Changes the search `id` of `subscriber`, as `press` says; none where there is no such one. What is agreed to
/// without an account was `read_in` the language of its page, or in the search's where that is not said.
pub async fn change(
    pool: &PgPool,
    subscriber: Owner<'_>,
    id: Uuid,
    change: &SearchChange,
    read_in: Option<Locale>,
    press: &Press,
) -> Result<Option<SavedSearch>, Error> {
    let (account, token) = subscriber.parts();
    let mut transaction = pool.begin().await?;
    let row = sqlx::query_as!(
        Row,
        "update visitor.saved_search s
         set name = coalesce($4, s.name), frequency = coalesce($5, s.frequency),
             changed_at = now()
         from visitor.subscriber p
         where s.id = $1 and p.id = s.subscriber and s.confirmed_at is not null
           and (p.account = $2 or p.tokens @> array[$3::text])
         returning s.id, s.address, s.name, s.frequency, s.created_at",
        id,
        account,
        token,
        change.name,
        change.frequency.map(Frequency::name),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(row) = &row {
        match change.frequency {
            Some(Frequency::Never) => {
                consent::withdraw_for_alerts(&mut transaction, &[row.id]).await?;
            }
            // Without an account it is agreed to anew.
            Some(_) if token.is_some() => {
                let read_in = match read_in {
                    Some(read_in) => read_in,
                    None => locale_of(&mut transaction, row.id).await?,
                };
                let with = GivenWith::Search(row.id);
                consent::give(&mut transaction, with, read_in, press, None).await?;
            }
            _ => {}
        }
    }
    transaction.commit().await?;
    Ok(row.map(Row::search))
}

/// The language of the words of the search `id`.
async fn locale_of(transaction: &mut Transaction<'_, Postgres>, id: Uuid) -> Result<Locale, Error> {
    let locale = sqlx::query_scalar!("select locale from visitor.saved_search where id = $1", id)
        .fetch_one(&mut **transaction)
        .await?;
    Ok(locale.parse().unwrap_or_default())
}

/// Deletes the search `id` of `subscriber`; whether there was such a one.
pub async fn delete(pool: &PgPool, subscriber: Owner<'_>, id: Uuid) -> Result<bool, Error> {
    let (account, token) = subscriber.parts();
    let mut transaction = pool.begin().await?;
    let deleted = sqlx::query!(
        "delete from visitor.saved_search s using visitor.subscriber p
         where s.id = $1 and p.id = s.subscriber and (p.account = $2 or p.tokens @> array[$3::text])",
        id,
        account,
        token,
    )
    .execute(&mut *transaction)
    .await?;
    let is_deleted = deleted.rows_affected() > 0;
    if is_deleted {
        events::record(&mut transaction, Ending::SearchDeleted.kind(), id).await?;
    }
    transaction.commit().await?;
    Ok(is_deleted)
}

/// Ends all mails about homes to whom `token` was sent; whether it was sent to anybody. What waits to be
/// agreed to sends none, and can be agreed to still.
pub async fn unsubscribe(pool: &PgPool, token: &str) -> Result<bool, Error> {
    let mut transaction = pool.begin().await?;
    let Some(subscriber) = subscriber::lock(&mut transaction, token).await? else {
        return Ok(false);
    };
    let ended = sqlx::query_scalar!(
        "update visitor.saved_search set frequency = 'never', changed_at = now()
         where subscriber = $1 and confirmed_at is not null and frequency <> 'never'
         returning id",
        subscriber,
    )
    .fetch_all(&mut *transaction)
    .await?;
    // Each for itself: a search keeps its id when an account takes it over.
    consent::withdraw_for_alerts(&mut transaction, &ended).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Whose search it is: an account's, or theirs who got a mail with this token.
#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    Account(Uuid),
    Token(&'a str),
}

impl<'a> Owner<'a> {
    const fn parts(self) -> (Option<Uuid>, Option<&'a str>) {
        match self {
            Self::Account(account) => (Some(account), None),
            Self::Token(token) => (None, Some(token)),
        }
    }
}

/// Whether `subscriber` has as many searches as can be, besides this one. Of those that nobody has agreed to, what
/// other networks asked for is not counted: it keeps nobody out.
pub(super) async fn is_full(
    transaction: &mut Transaction<'_, Postgres>,
    subscriber: Uuid,
    address: Option<&SearchAddress>,
    asked_from: Option<&str>,
) -> Result<bool, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from visitor.saved_search
           where subscriber = $1 and address is distinct from $2
             and (confirmed_at is not null or asked_from is not distinct from $3)"#,
        subscriber,
        address.map(SearchAddress::as_str),
        asked_from,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(count >= MAX_SEARCHES)
}

/// A search as its table has it.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) address: Option<String>,
    pub(super) name: String,
    pub(super) frequency: String,
    pub(super) created_at: DateTime<Utc>,
}

impl Row {
    pub(super) fn search(self) -> SavedSearch {
        let Self { id, address, name, frequency, created_at } = self;
        let frequency = Frequency::named(&frequency).unwrap_or(Frequency::Never);
        SavedSearch { id, address, name, frequency, created_at }
    }
}
