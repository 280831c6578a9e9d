//! JSON files that are part of the build. One that can't be read is an error and never counts as empty.

use std::{
    error::Error as StdError,
    sync::{Arc, OnceLock},
};

use serde::de::DeserializeOwned;

use crate::Error;

/// A file, parsed when it is first needed.
#[derive(Debug)]
pub struct Embedded<T> {
    name: &'static str,
    text: &'static str,
    parsed: OnceLock<Result<T, Arc<serde_json::Error>>>,
}

impl<T: DeserializeOwned> Embedded<T> {
    /// Embeds the file `name` with the contents `text`.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, parsed: OnceLock::new() }
    }

    /// Returns what the file contains.
    pub fn get(&self) -> Result<&T, Error> {
        let parse = || serde_json::from_str(self.text).map_err(Arc::new);
        self.parsed.get_or_init(parse).as_ref().map_err(|error| self.error(Arc::clone(error)))
    }

    /// Returns the error that the file is wrong for this reason, the `source`.
    pub fn error(&self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        Error::Embedded { file: self.name, source: source.into() }
    }
}

#[cfg(test)]
mod tests {
    use runtime::error_text;

    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        static CUT_OFF: Embedded<Vec<u8>> = Embedded::new("numbers.json", "[1, 2");
        let error = error_text(&CUT_OFF.get().expect_err("it is cut off"));
        assert!(error.starts_with("numbers.json of this build can't be read: EOF"), "{error}");
    }
}
