//! Comparing a collection with the ledger.

use std::collections::BTreeMap;

use content_client::Reading;
use contracts::{AggregateId, Collection, Violation};

use super::Report;
use crate::{Error, Sync, doubles, left_out, placeholders, snapshot_hash};

/// How many items one page of a full reading has.
const PAGE: usize = 500;
/// A reading may remove one in so many of a collection without an operator's word.
const REMOVABLE_SHARE: usize = 5;
/// Or so many, however small it is.
const REMOVABLE: usize = 3;

/// Compares ids and status.
pub async fn ids(
    sync: &Sync,
    collection: Collection,
    allow_mass_removal: bool,
) -> Result<Report, Error> {
    let mut published: BTreeMap<String, Vec<u8>> =
        sync.ledger.published(collection).await?.into_iter().collect();
    let before = published.len();
    let parked = sync.ledger.parked_in(collection).await?;
    let listed = sync.content.ids(collection).await?;
    let seen = listed.len();
    let unknown: Vec<AggregateId> = listed
        .into_iter()
        .filter(|item| item.published && published.remove(&item.key).is_none())
        // What is parked is read again in its own time.
        .filter(|item| !parked.contains_key(&item.key))
        .map(|item| AggregateId::new(collection, item.key))
        .collect();
    finish(sync, collection, seen, before, unknown, published, allow_mass_removal).await
}

/// Compares all of each item. One that can't be given stays as it is, and is left to capture, which
/// parks it.
pub async fn contents(
    sync: &Sync,
    collection: Collection,
    allow_mass_removal: bool,
) -> Result<Report, Error> {
    let mut published: BTreeMap<String, Vec<u8>> =
        sync.ledger.published(collection).await?.into_iter().collect();
    let before = published.len();
    let heard_of = sync.ledger.keys(collection).await?;
    let parked = sync.ledger.parked_in(collection).await?;
    let known = left_out::known(sync, collection).await?;
    let (mut seen, mut differing, mut after) = (0, Vec::new(), None);
    loop {
        let mut page = sync.content.read_all(collection, after.as_deref(), PAGE).await?;
        seen += page.readings.len();
        let readings = page.readings.iter_mut().map(|(id, reading)| (id.key.as_str(), reading));
        doubles::refuse(sync, readings.collect()).await?;
        let snapshots = page.readings.iter_mut().filter_map(|(_, reading)| reading.snapshot_mut());
        let filled = placeholders::fill(sync, snapshots).await?;
        placeholders::want(sync, filled.unmade).await?;
        for (id, reading) in page.readings {
            let parked = parked.get(&id.key);
            let recorded = match &reading {
                Reading::Hidden { .. } | Reading::Absent => None,
                _ => published.remove(&id.key),
            };
            // What would show in a draft is noted, for when that makes it public.
            let is_new = !heard_of.contains(&id.key);
            let left_out = left_out::of(&reading, &filled.unreadable);
            if is_new
                || differs(&reading, recorded.as_deref(), parked)?
                || (parked.is_none()
                    && known.get(&id.key).map_or(&[][..], Vec::as_slice) != left_out)
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
    finish(sync, collection, seen, before, differing, published, allow_mass_removal).await
}

/// Whether `reading` says anything else than what is `recorded` and why it is `parked`.
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

/// Marks dirty what differs, and what is missing unless that is too much.
async fn finish(
    sync: &Sync,
    collection: Collection,
    seen: usize,
    before: usize,
    differing: Vec<AggregateId>,
    missing: BTreeMap<String, Vec<u8>>,
    allow_mass_removal: bool,
) -> Result<Report, Error> {
    let report = Report { seen, differing: differing.len(), missing: missing.len() };
    // An empty list is what a token sees that may see no row.
    let too_many =
        seen == 0 && before > 0 || missing.len() > REMOVABLE.max(before / REMOVABLE_SHARE);
    sync.ledger.mark_dirty(&differing, None).await?;
    if too_many && !allow_mass_removal {
        return Err(Error::MassRemoval {
            collection: collection.name(),
            missing: report.missing,
            published: before,
        });
    }
    let missing: Vec<AggregateId> =
        missing.into_keys().map(|key| AggregateId::new(collection, key)).collect();
    sync.ledger.mark_dirty(&missing, None).await?;
    Ok(report)
}
