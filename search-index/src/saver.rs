//! Saves commits to disk in a background thread.

use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::directory::WriteBehind;

/// How long a commit may be in memory only. After a crash, that much of the log is read again.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// If more bytes than this are in memory only, the writer saves them itself before it continues.
const MAX_UNSAVED: usize = 64 << 20;

/// A thread that saves commits. Dropping it saves what is left.
#[derive(Debug)]
pub(crate) struct Saver {
    unsaved: Unsaved,
    /// Closing it ends the thread.
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Saver {
    pub fn start(directory: WriteBehind) -> io::Result<Self> {
        let (stop, stopped) = mpsc::sync_channel(0);
        let unsaved = Unsaved { directory, failing_since: Arc::default() };
        let saved = unsaved.clone();
        let thread = thread::Builder::new().name("index-saver".to_owned()).spawn(move || {
            while stopped.recv_timeout(SAVE_EVERY) == Err(RecvTimeoutError::Timeout) {
                saved.save();
            }
            saved.save();
        })?;
        Ok(Self { unsaved, stop: Some(stop), thread: Some(thread) })
    }

    /// Saves if too much is in memory only. The writer calls it after each commit. While saving fails, the
    /// thread retries and the writer does not wait: the memory use is then limited by the size of the index.
    pub fn save_if_large(&self) {
        let is_large = self.unsaved.directory.unsaved_bytes() > MAX_UNSAVED;
        if is_large && self.failing_for().is_zero() {
            self.unsaved.save();
        }
    }

    /// Returns for how long commits could not be saved; zero if the last attempt succeeded.
    pub fn failing_for(&self) -> Duration {
        self.unsaved.failing_since().map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that saves the search index panicked");
        }
    }
}

/// The commits that are not on disk yet.
#[derive(Debug, Clone)]
struct Unsaved {
    directory: WriteBehind,
    failing_since: Arc<Mutex<Option<Instant>>>,
}

impl Unsaved {
    /// Saves the last commit. A failure is logged once and retried by the next call; the index in memory
    /// still answers queries.
    fn save(&self) {
        let saved = self.directory.save();
        let mut since = self.failing_since.lock().unwrap_or_else(PoisonError::into_inner);
        match saved {
            Ok(()) => {
                if since.take().is_some() {
                    tracing::info!("the search index is saved again");
                }
            }
            Err(error) if since.is_none() => {
                *since = Some(Instant::now());
                let error = runtime::error_text(&error);
                tracing::warn!(error, "the search index is not saved; the disk may be full");
            }
            Err(_) => {}
        }
    }

    fn failing_since(&self) -> Option<Instant> {
        *self.failing_since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
