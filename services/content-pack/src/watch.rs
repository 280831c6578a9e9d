//! Following the folder.

use std::{path::Path, time::Duration};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::{sync::mpsc, time::timeout};

use crate::{api::State, load, webhook::Sender};

/// How long the folder has to be quiet before it is read: one save is several events, and an
/// editor's "write new, rename" is two files for a moment.
const QUIET: Duration = Duration::from_millis(20);
/// The longest that a folder which is never quiet waits to be read.
const MAX_WAIT: Duration = Duration::from_millis(500);

/// A watch on the content folder, which notes that something happened, not what.
#[derive(Debug)]
pub(crate) struct Watching {
    _watcher: RecommendedWatcher,
    events: mpsc::Receiver<()>,
}

impl Watching {
    pub fn start(folder: &Path) -> Result<Self, notify::Error> {
        let (sender, events) = mpsc::channel(1);
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let is_reading =
                    matches!(&event, Ok(event) if matches!(event.kind, EventKind::Access(_)));
                if !is_reading {
                    // A full channel holds the same news already.
                    let _ = sender.try_send(());
                }
            })?;
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(Self { _watcher: watcher, events })
    }

    /// Serves what is saved, and posts what it changed. Ends with the watcher.
    pub async fn follow(mut self, state: State, sender: Option<Sender>) {
        while self.events.recv().await.is_some() {
            let _ = timeout(MAX_WAIT, self.quiet()).await;
            let before = state.content();
            let folder = state.folder().to_owned();
            let read = tokio::task::spawn_blocking(move || load::reload(&folder, &before)).await;
            let Ok((content, errors)) = read else {
                tracing::error!("reading the content folder failed");
                continue;
            };
            for error in errors {
                tracing::warn!(%error, "not served; the content read before stays");
            }
            let changes = state.replace(content);
            if changes.is_empty() {
                continue;
            }
            tracing::info!(changes = changes.len(), "content saved");
            if let Some(sender) = &sender {
                changes.iter().flat_map(crate::changes::Change::webhooks).for_each(|body| {
                    sender.send(body);
                });
            }
        }
    }

    async fn quiet(&mut self) {
        while let Ok(Some(())) = timeout(QUIET, self.events.recv()).await {}
    }
}
