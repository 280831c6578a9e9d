//! Placeholders: the table is also the queue of those to be made.

use std::collections::{HashMap, HashSet};

use base64::{Engine, engine::general_purpose::STANDARD};
use contracts::{PartCollection, PictureFault};
use runtime::postgres::with_answer_timeout;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::Ledger;
use crate::Error;

/// A file at one of its versions.
pub type FileVersion = (Uuid, String);

/// A result that is stored for a picture.
#[derive(Debug)]
pub enum StoredPlaceholder {
    /// A WebP in base64.
    Placeholder(String),
    /// No picture can be made of it.
    Unreadable(PictureFault),
}

/// The results of several attempts, a list per column.
#[derive(Debug, Default)]
pub struct MadePlaceholders {
    pub files: Vec<Uuid>,
    pub versions: Vec<String>,
    pub webps: Vec<Option<Vec<u8>>>,
    pub faults: Vec<Option<String>>,
}

impl Ledger {
    /// Returns the results for `files` at `versions`, as far as there are any.
    pub(crate) async fn tried_placeholders(
        &self,
        files: &[Uuid],
        versions: &[String],
    ) -> Result<HashMap<FileVersion, StoredPlaceholder>, Error> {
        let tried = sqlx::query!(
            "select file, version, webp, unreadable from ledger.placeholder
         where (file, version) in (select * from unnest($1::uuid[], $2::text[]))
           and (webp is not null or unreadable is not null)",
            files,
            versions,
        );
        let tried = with_answer_timeout(tried.fetch_all(&self.pool)).await?;
        Ok(tried
            .into_iter()
            .map(|tried| {
                let known = match tried.webp {
                    Some(webp) => StoredPlaceholder::Placeholder(STANDARD.encode(webp)),
                    None => StoredPlaceholder::Unreadable(fault(tried.unreadable.as_deref())),
                };
                ((tried.file, tried.version), known)
            })
            .collect())
    }

    /// Queues `missing`, and has everything captured again that shows a picture whose attempt finished
    /// meanwhile.
    pub(crate) async fn queue_placeholders(&self, missing: Vec<FileVersion>) -> Result<(), Error> {
        with_answer_timeout(enqueue(&self.pool, missing)).await
    }

    /// Claims at most `limit` pictures that are due, each with the number of its attempts, and postpones
    /// their next attempt: in case this one fails, and so that no other process claims them now. The
    /// pause grows up to a day, or to an hour for files without bytes, which take nothing to ask for.
    pub(crate) async fn claim_placeholders(
        &self,
        limit: i64,
    ) -> Result<Vec<(FileVersion, i32)>, Error> {
        let due = sqlx::query!(
            "with due as (
            select file, version from ledger.placeholder
            where webp is null and due_at <= now()
            order by due_at limit $1
            for update skip locked
         )
         update ledger.placeholder as p set
            attempts = p.attempts + 1,
            due_at = now() + least(case p.unreadable when $2 then interval '1 hour'
                                                     else interval '1 day' end,
                                   interval '30 seconds' * power(4, least(p.attempts, 10)))
         from due where p.file = due.file and p.version = due.version
         returning p.file, p.version, p.attempts",
            limit,
            PictureFault::Missing.name(),
        )
        .map(|due| ((due.file, due.version), due.attempts));
        Ok(with_answer_timeout(due.fetch_all(&self.pool)).await?)
    }

    /// Stores what was `made`, and has everything captured again that shows the pictures.
    pub(crate) async fn store_placeholders(&self, made: &MadePlaceholders) -> Result<(), Error> {
        with_answer_timeout(store(&self.pool, made)).await
    }

    /// Returns the names (`<file>/<version>`) of the unreadable pictures, which no page shows.
    pub async fn unreadable_pictures(&self) -> Result<HashSet<String>, Error> {
        let names = sqlx::query_scalar!(
            r#"select file || '/' || version as "name!" from ledger.placeholder
         where unreadable is not null"#,
        );
        Ok(with_answer_timeout(names.fetch_all(&self.pool)).await?.into_iter().collect())
    }

    /// Deletes the placeholders of files that nothing shows any more.
    pub(crate) async fn prune_placeholders(&self) -> Result<(), Error> {
        with_answer_timeout(delete_unused(&self.pool)).await
    }
}

/// Returns the fault called `name`. Earlier builds stored a description instead; most of those files
/// were broken, and the next attempt determines the fault.
fn fault(name: Option<&str>) -> PictureFault {
    name.and_then(|name| name.parse().ok()).unwrap_or(PictureFault::Broken)
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

/// Existing rows are locked, so a transaction that stores a result or deletes rows either commits before
/// this one, or finds what shows the picture.
async fn enqueue(pool: &PgPool, missing: Vec<FileVersion>) -> Result<(), Error> {
    let (files, versions): (Vec<Uuid>, Vec<String>) = missing.into_iter().unzip();
    let mut transaction = pool.begin().await?;
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

/// In one transaction: otherwise a placeholder could be made and never be shown.
async fn store(pool: &PgPool, made: &MadePlaceholders) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    sqlx::query!(
        "with made as (
            select m.* from ledger.placeholder as p
            join unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[])
                as m(file, version, webp, unreadable) using (file, version)
            order by p.file, p.version
            for update of p
         )
         update ledger.placeholder as p set webp = made.webp, unreadable = made.unreadable
         from made where p.file = made.file and p.version = made.version",
        &made.files,
        &made.versions,
        &made.webps as &[Option<Vec<u8>>],
        &made.faults as &[Option<String>],
    )
    .execute(&mut *transaction)
    .await?;
    recapture_showing(&mut transaction, &made.files).await?;
    transaction.commit().await?;
    Ok(())
}

async fn delete_unused(pool: &PgPool) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
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
