//! One transaction: rows, versions, feed and position.

use std::collections::{BTreeMap, HashMap};

use contracts::{
    AggregateId, Change, Checkpoint, Collection, Event, Sequence, Version, content::Picture,
};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, PgPool, Postgres, Row as _, Transaction};

use crate::{
    error::Error,
    generation::Generation,
    models::{ReadModel, Row, offer},
    touch::Shown,
};

/// How many changes the feed keeps.
const FEED_LENGTH: i64 = 10_000;
/// How often the feed is cut, in positions: it may be longer by so many.
const FEED_CUT_EVERY: u64 = 500;

/// A readable message of the log.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its position.
    pub sequence: Sequence,
    /// What it says.
    pub event: Event,
    /// The trace that its effect belongs to.
    pub traceparent: Option<String>,
}

/// What applying messages did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Their effect is committed. So many of them changed something.
    Changed(usize),
    /// Nothing: the generation does not stand where the caller took it to stand. Another process
    /// went on with it, or it is gone; look again.
    Elsewhere,
}

/// What is known of an aggregate.
#[derive(Clone, Debug, Default)]
struct Known {
    version: Option<Version>,
    shown: Shown,
}

/// What a batch comes to.
#[derive(Default)]
struct Outcome {
    /// The rows of each changed aggregate; none for one that is gone.
    rows: HashMap<AggregateId, Vec<Row>>,
    /// The pictures that each changed aggregate shows.
    pictures: HashMap<AggregateId, Vec<String>>,
    known: HashMap<AggregateId, Known>,
    /// The history that the messages add to, whatever is known already: each version once, however
    /// often the log repeats it.
    offers: BTreeMap<(String, Version), Map<String, Value>>,
    changes: Vec<Value>,
}

/// Applies `messages`, which come in order, to `generation`, which stands at `from`, and moves it
/// on to `to`: all of it or nothing.
///
/// A message that is not newer than what the tables show of its aggregate changes nothing.
pub async fn apply(
    pool: &PgPool,
    generation: &Generation,
    from: Sequence,
    to: Checkpoint,
    messages: &[Message],
) -> Result<Applied, Error> {
    let mut transaction = pool.begin().await?;
    let known = lock(&mut transaction, generation, messages).await?;
    let Some((position, known)) = known else { return Ok(Applied::Elsewhere) };
    if position != from {
        return Ok(Applied::Elsewhere);
    }
    let outcome = fold(known, messages);
    let changed = outcome.changes.len();
    write(&mut transaction, generation, outcome, Some(to)).await?;
    transaction.commit().await?;
    Ok(Applied::Changed(changed))
}

/// Applies `message` out of its turn, and has caches drop what they hold. Says whether it changed
/// anything: it does not where the tables show the same or a newer version.
pub(crate) async fn apply_late(
    transaction: &mut Transaction<'_, Postgres>,
    generation: &Generation,
    message: &Message,
) -> Result<bool, Error> {
    // A statement that waits for the lock reads versions as they were before it waited; so the lock
    // is had first, and then looked.
    sqlx::query("select from read.checkpoint where generation = $1 for update")
        .bind(generation.number)
        .execute(&mut **transaction)
        .await?;
    let messages = std::slice::from_ref(message);
    let Some((_, known)) = lock(transaction, generation, messages).await? else {
        return Ok(false);
    };
    let mut outcome = fold(known, messages);
    let changed = !outcome.changes.is_empty();
    // The feed is past this position; a new revision tells its readers instead.
    outcome.changes.clear();
    write(transaction, generation, outcome, None).await?;
    sqlx::query("update read.checkpoint set revision = revision + 1 where generation = $1")
        .bind(generation.number)
        .execute(&mut **transaction)
        .await?;
    Ok(changed)
}

