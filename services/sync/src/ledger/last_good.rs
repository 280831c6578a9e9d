//! Last good versions: what the site keeps showing of a parked item.

use std::collections::HashMap;

use contracts::{AggregateId, Change, content::Snapshot};
use runtime::postgres::with_answer_timeout;
use serde_json::Value;
use sqlx::types::Json;

use super::{Ledger, parked::MAX_LISTED_PER_KIND};
use crate::Error;

impl Ledger {
    /// Returns everything that is parked with its last good version, which the site keeps showing; none
    /// for an item that was never published, was unpublished, or was removed together with another.
    pub async fn last_good(&self) -> Result<Vec<(AggregateId, Option<Snapshot>)>, Error> {
        let listed = sqlx::query!(
            r#"select distinct on (collection, key) collection, key,
                change as "change?: Json<Change>"
           from ledger.parked left join ledger.entry using (collection, key)
           order by collection, key, version desc"#,
        );
        let rows = with_answer_timeout(listed.fetch_all(&self.pool)).await?;
        rows.into_iter()
            .map(|row| {
                let snapshot = match row.change {
                    Some(Json(Change::Upserted { snapshot })) => Some(*snapshot),
                    Some(Json(Change::Removed)) | None => None,
                };
                Ok((AggregateId::new(row.collection.parse()?, row.key), snapshot))
            })
            .collect()
    }

    /// Returns the last good versions of what [`Self::parked`] lists, as they are stored, by collection
    /// and key.
    pub(crate) async fn stored_last_good(&self) -> Result<HashMap<(String, String), Value>, Error> {
        let listed = sqlx::query!(
            r#"select distinct on (collection, key) collection as "collection!", key as "key!",
                change -> 'snapshot' as snapshot
           from (select collection, key from ledger.parked
                 order by first_at, collection, key limit $1) as p
           join ledger.entry using (collection, key)
           order by collection, key, version desc"#,
            MAX_LISTED_PER_KIND,
        );
        let rows = with_answer_timeout(listed.fetch_all(&self.pool)).await?;
        Ok(rows
            .into_iter()
            .filter_map(|row| Some(((row.collection, row.key), row.snapshot?)))
            .collect())
    }

    /// Returns the last good version of the item `key` of `collection` as it is stored, or null if it has
    /// none; none if it is not parked.
    pub(crate) async fn stored_last_good_of(
        &self,
        collection: &str,
        key: &str,
    ) -> Result<Option<Value>, Error> {
        let listed = sqlx::query!(
            r#"select (select change -> 'snapshot' from ledger.entry as e
                   where e.collection = p.collection and e.key = p.key
                   order by version desc limit 1) as "snapshot?"
           from ledger.parked as p where p.collection = $1 and p.key = $2"#,
            collection,
            key,
        );
        let row = with_answer_timeout(listed.fetch_optional(&self.pool)).await?;
        Ok(row.map(|row| row.snapshot.unwrap_or_default()))
    }
}
