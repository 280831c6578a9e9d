//! Applies messages in one transaction: rows, versions, change feed and position.

use std::collections::{BTreeMap, HashMap};

use contracts::{
    AggregateId, Change, Checkpoint, Collection, Event, Sequence, Version, content::Picture,
};
use read_models::OfferRow;
use serde::Serialize;
use sqlx::{PgConnection, PgPool, query, types::Json};

use crate::{
    error::Error,
    generation::Generation,
    models::{ReadModel, Row, offer},
    shown_in::ShownIn,
    tables::add_offers,
};

/// How many changes the feed retains.
const FEED_LENGTH: i64 = 10_000;
/// How often the feed is cut, in positions. It may exceed [`FEED_LENGTH`] by that many.
const FEED_CUT_EVERY: u64 = 500;

/// A parsed message of the log.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    /// Its position.
    pub sequence: Sequence,
    /// Its event.
    pub event: &'a Event,
    /// The trace that its change belongs to.
    pub traceparent: Option<String>,
}

/// The result of applying messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Their effect, if any, is committed.
    Done,
    /// Nothing was applied: the generation is not at the position that the caller expected. Another
    /// process advanced it, it was dropped, or an operator paused it. The caller has to read its state
    /// again.
    Conflict,
}

/// The stored state of an aggregate.
#[derive(Clone, Debug, Default)]
struct AggregateState {
    version: Option<Version>,
    shown_in: ShownIn,
}

/// A row of the generation's table `aggregate`.
#[derive(Serialize)]
struct AggregateRow<'a> {
    collection: Collection,
    key: &'a str,
    version: Option<Version>,
    removed: bool,
    tags: &'a [String],
    counted_in: Option<&'a str>,
    pictures: &'a [String],
}

/// A row of `read.change`.
#[derive(Serialize)]
struct ChangeRow {
    sequence: Sequence,
    tags: Vec<String>,
    traceparent: Option<String>,
}

/// The result of a batch for one aggregate that it changes.
struct Outcome {
    /// Whether the database had the aggregate before, so that there may be rows to replace.
    was_known: bool,
    /// Its rows; empty if it was removed.
    rows: Vec<Row>,
    /// The pictures that it shows.
    pictures: Vec<String>,
}

/// The combined result of a batch of messages.
#[derive(Default)]
struct Batch {
    outcomes: HashMap<AggregateId, Outcome>,
    known: HashMap<AggregateId, AggregateState>,
    /// The offers for the price history. They are collected from every message, also from outdated ones,
    /// and each version is stored once, however often the log repeats it.
    offers: BTreeMap<(String, Version), OfferRow>,
    changes: Vec<ChangeRow>,
}

