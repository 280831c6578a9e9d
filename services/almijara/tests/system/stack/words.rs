//! Words that must not be where they don't belong: what visitors write of themselves, what editors draft.

use std::{fs, path::Path};

use anyhow::{Result, ensure};

use super::{Stack, spans::Spans};

/// The words, letter for letter.
pub struct Words(Vec<String>);

impl Words {
    pub fn of(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(words.into_iter().map(Into::into).collect())
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// As the patterns of `like`.
    pub fn patterns(&self) -> Vec<String> {
        self.0.iter().map(|word| format!("%{word}%")).collect()
    }

    /// Fails where `text`, which is `what`, says one of them.
    pub fn not_in(&self, what: &str, text: &str) -> Result<()> {
        let told = self.0.iter().find(|word| text.contains(*word));
        ensure!(told.is_none(), "{what} says {told:?}");
        Ok(())
    }

    /// Fails where a line of the log does.
    pub fn in_no_line(&self, stack: &Stack) -> Result<()> {
        let told = self.0.iter().find(|word| stack.said(word) > 0);
        ensure!(told.is_none(), "a log line says {told:?}");
        Ok(())
    }

    /// Fails where a span does. They are all there when the roles have ended.
    pub fn in_no_span(&self, spans: &Spans) -> Result<()> {
        for span in spans.all() {
            let span = format!("{span:?}");
            self.not_in(&format!("a span ({span})"), &span)?;
        }
        Ok(())
    }

    /// Fails where an event does, in the streams under the folder `data`.
    pub fn in_no_event(&self, data: &Path) -> Result<()> {
        ensure!(self.in_no_file(&data.join("nats"))? > 0, "there are no events");
        Ok(())
    }

    /// Fails where a file in `folder` does, or in one below it; gives how many were looked through.
    pub fn in_no_file(&self, folder: &Path) -> Result<usize> {
        let mut files = 0;
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                // A file of the index or a picture may go meanwhile.
                let Ok(bytes) = fs::read(&path) else { continue };
                let says = |word: &&String| {
                    bytes.windows(word.len()).any(|those| those == word.as_bytes())
                };
                let told = self.0.iter().find(says);
                ensure!(told.is_none(), "{} says {told:?}", path.display());
                files += 1;
            }
        }
        Ok(files)
    }
}
