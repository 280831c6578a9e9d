//! Placeholders: for each picture a preview of a few bytes, which a page shows until the picture is
//! loaded.
//!
//! They are made after capture and never delay it: a picture is published without one at first, and once
//! its placeholder is made, what shows the picture gets a new version with it. A picture that turns out
//! to be unreadable is removed in the same way from what shows it. The table is also the queue. The
//! result for a version of a file never changes, so that the hash of a snapshot changes once per new
//! picture and not again.

mod make;

use std::collections::HashMap;

use contracts::{
    PictureFault,
    content::{Picture, Snapshot},
};
use uuid::Uuid;

use crate::{
    Error, Ledger, Wakeups,
    ledger::{FileVersion, StoredPlaceholder},
};

pub use make::run;

/// The result of filling snapshots.
#[must_use = "what is not requested is not made"]
#[derive(Debug, Default)]
pub struct Filled {
    /// The pictures without a placeholder.
    pub missing: Vec<FileVersion>,
    /// The faults of the files that no picture can be made of, by id.
    pub unreadable: HashMap<Uuid, PictureFault>,
}

/// Adds the available placeholders to `snapshots`, and removes the pictures from them that are
/// unreadable.
pub async fn fill(
    ledger: &Ledger,
    snapshots: impl Iterator<Item = &mut Snapshot>,
) -> Result<Filled, Error> {
    let snapshots: Vec<&mut Snapshot> = snapshots.collect();
    let pictures = snapshots.iter().flat_map(|snapshot| snapshot.pictures());
    let (files, versions): (Vec<Uuid>, Vec<String>) =
        pictures.map(|picture| (picture.file, picture.version.clone())).unzip();
    if files.is_empty() {
        return Ok(Filled::default());
    }
    let known = ledger.tried_placeholders(&files, &versions).await?;
    let file_of = |picture: &Picture| (picture.file, picture.version.clone());
    let (mut missing, mut unreadable) = (Vec::new(), HashMap::new());
    for snapshot in snapshots {
        for picture in snapshot.pictures() {
            if let Some(StoredPlaceholder::Unreadable(fault)) = known.get(&file_of(picture)) {
                unreadable.insert(picture.file, *fault);
            }
        }
        snapshot.retain_pictures(|picture| {
            !matches!(known.get(&file_of(picture)), Some(StoredPlaceholder::Unreadable(_)))
        });
        for picture in snapshot.pictures_mut() {
            match known.get(&file_of(picture)) {
                Some(StoredPlaceholder::Placeholder(webp)) => {
                    picture.placeholder = Some(webp.clone());
                }
                _ => missing.push(file_of(picture)),
            }
        }
    }
    missing.sort_unstable();
    missing.dedup();
    Ok(Filled { missing, unreadable })
}

/// Requests placeholders for the pictures in `missing`. To be called after the snapshots were recorded
/// in the ledger: what shows a picture whose placeholder was made in between is captured again.
pub async fn request(
    ledger: &Ledger,
    wakeups: &Wakeups,
    missing: Vec<FileVersion>,
) -> Result<(), Error> {
    if missing.is_empty() {
        return Ok(());
    }
    ledger.queue_placeholders(missing).await?;
    wakeups.capture.notify_one();
    wakeups.placeholders.notify_one();
    Ok(())
}
