//! Brings commits to disk behind the writer's back.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::directory::WriteBehind;

/// How long a commit may be in memory only. After a crash so much of the log is read again.
const SAVE_EVERY: Duration = Duration::from_secs(1);
/// More than this in memory is not waited with: the writer saves it before it goes on.
const MOST_UNSAVED: usize = 64 << 20;

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
        let unsaved = Unsaved { directory, is_failing: Arc::default() };
        let saved = unsaved.clone();
        let thread = thread::Builder::new().name("index-saver".to_owned()).spawn(move || {
            while stopped.recv_timeout(SAVE_EVERY) == Err(RecvTimeoutError::Timeout) {
                saved.save();
            }
            saved.save();
        })?;
        Ok(Self { unsaved, stop: Some(stop), thread: Some(thread) })
    }

    /// To be called after each commit: keeps what is in memory bounded.
    pub fn keep_bounded(&self) {
        if self.unsaved.directory.unsaved_bytes() > MOST_UNSAVED {
            self.unsaved.save();
        }
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
    is_failing: Arc<AtomicBool>,
}

impl Unsaved {
    /// A failure is told once and tried again: the index in memory goes on serving.
    fn save(&self) {
        match self.directory.save() {
            Ok(()) => {
                if self.is_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("the search index is saved again");
                }
            }
            Err(error) => {
                if !self.is_failing.swap(true, Ordering::Relaxed) {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "the search index is not saved; the disk may be full");
                }
            }
        }
    }
}
