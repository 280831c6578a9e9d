//! Brings commits to disk behind the writer's back.

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

/// How long a commit may be in memory only. After a crash so much of the log is read again.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// More than this in memory is not waited with: the writer saves it before it goes on.
const MAX_UNSAVED: usize = 64 << 20;

/// A thread that saves what is committed. Dropping it saves the rest.
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

    /// To be called after each commit: keeps what is in memory bounded. Where saving fails, the thread
    /// tries on and the writer does not wait for it: all that is in memory is the index itself.
    pub fn keep_bounded(&self) {
        let is_large = self.unsaved.directory.unsaved_bytes() > MAX_UNSAVED;
        if is_large && self.failing_for().is_zero() {
            self.unsaved.save();
        }
    }

    /// For how long what is committed could not be saved; zero where the last try went well.
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

/// What is committed and not on disk yet.
#[derive(Debug, Clone)]
struct Unsaved {
    directory: WriteBehind,
    failing_since: Arc<Mutex<Option<Instant>>>,
}

impl Unsaved {
    /// A failure is told once and tried again: the index in memory goes on serving.
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
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the search index is not saved; the disk may be full");
            }
            Err(_) => {}
        }
    }

    fn failing_since(&self) -> Option<Instant> {
        *self.failing_since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
