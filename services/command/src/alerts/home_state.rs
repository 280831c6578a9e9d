//! Each home as it stood when it was last told of: what happens next is the difference to it.

use contracts::content::Property;
use sqlx::{Postgres, Transaction, types::Json};

use crate::Error;

/// A home as it was last told of.
#[derive(Debug)]
pub struct HomeState {
    pub snapshot: Property,
    pub is_listed: bool,
}

/// A home that is gone, as it was last.
#[derive(Debug)]
pub struct Gone {
    pub reference: String,
    /// Of its state.
    pub number: i64,
    /// In euros.
    pub price: Option<i64>,
}

/// The home that the item `key` is, under whatever reference; or what was last known under this `reference`,
/// where it was gone or another item was made for the same home. The key alone of one that is gone says nothing:
/// a content service that was restored gives it to the next.
pub async fn known(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
    reference: &str,
) -> Result<Option<HomeState>, Error> {
    let row = sqlx::query!(
        r#"select snapshot as "snapshot: Json<Property>", is_listed
           from visitor.home_state where (key = $1 and is_listed) or reference = $2
           order by (key = $1 and is_listed) desc, reference = $2 desc
           limit 1"#,
        key,
        reference,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    Ok(row.map(|row| HomeState { snapshot: row.snapshot.0, is_listed: row.is_listed }))
}

/// Keeps `now` as what is told of from here on; gives the state's number.
pub async fn keep(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
    now: &Property,
) -> Result<i64, Error> {
    // Of a home that is gone under another reference this one has nothing but the key.
    sqlx::query!(
        "update visitor.home_state set key = null
         where key = $1 and not exists (
            select from visitor.home_state h
            where h.key = $1 and (h.is_listed or h.reference = $2))",
        key,
        now.reference,
    )
    .execute(&mut **transaction)
    .await?;
    // What the same home was called before is no home any more, and still leads to it by its key.
    sqlx::query!(
        "update visitor.home_state set is_listed = false
         where key = $1 and reference <> $2 and is_listed",
        key,
        now.reference,
    )
    .execute(&mut **transaction)
    .await?;
    let number = sqlx::query_scalar!(
        "insert into visitor.home_state as h (reference, key, snapshot, is_listed)
         values ($1, $2, $3, true)
         on conflict (reference) do update
         set key = $2, snapshot = $3, is_listed = true, number = h.number + 1
         returning number",
        now.reference,
        key,
        Json(now) as _,
    )
    .fetch_one(&mut **transaction)
    .await?;
    Ok(number)
}

/// The item `key` is gone; what its home was, unless another item is that now.
pub async fn withdraw(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
) -> Result<Option<Gone>, Error> {
    let gone = sqlx::query_as!(
        Gone,
        "update visitor.home_state set is_listed = false, number = number + 1
         where key = $1 and is_listed
         returning reference, number, (snapshot ->> 'price')::bigint as price",
        key,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    Ok(gone)
}
