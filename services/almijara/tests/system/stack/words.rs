//! Words that must not occur in certain places: personal data of visitors, drafts of editors.

use std::{fs, path::Path};

use anyhow::{Result, ensure};

use super::{Stack, spans::Spans};

/// The words, which are searched literally.
pub struct Words(Vec<String>);

impl Words {
    pub fn of(words: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(words.into_iter().map(Into::into).collect())
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the words as patterns of SQL's `like`.
    pub fn patterns(&self) -> Vec<String> {
        self.0.iter().map(|word| format!("%{word}%")).collect()
    }

    /// Fails if `text` has one of the words. The error calls it `what`.
    pub fn ensure_not_in(&self, what: &str, text: &str) -> Result<()> {
        let found = self.0.iter().find(|word| text.contains(*word));
        ensure!(found.is_none(), "{what} says {found:?}");
        Ok(())
    }

    /// Fails if a line of the log has one of the words.
    pub fn ensure_not_in_log(&self, stack: &Stack) -> Result<()> {
        let found = self.0.iter().find(|word| stack.count_lines(word) > 0);
        ensure!(found.is_none(), "a log line says {found:?}");
        Ok(())
    }

    /// Fails if a span has one of the words. All spans have arrived only after the roles have ended.
    pub fn ensure_not_in_spans(&self, spans: &Spans) -> Result<()> {
        for span in spans.all() {
            let span = format!("{span:?}");
            self.ensure_not_in(&format!("a span ({span})"), &span)?;
        }
        Ok(())
    }

    /// Fails if an event has one of the words, in the streams under the folder `data`.
    pub fn ensure_not_in_streams(&self, data: &Path) -> Result<()> {
        ensure!(self.ensure_not_in_files(&data.join("nats"))? > 0, "there are no events");
        Ok(())
    }

    /// Fails if a file in or below `folder` has one of the words. Returns how many files were searched.
    pub fn ensure_not_in_files(&self, folder: &Path) -> Result<usize> {
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
                // A file of the index or a picture may be deleted meanwhile.
                let Ok(bytes) = fs::read(&path) else { continue };
                let is_in_it = |word: &&String| {
                    bytes.windows(word.len()).any(|window| window == word.as_bytes())
                };
                let found = self.0.iter().find(is_in_it);
                ensure!(found.is_none(), "{} says {found:?}", path.display());
                files += 1;
            }
        }
        Ok(files)
    }
}
