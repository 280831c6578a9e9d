//! Watches the content folder, and reloads it when it changes.

use std::{path::Path, time::Duration};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use runtime::{error_text, health::Details};
use serde_json::json;
use tokio::{sync::mpsc, time::timeout};

use crate::{api::State, load, webhook::Sender};

/// How long the folder has to be quiet before it is read: one save causes several events, and with
/// editors that write a new file and rename it, there are briefly two files.
const QUIET_PERIOD: Duration = Duration::from_millis(20);
/// The maximum delay of a read if the folder is never quiet.
const MAX_WAIT: Duration = Duration::from_millis(500);

/// A watch on the content folder. It only signals that something changed, and not what.
#[derive(Debug)]
pub(crate) struct FolderWatch {
    _watcher: RecommendedWatcher,
    events: mpsc::Receiver<()>,
}

impl FolderWatch {
    pub fn start(folder: &Path) -> Result<Self, notify::Error> {
        let (sender, events) = mpsc::channel(1);
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let is_access =
                    matches!(&event, Ok(event) if matches!(event.kind, EventKind::Access(_)));
                if !is_access {
                    // If the channel is full, a change is already signalled.
                    let _ = sender.try_send(());
                }
            })?;
        watcher.watch(folder, RecursiveMode::Recursive)?;
        Ok(Self { _watcher: watcher, events })
    }

    /// Reloads the folder after each change, posts the changes, and shows the refused files in `refused`.
    /// Ends when the watcher does.
    pub async fn reload_on_changes(
        mut self,
        state: State,
        sender: Option<Sender>,
        refused: Details,
    ) {
        while self.events.recv().await.is_some() {
            let _ = timeout(MAX_WAIT, self.wait_until_quiet()).await;
            let before = state.content();
            let folder = state.folder().to_owned();
            let read = tokio::task::spawn_blocking(move || load::reload(&folder, &before)).await;
            let Ok((content, errors)) = read else {
                tracing::error!("reading the content folder failed");
                continue;
            };
            let reasons: Vec<String> = errors.iter().map(|error| error_text(error)).collect();
            for error in &reasons {
                tracing::warn!(
                    error,
                    "a file of the content folder is refused; what it held before stays on the site \
                     until it is corrected and saved"
                );
            }
            refused.set((!reasons.is_empty()).then(|| json!(reasons)));
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

    async fn wait_until_quiet(&mut self) {
        while let Ok(Some(())) = timeout(QUIET_PERIOD, self.events.recv()).await {}
    }
}
