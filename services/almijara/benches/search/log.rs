//! Reads the content log, and publishes listings to it as sync's relay does.

use anyhow::{Context, Result};
use chrono::Utc;
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Epoch, Event, Offer, SCHEMA_VERSION, Sequence,
    Version,
    content::{Location, Property, Snapshot},
};
use event_log::{EventLog, Outgoing, Publisher};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::{catalogue::Listing, stack::Stack};

const BATCH: usize = 256;
const WAIT: std::time::Duration = std::time::Duration::from_secs(1);

/// The log of a stack and the ledger that it is filled from, with write access to both.
pub struct Log {
    ledger: PgPool,
    events: EventLog,
    publisher: Publisher,
    epoch: Epoch,
}

/// The published homes and places, with their keys.
#[derive(Default)]
pub struct Published {
    pub homes: Vec<(String, Property)>,
    pub places: Vec<(String, Location)>,
}

impl Log {
    pub async fn of(stack: &Stack) -> Result<Self> {
        let mut environment = stack.operator_environment()?;
        let url = environment.remove("SYNC_NATS_URL").context("the log has an address")?;
        let events = EventLog::connect(&url.into(), "bench").await?;
        let publisher = events.publisher();
        let address =
            environment.remove("SYNC_DATABASE_URL").context("the ledger has an address")?;
        let ledger = PgPool::connect(&address).await?;
        let state = publisher.stream_state().await?.context("there is a log")?;
        let epoch = state.lineage.context("the log is ours")?.epoch;
        Ok(Self { ledger, events, publisher, epoch })
    }

    /// Reads the current homes and places from the log.
    pub async fn published(&self) -> Result<Published> {
        let mut reader = self.events.reader(Checkpoint::START);
        let mut latest = std::collections::BTreeMap::new();
        loop {
            let batch = reader.next_batch(BATCH, WAIT).await?;
            if batch.is_empty() {
                break;
            }
            for event in batch.into_iter().filter_map(|delivered| delivered.event.ok()) {
                latest.insert(event.aggregate.to_string(), event);
            }
        }
        let mut published = Published::default();
        for Event { aggregate, change, .. } in latest.into_values() {
            if let Change::Upserted { snapshot } = change {
                match *snapshot {
                    Snapshot::Properties(home) => published.homes.push((aggregate.key, home)),
                    Snapshot::Locations(place) => published.places.push((aggregate.key, place)),
                    _ => {}
                }
            }
        }
        Ok(published)
    }

    /// Records `listings` in the ledger as `version`, as capture does. Waits until the relay has
    /// published them, and returns the position of the last one.
    pub async fn publish(&self, listings: &[Listing], version: i64) -> Result<Sequence> {
        for listings in listings.chunks(BATCH) {
            let events: Vec<Event> = listings.iter().map(|l| event(l, version)).collect();
            self.record(&events, true).await?;
        }
        loop {
            let end: Option<i64> = sqlx::query_scalar(
                "select max(sequence) from ledger.entry
                 having not exists (select from ledger.outbox)",
            )
            .fetch_optional(&self.ledger)
            .await?;
            match end {
                Some(end) => return Ok(Sequence::from_i64(end)),
                None => tokio::time::sleep(WAIT / 10).await,
            }
        }
    }

    /// Publishes a listing without the relay, which must be stopped.
    pub async fn publish_one(&self, listing: &Listing, version: i64) -> Result<()> {
        let event = event(listing, version);
        self.record(std::slice::from_ref(&event), false).await?;
        let events = [Outgoing { event: event.recorded()?, traceparent: None }];
        let state = self.publisher.stream_state().await?.context("there is a log")?;
        let published = self.publisher.publish(self.epoch, state.last, &events).await;
        published.failure.map_or(Ok(()), |error| Err(error.into()))
    }

    async fn record(&self, events: &[Event], is_for_relay: bool) -> Result<()> {
        let ids: Vec<Uuid> = events.iter().map(|event| event.id).collect();
        let keys: Vec<&str> = events.iter().map(|event| event.aggregate.key.as_str()).collect();
        let versions: Vec<i64> = events.iter().map(|event| event.version.0).collect();
        let changes: Vec<Json<&Change>> = events.iter().map(|event| Json(&event.change)).collect();
        sqlx::query(
            "with new as (
                select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::jsonb[])
                    as n(event_id, key, version, change)
             ), entry as (
                insert into ledger.entry (event_id, collection, key, version, schema_version, change)
                select event_id, $5, key, version, $6, change from new
                returning id, collection, key
             )
             insert into ledger.outbox (collection, key, entry)
             select collection, key, id from entry where $7
             on conflict (collection, key) do update set entry = excluded.entry",
        )
        .bind(ids)
        .bind(keys)
        .bind(versions)
        .bind(changes)
        .bind(Collection::Properties.name())
        .bind(SCHEMA_VERSION.cast_signed())
        .bind(is_for_relay)
        .execute(&self.ledger)
        .await?;
        Ok(())
    }
}

fn event(listing: &Listing, version: i64) -> Event {
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, listing.key.to_string()),
        version: Version(version),
        captured_at: Utc::now(),
        change: Change::Upserted {
            snapshot: Box::new(Snapshot::Properties(listing.property.clone())),
        },
        offers: offers(&listing.property),
    }
}

/// Returns the offers of a home. A reduced one was offered at its previous price before.
fn offers(home: &Property) -> Vec<Offer> {
    let offer = |version, price| Offer {
        version: Version(version),
        at: home.listed_at,
        reference: home.reference.clone(),
        location: home.location.slug.clone(),
        property_type: home.property_type,
        price,
        status: home.status,
    };
    let before = home.previous_price.filter(|_| home.reduced);
    before.map(|price| offer(0, Some(price))).into_iter().chain([offer(1, home.price)]).collect()
}
