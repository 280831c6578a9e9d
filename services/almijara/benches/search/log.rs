//! The content log: what is on it, and listings put on it as sync's relay does.

use anyhow::{Context, Result};
use chrono::Utc;
use contracts::{
    AggregateId, Change, Collection, Epoch, Event, SCHEMA_VERSION, Sequence, Version,
    content::{Location, Property, Snapshot},
};
use event_log::{EventLog, Publisher};
use futures::{StreamExt, TryStreamExt, stream};
use uuid::Uuid;

use crate::{catalogue::Listing, stack::Stack};

/// Messages on their way to the server at the same time.
const AT_ONCE: usize = 128;
const BATCH: usize = 256;
const WAIT: std::time::Duration = std::time::Duration::from_secs(1);

/// The log of a stack, with the right to write it.
pub struct Log {
    events: EventLog,
    publisher: Publisher,
    epoch: Epoch,
}

/// Homes and places that are published, by key.
#[derive(Default)]
pub struct Published {
    pub homes: Vec<(String, Property)>,
    pub places: Vec<(String, Location)>,
}

impl Log {
    pub async fn of(stack: &Stack) -> Result<Self> {
        let mut environment = stack.operators_environment()?;
        let url = environment.remove("SYNC_NATS_URL").context("the log has an address")?;
        let events = EventLog::connect(&url.into(), "bench").await?;
        let publisher = events.publisher();
        let state = publisher.stream_state().await?.context("there is a log")?;
        Ok(Self { events, publisher, epoch: state.epoch.context("the log has an epoch")? })
    }

    /// Reads what is published now.
    pub async fn published(&self) -> Result<Published> {
        let mut reader = self.events.reader(Sequence::START);
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

    /// Publishes `listings` as `version`, and gives the position of the last.
    pub async fn publish(&self, listings: &[Listing], version: i64) -> Result<Sequence> {
        stream::iter(listings)
            .map(|listing| self.publish_one(listing, version))
            .buffer_unordered(AT_ONCE)
            .try_fold(Sequence::START, async |last, position| Ok(last.max(position)))
            .await
    }

    /// Publishes one listing.
    pub async fn publish_one(&self, listing: &Listing, version: i64) -> Result<Sequence> {
        let event = Event {
            id: Uuid::new_v4(),
            schema_version: SCHEMA_VERSION,
            aggregate: AggregateId::new(Collection::Properties, listing.key.to_string()),
            version: Version(version),
            captured_at: Utc::now(),
            change: Change::Upserted {
                snapshot: Box::new(Snapshot::Properties(listing.property.clone())),
            },
        };
        Ok(self.publisher.publish(&event, self.epoch, None).await?)
    }
}
