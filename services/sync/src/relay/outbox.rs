//! The outbox: the entries that wait for the stream, and what became of them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Collection, Epoch, Event, LedgerId, RecordedChange, Sequence, Version,
};
use event_log::Stored;
use runtime::error_text;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, OffersByKey, ledger::offers_of};

/// The number of newly recorded entries in one round.
const MAX_FRESH: i64 = 128;
/// The number of entries in one round that fill a new stream. An entry that is recorded meanwhile waits
/// for no more than these.
const MAX_REFILL: i64 = 128;
/// The maximum number of entries in a round. A stream may be this far ahead of its ledger if a relay
/// ended between publishing and marking.
pub(super) const MAX_BATCH: u64 = (MAX_FRESH + MAX_REFILL) as u64;

/// Returns the collections that this build knows. Entries of other collections were recorded by a later
/// build, and wait for a relay of that build.
fn known_collections() -> Vec<String> {
    Collection::ALL.iter().map(ToString::to_string).collect()
}

/// An entry of the ledger that waits for the stream.
pub(super) struct Entry {
    pub id: i64,
    pub refill: bool,
    pub collection: String,
    pub key: String,
    pub traceparent: Option<String>,
    event_id: Uuid,
    version: i64,
    schema_version: i16,
    captured_at: DateTime<Utc>,
    change: String,
}

impl Entry {
    /// Converts it to an event, with the offers of its property from `offered`. The change stays as it
    /// was recorded, possibly by a later build.
    pub fn into_event(self, offered: &OffersByKey) -> Result<Event<RecordedChange>, Error> {
        let version = Version(self.version);
        let offers = offered.get(&self.key).map_or(&[][..], Vec::as_slice);
        let until_now = offers.iter().take_while(|offer| offer.version <= version);
        let collection: Collection = self.collection.parse()?;
        let is_property = collection == Collection::Properties;
        Ok(Event {
            id: self.event_id,
            schema_version: self.schema_version.cast_unsigned(),
            version,
            captured_at: self.captured_at,
            change: self.change.parse()?,
            offers: if is_property { until_now.cloned().collect() } else { Vec::new() },
            aggregate: AggregateId::new(collection, self.key),
        })
    }
}

/// Returns the waiting entries: first new ones, the oldest first, then those that fill a new stream, the
/// most recent first. Returns none while an operator has paused the relay.
pub(super) async fn waiting(connection: &mut PgConnection) -> Result<Vec<Entry>, Error> {
    let known = known_collections();
    Ok(sqlx::query_as!(
        Entry,
        r#"with waiting as (
            (select entry, refill from ledger.outbox
             where not refill and collection = any($3) order by entry limit $1)
            union all
            (select entry, refill from ledger.outbox
             where refill and collection = any($3) order by entry desc limit $2)
         )
         select id, refill as "refill!", collection, key, traceparent, event_id, version,
                schema_version, captured_at, change::text as "change!"
         from waiting join ledger.entry on id = entry
         where not exists (select from ledger.pause where step = 'relay')
         order by refill, case when refill then -id else id end"#,
        MAX_FRESH,
        MAX_REFILL,
        &known,
    )
    .fetch_all(connection)
    .await?)
}

/// Returns whether everything that is published is in the stream, as far as this build knows: each
/// collection was compared since the ledger got the identity `ledger`, what the ledger lacked was read,
/// and nothing waits to be published. Items that the ledger has in an older version are not waited for;
/// they arrive as ordinary changes. There are always some to be read again, where pictures get their
/// placeholders.
///
/// Collections that are `withheld` are not waited for, since the rest would not be shown for that long.
/// The properties are: the site exists for them, and portals delete what a feed lacks.
pub(super) async fn is_complete(
    connection: &mut PgConnection,
    ledger: LedgerId,
    withheld: &[Collection],
) -> Result<bool, Error> {
    let known = known_collections();
    let is_required = |collection: &Collection| {
        *collection == Collection::Properties || !withheld.contains(collection)
    };
    let required: Vec<String> =
        Collection::ALL.iter().filter(|it| is_required(it)).map(ToString::to_string).collect();
    let is_complete = sqlx::query_scalar!(
        r#"select not exists (select from ledger.outbox where collection = any($1))
            and not exists (
                select from unnest($2::text[]) as wanted(collection)
                where not exists (
                    select from ledger.compared as c
                    where c.collection = wanted.collection
                      and (c.ledger is null or c.ledger = $3)))
            and not exists (
                select from ledger.aggregate
                where dirty_gen > clean_gen and hash is null and collection = any($2))
            as "is_complete!""#,
        &known,
        &required,
        ledger.0,
    );
    Ok(is_complete.fetch_one(connection).await?)
}

