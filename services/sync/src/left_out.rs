//! Omitted pictures: those that the site shows an item without, since no picture can be made of the file.
//!
//! An item is listed in `ledger.left_out` when a read finds such a file, and removed by the first read
//! that finds none.

use std::collections::{BTreeMap, HashMap};

use content_client::Reading;
use contracts::{Collection, PictureFault, Violation};
use runtime::postgres::with_answer_timeout;
use sqlx::types::Json;
use uuid::Uuid;

use crate::{Error, Sync, ledger::Claim, parked::storable};

/// Returns the pictures that `reading` omits: files that are no picture by themselves, and those found
/// to be `unreadable`.
pub fn of(reading: &Reading, unreadable: &HashMap<Uuid, PictureFault>) -> Vec<Violation> {
    let Reading::Published { files, .. } = reading else { return Vec::new() };
    let left_out = files.iter().filter_map(|file| {
        let fault = file.fault.or_else(|| unreadable.get(&file.id).copied())?;
        Some(storable(&file.left_out(fault)))
    });
    left_out.collect()
}

/// Records the pictures omitted by reads of `collection`, for every claim that still holds.
pub async fn record(
    sync: &Sync,
    collection: Collection,
    read: Vec<(&Claim, Vec<Violation>)>,
) -> Result<(), Error> {
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
    );
    let changed = sync
        .ledger
        .observe_write(with_answer_timeout(changed.fetch_all(sync.ledger.pool())).await)?;
    for item in changed {
        let why: Vec<String> = item.pictures.iter().map(ToString::to_string).collect();
        tracing::warn!(%collection, key = item.key, why = %why.join("; "), "an item is shown without a picture");
    }
    Ok(())
}

/// Returns the omitted pictures of each item of `collection`, by key.
pub async fn recorded(
    sync: &Sync,
    collection: Collection,
) -> Result<BTreeMap<String, Vec<Violation>>, Error> {
    let listed = sqlx::query!(
        r#"select key, pictures as "pictures: Json<Vec<Violation>>"
           from ledger.left_out where collection = $1"#,
        collection.name(),
    );
    let rows = with_answer_timeout(listed.fetch_all(sync.ledger.pool())).await?;
    Ok(rows.into_iter().map(|row| (row.key, row.pictures.0)).collect())
}
