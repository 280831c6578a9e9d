//! Placeholders: for each picture a preview of a few bytes, which a page shows until the picture is
//! loaded.
//!
//! They are made after capture and never delay it: a picture is published without one at first, and once
//! its placeholder is made, what shows the picture gets a new version with it. A picture that turns out
//! to be unreadable is removed in the same way from what shows it. The table is also the queue. The
//! result for a version of a file never changes, so that the hash of a snapshot changes once per new
//! picture and not again.

mod make;

use std::collections::{HashMap, HashSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use contracts::{
    PartCollection, PictureFault,
    content::{Picture, Snapshot},
};
use runtime::postgres::with_answer_timeout;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{Error, Sync};

pub use make::run;

/// A file at one of its versions.
type FileVersion = (Uuid, String);

/// The result of filling snapshots.
#[must_use = "what is not requested is not made"]
#[derive(Debug, Default)]
pub struct Filled {
    /// The pictures without a placeholder.
    pub missing: Vec<FileVersion>,
    /// The faults of the files that no picture can be made of, by id.
    pub unreadable: HashMap<Uuid, PictureFault>,
}

/// A result that is stored for a picture.
enum StoredResult {
    Placeholder(String),
    /// No picture can be made of it.
    Unreadable(PictureFault),
}

/// Adds the available placeholders to `snapshots`, and removes the pictures from them that are
/// unreadable.
pub async fn fill(
    sync: &Sync,
    snapshots: impl Iterator<Item = &mut Snapshot>,
) -> Result<Filled, Error> {
    let snapshots: Vec<&mut Snapshot> = snapshots.collect();
    let pictures = snapshots.iter().flat_map(|snapshot| snapshot.pictures());
    let (files, versions): (Vec<Uuid>, Vec<String>) =
        pictures.map(|picture| (picture.file, picture.version.clone())).unzip();
    if files.is_empty() {
        return Ok(Filled::default());
    }
    let tried = sqlx::query!(
        "select file, version, webp, unreadable from ledger.placeholder
         where (file, version) in (select * from unnest($1::uuid[], $2::text[]))
           and (webp is not null or unreadable is not null)",
        &files,
        &versions,
    );
    let tried = with_answer_timeout(tried.fetch_all(sync.ledger.pool())).await?;
    let known: HashMap<FileVersion, StoredResult> = tried
        .into_iter()
        .map(|tried| {
            let known = match tried.webp {
                Some(webp) => StoredResult::Placeholder(STANDARD.encode(webp)),
                None => StoredResult::Unreadable(fault(tried.unreadable.as_deref())),
            };
            ((tried.file, tried.version), known)
        })
        .collect();
    let file_of = |picture: &Picture| (picture.file, picture.version.clone());
    let (mut missing, mut unreadable) = (Vec::new(), HashMap::new());
    for snapshot in snapshots {
        for picture in snapshot.pictures() {
            if let Some(StoredResult::Unreadable(fault)) = known.get(&file_of(picture)) {
                unreadable.insert(picture.file, *fault);
            }
        }
        snapshot.retain_pictures(|picture| {
            !matches!(known.get(&file_of(picture)), Some(StoredResult::Unreadable(_)))
        });
        for picture in snapshot.pictures_mut() {
            match known.get(&file_of(picture)) {
                Some(StoredResult::Placeholder(webp)) => picture.placeholder = Some(webp.clone()),
                _ => missing.push(file_of(picture)),
            }
        }
    }
    missing.sort_unstable();
    missing.dedup();
    Ok(Filled { missing, unreadable })
}

/// Returns the fault called `name`. Earlier builds stored a description instead; most of those files
/// were broken, and the next attempt determines the fault.
fn fault(name: Option<&str>) -> PictureFault {
    name.and_then(|name| name.parse().ok()).unwrap_or(PictureFault::Broken)
}

/// Requests placeholders for the pictures in `missing`. To be called after the snapshots were recorded
/// in the ledger: what shows a picture whose placeholder was made in between is captured again.
pub async fn request(sync: &Sync, missing: Vec<FileVersion>) -> Result<(), Error> {
    if missing.is_empty() {
        return Ok(());
    }
    with_answer_timeout(enqueue(sync.ledger.pool(), missing)).await?;
    sync.dirty.notify_one();
    sync.placeholder_due.notify_one();
    Ok(())
}

/// Queues `missing`, and has everything captured again that shows a picture whose attempt finished
/// meanwhile. Existing rows are locked, so a transaction that stores a result or deletes rows either
/// commits before this one, or finds what shows the picture.
async fn enqueue(ledger: &PgPool, missing: Vec<FileVersion>) -> Result<(), Error> {
    let (files, versions): (Vec<Uuid>, Vec<String>) = missing.into_iter().unzip();
    let mut transaction = ledger.begin().await?;
    let queued = sqlx::query!(
        r#"insert into ledger.placeholder as p (file, version)
           select * from unnest($1::uuid[], $2::text[]) as w(file, version) order by 1, 2
           on conflict (file, version) do update set attempts = p.attempts
           returning file, (webp is not null or unreadable is not null) as "tried!""#,
        &files,
        &versions,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let already_tried: Vec<Uuid> =
        queued.into_iter().filter(|row| row.tried).map(|row| row.file).collect();
    recapture_showing(&mut transaction, &already_tried).await?;
    transaction.commit().await?;
    Ok(())
}

/// Has everything captured again that shows one of `files`, once `transaction` commits.
async fn recapture_showing(transaction: &mut PgConnection, files: &[Uuid]) -> Result<(), Error> {
    if files.is_empty() {
        return Ok(());
    }
    let keys: Vec<String> = files.iter().map(ToString::to_string).collect();
    sqlx::query!(
        "with showing as (
            select collection, key from ledger.aggregate
            where (collection, key) in (
                select collection, key from ledger.part
                where part_collection = $1 and part_key = any($2))
            order by collection, key
            for update
         )
         update ledger.aggregate as a set dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0
         from showing where a.collection = showing.collection and a.key = showing.key",
        PartCollection::Files.name(),
        &keys,
    )
    .execute(transaction)
    .await?;
    Ok(())
}

/// Returns the names (`<file>/<version>`) of the unreadable pictures, which no page shows.
pub async fn unreadable(ledger: &PgPool) -> Result<HashSet<String>, Error> {
    let names = sqlx::query_scalar!(
        r#"select file || '/' || version as "name!" from ledger.placeholder
         where unreadable is not null"#,
    );
    Ok(with_answer_timeout(names.fetch_all(ledger)).await?.into_iter().collect())
}

/// Deletes the placeholders of files that nothing shows any more.
pub async fn prune(sync: &Sync) -> Result<(), Error> {
    with_answer_timeout(delete_unused(sync.ledger.pool())).await
}

async fn delete_unused(ledger: &PgPool) -> Result<(), Error> {
    let mut transaction = ledger.begin().await?;
    let (files, versions): (Vec<Uuid>, Vec<String>) = sqlx::query!(
        "select file, version from ledger.placeholder as p where not exists (
            select from ledger.part
            where part_collection = $1 and part_key = p.file::text)
         order by file, version
         for update",
        PartCollection::Files.name(),
    )
    .map(|row| (row.file, row.version))
    .fetch_all(&mut *transaction)
    .await?
    .into_iter()
    .unzip();
    // An aggregate may have started to show one of them before its row was locked.
    sqlx::query!(
        "delete from ledger.placeholder as p
         where (file, version) in (select * from unnest($2::uuid[], $3::text[]))
           and not exists (
            select from ledger.part
            where part_collection = $1 and part_key = p.file::text)",
        PartCollection::Files.name(),
        &files,
        &versions,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}
