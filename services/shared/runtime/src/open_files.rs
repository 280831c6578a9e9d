//! How many files and connections a process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit to the most that the system allows this process: it begins at a thousand where
/// nobody has set it, as on Kubernetes.
pub fn allow_most_open_files() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return;
    }
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(limit = ?limit.current, %error, "the limit of open files can't be raised");
    }
}
