//! Omitted pictures: those that the site shows an item without, since no picture can be made of the file.

use std::collections::HashMap;

use content_client::Reading;
use contracts::{Collection, PictureFault, Violation};
use uuid::Uuid;

use crate::{
    Error, Ledger,
    ledger::{Claim, storable},
};

/// Returns the pictures that `reading` omits: files that are no picture by themselves, and those found
/// to be `unreadable`.
pub fn of(reading: &Reading, unreadable: &HashMap<Uuid, PictureFault>) -> Vec<Violation> {
    let Reading::Published { files, .. } = reading else { return Vec::new() };
    let left_out = files.iter().filter_map(|file| {
        let fault = file.fault.or_else(|| unreadable.get(&file.id).copied())?;
        Some(storable(&file.left_out(fault)))
    });
    left_out.collect()
}

/// Records the pictures omitted by reads of `collection`, for every claim that still holds.
pub async fn record(
    ledger: &Ledger,
    collection: Collection,
    read: Vec<(&Claim, Vec<Violation>)>,
) -> Result<(), Error> {
    for (key, pictures) in ledger.record_left_out(collection, read).await? {
        let why: Vec<String> = pictures.iter().map(ToString::to_string).collect();
        tracing::warn!(%collection, key, why = %why.join("; "), "an item is shown without a picture");
    }
    Ok(())
}
