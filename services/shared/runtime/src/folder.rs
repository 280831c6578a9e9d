//! Folders named in the configuration.

use std::{fs, io, path::Path, process};

/// Creates `folder` if it does not exist, and checks that this process may write to it. Checked at
/// startup, a problem is an error message for the operator; found later, it would be a role that is
/// never ready.
///
/// # Errors
/// Returns the operating system's error.
pub fn ensure_writable_dir(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".written-by-{}", process::id()));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}
