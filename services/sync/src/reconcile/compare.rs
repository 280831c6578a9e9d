//! Compares a collection with the ledger.

use std::collections::BTreeMap;

use content_client::{Client, Reading};
use contracts::{AggregateId, Collection, Violation};

use super::{MassRemoval, Report};
use crate::{Context, Error, Ledger, duplicate_redirects, left_out, placeholders, snapshot_hash};

/// The number of items per page of a full comparison.
const PAGE: usize = 500;
/// A comparison may remove one in this many items of a collection without an operator's permission.
const REMOVABLE_FRACTION: usize = 5;
/// It may remove this many items, however small the collection is.
const REMOVABLE_COUNT: usize = 3;

/// The differences between a collection and the ledger.
#[derive(Debug)]
pub struct Comparison {
    collection: Collection,
    /// The number of items compared.
    seen: usize,
    /// The number of items that were published before.
    before: usize,
    differing: Vec<AggregateId>,
    /// The keys of the items that are published in the ledger and not in the content service.
    missing: Vec<String>,
}

impl Comparison {
    /// Marks the differing items dirty, and the missing ones unless they are too many.
    pub async fn record(self, ledger: &Ledger, removal: MassRemoval) -> Result<Report, Error> {
        let Self { collection, seen, before, differing, missing } = self;
        let report = Report { seen, differing: differing.len(), missing: missing.len() };
        // An empty list is also what a token gets that has no permission to see any row.
        let too_many = seen == 0 && before > 0
            || missing.len() > REMOVABLE_COUNT.max(before / REMOVABLE_FRACTION);
        ledger.mark_dirty(&differing, None).await?;
        if too_many && removal == MassRemoval::Refuse {
            return Err(Error::MassRemoval {
                collection: collection.name(),
                missing: report.missing,
                published: before,
            });
        }
        let missing: Vec<AggregateId> =
            missing.into_iter().map(|key| AggregateId::new(collection, key)).collect();
        ledger.mark_dirty(&missing, None).await?;
        Ok(report)
    }
}

/// Compares ids and status of a collection.
pub async fn ids(
    ledger: &Ledger,
    content: &Client,
    collection: Collection,
) -> Result<Comparison, Error> {
    let mut published: BTreeMap<String, Vec<u8>> =
        ledger.published(collection).await?.into_iter().collect();
    let before = published.len();
    let parked = ledger.parked_in(collection).await?;
    let listed = content.ids(collection).await?;
    let seen = listed.len();
    let differing = listed
        .into_iter()
        .filter(|item| item.published && published.remove(&item.key).is_none())
        // Parked items are retried on their own schedule.
        .filter(|item| !parked.contains_key(&item.key))
        .map(|item| AggregateId::new(collection, item.key))
        .collect();
    let missing = published.into_keys().collect();
    Ok(Comparison { collection, seen, before, differing, missing })
}

/// Compares the complete content of each item. The recorded version of an item that the content service
/// can't read stays; capture will park it.
pub async fn contents(context: &Context, collection: Collection) -> Result<Comparison, Error> {
    let Context { ledger, content, wakeups, .. } = context;
    let mut published: BTreeMap<String, Vec<u8>> =
        ledger.published(collection).await?.into_iter().collect();
    let before = published.len();
    let known_keys = ledger.known_keys(collection).await?;
    let parked = ledger.parked_in(collection).await?;
    let left_out_before = ledger.left_out_in(collection).await?;
    let (mut seen, mut differing, mut after) = (0, Vec::new(), None);
    loop {
        let mut page = content.read_all(collection, after.as_deref(), PAGE).await?;
        seen += page.readings.len();
        let readings = page.readings.iter_mut().map(|(id, reading)| (id.key.as_str(), reading));
        duplicate_redirects::invalidate_duplicates(ledger, readings.collect()).await?;
        let snapshots = page.readings.iter_mut().filter_map(|(_, reading)| reading.snapshot_mut());
        let filled = placeholders::fill(ledger, snapshots).await?;
        placeholders::request(ledger, wakeups, filled.missing).await?;
        for (id, reading) in page.readings {
            let parked = parked.get(&id.key);
            let recorded = match &reading {
                Reading::Hidden { .. } | Reading::Absent => None,
                _ => published.remove(&id.key),
            };
            // Of an unknown draft, the parts are recorded too: a change of one of them may make it
            // public.
            let is_new = !known_keys.contains(&id.key);
            let left_out = left_out::of(&reading, &filled.unreadable);
            if is_new
                || differs(&reading, recorded.as_deref(), parked)?
                || (parked.is_none()
                    && left_out_before.get(&id.key).map_or(&[][..], Vec::as_slice) != left_out)
            {
                differing.push(id);
            }
        }
        for (key, _) in page.unreadable {
            seen += 1;
            published.remove(&key);
            if !parked.contains_key(&key) {
                differing.push(AggregateId::new(collection, key));
            }
        }
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    let missing = published.into_keys().collect();
    Ok(Comparison { collection, seen, before, differing, missing })
}

/// Returns whether `reading` differs from the `recorded` version, or from the reasons for which the item
/// is `parked`.
fn differs(
    reading: &Reading,
    recorded: Option<&[u8]>,
    parked: Option<&Vec<Violation>>,
) -> Result<bool, Error> {
    if let Reading::Published { snapshot, .. } = reading {
        return Ok(parked.is_some() || recorded != Some(snapshot_hash::of(snapshot)?.as_slice()));
    }
    Ok(reading.broken() != parked.map_or(&[][..], Vec::as_slice))
}
