//! Folders that operators name.

use std::{fs, io, path::Path, process};

/// Makes `folder` where it is not there, and finds out whether this process may write in it: at start
/// that is a word to the operator, later it is a role that is never ready.
///
/// # Errors
/// The system's word.
pub fn make_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".written-by-{}", process::id()));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}
