//! Saved searches, whose owners may get mails about them.

use chrono::{DateTime, Utc};
use contracts::Locale;
use search_parameters::SearchAddress;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{schedule::Frequency, subscriber};
use crate::{
    Error, VisitorDeletion,
    consent::{self, ConsentSource, Submission},
    events,
};

/// The maximum number of searches of one subscriber.
pub const MAX_SEARCHES: i64 = 50;
/// The longest name, in characters.
pub const MAX_NAME_LENGTH: usize = 120;
/// The least and the most characters of each field, by the schema of its call.
pub const LENGTHS: [(&str, &str, usize, usize); 2] =
    [("SearchRequest", "name", 1, MAX_NAME_LENGTH), ("SearchChange", "name", 1, MAX_NAME_LENGTH)];

/// A saved search, as shown to its owner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedSearch {
    #[schema(value_type = String)]
    id: Uuid,
    /// The query string of the search; null for alerts about the favourites.
    address: Option<String>,
    name: String,
    frequency: Frequency,
    created_at: DateTime<Utc>,
}

/// Returns the name of the favourites.
pub const fn favourites_name(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Your favourites",
        Locale::Es => "Sus favoritas",
    }
}

/// A search to be saved.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// The query string of the list of properties.
    pub address: String,
    /// The owner's name for the search. Without an account, the name is given when the alerts are
    /// confirmed.
    pub name: String,
    /// The language of the page.
    #[schema(value_type = String)]
    pub locale: Locale,
    /// How often the owner receives alerts.
    pub frequency: Frequency,
    /// The e-mail address for alerts, for visitors without an account.
    #[serde(default)]
    pub email: Option<String>,
}

/// Changes to a search. Omitted fields stay as they are.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchChange {
    /// The owner's name for the search.
    pub name: Option<String>,
    /// How often the owner receives alerts.
    pub frequency: Option<Frequency>,
}

/// Returns the confirmed searches of `subscriber`, latest first.
pub async fn list_of_subscriber(
    pool: &PgPool,
    subscriber: Uuid,
) -> Result<Vec<SavedSearch>, Error> {
    let rows = sqlx::query_as!(
        Row,
        "select id, address, name, frequency, created_at from visitor.saved_search
         where subscriber = $1 and confirmed_at is not null order by created_at desc",
        subscriber,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(Row::into_search).collect())
}

/// Returns the searches of `account`, including its favourites if it wanted mails about them.
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
    Ok(rows.into_iter().map(Row::into_search).collect())
}

/// Saves `address` for `account`, or its favourites if there is no address. Saving the same search again
/// only changes its name and frequency. Returns `None` if the limit is reached.
pub async fn save(
    pool: &PgPool,
    account: Uuid,
    address: Option<&SearchAddress>,
    name: &str,
    locale: Locale,
    frequency: Frequency,
) -> Result<Option<SavedSearch>, Error> {
    let mut transaction = pool.begin().await?;
    let subscriber = subscriber::ensure_for_account(&mut transaction, account, locale).await?;
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
    Ok(Some(row.into_search()))
}

/// Changes the search `id` of `owner`, by the given `submission`. Returns `None` if there is no such
/// search. A consent without an account was `read_in` the language of its page, or in that of the search
/// if it is unknown.
pub async fn change(
    pool: &PgPool,
    owner: Owner<'_>,
    id: Uuid,
    change: &SearchChange,
    read_in: Option<Locale>,
    submission: &Submission,
) -> Result<Option<SavedSearch>, Error> {
    let (account, token) = owner.parts();
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
            // Without an account this is a new consent.
            Some(_) if token.is_some() => {
                let read_in = match read_in {
                    Some(read_in) => read_in,
                    None => locale_of(&mut transaction, row.id).await?,
                };
                let with = ConsentSource::Search(row.id);
                consent::give(&mut transaction, with, read_in, submission, None).await?;
            }
            _ => {}
        }
    }
    transaction.commit().await?;
    Ok(row.map(Row::into_search))
}

/// Returns the language of the search `id`.
async fn locale_of(transaction: &mut Transaction<'_, Postgres>, id: Uuid) -> Result<Locale, Error> {
    let locale = sqlx::query_scalar!("select locale from visitor.saved_search where id = $1", id)
        .fetch_one(&mut **transaction)
        .await?;
    Ok(locale.parse().unwrap_or_default())
}

/// Deletes the search `id` of `owner`. Returns whether it existed.
pub async fn delete(pool: &PgPool, owner: Owner<'_>, id: Uuid) -> Result<bool, Error> {
    let (account, token) = owner.parts();
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
        events::record(&mut transaction, VisitorDeletion::SearchDeleted, id).await?;
    }
    transaction.commit().await?;
    Ok(is_deleted)
}

/// Ends all mails about homes to the owner of `token`. Returns whether the token is known. Unconfirmed
/// searches send no mails, and can still be confirmed.
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
    // Each search is recorded by its own id, which it keeps when an account takes it over.
    consent::withdraw_for_alerts(&mut transaction, &ended).await?;
    transaction.commit().await?;
    Ok(true)
}

/// The owner of a search: an account, or the recipient of a mail with this token.
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

/// Whether `subscriber` has reached the limit of searches, not counting the one at `address`.
/// Unconfirmed searches that other networks requested are not counted, so that they can't use up the
/// limit.
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

/// A row of the table.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) address: Option<String>,
    pub(super) name: String,
    pub(super) frequency: String,
    pub(super) created_at: DateTime<Utc>,
}

impl Row {
    pub(super) fn into_search(self) -> SavedSearch {
        let Self { id, address, name, frequency, created_at } = self;
        let frequency = Frequency::named(&frequency).unwrap_or(Frequency::Never);
        SavedSearch { id, address, name, frequency, created_at }
    }
}