/// Returns the offers of the properties among `entries`.
pub(super) async fn offered(
    connection: &mut PgConnection,
    entries: &[Entry],
) -> Result<OffersByKey, Error> {
    let keys: Vec<String> = entries
        .iter()
        .filter(|entry| entry.collection == Collection::Properties.name())
        .map(|entry| entry.key.clone())
        .collect();
    if keys.is_empty() {
        return Ok(OffersByKey::new());
    }
    offers_of(connection, &keys).await
}

/// Marks the entries `ids` as published at `sequences`, all of which are of `epoch`. A newer entry of
/// the same aggregate keeps waiting.
pub(super) async fn mark_published(
    connection: &mut PgConnection,
    epoch: Epoch,
    ids: &[i64],
    sequences: &[Sequence],
) -> Result<(), Error> {
    let positions: Vec<i64> = sequences.iter().map(|sequence| sequence.to_i64()).collect();
    let last = sequences.iter().map(|sequence| sequence.stream()).max().unwrap_or_default();
    sqlx::query!(
        "with marked as (
            update ledger.entry as e
            set sequence = t.sequence, published_at = coalesce(e.published_at, clock_timestamp())
            from unnest($1::bigint[], $2::bigint[]) as t(id, sequence) where e.id = t.id
         ), published as (
            delete from ledger.outbox where entry = any($1)
         )
         update ledger.epoch set last = greatest(last, $3) where epoch = $4",
        ids,
        &positions,
        last.cast_signed(),
        epoch.0.cast_signed(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets the entry `id` aside, which the log will never accept because of `error`. The entry before it is
/// queued instead, unless the stream, which was created in the epoch `born`, contains that one:
/// otherwise a reader that starts at the beginning of the stream would never learn of the aggregate.
pub(super) async fn refuse(
    connection: &mut PgConnection,
    born: Epoch,
    id: i64,
    error: &Error,
) -> Result<(), Error> {
    let reason = error_text(error);
    tracing::error!(entry = id, error = reason, "an entry can't be published and is set aside");
    sqlx::query!(
        "with aside as (
            delete from ledger.outbox where entry = $1 returning collection, key
         ), earlier as (
            select collection, key, e.id, e.sequence
            from aside join ledger.entry as e using (collection, key)
            where e.id < $1 and e.refused is null
            order by e.version desc limit 1
         ), instead as (
            insert into ledger.outbox (collection, key, entry, refill)
            select collection, key, id, true from earlier
            where sequence is null or sequence < $3
         )
         update ledger.entry set refused = $2 where id = $1",
        id,
        reason,
        Sequence::new(born, 0).to_i64(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks entries that are in the stream although no relay marked them. Returns false if the ledger lacks
/// one of them: then they were published from another ledger.
pub(super) async fn mark_stored(
    connection: &mut PgConnection,
    stored: &[Stored],
) -> Result<bool, Error> {
    let events: Vec<Uuid> = stored.iter().filter_map(|stored| stored.event).collect();
    let known =
        sqlx::query!("select event_id, id from ledger.entry where event_id = any($1)", &events)
            .fetch_all(&mut *connection)
            .await?;
    let known: HashMap<Uuid, i64> =
        known.into_iter().map(|entry| (entry.event_id, entry.id)).collect();
    if known.len() < events.len() {
        return Ok(false);
    }
    for stored in stored {
        let Some(id) = stored.event.and_then(|event| known.get(&event)) else { continue };
        let epoch = stored.sequence.epoch();
        mark_published(connection, epoch, &[*id], &[stored.sequence]).await?;
    }
    Ok(true)
}

/// Queues the newest entry of every aggregate again. It also replaces an older entry that still waits in
/// the place of a refused one.
pub(super) async fn refill(connection: &mut PgConnection) -> Result<(), Error> {
    // A later build may publish what an earlier one could not.
    sqlx::query!("update ledger.entry set refused = null where refused is not null")
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "insert into ledger.outbox as o (collection, key, entry, refill)
         select distinct on (collection, key) collection, key, id, true
         from ledger.entry order by collection, key, version desc
         on conflict (collection, key) do update set entry = excluded.entry
             where o.entry < excluded.entry",
    )
    .execute(connection)
    .await?;
    Ok(())
}
