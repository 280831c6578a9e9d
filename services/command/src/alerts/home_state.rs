//! Stores the last reported state of each home. Later changes are the difference to it.

use contracts::content::Property;
use sqlx::{Postgres, Transaction, types::Json};

use crate::Error;

/// The last reported state of a home.
#[derive(Debug)]
pub struct HomeState {
    pub snapshot: Property,
    pub is_listed: bool,
}

/// The last state of a home that was removed.
#[derive(Debug)]
pub struct WithdrawnHome {
    pub reference: String,
    /// The number of its state.
    pub number: i64,
    /// In euros.
    pub price: Option<i64>,
}

/// Returns the last state of the item `key` under any reference, or else the last state under this
/// `reference`, if that home was removed or another item was created for the same home. The key alone of
/// a removed home proves nothing: a restored content service may assign it to another home.
pub async fn last_state(
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

/// Stores `now` as the last reported state. Returns the state's number.
pub async fn store_state(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
    now: &Property,
) -> Result<i64, Error> {
    // A removed home under another reference shares only the key with this one, so it loses the key.
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
    // Earlier references of the same home are no longer listed, but still lead to it by its key.
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

/// Marks the home of the removed item `key` as withdrawn. Returns its last state, unless another item
/// has taken its place.
pub async fn mark_withdrawn(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
) -> Result<Option<WithdrawnHome>, Error> {
    let gone = sqlx::query_as!(
        WithdrawnHome,
        "update visitor.home_state set is_listed = false, number = number + 1
         where key = $1 and is_listed
         returning reference, number, (snapshot ->> 'price')::bigint as price",
        key,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    Ok(gone)
}
