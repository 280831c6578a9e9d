//! Omitted pictures: an item is listed when a read finds a file that no picture can be made of, and
//! removed by the first read that finds none.

use std::collections::BTreeMap;

use contracts::{Collection, Violation};
use runtime::postgres::with_answer_timeout;
use sqlx::types::Json;

use super::{Claim, Ledger};
use crate::Error;

impl Ledger {
    /// Records the pictures omitted by reads of `collection`, for every claim that still holds, and
    /// returns what has changed, by key.
    pub(crate) async fn record_left_out(
        &self,
        collection: Collection,
        read: Vec<(&Claim, Vec<Violation>)>,
    ) -> Result<Vec<(String, Vec<Violation>)>, Error> {
        let (mut keys, mut fences, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
        for (claim, left_out) in read {
            keys.push(claim.id.key.clone());
            fences.push(claim.fence);
            pictures.push(Json(left_out));
        }
        let changed = sqlx::query!(
            r#"with held as (
            select r.key, r.pictures
            from unnest($2::text[], $3::bigint[], $4::jsonb[]) as r(key, fence, pictures)
            join ledger.aggregate as a
                on a.collection = $1 and a.key = r.key and a.fence = r.fence
         ), mended as (
            delete from ledger.left_out as l using held
            where l.collection = $1 and l.key = held.key and held.pictures = '[]'
         )
         insert into ledger.left_out as l (collection, key, pictures)
         select $1, key, pictures from held where pictures <> '[]'
         on conflict (collection, key) do update set pictures = excluded.pictures
             where l.pictures <> excluded.pictures
         returning key, pictures as "pictures: Json<Vec<Violation>>""#,
            collection.name(),
            &keys,
            &fences,
            pictures as Vec<Json<Vec<Violation>>>,
        )
        .map(|row| (row.key, row.pictures.0));
        Ok(self.observe_write(with_answer_timeout(changed.fetch_all(&self.pool)).await)?)
    }

    /// Returns the omitted pictures of each item of `collection`, by key.
    pub(crate) async fn left_out_in(
        &self,
        collection: Collection,
    ) -> Result<BTreeMap<String, Vec<Violation>>, Error> {
        let listed = sqlx::query!(
            r#"select key, pictures as "pictures: Json<Vec<Violation>>"
           from ledger.left_out where collection = $1"#,
            collection.name(),
        );
        let rows = with_answer_timeout(listed.fetch_all(&self.pool)).await?;
        Ok(rows.into_iter().map(|row| (row.key, row.pictures.0)).collect())
    }
}
