//! The limit of open files and connections of a process.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::error_text;

/// Raises the soft limit of open files to the hard limit: the default soft limit is about a thousand,
/// for instance on Kubernetes.
pub fn raise_open_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(limit = ?limit.current, error = error_text(&error), "the limit of open files can't be raised");
    }
}
