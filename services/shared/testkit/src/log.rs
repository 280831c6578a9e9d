//! An event log that only the test writes.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Epoch, Event, LedgerId, Localized, SCHEMA_VERSION, Sequence,
    Version,
    content::{Page, PageText, Snapshot},
};
use event_log::{EndedEpoch, EventLog, Lineage, Outgoing, Publisher};
use uuid::Uuid;

use crate::Nats;

/// The ledger id that tests publish with.
pub const LEDGER: LedgerId = LedgerId(Uuid::from_u128(1));

/// Returns the lineage of a stream that was created in `epoch`, after the epochs that `ended` at these
/// positions.
pub fn lineage(epoch: u32, ended: &[(u32, u64)]) -> Lineage {
    let ended = ended.iter().map(|&(epoch, last)| EndedEpoch { epoch: Epoch(epoch), last });
    Lineage {
        ledger: LEDGER,
        born: Epoch(epoch),
        epoch: Epoch(epoch),
        ended: ended.collect(),
        complete: true,
    }
}

/// The log, and the position of its last message.
#[derive(Debug)]
pub struct Log {
    publisher: Publisher,
    epoch: Epoch,
    last: u64,
}

impl Log {
    /// Creates the log in `nats`, in epoch 1.
    pub async fn create(nats: &Nats) -> Self {
        let log = EventLog::connect(&nats.url(), "test").await.expect("nats answers");
        let mut log = Self { publisher: log.publisher(), epoch: Epoch(1), last: 0 };
        log.recreate(lineage(1, &[])).await;
        log
    }

    /// Recreates the log with another epoch or ledger.
    pub async fn recreate(&mut self, lineage: Lineage) {
        self.publisher.recreate(&lineage).await.expect("the stream can be made");
        (self.epoch, self.last) = (lineage.epoch, 0);
    }

    /// Replaces the lineage that the stream describes.
    pub async fn set_lineage(&self, lineage: Lineage) {
        self.publisher.describe(&lineage).await.expect("the stream can be described");
    }

    /// Returns the position of the next message.
    pub const fn next(&self) -> Sequence {
        Sequence::new(self.epoch, self.last + 1)
    }

    /// Publishes `event`; returns its position.
    pub async fn publish(&mut self, event: &Event) -> Sequence {
        let event = event.clone().recorded().expect("the event can be written");
        let event = Outgoing { event, traceparent: None };
        let published = self.publisher.publish(self.epoch, self.last, &[event]).await;
        self.last += 1;
        *published.sequences.first().expect("the event can be published")
    }
}

/// Returns an event that sets the title of the page `slug`.
pub fn page_event(slug: &str, version: i64, title: &str) -> Event {
    let text = PageText {
        title: title.to_owned(),
        intro: String::new(),
        body: String::new(),
        meta_description: String::new(),
        faq: Vec::new(),
    };
    let page = Page {
        slug: slug.to_owned(),
        kind: "guide".to_owned(),
        location: None,
        image: None,
        text: Localized { en: Some(text), es: None },
    };
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Pages, slug),
        version: Version(version),
        captured_at: DateTime::<Utc>::UNIX_EPOCH,
        change: Change::Upserted { snapshot: Box::new(Snapshot::Pages(page)) },
        offers: Vec::new(),
    }
}