/// Applies `messages`, which are in order, to `generation` at position `from`, and advances it to `to`,
/// atomically.
///
/// A message that is not newer than the tables' version of its aggregate changes no rows.
pub async fn apply(
    pool: &PgPool,
    generation: &Generation,
    from: Sequence,
    to: Checkpoint,
    messages: &[Message<'_>],
) -> Result<Applied, Error> {
    let mut transaction = generation.begin(pool).await?;
    let locked = lock(&mut transaction, generation, messages).await?;
    let Some(Locked { position, is_paused, known }) = locked else {
        return Ok(Applied::Conflict);
    };
    if position != from || is_paused {
        return Ok(Applied::Conflict);
    }
    let batch = fold(known, messages);
    write(&mut transaction, generation, batch, Some(to)).await?;
    runtime::failpoint("projections.commit").map_err(sqlx::Error::from)?;
    transaction.commit().await?;
    runtime::failpoint("projections.committed").map_err(sqlx::Error::from)?;
    Ok(Applied::Done)
}

/// Applies `message` independently of the generation's position, in a transaction that `generation`
/// began, and makes caches drop everything. It changes no rows if the tables have the same or a newer
/// version.
///
/// # Errors
/// [`Error::Paused`] while an operator has paused following, and [`Error::Gone`] if another generation
/// is live by now.
pub(crate) async fn apply_out_of_order(
    transaction: &mut PgConnection,
    generation: &Generation,
    message: &Message<'_>,
) -> Result<(), Error> {
    let messages = std::slice::from_ref(message);
    let locked = lock(transaction, generation, messages).await?;
    let Locked { is_paused, known, .. } = locked.ok_or(Error::Gone)?;
    if is_paused {
        return Err(Error::Paused);
    }
    let mut batch = fold(known, messages);
    // The feed is past this position, so its readers are notified by a new revision instead.
    batch.changes.clear();
    write(transaction, generation, batch, None).await?;
    query!(
        "update read.checkpoint set revision = revision + 1 where generation = $1",
        generation.number
    )
    .execute(transaction)
    .await?;
    Ok(())
}

/// A generation whose checkpoint is locked.
struct Locked {
    position: Sequence,
    /// Whether an operator paused following.
    is_paused: bool,
    /// The stored states of the messages' aggregates.
    known: HashMap<AggregateId, AggregateState>,
}

/// Locks the generation's checkpoint, and reads its position and the states of the messages' aggregates.
/// Returns `None` if the generation no longer exists.
async fn lock(
    transaction: &mut PgConnection,
    generation: &Generation,
    messages: &[Message<'_>],
) -> Result<Option<Locked>, Error> {
    // A statement that waits for a lock sees other rows as they were before it waited. So a statement of
    // its own takes the lock, and the next one reads the versions.
    let checkpoint = query!(
        "select sequence, paused_since from read.checkpoint where generation = $1 and live = $2
         for update",
        generation.number,
        generation.live,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(checkpoint) = checkpoint else { return Ok(None) };
    let (collections, keys): (Vec<&str>, Vec<&str>) = messages
        .iter()
        .map(|message| &message.event.aggregate)
        .map(|id| (id.collection.name(), id.key.as_str()))
        .unzip();
    let rows = query!(
        "select collection, key, version, tags, counted_in from aggregate
         where (collection, key) in (select * from unnest($1::text[], $2::text[]))",
        collections as Vec<&str>,
        keys as Vec<&str>,
    )
    .fetch_all(transaction)
    .await?;
    let mut known = HashMap::new();
    for row in rows {
        let collection: Collection =
            row.collection.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        let shown_in = ShownIn { tags: row.tags, counted_in: row.counted_in };
        let version = Some(Version(row.version));
        known.insert(AggregateId::new(collection, row.key), AggregateState { version, shown_in });
    }
    Ok(Some(Locked {
        position: Sequence::from_i64(checkpoint.sequence),
        is_paused: checkpoint.paused_since.is_some(),
        known,
    }))
}

/// Combines `messages`, in order, with the `known` states of their aggregates.
fn fold(known: HashMap<AggregateId, AggregateState>, messages: &[Message<'_>]) -> Batch {
    let mut batch = Batch { known, ..Batch::default() };
    for Message { sequence, event, traceparent } in messages {
        let id = &event.aggregate;
        for each in &event.offers {
            batch.offers.insert((id.key.clone(), each.version), offer(&id.key, each));
        }
        let before = batch.known.get(id).cloned().unwrap_or_default();
        if before.version >= Some(event.version) {
            continue;
        }
        let (rows, shown_in, pictures) = match &event.change {
            Change::Upserted { snapshot } => (
                ReadModel::rows(id, event.version, event.captured_at, snapshot, &event.offers),
                ShownIn::of(snapshot),
                snapshot.pictures().map(Picture::name).collect(),
            ),
            Change::Removed => (Vec::new(), ShownIn::default(), Vec::new()),
        };
        batch.changes.push(ChangeRow {
            sequence: *sequence,
            tags: before.shown_in.tags_of_change(&shown_in),
            traceparent: traceparent.clone(),
        });
        // Whether the database had it, not an earlier message of this batch.
        let was_known =
            batch.outcomes.get(id).map_or(before.version.is_some(), |outcome| outcome.was_known);
        batch.outcomes.insert(id.clone(), Outcome { was_known, rows, pictures });
        batch.known.insert(id.clone(), AggregateState { version: Some(event.version), shown_in });
    }
    batch
}

async fn write(
    transaction: &mut PgConnection,
    generation: &Generation,
    batch: Batch,
    to: Option<Checkpoint>,
) -> Result<(), Error> {
    for &model in ReadModel::ALL {
        let of_model =
            || batch.outcomes.iter().filter(|(id, _)| ReadModel::of(id.collection) == model);
        let known = of_model().filter(|(_, outcome)| outcome.was_known);
        let replaced: Vec<&str> = known.map(|(id, _)| id.key.as_str()).collect();
        let rows: Vec<&Row> = of_model().flat_map(|(_, outcome)| &outcome.rows).collect();
        model.replace(transaction, &replaced, &rows).await?;
    }
    add_offers(transaction, &batch.offers.into_values().collect::<Vec<_>>()).await?;
    let aggregates: Vec<AggregateRow<'_>> = batch
        .outcomes
        .iter()
        .map(|(id, outcome)| {
            let known = batch.known.get(id);
            AggregateRow {
                collection: id.collection,
                key: &id.key,
                version: known.and_then(|known| known.version),
                removed: outcome.rows.is_empty(),
                tags: known.map_or(&[], |known| &known.shown_in.tags),
                counted_in: known.and_then(|known| known.shown_in.counted_in.as_deref()),
                pictures: &outcome.pictures,
            }
        })
        .collect();
    let changes = if generation.live { batch.changes } else { Vec::new() };
    write_versions_and_position(transaction, generation, &aggregates, &changes, to).await
}

/// Writes versions, feed and position in one statement, to save round trips. Deletes dead letters that
/// the new versions supersede.
async fn write_versions_and_position(
    transaction: &mut PgConnection,
    generation: &Generation,
    aggregates: &[AggregateRow<'_>],
    changes: &[ChangeRow],
    to: Option<Checkpoint>,
) -> Result<(), Error> {
    query!(
        "with versions as (
             insert into aggregate
             select * from jsonb_populate_recordset(null::aggregate, $2)
             on conflict (collection, key) do update
                 set version = excluded.version, removed = excluded.removed,
                     tags = excluded.tags, counted_in = excluded.counted_in,
                     pictures = excluded.pictures
         ), healed as (
             delete from read.dead_letter d
             using jsonb_populate_recordset(null::aggregate, $2) a
             where d.generation = $1 and d.subject = 'content.' || a.collection || '.' || a.key
                 and (d.version is null or d.version <= a.version)
         ), feed as (
             insert into read.change (sequence, tags, traceparent, at)
             select sequence, tags, traceparent, clock_timestamp()
             from jsonb_to_recordset($3) as c(sequence bigint, tags text[], traceparent text)
             on conflict do nothing
         )
         update read.checkpoint set
             sequence = coalesce($4, sequence), ledger = coalesce($5, ledger), updated_at = now()
         where generation = $1",
        generation.number,
        Json(aggregates) as _,
        Json(changes) as _,
        to.map(|to| to.sequence.to_i64()),
        to.and_then(|to| to.ledger).map(|ledger| ledger.0),
    )
    .execute(&mut *transaction)
    .await?;
    let crosses = |to: Checkpoint| to.sequence.stream() % FEED_CUT_EVERY < changes.len() as u64;
    if to.is_some_and(crosses) {
        query!(
            "with cut as (
                 select sequence from read.change order by sequence desc offset $1 limit 1
             ), gone as (
                 delete from read.change where sequence <= (select sequence from cut)
             )
             update read.change_cut set sequence = cut.sequence from cut",
            FEED_LENGTH,
        )
        .execute(transaction)
        .await?;
    }
    Ok(())
}
