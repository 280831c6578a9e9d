//! A visitor's homes: favourites with notes, and hidden, compared and seen homes.

use chrono::{DateTime, Utc};
use contracts::Reference;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Error;

/// The longest note, in characters.
pub const MAX_NOTE_LENGTH: usize = 2_000;
/// The maximum number of compared homes.
pub const MAX_COMPARED: i64 = 4;
/// The maximum number of homes of an account; those seen longest ago are removed first.
pub const MAX_HOMES: i64 = 1_000;

/// A home, and what the visitor marked or noted about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MyHome {
    /// The home's reference.
    #[schema(value_type = String)]
    pub reference: Reference,
    /// Whether it is a favourite.
    #[serde(default)]
    pub favourite: bool,
    /// The visitor's note.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether the visitor hid it.
    #[serde(default)]
    pub hidden: bool,
    /// Whether it is on the visitor's comparison list.
    #[serde(default)]
    pub compared: bool,
    /// When the visitor last viewed its page.
    #[serde(default)]
    pub seen_at: Option<DateTime<Utc>>,
    /// When any of these fields last changed.
    #[serde(default)]
    pub changed_at: Option<DateTime<Utc>>,
}

/// Changes to a home in the visitor's lists. Omitted fields stay as they are.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HomeChange {
    favourite: Option<bool>,
    /// An empty text removes it.
    note: Option<String>,
    hidden: Option<bool>,
    compared: Option<bool>,
    /// Whether the home's page is being viewed.
    #[serde(default)]
    seen: bool,
}

impl HomeChange {
    /// Returns the note.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

/// The result of a change.
#[derive(Debug)]
pub enum Changed {
    /// The home after the change.
    Now(MyHome),
    /// The limit of compared homes is reached.
    TooManyCompared,
}

/// Returns all homes of `account`, latest changed first.
pub async fn list(pool: &PgPool, account: Uuid) -> Result<Vec<MyHome>, Error> {
    let rows = sqlx::query_as!(
        Row,
        "select reference, is_favourite, note, is_hidden, is_compared, seen_at, changed_at
         from visitor.home where account = $1 order by changed_at desc, reference",
        account,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().filter_map(Row::home).collect())
}

/// Changes the entry of `account` for `reference`.
pub async fn change(
    pool: &PgPool,
    account: Uuid,
    reference: &Reference,
    change: &HomeChange,
) -> Result<Changed, Error> {
    let mut transaction = pool.begin().await?;
    lock(&mut transaction, account).await?;
    if change.compared == Some(true)
        && compared_besides(&mut transaction, account, reference).await? >= MAX_COMPARED
    {
        return Ok(Changed::TooManyCompared);
    }
    let note = change.note.as_deref().map(str::trim);
    let row = sqlx::query_as!(
        Row,
        "insert into visitor.home as h
            (account, reference, is_favourite, note, is_hidden, is_compared, seen_at)
         values ($1, $2, coalesce($3, false), nullif($4, ''), coalesce($5, false),
                 coalesce($6, false), case when $7 then now() end)
         on conflict (account, reference) do update
         set is_favourite = coalesce($3, h.is_favourite),
             note = case when $4::text is null then h.note else nullif($4, '') end,
             is_hidden = coalesce($5, h.is_hidden),
             is_compared = coalesce($6, h.is_compared),
             seen_at = coalesce(excluded.seen_at, h.seen_at),
             changed_at = now()
         returning reference, is_favourite, note, is_hidden, is_compared, seen_at, changed_at",
        account,
        reference.as_str(),
        change.favourite,
        note,
        change.hidden,
        change.compared,
        change.seen,
    )
    .fetch_one(&mut *transaction)
    .await?;
    forget_oldest(&mut transaction, account).await?;
    transaction.commit().await?;
    row.home().map(Changed::Now).ok_or_else(|| Error::Database(sqlx::Error::RowNotFound))
}

/// Merges the homes that a browser stored locally: flags of either side stay set, and notes are joined.
pub async fn merge(pool: &PgPool, account: Uuid, homes: &[MyHome]) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    lock(&mut transaction, account).await?;
    for home in homes {
        let note = home.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        let most = i32::try_from(MAX_NOTE_LENGTH).unwrap_or(i32::MAX);
        let has_room = home.compared
            && compared_besides(&mut transaction, account, &home.reference).await? < MAX_COMPARED;
        sqlx::query!(
            "insert into visitor.home as h
                (account, reference, is_favourite, note, is_hidden, is_compared, seen_at)
             values ($1, $2, $3, $4, $5, $6,
                     case when $7::timestamptz is not null then least($7, now()) end)
             on conflict (account, reference) do update
             set is_favourite = h.is_favourite or excluded.is_favourite,
                 note = case
                    when excluded.note is null or position(excluded.note in h.note) > 0 then h.note
                    when h.note is null then excluded.note
                    else left(h.note || E'\\n\\n' || excluded.note, $8) end,
                 is_hidden = h.is_hidden or excluded.is_hidden,
                 is_compared = h.is_compared or excluded.is_compared,
                 seen_at = greatest(h.seen_at, excluded.seen_at),
                 changed_at = now()",
            account,
            home.reference.as_str(),
            home.favourite,
            note,
            home.hidden,
            has_room,
            home.seen_at,
            most,
        )
        .execute(&mut *transaction)
        .await?;
    }
    forget_oldest(&mut transaction, account).await?;
    transaction.commit().await?;
    Ok(())
}

/// Forgets which homes `account` has seen, and keeps everything else.
pub async fn forget_seen(pool: &PgPool, account: Uuid) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    lock(&mut transaction, account).await?;
    sqlx::query!("update visitor.home set seen_at = null where account = $1", account)
        .execute(&mut *transaction)
        .await?;
    forget_oldest(&mut transaction, account).await?;
    transaction.commit().await?;
    Ok(())
}

/// Locks the account, so that counts stay correct until the change is written.
async fn lock(transaction: &mut Transaction<'_, Postgres>, account: Uuid) -> Result<(), Error> {
    sqlx::query!("select id from visitor.account where id = $1 for no key update", account)
        .fetch_optional(&mut **transaction)
        .await?;
    Ok(())
}

async fn compared_besides(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
    reference: &Reference,
) -> Result<i64, Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from visitor.home
         where account = $1 and is_compared and reference <> $2"#,
        account,
        reference.as_str(),
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(count)
}

/// Deletes entries without any content, and those seen longest ago if there are too many.
async fn forget_oldest(
    transaction: &mut Transaction<'_, Postgres>,
    account: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "delete from visitor.home where account = $1 and reference in (
            select reference from (
                select reference, row_number() over (
                    order by is_favourite or note is not null desc, changed_at desc) as place,
                    is_favourite or is_hidden or is_compared or note is not null
                        or seen_at is not null as is_kept
                from visitor.home where account = $1) ranked
            where place > $2 or not is_kept)",
        account,
        MAX_HOMES,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

struct Row {
    reference: String,
    is_favourite: bool,
    note: Option<String>,
    is_hidden: bool,
    is_compared: bool,
    seen_at: Option<DateTime<Utc>>,
    changed_at: DateTime<Utc>,
}

impl Row {
    fn home(self) -> Option<MyHome> {
        Some(MyHome {
            reference: self.reference.parse().ok()?,
            favourite: self.is_favourite,
            note: self.note,
            hidden: self.is_hidden,
            compared: self.is_compared,
            seen_at: self.seen_at,
            changed_at: Some(self.changed_at),
        })
    }
}
