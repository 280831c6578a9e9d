//! Brings commits to disk behind the writer's back.

use std::{
    io,
    sync::mpsc::{self, RecvTimeoutError, SyncSender},
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
    directory: WriteBehind,
    /// Closing it ends the thread.
    stop: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Saver {
    pub fn start(directory: WriteBehind) -> io::Result<Self> {
        let (stop, stopped) = mpsc::sync_channel(0);
        let saved = directory.clone();
        let thread = thread::Builder::new().name("index-saver".to_owned()).spawn(move || {
            while stopped.recv_timeout(SAVE_EVERY) == Err(RecvTimeoutError::Timeout) {
                save(&saved);
            }
            save(&saved);
        })?;
        Ok(Self { directory, stop: Some(stop), thread: Some(thread) })
    }

    /// To be called after each commit: keeps what is in memory bounded.
    pub fn keep_bounded(&self) {
        if self.directory.unsaved_bytes() > MOST_UNSAVED {
            save(&self.directory);
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

/// A failure is told and tried again with the next commit: the index in memory goes on serving.
fn save(directory: &WriteBehind) {
    if let Err(error) = directory.save() {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(error, "the search index is not saved; the disk may be full");
    }
}
