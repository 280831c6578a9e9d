//! Placeholders: of each picture a few bytes that a page shows until the picture is there.
//!
//! They are made behind the capture, never on its way: a picture is published at once without one,
//! and when it is made, what shows the picture becomes a version with it. A picture that turns out to
//! be none that can be made is taken off what shows it in the same way. The table is the queue
//! too, and what it holds for a version of a file stays as it is, so that a snapshot's hash changes
//! once for each new picture and then no more.

mod make;

use std::collections::{HashMap, HashSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use contracts::{
    PartCollection, PictureFault,
    content::{Picture, Snapshot},
};
use runtime::postgres::answered;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{Error, Sync};

pub use make::run;

/// A file as it is at one version.
type File = (Uuid, String);

/// What filling snapshots found.
#[must_use = "what is not wanted is not made"]
#[derive(Debug, Default)]
pub struct Filled {
    /// The pictures that have no placeholder yet.
    pub unmade: Vec<File>,
    /// What is wrong with the files that no picture can be made of, by id.
    pub unreadable: HashMap<Uuid, PictureFault>,
}

/// What is known of a picture.
enum Known {
    Placeholder(String),
    /// No picture can be made of it.
    Unreadable(PictureFault),
}

/// Puts the placeholders that are made into `snapshots`, and takes the pictures out of them that
/// can't be made.
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
    let tried = answered(tried.fetch_all(sync.ledger.pool())).await?;
    let known: HashMap<File, Known> = tried
        .into_iter()
        .map(|tried| {
            let known = match tried.webp {
                Some(webp) => Known::Placeholder(STANDARD.encode(webp)),
                None => Known::Unreadable(fault(tried.unreadable.as_deref())),
            };
            ((tried.file, tried.version), known)
        })
        .collect();
    let file_of = |picture: &Picture| (picture.file, picture.version.clone());
    let (mut unmade, mut unreadable) = (Vec::new(), HashMap::new());
    for snapshot in snapshots {
        for picture in snapshot.pictures() {
            if let Some(Known::Unreadable(fault)) = known.get(&file_of(picture)) {
                unreadable.insert(picture.file, *fault);
            }
        }
        snapshot.retain_pictures(|picture| {
            !matches!(known.get(&file_of(picture)), Some(Known::Unreadable(_)))
        });
        for picture in snapshot.pictures_mut() {
            match known.get(&file_of(picture)) {
                Some(Known::Placeholder(webp)) => picture.placeholder = Some(webp.clone()),
                _ => unmade.push(file_of(picture)),
            }
        }
    }
    unmade.sort_unstable();
    unmade.dedup();
    Ok(Filled { unmade, unreadable })
}

/// The fault called `name`. Builds before this one kept words in its place, and most of those files were
/// broken; what it is turns out with the next try.
fn fault(name: Option<&str>) -> PictureFault {
    name.and_then(|name| name.parse().ok()).unwrap_or(PictureFault::Broken)
}

/// Has placeholders made for what has none. To be called when the snapshots stand in the ledger:
/// whichever was made in between is put into what shows its picture by another capture.
pub async fn want(sync: &Sync, unmade: Vec<File>) -> Result<(), Error> {
    if unmade.is_empty() {
        return Ok(());
    }
    answered(note(sync.ledger.pool(), unmade)).await?;
    sync.dirty.notify_one();
    sync.unmade.notify_one();
    Ok(())
}

/// Notes what is `unmade`, and has captured again what shows a picture that was tried meanwhile. Rows that are
/// there are locked: whoever keeps what came of a try, or forgets them, comes before this or finds what shows them.
async fn note(ledger: &PgPool, unmade: Vec<File>) -> Result<(), Error> {
    let (files, versions): (Vec<Uuid>, Vec<String>) = unmade.into_iter().unzip();
    let mut transaction = ledger.begin().await?;
    let noted = sqlx::query!(
        r#"insert into ledger.placeholder as p (file, version)
           select * from unnest($1::uuid[], $2::text[]) as w(file, version) order by 1, 2
           on conflict (file, version) do update set attempts = p.attempts
           returning file, (webp is not null or unreadable is not null) as "tried!""#,
        &files,
        &versions,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let meanwhile: Vec<Uuid> =
        noted.into_iter().filter(|noted| noted.tried).map(|noted| noted.file).collect();
    show(&mut transaction, &meanwhile).await?;
    transaction.commit().await?;
    Ok(())
}

/// Has everything captured again that shows one of `files`, once `transaction` ends.
async fn show(transaction: &mut PgConnection, files: &[Uuid]) -> Result<(), Error> {
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

/// The names (`<file>/<version>`) of the pictures that can't be made and so stand on no page.
pub async fn unreadable(ledger: &PgPool) -> Result<HashSet<String>, Error> {
    let names = sqlx::query_scalar!(
        r#"select file || '/' || version as "name!" from ledger.placeholder
         where unreadable is not null"#,
    );
    Ok(names.fetch_all(ledger).await?.into_iter().collect())
}

/// Forgets the placeholders of files that nothing shows any more.
pub async fn prune(sync: &Sync) -> Result<(), Error> {
    answered(forget(sync.ledger.pool())).await
}

async fn forget(ledger: &PgPool) -> Result<(), Error> {
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
    // Another may have come to show one of them before its row was locked.
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
