//! Deletes the indexes of former forms, which builds before this one left beside its own.

use std::{
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};

/// What the names of all forms' directories begin with.
const PREFIX: &str = "properties-";
/// How long an index is kept after its last commit: someone who goes back to the build before has one that is
/// nearly up to date.
const RETENTION: Duration = Duration::from_hours(7 * 24);

/// Deletes the indexes beside `current` that nobody has written for [`RETENTION`], and that no process has
/// open for writing. What can't be deleted is left to the next start.
pub(crate) fn delete_former(current: &Path) {
    let Some(folders) = current.parent().and_then(|parent| fs::read_dir(parent).ok()) else {
        return;
    };
    for folder in folders.filter_map(|entry| Some(entry.ok()?.path())) {
        if folder == current || !has_prefix(&folder) || !is_outdated(&folder) {
            continue;
        }
        match delete_unused(&folder) {
            Ok(true) => {
                tracing::info!(directory = %folder.display(), "deleted the index of a former form");
            }
            Ok(false) => {}
            Err(error) => {
                let (error, directory) = (runtime::error_text(&error), folder.display());
                tracing::warn!(error, %directory, "the index of a former form can't be deleted");
            }
        }
    }
}

fn has_prefix(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

/// Returns whether the last commit was too long ago: each changes the directory.
fn is_outdated(folder: &Path) -> bool {
    let modified = folder.metadata().and_then(|metadata| metadata.modified());
    let age = modified.ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
    age.is_some_and(|age| age > RETENTION)
}

/// Deletes the index in `folder`. Returns false if a process has it open for writing.
fn delete_unused(folder: &Path) -> io::Result<bool> {
    let directory = MmapDirectory::open(folder).map_err(io::Error::other)?;
    let Ok(_lock) = directory.acquire_lock(&INDEX_WRITER_LOCK) else { return Ok(false) };
    fs::remove_dir_all(folder)?;
    Ok(true)
}