/// Locks the generation's checkpoint, and reads where it stands and what it knows of the messages'
/// aggregates. None where there is no such generation any more.
async fn lock(
    transaction: &mut Transaction<'_, Postgres>,
    generation: &Generation,
    messages: &[Message],
) -> Result<Option<(Sequence, HashMap<AggregateId, Known>)>, Error> {
    let (collections, keys): (Vec<&str>, Vec<&str>) = messages
        .iter()
        .map(|message| &message.event.aggregate)
        .map(|id| (id.collection.name(), id.key.as_str()))
        .unzip();
    let sql = format!(
        "select c.sequence, a.collection, a.key, a.version, a.tags, a.counted_in
         from read.checkpoint c
         left join {}.aggregate a
             on (a.collection, a.key) in (select * from unnest($2::text[], $3::text[]))
         where c.generation = $1 and c.live = $4
         for update of c",
        generation.schema()
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(generation.number)
        .bind(collections)
        .bind(keys)
        .bind(generation.live)
        .fetch_all(&mut **transaction)
        .await?;
    let mut position = None;
    let mut known = HashMap::new();
    for row in rows {
        position = Some(Sequence::from_i64(row.try_get(0)?));
        let Some(collection) = row.try_get::<Option<&str>, _>(1)? else { continue };
        let collection: Collection =
            collection.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        let shown = Shown { tags: row.try_get(4)?, counted_in: row.try_get(5)? };
        known.insert(
            AggregateId::new(collection, row.try_get::<String, _>(2)?),
            Known { version: Some(Version(row.try_get(3)?)), shown },
        );
    }
    Ok(position.map(|position| (position, known)))
}

/// What `messages` come to, in order, for aggregates of which so much is `known`.
fn fold(known: HashMap<AggregateId, Known>, messages: &[Message]) -> Outcome {
    let mut outcome = Outcome { known, ..Outcome::default() };
    for Message { sequence, event, traceparent } in messages {
        let id = &event.aggregate;
        for offer in &event.offers {
            let row = offer::row(&id.key, offer);
            outcome.offers.insert((id.key.clone(), offer.version), row);
        }
        let before = outcome.known.get(id).cloned().unwrap_or_default();
        if before.version >= Some(event.version) {
            continue;
        }
        let (rows, shown, pictures) = match &event.change {
            Change::Upserted { snapshot } => (
                ReadModel::rows(id, event.version, event.captured_at, snapshot),
                Shown::of(snapshot),
                snapshot.pictures().map(Picture::name).collect(),
            ),
            Change::Removed => (Vec::new(), Shown::default(), Vec::new()),
        };
        outcome.changes.push(json!({
            "sequence": sequence,
            "tags": before.shown.touched_by(&shown),
            "traceparent": traceparent,
        }));
        outcome.rows.insert(id.clone(), rows);
        outcome.pictures.insert(id.clone(), pictures);
        outcome.known.insert(id.clone(), Known { version: Some(event.version), shown });
    }
    outcome
}

async fn write(
    transaction: &mut Transaction<'_, Postgres>,
    generation: &Generation,
    outcome: Outcome,
    to: Option<Checkpoint>,
) -> Result<(), Error> {
    let schema = generation.schema();
    let aggregates: Vec<Value> = outcome
        .rows
        .iter()
        .map(|(id, rows)| {
            let known = outcome.known.get(id).cloned().unwrap_or_default();
            json!({
                "collection": id.collection,
                "key": id.key,
                "version": known.version,
                "removed": rows.is_empty(),
                "tags": known.shown.tags,
                "counted_in": known.shown.counted_in,
                "pictures": outcome.pictures.get(id).map_or(&[][..], Vec::as_slice),
            })
        })
        .collect();
    for model in ReadModel::ALL {
        let of_model = outcome.rows.iter().filter(|(id, _)| ReadModel::of(id.collection) == model);
        let (mut upserts, mut deletes) = (Vec::new(), Vec::new());
        for (id, rows) in of_model {
            if rows.is_empty() {
                deletes.push(id.key.as_str());
            }
            upserts.extend(rows.iter().map(|row| &row.columns));
        }
        if !upserts.is_empty() {
            sqlx::query(AssertSqlSafe(model.table().upsert(&schema)))
                .bind(sqlx::types::Json(upserts))
                .execute(&mut **transaction)
                .await?;
        }
        if !deletes.is_empty() {
            sqlx::query(AssertSqlSafe(model.table().delete(&schema)))
                .bind(deletes)
                .execute(&mut **transaction)
                .await?;
        }
    }
    if !outcome.offers.is_empty() {
        sqlx::query(AssertSqlSafe(offer::TABLE.upsert(&schema)))
            .bind(sqlx::types::Json(outcome.offers.into_values().collect::<Vec<_>>()))
            .execute(&mut **transaction)
            .await?;
    }
    let changes = if generation.live { outcome.changes } else { Vec::new() };
    finish(transaction, generation, &aggregates, &changes, to).await
}

/// Versions, feed and position in one statement: one round trip less to wait for.
async fn finish(
    transaction: &mut Transaction<'_, Postgres>,
    generation: &Generation,
    aggregates: &[Value],
    changes: &[Value],
    to: Option<Checkpoint>,
) -> Result<(), Error> {
    let schema = generation.schema();
    let sql = format!(
        "with versions as (
             insert into {schema}.aggregate
             select * from jsonb_populate_recordset(null::{schema}.aggregate, $2)
             on conflict (collection, key) do update
                 set version = excluded.version, removed = excluded.removed,
                     tags = excluded.tags, counted_in = excluded.counted_in,
                     pictures = excluded.pictures
         ), healed as (
             delete from read.dead_letter d
             using jsonb_populate_recordset(null::{schema}.aggregate, $2) a
             where d.generation = $1 and d.subject = 'content.' || a.collection || '.' || a.key
         ), feed as (
             insert into read.change (sequence, tags, traceparent)
             select sequence, tags, traceparent
             from jsonb_to_recordset($3) as c(sequence bigint, tags text[], traceparent text)
             on conflict do nothing
         )
         update read.checkpoint set
             sequence = coalesce($4, sequence), ledger = coalesce($5, ledger), updated_at = now()
         where generation = $1"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(generation.number)
        .bind(sqlx::types::Json(aggregates))
        .bind(sqlx::types::Json(changes))
        .bind(to.map(|to| to.sequence.to_i64()))
        .bind(to.and_then(|to| to.ledger).map(|ledger| ledger.0))
        .execute(&mut **transaction)
        .await?;
    let crosses = |to: Checkpoint| to.sequence.stream() % FEED_CUT_EVERY < changes.len() as u64;
    if to.is_some_and(crosses) {
        sqlx::query(
            "with cut as (
                 select sequence from read.change order by sequence desc offset $1 limit 1
             ), gone as (
                 delete from read.change where sequence <= (select sequence from cut)
             )
             update read.change_cut set sequence = cut.sequence from cut",
        )
        .bind(FEED_LENGTH)
        .execute(&mut **transaction)
        .await?;
    }
    Ok(())
}
